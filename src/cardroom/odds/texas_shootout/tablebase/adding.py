"""Boards added up: for every pair p that a player may hold beside another pair q, over all boards of equally many ways.

What is added up for each (p, q), every board as often as the shoe deals the player's four cards, in order, beside it:
the boards themselves, and the dealer's hands that p beats or ties, with the strength of q against that of p.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.tables import Tables
from cardroom.kernels import kernel
from cardroom.odds.texas_shootout.tablebase.keeping import Keeping
from cardroom.odds.texas_shootout.tablebase.sweep import Pairs, sweep

BOARDS, WINS, BOTH_WIN_TWICE, TIES, TIES_UNDER, BOTH_TIE = range(6)
SUMS: Final = 6
BATCH: Final = 16
"""Boards that are swept before they are added up, so that the sums are gone through once for all of them."""


class Row(NamedTuple):
    """What one pair on one board adds, by the other pair."""

    hands: NDArray[np.int32]
    """By card, twice over: copies that are left for the other two cards."""
    dealt: NDArray[np.int32]
    won: NDArray[np.int64]
    tied: NDArray[np.int64]


@kernel
def _dealt(pair: int, weight: int, board: NDArray[np.uint8], s: Pairs, row: Row) -> None:
    """In how many ways the four cards come in order, by the other pair."""
    kinds, hands, dealt = len(s.codes), row.hands, row.dealt
    p1, p2 = s.pairs[pair, 0], s.pairs[pair, 1]
    for card in range(kinds):
        hands[card] = s.copies
    for card in board:
        hands[card] -= 1
    ways = np.int32(weight * hands[p1] * (hands[p2] - int(p1 == p2)))
    hands[p1] -= 1
    hands[p2] -= 1
    for card in range(kinds):
        hands[card + kinds] = hands[card]
    for card in range(kinds):
        dealt[card] = ways * hands[card] * (hands[card] - 1)
    for apart in range(1, kinds // 2 + 1):
        start = apart * kinds
        width = kinds if 2 * apart < kinds else kinds // 2
        some = dealt[start : start + width]
        for card in range(width):
            some[card] = ways * hands[card] * hands[card + apart]


@kernel
def _add(
    own: np.int16, levels: NDArray[np.int16], below: NDArray[np.int32], level_with: NDArray[np.int32], row: Row,
    sums: NDArray[np.int64],
) -> None:  # fmt: skip
    dealt, won, tied = row.dealt, row.won, row.tied
    for at in range(len(dealt)):
        won[at] = np.int64(dealt[at]) * np.int64(below[at])
    for at in range(len(dealt)):
        tied[at] = np.int64(dealt[at]) * np.int64(level_with[at])
    boards, wins, both, ties, under, level = sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]
    for at in range(len(dealt)):
        boards[at] += dealt[at]
    for at in range(len(dealt)):
        wins[at] += won[at]
    for at in range(len(dealt)):
        both[at] += (won[at] if own <= levels[at] else 0) + (won[at] if own < levels[at] else 0)
    for at in range(len(dealt)):
        ties[at] += tied[at]
    for at in range(len(dealt)):
        under[at] += tied[at] if own < levels[at] else 0
    for at in range(len(dealt)):
        level[at] += tied[at] if own == levels[at] else 0


@kernel
def _weigh(board: NDArray[np.uint8], s: Pairs, weights: NDArray[np.uint8]) -> None:
    """Exchanges of suits that leave the board as it is make equal pairs. The first of them stands for all and weighs as
    many; the others nothing."""
    count, kinds = len(s.pairs), len(s.codes)
    own, image = np.zeros(kinds, np.int8), np.empty(kinds, np.int8)
    for card in board:
        own[card] += 1
    weights[:] = 0
    still = np.empty(len(s.exchanges), np.int64)
    found = 0
    for order in range(len(s.exchanges)):
        image[:] = 0
        for card in board:
            image[s.of_cards[order, card]] += 1
        if np.all(image == own):
            still[found] = order
            found += 1
    for pair in range(count):
        first = pair
        for at in range(found):
            first = min(first, int(s.exchanges[still[at], pair]))
        weights[first] += 1


class Batch(NamedTuple):
    """Room for boards that have been swept; 240 million bytes."""

    levels: NDArray[np.int16]
    weights: NDArray[np.uint8]
    below: NDArray[np.int32]
    level_with: NDArray[np.int32]
    row: Row


@kernel
def new_batch(kinds: int, count: int) -> Batch:
    row = Row(
        np.empty(2 * kinds, np.int32), np.empty(count, np.int32), np.empty(count, np.int64), np.empty(count, np.int64)
    )
    by_pair = (BATCH, count, count)
    return Batch(
        np.empty((BATCH, count + 1), np.int16), np.empty((BATCH, count), np.uint8), np.empty(by_pair, np.int32),
        np.empty(by_pair, np.int32), row,
    )  # fmt: skip


@kernel
def add_boards(
    boards: NDArray[np.uint8], s: Pairs, k: Keeping, t: Tables, batch: Batch, sums: NDArray[np.int64]
) -> None:
    """Add these boards to ``sums``, by pair p, sum and other pair q. One board adds less than 2**43."""
    levels, weights, below, level_with, row = batch.levels, batch.weights, batch.below, batch.level_with, batch.row
    for first in range(0, len(boards), BATCH):
        here = min(BATCH, len(boards) - first)
        for at in range(here):
            _weigh(boards[first + at], s, weights[at])
            sweep(boards[first + at], weights[at], s, k, t, levels[at], below[at], level_with[at])
        for pair in range(len(s.pairs)):
            for at in range(here):
                if weights[at, pair]:
                    _dealt(pair, int(weights[at, pair]), boards[first + at], s, row)
                    _add(levels[at, pair], levels[at], below[at, pair], level_with[at, pair], row, sums[pair])
