"""The players' money in the house's keeping: seed, corrections, the five reductions, deposits.

While a prize is pending on a level nobody touches that level's money (BJ-14). Amounts are whole cents.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from cardroom.accounts import CENT, Amount, Currency
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.jackpots.amounts import books
from cardroom.jackpots.happenings import Adjusted, CageReimbursed, Deposited, Happening
from cardroom.jackpots.meter.arithmetic import room
from cardroom.jackpots.meter.state import JackpotState, Meter
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.reasons import Increase, Reduction
from cardroom.jackpots.references import reference_told
from cardroom.jackpots.setup.jackpot import JackpotKind


class BadAdjustment(BadInput):
    """A change of the players' money that is not allowed."""


class AnsweredFor(TypedDict):
    """What stands behind every adjustment: two people and a reason."""

    who: str
    second: str
    why: str


def correct_malfunction(
    state: JackpotState, level: str, cents: int, *, report: str, **by: Unpack[AnsweredFor]
) -> tuple[Happening, ...]:
    """Correct what a malfunction put on the meter: up, above zero, or down, below zero. ``report`` is the number of
    the malfunction's report."""
    meter, number = free_meter(state, level), named(report, "number of the malfunction's report")
    if cents > 0:
        _refuse_above_the_ceiling(meter, cents)
        return _adjusted(state, meter, Increase.MALFUNCTION, cents, by, funded=True, report=number)
    _refuse_more_than(-cents, meter.display, f"level {level} shows")
    return _adjusted(state, meter, Reduction.MALFUNCTION, cents, by, report=number)


def add_seed(state: JackpotState, level: str, cents: int, **by: Unpack[AnsweredFor]) -> tuple[Happening, ...]:
    """The house puts more of its own money on the meter, to be recovered later."""
    meter = free_meter(state, level)
    if cents <= 0:
        raise BadAdjustment(f"{format_cents(cents)} is no seed: give an amount above zero.")
    _refuse_above_the_ceiling(meter, cents)
    return _adjusted(state, meter, Increase.SEED, cents, by, seed=True, funded=True)


def recover_seed(state: JackpotState, level: str, cents: int, **by: Unpack[AnsweredFor]) -> tuple[Happening, ...]:
    """The house takes back seed money, as far as the meter has grown above the value of a reset (BJ-17)."""
    meter = free_meter(state, level)
    _refuse_more_than(cents, meter.seed_owed, f"level {level} owes the house")
    _refuse_more_than(cents, meter.display - meter.parameters.seed, f"level {level} is above its reset value by")
    return _adjusted(state, meter, Reduction.SEED_RECOVERED, -cents, by, seed=True)


def lower_to_the_cap(state: JackpotState, level: str, **by: Unpack[AnsweredFor]) -> tuple[Happening, ...]:
    """What is displayed above the ceiling goes into the overflow, where it stays the players'."""
    meter = free_meter(state, level)
    ceiling = meter.parameters.ceiling
    if ceiling is None or meter.display <= ceiling:
        raise BadAdjustment(f"Level {level} shows {format_cents(meter.shown)}, which is not above a cap.")
    above = -(-(meter.display - ceiling) // CENT)
    return _adjusted(state, meter, Reduction.ABOVE_THE_CAP, -above, by, overflow=True)


def remove_hidden(
    state: JackpotState, level: str, held: str, cents: int, **by: Unpack[AnsweredFor]
) -> tuple[Happening, ...]:
    """Money that is not displayed leaves the ``reserve`` or the ``overflow`` and is booked as gross receipts."""
    meter = free_meter(state, level)
    if held not in ("reserve", "overflow"):
        raise BadAdjustment(f"Money not displayed is in the reserve or in the overflow, not in {held!r}.")
    _refuse_more_than(cents, getattr(meter, held), f"the {held} of level {level} is")
    return _adjusted(state, meter, Reduction.NOT_DISPLAYED, -cents, by, held=held)


def free_meter(state: JackpotState, level: str) -> Meter:
    if state.kind is JackpotKind.BONUS:
        raise BadAdjustment(f"Jackpot {state.id} is a bonus jackpot: it holds no money of the players.")
    meter = state.meter(level)
    pending = state.pending_on(level)
    if pending:
        raise BadAdjustment(f"Claim {pending[0].id} is pending on level {level}: decide it before its money is moved.")
    return meter


def _refuse_above_the_ceiling(meter: Meter, cents: int) -> None:
    """Nobody puts more on a meter than its ceiling lets it show."""
    left = room(meter)
    if left is not None:
        _refuse_more_than(cents, left, f"the ceiling of level {meter.name} leaves")


def _refuse_more_than(cents: int, most: Amount, what: str) -> None:
    if not 0 < cents * CENT <= most:
        there = format_cents(max(most, 0) // CENT)
        raise BadAdjustment(f"{format_cents(cents)} is not possible: {what} {there}, and it must be above zero.")


def _adjusted(
    state: JackpotState,
    meter: Meter,
    reason: Reduction | Increase,
    cents: int,
    by: AnsweredFor,
    *,
    held: str = "display",
    overflow: bool = False,
    seed: bool = False,
    funded: bool = False,
    report: str = "",
) -> tuple[Happening, ...]:
    if cents == 0:
        raise BadAdjustment("An adjustment of nothing is none.")
    who, second = two_people(by["who"], by["second"], "an adjustment")
    change = cents * CENT
    adjusted = Adjusted(
        jackpot=state.id,
        level=meter.name,
        of=held,
        reason=str(reason),
        before=getattr(meter, held),
        amount=abs(change),
        change=change,
        overflow=-change if overflow else 0,
        seed_owed=change if seed else 0,
        undeposited=0 if overflow or funded else -change,
        funded=change if funded else 0,
        who=who,
        why=named(by["why"], "reason"),
        second=second,
        report=report,
    )
    return (adjusted,)


def deposit_money(state: JackpotState, cents: int, *, who: str, reference: str) -> tuple[Happening, ...]:
    """The cage takes money to the jackpot's bank account; ``reference`` is the bank's slip."""
    if state.money is Currency.PLAY:
        raise BadAdjustment(f"Jackpot {state.id} is of play money: there is no bank to take it to.")
    _refuse_more_than(cents, most_to_deposit(state), "the cage still has to deposit")
    deposited = Deposited(
        jackpot=state.id,
        amount=cents * CENT,
        escrow_before=state.escrow,
        who=named(who, "name of the depositor"),
        reference=reference_told(reference, "deposit slip"),
    )
    return (deposited,)


def most_to_deposit(state: JackpotState) -> Amount:
    """What may go to the bank: what waits for it, and the house's part of checks for pending prizes, so that one check
    can cover all of a prize. What goes there beyond what waits, the account owes the cage, and it is used up."""
    return max(state.undeposited - state.cage_advance + _house_part_of_checks(state), 0)


def _house_part_of_checks(state: JackpotState) -> Amount:
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
) -> tuple[Happening, ...]:
    """The bank account pays the cage what it owes it for cash prizes and money given back; ``reference`` is the number
    of the transfer."""
    signer, other = two_people(who, second, "money that leaves the bank account")
    if state.cage_advance < CENT:
        raise BadAdjustment(f"The bank account of {state.id} owes the cage nothing: there is nothing to pay back.")
    _refuse_more_than(cents, state.cage_advance, f"the bank account of {state.id} owes the cage")
    short = f", which is {books(state.short)} short," if state.short else ""
    _refuse_more_than(cents, state.in_the_bank, f"the bank account of {state.id}{short} has")
    reimbursed = CageReimbursed(
        jackpot=state.id,
        amount=cents * CENT,
        escrow_before=state.escrow,
        who=signer,
        second=other,
        reference=reference_told(reference, "transfer"),
    )
    return (reimbursed,)
