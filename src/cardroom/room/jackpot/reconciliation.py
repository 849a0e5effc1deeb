"""Reconciliation: the bank's statement is held against the books as they stood when the statement ends.

    balance on the statement + deposits in transit - outstanding checks = balance by the books of then

What moved after the statement's end is known from the books. What moved before, and the statement does not have yet, a
person names. Something that an earlier statement had is never missing on a later one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from cardroom.accounts import CENT, Amount, Currency
from cardroom.games.money import format_cents
from cardroom.room.amount_text import format_change
from cardroom.room.dual_control import SecondPersonMissing, require_text, require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.custody import BadAdjustment
from cardroom.room.jackpot.event_values import BankMovement, LastStatement, total_movements
from cardroom.room.jackpot.events import JackpotClosed, JackpotReconciled, JackpotReopened
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payments import normalize_reference
from cardroom.room.setup.calendar import Time
from cardroom.room.setup.jackpot import JackpotKind

MOST_NAMED: Final = 10
"""Movements in one sentence."""
REOPENING: Final = "a statement that opens a jackpot again after a shortage"


class BadStatement(BadAdjustment):
    """A statement that cannot be held against the books like this."""


class EnteredMovement(NamedTuple):
    """A movement that a person names, and when the books have it."""

    movement: BankMovement
    time: Time


class BankStatement(NamedTuple):
    """What a person tells of the bank's statement, and what the books know beside it."""

    cents: int
    day: date
    ends: Time
    later: tuple[BankMovement, ...] = ()
    """What moved since its end, by the books."""
    in_transit: tuple[EnteredMovement, ...] = ()
    """Deposits that were made before, and are not on it."""
    outstanding: tuple[EnteredMovement, ...] = ()
    """Payments that were made before, and are not on it."""
    unnamed: tuple[BankMovement, ...] = ()
    """What the books have before its end, that no earlier statement had and nobody names: asked for where the two do
    not agree."""


class UnconfirmedShortage(BadStatement):
    """A statement that would close a jackpot, entered without saying so: the balance may be mistyped."""


def reconcile_account(
    state: JackpotState,
    bank_statement: BankStatement,
    *,
    who: str,
    second: str | None = None,
    why: str | None = None,
    shortage_cents: int = 0,
) -> tuple[DomainEvent, ...]:
    """Compare the bank's statement with the books. A shortage closes the jackpot at once, if ``shortage_cents``
    confirms it; when it is made good the next reconciliation opens it again. Two people and a reason are needed to open
    it, and to replace a statement."""
    if state.kind is JackpotKind.BONUS:
        raise BadStatement(f"Jackpot {state.id} is a bonus jackpot: it has no bank account of its own.")
    if state.money is Currency.PLAY:
        raise BadStatement(f"Jackpot {state.id} is of play money: no bank has a statement of it.")
    last = state.reconciled
    if last is not None and bank_statement.day < last.day:
        raise BadStatement(
            f"The statement of {last.day} was held against the books already: one of {bank_statement.day} tells "
            "nothing new."
        )
    in_transit = tuple(_missing_movements(bank_statement, bank_statement.in_transit, last))
    outstanding = tuple(_missing_movements(bank_statement, bank_statement.outstanding, last))
    statement = bank_statement.cents * CENT
    difference = (
        statement
        + total_movements(in_transit)
        + total_movements(outstanding)
        + total_movements(bank_statement.later)
        - state.escrow
    )
    short = max(-difference, 0)
    if (shortage_cents or (short and not state.short)) and shortage_cents != round_up_to_cents(short):
        raise _unconfirmed_shortage_error(state, bank_statement, short)
    answer = _require_responsibility(state, bank_statement, who, second, why, opens=bool(state.short) and not short)
    reconciled = JackpotReconciled(
        jackpot=state.id,
        statement=statement,
        owed=state.owed,
        escrow=state.escrow,
        undeposited=state.undeposited,
        difference=difference,
        who=answer.who,
        day=bank_statement.day,
        ends=bank_statement.ends,
        later=bank_statement.later,
        in_transit=in_transit,
        outstanding=outstanding,
        cage_advance=state.cage_advance,
        why=answer.why,
        second=answer.second,
    )
    return reconciled, *closing_events(state, reconciled)


def closing_events(state: JackpotState, reconciled: JackpotReconciled) -> tuple[DomainEvent, ...]:
    """A statement that shows a shortage closes the jackpot; one that shows none opens it again."""
    short, who, second = max(-reconciled.difference, 0), reconciled.who, reconciled.second
    if short and short != state.short:
        return (JackpotClosed(state.id, short, who=who, second=second),)
    return (JackpotReopened(state.id, who=who, second=second),) if state.short and not short else ()


def round_up_to_cents(amount: Amount) -> int:
    """An amount in cents, rounded up."""
    return -(-amount // CENT)


def _unconfirmed_shortage_error(state: JackpotState, statement: BankStatement, short: int) -> UnconfirmedShortage:
    balance, cents = format_cents(statement.cents), format_cents(round_up_to_cents(short))
    if not short:
        return UnconfirmedShortage(
            f"With a balance of {balance} the bank account is not short. Check the balance, or leave the shortage out."
        )
    return UnconfirmedShortage(
        f"With a balance of {balance} the bank account is {cents} short, which closes {state.setup['name']} at once: "
        f"its tables take no wagers on it until two people show the money. Check the balance. "
        f"{describe_unnamed(statement.unnamed)}If it is right, confirm a shortage of {cents}."
    )


def describe_unnamed(unnamed: Sequence[BankMovement]) -> str:
    """What the statement may not have yet, as a sentence with a blank behind it; empty where there is nothing."""
    if not unnamed:
        return ""
    names_text = ", ".join(f"{movement.name} ({format_change(movement.amount)})" for movement in unnamed[:MOST_NAMED])
    more_text = f" and {len(unnamed) - MOST_NAMED:,} more" if len(unnamed) > MOST_NAMED else ""
    return f"Not named as missing on the statement: {names_text}{more_text}. Name those that it does not have. "


def replaces_statement(state: JackpotState, day: date) -> bool:
    """Whether a statement of that day was compared with the books already."""
    return state.reconciled is not None and day == state.reconciled.day


class _Responsibility(NamedTuple):
    """Who answers for a reconciliation, and why where it needs a reason."""

    who: str
    second: str
    why: str


def _require_responsibility(
    state: JackpotState, statement: BankStatement, who: str, second: str | None, why: str | None, *, opens: bool
) -> _Responsibility:
    """One person enters a statement. Two replace one of the same day, or open a jackpot that was short."""
    first_name = require_text(who, "name of the person who reconciles")
    replaces = replaces_statement(state, statement.day)
    if not replaces and not opens:
        signed = require_two_people(first_name, second, "a statement")[1] if second else ""
        return _Responsibility(first_name, signed, require_text(why, "reason") if why else "")
    purpose = f"the statement of {statement.day}, which replaces one that was entered" if replaces else REOPENING
    if second is None or not second.strip():
        raise SecondPersonMissing(
            f"Two people answer for {purpose}: name the second one beside {first_name}, and the reason."
        )
    return _Responsibility(*require_two_people(first_name, second, purpose), require_text(why or "", "reason"))


def _missing_movements(
    statement: BankStatement, entered: Sequence[EnteredMovement], last: LastStatement | None
) -> Iterator[BankMovement]:
    """What the statement does not have yet; it cannot be something that an earlier one had."""
    cutoff, open_then = statement_cutoff(statement.day, last)
    still_open = set(map(normalize_reference, open_then))
    seen_names: set[str] = set()
    for (name, amount), time in entered:
        plain = normalize_reference(name)
        if plain in seen_names:
            raise BadStatement(f"{_quote_movement(name)} is told twice: tell it once.")
        if time >= statement.ends:
            raise BadStatement(
                f"{_quote_movement(name)} came after the statement of {statement.day} ends: it is allowed for, leave "
                "it out."
            )
        if time < cutoff and plain not in still_open:
            raise BadStatement(
                f"{_quote_movement(name)} was on an earlier statement, where nobody told that it was missing: it "
                "cannot be "
                f"missing on the one of {statement.day}."
            )
        seen_names.add(plain)
        yield BankMovement(name, amount)


def statement_cutoff(day: date, last: LastStatement | None) -> tuple[Time, tuple[str, ...]]:
    """Up to when everything was on the statement of an earlier day, and what was missing there."""
    if last is None:
        return 0, ()
    return (last.ends, last.open) if day > last.day else (last.earlier_ends, last.earlier_open)


def _quote_movement(name: str) -> str:
    return name[:1].upper() + name[1:]


def next_last_statement(last: LastStatement | None, reconciled: JackpotReconciled) -> LastStatement:
    """What the next statement goes on from."""
    missing = tuple(movement.name for movement in (*reconciled.in_transit, *reconciled.outstanding))
    earlier, surplus = statement_cutoff(reconciled.day, last), max(reconciled.difference, 0)
    return LastStatement(reconciled.day, reconciled.ends, missing, *earlier, surplus)
