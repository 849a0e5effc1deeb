"""What happens at a table and to its tabulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardroom.room.codec import JsonObject
from cardroom.room.event_types import DomainEvent, event_type
from cardroom.room.jackpot.event_values import (
    CounterWager,
    DeviceStamp,
    Installation,
    LoggerMark,
    LoggerStamp,
    PlacedWager,
    Positions,
    SetupChange,
    TabulatedWager,
)


@dataclass(frozen=True, slots=True)
class TabulatorEvent(DomainEvent):
    """What happens at a table stands on its own chain."""

    table: str


@event_type("tabulator-installed")
class TabulatorInstalled(TabulatorEvent):
    """A table is opened, also again after it was closed."""

    who: str
    setup: JsonObject
    layout: tuple[str, ...]
    sensors: JsonObject
    tabulator: Installation


@event_type("tabulator-setup-changed")
class TabulatorSetupChanged(TabulatorInstalled):
    """An open table gets another set-up: limits, paytables, seats, sensors, the unit, the place, its jackpots."""

    changes: tuple[SetupChange, ...]
    why: str = ""


@event_type("tabulator-removed")
class TabulatorRemoved(TabulatorEvent):
    """A table takes no more wagers; its rounds can still be claimed, and it may be opened again."""

    who: str
    why: str


@event_type("round-tabulated")
class RoundTabulated(TabulatorEvent):
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


@event_type("rounds-accepted")
class RoundsAccepted(TabulatorEvent):
    """Two people accept more rounds of a device than the table can have played."""

    device: str
    by: str
    second: str
    why: str
    rounds: int


@event_type("round-counted-by-hand")
class RoundCountedByHand(TabulatorEvent):
    round: str
    by: str
    wagers: tuple[PlacedWager, ...]
    automatic: bool = False
    """Whether an automatic table whose tabulator is broken counted what it had dealt itself."""


@event_type("counter-read")
class CounterRead(TabulatorEvent):
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
    def is_implausible(self) -> bool:
        """Whether the counter went on by more than the table can have played."""
        return any(wager.count > limit for wager, limit in zip(self.wagers, self.most, strict=True))


@event_type("reading-reversed")
class ReadingReversed(TabulatorEvent):
    """A reading that was wrong: its wagers go back, and the counter is known as it was before."""

    reading: str
    by: str
    second: str
    reason: str
    wagers: tuple[CounterWager, ...]
    """What the reading brought, each with what is known of the counter again."""


@event_type("records-skipped")
class RecordsSkipped(TabulatorEvent):
    """Records of a data logger that were lost, or cannot be counted: what the counter says stands for them."""

    by: str
    second: str
    why: str
    unit: str
    after: int
    """The number of the last record that was taken over."""
    mark: LoggerMark
    """Where the logger goes on."""


@event_type("round-voided")
class RoundVoided(TabulatorEvent):
    round: str
    by: str
    reason: str
    wagers: tuple[PlacedWager, ...]
    second: str
    report: str = ""
    """The number of the report of the malfunction that made it void, where one was named."""


@event_type("tabulator-fault-reported")
class TabulatorFaultReported(TabulatorEvent):
    by: str
    reason: str
    report: str = ""
    """The number of the report of a malfunction that it belongs to, where one was named."""


@event_type("tabulator-fault-cleared")
class TabulatorFaultCleared(TabulatorEvent):
    by: str
    unit: str
    counters: tuple[int, ...]
    logger: LoggerMark | None = None
    """How far the records of another unit were taken over where it stood before."""


@event_type("light-failures-reported")
class LightFailuresReported(TabulatorEvent):
    by: str
    dark: tuple[Positions, ...]


RoundRecorded = RoundTabulated | RoundCountedByHand
"""By these the wagers of one round are counted."""
WagersRecorded = RoundTabulated | RoundCountedByHand | CounterRead
"""By these wagers are recorded."""


READING_PREFIX: Final = "reading "
"""How a reading's name begins; no round's id does."""


def reading_key(id: str) -> str:
    """What a reading is known by where rounds are known by their ids: at its table and on the jackpots.

    >>> reading_key("evening-7")
    'reading evening-7'
    """
    return READING_PREFIX + id


def round_of_event(event: DomainEvent) -> str:
    """The id of the round, or the name of the reading, that a happening at a table is about; empty where there is none.

    >>> read = CounterRead("prime-1", "Sam", (), "command-7", ())
    >>> round_of_event(RoundCountedByHand("prime-1", "r1", "Sam", ())), round_of_event(read)
    ('r1', 'reading command-7')
    """
    match event:
        case RoundTabulated(round=id) | RoundCountedByHand(round=id) | RoundVoided(round=id):
            return id
        case CounterRead(reading=id) | ReadingReversed(reading=id):
            return reading_key(id)
    return ""
