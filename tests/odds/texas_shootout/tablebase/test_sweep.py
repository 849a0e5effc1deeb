"""One board of six decks, compared with every hand that the dealer can have beside it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.cards import card_from_code
from cardroom.hands import SIX_DECK, compute_strength
from cardroom.odds.texas_shootout.hands_and_boards import every_hand
from cardroom.odds.texas_shootout.tablebase.board_totals import count_tables
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES, SIX_DECKS
from cardroom.odds.texas_shootout.tablebase.sweep import sweep_board
from tests.examples import only_long

PAIRS = tuple(combinations(range(4), 2))

BOARDS = {
    "four of a suit": (3, 15, 23, 27, 48),
    "five alike": (51, 51, 51, 51, 51),
    "no flush": (0, 17, 23, 38, 49),
    "three of a suit": (4, 16, 28, 33, 50),
    "royal in hearts": (34, 38, 42, 46, 50),
    "two pairs": (8, 9, 40, 42, 21),
}
FIRST, OTHERS = list(BOARDS.values())[:2], list(BOARDS.values())[2:]
HANDS = ((51, 50, 49, 48), (34, 38, 20, 21), (0, 1, 2, 7), (16, 16, 28, 44), (15, 27, 39, 51), (8, 8, 9, 9))


def dealt_plainly(board: tuple[int, ...], hand: tuple[int, ...]) -> dict[tuple[int, int], tuple[int, int]]:
    """The sixths of dealer's hands that two cards of the hand beat and tie, counted hand by hand."""
    fours = every_hand().astype(np.int64)
    left = 6 - np.bincount([*board, *hand], minlength=52)
    ways = np.ones(len(fours), np.int64)
    taken = np.zeros(len(fours), np.int64)
    for place in range(4):
        taken = np.where(fours[:, place] == fours[:, place - 1], taken + 1, 0) if place else taken
        ways = ways * np.maximum(left[fours[:, place]] - taken, 0) // (taken + 1)
    strengths = np.array([_strength(board, two) for two in SIX_DECKS.pairs])
    pairs = np.column_stack([SIX_DECKS.pair_numbers[fours[:, one], fours[:, other]] for one, other in PAIRS])
    wanted = SIX_DECKS.pair_preferences[pairs]
    best = wanted == wanted.max(axis=1, keepdims=True)
    shares: NDArray[np.int64] = SHARES * ways[:, None] * best // best.sum(axis=1, keepdims=True)
    found = {}
    for one, other in PAIRS:
        own = _strength(board, (hand[one], hand[other]))
        dealer = strengths[pairs]
        found[one, other] = int(shares[dealer < own].sum()), int(shares[dealer == own].sum())
    return found


def _strength(board: tuple[int, ...], two: tuple[int, ...] | NDArray[np.uint8]) -> int:
    return compute_strength(SIX_DECK, [card_from_code(int(code)) for code in (*two, *board)])


@pytest.mark.parametrize("board", [*FIRST, *only_long(*OTHERS)], ids=BOARDS.keys())
def test_the_sweep_of_a_board_equals_the_count_of_every_hand_of_the_dealer(board: tuple[int, ...]) -> None:
    _, pairs, kept, _, tables = count_tables(SIX_DECKS)
    count = SIX_DECKS.pair_count
    below, level_with = np.empty((count, count), np.int32), np.empty((count, count), np.int32)
    every = np.ones(count, np.uint8)
    sweep_board(np.array(board, np.uint8), every, pairs, kept, tables, np.empty(count + 1, np.int16), below, level_with)
    met = 0
    for hand in HANDS:
        if max((*board, *hand).count(card) for card in hand) > 6:
            continue
        for (one, other), expected in dealt_plainly(board, hand).items():
            rest = [hand[place] for place in range(4) if place not in (one, other)]
            at = SIX_DECKS.pair_numbers[hand[one], hand[other]], SIX_DECKS.pair_numbers[rest[0], rest[1]]
            assert (below[at], level_with[at]) == expected, (hand, one, other)
            met += sum(expected) > 0
    assert met > 30
