"""Every board for both pairs of a Texas Shootout hand, counted exactly by the kinds of hands it makes.

Suits matter to a board only when three or more of its cards are of one suit, and there is at most one such suit. So
all boards are counted by their ranks first; then, for each suit, the boards that make a flush or better in it are
moved from what their ranks make to what they make. For that a card is of the suit or not, whatever its suit else.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.strength import look_up
from cardroom.kernels import kernel, parallel_kernel, prange
from cardroom.odds.texas_shootout.boards import (
    BOARD,
    KIND_COUNT,
    RANK_COUNT,
    BoardCounts,
    Boards,
    boards,
    ways_of_ranks,
)
from cardroom.odds.texas_shootout.hands import COPIES, KEEPS, pair_places

_IN_SUIT: Final = 3
"""Cards of one suit on a board, at least, that matter."""
_ONE: Final = 1
_TWO: Final = _ONE + RANK_COUNT
"""Where one card of a suit and where two stand among the cards that a pair may have of it."""
_JOINT: Final = KIND_COUNT**2


class Kinds(NamedTuple):
    """What two cards make on each board, by ranks."""

    plain: NDArray[np.uint8]
    """By two ranks (13 times one plus the other) and board of five ranks: the kind of hand but for flushes."""
    flush: NDArray[np.uint8]
    """By the pair's cards of a suit and the board's, three to five: the kind of flush; 0, the lowest kind of all, where
    they are fewer than five."""
    joined: NDArray[np.uint16]
    """By ranks of three or four cards of a suit and ranks of the others: which board they are."""
    joined_first: NDArray[np.int64]
    """By ranks of three or four cards of a suit: where their row in ``joined`` begins."""


@kernel
def _fill(b: Boards, plain: NDArray[np.uint8], flush: NDArray[np.uint8]) -> None:
    fives = b.first[BOARD]
    for one in range(RANK_COUNT):
        for other in range(RANK_COUNT):
            own = b.rank_keys[one] + b.rank_keys[other]
            for board in range(plain.shape[1]):
                strength = look_up(b.sums[fives + board] + own, b.unsuited, b.rows, b.shift, b.mask)
                plain[RANK_COUNT * one + other, board] = b.kinds[strength]
    threes = b.first[_IN_SUIT]
    for held in range(flush.shape[0]):
        own, count = np.uint64(0), 0
        if held >= _TWO:
            own, count = b.rank_keys[(held - _TWO) // RANK_COUNT] + b.rank_keys[(held - _TWO) % RANK_COUNT], 2
        elif held >= _ONE:
            own, count = b.rank_keys[held - _ONE], 1
        for inside in range(b.first[BOARD - count] - threes, flush.shape[1]):
            strength = look_up(b.sums[threes + inside] + own, b.suited, b.rows, b.shift, b.mask)
            flush[held, inside] = b.kinds[strength]


@cache
def _kinds() -> Kinds:
    """Built once in a process, in some ten milliseconds."""
    b = boards()
    threes, fives, end = (int(b.first[size]) for size in (_IN_SUIT, BOARD, BOARD + 1))
    plain = np.zeros((RANK_COUNT**2, end - fives), np.uint8)
    flush = np.zeros((_TWO + RANK_COUNT**2, end - threes), np.uint8)
    _fill(b, plain, flush)
    order = np.argsort(b.sums[fives:end])
    known = b.sums[fives:end][order]
    joined = []
    for size in range(_IN_SUIT, BOARD):
        insides, outsides = b.first[size : size + 2], b.first[BOARD - size : BOARD - size + 2]
        both = b.sums[slice(*insides), None] + b.sums[None, slice(*outsides)]
        joined.append(order[np.searchsorted(known, both)].astype(np.uint16))
    widths = np.concatenate([np.full(len(some), some.shape[1]) for some in joined])
    return Kinds(plain, flush, np.concatenate([some.ravel() for some in joined]), np.cumsum(widths) - widths)


class Ways(NamedTuple):
    """In how many ways the boards are dealt beside a hand."""

    boards: BoardCounts
    """By ranks of five."""
    inside: BoardCounts
    """By suit and ranks of three to five cards of it."""
    outside: BoardCounts
    """By suit and ranks of none to two cards of the other suits."""


@kernel
def _ways(hand: NDArray[np.uint8], b: Boards) -> Ways:
    """``hand`` are the four cards that are gone."""
    threes, fives, end = b.first[_IN_SUIT], b.first[BOARD], b.first[BOARD + 1]
    found = np.empty(end, np.int64)
    left, of_suit, others = (
        np.full(RANK_COUNT, 4 * COPIES),
        np.empty(RANK_COUNT, np.int64),
        np.empty(RANK_COUNT, np.int64),
    )
    for card in hand:
        left[card >> 2] -= 1
    ways_of_ranks(left, b.ranks, fives, end, b.choose, found)
    ways = Ways(found[fives:].copy(), np.empty((4, end - threes), np.int64), np.empty((4, threes), np.int64))
    for suit in range(4):
        of_suit[:] = COPIES
        others[:] = left
        for card in hand:
            if card & 3 == suit:
                of_suit[card >> 2] -= 1
        for rank in range(RANK_COUNT):
            others[rank] -= of_suit[rank]
        ways_of_ranks(of_suit, b.ranks, threes, end, b.choose, found)
        ways.inside[suit, :] = found[threes:]
        ways_of_ranks(others, b.ranks, 0, threes, b.choose, found)
        ways.outside[suit, :] = found[:threes]
    return ways


@kernel
def _held(one: int, other: int, suit: int) -> tuple[int, int]:
    """Which of two cards are of a suit, as ``Kinds.flush`` numbers them, and how many they are."""
    first, second = one & 3 == suit, other & 3 == suit
    if first and second:
        return _TWO + RANK_COUNT * (one >> 2) + (other >> 2), 2
    if first or second:
        return _ONE + ((one if first else other) >> 2), 1
    return 0, 0


@kernel
def _count_split(cards: NDArray[np.uint8], ways: Ways, b: Boards, k: Kinds, found: BoardCounts) -> None:
    """Count the boards by what they make of the first two cards and of the last two, into ``found`` by ``KIND_COUNT *
    first pair's kind + second pair's kind``. The largest sum is 308 choose 5, about 2.2e10."""
    first, threes = b.first, b.first[_IN_SUIT]
    a, c, d, e = int(cards[0]), int(cards[1]), int(cards[2]), int(cards[3])
    one = k.plain[RANK_COUNT * (a >> 2) + (c >> 2)]
    other = k.plain[RANK_COUNT * (d >> 2) + (e >> 2)]
    for board in range(len(ways.boards)):
        found[KIND_COUNT * np.int64(one[board]) + other[board]] += ways.boards[board]
    # By the flushes that both pairs have, and then by what ranks make.
    moved = np.zeros(_JOINT * _JOINT, np.int64)
    for suit in range(4):
        one_held, one_count = _held(a, c, suit)
        other_held, other_count = _held(d, e, suit)
        one_flush, other_flush = k.flush[one_held], k.flush[other_held]
        inside_ways, outside_ways = ways.inside[suit], ways.outside[suit]
        for size in range(BOARD - max(one_count, other_count), BOARD):
            start, end = first[BOARD - size], first[BOARD - size + 1]
            for inside in range(first[size] - threes, first[size + 1] - threes):
                lifted = _JOINT * (KIND_COUNT * np.int64(one_flush[inside]) + other_flush[inside])
                there, at = inside_ways[inside], k.joined_first[inside]
                for outside in range(start, end):
                    board = k.joined[at + outside - start]
                    place = KIND_COUNT * np.int64(one[board]) + other[board]
                    moved[lifted + place] += there * outside_ways[outside]
        fives = first[BOARD] - threes
        for board in range(len(ways.boards)):
            inside = fives + board
            lifted = _JOINT * (KIND_COUNT * np.int64(one_flush[inside]) + other_flush[inside])
            moved[lifted + KIND_COUNT * np.int64(one[board]) + other[board]] += inside_ways[inside]
    _lift(moved, found)


@kernel
def _lift(moved: BoardCounts, found: BoardCounts) -> None:
    """Move boards from what their ranks make to what their flushes make, where that is better."""
    for place in range(len(moved)):
        count = moved[place]
        if count:
            flushes, plain = divmod(place, _JOINT)
            one, other = max(flushes // KIND_COUNT, plain // KIND_COUNT), max(flushes % KIND_COUNT, plain % KIND_COUNT)
            found[plain] -= count
            found[KIND_COUNT * one + other] += count


@parallel_kernel
def _count_hands(cards: NDArray[np.uint8], b: Boards, k: Kinds, found: BoardCounts) -> None:
    for at in prange(len(cards)):
        _count_split(cards[at], _ways(cards[at], b), b, k, found[at])


@kernel
def _count_splits(hand: NDArray[np.uint8], places: NDArray[np.uint8], b: Boards, k: Kinds, found: BoardCounts) -> None:
    ways = _ways(hand, b)
    for split in range(len(places)):
        _count_split(hand[places[split]], ways, b, k, found[split])


def kinds_of_hands(cards: NDArray[np.uint8]) -> BoardCounts:
    """By hand that is split: in how many of the 308 choose 5 boards its first two cards make which kind and its last
    two cards which kind, an array with an axis for each."""
    found = np.zeros((len(cards), _JOINT), np.int64)
    _count_hands(np.ascontiguousarray(cards), boards(), _kinds(), found)
    return found.reshape(len(cards), KIND_COUNT, KIND_COUNT)


def kinds_of_splits(hand: NDArray[np.uint8]) -> BoardCounts:
    """The same for each way to split one hand, whose codes ascend."""
    return _of_one_hand(hand, pair_places()[KEEPS:])


def kinds_of_split(cards: NDArray[np.uint8]) -> BoardCounts:
    """The same for one hand that is split into its first two cards and its last two."""
    found: BoardCounts = _of_one_hand(cards, np.arange(4, dtype=np.uint8)[None, :])[0]
    return found


def _of_one_hand(hand: NDArray[np.uint8], splits: NDArray[np.uint8]) -> BoardCounts:
    """Without other threads, which a single hand is not worth."""
    found = np.zeros((len(splits), _JOINT), np.int64)
    _count_splits(hand, splits, boards(), _kinds(), found)
    return found.reshape(len(splits), KIND_COUNT, KIND_COUNT)
