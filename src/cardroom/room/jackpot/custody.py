"""The players' money in the house's custody: seed, corrections, the five reductions, deposits.

While a prize is pending on a level, that level's money does not move (BJ-14). Amounts are whole cents.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from cardroom.chart_of_accounts import CENT, Amount, Currency
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.room.amount_text import format_amount
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import Increase, Reduction
from cardroom.room.jackpot.events import CageReimbursed, JackpotDeposited, MeterAdjusted
from cardroom.room.jackpot.meter_arithmetic import room_below_ceiling
from cardroom.room.jackpot.state import JackpotState, Meter
from cardroom.room.payment_references import require_reference
from cardroom.room.setup.jackpot import JackpotKind


class BadAdjustment(BadInput):
    """A change of the players' money that the rules do not allow."""


class Responsibility(TypedDict):
    """Every adjustment names two people and a reason."""

    who: str
    second: str
    why: str


def correct_malfunction(
    state: JackpotState, level: str, cents: int, *, report: str, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """Correct a meter after a malfunction: up with positive cents, down with negative ones. ``report`` is the number
    of the malfunction report."""
    meter, number = require_free_meter(state, level), require_text(report, "number of the malfunction's report")
    if cents > 0:
        _refuse_above_ceiling(meter, cents)
        return _make_adjustment(state, meter, Increase.MALFUNCTION, cents, responsibility, funded=True, report=number)
    _refuse_more_than(-cents, meter.display, f"level {level} shows")
    return _make_adjustment(state, meter, Reduction.MALFUNCTION, cents, responsibility, report=number)


def add_seed(
    state: JackpotState, level: str, cents: int, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """Add house money to the meter, which the house may recover later."""
    meter = require_free_meter(state, level)
    if cents <= 0:
        raise BadAdjustment(f"{format_cents(cents)} is not a seed: enter an amount above zero.")
    _refuse_above_ceiling(meter, cents)
    return _make_adjustment(state, meter, Increase.SEED, cents, responsibility, seed=True, funded=True)


def recover_seed(
    state: JackpotState, level: str, cents: int, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """Recover seed money for the house, as far as the meter is above its reset value (BJ-17)."""
    meter = require_free_meter(state, level)
    _refuse_more_than(cents, meter.seed_owed, f"level {level} owes the house")
    _refuse_more_than(cents, meter.display - meter.parameters.seed, f"level {level} is above its reset value by")
    return _make_adjustment(state, meter, Reduction.SEED_RECOVERED, -cents, responsibility, seed=True)


def lower_to_ceiling(
    state: JackpotState, level: str, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """Move the displayed amount above the ceiling into the overflow, where it still belongs to the players."""
    meter = require_free_meter(state, level)
    ceiling = meter.parameters.ceiling
    if ceiling is None or meter.display <= ceiling:
        raise BadAdjustment(f"Level {level} shows {format_cents(meter.displayed_cents)}, which is not above a ceiling.")
    above = -(-(meter.display - ceiling) // CENT)
    return _make_adjustment(state, meter, Reduction.ABOVE_THE_CAP, -above, responsibility, overflow=True)


def remove_undisplayed(
    state: JackpotState, level: str, holder: str, cents: int, **responsibility: Unpack[Responsibility]
) -> tuple[DomainEvent, ...]:
    """Take money that is not displayed out of the ``reserve`` or the ``overflow``, and post it as gross receipts."""
    meter = require_free_meter(state, level)
    if holder not in ("reserve", "overflow"):
        raise BadAdjustment(f"Choose the reserve or the overflow, which are not displayed, instead of {holder!r}.")
    _refuse_more_than(cents, getattr(meter, holder), f"the {holder} of level {level} is")
    return _make_adjustment(state, meter, Reduction.NOT_DISPLAYED, -cents, responsibility, holder=holder)


def require_free_meter(state: JackpotState, level: str) -> Meter:
    if state.kind is JackpotKind.BONUS:
        raise BadAdjustment(f"Jackpot {state.id} is a bonus jackpot: it holds no players' money.")
    meter = state.meter(level)
    pending = state.pending_on(level)
    if pending:
        raise BadAdjustment(f"Claim {pending[0].id} is pending on level {level}: pay or refuse the claim first.")
    return meter


def _refuse_above_ceiling(meter: Meter, cents: int) -> None:
    """Refuse an amount that would raise the meter above its ceiling."""
    headroom = room_below_ceiling(meter)
    if headroom is not None:
        _refuse_more_than(cents, headroom, f"below its ceiling, level {meter.name} has room for")


def _refuse_more_than(cents: int, limit: Amount, item: str) -> None:
    if not 0 < cents * CENT <= limit:
        limit_text = format_cents(max(limit, 0) // CENT)
        raise BadAdjustment(
            f"{format_cents(cents)} is not possible: {item} {limit_text}. Enter an amount above zero up to that limit."
        )


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
        raise BadAdjustment("Enter an adjustment above or below zero.")
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
    """Deposit money from the cage into the jackpot's bank account; ``reference`` is the number of the deposit slip."""
    if state.money is Currency.PLAY:
        raise BadAdjustment(f"Jackpot {state.id} is for play money: it has no bank account.")
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
    """The most that may be deposited: the undeposited money, and the house's part of checks for pending prizes, so
    that one check can cover a whole prize. The account owes the cage what is deposited beyond the undeposited money."""
    return max(state.undeposited - state.cage_advance + _house_share_of_pending(state), 0)


def _house_share_of_pending(state: JackpotState) -> Amount:
    """The fixed prizes of seats that also win from a level: only their checks on the account include a house part. A
    player at an automatic table is paid to the player account."""
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
    """Pay the cage from the bank account what it is owed for cash prizes and refunds; ``reference`` is the number of
    the transfer."""
    signer, second_name = require_two_people(who, second, "money that leaves the bank account")
    if state.cage_advance < CENT:
        raise BadAdjustment(f"The bank account of {state.id} owes the cage nothing.")
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
