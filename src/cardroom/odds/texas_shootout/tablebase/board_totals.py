"""Totals over all boards, for every pair p that a player can have beside another pair q, computed in pieces.

For each (p, q), the totals weight each board by the number of ordered deals of the player's four cards beside it: the
boards themselves, and the dealer's hands that p beats or ties, by the strength of q against that of p.

A piece is some thousand boards, of which only the sums are stored. It is a pure function of the shoe and its number, so
the sums are the same on one core, on all cores, or on a cluster, in any order of the pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands import SIX_DECK
from cardroom.hands.lookup_tables import LookupTables, lookup_tables
from cardroom.kernels import kernel
from cardroom.odds.texas_shootout.tablebase.shoe import (
    BoardClasses,
    HouseWayTable,
    TablebaseShoe,
    board_classes,
    house_way_table,
)
from cardroom.odds.texas_shootout.tablebase.sweep import PairTables, sweep_board

BOARDS, WINS, BOTH_WIN_TWICE, TIES, TIES_OTHER_WINS, BOTH_TIE = range(6)
SUM_COUNT: Final = 6
BATCH_SIZE: Final = 16
"""Boards per addition, so that the sums are updated once for all of them."""


class PairRow(NamedTuple):
    """The contribution of one pair on one board, by the other pair."""

    remaining: NDArray[np.int32]
    """Copies left for the other two cards, by card, twice in a row."""
    deals: NDArray[np.int32]
    won_deals: NDArray[np.int64]
    tied_deals: NDArray[np.int64]


@kernel
def _count_deals(pair: int, weight: int, board: NDArray[np.uint8], s: PairTables, row: PairRow) -> None:
    """The number of ordered deals of the four cards, by the other pair."""
    kinds, remaining, deals = len(s.codes), row.remaining, row.deals
    p1, p2 = s.pairs[pair, 0], s.pairs[pair, 1]
    for card in range(kinds):
        remaining[card] = s.copies
    for card in board:
        remaining[card] -= 1
    ways = np.int32(weight * remaining[p1] * (remaining[p2] - int(p1 == p2)))
    remaining[p1] -= 1
    remaining[p2] -= 1
    for card in range(kinds):
        remaining[card + kinds] = remaining[card]
    for card in range(kinds):
        deals[card] = ways * remaining[card] * (remaining[card] - 1)
    for apart in range(1, kinds // 2 + 1):
        start = apart * kinds
        width = kinds if 2 * apart < kinds else kinds // 2
        distance_row = deals[start : start + width]
        for card in range(width):
            distance_row[card] = ways * remaining[card] * remaining[card + apart]


@kernel
def _add_row(
    own_level: np.int16, levels: NDArray[np.int16], beaten_counts: NDArray[np.int32], tied_counts: NDArray[np.int32],
    row: PairRow, sums: NDArray[np.int64],
) -> None:  # fmt: skip
    deals, won_deals, tied_deals = row.deals, row.won_deals, row.tied_deals
    for at in range(len(deals)):
        won_deals[at] = np.int64(deals[at]) * np.int64(beaten_counts[at])
    for at in range(len(deals)):
        tied_deals[at] = np.int64(deals[at]) * np.int64(tied_counts[at])
    boards, wins, both, ties, under, level = sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]
    for at in range(len(deals)):
        boards[at] += deals[at]
    for at in range(len(deals)):
        wins[at] += won_deals[at]
    for at in range(len(deals)):
        both[at] += (won_deals[at] if own_level <= levels[at] else 0) + (won_deals[at] if own_level < levels[at] else 0)
    for at in range(len(deals)):
        ties[at] += tied_deals[at]
    for at in range(len(deals)):
        under[at] += tied_deals[at] if own_level < levels[at] else 0
    for at in range(len(deals)):
        level[at] += tied_deals[at] if own_level == levels[at] else 0


@kernel
def _weigh_pairs(board: NDArray[np.uint8], s: PairTables, weights: NDArray[np.uint8]) -> None:
    """Weights of pairs. Exchanges of suits that leave the board unchanged make equal pairs: the first counts for all of
    them, the others for none."""
    count, kinds = len(s.pairs), len(s.codes)
    own, image = np.zeros(kinds, np.int8), np.empty(kinds, np.int8)
    for card in board:
        own[card] += 1
    weights[:] = 0
    stabilizers = np.empty(len(s.pair_exchanges), np.int64)
    stabilizer_count = 0
    for order in range(len(s.pair_exchanges)):
        image[:] = 0
        for card in board:
            image[s.card_exchanges[order, card]] += 1
        if np.all(image == own):
            stabilizers[stabilizer_count] = order
            stabilizer_count += 1
    for pair in range(count):
        first = pair
        for at in range(stabilizer_count):
            first = min(first, int(s.pair_exchanges[stabilizers[at], pair]))
        weights[first] += 1


class BoardBatch(NamedTuple):
    """A buffer for swept boards: 240 million bytes."""

    levels: NDArray[np.int16]
    weights: NDArray[np.uint8]
    beaten_counts: NDArray[np.int32]
    tied_counts: NDArray[np.int32]
    row: PairRow


@kernel
def new_board_batch(kinds: int, count: int) -> BoardBatch:
    row = PairRow(
        np.empty(2 * kinds, np.int32), np.empty(count, np.int32), np.empty(count, np.int64), np.empty(count, np.int64)
    )
    by_pair = (BATCH_SIZE, count, count)
    return BoardBatch(
        np.empty((BATCH_SIZE, count + 1), np.int16), np.empty((BATCH_SIZE, count), np.uint8),
        np.empty(by_pair, np.int32), np.empty(by_pair, np.int32), row,
    )  # fmt: skip


@kernel
def add_boards(
    boards: NDArray[np.uint8],
    s: PairTables,
    k: HouseWayTable,
    t: LookupTables,
    batch: BoardBatch,
    sums: NDArray[np.int64],
) -> None:
    """Add these boards to ``sums``, by pair p, sum and other pair q. One board adds less than 2**43."""
    levels, weights, beaten_counts, tied_counts, row = (
        batch.levels,
        batch.weights,
        batch.beaten_counts,
        batch.tied_counts,
        batch.row,
    )
    for first in range(0, len(boards), BATCH_SIZE):
        board_count = min(BATCH_SIZE, len(boards) - first)
        for at in range(board_count):
            _weigh_pairs(boards[first + at], s, weights[at])
            sweep_board(boards[first + at], weights[at], s, k, t, levels[at], beaten_counts[at], tied_counts[at])
        for pair in range(len(s.pairs)):
            for at in range(board_count):
                if weights[at, pair]:
                    _count_deals(pair, int(weights[at, pair]), boards[first + at], s, row)
                    _add_row(
                        levels[at, pair], levels[at], beaten_counts[at, pair], tied_counts[at, pair], row, sums[pair]
                    )


PIECE_SIZE: Final = 4096
"""Boards of a piece. Sixteen times as many would still add up below 2**63."""
STEP_SIZE: Final = 4 * BATCH_SIZE
"""Boards between two progress reports."""


class Piece(NamedTuple):
    """Boards from ``first`` up to, not including, ``end`` of the list of classes, all with the same number of ways."""

    number: int
    first: int
    end: int
    combinations: int

    @property
    def boards(self) -> int:
        return self.end - self.first


class Orbits(NamedTuple):
    """Orbits: two pairs of a player, p and q, that differ from another two in suits only."""

    numbers: NDArray[np.int32]
    """By p and q."""
    sizes: NDArray[np.int64]


class CountTables(NamedTuple):
    """The lookup tables of every piece of a shoe."""

    classes: BoardClasses
    pairs: PairTables
    house_way: HouseWayTable
    orbits: Orbits
    tables: LookupTables


def orbits(shoe: TablebaseShoe) -> Orbits:
    """Find the orbits."""
    count = shoe.pair_count
    lowest = np.full((count, count), count * count, np.int64)
    for change in shoe.pair_exchanges.astype(np.int64):
        np.minimum(lowest, change[:, None] * count + change, out=lowest)
    _, numbers, sizes = np.unique(lowest, return_inverse=True, return_counts=True)
    return Orbits(numbers.reshape(count, count).astype(np.int32), sizes)


@cache
def count_tables(shoe: TablebaseShoe) -> CountTables:
    """Build the tables, once in a process."""
    exchanges = shoe.pair_exchanges, shoe.exchanges.astype(np.uint8)
    pairs = PairTables(shoe.codes, shoe.pairs, shoe.pair_numbers, *exchanges, shoe.copies)
    return CountTables(board_classes(shoe), pairs, house_way_table(shoe), orbits(shoe), lookup_tables(SIX_DECK))


def pieces(shoe: TablebaseShoe, size: int = PIECE_SIZE) -> list[Piece]:
    """All pieces of the count."""
    ways = count_tables(shoe).classes.combinations
    changes = [0, *(np.flatnonzero(np.diff(ways)) + 1).tolist(), len(ways)]
    cuts = [(first, min(first + size, end)) for start, end in pairwise(changes) for first in range(start, end, size)]
    return [Piece(number, first, end, int(ways[first])) for number, (first, end) in enumerate(cuts)]


def count_piece(
    shoe: TablebaseShoe, piece: Piece, on_step: Callable[[int], None] = lambda _: None
) -> NDArray[np.int64]:
    """The sums over the boards of a piece, by orbit. Each board still has the weight ``piece.combinations``.
    ``on_step`` receives the number of boards since the last call."""
    classes, pairs, house_way, orbit, ranking_tables = count_tables(shoe)
    sums, batch = (
        np.zeros((shoe.pair_count, SUM_COUNT, shoe.pair_count), np.int64),
        new_board_batch(shoe.kinds, shoe.pair_count),
    )
    for first in range(piece.first, piece.end, STEP_SIZE):
        boards = classes.boards[first : min(first + STEP_SIZE, piece.end)]
        add_boards(boards, pairs, house_way, ranking_tables, batch, sums)
        on_step(len(boards))
    orbit_sums = np.zeros((len(orbit.sizes), SUM_COUNT), np.int64)
    _gather(sums, orbit.numbers, orbit_sums)
    return orbit_sums


@kernel
def _gather(sums: NDArray[np.int64], orbit_numbers: NDArray[np.int32], orbit_sums: NDArray[np.int64]) -> None:
    for p in range(len(orbit_numbers)):
        for sum_index in range(SUM_COUNT):
            for q in range(len(orbit_numbers)):
                orbit_sums[orbit_numbers[p, q], sum_index] += sums[p, sum_index, q]
