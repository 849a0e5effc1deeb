"""All the hands there are, counted line by line and compared with the numbers in ``data``."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.hands import FIVE_CARD, evaluate_many
from tests.hands.every_hand import hands_from, hands_with_copies, in_parts, ways_to_deal
from tests.hands.recount import names, read, recount

COUNTED_AGAIN_IN_SECONDS = ("three-card", "three-card-wild")
COUNTED_AGAIN_IN_MINUTES = (
    "four-card-one-deck",
    "four-card-six-decks",
    "five-card",
    "five-card-six-decks",
    "five-card-wild",
    "three-card-of-five",
)


@cache
def ways_by_strength(name: str) -> NDArray[np.int64]:
    """How many deals have each strength."""
    count = read(name)
    found = np.zeros(len(count.ranking.classes) + 1, np.int64)
    if count.deck.decks > 1:
        hands = hands_with_copies(52, count.cards)
        np.add.at(found, evaluate_many(count.ranking, hands), ways_to_deal(hands, count.deck.decks))
    else:
        for hands in in_parts(count.deck.size, count.cards):
            found += np.bincount(evaluate_many(count.ranking, hands), minlength=len(found))
    return found


@pytest.mark.parametrize("name", names())
def test_every_line_has_as_many_hands_as_the_books_say(name: str) -> None:
    count = read(name)
    ways = ways_by_strength(name)
    found = dict.fromkeys(count.sheet.lines, 0)
    for one, hands in zip(count.ranking.classes, ways[1:].tolist(), strict=True):
        found[one.category.value] = found.get(one.category.value, 0) + hands
    assert found == count.lines
    if count.classes:
        assert np.count_nonzero(ways) == count.classes


@pytest.mark.parametrize("name", names())
def test_the_lines_of_a_count_make_up_all_the_hands(name: str) -> None:
    count = read(name)
    assert sum(count.lines.values()) == count.total == comb(count.deck.size, count.cards)
    assert tuple(count.lines) == count.sheet.lines


@pytest.mark.parametrize(
    "name",
    [*COUNTED_AGAIN_IN_SECONDS, *(pytest.param(name, marks=pytest.mark.long) for name in COUNTED_AGAIN_IN_MINUTES)],
)
def test_the_sheets_read_slowly_give_the_same_counts(name: str) -> None:
    count = read(name)
    assert recount(count) == count.lines


def test_five_card_hands_of_one_line_are_all_as_rare_as_each_other() -> None:
    """A pair with three given kickers comes 6 * 4 * 4 * 4 ways whatever the ranks, and so on for each line."""
    found: dict[str, set[int]] = {}
    for one, ways in zip(FIVE_CARD.classes, ways_by_strength("five-card")[1:].tolist(), strict=True):
        found.setdefault(one.category.value, set()).add(ways)
    assert found == {
        "royal flush": {4},
        "straight flush": {4},
        "four of a kind": {4},
        "full house": {4 * 6},
        "flush": {4},
        "straight": {4**5 - 4},
        "three of a kind": {4 * 4 * 4},
        "two pair": {6 * 6 * 4},
        "pair": {6 * 4 * 4 * 4},
        "high card": {4**5 - 4},
    }


def test_hands_in_parts_are_the_same_hands_in_one_piece() -> None:
    in_one_piece = set(map(tuple, hands_from(12, 5).tolist()))
    parts = list(in_parts(12, 5, at_once=100))
    assert len(in_one_piece) == comb(12, 5)
    assert len(parts) > 1
    assert sum(map(len, parts)) == comb(12, 5)
    assert {tuple(hand) for part in parts for hand in part.tolist()} == in_one_piece
