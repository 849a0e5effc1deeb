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
from cardroom.jackpots.amounts import change
from cardroom.jackpots.happenings import Happening, JackpotClosed, JackpotReopened, Reconciled
from cardroom.jackpots.meter.custody import BadAdjustment
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.people import SecondMissing, named, two_people
from cardroom.jackpots.references import plain_name
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.statements import LastStatement, Movement, total

MOST_NAMED: Final = 10
"""Movements in one sentence."""
OPENS_AGAIN: Final = "a statement that opens a jackpot again after a shortage"


class BadStatement(BadAdjustment):
    """A statement that cannot be held against the books like this."""


class Entered(NamedTuple):
    """A movement that a person names, and when the books have it."""

    movement: Movement
    time: Time


class Statement(NamedTuple):
    """What a person tells of the bank's statement, and what the books know beside it."""

    cents: int
    day: date
    ends: Time
    later: tuple[Movement, ...] = ()
    """What moved since its end, by the books."""
    in_transit: tuple[Entered, ...] = ()
    """Deposits that were made before, and are not on it."""
    outstanding: tuple[Entered, ...] = ()
    """Payments that were made before, and are not on it."""
    unnamed: tuple[Movement, ...] = ()
    """What the books have before its end, that no earlier statement had and nobody names: asked for where the two do
    not agree."""


class UnconfirmedShortage(BadStatement):
    """A statement that would close a jackpot, entered without saying so: the balance may be mistyped."""


def reconcile_account(
    state: JackpotState,
    told: Statement,
    *,
    who: str,
    second: str | None = None,
    why: str | None = None,
    shortage_cents: int = 0,
) -> tuple[Happening, ...]:
    """Compare the bank's statement with the books. A shortage closes the jackpot at once, if ``shortage_cents``
    confirms it; when it is made good the next reconciliation opens it again. Two people and a reason are needed to open
    it, and to replace a statement."""
    if state.kind is JackpotKind.BONUS:
        raise BadStatement(f"Jackpot {state.id} is a bonus jackpot: it has no bank account of its own.")
    if state.money is Currency.PLAY:
        raise BadStatement(f"Jackpot {state.id} is of play money: no bank has a statement of it.")
    last = state.reconciled
    if last is not None and told.day < last.day:
        raise BadStatement(
            f"The statement of {last.day} was held against the books already: one of {told.day} tells nothing new."
        )
    in_transit = tuple(_missing(told, told.in_transit, last))
    outstanding = tuple(_missing(told, told.outstanding, last))
    statement = told.cents * CENT
    difference = statement + total(in_transit) + total(outstanding) + total(told.later) - state.escrow
    short = max(-difference, 0)
    if (shortage_cents or (short and not state.short)) and shortage_cents != whole_cents(short):
        raise _unconfirmed(state, told, short)
    answer = _answer(state, told, who, second, why, opens=bool(state.short) and not short)
    reconciled = Reconciled(
        jackpot=state.id,
        statement=statement,
        owed=state.owed,
        escrow=state.escrow,
        undeposited=state.undeposited,
        difference=difference,
        who=answer.who,
        day=told.day,
        ends=told.ends,
        later=told.later,
        in_transit=in_transit,
        outstanding=outstanding,
        cage_advance=state.cage_advance,
        why=answer.why,
        second=answer.second,
    )
    return reconciled, *closing_after(state, reconciled)


def closing_after(state: JackpotState, reconciled: Reconciled) -> tuple[Happening, ...]:
    """A statement that shows a shortage closes the jackpot; one that shows none opens it again."""
    short, who, second = max(-reconciled.difference, 0), reconciled.who, reconciled.second
    if short and short != state.short:
        return (JackpotClosed(state.id, short, who=who, second=second),)
    return (JackpotReopened(state.id, who=who, second=second),) if state.short and not short else ()


def whole_cents(amount: Amount) -> int:
    """An amount in cents, rounded up."""
    return -(-amount // CENT)


def _unconfirmed(state: JackpotState, told: Statement, short: int) -> UnconfirmedShortage:
    balance, cents = format_cents(told.cents), format_cents(whole_cents(short))
    if not short:
        return UnconfirmedShortage(
            f"With a balance of {balance} the bank account is not short. Check the balance, or leave the shortage out."
        )
    return UnconfirmedShortage(
        f"With a balance of {balance} the bank account is {cents} short, which closes {state.setup['name']} at once: "
        f"its tables take no wagers on it until two people show the money. Check the balance. "
        f"{unnamed_words(told.unnamed)}If it is right, confirm a shortage of {cents}."
    )


def unnamed_words(unnamed: Sequence[Movement]) -> str:
    """What the statement may not have yet, as a sentence with a blank behind it; empty where there is nothing."""
    if not unnamed:
        return ""
    named = ", ".join(f"{one.name} ({change(one.amount)})" for one in unnamed[:MOST_NAMED])
    more = f" and {len(unnamed) - MOST_NAMED:,} more" if len(unnamed) > MOST_NAMED else ""
    return f"Not named as missing on the statement: {named}{more}. Name those that it does not have. "


def replaces_statement(state: JackpotState, day: date) -> bool:
    """Whether a statement of that day was compared with the books already."""
    return state.reconciled is not None and day == state.reconciled.day


class _Answer(NamedTuple):
    """Who answers for a reconciliation, and why where it needs a reason."""

    who: str
    second: str
    why: str


def _answer(
    state: JackpotState, told: Statement, who: str, second: str | None, why: str | None, *, opens: bool
) -> _Answer:
    """One person enters a statement. Two replace one of the same day, or open a jackpot that was short."""
    one = named(who, "name of the person who reconciles")
    replaces = replaces_statement(state, told.day)
    if not replaces and not opens:
        signed = two_people(one, second, "a statement")[1] if second else ""
        return _Answer(one, signed, named(why, "reason") if why else "")
    what = f"the statement of {told.day}, which replaces one that was entered" if replaces else OPENS_AGAIN
    if second is None or not second.strip():
        raise SecondMissing(f"Two people answer for {what}: name the second one beside {one}, and the reason.")
    return _Answer(*two_people(one, second, what), named(why or "", "reason"))


def _missing(told: Statement, entered: Sequence[Entered], last: LastStatement | None) -> Iterator[Movement]:
    """What the statement does not have yet; it cannot be something that an earlier one had."""
    since, open_then = since_statement(told.day, last)
    still_open = set(map(plain_name, open_then))
    seen: set[str] = set()
    for (name, amount), time in entered:
        plain = plain_name(name)
        if plain in seen:
            raise BadStatement(f"{_named(name)} is told twice: tell it once.")
        if time >= told.ends:
            raise BadStatement(
                f"{_named(name)} came after the statement of {told.day} ends: it is allowed for, leave it out."
            )
        if time < since and plain not in still_open:
            raise BadStatement(
                f"{_named(name)} was on an earlier statement, where nobody told that it was missing: it cannot be "
                f"missing on the one of {told.day}."
            )
        seen.add(plain)
        yield Movement(name, amount)


def since_statement(day: date, last: LastStatement | None) -> tuple[Time, tuple[str, ...]]:
    """Up to when everything was on the statement of an earlier day, and what was missing there."""
    if last is None:
        return 0, ()
    return (last.ends, last.open) if day > last.day else (last.earlier_ends, last.earlier_open)


def _named(name: str) -> str:
    return name[:1].upper() + name[1:]


def statement_after(last: LastStatement | None, reconciled: Reconciled) -> LastStatement:
    """What the next statement goes on from."""
    missing = tuple(one.name for one in (*reconciled.in_transit, *reconciled.outstanding))
    earlier, surplus = since_statement(reconciled.day, last), max(reconciled.difference, 0)
    return LastStatement(reconciled.day, reconciled.ends, missing, *earlier, surplus)
