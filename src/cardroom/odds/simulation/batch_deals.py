"""Cards for single rounds: the cards of a round depend on its seed and its number alone.

``deals`` deals simulated blocks, hundreds of rounds at a time. Here every round has a seed of its own, so rounds of
many tables can be dealt together.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import inline_rule, kernel
from cardroom.odds.simulation.deals import draw_digit, philox, rejection_limit

STREAM: Final = 1 << 21
"""The stream of random numbers; simulated blocks use other streams."""
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)

ByteArray = NDArray[np.uint8]
IntArray = NDArray[np.int64]


class DealPlan(NamedTuple):
    """The deck and the sorts of rounds."""

    deck: ByteArray
    """The codes of all cards."""
    hand_size: int
    """The number of cards, first in a row, that are the seat's own hand. They are in descending order, as a player
    holds them; no rule looks at their order."""
    round_sorts: IntArray
    """By the first two cards (``pair_number``): the sort of the round."""
    has_decision: NDArray[np.bool_]
    """By sort: whether such a round has a decision for its seat."""


PAIR_COUNT: Final = 1 << 12


@inline_rule
def pair_number(first: np.uint8, second: np.uint8) -> int:
    """The number of two cards, below ``PAIR_COUNT``."""
    return int(first) << 6 | int(second)


@kernel
def deal_rounds(
    cards: ByteArray, row_numbers: IntArray, seeds: NDArray[np.uint64], turns: NDArray[np.uint64], plan: DealPlan
) -> None:
    """Deal to these rows the codes of as many cards as a row has."""
    places, sorted_places = np.empty(cards.shape[1], np.int64), np.empty(cards.shape[1], np.int64)
    limits = _rejection_limits(cards.shape[1], len(plan.deck))
    for row in row_numbers:
        _deal(cards, row, seeds[row], turns[row], plan, limits, places, sorted_places)


@kernel
def deal_to_decision(
    cards: ByteArray,
    row_numbers: IntArray,
    seeds: NDArray[np.uint64],
    turns: NDArray[np.uint64],
    plan: DealPlan,
    skipped_cards: ByteArray,
    skipped_rows: IntArray,
) -> tuple[int, int]:
    """Deal to these rows their next round with a decision, and advance their turns. Rounds without a decision go into
    ``skipped_cards``, and their rows into ``skipped_rows``. Returns the numbers of rows dealt to and of rounds skipped;
    there are fewer rows than requested if there was no room for more."""
    places, sorted_places = np.empty(cards.shape[1], np.int64), np.empty(cards.shape[1], np.int64)
    limits, count = _rejection_limits(cards.shape[1], len(plan.deck)), 0
    for position in range(len(row_numbers)):
        row = row_numbers[position]
        while True:
            if count == len(skipped_cards):
                return position, count
            _deal(cards, row, seeds[row], turns[row], plan, limits, places, sorted_places)
            turns[row] += np.uint64(1)
            if plan.has_decision[plan.round_sorts[pair_number(cards[row, 0], cards[row, 1])]]:
                break
            for card in range(cards.shape[1]):
                skipped_cards[count, card] = cards[row, card]
            skipped_rows[count] = row
            count += 1
    return len(row_numbers), count


@kernel
def skip_to_decision(
    cards: ByteArray,
    row_numbers: IntArray,
    seeds: NDArray[np.uint64],
    turns: NDArray[np.uint64],
    plan: DealPlan,
    nets: IntArray,
    skipped_totals: tuple[IntArray, IntArray],
) -> None:
    """The same if the first two cards settle a round without a decision: ``nets`` has its net result by their number.
    Its other cards are not drawn; ``skipped_totals`` counts such rounds and their nets by row."""
    rounds, cents = skipped_totals
    places, sorted_places = np.empty(cards.shape[1], np.int64), np.empty(cards.shape[1], np.int64)
    limits = _rejection_limits(cards.shape[1], len(plan.deck))
    for row in row_numbers:
        while True:
            _draw(places, seeds[row], turns[row], len(plan.deck), limits)
            turns[row] += np.uint64(1)
            second_place = places[1] + (places[1] >= places[0])
            pair = pair_number(plan.deck[places[0]], plan.deck[second_place])
            if plan.has_decision[plan.round_sorts[pair]]:
                break
            rounds[row] += 1
            cents[row] += nets[pair]
        _to_deck_places(places, sorted_places)
        for card in range(len(places)):
            cards[row, card] = plan.deck[places[card]]


@kernel
def _deal(
    cards: ByteArray,
    row: int,
    seed: np.uint64,
    turn: np.uint64,
    plan: DealPlan,
    limits: tuple[np.uint64, np.uint64],
    places: IntArray,
    sorted_places: IntArray,
) -> None:
    _draw(places, seed, turn, len(plan.deck), limits)
    _to_deck_places(places, sorted_places)
    for card in range(len(places)):
        cards[row, card] = plan.deck[places[card]]
    _sort_hand(cards, row, plan.hand_size)


@kernel
def _rejection_limits(count: int, deck: int) -> tuple[np.uint64, np.uint64]:
    """The remainders of numbers that would make some cards more likely than others; they are discarded (Lemire's
    method)."""
    half = (count + 1) // 2
    return rejection_limit(deck, half), rejection_limit(deck - half, count - half)


@kernel
def _draw(places: IntArray, seed: np.uint64, turn: np.uint64, deck: int, limits: tuple[np.uint64, np.uint64]) -> None:
    """Draw each card as a place among those that are left. Half of the cards come from one number of 64 bits, half from
    another."""
    half = (len(places) + 1) // 2
    attempt, fair = np.uint64(0), False
    while not fair:
        w, x, y, z = philox(turn & _LOW, turn >> _HALF, np.uint64(STREAM), attempt, seed & _LOW, seed >> _HALF)
        for card in range(half):
            place, w, x = draw_digit(w, x, np.uint64(deck - card))
            places[card] = np.int64(place)
        for card in range(half, len(places)):
            place, y, z = draw_digit(y, z, np.uint64(deck - card))
            places[card] = np.int64(place)
        fair = bool((w << _HALF | x) >= limits[0] and (y << _HALF | z) >= limits[1])
        attempt += np.uint64(1)


@kernel
def _to_deck_places(places: IntArray, sorted_places: IntArray) -> None:
    """Convert places among the cards that are left to places in the deck: each earlier card that is not above a card
    moves it up by one."""
    for card in range(len(places)):
        place, position = places[card], 0
        while position < card and place >= sorted_places[position]:
            place += 1
            position += 1
        for shifted in range(card, position, -1):
            sorted_places[shifted] = sorted_places[shifted - 1]
        sorted_places[position] = places[card] = place


@kernel
def _sort_hand(cards: ByteArray, row: int, hand_size: int) -> None:
    for last in range(1, hand_size):
        position, card = last, cards[row, last]
        while position > 0 and cards[row, position - 1] < card:
            cards[row, position] = cards[row, position - 1]
            position -= 1
        cards[row, position] = card
