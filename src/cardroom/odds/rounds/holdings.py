"""Winning hands of one deck that several seats can hold at the same time.

>>> some = Holding(0b0011, 0), Holding(0b0110, 0), Holding(0b1100, 1)
>>> sorted(seats_holding(some, 2).items())
[((0, 1), 1), ((1, 0), 2), ((1, 1), 1)]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, factorial, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.kernels import kernel
from cardroom.odds.rounds.winners import Each

_MOST: Final = 8
"""Winners of one round that are counted: no table has more seats with cards of one deck."""


class Holding(NamedTuple):
    """Cards with which a seat wins."""

    cards: int
    """As bits, by code."""
    line: int
    ways: int = 1
    """In which they may lie before the seat."""


def bits(cards: Iterable[Card]) -> int:
    """Cards of one deck as a set."""
    return sum(1 << card.code for card in cards)


def seats_holding(holdings: Sequence[Holding], lines: int) -> dict[Each, int]:
    """In how many ways seats that are named hold winning hands that share no card, by the lines that they win."""
    if not holdings:
        return {}
    sets = np.zeros((_MOST + 1) ** lines, np.int64)
    _count_sets(_laid_out(holdings), sets)
    found: dict[Each, int] = {}
    for place in np.flatnonzero(sets).tolist():
        each = tuple(place // (_MOST + 1) ** line % (_MOST + 1) for line in range(lines))
        found[each] = int(sets[place]) * prod(map(factorial, each))
    return found


class _LaidOut(NamedTuple):
    """Holdings for the kernel, those with many cards in common behind one another."""

    cards: NDArray[np.uint64]
    steps: NDArray[np.int64]
    """What a holding of its line adds to the place among the sets."""
    ways: NDArray[np.int64]
    common: NDArray[np.uint64]
    """What all holdings of the group have: once one of them is taken, no other can be."""
    after: NDArray[np.int64]
    """Where the next group begins."""


def _laid_out(holdings: Sequence[Holding]) -> _LaidOut:
    groups: list[tuple[int, list[Holding]]] = []
    for one in holdings:
        for at, (common, members) in enumerate(groups):
            if 2 * (common & one.cards).bit_count() >= one.cards.bit_count():
                groups[at] = common & one.cards, [*members, one]
                break
        else:
            groups.append((one.cards, [one]))
    laid = [one for _, members in groups for one in members]
    ends = np.cumsum([len(members) for _, members in groups]).tolist()
    sizes = [len(members) for _, members in groups]
    return _LaidOut(
        cards=np.array([one.cards for one in laid], np.uint64),
        steps=np.array([(_MOST + 1) ** one.line for one in laid], np.int64),
        ways=np.array([one.ways for one in laid], np.int64),
        common=np.repeat(np.array([common for common, _ in groups], np.uint64), sizes),
        after=np.repeat(np.array(ends, np.int64), sizes),
    )


@kernel
def _count_sets(laid: _LaidOut, sets: NDArray[np.int64]) -> None:
    """Every set of holdings without a common card: a step each to its place in ``sets``."""
    cards, steps, ways, common, after = laid.cards, laid.steps, laid.ways, laid.common, laid.after
    at = np.zeros(_MOST + 1, np.int64)
    taken = np.zeros(_MOST + 2, np.uint64)
    places = np.zeros(_MOST + 2, np.int64)
    counted = np.ones(_MOST + 2, np.int64)
    depth = 0
    while depth >= 0:
        one = at[depth]
        if one == len(cards) or depth == _MOST:
            depth -= 1
            continue
        if taken[depth] & common[one]:
            at[depth] = after[one]
            continue
        at[depth] += 1
        if taken[depth] & cards[one]:
            continue
        taken[depth + 1] = taken[depth] | cards[one]
        places[depth + 1] = places[depth] + steps[one]
        counted[depth + 1] = counted[depth] * ways[one]
        sets[places[depth + 1]] += counted[depth + 1]
        at[depth + 1] = one + 1
        depth += 1


def chances(named: Mapping[Each, int], deck: int, hand: int, orders: int = 1) -> dict[Each, Fraction]:
    """Ways as chances, when every seat is dealt so many cards of the deck; ``orders`` is in how many ways they may lie
    that count as different."""
    return {
        each: Fraction(ways, prod(comb(deck - hand * seat, hand) * orders for seat in range(sum(each))))
        for each, ways in named.items()
    }
