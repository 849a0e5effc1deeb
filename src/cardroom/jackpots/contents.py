"""The parts of what happens: amounts by level, wagers by sensor, who looked at what."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from cardroom.accounts import Amount
from cardroom.jackpots.pending import Counting, VoidRound
from cardroom.jackpots.plain import in_a_row
from cardroom.jackpots.setup.parameters import Parameters, WaitingChange
from cardroom.jackpots.setup.tabulator import TabulatedTable

Positions = tuple[int, ...]
"""Player positions, counted from 1 at the dealer's left (sheet 000, rule 17)."""


@in_a_row
class Contribution(NamedTuple):
    """What the wagers of a round bring one level."""

    before: Amount
    """What the level showed."""
    shown: Amount
    """What goes on display, into the reserve, and above the ceiling into the overflow."""
    reserved: Amount
    spilt: Amount
    carry: int
    """What is carried afterwards, of the contribution and of the reserve."""
    reserve_carry: int

    @property
    def total(self) -> Amount:
        return self.shown + self.reserved + self.spilt


@in_a_row
class GivenBack(NamedTuple):
    """What a void round takes off one level again."""

    before: Amount
    shown: Amount
    reserved: Amount
    spilt: Amount


class RememberedVoid(NamedTuple):
    """A void round that a claim remembers on one level."""

    claim: str
    round: VoidRound


def by_holder(moved: Contribution | GivenBack) -> tuple[Amount, Amount, Amount]:
    """What comes into, or leaves, the display, the reserve and the overflow."""
    return moved.shown, moved.reserved, moved.spilt


class Fill(NamedTuple):
    """Where money comes from that a meter lacks: for a reset, or for prizes beyond what it showed."""

    overflow: Amount
    reserve: Amount
    house: Amount


class Chips(StrEnum):
    """What became of the chips of a prize that was paid on a wrong hand."""

    RETURNED = "returned"
    """The player gave them back."""
    LOST = "lost"
    """They are gone: the house bears it."""


@in_a_row
class PaidElsewhere(NamedTuple):
    """What a dealer has paid a seat at once on other jackpots of the round."""

    seat: int
    cents: int


@in_a_row
class TakenOff(NamedTuple):
    """What a claim takes off one level."""

    before: Amount
    taken: Amount


@dataclass(frozen=True, slots=True)
class Surveillance:
    """Who of the surveillance checked hand, wager, payout and player, and when."""

    by: str
    at: str
    """As the room's clocks showed it; as it was typed, until it is checked."""
    time: int | None = None
    """The moment; None until what was typed is checked."""


class Held(NamedTuple):
    """What one level holds."""

    display: Amount
    reserve: Amount
    overflow: Amount
    pending: Amount
    seed_owed: Amount


class Terms(NamedTuple):
    """What is in force on a level, and what waits for its reset."""

    parameters: Parameters
    waiting: WaitingChange | None


class LevelRefused(NamedTuple):
    """What a refusal does to one level."""

    refused: Amount
    before: Held
    after: Held
    parameters: Parameters
    waiting: WaitingChange | None
    counting: Counting
    """Afterwards."""
    void: tuple[VoidRound, ...]
    """Void rounds that come off now."""
    replaced: Terms | None
    """The terms before, where others are in force now."""


class LevelJoined(NamedTuple):
    """What a claim that joins others of its round does to one level."""

    taken: Amount
    """What the claim itself takes."""
    late: bool
    """Whether the others were paid before, so that the display is left alone (BJ-27)."""
    before: Held
    after: Held
    parameters: Parameters
    waiting: WaitingChange | None
    counting: Counting
    replaced: Terms | None
    """The terms before, where others are in force now."""


@in_a_row
class Stakes(NamedTuple):
    """Wagers of one amount, as a sensor counts them."""

    amount: Amount
    number: int


@dataclass(frozen=True, slots=True)
class WagerCount:
    """How many of one wager of a table there were."""

    wager: str
    jackpot: str | None
    count: int
    stakes: tuple[Stakes, ...]
    """None where players choose the amount."""
    collected: bool


@dataclass(frozen=True, slots=True)
class CounterWager(WagerCount):
    """A wager as the tabulator's counter tells of it, when nobody pressed the button."""

    counter: int
    """What the counter shows now."""


@dataclass(frozen=True, slots=True)
class LaidWager(WagerCount):
    """A wager as it lay on the layout in a round."""

    positions: Positions
    lammers: Positions


@dataclass(frozen=True, slots=True)
class TabulatedWager(LaidWager):
    """A wager as the tabulator recorded it in a round."""

    counter: int
    """What the counter shows afterwards."""

    @property
    def laid(self) -> LaidWager:
        """Where it lay, without what the counter showed."""
        return LaidWager(
            self.wager, self.jackpot, self.count, self.stakes, self.collected, self.positions, self.lammers
        )


class LoggerStamp(NamedTuple):
    """Which record of a data logger a round was taken over from."""

    number: int
    seal: str
    time: int


class LoggerMark(NamedTuple):
    """How far the records of a data logger have been taken over."""

    number: int
    seal: str
    """The seal of the record with that number, which the next one is sealed on; empty where that record was lost."""
    before: str = ""
    """The seal of the next record, where the one before it was lost and two people have accepted that."""


class DeviceStamp(NamedTuple):
    """Which device told of a round, and when by its own clock, which decides nothing."""

    device: str
    time: int | None = None
    """Microseconds since 1970, UTC; None where it did not say."""
    dealer: str = ""
    """The name that the device gave, which is no person's act; empty where it gave none."""


class LoggerGap(NamedTuple):
    """Where a data logger goes on behind records that were lost or cannot be counted, once two people accept that."""

    mark: LoggerMark
    counter: int
    """What the counter showed there."""


class Installation(NamedTuple):
    """A tabulator on a table, with what its counter shows for each wager."""

    table: TabulatedTable
    unit: str
    counters: tuple[int, ...]
    logger: LoggerMark | None = None
    """How far the records of a unit that stood elsewhere before were taken over there."""


@in_a_row
class SensorCounter(NamedTuple):
    """What a unit's counter shows for one sensor."""

    sensor: int
    counter: int


@in_a_row
class SetUpChange(NamedTuple):
    """One thing in a table's set-up that is another from now on."""

    what: str
    before: str
    after: str
