"""Amounts in chips, from the largest down, as a dealer cuts them out of the rack.

>>> chips_for(137_50)
((10000, 1), (2500, 1), (500, 2), (100, 2), (50, 1))
>>> chip_words(137_50)
'$100 x 1, $25 x 1, $5 x 2, $1 x 2, 50c x 1'
"""

from __future__ import annotations

from typing import Final

from cardroom.games.money import money

DENOMINATIONS: Final = (500_00, 100_00, 25_00, 5_00, 1_00, 50, 25, 10, 5, 1)
"""In cents: chips, and below a dollar coins."""


def chips_for(cents: int) -> tuple[tuple[int, int], ...]:
    """How many of each denomination, in cents, make up an amount; none for nothing.

    >>> sum(value * number for value, number in chips_for(1_234_56)), chips_for(0)
    (123456, ())
    """
    stacks, left = [], cents
    for value in DENOMINATIONS:
        number, left = divmod(left, value)
        if number:
            stacks.append((value, number))
    return tuple(stacks)


def chip_words(cents: int) -> str:
    """An amount in chips, for people."""
    return ", ".join(
        f"{money(value) if value >= 100 else f'{value}c'} x {number}" for value, number in chips_for(cents)
    )
