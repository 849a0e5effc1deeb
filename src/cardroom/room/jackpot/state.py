"""The state of a jackpot: its meters, its pending claims, and the money that covers them.

States are values: each event makes a new one. They are named tuples because a replay makes one for every round ever
counted, and a named tuple is several times as fast to make as a dataclass.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import NamedTuple

from cardroom.chart_of_accounts import CENT, Amount, Currency
from cardroom.errors import BadInput
from cardroom.games.jurisdiction import Jurisdiction
from cardroom.room.codec import JsonObject
from cardroom.room.jackpot.event_values import LastStatement, LevelBalances
from cardroom.room.jackpot.pending_claims import Claim
from cardroom.room.setup.jackpot import JackpotKind, MeterParameters, WaitingChange, jackpot_setup_from_mapping
from cardroom.room.setup.jackpot_validation import Jackpot, find_jurisdiction, validate_jackpot


class UnknownLevel(BadInput):
    """The jackpot has no such level."""


class Meter(NamedTuple):
    """One level's money in hundredths of a cent, and its part of the wagers."""

    name: str
    parameters: MeterParameters
    display: Amount
    """The amount that a progressive shows and holds, or that a bonus jackpot shows."""
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
    """The total from wagers: display, reserve, and overflow."""
    hits: int = 0
    """Prizes paid."""
    won: Amount = 0

    @property
    def displayed_cents(self) -> int:
        """Whole cents, as displays show them and prizes are reckoned from; the rest stays on the meter."""
        return self.display // CENT

    @property
    def balances(self) -> LevelBalances:
        """The balances of this level."""
        return LevelBalances(self.display, self.reserve, self.overflow, self.pending, self.seed_owed)

    def with_balances(self, balances: LevelBalances) -> Meter:
        """The meter with other amounts."""
        display, reserve, overflow, pending, seed_owed = balances
        return self._replace(display=display, reserve=reserve, overflow=overflow, pending=pending, seed_owed=seed_owed)

    @property
    def owed(self) -> Amount:
        """The amount that this level owes the players."""
        return self.display + self.reserve + self.overflow + self.pending


def with_parameters(meter: Meter, parameters: MeterParameters) -> Meter:
    """The meter with other parameters; its carries stay exact."""
    step, over, carry = _common_carry(parameters.contribution, meter.carry, meter.over)
    taking = meter._replace(parameters=parameters, step=step, over=over, carry=carry)
    step, over, carry = _common_carry(parameters.reserve, meter.reserve_carry, meter.reserve_over)
    return taking._replace(reserve_step=step, reserve_over=over, reserve_carry=carry)


def _common_carry(rate: Fraction, carry: int, over: int) -> tuple[int, int, int]:
    """The rate and the carry over one denominator."""
    carried = Fraction(carry, over)
    common = lcm(rate.denominator, carried.denominator)
    return int(rate * common), common, int(carried * common)


class JackpotState(NamedTuple):
    """A jackpot after its latest event."""

    id: str
    kind: JackpotKind
    setup: JsonObject
    """As ``jackpot_setup_to_mapping`` returns it; the meters have the parameters in force."""
    wagers: tuple[int, ...]
    """The amounts that may be wagered, in cents."""
    collects: bool
    """Whether counted wagers go into the chip tray (BJ-3)."""
    meters: tuple[Meter, ...]
    tables: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    """Pending, in the order in which they were made."""
    claimed: tuple[str, ...] = ()
    """Keys of the latest claimed hands, so that none is claimed twice."""
    order: int = 0
    """The number of claims so far."""
    escrow: Amount = 0
    undeposited: Amount = 0
    counted: int = 0
    wagered: Amount = 0
    disabled: str | None = None
    """Why the jackpot shows as unavailable."""
    short: Amount = 0
    """The shortage of the bank account; the jackpot is closed until it is made good."""
    removed: bool = False
    waiting: tuple[WaitingChange, ...] = ()
    """Changes that wait for the reset of their level."""
    reconciled: LastStatement | None = None
    """The last reconciled bank statement; None before the first."""
    cage_advance: Amount = 0
    """The amount that the bank account owes the cage. While it is above zero, nothing waits for a deposit."""

    @property
    def money(self) -> Currency:
        """The currency of the jackpot."""
        return Currency.PLAY if self.setup.get("money") == Currency.PLAY else Currency.REAL

    @property
    def law(self) -> Jurisdiction:
        """The rules of its jurisdiction."""
        return find_jurisdiction(str(self.setup["jurisdiction"]), self.money)

    @property
    def jackpot(self) -> Jackpot:
        """The validated setup in force; the meters have their own parameters."""
        return validate_jackpot(jackpot_setup_from_mapping(self.setup))

    @property
    def house_pending(self) -> Amount:
        """The pending claims' prizes that are not locked on the levels: the house pays them."""
        return max(sum(claim.cents for claim in self.claims) * CENT - sum(meter.pending for meter in self.meters), 0)

    @property
    def owed(self) -> Amount:
        """The amount that a progressive owes its players: display, reserve, overflow, and pending prizes."""
        return sum(meter.owed for meter in self.meters) if self.kind is JackpotKind.PROGRESSIVE else 0

    @property
    def cover(self) -> Amount:
        """The money that covers it: the bank account plus the undeposited money, less the cage's advance."""
        return self.escrow + self.undeposited - self.cage_advance

    @property
    def bank_balance(self) -> Amount:
        """The amount that the bank account can pay: its ledger balance less a reconciled shortage."""
        return self.escrow - self.short

    def with_cage(self, change: Amount) -> JackpotState:
        """The state after a change of the cage's money for the jackpot. New money repays the cage's advance first."""
        balance = self.undeposited - self.cage_advance + change
        return self._replace(undeposited=max(balance, 0), cage_advance=max(-balance, 0))

    @property
    def unavailability(self) -> str | None:
        """Why the jackpot takes no wagers now; None if it does."""
        return "it was removed" if self.removed else self.closure_reason

    @property
    def closure_reason(self) -> str | None:
        """Why no prize can be claimed now; None if it can. A removed jackpot still pays earlier winners."""
        if self.short:
            return "its bank account has less than it owes the players"
        return self.disabled

    @property
    def surplus(self) -> Amount:
        """The unexplained surplus of the last reconciliation."""
        return self.reconciled.surplus if self.reconciled else 0

    def meter(self, level: str) -> Meter:
        """The meter of a level."""
        for meter in self.meters:
            if meter.name == level:
                return meter
        level_names = ", ".join(meter.name for meter in self.meters) or "none"
        raise UnknownLevel(f"Jackpot {self.id} has no level {level!r}. Its levels: {level_names}.")

    def with_meter(self, changed: Meter) -> JackpotState:
        """The state with one meter replaced."""
        return self._replace(meters=tuple(changed if meter.name == changed.name else meter for meter in self.meters))

    def claim(self, claim: str) -> Claim:
        """A pending claim."""
        pending = {pending_claim.id: pending_claim for pending_claim in self.claims}
        if claim not in pending:
            claim_ids = ", ".join(pending) or "none"
            raise UnknownClaim(f"Jackpot {self.id} has no pending claim {claim!r}. Pending claims: {claim_ids}.")
        return pending[claim]

    def pending_on(self, level: str) -> tuple[Claim, ...]:
        """The pending claims on a level, the oldest first."""
        return tuple(claim for claim in self.claims if claim.part(level) is not None)

    def waiting_change(self, level: str) -> WaitingChange | None:
        """The change that waits for the reset of a level."""
        return next((change for change in self.waiting if change.level == level), None)

    def with_waiting_change(self, level: str, waiting: WaitingChange | None) -> JackpotState:
        """The state with this change, or none, waiting for the reset of a level."""
        other_changes = tuple(change for change in self.waiting if change.level != level)
        return self._replace(waiting=(*other_changes, waiting) if waiting else other_changes)


class UnknownClaim(BadInput):
    """The jackpot has no such pending claim."""


class StateContradiction(BadInput):
    """An event that contradicts the state."""


def require_consistent(condition: bool, fault: str) -> None:
    if not condition:
        raise StateContradiction(f"The ledger is inconsistent: {fault}.")


def withdraw_cover(state: JackpotState, escrow: int, undeposited: int) -> JackpotState:
    """The state after money left the bank account and the cage, which together always cover what is owed."""
    state = state._replace(escrow=state.escrow - escrow).with_cage(-undeposited)
    require_consistent(state.escrow >= 0, "the bank account is overdrawn")
    require_consistent(state.owed == state.cover, "the money does not cover exactly what is owed to the players")
    return state
