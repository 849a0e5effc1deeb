"""The events of a jackpot. Amounts are hundredths of a cent unless a name says cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from cardroom.chart_of_accounts import Amount
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
from cardroom.room.payment_references import Payout
from cardroom.room.setup.jackpot import MeterParameters, WaitingChange


@dataclass(frozen=True, slots=True)
class JackpotEvent(DomainEvent):
    """An event on the chain of a jackpot."""

    jackpot: str


# A jackpot goes into and out of service.


@event_type("jackpot-opened")
class JackpotOpened(JackpotEvent):
    setup: JsonObject
    """As ``jackpot_setup_entry`` writes it."""
    seeds: Mapping[str, Amount]
    """By level: the house's seed of a progressive."""
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


# Wagers are counted, and reversed when their round is void.


@event_type("wagers-counted")
class WagersCounted(JackpotEvent):
    table: str
    round: str
    """Or the name of the counter reading that recorded the wagers."""
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
    """The amount that goes back to the cage."""
    who: str
    why: str
    second: str
    wagers: tuple[EqualWagers, ...]
    parameters: Mapping[str, MeterParameters]
    """By level: the parameters by which the round was counted, if the operator has changed them since."""
    remembered: Mapping[str, RememberedVoid]
    """Levels with a claim after the round: the contribution comes off only if the claim is refused."""
    won: tuple[str, ...]
    """Levels on which the contribution has been won since."""


# Prizes are won, verified, paid, or refused.


@dataclass(frozen=True, slots=True)
class PrizesWon(RecordedWin):
    """Prizes of one round on one jackpot."""

    jackpot: str
    game: str
    counted: int
    """The number of the event of the table that counted the round."""
    prizes: tuple[JackpotPrize, ...]
    alone: int
    """The dealer's payout limit per winner and round, in cents."""
    typed_seat: int | None
    """The seat whose hand the dealer typed: then the record contains only what was typed."""
    dealt: str
    """The dealer who counted the round at the table."""
    elsewhere: tuple[OtherJackpotPayment, ...]
    """Amounts paid at once for other jackpots to seats with fixed prizes: they count toward the dealer's limit."""
    automatic: bool
    """Whether an automatic table made the claim, so that two people decide it (BJ-50)."""
    sat: tuple[SeatedPlayer, ...]
    """The players at the winning seats of an automatic table, who are paid to their balances."""


@event_type("prizes-paid")
class PrizesPaid(PrizesWon):
    """Fixed prizes, which the dealer pays at once."""

    cents: int
    claim: str
    """The id of the command that claimed them."""


@event_type("prizes-reversed")
class PrizesReversed(JackpotEvent):
    """Prizes that were paid at once for a wrong hand: they count as never claimed (BJ-47)."""

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
    """By level: the sources of prizes beyond the meter (BJ-8)."""


@event_type("claim-joined")
class ClaimJoined(PrizesWon):
    """A claim of a round with earlier claims: the levels are replayed with it (BJ-26)."""

    claim: str
    order: int
    reason: Reduction
    levels: Mapping[str, LevelJoin]
    claims: tuple[Claim, ...]
    """All claims pending afterward."""
    undeposited: Amount
    funded: Amount
    revalued: tuple[str, ...]
    """The claims whose amount changed."""


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
    """The person who made the claim that reset the level."""

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
    """The amount that leaves the bank account: its checks and transfers, in full."""
    undeposited: Amount
    """The amount that the cage pays for the jackpot; negative for what the house owes for its part of a check."""
    house_cents: int
    payouts: tuple[Payout, ...]
    """One for each winner."""
    second: str = ""
    """The second verifier, required for a claim of an automatic table."""


@event_type("claim-refused")
class ClaimRefused(JackpotEvent):
    claim: str
    seats: tuple[int, ...]
    refused_by: str
    why: str
    reason: Increase
    levels: Mapping[str, LevelRefusal]
    claims: tuple[Claim, ...]
    """All claims pending afterward."""
    undeposited: Amount
    funded: Amount
    second: str = ""
    """The second person who refused it, required for a claim of an automatic table."""

    @property
    def is_whole(self) -> bool:
        """Whether no part of the claim remains."""
        return all(claim.id != self.claim for claim in self.claims)


# The operator changes parameters.


@dataclass(frozen=True, slots=True)
class ParametersChanged(JackpotEvent):
    """A requested change of one level's parameters."""

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
    """A change that takes effect now."""

    claim: str | None
    """The claim that reset the level."""
    waiting: WaitingChange | None
    """The change that still waits."""
    second: str = ""
    """Empty if a claim put into effect a change that two people had entered."""
    given_up: MeterParameters | None = None
    """The waiting parameters, if this change supersedes some of them."""
    waited: WaitingChange | None = None
    """The waiting change that a claim put into effect, with the people who entered it; ``who`` made the claim."""


@event_type("bonus-changed")
class BonusChanged(JackpotEvent):
    game: str
    event: str
    before: JsonObject
    after: JsonObject
    who: str
    why: str
    second: str


# The players' money in the house's custody.


@event_type("adjusted")
class MeterAdjusted(JackpotEvent):
    level: str
    of: str
    """``display``, ``reserve`` or ``overflow``."""
    reason: str
    before: Amount
    amount: Amount
    change: Amount
    """The amount, negative if it leaves the level."""
    overflow: Amount
    seed_owed: Amount
    undeposited: Amount
    funded: Amount
    who: str
    why: str
    second: str
    report: str = ""
    """The number of the report of the corrected malfunction."""


@event_type("deposited")
class JackpotDeposited(JackpotEvent):
    amount: Amount
    escrow_before: Amount
    who: str
    reference: str
    """The number of the deposit slip, which is unique on the chain."""


@event_type("cage-reimbursed")
class CageReimbursed(JackpotEvent):
    """The bank account pays the cage what it is owed: two people sign the transfer."""

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
    """The bank's balance less the ledger's, with everything in transit and outstanding included."""
    who: str
    day: date
    """The date of the statement."""
    ends: int
    """When the statement ends, in microseconds since 1970, UTC."""
    later: tuple[BankMovement, ...]
    """The account's movements since."""
    in_transit: tuple[BankMovement, ...]
    outstanding: tuple[BankMovement, ...]
    cage_advance: Amount
    """The amount that the account owed the cage."""
    why: str = ""
    """Why a statement replaces one of the same day, or reopens a jackpot after a shortage."""
    second: str = ""
    """The second person who signs for that."""


@event_type("jackpot-closed")
class JackpotClosed(JackpotEvent):
    """The bank account has less than the jackpot owes."""

    short: Amount
    who: str
    """The person who entered the statement."""
    second: str = ""


@event_type("jackpot-reopened")
class JackpotReopened(JackpotEvent):
    """A statement, entered by two people, shows that the shortage was made good."""

    who: str
    second: str
