"""Movements of a jackpot's bank account, and the last statement that was held against the books."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from cardroom.accounts import Amount
from cardroom.jackpots.plain import in_a_row


@in_a_row
class Movement(NamedTuple):
    """Money that came into the account, above zero, or left it."""

    name: str
    """The slip, check or transfer."""
    amount: Amount


class LastStatement(NamedTuple):
    """What the next statement goes on from."""

    day: date
    ends: int
    """The moment at which the statement ends, in microseconds since 1970, UTC."""
    open: tuple[str, ...]
    """What it did not have yet: in transit, or outstanding."""
    earlier_ends: int = 0
    """The same of the statement of the day before it: one day's statement may be entered again."""
    earlier_open: tuple[str, ...] = ()
    surplus: Amount = 0
    """By how much the bank had more than the books: somebody finds out whose it is."""


def total(movements: tuple[Movement, ...]) -> Amount:
    """
    >>> total((Movement("slip 4471", 500), Movement("cheque 1077", -200)))
    300
    """
    return sum(movement.amount for movement in movements)
