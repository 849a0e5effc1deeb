"""A jackpot's bank account as its chain tells it: what moved since a moment, and when a slip or cheque was entered."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.recall import happened, newest_first
from cardroom.jackpots.happenings import CageReimbursed, ClaimPaid, Deposited
from cardroom.jackpots.meter.account import movements
from cardroom.jackpots.meter.reconciling import BadStatement, Entered, since_statement
from cardroom.jackpots.references import PaidBy, payment_name, plain_name, slip_name, slip_words
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.statements import LastStatement, Movement
from cardroom.ledger import Event, Ledger

_SLIP: Final = "slip "
_MOVING: Final = (CageReimbursed.kind, ClaimPaid.kind, Deposited.kind)


def moved_since(ledger: Ledger, jackpot: str, since: Time, last: int) -> tuple[Movement, ...]:
    """What moved on the account from this moment on, up to the event with the number ``last``; the oldest first."""
    found: list[Movement] = []
    for event in newest_first(ledger, jackpot_chain(jackpot)):
        if event.time < since:
            break
        if event.sequence <= last:
            found += reversed(list(moved_by(event)))
    return tuple(reversed(found))


def missing_perhaps(
    ledger: Ledger, jackpot: str, last: LastStatement | None, day: date, ends: Time | None
) -> tuple[Movement, ...]:
    """What the books have before the end of a statement, and no statement of an earlier day had: the oldest first."""
    since, open_then = since_statement(day, last)
    found: list[Movement] = []
    for event in newest_first(ledger, jackpot_chain(jackpot)):
        if event.time < since:
            break
        if event.kind in _MOVING and (ends is None or event.time < ends):
            found += reversed(list(moved_by(event)))
    earlier = (_entered(ledger, jackpot, plain_name(name)) for name in open_then)
    return (*(one.movement for one in earlier if one is not None), *reversed(found))


def moved_by(event: Event) -> Iterator[Movement]:
    """What one event moved on the account."""
    return movements(happened(event))


def deposit_told(ledger: Ledger, jackpot: str, typed: str) -> Entered:
    """The deposit that a person names: by the number of its slip, or as it is printed (``slip 4472``)."""
    plain = plain_name(typed)
    printed = plain.startswith(_SLIP)
    names = [plain, slip_name(typed)] if printed else [slip_name(typed)]
    found = [one for name in names if (one := _entered(ledger, jackpot, name)) is not None]
    words = " ".join(typed.split()) if printed else slip_words(typed)
    if len(found) > 1:
        several = " and ".join(one.movement.name for one in found)
        raise BadStatement(f"{words} may be {several}: say which of them is in transit.")
    if not found:
        raise BadStatement(f"No deposit of {jackpot} has {words}: name one that was entered.")
    return found[0]


def payment_told(ledger: Ledger, jackpot: str, typed: str) -> Entered:
    """The payment that a person names: by its number, or by its kind and number."""
    plain = plain_name(typed)
    kinds = [kind for kind in PaidBy if plain.startswith(f"{kind} ")]
    names = [plain] if kinds else [payment_name(kind, plain) for kind in PaidBy]
    found = [one for name in names if (one := _entered(ledger, jackpot, name)) is not None]
    if len(found) > 1:
        several = " and ".join(one.movement.name for one in found)
        raise BadStatement(f"{typed} is the number of {several}: say which of them is outstanding.")
    if found and found[0].movement.amount < 0:
        return found[0]
    chain = jackpot_chain(jackpot)
    if any(ledger.find_event(chain, name) is not None for name in names):
        raise BadStatement(
            f"{typed} was not paid from the bank account of {jackpot}, but by the cage or the house: no statement of "
            "the bank will have it, so leave it out."
        )
    raise BadStatement(
        f"Nothing was paid from the bank account of {jackpot} as {typed}: name a check or a transfer that was entered."
    )


def _entered(ledger: Ledger, jackpot: str, name: str) -> Entered | None:
    event = ledger.find_event(jackpot_chain(jackpot), name)
    moved = [] if event is None else [one for one in moved_by(event) if plain_name(one.name) == name]
    return Entered(moved[0], event.time) if event is not None and moved else None
