"""Exact counts of the boards for a Texas Shootout hand, by the kinds of hands that they make.

Suits matter to a board only if three or more of its cards have one suit, and there is at most one such suit. So all
boards are counted by ranks first; then, for each suit, the boards that make a flush or better in it move from the kind
by ranks to the kind by suit. For that, a card has the suit or not.

For every hand that keeps two cards, the boards follow by inclusion and exclusion over the two discards: all boards,
minus those with one of them, minus those with the other, plus those with both. Boards with a given card follow from
sums over all boards, by the board's content: each of ``n`` equal cards is on equally many boards. So one pass over the
boards for each two cards kept serves every pair of discards.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.strength import look_up
from cardroom.kernels import kernel, parallel_kernel, prange
from cardroom.odds.texas_shootout.hands_and_boards import (
    BOARD,
    COPIES,
    KEEPS,
    KIND_COUNT,
    RANK_COUNT,
    BoardCounts,
    BoardTables,
    board_tables,
    count_rank_combinations,
    pair_places,
)

_MIN_SUITED: Final = 3
"""The least number of cards of one suit on a board that matters."""
_ONE: Final = 1
_TWO: Final = _ONE + RANK_COUNT
"""The first indexes of one card and of two cards among the cards of a suit that a pair can have."""
_JOINT: Final = KIND_COUNT**2


class PairKinds(NamedTuple):
    """The kinds of hands that two cards make on each board."""

    rank_kinds: NDArray[np.uint8]
    """The kind of hand without flushes, by two ranks (13 times one plus the other) and board of five ranks."""
    flush_kinds: NDArray[np.uint8]
    """The kind of flush by the pair's cards of a suit and the board's three to five; 0, the lowest kind of all, if they
    are fewer than five."""
    board_places: NDArray[np.uint16]
    """The board by ranks of three or four cards of a suit and ranks of the others."""
    board_starts: NDArray[np.int64]
    """The start of the row in ``board_places``, by ranks of three or four cards of a suit."""


@kernel
def _fill_kinds(b: BoardTables, plain: NDArray[np.uint8], flush: NDArray[np.uint8]) -> None:
    fives = b.first[BOARD]
    for first_rank in range(RANK_COUNT):
        for second_rank in range(RANK_COUNT):
            own = b.rank_keys[first_rank] + b.rank_keys[second_rank]
            for board in range(plain.shape[1]):
                strength = look_up(b.sums[fives + board] + own, b.unsuited, b.rows, b.shift, b.mask)
                plain[RANK_COUNT * first_rank + second_rank, board] = b.kinds[strength]
    threes = b.first[_MIN_SUITED]
    for suited_number in range(flush.shape[0]):
        own, count = np.uint64(0), 0
        if suited_number >= _TWO:
            own, count = (
                b.rank_keys[(suited_number - _TWO) // RANK_COUNT] + b.rank_keys[(suited_number - _TWO) % RANK_COUNT],
                2,
            )
        elif suited_number >= _ONE:
            own, count = b.rank_keys[suited_number - _ONE], 1
        for inside in range(b.first[BOARD - count] - threes, flush.shape[1]):
            strength = look_up(b.sums[threes + inside] + own, b.suited, b.rows, b.shift, b.mask)
            flush[suited_number, inside] = b.kinds[strength]


@cache
def _pair_kinds() -> PairKinds:
    """Build the tables, once in a process, in about ten milliseconds."""
    b = board_tables()
    threes, fives, end = (int(b.first[size]) for size in (_MIN_SUITED, BOARD, BOARD + 1))
    plain = np.zeros((RANK_COUNT**2, end - fives), np.uint8)
    flush = np.zeros((_TWO + RANK_COUNT**2, end - threes), np.uint8)
    _fill_kinds(b, plain, flush)
    order = np.argsort(b.sums[fives:end])
    sorted_sums = b.sums[fives:end][order]
    joined = []
    for size in range(_MIN_SUITED, BOARD):
        insides, outsides = b.first[size : size + 2], b.first[BOARD - size : BOARD - size + 2]
        both = b.sums[slice(*insides), None] + b.sums[None, slice(*outsides)]
        joined.append(order[np.searchsorted(sorted_sums, both)].astype(np.uint16))
    widths = np.concatenate([np.full(len(rows), rows.shape[1]) for rows in joined])
    return PairKinds(plain, flush, np.concatenate([rows.ravel() for rows in joined]), np.cumsum(widths) - widths)


class BoardCombinations(NamedTuple):
    """The number of ways to deal the boards beside a hand."""

    boards: BoardCounts
    """By five ranks."""
    suited: BoardCounts
    """By suit and by ranks of three to five cards of it."""
    offsuit: BoardCounts
    """By suit and by ranks of none to two cards of the other suits."""


@kernel
def _board_combinations(hand: NDArray[np.uint8], b: BoardTables) -> BoardCombinations:
    """``hand`` has the four cards that are gone from the shoe."""
    threes, fives, end = b.first[_MIN_SUITED], b.first[BOARD], b.first[BOARD + 1]
    rank_ways = np.empty(end, np.int64)
    remaining, of_suit, others = (
        np.full(RANK_COUNT, 4 * COPIES),
        np.empty(RANK_COUNT, np.int64),
        np.empty(RANK_COUNT, np.int64),
    )
    for card in hand:
        remaining[card >> 2] -= 1
    count_rank_combinations(remaining, b.ranks, fives, end, b.choose, rank_ways)
    ways = BoardCombinations(
        rank_ways[fives:].copy(), np.empty((4, end - threes), np.int64), np.empty((4, threes), np.int64)
    )
    for suit in range(4):
        of_suit[:] = COPIES
        others[:] = remaining
        for card in hand:
            if card & 3 == suit:
                of_suit[card >> 2] -= 1
        for rank in range(RANK_COUNT):
            others[rank] -= of_suit[rank]
        count_rank_combinations(of_suit, b.ranks, threes, end, b.choose, rank_ways)
        ways.suited[suit, :] = rank_ways[threes:]
        count_rank_combinations(others, b.ranks, 0, threes, b.choose, rank_ways)
        ways.offsuit[suit, :] = rank_ways[:threes]
    return ways


@kernel
def _suited_cards(first_card: int, second_card: int, suit: int) -> tuple[int, int]:
    """The cards of a suit among two cards, in the numbering of ``Kinds.flush``, and their number."""
    first, second = first_card & 3 == suit, second_card & 3 == suit
    if first and second:
        return _TWO + RANK_COUNT * (first_card >> 2) + (second_card >> 2), 2
    if first or second:
        return _ONE + ((first_card if first else second_card) >> 2), 1
    return 0, 0


@kernel
def _count_split(
    cards: NDArray[np.uint8], ways: BoardCombinations, b: BoardTables, k: PairKinds, counts: BoardCounts
) -> None:
    """Count the boards by what they make of the first two cards and of the last two, into ``counts`` by ``KIND_COUNT *
    first pair's kind + second pair's kind``. The largest sum is 308 choose 5, about 2.2e10."""
    first, threes = b.first, b.first[_MIN_SUITED]
    a, c, d, e = int(cards[0]), int(cards[1]), int(cards[2]), int(cards[3])
    first_kinds = k.rank_kinds[RANK_COUNT * (a >> 2) + (c >> 2)]
    second_kinds = k.rank_kinds[RANK_COUNT * (d >> 2) + (e >> 2)]
    for board in range(len(ways.boards)):
        counts[KIND_COUNT * np.int64(first_kinds[board]) + second_kinds[board]] += ways.boards[board]
    # By the flushes of both pairs, and then by the kinds of their ranks.
    moved_counts = np.zeros(_JOINT * _JOINT, np.int64)
    for suit in range(4):
        one_held, one_count = _suited_cards(a, c, suit)
        other_held, other_count = _suited_cards(d, e, suit)
        one_flush, other_flush = k.flush_kinds[one_held], k.flush_kinds[other_held]
        inside_ways, outside_ways = ways.suited[suit], ways.offsuit[suit]
        for size in range(BOARD - max(one_count, other_count), BOARD):
            start, end = first[BOARD - size], first[BOARD - size + 1]
            for inside in range(first[size] - threes, first[size + 1] - threes):
                lifted = _JOINT * (KIND_COUNT * np.int64(one_flush[inside]) + other_flush[inside])
                suited_count, at = inside_ways[inside], k.board_starts[inside]
                for outside in range(start, end):
                    board = k.board_places[at + outside - start]
                    place = KIND_COUNT * np.int64(first_kinds[board]) + second_kinds[board]
                    moved_counts[lifted + place] += suited_count * outside_ways[outside]
        fives = first[BOARD] - threes
        for board in range(len(ways.boards)):
            inside = fives + board
            lifted = _JOINT * (KIND_COUNT * np.int64(one_flush[inside]) + other_flush[inside])
            moved_counts[lifted + KIND_COUNT * np.int64(first_kinds[board]) + second_kinds[board]] += inside_ways[
                inside
            ]
    _lift(moved_counts, counts)


@kernel
def _lift(moved_counts: BoardCounts, counts: BoardCounts) -> None:
    """Move boards from the kind by ranks to the kind by flushes, if that is better."""
    for place in range(len(moved_counts)):
        count = moved_counts[place]
        if count:
            flushes, plain = divmod(place, _JOINT)
            first_kind, second_kind = (
                max(flushes // KIND_COUNT, plain // KIND_COUNT),
                max(flushes % KIND_COUNT, plain % KIND_COUNT),
            )
            counts[plain] -= count
            counts[KIND_COUNT * first_kind + second_kind] += count


@parallel_kernel
def _count_hands(cards: NDArray[np.uint8], b: BoardTables, k: PairKinds, counts: BoardCounts) -> None:
    for at in prange(len(cards)):
        _count_split(cards[at], _board_combinations(cards[at], b), b, k, counts[at])


@kernel
def _count_splits(
    hand: NDArray[np.uint8], places: NDArray[np.uint8], b: BoardTables, k: PairKinds, counts: BoardCounts
) -> None:
    ways = _board_combinations(hand, b)
    for split in range(len(places)):
        _count_split(hand[places[split]], ways, b, k, counts[split])


def count_split_kinds(cards: NDArray[np.uint8]) -> BoardCounts:
    """The number of the 308 choose 5 boards by kind of the first two cards and kind of the last two cards, for each
    split hand. The array has an axis for each."""
    counts = np.zeros((len(cards), _JOINT), np.int64)
    _count_hands(np.ascontiguousarray(cards), board_tables(), _pair_kinds(), counts)
    return counts.reshape(len(cards), KIND_COUNT, KIND_COUNT)


def count_every_split(hand: NDArray[np.uint8]) -> BoardCounts:
    """The same for each way to split one hand with ascending codes."""
    return _count_one_hand(hand, pair_places()[KEEPS:])


def count_one_split(cards: NDArray[np.uint8]) -> BoardCounts:
    """The same for one hand that is split into its first two cards and its last two."""
    counts: BoardCounts = _count_one_hand(cards, np.arange(4, dtype=np.uint8)[None, :])[0]
    return counts


def _count_one_hand(hand: NDArray[np.uint8], splits: NDArray[np.uint8]) -> BoardCounts:
    """Count on one thread; a single hand is not worth more."""
    counts = np.zeros((len(splits), _JOINT), np.int64)
    _count_splits(hand, splits, board_tables(), _pair_kinds(), counts)
    return counts.reshape(len(splits), KIND_COUNT, KIND_COUNT)


SUITED_OFFSET: Final = RANK_COUNT
"""Added to the rank of a card of the current suit: 13 faces for other suits, 13 for this suit."""
_FACES: Final = 2 * RANK_COUNT


class BoardSums(NamedTuple):
    """Sums over all boards, by the faces of the two cards kept and the kind of hand made: the number of boards, and the
    number of cards and pairs of cards of each face on them. If suits matter, boards that a flush moves to a better kind
    count plus for that kind and minus for the other."""

    boards: BoardCounts
    cards: BoardCounts
    pairs: BoardCounts


@kernel
def _add_board(
    sums: BoardCounts, cards: BoardCounts, pairs: BoardCounts, at: int, faces: BoardCounts, kind: int, count: int
) -> None:
    sums[at, kind] += count
    for first in range(BOARD):
        cards[at, faces[first], kind] += count
        for second in range(first + 1, BOARD):
            pairs[at, faces[first], faces[second], kind] += count
            if faces[first] != faces[second]:
                pairs[at, faces[second], faces[first], kind] += count


@parallel_kernel
def _sum_by_rank(
    kept_pairs: BoardCounts, b: BoardTables, sums: BoardCounts, cards: BoardCounts, pairs: BoardCounts
) -> None:
    """Sums by rank for each two ranks kept. They stay below 10 times 310 choose 5, about 2.3e11."""
    for at in prange(len(kept_pairs)):
        remaining = np.full(RANK_COUNT, 4 * COPIES)
        remaining[kept_pairs[at, 0]] -= 1
        remaining[kept_pairs[at, 1]] -= 1
        ways = np.empty(len(b.ranks), np.int64)
        count_rank_combinations(remaining, b.ranks, b.first[BOARD], b.first[BOARD + 1], b.choose, ways)
        own_keys = b.rank_keys[kept_pairs[at, 0]] + b.rank_keys[kept_pairs[at, 1]]
        faces = np.empty(BOARD, np.int64)
        for board in range(b.first[BOARD], b.first[BOARD + 1]):
            for place in range(BOARD):
                faces[place] = b.ranks[board, place]
            kind = b.kinds[look_up(b.sums[board] + own_keys, b.unsuited, b.rows, b.shift, b.mask)]
            _add_board(sums, cards, pairs, at, faces, int(kind), ways[board])


@parallel_kernel
def _sum_by_suit(
    kept_pairs: BoardCounts, b: BoardTables, sums: BoardCounts, cards: BoardCounts, pairs: BoardCounts
) -> None:
    """The changes by flushes, for each two faces kept."""
    for at in prange(len(kept_pairs)):
        ranks, first = b.ranks, b.first
        others, of_suit = np.full(RANK_COUNT, 3 * COPIES), np.full(RANK_COUNT, COPIES)
        own_keys, in_suit, count = np.uint64(0), np.uint64(0), 0
        for card in range(2):
            rank = kept_pairs[at, card] % SUITED_OFFSET
            own_keys += b.rank_keys[rank]
            if kept_pairs[at, card] >= SUITED_OFFSET:
                of_suit[rank] -= 1
                in_suit += b.rank_keys[rank]
                count += 1
            else:
                others[rank] -= 1
        fewest = BOARD - count
        ways_in, ways_out = np.empty(len(ranks), np.int64), np.empty(len(ranks), np.int64)
        count_rank_combinations(of_suit, ranks, first[fewest], first[BOARD + 1], b.choose, ways_in)
        count_rank_combinations(others, ranks, first[0], first[BOARD - fewest + 1], b.choose, ways_out)
        faces = np.empty(BOARD, np.int64)
        for size in range(fewest, BOARD + 1):
            for inside in range(first[size], first[size + 1]):
                for place in range(size):
                    faces[place] = ranks[inside, place] + SUITED_OFFSET
                flush = look_up(b.sums[inside] + in_suit, b.suited, b.rows, b.shift, b.mask)
                for outside in range(first[BOARD - size], first[BOARD - size + 1]):
                    for place in range(BOARD - size):
                        faces[size + place] = ranks[outside, place]
                    plain = look_up(b.sums[inside] + b.sums[outside] + own_keys, b.unsuited, b.rows, b.shift, b.mask)
                    if b.kinds[plain] != b.kinds[max(plain, flush)]:
                        ways = ways_in[inside] * ways_out[outside]
                        _add_board(sums, cards, pairs, at, faces, int(b.kinds[plain]), -ways)
                        _add_board(sums, cards, pairs, at, faces, int(b.kinds[max(plain, flush)]), ways)


@cache
def _sums_by_pair(faces: int) -> BoardSums:
    """The sums for every two ranks kept (13 faces), or for every two faces (26)."""
    kept_pairs = np.array(list(combinations_with_replacement(range(faces), 2)), np.int64)
    sums = BoardSums(
        np.zeros((len(kept_pairs), KIND_COUNT), np.int64),
        np.zeros((len(kept_pairs), faces, KIND_COUNT), np.int64),
        np.zeros((len(kept_pairs), faces, faces, KIND_COUNT), np.int64),
    )
    (_sum_by_rank if faces == RANK_COUNT else _sum_by_suit)(kept_pairs, board_tables(), *sums)
    return sums


def count_kept_kinds(cards: NDArray[np.uint8]) -> BoardCounts:
    """The number of the 308 choose 5 boards by kind, for each hand (the two cards kept and then the two discards)."""
    codes = cards.astype(np.int64)
    counts = _avoiding(codes >> 2, _sums_by_pair(RANK_COUNT), 4 * COPIES, 4 * COPIES)
    for suit in range(4):
        faces = (codes >> 2) + SUITED_OFFSET * (codes & 3 == suit)
        counts += _avoiding(faces, _sums_by_pair(_FACES), 3 * COPIES, COPIES)
    return counts


def _avoiding(faces: BoardCounts, sums: BoardSums, copies: int, copies_in_suit: int) -> BoardCounts:
    """The boards without the discards, from the sums over all boards; every division is exact."""
    kept_faces, (first_discard, second_discard) = np.sort(faces[:, :2], axis=1), faces[:, 2:].T
    count = sums.cards.shape[1]
    pair = (
        kept_faces[:, 0] * count - kept_faces[:, 0] * (kept_faces[:, 0] - 1) // 2 + kept_faces[:, 1] - kept_faces[:, 0]
    )

    def remaining_copies(face: BoardCounts) -> BoardCounts:
        before = np.where(face < SUITED_OFFSET, copies, copies_in_suit)
        after: BoardCounts = before - (faces[:, 0] == face) - (faces[:, 1] == face)
        return after

    both = np.where(
        first_discard == second_discard,
        remaining_copies(first_discard) * (remaining_copies(first_discard) - 1) // 2,
        remaining_copies(first_discard) * remaining_copies(second_discard),
    )
    counts: BoardCounts = (
        sums.boards[pair]
        - sums.cards[pair, first_discard] // remaining_copies(first_discard)[:, None]
        - sums.cards[pair, second_discard] // remaining_copies(second_discard)[:, None]
        + sums.pairs[pair, first_discard, second_discard] // both[:, None]
    )
    return counts
