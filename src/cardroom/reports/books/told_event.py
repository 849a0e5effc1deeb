"""An event of a jackpot as reports tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from cardroom.jackpots.telling.details import details
from cardroom.jackpots.telling.words import happened, reason
from cardroom.ledger import Event, Time
from cardroom.reports.books.reading import told
from cardroom.reports.books.statement import in_dollars


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldEvent:
    """What happened, why, where and by whom."""

    jackpot: str
    time: Time
    sequence: int
    """The number of the event."""
    event: str
    reason: str
    details: str
    table: str
    round: str
    who: str

    @classmethod
    def of(cls, jackpot: str, event: Event, who: str, **more: Any) -> Self:
        """The event in words; ``more`` is what a line has beside it."""
        payload = told(event)
        return cls(
            jackpot=jackpot,
            time=event.time,
            sequence=event.sequence,
            event=happened(event.kind),
            reason=reason(event.kind, payload),
            details=details(event.kind, payload, in_dollars),
            table=str(payload.get("table", "")),
            round=str(payload.get("round", "")),
            who=who,
            **more,
        )
