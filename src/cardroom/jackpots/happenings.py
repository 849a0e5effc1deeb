"""What happened to a jackpot or to a tabulator: a kind, the version of its form, and plain values.

Happenings are the truth: states and ledger entries follow from them alone, so a replay gives the same cents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, "Json"] | list["Json"] | str | int | bool | None
"""Plain values without fractions: what a happening and a state are written down in."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened.

    >>> Happening("wagers-counted", 1, {"count": 6}).payload["count"]
    6
    """

    kind: str
    version: int
    payload: dict[str, Any]
