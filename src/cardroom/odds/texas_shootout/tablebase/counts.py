"""From the sums over all boards to counts: for each hand and each way to split it, how both of its pairs fare.

A hand stands for all that differ from it in their suits only. Its cards ascend; a split is numbered as the choices of
``hands``: the lowest card with the second, third or last, and the other two.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.faults import BadInput
from cardroom.odds.texas_shootout.tablebase.adding import (
    BOARDS,
    BOTH_TIE,
    BOTH_WIN_TWICE,
    SUMS,
    TIES,
    TIES_UNDER,
    WINS,
)
from cardroom.odds.texas_shootout.tablebase.pieces import Orbits
from cardroom.odds.texas_shootout.tablebase.shoe import BOARD, SHARES, Shoe

SPLITS: Final = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
"""The places of the first pair and of the second."""

LOSS, TIE, WIN = range(3)

Joint: TypeAlias = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
"""By result of the first pair and result of the second: in how many sixths of deals."""


class Miscounted(BadInput):
    """Sums that cannot be those of every deal."""


class HandCounts(NamedTuple):
    """One hand and its three splits."""

    hand: tuple[int, int, int, int]
    splits: tuple[Joint, Joint, Joint]


def standing_hands(shoe: Shoe) -> list[tuple[int, int, int, int]]:
    """A hand for each class of hands that differ in their suits only, the first of its class; by the highest card, then
    the next."""
    hands = np.array(list(combinations_with_replacement(range(shoe.kinds), 4)), np.int64)
    own = _numbers(hands)
    stands = np.ones(len(hands), np.bool_)
    for change in shoe.exchanges:
        stands &= own <= _numbers(np.sort(change[hands], axis=1))
    for at in range(4 - shoe.copies):  # a small shoe has not every hand
        stands &= hands[:, at] != hands[:, at + shoe.copies]
    found = hands[stands][np.argsort(own[stands])]
    return [(a, b, c, d) for a, b, c, d in found.tolist()]


def _numbers(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers in the order of ``hand_number``; cards ascend."""
    a, b, c, d = hands.T
    found: NDArray[np.int64] = ((d * 64 + c) * 64 + b) * 64 + a
    return found


def hand_counts(shoe: Shoe, orbits: Orbits, totals: NDArray[np.object_]) -> Iterator[HandCounts]:
    """All hands in order. ``totals`` are the sums by orbit over all boards, each as often as it is dealt."""
    for hand in standing_hands(shoe):
        first, second, third = (_Split(shoe, orbits, totals, hand, split).joint() for split in range(3))
        yield HandCounts(hand, (first, second, third))


class _Split:
    """One way to split a hand into p and q."""

    def __init__(
        self, shoe: Shoe, orbits: Orbits, totals: NDArray[np.object_], hand: tuple[int, ...], split: int
    ) -> None:
        p, q = (tuple(hand[place] for place in places) for places in SPLITS[split])
        self._pair, self._other = int(shoe.pair_at[p]), int(shoe.pair_at[q])
        self._orbits, self._totals, self._shoe = orbits, totals, shoe
        self._ways = shoe.ways_in_order((*p, *q))

    def _sum(self, which: int, *, turned: bool = False) -> int:
        """Of one hand: the sums went over the whole orbit, and over the orders in which the hand can be dealt."""
        pair, other = (self._other, self._pair) if turned else (self._pair, self._other)
        orbit = self._orbits.of[pair, other]
        found, rest = divmod(int(self._totals[orbit, which]), int(self._orbits.sizes[orbit]) * self._ways)
        if rest:
            raise Miscounted("The sums over the boards are not those of equal hands: a piece of the count is damaged.")
        return found

    def joint(self) -> Joint:
        """How both pairs fare."""
        shoe = self._shoe
        if self._sum(BOARDS) != comb(shoe.cards - 4, BOARD):
            raise Miscounted("The boards that were counted are not all boards: a piece of the count is missing.")
        both_win = (self._sum(BOTH_WIN_TWICE) + self._sum(BOTH_WIN_TWICE, turned=True)) // 2
        tie_win, win_tie = self._sum(TIES_UNDER), self._sum(TIES_UNDER, turned=True)
        both_tie = self._sum(BOTH_TIE)
        tie_loss = self._sum(TIES) - tie_win - both_tie
        loss_tie = self._sum(TIES, turned=True) - win_tie - both_tie
        win_loss = self._sum(WINS) - both_win - win_tie
        loss_win = self._sum(WINS, turned=True) - both_win - tie_win
        some = both_win + tie_win + win_tie + both_tie + tie_loss + loss_tie + win_loss + loss_win
        both_lose = SHARES * shoe.hand_deals - some
        return (both_lose, loss_tie, loss_win), (tie_loss, both_tie, tie_win), (win_loss, win_tie, both_win)


def no_totals(orbits: Orbits) -> NDArray[np.object_]:
    """Sums to start with: whole numbers of any size."""
    return np.zeros((len(orbits.sizes), SUMS), dtype=object)
