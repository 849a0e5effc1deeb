"""The events of a table's tabulator."""

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
    """An event on the chain of a table's tabulator."""

    table: str


@event_type("tabulator-installed")
class TabulatorInstalled(TabulatorEvent):
    """A table is added, or added again after its removal."""

    who: str
    setup: JsonObject
    layout: tuple[str, ...]
    sensors: JsonObject
    tabulator: Installation


@event_type("tabulator-setup-changed")
class TabulatorSetupChanged(TabulatorInstalled):
    """A table's setup changes: limits, paytables, seats, sensors, the unit, the location, its jackpots."""

    changes: tuple[SetupChange, ...]
    why: str = ""
    second: str = ""
    """The second person, who signs for what a wager costs or pays."""


@event_type("tabulator-removed")
class TabulatorRemoved(TabulatorEvent):
    """A table takes no more wagers; its rounds can still be claimed, and it may be added again."""

    who: str
    why: str


@event_type("round-tabulated")
class RoundTabulated(TabulatorEvent):
    round: str
    dealer: str
    wagers: tuple[TabulatedWager, ...]
    record: LoggerStamp | None = None
    """The data logger's record of the round."""
    automatic: bool = False
    """Whether an automatic table pressed the button: it dealt the cards, and claims the prizes."""
    device: DeviceStamp | None = None
    """The device that reported it over the network."""
    taken_up: int = 0
    """Until when the table is busy with the rounds that devices and people sent; 0 for a live table's own count."""
    accepted: bool = False
    """Whether two people accepted the round, so that it takes no time."""


@event_type("rounds-accepted")
class RoundsAccepted(TabulatorEvent):
    """Two people accept more rounds of a device than the table can have dealt."""

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
    """Whether an automatic table with a tabulator fault counted the round that it dealt."""


@event_type("counter-read")
class CounterRead(TabulatorEvent):
    by: str
    wagers: tuple[CounterWager, ...]
    reading: str
    """The id of the command, which names the reading."""
    most: tuple[int, ...]
    """For each wager, the most that the table can have dealt since its last count."""
    second: str = ""
    """The second person who signs for a higher count, and the reason."""
    why: str = ""

    @property
    def is_implausible(self) -> bool:
        """Whether the counter rose by more than the table can have dealt."""
        return any(wager.count > limit for wager, limit in zip(self.wagers, self.most, strict=True))


@event_type("reading-reversed")
class ReadingReversed(TabulatorEvent):
    """A wrong reading is reversed: its wagers go back, and the counter value before it applies again."""

    reading: str
    by: str
    second: str
    reason: str
    wagers: tuple[CounterWager, ...]
    """The reading's wagers, each with the restored counter value."""


@event_type("records-skipped")
class RecordsSkipped(TabulatorEvent):
    """Records of a data logger that were lost or cannot be counted are skipped: a counter reading replaces them."""

    by: str
    second: str
    why: str
    unit: str
    after: int
    """The number of the last stored record."""
    mark: LoggerMark
    """Where the logger continues."""


@event_type("round-voided")
class RoundVoided(TabulatorEvent):
    round: str
    by: str
    reason: str
    wagers: tuple[PlacedWager, ...]
    second: str
    report: str = ""
    """The number of the malfunction report, if one was named."""


@event_type("tabulator-fault-reported")
class TabulatorFaultReported(TabulatorEvent):
    by: str
    reason: str
    report: str = ""
    """The number of the malfunction report, if one was named."""


@event_type("tabulator-fault-cleared")
class TabulatorFaultCleared(TabulatorEvent):
    by: str
    unit: str
    counters: tuple[int, ...]
    logger: LoggerMark | None = None
    """The last stored record of a replacement unit that was on another table before."""


@event_type("light-failures-reported")
class LightFailuresReported(TabulatorEvent):
    by: str
    dark: tuple[Positions, ...]


RoundRecorded = RoundTabulated | RoundCountedByHand
"""Events that count the wagers of one round."""
WagersRecorded = RoundTabulated | RoundCountedByHand | CounterRead
"""Events that record wagers."""


READING_PREFIX: Final = "reading "
"""The prefix of a reading's name; no round's id has it."""


def reading_key(id: str) -> str:
    """The name of a reading, used in place of a round's id at its table and on the jackpots.

    >>> reading_key("evening-7")
    'reading evening-7'
    """
    return READING_PREFIX + id


def round_of_event(event: DomainEvent) -> str:
    """The id of the round, or the name of the reading, of an event; empty if it has none.

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
