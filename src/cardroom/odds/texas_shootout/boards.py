"""Every board of five community cards for a Texas Shootout hand, counted exactly by the kind of hand it makes.

Suits matter to a board only when three or more of its cards are of one suit, and there is at most one such suit. So
all boards are counted by their ranks first; then, for each suit, the boards that make a flush or better in it are
moved from what their ranks make to what they make. For that a card is of the suit or not, whatever its suit else.
"""

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
from cardroom.hands.strength import look_up
from cardroom.hands.tables import tables
from cardroom.kernels import kernel, parallel_kernel, prange
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


HAND_KINDS: Final = tuple(dict.fromkeys(map(HandKind.of, SIX_DECK.classes)))
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


@kernel
def count_boards(cards: NDArray[np.uint8], at: int, gone: BoardCounts, b: Boards, found: BoardCounts) -> None:
    """Count the boards by what they make of two pairs of cards, ``cards[at]``; ``gone`` are all cards out of the deck.

    ``found[at]`` gets the counts by ``KIND_COUNT * first pair's kind + second pair's kind``. The largest sum is 308
    choose 5, about 2.2e10.
    """
    ranks, sums, first, kinds = b.ranks, b.sums, b.first, b.kinds
    rows, unsuited, suited, shift, mask = b.rows, b.unsuited, b.suited, b.shift, b.mask
    rank_keys = b.rank_keys
    one = rank_keys[cards[at, 0] >> 2] + rank_keys[cards[at, 1] >> 2]
    other = rank_keys[cards[at, 2] >> 2] + rank_keys[cards[at, 3] >> 2]
    left = np.empty(RANK_COUNT, np.int64)
    for rank in range(RANK_COUNT):
        left[rank] = 4 * COPIES
        for suit in range(4):
            left[rank] -= gone[4 * rank + suit]
    ways_in, ways_out = np.empty(len(ranks), np.int64), np.empty(len(ranks), np.int64)
    ways_of_ranks(left, ranks, first[BOARD], first[BOARD + 1], b.choose, ways_in)
    for board in range(first[BOARD], first[BOARD + 1]):
        place = KIND_COUNT * np.int64(kinds[look_up(sums[board] + one, unsuited, rows, shift, mask)])
        place += kinds[look_up(sums[board] + other, unsuited, rows, shift, mask)]
        found[at, place] += ways_in[board]
    of_suit, others = np.empty(RANK_COUNT, np.int64), np.empty(RANK_COUNT, np.int64)
    for suit in range(4):
        for rank in range(RANK_COUNT):
            of_suit[rank] = COPIES - gone[4 * rank + suit]
            others[rank] = left[rank] - of_suit[rank]
        one_in, one_count = _in_suit(cards[at, 0], cards[at, 1], suit, rank_keys)
        other_in, other_count = _in_suit(cards[at, 2], cards[at, 3], suit, rank_keys)
        fewest = BOARD - max(one_count, other_count)
        ways_of_ranks(of_suit, ranks, first[fewest], first[BOARD + 1], b.choose, ways_in)
        ways_of_ranks(others, ranks, first[0], first[BOARD - fewest + 1], b.choose, ways_out)
        for size in range(fewest, BOARD + 1):
            for inside in range(first[size], first[size + 1]):
                one_flush, other_flush = np.uint16(0), np.uint16(0)
                if size + one_count >= BOARD:
                    one_flush = look_up(sums[inside] + one_in, suited, rows, shift, mask)
                if size + other_count >= BOARD:
                    other_flush = look_up(sums[inside] + other_in, suited, rows, shift, mask)
                for outside in range(first[BOARD - size], first[BOARD - size + 1]):
                    total = sums[inside] + sums[outside]
                    plain = look_up(total + one, unsuited, rows, shift, mask)
                    before = KIND_COUNT * np.int64(kinds[plain])
                    after = KIND_COUNT * np.int64(kinds[max(plain, one_flush)])
                    plain = look_up(total + other, unsuited, rows, shift, mask)
                    before += kinds[plain]
                    after += kinds[max(plain, other_flush)]
                    ways = ways_in[inside] * ways_out[outside]
                    found[at, before] -= ways
                    found[at, after] += ways


@kernel
def _in_suit(one: int, other: int, suit: int, rank_keys: NDArray[np.uint64]) -> tuple[np.uint64, int]:
    """The sum of the keys of those of two cards that are of a suit, and how many they are."""
    total, count = np.uint64(0), 0
    if one & 3 == suit:
        total += rank_keys[one >> 2]
        count += 1
    if other & 3 == suit:
        total += rank_keys[other >> 2]
        count += 1
    return total, count


@parallel_kernel
def _count_hands(cards: NDArray[np.uint8], b: Boards, found: BoardCounts) -> None:
    for at in prange(len(cards)):
        gone = np.zeros(KINDS_OF_CARD, np.int64)
        for card in range(4):
            gone[cards[at, card]] += 1
        count_boards(cards, at, gone, b, found)


@parallel_kernel
def _count_pairs(cards: NDArray[np.uint8], gone: BoardCounts, b: Boards, found: BoardCounts) -> None:
    for at in prange(len(cards)):
        count_boards(cards, at, gone, b, found)


def kinds_of_hands(cards: NDArray[np.uint8]) -> BoardCounts:
    """By hand that is split: in how many of the 308 choose 5 boards its first two cards make which kind and its last
    two cards which kind, an array with an axis for each."""
    found = np.zeros((len(cards), KIND_COUNT**2), np.int64)
    _count_hands(np.ascontiguousarray(cards), boards(), found)
    return found.reshape(len(cards), KIND_COUNT, KIND_COUNT)


def kinds_of_pairs(pairs: NDArray[np.uint8], gone: BoardCounts) -> BoardCounts:
    """The same for two pairs of cards in each row when these cards, the row's own among them, are gone."""
    found = np.zeros((len(pairs), KIND_COUNT**2), np.int64)
    _count_pairs(np.ascontiguousarray(pairs), gone, boards(), found)
    return found.reshape(len(pairs), KIND_COUNT, KIND_COUNT)


def same_color_boards(pair: NDArray[np.uint8], gone: BoardCounts) -> int:
    """How many boards are all of the color of two cards; none when the two differ in color (Color Bonus)."""
    red = [code & 3 in (1, 2) for code in range(KINDS_OF_CARD)]
    if red[pair[0]] != red[pair[1]]:
        return 0
    left = sum(COPIES - int(gone[code]) for code in range(KINDS_OF_CARD) if red[code] == red[pair[0]])
    return comb(left, BOARD)
