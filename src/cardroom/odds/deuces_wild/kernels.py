"""Kernels that simulate Deuces Wild: the outcome of each wager, some hundred rounds at a time.

Rows of a deal are the player's first three cards, the fourth, the fifth, and the four community cards. Lookups by the
number of three or four cards (``counts``) give the decisions; arrays from the game's own functions give the index of
each outcome in a wager's list.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.lookup_tables import FLUSH_BITS, LookupTables
from cardroom.hands.strength import look_up, sort_four, suited_strength
from cardroom.kernels import kernel
from cardroom.odds.simulation.deals import (
    PART_ROUNDS,
    Block,
    Cards,
    Places,
    count_outcomes,
    deal,
    load_part,
    part_count,
    store_part,
)

Sums: TypeAlias = NDArray[np.uint64]

DECK: Final = 53
HAND_SIZE: Final = 5
COMMUNITY_ROW: Final = 5
"""The first row of the community cards."""
CARDS_DEALT: Final = 9

# The lookup of three cards, in 16 bits: the outcome index of Three Card Treasure; whether to play; and which of the
# three, from the lowest code up, are chosen for Five Card Fortune, a bit each.
PLACE_MASK: Final = 15
PLAY_SHIFT: Final = 4
CHOSEN_SHIFT: Final = 5

ANTE_PLAY_RAISE, TREASURE, FORTUNE, JACKPOT = range(4)

_NO_CARD: Final = 255
"""A code with the key 0, for empty places of a hand."""


class DeucesTables(NamedTuple):
    """The lookup tables of the kernels; places are indexes of outcomes in a wager's list."""

    threes: NDArray[np.uint16]
    """The lookup of three cards, by number."""
    raises: NDArray[np.bool_]
    """Whether to raise, by the number of four cards."""
    hands: Places
    """The outcome of a raised hand by strength; last, a fold after four cards and a fold after three."""
    fortunes: Places
    """By strength."""
    wild: NDArray[np.uint8]
    """1 for a wild card, by code."""
    jackpots: Places
    """By the number of wild cards."""


@kernel
def _look_up_threes(
    cards: Cards, threes: NDArray[np.uint16], sorted_cards: Cards, hand_bits: NDArray[np.uint16]
) -> None:
    """Sort the first three cards of each round, and look them up."""
    first, second, third = cards[0], cards[1], cards[2]
    numbers = np.empty(PART_ROUNDS, np.int32)
    for at in range(PART_ROUNDS):
        # A card that is lower than all others goes before them.
        _, a, b, c = sort_four(-1, int(first[at]), int(second[at]), int(third[at]))
        sorted_cards[0, at], sorted_cards[1, at], sorted_cards[2, at] = np.uint8(a), np.uint8(b), np.uint8(c)
        numbers[at] = np.int32(a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6)
    for at in range(PART_ROUNDS):
        hand_bits[at] = threes[numbers[at]]


@kernel
def _four_numbers(cards: Cards, numbers: NDArray[np.int32]) -> None:
    first, second, third, fourth = cards[0], cards[1], cards[2], cards[3]
    for at in range(PART_ROUNDS):
        a, b, c, d = sort_four(int(first[at]), int(second[at]), int(third[at]), int(fourth[at]))
        below = a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6
        numbers[at] = np.int32(below + d * (d - 1) * (d - 2) * (d - 3) // 24)


@kernel
def _strengths(sums: Sums, t: LookupTables, best: NDArray[np.uint16], suited: NDArray[np.int64]) -> int:
    """The best hands by rank alone; and the rounds with five cards of a suit, and their number."""
    rows, unsuited, shift, mask = t.rows, t.unsuited, t.row_shift, t.slot_mask
    suited_count = 0
    for at in range(PART_ROUNDS):
        best[at] = look_up(sums[at], unsuited, rows, shift, mask)
        suited[suited_count] = at
        suited_count += int(sums[at] & FLUSH_BITS != 0)
    return suited_count


@kernel
def _ante_play_raise(
    cards: Cards,
    hand_bits: NDArray[np.uint16],
    is_raised: NDArray[np.bool_],
    places: Places,
    t: LookupTables,
    ends: Places,
) -> None:
    keys, start = t.keys, t.start
    sums, best, suited = (
        np.empty(PART_ROUNDS, np.uint64),
        np.empty(PART_ROUNDS, np.uint16),
        np.empty(PART_ROUNDS, np.int64),
    )
    a, b, c, d, e = cards[0], cards[1], cards[2], cards[3], cards[4]
    for at in range(PART_ROUNDS):
        sums[at] = start + keys[a[at]] + keys[b[at]] + keys[c[at]] + keys[d[at]] + keys[e[at]]
    suited_count = _strengths(sums, t, best, suited)
    hand = np.empty((1, HAND_SIZE), np.uint8)
    for at in suited[:suited_count]:
        for card in range(HAND_SIZE):
            hand[0, card] = cards[card, at]
        best[at] = max(best[at], suited_strength(hand, 0, sums[at], t))
    fold_three = len(places) - 1
    fold_four = len(places) - 2
    for at in range(PART_ROUNDS):
        last = np.int64(best[at]) if is_raised[at] else fold_four
        ends[at] = places[last if hand_bits[at] >> PLAY_SHIFT & 1 else fold_three]


@kernel
def _fortune(
    cards: Cards, sorted_cards: Cards, hand_bits: NDArray[np.uint16], places: Places, t: LookupTables, ends: Places
) -> None:
    keys, start = t.keys, t.start
    sums, best, suited = (
        np.empty(PART_ROUNDS, np.uint64),
        np.empty(PART_ROUNDS, np.uint16),
        np.empty(PART_ROUNDS, np.int64),
    )
    chosen = np.empty((3, PART_ROUNDS), np.uint8)
    for place in range(3):
        for at in range(PART_ROUNDS):
            is_chosen = hand_bits[at] >> (CHOSEN_SHIFT + place) & 1
            chosen[place, at] = sorted_cards[place, at] if is_chosen else _NO_CARD
    a, b, c, d = cards[COMMUNITY_ROW], cards[COMMUNITY_ROW + 1], cards[COMMUNITY_ROW + 2], cards[COMMUNITY_ROW + 3]
    e, f, g = chosen[0], chosen[1], chosen[2]
    for at in range(PART_ROUNDS):
        total = start + keys[a[at]] + keys[b[at]] + keys[c[at]] + keys[d[at]]
        sums[at] = total + keys[e[at]] + keys[f[at]] + keys[g[at]]
    suited_count = _strengths(sums, t, best, suited)
    hand = np.empty((1, 7), np.uint8)
    for at in suited[:suited_count]:
        for card in range(4):
            hand[0, card] = cards[COMMUNITY_ROW + card, at]
        for card in range(3):
            hand[0, 4 + card] = chosen[card, at]
        best[at] = max(best[at], suited_strength(hand, 0, sums[at], t))
    for at in range(PART_ROUNDS):
        ends[at] = places[best[at]]


@kernel
def _jackpot(cards: Cards, wild: NDArray[np.uint8], places: Places, ends: Places) -> None:
    a, b, c, d, e = cards[0], cards[1], cards[2], cards[3], cards[4]
    for at in range(PART_ROUNDS):
        ends[at] = places[wild[a[at]] + wild[b[at]] + wild[c[at]] + wild[d[at]] + wild[e[at]]]


class HandState(NamedTuple):
    """What the wagers depend on besides the dealt cards."""

    sorted_cards: NDArray[np.uint8]
    """The first three cards, ascending."""
    hand_bits: NDArray[np.uint16]
    """The lookup of the first three cards, with the decisions."""
    is_raised: NDArray[np.bool_]


@kernel
def _new_state() -> HandState:
    return HandState(
        np.empty((3, PART_ROUNDS), np.uint8), np.empty(PART_ROUNDS, np.uint16), np.empty(PART_ROUNDS, np.bool_)
    )


@kernel
def _raise(cards: Cards, raises: NDArray[np.bool_], is_raised: NDArray[np.bool_]) -> None:
    """Whether the seat raises with its four cards, by round."""
    numbers = np.empty(PART_ROUNDS, np.int32)
    _four_numbers(cards, numbers)
    for at in range(PART_ROUNDS):
        is_raised[at] = raises[numbers[at]]


@kernel
def _judge(
    cards: Cards, state: HandState, columns: NDArray[np.int64], t: DeucesTables, five_cards: LookupTables, ends: Places
) -> None:
    """Fill a row of ``ends`` for each wager made; ``columns`` has each wager's row, or -1."""
    if columns[ANTE_PLAY_RAISE] >= 0:
        _ante_play_raise(cards, state.hand_bits, state.is_raised, t.hands, five_cards, ends[columns[ANTE_PLAY_RAISE]])
    if columns[TREASURE] >= 0:
        treasures = ends[columns[TREASURE]]
        for at in range(PART_ROUNDS):
            treasures[at] = state.hand_bits[at] & PLACE_MASK
    if columns[FORTUNE] >= 0:
        _fortune(cards, state.sorted_cards, state.hand_bits, t.fortunes, five_cards, ends[columns[FORTUNE]])
    if columns[JACKPOT] >= 0:
        _jackpot(cards, t.wild, t.jackpots, ends[columns[JACKPOT]])


@kernel
def play_deuces(block: Block, t: DeucesTables, five_cards: LookupTables) -> None:
    """Play rounds, and count the outcomes of each wager."""
    cards, ends = (
        np.empty((CARDS_DEALT, PART_ROUNDS), np.uint8),
        np.empty((len(block.starts) - 1, PART_ROUNDS), np.int16),
    )
    state = _new_state()
    for part in range(part_count(block.rounds)):
        deal(cards, DECK, block.seed, block.number, part)
        _look_up_threes(cards, t.threes, state.sorted_cards, state.hand_bits)
        if block.columns[ANTE_PLAY_RAISE] >= 0:
            _raise(cards, t.raises, state.is_raised)
        _judge(cards, state, block.columns, t, five_cards, ends)
        count_outcomes(ends, part, block)


@kernel
def judge_deuces(
    deals: Cards,
    action_bits: NDArray[np.uint16],
    is_raised: NDArray[np.bool_],
    columns: NDArray[np.int64],
    t: DeucesTables,
    five_cards: LookupTables,
    kinds: NDArray[np.int32],
) -> None:
    """The outcomes of the wagers in rounds that were dealt elsewhere, a row each. ``action_bits`` has the bits of the
    decisions, in the format of ``threes``."""
    cards, ends = np.zeros((CARDS_DEALT, PART_ROUNDS), np.uint8), np.empty((len(kinds), PART_ROUNDS), np.int16)
    state = _new_state()
    for part in range(part_count(len(deals))):
        round_count = load_part(deals, part, cards)
        _look_up_threes(cards, t.threes, state.sorted_cards, state.hand_bits)
        for at in range(round_count):
            state.hand_bits[at] = state.hand_bits[at] & PLACE_MASK | action_bits[part * PART_ROUNDS + at]
            state.is_raised[at] = is_raised[part * PART_ROUNDS + at]
        _judge(cards, state, columns, t, five_cards, ends)
        store_part(ends, part, round_count, kinds)
