"""The house way of sheet 002 a second time: slow, plain, line by line, with letters instead of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from cardroom.cards import Card

LETTERS = "23456789TJQKA"

Pair = tuple[str, str]


def high_first(one: str, other: str) -> Pair:
    """Two cards, the one with the higher rank first; of equal ranks the one that was dealt first."""
    return (one, other) if LETTERS.index(one[0]) >= LETTERS.index(other[0]) else (other, one)


def is_pair(two: Pair) -> bool:
    return two[0][0] == two[1][0]


def is_suited(two: Pair) -> bool:
    return two[0][1] == two[1][1]


def connected(two: Pair) -> bool:
    return two[1][0] + two[0][0] in LETTERS


SHEET: tuple[Callable[[Pair], bool], ...] = (
    lambda two: is_pair(two) and two[0][0] in "89TJQKA",
    lambda two: two[0][0] == "A" and two[1][0] in "JQK",
    lambda two: is_pair(two) and is_suited(two),
    lambda two: is_pair(two) and not is_suited(two),
    lambda two: two[0][0] == "A" and is_suited(two),
    lambda two: two[0][0] in "TJQKA" and two[1][0] in "TJQKA" and is_suited(two),
    lambda two: two[0][0] in "TJQKA" and two[1][0] in "TJQKA" and not is_suited(two),
    lambda two: two[0][0] == "A" and not is_suited(two),
    lambda two: two[0][0] in "JQK" and is_suited(two),
    lambda two: two[0][0] in "JQK" and not is_suited(two),
    lambda two: connected(two) and is_suited(two),
    lambda two: connected(two) and not is_suited(two),
    is_suited,
    lambda two: not is_suited(two),
)
"""What each line asks of two cards, in the order of the sheet."""

SETTLED_BY: tuple[Callable[[Pair], int], ...] = (
    lambda two: -LETTERS.index(two[0][0]),
    lambda two: -LETTERS.index(two[1][0]),
    lambda two: 0 if is_suited(two) else 1,
)
"""TS-1: what settles between choices on one line, one after the other; the lowest number wins."""


def set_by_the_sheet(four: Sequence[Card]) -> tuple[int, Pair]:
    """The line and the two cards that the dealer plays of four in the order in which they were dealt."""
    # In the order of the deal: all with the card dealt first, then all others with the second one, then the last two.
    every = [high_first(str(one), str(other)) for one, other in combinations(four, 2)]
    for number, meets in enumerate(SHEET, 1):
        left = [two for two in every if meets(two)]
        if left:
            for settles in SETTLED_BY:
                lowest = min(map(settles, left))
                left = [two for two in left if settles(two) == lowest]
            assert len(set(left)) == 1 or all(is_pair(two) and two[0][0] == left[0][0][0] for two in left)
            return number, left[0]
    raise AssertionError("line 14 takes any two cards")
