"""The count in pieces: some thousand boards each, of which only the sums are kept.

A piece is a pure function of the shoe and its number, so the sums are the same on one core, on all, or on a cluster, in
whatever order the pieces come in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands import SIX_DECK
from cardroom.hands.tables import Tables, tables
from cardroom.kernels import kernel
from cardroom.odds.texas_shootout.tablebase.adding import BATCH, SUMS, add_boards, new_batch
from cardroom.odds.texas_shootout.tablebase.board_classes import BoardClasses, board_classes
from cardroom.odds.texas_shootout.tablebase.keeping import Keeping, keeping
from cardroom.odds.texas_shootout.tablebase.shoe import Shoe
from cardroom.odds.texas_shootout.tablebase.sweep import Pairs

PIECE: Final = 4096
"""Boards of a piece. Sixteen times as many would still add up below 2**63."""
STEP: Final = 4 * BATCH
"""Boards between two words about how far it has come."""


class Piece(NamedTuple):
    """Boards from ``first`` to before ``end`` of the list of classes, all with equally many ways."""

    number: int
    first: int
    end: int
    ways: int

    @property
    def boards(self) -> int:
        return self.end - self.first


class Orbits(NamedTuple):
    """Two pairs of a player, p and q, that differ in their suits only from another two: one orbit."""

    of: NDArray[np.int32]
    """By p and q."""
    sizes: NDArray[np.int64]


class Prepared(NamedTuple):
    """What every piece of a shoe looks up."""

    classes: BoardClasses
    pairs: Pairs
    keeping: Keeping
    orbits: Orbits
    tables: Tables


def orbits(shoe: Shoe) -> Orbits:
    """Find them."""
    count = shoe.pair_count
    lowest = np.full((count, count), count * count, np.int64)
    for change in shoe.pair_exchanges.astype(np.int64):
        np.minimum(lowest, change[:, None] * count + change, out=lowest)
    _, of, sizes = np.unique(lowest, return_inverse=True, return_counts=True)
    return Orbits(of.reshape(count, count).astype(np.int32), sizes)


@cache
def prepared(shoe: Shoe) -> Prepared:
    """Worked out once in a process."""
    exchanges = shoe.pair_exchanges, shoe.exchanges.astype(np.uint8)
    pairs = Pairs(shoe.codes, shoe.pairs, shoe.pair_at, *exchanges, shoe.copies)
    return Prepared(board_classes(shoe), pairs, keeping(shoe), orbits(shoe), tables(SIX_DECK))


def pieces(shoe: Shoe, size: int = PIECE) -> list[Piece]:
    """All pieces of the count."""
    ways = prepared(shoe).classes.ways
    changes = [0, *(np.flatnonzero(np.diff(ways)) + 1).tolist(), len(ways)]
    cuts = [(first, min(first + size, end)) for start, end in pairwise(changes) for first in range(start, end, size)]
    return [Piece(number, first, end, int(ways[first])) for number, (first, end) in enumerate(cuts)]


def count_piece(shoe: Shoe, piece: Piece, step: Callable[[int], None] = lambda _: None) -> NDArray[np.int64]:
    """By orbit: the sums over the boards of a piece, each of which still counts ``piece.ways`` times. ``step`` hears of
    some more boards that have been counted."""
    classes, pairs, kept, orbit, looked_up = prepared(shoe)
    sums, batch = np.zeros((shoe.pair_count, SUMS, shoe.pair_count), np.int64), new_batch(shoe.kinds, shoe.pair_count)
    for first in range(piece.first, piece.end, STEP):
        boards = classes.boards[first : min(first + STEP, piece.end)]
        add_boards(boards, pairs, kept, looked_up, batch, sums)
        step(len(boards))
    found = np.zeros((len(orbit.sizes), SUMS), np.int64)
    _gather(sums, orbit.of, found)
    return found


@kernel
def _gather(sums: NDArray[np.int64], of: NDArray[np.int32], found: NDArray[np.int64]) -> None:
    for p in range(len(of)):
        for which in range(SUMS):
            for q in range(len(of)):
                found[of[p, q], which] += sums[p, which, q]
