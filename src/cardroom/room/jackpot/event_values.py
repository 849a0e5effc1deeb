"""Values inside the events of jackpots and tabulators: reasons, amounts by level, wagers by sensor, stamps of records.

A progressive's money goes down for five reasons and no others.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from cardroom.chart_of_accounts import Amount
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
    """The reasons for which a progressive goes up."""

    SEED = "seed money"
    WAGERS = "wagers counted"
    RESET = "reset"
    PRIZES = "added for prizes beyond the meter"
    MALFUNCTION = "correction of a malfunction"
    PRIZE_REFUSED = "prize refused"


@array_like
class BankMovement(NamedTuple):
    """Money that entered the bank account (positive) or left it (negative)."""

    name: str
    """The slip, check, or transfer."""
    amount: Amount


class LastStatement(NamedTuple):
    """The last reconciled statement, from which the next one continues."""

    day: date
    ends: int
    """When the statement ends, in microseconds since 1970, UTC."""
    open: tuple[str, ...]
    """Movements that it did not show yet: in transit, or outstanding."""
    earlier_ends: int = 0
    """The same of the previous day's statement, because a day's statement may be entered again."""
    earlier_open: tuple[str, ...] = ()
    surplus: Amount = 0
    """The unexplained amount that the bank had beyond the ledger's balance."""


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
    """The contribution of a round's wagers to one level."""

    before: Amount
    """The amount that the level showed."""
    shown: Amount
    """The part that is displayed; then the part in the reserve, and the part above the ceiling in the overflow."""
    reserved: Amount
    spilt: Amount
    carry: int
    """The carry afterward, of the contribution and of the reserve."""
    reserve_carry: int

    @property
    def total(self) -> Amount:
        return self.shown + self.reserved + self.spilt


@array_like
class ContributionReversal(NamedTuple):
    """The contribution that a void round takes off one level."""

    before: Amount
    shown: Amount
    reserved: Amount
    spilt: Amount


class RememberedVoid(NamedTuple):
    """A void round that a claim remembers on one level."""

    claim: str
    round: VoidRound


def split_by_holder(change: Contribution | ContributionReversal) -> tuple[Amount, Amount, Amount]:
    """The parts of the display, the reserve, and the overflow."""
    return change.shown, change.reserved, change.spilt


class MeterFunding(NamedTuple):
    """The sources of money that a meter lacks, for a reset or for prizes beyond its amount."""

    overflow: Amount
    reserve: Amount
    house: Amount


class ChipsOutcome(StrEnum):
    """What happened to the chips of a prize that was paid for a wrong hand."""

    RETURNED = "returned"
    """The player returned them."""
    LOST = "lost"
    """They are lost, at the expense of the house."""


@array_like
class OtherJackpotPayment(NamedTuple):
    """The amount that a dealer paid a seat at once for other jackpots of the round."""

    seat: int
    cents: int


@array_like
class LevelWithdrawal(NamedTuple):
    """The amount that a claim takes from one level."""

    before: Amount
    taken: Amount


@dataclass(frozen=True, slots=True)
class SurveillanceCheck:
    """The surveillance officer who checked hand, wager, payout, and player, and when."""

    by: str
    at: str
    """In the card room's local time; as typed, until it is checked."""
    time: int | None = None
    """The parsed time; None until it is checked."""


class LevelBalances(NamedTuple):
    """The balances of one level."""

    display: Amount
    reserve: Amount
    overflow: Amount
    pending: Amount
    seed_owed: Amount


class LevelTerms(NamedTuple):
    """The parameters in force on a level, and the change that waits for its reset."""

    parameters: MeterParameters
    waiting: WaitingChange | None


class LevelRefusal(NamedTuple):
    """The effect of a refusal on one level."""

    refused: Amount
    before: LevelBalances
    after: LevelBalances
    parameters: MeterParameters
    waiting: WaitingChange | None
    counting: MeterCounting
    """The state after the refusal."""
    void: tuple[VoidRound, ...]
    """Void rounds whose contributions come off now."""
    replaced: LevelTerms | None
    """The terms before, where others are in force now."""


class LevelJoin(NamedTuple):
    """The effect of a claim that joins others of its round on one level."""

    taken: Amount
    """The amount that this claim takes."""
    late: bool
    """Whether the others were paid before, so that the display stays the same (BJ-27)."""
    before: LevelBalances
    after: LevelBalances
    parameters: MeterParameters
    waiting: WaitingChange | None
    counting: MeterCounting
    replaced: LevelTerms | None
    """The terms before, where others are in force now."""


@array_like
class Stakes(NamedTuple):
    """Wagers of one amount, counted by a sensor."""

    amount: Amount
    number: int


@dataclass(frozen=True, slots=True)
class WagerCount:
    """The count of one wager of a table."""

    wager: str
    jackpot: str | None
    count: int
    stakes: tuple[Stakes, ...]
    """Empty if players choose the amount."""
    collected: bool


@dataclass(frozen=True, slots=True)
class CounterWager(WagerCount):
    """A wager from the tabulator's counter, for rounds in which the dealer did not press the button."""

    counter: int
    """The counter value now."""


@dataclass(frozen=True, slots=True)
class PlacedWager(WagerCount):
    """A wager as placed on the layout in a round."""

    positions: Positions
    lammers: Positions


@dataclass(frozen=True, slots=True)
class TabulatedWager(PlacedWager):
    """A wager as the tabulator recorded it in a round."""

    counter: int
    """The counter value afterward."""

    @property
    def placed_wager(self) -> PlacedWager:
        """The wager without the counter value."""
        return PlacedWager(
            self.wager, self.jackpot, self.count, self.stakes, self.collected, self.positions, self.lammers
        )


class LoggerStamp(NamedTuple):
    """The data logger's record from which a round was forwarded."""

    number: int
    seal: str
    time: int


class LoggerMark(NamedTuple):
    """The last record of a data logger that was forwarded."""

    number: int
    seal: str
    """The digest of that record, which the next record includes; empty if the record was lost."""
    before: str = ""
    """The digest that the next record includes, if the record before it was lost and two people accepted the gap."""


class DeviceStamp(NamedTuple):
    """The device that reported a round, and when by its own clock, which decides nothing."""

    device: str
    time: int | None = None
    """Microseconds since 1970, UTC; None if the device did not send it."""
    dealer: str = ""
    """The dealer's name that the device sent, which is not a signature; empty if it sent none."""


class LoggerGap(NamedTuple):
    """Where a data logger continues after records that were lost or cannot be counted, once two people accept the
    gap."""

    mark: LoggerMark
    counter: int
    """The counter value at that record."""


class Installation(NamedTuple):
    """A tabulator on a table, with its counter value for each wager."""

    table: TabulatedTable
    unit: str
    counters: tuple[int, ...]
    logger: LoggerMark | None = None
    """The last forwarded record of a unit that was on another table before."""


@array_like
class SensorCounter(NamedTuple):
    """The counter value of one sensor."""

    sensor: int
    counter: int


@array_like
class SetupChange(NamedTuple):
    """One changed value of a table's setup."""

    what: str
    before: str
    after: str

    @property
    def text(self) -> str:
        """
        >>> SetupChange("seats", "6", "5").text
        'seats: 6 to 5'
        """
        return f"{self.what}: {self.before} to {self.after}"
