"""Some hands counted another way: every board without classes, and on each of them every pair that the dealer may keep.

Nothing is swept and nothing is shared between hands but the strengths of the pairs on a board. It takes a minute or so
for a hand, and proves the count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.tables import Tables
from cardroom.kernels import cores, kernel
from cardroom.odds.texas_shootout.tablebase.board_classes import next_board
from cardroom.odds.texas_shootout.tablebase.counts import SPLITS, HandCounts, Joint
from cardroom.odds.texas_shootout.tablebase.keeping import keeping
from cardroom.odds.texas_shootout.tablebase.pieces import prepared
from cardroom.odds.texas_shootout.tablebase.shoe import BOARD, Shoe
from cardroom.odds.texas_shootout.tablebase.sweep import Pairs, strengths_on


class Discards(NamedTuple):
    """The two cards that the dealer does not keep, with the player's cards gone and the kept pair, in sixths."""

    any_two: NDArray[np.int64]
    """By hand and kept pair: in how many ways they come."""
    with_one: NDArray[np.int32]
    """By hand, one given card among them, and kept pair."""
    share: NDArray[np.uint8]
    """By two given cards and kept pair."""


def _discards(shoe: Shoe, hands: NDArray[np.int64]) -> Discards:
    kinds, count = shoe.kinds, shoe.pair_count
    beside = keeping(shoe).beside.astype(np.int64)
    every_two, with_one = np.empty((len(hands), count), np.int64), np.empty((len(hands), kinds, count), np.int32)
    kept = np.zeros((count, kinds), np.int64)
    np.add.at(kept, (np.arange(count)[:, None], shoe.pairs), 1)
    for at, hand in enumerate(hands):
        left = shoe.copies - np.bincount(hand, minlength=kinds) - kept
        for card in range(kinds):
            last = left.copy()
            last[:, card] -= 1
            with_one[at, card] = (last * beside[:, card]).sum(axis=1)
        # Two cards are met from either side.
        every_two[at] = (left * with_one[at].T).sum(axis=1) // 2
    share = np.ascontiguousarray(beside.astype(np.uint8).transpose(1, 2, 0))
    return Discards(every_two, with_one, share)


@kernel
def _ways(cards: NDArray[np.int64], left: NDArray[np.int64]) -> int:
    """In how many ways cards in order come, of equal ones without their order; they are taken from ``left``."""
    ways, run = 1, 0
    for at in range(len(cards)):
        run = run + 1 if at and cards[at] == cards[at - 1] else 1
        ways = ways * max(left[cards[at]], 0) // run
        left[cards[at]] -= 1
    return ways


@kernel
def _add_board(
    board: NDArray[np.int64], hands: NDArray[np.int64], places: NDArray[np.int64], d: Discards, s: Pairs, t: Tables,
    found: NDArray[np.int64],
) -> None:  # fmt: skip
    pairs, strengths = s.pairs, strengths_on(board, s, t)
    weights, left = np.empty(len(pairs), np.int64), np.empty(len(s.codes), np.int64)
    for at in range(len(hands)):
        left[:] = s.copies
        for card in hands[at]:
            left[card] -= 1
        ways = _ways(board, left)
        if ways == 0:
            continue
        # Discards that avoid the board: all, less those with one of its cards, and those with two come back.
        weights[:] = d.any_two[at]
        for one in range(BOARD):
            weights -= d.with_one[at, board[one]]
            for other in range(one):
                weights += d.share[board[one], board[other]]
        for pair in range(len(pairs)):
            one, other = pairs[pair, 0], pairs[pair, 1]
            weights[pair] *= left[one] * (left[one] - 1) // 2 if one == other else left[one] * left[other]
        for split in range(len(places)):
            a, b, c, e = places[split, 0], places[split, 1], places[split, 2], places[split, 3]
            first = strengths[s.pair_at[hands[at, a], hands[at, b]]]
            second = strengths[s.pair_at[hands[at, c], hands[at, e]]]
            cells = found[at, split]
            for pair in range(len(pairs)):
                dealer = strengths[pair]
                one = int(first >= dealer) + int(first > dealer)
                other = int(second >= dealer) + int(second > dealer)
                cells[3 * one + other] += ways * weights[pair]


@kernel
def _count_from(
    lowest: int, hands: NDArray[np.int64], places: NDArray[np.int64], d: Discards, s: Pairs, t: Tables,
    found: NDArray[np.int64],
) -> None:  # fmt: skip
    """All boards whose lowest card is this one. There are at most a tenth of all, so the counts stay below 2**63."""
    kinds = len(s.codes)
    board = np.full(BOARD, lowest, np.int64)
    while board[0] == lowest:
        _add_board(board, hands, places, d, s, t, found)
        next_board(board, kinds)


def count_plainly(
    shoe: Shoe, some: Sequence[tuple[int, int, int, int]], told: Callable[[int], None] = lambda _: None
) -> list[HandCounts]:
    """The counts of some hands of a shoe, on all cores. ``told`` hears how many of the shoe's cards have had their turn
    as the lowest of the board."""
    hands = np.array(some, np.int64)
    places = np.array([[*first, *second] for first, second in SPLITS], np.int64)
    what = hands, places, _discards(shoe, hands), prepared(shoe).pairs, prepared(shoe).tables
    totals = np.zeros((len(hands), 3, 9), dtype=object)

    def count_from(lowest: int) -> NDArray[np.int64]:
        found = np.zeros((len(hands), 3, 9), np.int64)
        _count_from(lowest, *what, found)
        return found

    with ThreadPoolExecutor(cores()) as pool:
        running = [pool.submit(count_from, lowest) for lowest in range(shoe.kinds)]
        for done, future in enumerate(as_completed(running), 1):
            totals += future.result().astype(object)
            told(done)
    return [_counted(hand, cells) for hand, cells in zip(some, totals.tolist(), strict=True)]


def _counted(hand: tuple[int, int, int, int], cells: list[list[int]]) -> HandCounts:
    first, second, third = (_joint(nine) for nine in cells)
    return HandCounts(hand, (first, second, third))


def _joint(nine: list[int]) -> Joint:
    a, b, c, d, e, f, g, h, i = nine
    return (a, b, c), (d, e, f), (g, h, i)
