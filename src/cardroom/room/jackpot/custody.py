"""The players' money in the house's keeping: seed, corrections, the five reductions, deposits.

While a prize is pending on a level nobody touches that level's money (BJ-14). Amounts are whole cents.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from cardroom.accounts import CENT, Amount, Currency
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.room.amount_text import format_amount
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import Increase, Reduction
from cardroom.room.jackpot.events import CageReimbursed, JackpotDeposited, MeterAdjusted
from cardroom.room.jackpot.meter_arithmetic import room_below_ceiling
from cardroom.room.jackpot.state import JackpotState, Meter
from cardroom.room.payments import require_reference
from cardroom.room.setup.jackpot import JackpotKind


class BadAdjustment(BadInput):
    """A change of the players' money that is not allowed."""


class Responsibility(TypedDict):
    """What stands behind every adjustment: two people and a reason."""

    who: str
    second: str
    why: str


def correct_malfunction(
    state: JackpotState, level: str, cents: int, *, report: str, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """Correct what a malfunction put on the meter: up, above zero, or down, below zero. ``report`` is the number of
    the malfunction's report."""
    meter, number = require_free_meter(state, level), require_text(report, "number of the malfunction's report")
    if cents > 0:
        _refuse_above_ceiling(meter, cents)
        return _make_adjustment(state, meter, Increase.MALFUNCTION, cents, responsibility, funded=True, report=number)
    _refuse_more_than(-cents, meter.display, f"level {level} shows")
    return _make_adjustment(state, meter, Reduction.MALFUNCTION, cents, responsibility, report=number)


def add_seed(
    state: JackpotState, level: str, cents: int, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """The house puts more of its own money on the meter, to be recovered later."""
    meter = require_free_meter(state, level)
    if cents <= 0:
        raise BadAdjustment(f"{format_cents(cents)} is no seed: give an amount above zero.")
    _refuse_above_ceiling(meter, cents)
    return _make_adjustment(state, meter, Increase.SEED, cents, responsibility, seed=True, funded=True)


def recover_seed(
    state: JackpotState, level: str, cents: int, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """The house takes back seed money, as far as the meter has grown above the value of a reset (BJ-17)."""
    meter = require_free_meter(state, level)
    _refuse_more_than(cents, meter.seed_owed, f"level {level} owes the house")
    _refuse_more_than(cents, meter.display - meter.parameters.seed, f"level {level} is above its reset value by")
    return _make_adjustment(state, meter, Reduction.SEED_RECOVERED, -cents, responsibility, seed=True)


def lower_to_ceiling(
    state: JackpotState, level: str, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """What is displayed above the ceiling goes into the overflow, where it stays the players'."""
    meter = require_free_meter(state, level)
    ceiling = meter.parameters.ceiling
    if ceiling is None or meter.display <= ceiling:
        raise BadAdjustment(f"Level {level} shows {format_cents(meter.displayed_cents)}, which is not above a cap.")
    above = -(-(meter.display - ceiling) // CENT)
    return _make_adjustment(state, meter, Reduction.ABOVE_THE_CAP, -above, responsibility, overflow=True)


def remove_undisplayed(
    state: JackpotState, level: str, holder: str, cents: int, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """Money that is not displayed leaves the ``reserve`` or the ``overflow`` and is booked as gross receipts."""
    meter = require_free_meter(state, level)
    if holder not in ("reserve", "overflow"):
        raise BadAdjustment(f"Money not displayed is in the reserve or in the overflow, not in {holder!r}.")
    _refuse_more_than(cents, getattr(meter, holder), f"the {holder} of level {level} is")
    return _make_adjustment(state, meter, Reduction.NOT_DISPLAYED, -cents, responsibility, holder=holder)


def require_free_meter(state: JackpotState, level: str) -> Meter:
    if state.kind is JackpotKind.BONUS:
        raise BadAdjustment(f"Jackpot {state.id} is a bonus jackpot: it holds no money of the players.")
    meter = state.meter(level)
    pending = state.pending_on(level)
    if pending:
        raise BadAdjustment(f"Claim {pending[0].id} is pending on level {level}: decide it before its money is moved.")
    return meter


def _refuse_above_ceiling(meter: Meter, cents: int) -> None:
    """Nobody puts more on a meter than its ceiling lets it show."""
    headroom = room_below_ceiling(meter)
    if headroom is not None:
        _refuse_more_than(cents, headroom, f"the ceiling of level {meter.name} leaves")


def _refuse_more_than(cents: int, limit: Amount, item: str) -> None:
    if not 0 < cents * CENT <= limit:
        limit_text = format_cents(max(limit, 0) // CENT)
        raise BadAdjustment(f"{format_cents(cents)} is not possible: {item} {limit_text}, and it must be above zero.")


def _make_adjustment(
    state: JackpotState,
    meter: Meter,
    reason: Reduction | Increase,
    cents: int,
    responsibility: Responsibility,
    *,
    holder: str = "display",
    overflow: bool = False,
    seed: bool = False,
    funded: bool = False,
    report: str = "",
) -> tuple[DomainEvent, ...]:
    if cents == 0:
        raise BadAdjustment("An adjustment of nothing is none.")
    who, second = require_two_people(responsibility["who"], responsibility["second"], "an adjustment")
    change = cents * CENT
    adjusted = MeterAdjusted(
        jackpot=state.id,
        level=meter.name,
        of=holder,
        reason=str(reason),
        before=getattr(meter, holder),
        amount=abs(change),
        change=change,
        overflow=-change if overflow else 0,
        seed_owed=change if seed else 0,
        undeposited=0 if overflow or funded else -change,
        funded=change if funded else 0,
        who=who,
        why=require_text(responsibility["why"], "reason"),
        second=second,
        report=report,
    )
    return (adjusted,)


def deposit_money(state: JackpotState, cents: int, *, who: str, reference: str) -> tuple[DomainEvent, ...]:
    """The cage takes money to the jackpot's bank account; ``reference`` is the bank's slip."""
    if state.money is Currency.PLAY:
        raise BadAdjustment(f"Jackpot {state.id} is of play money: there is no bank to take it to.")
    _refuse_more_than(cents, deposit_limit(state), "the cage still has to deposit")
    deposited = JackpotDeposited(
        jackpot=state.id,
        amount=cents * CENT,
        escrow_before=state.escrow,
        who=require_text(who, "name of the depositor"),
        reference=require_reference(reference, "deposit slip"),
    )
    return (deposited,)


def deposit_limit(state: JackpotState) -> Amount:
    """What may go to the bank: what waits for it, and the house's part of checks for pending prizes, so that one check
    can cover all of a prize. What goes there beyond what waits, the account owes the cage, and it is used up."""
    return max(state.undeposited - state.cage_advance + _house_share_of_pending(state), 0)


def _house_share_of_pending(state: JackpotState) -> Amount:
    """Fixed prizes of seats that also win from a level: only for those a check on the account pays the house's part.
    A player of an automatic table is paid to the balance."""
    if state.kind is not JackpotKind.PROGRESSIVE:
        return 0
    cents = 0
    for claim in state.claims:
        by_check = {prize.seat for prize in claim.prizes if prize.level is not None and prize.cents}
        by_check -= {seat for seat, _ in claim.sat}
        cents += sum(prize.cents for prize in claim.prizes if prize.level is None and prize.seat in by_check)
    return cents * CENT


def reimburse_cage(
    state: JackpotState, cents: int, *, who: str, second: str | None, reference: str
) -> tuple[DomainEvent, ...]:
    """The bank account pays the cage what it owes it for cash prizes and money given back; ``reference`` is the number
    of the transfer."""
    signer, second_name = require_two_people(who, second, "money that leaves the bank account")
    if state.cage_advance < CENT:
        raise BadAdjustment(f"The bank account of {state.id} owes the cage nothing: there is nothing to pay back.")
    _refuse_more_than(cents, state.cage_advance, f"the bank account of {state.id} owes the cage")
    short = f", which is {format_amount(state.short)} short," if state.short else ""
    _refuse_more_than(cents, state.bank_balance, f"the bank account of {state.id}{short} has")
    reimbursed = CageReimbursed(
        jackpot=state.id,
        amount=cents * CENT,
        escrow_before=state.escrow,
        who=signer,
        second=second_name,
        reference=require_reference(reference, "transfer"),
    )
    return (reimbursed,)
