"""The count of every deal, proved on small shoes: fewer ranks, fewer copies, the same code."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from cardroom.cards import of_code
from cardroom.games.texas_shootout.house_way import house_way
from cardroom.hands import SIX_DECK, rank_strength
from cardroom.odds.rounds.watch import Watch
from cardroom.odds.texas_shootout.hands import hand_classes
from cardroom.odds.texas_shootout.tablebase.board_classes import board_classes
from cardroom.odds.texas_shootout.tablebase.building import Interrupted, Kept, count
from cardroom.odds.texas_shootout.tablebase.counts import SPLITS, HandCounts, Miscounted, hand_counts, standing_hands
from cardroom.odds.texas_shootout.tablebase.keeping import keeping
from cardroom.odds.texas_shootout.tablebase.pieces import count_piece, pieces, prepared
from cardroom.odds.texas_shootout.tablebase.plain import count_plainly
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES, SIX_DECKS, Shoe

KINGS_ACES = Shoe((11, 12), 2)
SMALL_SHOES = (
    KINGS_ACES,
    Shoe((5, 6), 3),  # sevens and eights: pairs of the first line and of the fourth
    Shoe((0, 1, 12), 2),
    Shoe((3, 9, 12), 2),
)
STRAIGHTS = Shoe((8, 9, 10, 11, 12), 1)
"""Ten to ace of one deck: straights, flushes and royals beside pairs."""


@cache
def counted(shoe: Shoe, folder: Path) -> dict[tuple[int, ...], HandCounts]:
    return {one.hand: one for one in count(shoe, kept=Kept(folder))}


# Every deal by the rules of the game, card by card


def by_the_rules(shoe: Shoe, hand: tuple[int, ...]) -> list[list[int]]:
    """Every board and every dealer's hand, set by the house way in all orders in which it can be dealt."""
    cells = [[0] * 9 for _ in SPLITS]
    left = [card for card in range(shoe.kinds) for _ in range(shoe.copies - hand.count(card))]
    for board in combinations(left, 5):
        rest = list(left)
        for card in board:
            rest.remove(card)
        dealers: dict[tuple[int, ...], int] = {}
        for four in combinations(rest, 4):
            dealers[four] = dealers.get(four, 0) + 1
        for split, places in enumerate(SPLITS):
            one, other = (strength(shoe, (*[hand[place] for place in two], *board)) for two in places)
            for four, ways in dealers.items():
                for kept, share in shares(shoe, four).items():
                    dealer = strength(shoe, (*kept, *board))
                    place = 3 * ((one >= dealer) + (one > dealer)) + (other >= dealer) + (other > dealer)
                    cells[split][place] += ways * share
    return cells


@cache
def strength(shoe: Shoe, seven: tuple[int, ...]) -> int:
    return rank_strength(SIX_DECK, [of_code(int(shoe.codes[card])) for card in seven])


@cache
def shares(shoe: Shoe, four: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """In how many of the 24 orders of dealing, in sixths of all, the house way keeps which two cards."""
    found: dict[tuple[int, ...], int] = {}
    for order in permutations(four):
        kept = house_way([of_code(int(shoe.codes[card])) for card in order]).kept
        two = tuple(sorted(int(np.flatnonzero(shoe.codes == card.code)[0]) for card in kept))
        found[two] = found.get(two, 0) + 1
    assert all(orders * SHARES % 24 == 0 for orders in found.values())
    return {two: orders * SHARES // 24 for two, orders in found.items()}
