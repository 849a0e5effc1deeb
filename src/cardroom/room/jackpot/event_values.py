"""Why a jackpot's money changes. What the players paid in goes down for five reasons and no others.

Movements of a jackpot's bank account, and the last statement that was held against the books.

The parts of what happens: amounts by level, wagers by sensor, who looked at what.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from cardroom.accounts import Amount
from cardroom.room.codec import array_like
from cardroom.room.jackpot.pending_claims import MeterCounting, VoidRound
from cardroom.room.setup.jackpot import MeterParameters, WaitingChange
from cardroom.room.setup.tabulator import TabulatedTable


class Reduction(StrEnum):
    """The five reasons for which a progressive may be reduced (WAC 230-15-685 and -695)."""

    PRIZE_WON = "prize won"
    MALFUNCTION = "correction of a malfunction"
    ABOVE_THE_CAP = "display above the cap"
    NOT_DISPLAYED = "removal of money not displayed, booked as gross receipts"
    SEED_RECOVERED = "recovery of seed money"


class Increase(StrEnum):
    """Why a progressive goes up."""

    SEED = "seed money"
    WAGERS = "wagers counted"
    RESET = "reset"
    PRIZES = "added for prizes beyond the meter"
    MALFUNCTION = "correction of a malfunction"
    PRIZE_REFUSED = "prize refused"


@array_like
class BankMovement(NamedTuple):
    """Money that came into the account, above zero, or left it."""

    name: str
    """The slip, check or transfer."""
    amount: Amount


class LastStatement(NamedTuple):
    """What the next statement goes on from."""

    day: date
    ends: int
    """The moment at which the statement ends, in microseconds since 1970, UTC."""
    open: tuple[str, ...]
    """What it did not have yet: in transit, or outstanding."""
    earlier_ends: int = 0
    """The same of the statement of the day before it: one day's statement may be entered again."""
    earlier_open: tuple[str, ...] = ()
    surplus: Amount = 0
    """By how much the bank had more than the books: somebody finds out whose it is."""


def total_movements(movements: tuple[BankMovement, ...]) -> Amount:
    """
    >>> total_movements((BankMovement("slip 4471", 500), BankMovement("check 1077", -200)))
    300
    """
    return sum(movement.amount for movement in movements)


Positions = tuple[int, ...]
"""Player positions, counted from 1 at the dealer's left (sheet 000, rule 17)."""


@array_like
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


@array_like
class ContributionReversal(NamedTuple):
    """What a void round takes off one level again."""

    before: Amount
    shown: Amount
    reserved: Amount
    spilt: Amount


class RememberedVoid(NamedTuple):
    """A void round that a claim remembers on one level."""

    claim: str
    round: VoidRound


def split_by_holder(change: Contribution | ContributionReversal) -> tuple[Amount, Amount, Amount]:
    """What comes into, or leaves, the display, the reserve and the overflow."""
    return change.shown, change.reserved, change.spilt


class MeterFunding(NamedTuple):
    """Where money comes from that a meter lacks: for a reset, or for prizes beyond what it showed."""

    overflow: Amount
    reserve: Amount
    house: Amount


class ChipsOutcome(StrEnum):
    """What became of the chips of a prize that was paid on a wrong hand."""

    RETURNED = "returned"
    """The player gave them back."""
    LOST = "lost"
    """They are gone: the house bears it."""


@array_like
class OtherJackpotPayment(NamedTuple):
    """What a dealer has paid a seat at once on other jackpots of the round."""

    seat: int
    cents: int


@array_like
class LevelWithdrawal(NamedTuple):
    """What a claim takes off one level."""

    before: Amount
    taken: Amount


@dataclass(frozen=True, slots=True)
class SurveillanceCheck:
    """Who of the surveillance checked hand, wager, payout and player, and when."""

    by: str
    at: str
    """As the room's clocks showed it; as it was typed, until it is checked."""
    time: int | None = None
    """The moment; None until what was typed is checked."""


class LevelBalances(NamedTuple):
    """What one level holds."""

    display: Amount
    reserve: Amount
    overflow: Amount
    pending: Amount
    seed_owed: Amount


class LevelTerms(NamedTuple):
    """What is in force on a level, and what waits for its reset."""

    parameters: MeterParameters
    waiting: WaitingChange | None


class LevelRefusal(NamedTuple):
    """What a refusal does to one level."""

    refused: Amount
    before: LevelBalances
    after: LevelBalances
    parameters: MeterParameters
    waiting: WaitingChange | None
    counting: MeterCounting
    """Afterwards."""
    void: tuple[VoidRound, ...]
    """Void rounds that come off now."""
    replaced: LevelTerms | None
    """The terms before, where others are in force now."""


class LevelJoin(NamedTuple):
    """What a claim that joins others of its round does to one level."""

    taken: Amount
    """What the claim itself takes."""
    late: bool
    """Whether the others were paid before, so that the display is left alone (BJ-27)."""
    before: LevelBalances
    after: LevelBalances
    parameters: MeterParameters
    waiting: WaitingChange | None
    counting: MeterCounting
    replaced: LevelTerms | None
    """The terms before, where others are in force now."""


@array_like
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
class PlacedWager(WagerCount):
    """A wager as it lay on the layout in a round."""

    positions: Positions
    lammers: Positions


@dataclass(frozen=True, slots=True)
class TabulatedWager(PlacedWager):
    """A wager as the tabulator recorded it in a round."""

    counter: int
    """What the counter shows afterwards."""

    @property
    def placed_wager(self) -> PlacedWager:
        """Where it lay, without what the counter showed."""
        return PlacedWager(
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


@array_like
class SensorCounter(NamedTuple):
    """What a unit's counter shows for one sensor."""

    sensor: int
    counter: int


@array_like
class SetupChange(NamedTuple):
    """One thing in a table's set-up that is another from now on."""

    what: str
    before: str
    after: str
