"""Everything that can happen to a jackpot, at a table's tabulator and to a promotion, each kind declared once.

Happenings are the truth: states and ledger entries follow from them alone, so a replay gives the same cents.
Each is stored as its kind, its version and its content in plain values. Amounts are hundredths of a cent unless they
are called cents.

>>> happened = TableJoined("final-four", "prime-1", "Ada")
>>> happened.kind, happened.version, happened.payload
('table-joined', 1, {'jackpot': 'final-four', 'table': 'prime-1', 'who': 'Ada'})
>>> happening_from(happened.kind, happened.version, happened.payload) == happened
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform

from cardroom.accounts import Amount
from cardroom.faults import BadInput, quoted
from cardroom.jackpots.contents import (
    Contribution,
    CounterWager,
    Fill,
    GivenBack,
    Installation,
    LaidWager,
    LevelRefused,
    LoggerStamp,
    Positions,
    Surveillance,
    TabulatedWager,
    TakenOff,
    Wagers,
)
from cardroom.jackpots.layout import record_on_layout
from cardroom.jackpots.pending import Claim, Prize
from cardroom.jackpots.plain import Plain, left_out, read_as, written
from cardroom.jackpots.reasons import Increase, Reduction
from cardroom.jackpots.setup.parameters import Parameters, WaitingChange


class UnknownHappening(BadInput):
    """A kind, or a version of one, that is not declared here."""


class Happening:
    """One thing that happened."""

    __slots__ = ()
    kind: ClassVar[str]
    version: ClassVar[int] = 1

    @property
    def payload(self) -> dict[str, Any]:
        """The content in plain values, as it is stored."""
        content: dict[str, Any] = written(self)
        return content


H = TypeVar("H", bound=Happening)
KINDS: Final[dict[str, type[Happening]]] = {}
"""Every kind that is declared here, by its name."""


@dataclass_transform(frozen_default=True)
def declared(kind: str) -> Callable[[type[H]], type[H]]:
    """Declare what happens under this name."""

    def declare(cls: type[H]) -> type[H]:
        made = dataclass(frozen=True, slots=True)(cls)
        made.kind = kind
        KINDS[kind] = made
        return made

    return declare


def happening_from(kind: str, version: int, payload: object) -> Happening:
    """The happening that was stored so."""
    known = KINDS.get(kind)
    if known is None or known.version != version:
        raise UnknownHappening(f"Version {version} of {quoted(kind)} is not known.")
    return read_as(known, payload)


@dataclass(frozen=True, slots=True)
class OfAJackpot(Happening):
    """What happens to a jackpot stands on its own chain."""

    jackpot: str


# A jackpot goes into service and out of it.


@declared("jackpot-opened")
class JackpotOpened(OfAJackpot):
    setup: Plain
    """As ``jackpot_setup_entry`` writes it."""
    seeds: Mapping[str, Amount]
    """By level: what the house puts on a progressive."""
    who: str


@declared("table-joined")
class TableJoined(OfAJackpot):
    table: str
    who: str


@declared("table-left")
class TableLeft(OfAJackpot):
    table: str
    who: str


@declared("jackpot-disabled")
class JackpotDisabled(OfAJackpot):
    who: str
    why: str


@declared("jackpot-enabled")
class JackpotEnabled(OfAJackpot):
    who: str


@declared("jackpot-removed")
class JackpotRemoved(OfAJackpot):
    who: str
    why: str


# Wagers come in, and go back when their round is void.


@declared("wagers-counted")
class WagersCounted(OfAJackpot):
    table: str
    round: str
    """Empty for wagers that only the counter told of."""
    wagers: tuple[Wagers, ...]
    count: int
    amount: Amount
    collected: Amount
    levels: Mapping[str, Contribution]


@declared("wagers-taken-back")
class WagersTakenBack(OfAJackpot):
    table: str
    round: str
    count: int
    amount: Amount
    levels: Mapping[str, GivenBack]
    reason: Reduction
    undeposited: Amount
    """What leaves the cage and the bank account."""
    escrow: Amount
    who: str
    why: str


# Prizes are won, verified, paid or refused.


@dataclass(frozen=True, slots=True)
class WonInARound(Happening):
    """What was won in a round that is known by its record."""

    table: str
    round: str
    dealer: str
    record: Plain
    layout: tuple[str, ...]
    """The wagers in the order of the layout: what is stored keeps no order of names."""

    @property
    def played(self) -> dict[str, Any]:
        """The record with the wagers of its table in the order of the layout."""
        return record_on_layout(self.record, self.layout)


@dataclass(frozen=True, slots=True)
class PrizesWon(WonInARound):
    """Prizes of one round on one jackpot."""

    jackpot: str
    game: str
    counted: int
    """The number of the event of the table that counted the round."""
    prizes: tuple[Prize, ...]


@declared("prizes-paid")
class PrizesPaid(PrizesWon):
    """Fixed prizes, which the dealer pays at once."""

    cents: int


@declared("claim-locked")
class ClaimLocked(PrizesWon):
    claim: str
    order: int
    levels: Mapping[str, TakenOff]
    reason: Reduction
    beyond: Mapping[str, Fill] = left_out({})
    """By level: where that comes from which the prizes take beyond the meter (BJ-8)."""


@declared("meter-reset")
class MeterReset(OfAJackpot):
    level: str
    claim: str
    before: Amount
    overflow: Amount
    reserve: Amount
    house: Amount
    reason: Increase

    @property
    def fill(self) -> Fill:
        return Fill(self.overflow, self.reserve, self.house)


@declared("claim-paid")
class ClaimPaid(OfAJackpot):
    claim: str
    order: int
    table: str
    verified_by: str
    surveillance: Surveillance | None
    levels: Mapping[str, Amount]
    escrow: Amount
    undeposited: Amount
    house_cents: int


@declared("claim-refused")
class ClaimRefused(OfAJackpot):
    claim: str
    seats: tuple[int, ...]
    refused_by: str
    why: str
    reason: Increase
    levels: Mapping[str, LevelRefused]
    claims: tuple[Claim, ...]
    """All that are pending afterwards."""
    undeposited: Amount
    escrow: Amount
    funded: Amount

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left of the claim."""
        return all(claim.id != self.claim for claim in self.claims)


# What the operator set is changed.


@declared("change-requested")
class ChangeRequested(OfAJackpot):
    """A change that waits for the reset of its level."""

    level: str
    before: Parameters
    after: Parameters
    who: str
    why: str


@declared("change-applied")
class ChangeApplied(ChangeRequested):
    """A change that is in force from now on."""

    claim: str | None
    """The claim that reset the level."""
    waiting: WaitingChange | None
    """What goes on waiting."""


@declared("bonus-changed")
class BonusChanged(OfAJackpot):
    game: str
    event: str
    before: Plain
    after: Plain
    who: str
    why: str


# The players' money in the house's keeping.


@declared("adjusted")
class Adjusted(OfAJackpot):
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
    escrow: Amount
    funded: Amount
    who: str
    why: str


@declared("deposited")
class Deposited(OfAJackpot):
    amount: Amount
    escrow_before: Amount
    who: str
    reference: str


@declared("reconciled")
class Reconciled(OfAJackpot):
    statement: Amount
    owed: Amount
    escrow: Amount
    undeposited: Amount
    difference: Amount
    who: str


@declared("jackpot-closed")
class JackpotClosed(OfAJackpot):
    """Its bank account is short of what is owed."""

    short: Amount


@declared("jackpot-reopened")
class JackpotReopened(OfAJackpot):
    pass


# A table and its tabulator.


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


@declared("tabulator-broken")
class TabulatorBroken(OfATable):
    by: str
    reason: str


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


# Promotions.


@declared("promotion-begun")
class PromotionBegun(Happening):
    promotion: Plain
    """As ``promotion_entry`` writes it."""
    who: str


@declared("promotion-prize-paid")
class PromotionPrizePaid(WonInARound):
    promotion: str
    event: str
    cents: int
    seat: int
    words: str
    when: date


@declared("promotion-ended")
class PromotionEnded(Happening):
    promotion: str
    who: str
    why: str
