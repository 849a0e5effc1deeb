"""Boards of five community cards by their ranks, and the kinds of hands that they make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.games.texas_shootout.features import SHOOTOUT_EVENTS
from cardroom.hands import SIX_DECK, Category, HandClass
from cardroom.hands.tables import tables
from cardroom.kernels import kernel
from cardroom.odds.texas_shootout.hands import COPIES, KINDS_OF_CARD

BOARD: Final = 5
RANK_COUNT: Final = 13
_LOW: Final = np.uint64((1 << 32) - 1)

BoardCounts = NDArray[np.int64]


_ACES: Final = (14,) * 5


@dataclass(frozen=True, slots=True)
class HandKind:
    """What a hand can be, as far as a paytable or a feature asks."""

    category: Category
    five_aces: bool = False

    @classmethod
    def of(cls, one: HandClass) -> HandKind:
        """The kind that the hands of a class are."""
        return cls(one.category, one.ranks == _ACES)

    @property
    def events(self) -> tuple[str, ...]:
        """The lines of the Shootout Bonus and Jackpot tables that it meets, the best one first."""
        return SHOOTOUT_EVENTS.get(self.category, ())


_FIVES: Final = (Category.FIVE_OF_A_KIND, Category.FIVE_OF_A_KIND_SUITED)
HAND_KINDS: Final = tuple(
    HandKind(category, aces)
    for category in SIX_DECK.order
    for aces in ((False, True) if category in _FIVES else (False,))
)
"""From the lowest up."""
KIND_COUNT: Final = len(HAND_KINDS)


class Boards(NamedTuple):
    """What the kernels look up: multisets of ranks by size, with the sums of their keys."""

    ranks: NDArray[np.int8]
    """Multisets of no to five ranks, the missing ones -1."""
    sums: NDArray[np.uint64]
    first: NDArray[np.int64]
    """By size: where its multisets begin; one more for the end."""
    choose: NDArray[np.int64]
    """``choose[n, k]`` for up to 24 cards of a rank."""
    rank_keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    """By strength: the place in ``HAND_KINDS``."""
    rows: NDArray[np.uint16]
    unsuited: NDArray[np.uint16]
    suited: NDArray[np.uint16]
    shift: np.uint64
    mask: np.uint64


@cache
def boards() -> Boards:
    """Build them; some ten thousand entries."""
    t = tables(SIX_DECK)
    rank_keys = t.keys[0:KINDS_OF_CARD:4] & _LOW
    by_size = [list(combinations_with_replacement(range(RANK_COUNT), size)) for size in range(BOARD + 1)]
    ranks = np.array([[*one, *[-1] * (BOARD - len(one))] for some in by_size for one in some], np.int8)
    sums = np.array([sum(int(rank_keys[rank]) for rank in one) for some in by_size for one in some], np.uint64)
    first = np.cumsum([0, *map(len, by_size)])
    choose = np.array([[comb(n, k) for k in range(BOARD + 1)] for n in range(4 * COPIES + 1)])
    kinds = [HAND_KINDS.index(HandKind.of(one)) for one in SIX_DECK.classes]
    return Boards(
        ranks, sums, first, choose, rank_keys, np.array([0, *kinds], np.uint8), t.rows, t.unsuited, t.suited,
        t.row_shift, t.slot_mask,
    )  # fmt: skip


@kernel
def ways_of_ranks(
    left: BoardCounts, ranks: NDArray[np.int8], first: int, end: int, choose: BoardCounts, out: BoardCounts
) -> None:
    """In how many ways each multiset can be drawn when so many cards of each rank are left."""
    for at in range(first, end):
        ways, run = 1, 0
        for place in range(BOARD):
            rank = ranks[at, place]
            if rank < 0:
                break
            run += 1
            if place == BOARD - 1 or ranks[at, place + 1] != rank:
                ways *= choose[left[rank], run]
                run = 0
        out[at] = ways


def same_color_boards(pair: NDArray[np.uint8], hand: NDArray[np.uint8]) -> int:
    """How many boards are all of the color of two cards of a hand; none when the two differ in color (Color Bonus)."""
    of_color = [code & 3 in (1, 2) for code in pair.tolist()]
    if of_color[0] != of_color[1]:
        return 0
    gone = sum((code & 3 in (1, 2)) == of_color[0] for code in hand.tolist())
    return comb(KINDS_OF_CARD // 2 * COPIES - gone, BOARD)
