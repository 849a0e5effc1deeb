"""What was won in a round that is known by its record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardroom.jackpots.happenings.kind import Happening
from cardroom.jackpots.layout import record_on_layout
from cardroom.jackpots.plain import Plain


@dataclass(frozen=True, slots=True)
class WonInARound(Happening):
    """What was won in a round that is known by its record."""

    table: str
    round: str
    dealer: str
    record: Plain
    layout: tuple[str, ...]
    """The wagers in the order of the layout: what is stored keeps no order of names."""

    @property
    def played(self) -> dict[str, Any]:
        """The record with the wagers of its table in the order of the layout."""
        return record_on_layout(self.record, self.layout)
