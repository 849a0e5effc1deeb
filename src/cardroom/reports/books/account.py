"""A jackpot's bank account, movement by movement: each with its slip, cheque or other number, and the balance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from cardroom.accounts import Amount
from cardroom.floor.kept.account import moved_by
from cardroom.jackpots.telling.phrases import player_words
from cardroom.jackpots.telling.words import answering, happened
from cardroom.ledger import Time
from cardroom.reports.books import columns
from cardroom.reports.books.columns import Cell
from cardroom.reports.books.reading import Moment


@dataclass(frozen=True, slots=True)
class AccountLine:
    """One movement."""

    jackpot: str
    time: Time
    sequence: int
    number: str
    """The slip, cheque or other number."""
    what: str
    who: str
    amount: Amount
    balance: Amount


def account_lines(moment: Moment) -> Iterator[AccountLine]:
    """What an event moved on the bank account."""
    before = moment.before.escrow if moment.before else 0
    if moment.after.escrow == before:
        return
    event, jackpot = moment.event, moment.after.id
    balance = before
    for movement in moved_by(event):
        balance += movement.amount
        what, who = _what(event.kind, moment.payload, movement.name), answering(moment.payload)
        yield AccountLine(jackpot, event.time, event.sequence, movement.name, what, who, movement.amount, balance)


def _what(kind: str, payload: dict[str, Any], name: str) -> str:
    """What it was for; of a payment, who got it."""
    for payout in payload.get("payouts", ()):
        if f"{payout['payment']} {payout['reference']}".casefold() == name.casefold():
            return f"claim {payload['claim']}, seat {payout['seat']}, {player_words(payout['player'])}"
    return happened(kind)


COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.of(Cell.TIME, time="Time"),
    *columns.in_files(columns.counts(sequence="Event")),
    *columns.texts(number="Number"),
    *columns.wide(columns.texts(what="For")),
    *columns.texts(who="Who"),
    *columns.amounts(amount="Amount", balance="Balance"),
)
