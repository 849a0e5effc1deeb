"""What happens at a table and to its tabulator."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.jackpots.contents import CounterWager, Installation, LaidWager, LoggerStamp, Positions, TabulatedWager
from cardroom.jackpots.happenings.kind import Happening, declared
from cardroom.jackpots.plain import Plain, left_out


@dataclass(frozen=True, slots=True)
class OfATable(Happening):
    """What happens at a table stands on its own chain."""

    table: str


@declared("table-set-up")
class TableSetUp(OfATable):
    """A table is opened, or gets another set-up."""

    who: str
    setup: Plain
    layout: tuple[str, ...]
    sensors: Plain
    tabulator: Installation


@declared("round-tabulated")
class RoundTabulated(OfATable):
    round: str
    dealer: str
    wagers: tuple[TabulatedWager, ...]
    record: LoggerStamp | None = left_out(None)
    """The data logger's record that it was taken over from."""


@declared("counted-by-hand")
class CountedByHand(OfATable):
    round: str
    by: str
    wagers: tuple[LaidWager, ...]


@declared("counter-read")
class CounterRead(OfATable):
    by: str
    wagers: tuple[CounterWager, ...]


@declared("round-voided")
class RoundVoided(OfATable):
    round: str
    by: str
    reason: str
    wagers: tuple[LaidWager, ...]
    report: str = left_out("")
    """The number of the report of the malfunction that made it void, where one was named."""


@declared("tabulator-broken")
class TabulatorBroken(OfATable):
    by: str
    reason: str
    report: str = left_out("")
    """The number of the report of a malfunction that it belongs to, where one was named."""


@declared("tabulator-repaired")
class TabulatorRepaired(OfATable):
    by: str
    unit: str
    counters: tuple[int, ...]


@declared("lights-failed")
class LightsFailed(OfATable):
    by: str
    dark: tuple[Positions, ...]


RoundRecorded = RoundTabulated | CountedByHand
"""By these the wagers of one round are counted."""
Counted = RoundTabulated | CountedByHand | CounterRead
"""By these wagers are recorded."""


def round_of(happening: Happening) -> str:
    """The id of the round that a happening at a table is about; empty where it is about none.

    >>> round_of(CountedByHand("prime-1", "r1", "Sam", ())), round_of(CounterRead("prime-1", "Sam", ()))
    ('r1', '')
    """
    return happening.round if isinstance(happening, (RoundTabulated, CountedByHand, RoundVoided)) else ""
