"""Where each chip of an amount is drawn: a stack for each denomination side by side, from the largest down, as a dealer
cuts them out. What a chip is worth is written on it: its colour is never the only sign."""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.games.money import split_into_chips

RADIUS: Final = 20
_FLAT: Final = 13
"""A chip is seen from above at a slant: as an ellipse."""
_THICK: Final = 6
_APART: Final = 43
_EDGE: Final = 1
TALLEST: Final = 8
"""Of more than these the stack says how many it stands for."""


class Chip(NamedTuple):
    """One chip: the middle of its face."""

    value: int
    x: int
    y: int


class Stack(NamedTuple):
    """Chips of one denomination, the lowest first."""

    chips: tuple[Chip, ...]
    number: int
    """How many there are; more than are drawn where the stack would be too tall."""


class Stacks(NamedTuple):
    """An amount in chips, and the size of the picture."""

    stacks: tuple[Stack, ...]
    width: int
    height: int


def stacked(cents: int) -> Stacks:
    """The picture of an amount.

    >>> picture = stacked(35_00)
    >>> [(one.chips[-1].value, one.number) for one in picture.stacks], picture.width, picture.height
    ([(2500, 1), (500, 2)], 85, 40)
    >>> [(len(one.chips), one.number) for one in stacked(20_000_00).stacks]
    [(8, 40)]
    """
    piles = split_into_chips(cents)
    tallest = max((min(number, TALLEST) for _, number in piles), default=0)
    floor = _EDGE + _FLAT + _THICK * max(tallest - 1, 0)
    stacks = tuple(
        Stack(tuple(Chip(value, _across(at), floor - _THICK * up) for up in range(min(number, TALLEST))), number)
        for at, (value, number) in enumerate(piles)
    )
    width = _across(len(piles) - 1) + RADIUS + _EDGE if piles else 0
    return Stacks(stacks, width, floor + _FLAT + _THICK + _EDGE if piles else 0)


def _across(at: int) -> int:
    return _EDGE + RADIUS + _APART * at


def denomination(cents: int) -> str:
    """What is written on a chip or a coin.

    >>> denomination(500_00), denomination(1_00), denomination(25)
    ('500', '1', '25¢')
    """
    return str(cents // 100) if cents >= 100 else f"{cents}¢"
