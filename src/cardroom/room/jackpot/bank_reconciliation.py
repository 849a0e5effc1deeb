"""Reconciliation: compare the bank's statement with the ledger at the time when the statement ends.

    balance on the statement + deposits in transit - outstanding checks = balance of the ledger at that time

The ledger shows the movements after the statement ends. The person who reconciles names earlier movements that the
statement does not show yet. A movement that an earlier statement showed is never missing on a later one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import CENT, Amount, Currency
from cardroom.games.money import format_cents
from cardroom.room.amount_text import format_change
from cardroom.room.dual_control import SecondPersonMissing, require_text, require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.custody import BadAdjustment
from cardroom.room.jackpot.event_values import BankMovement, LastStatement, total_movements
from cardroom.room.jackpot.events import JackpotClosed, JackpotReconciled, JackpotReopened
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payment_references import normalize_reference
from cardroom.room.setup.calendar import Time
from cardroom.room.setup.jackpot import JackpotKind

MOST_NAMED: Final = 10
"""The most movements named in one sentence."""
REOPENING: Final = "a statement that reopens a jackpot after a shortage"


class BadStatement(BadAdjustment):
    """A statement that cannot be reconciled as entered."""


class EnteredMovement(NamedTuple):
    """A movement that a person names, with its time in the ledger."""

    movement: BankMovement
    time: Time


class BankStatement(NamedTuple):
    """A bank statement as entered, with the movements that the ledger has beside it."""

    cents: int
    day: date
    ends: Time
    later: tuple[BankMovement, ...] = ()
    """The ledger's movements after it ends."""
    in_transit: tuple[EnteredMovement, ...] = ()
    """Deposits made before it ends that it does not show."""
    outstanding: tuple[EnteredMovement, ...] = ()
    """Payments made before it ends that it does not show."""
    unnamed: tuple[BankMovement, ...] = ()
    """The ledger's movements before it ends that no earlier statement showed and the person did not name; listed if
    the balances differ."""


class UnconfirmedShortage(BadStatement):
    """A statement that would close a jackpot, without a confirmed shortage: the balance may be mistyped."""


def reconcile_account(
    state: JackpotState,
    bank_statement: BankStatement,
    *,
    who: str,
    second: str | None = None,
    why: str | None = None,
    shortage_cents: int = 0,
) -> tuple[DomainEvent, ...]:
    """Compare the bank's statement with the ledger. A shortage that ``shortage_cents`` confirms closes the jackpot at
    once; after it is made good, the next reconciliation reopens the jackpot. To reopen it, or to replace a statement,
    two people sign and give a reason."""
    if state.kind is JackpotKind.BONUS:
        raise BadStatement(f"Jackpot {state.id} is a bonus jackpot: it has no bank account of its own.")
    if state.money is Currency.PLAY:
        raise BadStatement(f"Jackpot {state.id} is for play money: it has no bank account.")
    last = state.reconciled
    if last is not None and bank_statement.day < last.day:
        raise BadStatement(
            f"The statement of {last.day} is already reconciled, so the one of {bank_statement.day} is too old: enter "
            "a later statement."
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
    responsible = _require_responsibility(
        state, bank_statement, who, second, why, opens=bool(state.short) and not short
    )
    reconciled = JackpotReconciled(
        jackpot=state.id,
        statement=statement,
        owed=state.owed,
        escrow=state.escrow,
        undeposited=state.undeposited,
        difference=difference,
        who=responsible.who,
        day=bank_statement.day,
        ends=bank_statement.ends,
        later=bank_statement.later,
        in_transit=in_transit,
        outstanding=outstanding,
        cage_advance=state.cage_advance,
        why=responsible.why,
        second=responsible.second,
    )
    return reconciled, *closing_events(state, reconciled)


def closing_events(state: JackpotState, reconciled: JackpotReconciled) -> tuple[DomainEvent, ...]:
    """Close the jackpot if a statement shows a shortage; reopen it if none is left."""
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
            f"With a balance of {balance}, the bank account is not short. Check the balance, or leave the shortage out."
        )
    return UnconfirmedShortage(
        f"With a balance of {balance}, the bank account is {cents} short. That closes {state.setup['name']} at once: "
        f"its tables take no wagers on it until two people reconcile a statement without a shortage. Check the "
        f"balance. {describe_unnamed(statement.unnamed)}If it is right, confirm a shortage of {cents}."
    )


def describe_unnamed(unnamed: Sequence[BankMovement]) -> str:
    """The movements that the statement may not show yet, as sentences with a space after them; empty if none."""
    if not unnamed:
        return ""
    names_text = ", ".join(f"{movement.name} ({format_change(movement.amount)})" for movement in unnamed[:MOST_NAMED])
    more_text = f" and {len(unnamed) - MOST_NAMED:,} more" if len(unnamed) > MOST_NAMED else ""
    return f"Not named as missing on the statement: {names_text}{more_text}. Name those that it does not show. "


def replaces_statement(state: JackpotState, day: date) -> bool:
    """Whether a statement of that day is already reconciled."""
    return state.reconciled is not None and day == state.reconciled.day


class _Responsibility(NamedTuple):
    """The people responsible for a reconciliation, and the reason if it needs one."""

    who: str
    second: str
    why: str


def _require_responsibility(
    state: JackpotState, statement: BankStatement, who: str, second: str | None, why: str | None, *, opens: bool
) -> _Responsibility:
    """One person enters a statement. Two people replace one of the same day, or reopen a jackpot after a shortage."""
    first_name = require_text(who, "name of the person who reconciles")
    replaces = replaces_statement(state, statement.day)
    if not replaces and not opens:
        signed = require_two_people(first_name, second, "a statement")[1] if second else ""
        return _Responsibility(first_name, signed, require_text(why, "reason") if why else "")
    purpose = f"the statement of {statement.day}, which replaces one that was entered" if replaces else REOPENING
    if second is None or not second.strip():
        raise SecondPersonMissing(
            f"Two people must sign for {purpose}: name a second person besides {first_name}, and give a reason."
        )
    return _Responsibility(*require_two_people(first_name, second, purpose), require_text(why or "", "reason"))


def _missing_movements(
    statement: BankStatement, entered: Sequence[EnteredMovement], last: LastStatement | None
) -> Iterator[BankMovement]:
    """The movements that the statement does not show yet; refuse those that an earlier statement showed."""
    cutoff, open_then = statement_cutoff(statement.day, last)
    still_open = set(map(normalize_reference, open_then))
    seen_names: set[str] = set()
    for (name, amount), time in entered:
        plain = normalize_reference(name)
        if plain in seen_names:
            raise BadStatement(f"{_quote_movement(name)} is named twice: name it once.")
        if time >= statement.ends:
            raise BadStatement(
                f"{_quote_movement(name)} is later than the statement of {statement.day} and is already included: "
                "leave it out."
            )
        if time < cutoff and plain not in still_open:
            raise BadStatement(
                f"{_quote_movement(name)} was on an earlier statement, so it cannot be missing on the one of "
                f"{statement.day}: leave it out."
            )
        seen_names.add(plain)
        yield BankMovement(name, amount)


def statement_cutoff(day: date, last: LastStatement | None) -> tuple[Time, tuple[str, ...]]:
    """The end of the previous day's statement, and the movements that were missing on it."""
    if last is None:
        return 0, ()
    return (last.ends, last.open) if day > last.day else (last.earlier_ends, last.earlier_open)


def _quote_movement(name: str) -> str:
    return name[:1].upper() + name[1:]


def next_last_statement(last: LastStatement | None, reconciled: JackpotReconciled) -> LastStatement:
    """The last statement, from which the next one continues."""
    missing = tuple(movement.name for movement in (*reconciled.in_transit, *reconciled.outstanding))
    earlier, surplus = statement_cutoff(reconciled.day, last), max(reconciled.difference, 0)
    return LastStatement(reconciled.day, reconciled.ends, missing, *earlier, surplus)
