"""A second implementation of the house way of sheet 002: slow, simple, line by line, with letters for ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from cardroom.cards import Card

LETTERS = "23456789TJQKA"

Pair = tuple[str, str]


def put_high_first(one: str, other: str) -> Pair:
    """Return two cards with the higher rank first; of equal ranks, the card that was dealt first."""
    return (one, other) if LETTERS.index(one[0]) >= LETTERS.index(other[0]) else (other, one)


def is_pair(two: Pair) -> bool:
    return two[0][0] == two[1][0]


def is_suited(two: Pair) -> bool:
    return two[0][1] == two[1][1]


def is_connected(two: Pair) -> bool:
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
    lambda two: is_connected(two) and is_suited(two),
    lambda two: is_connected(two) and not is_suited(two),
    is_suited,
    lambda two: not is_suited(two),
)
"""What each line requires of two cards, in the order of the sheet."""

TIE_BREAKERS: tuple[Callable[[Pair], int], ...] = (
    lambda two: -LETTERS.index(two[0][0]),
    lambda two: -LETTERS.index(two[1][0]),
    lambda two: 0 if is_suited(two) else 1,
)
"""TS-1: the tie-breakers between choices on one line, in their order; the lowest number wins."""


def choose_by_sheet(four: Sequence[Card]) -> tuple[int, Pair]:
    """Return the line and the two cards that the dealer plays; ``four`` is in the order of the deal."""
    # In the order of the deal: pairs with the first card, then pairs with the second card, then the last two cards.
    pairs = [put_high_first(str(one), str(other)) for one, other in combinations(four, 2)]
    for number, meets in enumerate(SHEET, 1):
        candidates = [two for two in pairs if meets(two)]
        if candidates:
            for tie_breaker in TIE_BREAKERS:
                lowest = min(map(tie_breaker, candidates))
                candidates = [two for two in candidates if tie_breaker(two) == lowest]
            assert len(set(candidates)) == 1 or all(
                is_pair(two) and two[0][0] == candidates[0][0][0] for two in candidates
            )
            return number, candidates[0]
    raise AssertionError("line 14 takes any two cards")
