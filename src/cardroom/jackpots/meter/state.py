"""Where a jackpot stands: its meters, the prizes that are pending, and the money that covers them.

States are values: each happening makes a new one. They are named tuples rather than dataclasses because a replay makes
one for every round that was ever counted, and a named tuple is made several times as fast.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import NamedTuple

from cardroom.accounts import CENT, Amount, Currency
from cardroom.errors import BadInput
from cardroom.games.jurisdiction import Jurisdiction
from cardroom.jackpots.contents import Held
from cardroom.jackpots.pending import Claim
from cardroom.jackpots.plain import Plain
from cardroom.jackpots.setup.jackpot import JackpotKind, jackpot_setup_from
from cardroom.jackpots.setup.opening import Jackpot, law_of, open_jackpot
from cardroom.jackpots.setup.parameters import Parameters, WaitingChange
from cardroom.jackpots.statements import LastStatement


class UnknownLevel(BadInput):
    """A level that the jackpot does not have."""


class Meter(NamedTuple):
    """One level's money in hundredths of a cent, and what of the wagers it takes."""

    name: str
    parameters: Parameters
    display: Amount
    """What a progressive shows and holds; what a bonus jackpot shows."""
    reserve: Amount = 0
    overflow: Amount = 0
    pending: Amount = 0
    seed_owed: Amount = 0
    step: int = 0
    """The contribution is ``step / over`` of a wager."""
    over: int = 1
    carry: int = 0
    """Contributed, but not yet a whole hundredth of a cent: ``carry / over`` of one."""
    reserve_step: int = 0
    reserve_over: int = 1
    reserve_carry: int = 0
    contributed: Amount = 0
    """All that came in from wagers: display, reserve and overflow."""
    hits: int = 0
    """Prizes paid."""
    won: Amount = 0

    @property
    def shown(self) -> int:
        """Whole cents, as displays show them and prizes are reckoned from; the rest stays on the meter."""
        return self.display // CENT

    @property
    def held(self) -> Held:
        """What this level holds."""
        return Held(self.display, self.reserve, self.overflow, self.pending, self.seed_owed)

    def holding(self, held: Held) -> Meter:
        """The meter with other amounts."""
        display, reserve, overflow, pending, seed_owed = held
        return self._replace(display=display, reserve=reserve, overflow=overflow, pending=pending, seed_owed=seed_owed)

    @property
    def owed(self) -> Amount:
        """What this level owes the players."""
        return self.display + self.reserve + self.overflow + self.pending


def with_parameters(meter: Meter, parameters: Parameters) -> Meter:
    """The meter with other parameters; what is carried stays exactly what it was."""
    step, over, carry = _carried(parameters.contribution, meter.carry, meter.over)
    taking = meter._replace(parameters=parameters, step=step, over=over, carry=carry)
    step, over, carry = _carried(parameters.reserve, meter.reserve_carry, meter.reserve_over)
    return taking._replace(reserve_step=step, reserve_over=over, reserve_carry=carry)


def _carried(rate: Fraction, carry: int, over: int) -> tuple[int, int, int]:
    """The rate and the carry over one denominator."""
    carried = Fraction(carry, over)
    common = lcm(rate.denominator, carried.denominator)
    return int(rate * common), common, int(carried * common)


class JackpotState(NamedTuple):
    """A jackpot between two happenings."""

    id: str
    kind: JackpotKind
    setup: Plain
    """As ``jackpot_setup_entry`` writes it; the meters have the parameters in force."""
    wagers: tuple[int, ...]
    """The amounts that may be wagered, in cents."""
    collects: bool
    """Whether counted wagers go into the chip tray (BJ-3)."""
    meters: tuple[Meter, ...]
    tables: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    """Pending, in the order in which they were made."""
    claimed: tuple[str, ...] = ()
    """The last rounds that were claimed, so that none is claimed twice."""
    order: int = 0
    """How many claims there have been."""
    escrow: Amount = 0
    undeposited: Amount = 0
    counted: int = 0
    wagered: Amount = 0
    disabled: str | None = None
    """Why the jackpot shows as unavailable."""
    short: Amount = 0
    """By how much the bank account fell short; the jackpot is closed until it is made good."""
    removed: bool = False
    waiting: tuple[WaitingChange, ...] = ()
    """Changes that wait for the reset of their level."""
    reconciled: LastStatement | None = None
    """The bank's last statement; None until one was compared with the books."""
    cage_advance: Amount = 0
    """What the bank account owes the cage. While it owes anything, nothing waits for a deposit."""

    @property
    def money(self) -> Currency:
        """What it is played for."""
        return Currency.PLAY if self.setup.get("money") == Currency.PLAY else Currency.REAL

    @property
    def law(self) -> Jurisdiction:
        """What the law asks of it."""
        return law_of(str(self.setup["jurisdiction"]), self.money)

    @property
    def jackpot(self) -> Jackpot:
        """The set-up in force, checked; the meters have their own parameters."""
        return open_jackpot(jackpot_setup_from(self.setup))

    @property
    def house_pending(self) -> Amount:
        """What pending claims win besides what is locked on the levels: the house pays it."""
        return max(sum(claim.cents for claim in self.claims) * CENT - sum(meter.pending for meter in self.meters), 0)

    @property
    def owed(self) -> Amount:
        """What a progressive owes its players: display, reserve, overflow and pending prizes."""
        return sum(meter.owed for meter in self.meters) if self.kind is JackpotKind.PROGRESSIVE else 0

    @property
    def covered(self) -> Amount:
        """What covers it: the bank account, and what the cage has for it, without what the account owes the cage."""
        return self.escrow + self.undeposited - self.cage_advance

    @property
    def in_the_bank(self) -> Amount:
        """What the bank account can pay: its balance by the books, without a shortage that a statement showed."""
        return self.escrow - self.short

    def with_cage(self, change: Amount) -> JackpotState:
        """The cage has more for the jackpot, or less below zero. What comes in repays the cage first."""
        balance = self.undeposited - self.cage_advance + change
        return self._replace(undeposited=max(balance, 0), cage_advance=max(-balance, 0))

    @property
    def unavailable(self) -> str | None:
        """Why the jackpot cannot be wagered on now; None when it can."""
        return "it was removed" if self.removed else self.closed

    @property
    def closed(self) -> str | None:
        """Why nothing can be claimed now; None when it can. A removed jackpot still pays who won before."""
        if self.short:
            return "its bank account is short of what is owed to the players"
        return self.disabled

    @property
    def surplus(self) -> Amount:
        """What the bank had more than the books when they were last held against each other."""
        return self.reconciled.surplus if self.reconciled else 0

    def meter(self, level: str) -> Meter:
        """The meter of a level."""
        for meter in self.meters:
            if meter.name == level:
                return meter
        there = ", ".join(meter.name for meter in self.meters) or "no level at all"
        raise UnknownLevel(f"Jackpot {self.id} has no level {level!r}: it has {there}.")

    def with_meter(self, changed: Meter) -> JackpotState:
        """The state with one meter replaced."""
        return self._replace(meters=tuple(changed if one.name == changed.name else one for one in self.meters))

    def claim(self, claim: str) -> Claim:
        """A pending claim."""
        pending = {one.id: one for one in self.claims}
        if claim not in pending:
            there = ", ".join(pending) or "none"
            raise UnknownClaim(f"Jackpot {self.id} has no pending claim {claim!r}: pending are {there}.")
        return pending[claim]

    def pending_on(self, level: str) -> tuple[Claim, ...]:
        """The claims that are pending on a level, the oldest first."""
        return tuple(one for one in self.claims if one.part(level) is not None)

    def waiting_for(self, level: str) -> WaitingChange | None:
        """The change that waits for the reset of a level."""
        return next((one for one in self.waiting if one.level == level), None)

    def with_waiting(self, level: str, waiting: WaitingChange | None) -> JackpotState:
        """The state with another change, or none, waiting for the reset of a level."""
        others = tuple(one for one in self.waiting if one.level != level)
        return self._replace(waiting=(*others, waiting) if waiting else others)


class UnknownClaim(BadInput):
    """A claim that is not pending."""
