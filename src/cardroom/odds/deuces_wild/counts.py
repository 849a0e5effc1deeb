"""Counts of Deuces Wild hands: for given cards, the number of five-card hands of each category that contain them.

Sets of cards are numbered in colexicographic order: the set a < b < c has the number C(a,1) + C(b,2) + C(c,3). One pass
over all five-card hands counts, for each four cards, the categories of their 49 hands; the counts for three, two, and
one cards are sums of those. The counts do not depend on a paytable, so a process makes each count once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import comb
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Deck
from cardroom.hands import FIVE_CARD_WILD, evaluate_many
from cardroom.hands.hand import evaluator
from cardroom.kernels import kernel
from cardroom.odds.payoffs import TriggerCounts

DECK: Final = Deck.WITH_JOKER
CATEGORIES: Final = FIVE_CARD_WILD.order
"""The columns of counts by category, from the lowest up."""

CategoryCounts: TypeAlias = NDArray[np.int64]
"""A row per set of cards, a column per category."""

_CODES: Final = np.array([card.code for card in DECK.distinct_cards()], np.uint8)
_LARGEST_SET: Final = 5
_CHOOSE: Final = np.array(
    [[comb(code, size) for size in range(_LARGEST_SET + 1)] for code in range(DECK.size)], np.int64
)


def _sets(place_count: int, size: int) -> NDArray[np.uint8]:
    """Every set of this many of the first ``place_count`` places, in numerical order."""
    sets = np.empty((1, 0), np.uint8)
    for place in range(size):
        tops = range(place, place_count)
        below = np.concatenate([sets[: comb(top, place)] for top in tops])
        highest = np.repeat(np.array(tops, np.uint8), [comb(top, place) for top in tops])
        sets = np.column_stack([below, highest])
    return sets


def enumerate_hands(hand: Sequence[int], rest: NDArray[np.uint8], draw_count: int) -> NDArray[np.uint8]:
    """The held cards with every ``draw_count`` cards of the rest, a row per hand."""
    rows = np.empty((comb(len(rest), draw_count), len(hand) + draw_count), np.uint8)
    rows[:, : len(hand)] = hand
    rows[:, len(hand) :] = rest[_sets(len(rest), draw_count)]
    return rows


def all_sets(size: int) -> NDArray[np.uint8]:
    """Every set of this many cards of the deck, each in the row of its number."""
    return enumerate_hands((), _CODES, size)


def set_number(cards: Sequence[Card]) -> int:
    """The number of a set of up to five cards."""
    return sum(comb(code, size) for size, code in enumerate(sorted(card.code for card in cards), 1))


def remaining_codes(removed_cards: Sequence[Card]) -> NDArray[np.uint8]:
    """The codes of the cards that can still be dealt."""
    is_left = np.ones(DECK.size, np.bool_)
    is_left[[card.code for card in removed_cards]] = False
    return _CODES[is_left]


@cache
def _category_numbers() -> NDArray[np.uint8]:
    """The category of each strength."""
    return np.array([0, *(CATEGORIES.index(category) for category in evaluator(FIVE_CARD_WILD).categories())], np.uint8)


def categorize(hands: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The category of the best five cards of each hand, as a column index."""
    column_numbers: NDArray[np.uint8] = _category_numbers()[evaluate_many(FIVE_CARD_WILD, hands)]
    return column_numbers


def sum_by_event(event_counts: Iterable[tuple[str, int]]) -> TriggerCounts:
    """Counts by category, added up by event."""
    kinds: dict[tuple[str, ...], int] = {}
    for event, count in event_counts:
        kinds[event,] = kinds.get((event,), 0) + count
    return kinds


def count_categories(hands: NDArray[np.uint8]) -> CategoryCounts:
    """The number of these hands in each category."""
    by_strength = np.bincount(evaluate_many(FIVE_CARD_WILD, hands), minlength=len(_category_numbers()))
    counts = np.zeros(len(CATEGORIES), np.int64)
    np.add.at(counts, _category_numbers(), by_strength)
    return counts


@kernel
def _count_by_four(
    hands: NDArray[np.uint8], category: NDArray[np.uint8], choose: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    for row in range(len(hands)):
        for left_out in range(5):
            number = 0
            for column in range(4):
                code = hands[row, column + (column >= left_out)]
                number += choose[code, column + 1]
            out[number, category[row]] += 1


@kernel
def _number_extensions(sets: NDArray[np.uint8], choose: NDArray[np.int64], out: NDArray[np.int32]) -> None:
    for row in range(len(sets)):
        column = 0
        for code in range(len(choose)):
            number, below, is_held = 0, 0, False
            for place in range(sets.shape[1]):
                member = sets[row, place]
                number += choose[member, place + 1 + (member > code)]
                below += member < code
                is_held |= member == code
            if not is_held:
                out[row, column] = number + choose[code, below + 1]
                column += 1


@kernel
def _add_up(larger: NDArray[np.integer], extensions: NDArray[np.int32], out: CategoryCounts) -> None:
    for row in range(len(extensions)):
        for further in range(extensions.shape[1]):
            for column in range(out.shape[1]):
                out[row, column] += larger[extensions[row, further], column]


@cache
def extensions(size: int) -> NDArray[np.int32]:
    """For every set of this many cards: the numbers of the sets with one further card, in order."""
    sets = all_sets(size)
    out = np.empty((len(sets), DECK.size - size), np.int32)
    _number_extensions(sets, _CHOOSE, out)
    return out


@cache
def four_card_counts() -> NDArray[np.uint8]:
    """For every four cards: the number of their 49 five-card hands in each category."""
    hands = all_sets(5)
    counts = np.zeros((comb(DECK.size, 4), len(CATEGORIES)), np.uint8)
    _count_by_four(hands, categorize(hands), _CHOOSE, counts)
    return np.asfortranarray(counts)  # most reads use one category of all sets


@cache
def holding_counts(size: int) -> CategoryCounts:
    """For every set of one, two, or three cards: the number of five-card hands of each category that contain them
    all."""
    larger: NDArray[np.integer] = four_card_counts() if size == 3 else holding_counts(size + 1)
    total = np.zeros((comb(DECK.size, size), len(CATEGORIES)), np.int64)
    _add_up(larger, extensions(size), total)
    # Each five-card hand with the set was counted once for each of its cards outside the set.
    return total // (5 - size)
