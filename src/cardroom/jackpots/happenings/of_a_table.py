"""What happens at a table and to its tabulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardroom.jackpots.contents import (
    CounterWager,
    DeviceStamp,
    Installation,
    LaidWager,
    LoggerMark,
    LoggerStamp,
    Positions,
    SetUpChange,
    TabulatedWager,
)
from cardroom.jackpots.happenings.kind import Happening, declared
from cardroom.jackpots.plain import Plain


@dataclass(frozen=True, slots=True)
class OfATable(Happening):
    """What happens at a table stands on its own chain."""

    table: str


@declared("table-set-up")
class TableSetUp(OfATable):
    """A table is opened, also again after it was closed."""

    who: str
    setup: Plain
    layout: tuple[str, ...]
    sensors: Plain
    tabulator: Installation


@declared("table-changed")
class TableChanged(TableSetUp):
    """An open table gets another set-up: limits, paytables, seats, sensors, the unit, the place, its jackpots."""

    changes: tuple[SetUpChange, ...]
    why: str = ""


@declared("table-closed")
class TableClosed(OfATable):
    """A table takes no more wagers; its rounds can still be claimed, and it may be opened again."""

    who: str
    why: str


@declared("round-tabulated")
class RoundTabulated(OfATable):
    round: str
    dealer: str
    wagers: tuple[TabulatedWager, ...]
    record: LoggerStamp | None = None
    """The data logger's record that it was taken over from."""
    automatic: bool = False
    """Whether the table itself pressed: it dealt the cards, and claims what is won."""
    device: DeviceStamp | None = None
    """The device that told of it over the network."""
    taken_up: int = 0
    """Until when the table is taken up by the rounds that devices and people sent; 0 at a live table's own count."""
    accepted: bool = False
    """Whether it is one of the rounds that two people have accepted, and takes up no time."""


@declared("rounds-accepted")
class RoundsAccepted(OfATable):
    """Two people accept more rounds of a device than the table can have played."""

    device: str
    by: str
    second: str
    why: str
    rounds: int


@declared("counted-by-hand")
class CountedByHand(OfATable):
    round: str
    by: str
    wagers: tuple[LaidWager, ...]
    automatic: bool = False
    """Whether an automatic table whose tabulator is broken counted what it had dealt itself."""


@declared("counter-read")
class CounterRead(OfATable):
    by: str
    wagers: tuple[CounterWager, ...]
    reading: str
    """The id of the command, by which the reading is known for ever."""
    most: tuple[int, ...]
    """How many of each wager the table can have played since it counted last."""
    second: str = ""
    """Who answers for more than that beside the one who read it, and why it is true."""
    why: str = ""

    @property
    def is_a_jump(self) -> bool:
        """Whether the counter went on by more than the table can have played."""
        return any(one.count > most for one, most in zip(self.wagers, self.most, strict=True))


@declared("reading-taken-back")
class ReadingTakenBack(OfATable):
    """A reading that was wrong: its wagers go back, and the counter is known as it was before."""

    reading: str
    by: str
    second: str
    reason: str
    wagers: tuple[CounterWager, ...]
    """What the reading brought, each with what is known of the counter again."""


@declared("records-passed-over")
class RecordsPassedOver(OfATable):
    """Records of a data logger that were lost, or cannot be counted: what the counter says stands for them."""

    by: str
    second: str
    why: str
    unit: str
    after: int
    """The number of the last record that was taken over."""
    mark: LoggerMark
    """Where the logger goes on."""


@declared("round-voided")
class RoundVoided(OfATable):
    round: str
    by: str
    reason: str
    wagers: tuple[LaidWager, ...]
    second: str
    report: str = ""
    """The number of the report of the malfunction that made it void, where one was named."""


@declared("tabulator-broken")
class TabulatorBroken(OfATable):
    by: str
    reason: str
    report: str = ""
    """The number of the report of a malfunction that it belongs to, where one was named."""


@declared("tabulator-repaired")
class TabulatorRepaired(OfATable):
    by: str
    unit: str
    counters: tuple[int, ...]
    logger: LoggerMark | None = None
    """How far the records of another unit were taken over where it stood before."""


@declared("lights-failed")
class LightsFailed(OfATable):
    by: str
    dark: tuple[Positions, ...]


RoundRecorded = RoundTabulated | CountedByHand
"""By these the wagers of one round are counted."""
Counted = RoundTabulated | CountedByHand | CounterRead
"""By these wagers are recorded."""


READING: Final = "reading "
"""How a reading's name begins; no round's id does."""


def reading_name(id: str) -> str:
    """What a reading is known by where rounds are known by their ids: at its table and on the jackpots.

    >>> reading_name("evening-7")
    'reading evening-7'
    """
    return READING + id


def round_of(happening: Happening) -> str:
    """The id of the round, or the name of the reading, that a happening at a table is about; empty where there is none.

    >>> read = CounterRead("prime-1", "Sam", (), "command-7", ())
    >>> round_of(CountedByHand("prime-1", "r1", "Sam", ())), round_of(read)
    ('r1', 'reading command-7')
    """
    match happening:
        case RoundTabulated(round=id) | CountedByHand(round=id) | RoundVoided(round=id):
            return id
        case CounterRead(reading=id) | ReadingTakenBack(reading=id):
            return reading_name(id)
    return ""
