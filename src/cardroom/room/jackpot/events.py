"""What happens to a jackpot. Amounts are hundredths of a cent unless they are called cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from cardroom.accounts import Amount
from cardroom.room.codec import JsonObject
from cardroom.room.event_types import DomainEvent, RecordedWin, event_type
from cardroom.room.jackpot.event_values import (
    BankMovement,
    ChipsOutcome,
    Contribution,
    ContributionReversal,
    Increase,
    LevelJoin,
    LevelRefusal,
    LevelWithdrawal,
    MeterFunding,
    OtherJackpotPayment,
    Reduction,
    RememberedVoid,
    SurveillanceCheck,
)
from cardroom.room.jackpot.pending_claims import Claim, EqualWagers, JackpotPrize, SeatedPlayer
from cardroom.room.payments import Payout
from cardroom.room.setup.jackpot import MeterParameters, WaitingChange


@dataclass(frozen=True, slots=True)
class JackpotEvent(DomainEvent):
    """What happens to a jackpot stands on its own chain."""

    jackpot: str


# A jackpot goes into service and out of it.


@event_type("jackpot-opened")
class JackpotOpened(JackpotEvent):
    setup: JsonObject
    """As ``jackpot_setup_entry`` writes it."""
    seeds: Mapping[str, Amount]
    """By level: what the house puts on a progressive."""
    who: str


@event_type("table-linked")
class TableLinked(JackpotEvent):
    table: str
    who: str


@event_type("table-unlinked")
class TableUnlinked(JackpotEvent):
    table: str
    who: str


@event_type("jackpot-disabled")
class JackpotDisabled(JackpotEvent):
    who: str
    why: str


@event_type("jackpot-enabled")
class JackpotEnabled(JackpotEvent):
    who: str


@event_type("jackpot-removed")
class JackpotRemoved(JackpotEvent):
    who: str
    why: str
    second: str


# Wagers come in, and go back when their round is void.


@event_type("wagers-counted")
class WagersCounted(JackpotEvent):
    table: str
    round: str
    """Or the name of the reading, for wagers that only the counter told of."""
    wagers: tuple[EqualWagers, ...]
    count: int
    amount: Amount
    collected: Amount
    levels: Mapping[str, Contribution]


@event_type("wagers-reversed")
class WagersReversed(JackpotEvent):
    table: str
    round: str
    count: int
    amount: Amount
    levels: Mapping[str, ContributionReversal]
    reason: Reduction
    undeposited: Amount
    """What the cage takes back."""
    who: str
    why: str
    second: str
    wagers: tuple[EqualWagers, ...]
    parameters: Mapping[str, MeterParameters]
    """By level, by what the round was counted, where the operator changed that since."""
    remembered: Mapping[str, RememberedVoid]
    """Levels on which a claim stands behind the round: it comes off if the claim is refused."""
    won: tuple[str, ...]
    """Levels on which what it brought was won since."""


# Prizes are won, verified, paid or refused.


@dataclass(frozen=True, slots=True)
class PrizesWon(RecordedWin):
    """Prizes of one round on one jackpot."""

    jackpot: str
    game: str
    counted: int
    """The number of the event of the table that counted the round."""
    prizes: tuple[JackpotPrize, ...]
    alone: int
    """What the dealer may pay a winner of a round alone, in cents."""
    typed_seat: int | None
    """The seat whose hand the dealer typed: then the record has only what was typed, and the rest is not known."""
    dealt: str
    """Who counted the round at the table, whoever claims it."""
    elsewhere: tuple[OtherJackpotPayment, ...]
    """What was paid at once on other jackpots to seats of fixed prizes: it counts towards the dealer's limit."""
    automatic: bool
    """Whether an automatic table claims it, so that two people decide about it (BJ-50)."""
    sat: tuple[SeatedPlayer, ...]
    """Who sat at the winning seats of an automatic table: to their balances it is paid."""


@event_type("prizes-paid")
class PrizesPaid(PrizesWon):
    """Fixed prizes, which the dealer pays at once."""

    cents: int
    claim: str
    """The id of the command that claimed them."""


@event_type("prizes-reversed")
class PrizesReversed(JackpotEvent):
    """Prizes that were paid at once on a wrong hand: they count as never claimed (BJ-47)."""

    claim: str
    table: str
    round: str
    prizes: tuple[JackpotPrize, ...]
    cents: int
    chips: ChipsOutcome
    who: str
    second: str
    why: str


@event_type("claim-locked")
class ClaimLocked(PrizesWon):
    claim: str
    order: int
    levels: Mapping[str, LevelWithdrawal]
    reason: Reduction
    beyond: Mapping[str, MeterFunding]
    """By level: where that comes from which the prizes take beyond the meter (BJ-8)."""


@event_type("claim-joined")
class ClaimJoined(PrizesWon):
    """A claim of a round of which others were claimed before: the levels are played again with it (BJ-26)."""

    claim: str
    order: int
    reason: Reduction
    levels: Mapping[str, LevelJoin]
    claims: tuple[Claim, ...]
    """All that are pending afterwards."""
    undeposited: Amount
    funded: Amount
    revalued: tuple[str, ...]
    """Those that are of another amount than before."""


@event_type("meter-reset")
class MeterReset(JackpotEvent):
    level: str
    claim: str
    before: Amount
    overflow: Amount
    reserve: Amount
    house: Amount
    reason: Increase
    who: str
    """Who made the claim that reset it."""

    @property
    def funding(self) -> MeterFunding:
        return MeterFunding(self.overflow, self.reserve, self.house)


@event_type("claim-paid")
class ClaimPaid(JackpotEvent):
    claim: str
    order: int
    table: str
    verified_by: str
    surveillance: SurveillanceCheck | None
    levels: Mapping[str, Amount]
    escrow: Amount
    """What leaves the bank account: its checks and transfers, in full."""
    undeposited: Amount
    """What the cage pays for the jackpot; below zero, what the house has to bring for its part of a check."""
    house_cents: int
    payouts: tuple[Payout, ...]
    """One for each winner."""
    second: str = ""
    """Who verified it too, as what an automatic table has claimed needs it."""


@event_type("claim-refused")
class ClaimRefused(JackpotEvent):
    claim: str
    seats: tuple[int, ...]
    refused_by: str
    why: str
    reason: Increase
    levels: Mapping[str, LevelRefusal]
    claims: tuple[Claim, ...]
    """All that are pending afterwards."""
    undeposited: Amount
    funded: Amount
    second: str = ""
    """Who refused it too, where an automatic table had claimed it."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left of the claim."""
        return all(claim.id != self.claim for claim in self.claims)


# What the operator set is changed.


@dataclass(frozen=True, slots=True)
class ParametersChanged(JackpotEvent):
    """What is asked for on one level, and by whom."""

    level: str
    before: MeterParameters
    after: MeterParameters
    who: str
    why: str


@event_type("change-requested")
class ChangeRequested(ParametersChanged):
    """A change that waits for the reset of its level."""

    second: str


@event_type("change-applied")
class ChangeApplied(ParametersChanged):
    """A change that is in force from now on."""

    claim: str | None
    """The claim that reset the level."""
    waiting: WaitingChange | None
    """What goes on waiting."""
    second: str = ""
    """Empty where a claim put into effect what two people had entered."""
    given_up: MeterParameters | None = None
    """What waited, where some of it is given up for this change."""
    waited: WaitingChange | None = None
    """The change that a claim put into effect, with those who had entered it; ``who`` then made the claim."""


@event_type("bonus-changed")
class BonusChanged(JackpotEvent):
    game: str
    event: str
    before: JsonObject
    after: JsonObject
    who: str
    why: str
    second: str


# The players' money in the house's keeping.


@event_type("adjusted")
class MeterAdjusted(JackpotEvent):
    level: str
    of: str
    """``display``, ``reserve`` or ``overflow``."""
    reason: str
    before: Amount
    amount: Amount
    change: Amount
    """The amount, below zero when it leaves the level."""
    overflow: Amount
    seed_owed: Amount
    undeposited: Amount
    funded: Amount
    who: str
    why: str
    second: str
    report: str = ""
    """The number of the report of the malfunction that is corrected."""


@event_type("deposited")
class JackpotDeposited(JackpotEvent):
    amount: Amount
    escrow_before: Amount
    who: str
    reference: str
    """The slip, by which the chain knows it: no other deposit has it."""


@event_type("cage-reimbursed")
class CageReimbursed(JackpotEvent):
    """The bank account pays the cage what it owes it: two people sign the transfer."""

    amount: Amount
    escrow_before: Amount
    who: str
    second: str
    reference: str


@event_type("reconciled")
class JackpotReconciled(JackpotEvent):
    statement: Amount
    owed: Amount
    escrow: Amount
    undeposited: Amount
    difference: Amount
    """What the bank has more than the books had, when everything that is in transit is allowed for."""
    who: str
    day: date
    """The date of the statement."""
    ends: int
    """The moment at which the statement ends, in microseconds since 1970, UTC."""
    later: tuple[BankMovement, ...]
    """What moved on the account since."""
    in_transit: tuple[BankMovement, ...]
    outstanding: tuple[BankMovement, ...]
    cage_advance: Amount
    """What the account owed the cage."""
    why: str = ""
    """Why a statement replaces one of the same day, or a jackpot that was short opens again."""
    second: str = ""
    """Who answers for that too."""


@event_type("jackpot-closed")
class JackpotClosed(JackpotEvent):
    """Its bank account is short of what is owed."""

    short: Amount
    who: str
    """Who entered the statement."""
    second: str = ""


@event_type("jackpot-reopened")
class JackpotReopened(JackpotEvent):
    """A statement shows that the shortage was made good: two people entered it."""

    who: str
    second: str
