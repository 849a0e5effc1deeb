"""Every board for every hand that keeps two cards, by inclusion and exclusion over the two discards.

The boards that avoid both discards are all boards, less those with one of them, less those with the other, plus those
with both. Boards with a given card follow from sums over all boards, by what the board holds: of ``n`` equal cards
each is on equally many boards. So one pass over the boards for each two cards kept serves every pair of discards.

As in ``shootout_boards`` cards are looked at by rank alone, and then, for each suit, as of that suit or not.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
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
from cardroom.odds.texas_shootout.hands import COPIES

IN_SUIT: Final = RANK_COUNT
"""Added to a rank for a card of the suit that is looked at: 13 kinds of cards of other suits, 13 of this one."""
_FACES: Final = 2 * RANK_COUNT


class Sums(NamedTuple):
    """Over all boards, by the two cards kept (by faces) and by the kind of hand made: how many there are, and how many
    cards and pairs of cards of each face are on them. Boards that a flush lifts from one kind to a better one are
    counted for the better kind and against the other, where suits are looked at."""

    boards: BoardCounts
    cards: BoardCounts
    pairs: BoardCounts


@kernel
def _add(
    sums: BoardCounts, cards: BoardCounts, pairs: BoardCounts, at: int, faces: BoardCounts, kind: int, count: int
) -> None:
    sums[at, kind] += count
    for one in range(BOARD):
        cards[at, faces[one], kind] += count
        for other in range(one + 1, BOARD):
            pairs[at, faces[one], faces[other], kind] += count
            if faces[one] != faces[other]:
                pairs[at, faces[other], faces[one], kind] += count


@parallel_kernel
def _sum_by_rank(kept: BoardCounts, b: Boards, sums: BoardCounts, cards: BoardCounts, pairs: BoardCounts) -> None:
    """All boards by their ranks, for each two ranks kept. The sums stay below 10 times 310 choose 5, about 2.3e11."""
    for at in prange(len(kept)):
        left = np.full(RANK_COUNT, 4 * COPIES)
        left[kept[at, 0]] -= 1
        left[kept[at, 1]] -= 1
        ways = np.empty(len(b.ranks), np.int64)
        ways_of_ranks(left, b.ranks, b.first[BOARD], b.first[BOARD + 1], b.choose, ways)
        own = b.rank_keys[kept[at, 0]] + b.rank_keys[kept[at, 1]]
        faces = np.empty(BOARD, np.int64)
        for board in range(b.first[BOARD], b.first[BOARD + 1]):
            for place in range(BOARD):
                faces[place] = b.ranks[board, place]
            kind = b.kinds[look_up(b.sums[board] + own, b.unsuited, b.rows, b.shift, b.mask)]
            _add(sums, cards, pairs, at, faces, int(kind), ways[board])


@parallel_kernel
def _sum_by_suit(kept: BoardCounts, b: Boards, sums: BoardCounts, cards: BoardCounts, pairs: BoardCounts) -> None:
    """What flushes change, for each two faces kept."""
    for at in prange(len(kept)):
        ranks, first = b.ranks, b.first
        others, of_suit = np.full(RANK_COUNT, 3 * COPIES), np.full(RANK_COUNT, COPIES)
        own, in_suit, count = np.uint64(0), np.uint64(0), 0
        for card in range(2):
            rank = kept[at, card] % IN_SUIT
            own += b.rank_keys[rank]
            if kept[at, card] >= IN_SUIT:
                of_suit[rank] -= 1
                in_suit += b.rank_keys[rank]
                count += 1
            else:
                others[rank] -= 1
        fewest = BOARD - count
        ways_in, ways_out = np.empty(len(ranks), np.int64), np.empty(len(ranks), np.int64)
        ways_of_ranks(of_suit, ranks, first[fewest], first[BOARD + 1], b.choose, ways_in)
        ways_of_ranks(others, ranks, first[0], first[BOARD - fewest + 1], b.choose, ways_out)
        faces = np.empty(BOARD, np.int64)
        for size in range(fewest, BOARD + 1):
            for inside in range(first[size], first[size + 1]):
                for place in range(size):
                    faces[place] = ranks[inside, place] + IN_SUIT
                flush = look_up(b.sums[inside] + in_suit, b.suited, b.rows, b.shift, b.mask)
                for outside in range(first[BOARD - size], first[BOARD - size + 1]):
                    for place in range(BOARD - size):
                        faces[size + place] = ranks[outside, place]
                    plain = look_up(b.sums[inside] + b.sums[outside] + own, b.unsuited, b.rows, b.shift, b.mask)
                    if b.kinds[plain] != b.kinds[max(plain, flush)]:
                        ways = ways_in[inside] * ways_out[outside]
                        _add(sums, cards, pairs, at, faces, int(b.kinds[plain]), -ways)
                        _add(sums, cards, pairs, at, faces, int(b.kinds[max(plain, flush)]), ways)


@cache
def _sums(faces: int) -> Sums:
    """The sums for every two ranks kept (13 faces), or for every two faces (26)."""
    kept = np.array(list(combinations_with_replacement(range(faces), 2)), np.int64)
    found = Sums(
        np.zeros((len(kept), KIND_COUNT), np.int64),
        np.zeros((len(kept), faces, KIND_COUNT), np.int64),
        np.zeros((len(kept), faces, faces, KIND_COUNT), np.int64),
    )
    (_sum_by_rank if faces == RANK_COUNT else _sum_by_suit)(kept, boards(), *found)
    return found


def kinds_kept(cards: NDArray[np.uint8]) -> BoardCounts:
    """By hand, its two cards kept and then its two discards: how many of the 308 choose 5 boards make which kind."""
    codes = cards.astype(np.int64)
    found = _avoiding(codes >> 2, _sums(RANK_COUNT), 4 * COPIES, 4 * COPIES)
    for suit in range(4):
        faces = (codes >> 2) + IN_SUIT * (codes & 3 == suit)
        found += _avoiding(faces, _sums(_FACES), 3 * COPIES, COPIES)
    return found


def _avoiding(faces: BoardCounts, sums: Sums, copies: int, copies_in_suit: int) -> BoardCounts:
    """The boards without the discards, from the sums over all boards; every division is exact."""
    kept, (one, other) = np.sort(faces[:, :2], axis=1), faces[:, 2:].T
    count = sums.cards.shape[1]
    pair = kept[:, 0] * count - kept[:, 0] * (kept[:, 0] - 1) // 2 + kept[:, 1] - kept[:, 0]

    def left(face: BoardCounts) -> BoardCounts:
        before = np.where(face < IN_SUIT, copies, copies_in_suit)
        after: BoardCounts = before - (faces[:, 0] == face) - (faces[:, 1] == face)
        return after

    both = np.where(one == other, left(one) * (left(one) - 1) // 2, left(one) * left(other))
    found: BoardCounts = (
        sums.boards[pair]
        - sums.cards[pair, one] // left(one)[:, None]
        - sums.cards[pair, other] // left(other)[:, None]
        + sums.pairs[pair, one, other] // both[:, None]
    )
    return found
