"""Kernels that simulate 3 Card Double Play Poker: the outcome of each wager, some hundred rounds at a time.

Rows of a deal are the player's six cards and the dealer's five. A lookup by the number of six cards gives their setting
and whether they are doubled; arrays from the game's own functions give the index of each outcome in a wager's list.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.games.three_card_double_play.divisions import division_line_bits
from cardroom.hands.lookup_tables import FLUSH_BITS, LookupTables
from cardroom.hands.strength import board_sums, look_up, row_straight_flush_top, suited_strength
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
from cardroom.odds.three_card_double_play.counts import SUIT_ORDERS, THREES, suit_classes

DECK: Final = 52
HAND_SIZE: Final = 6
DEALER_ROW: Final = 6
"""The first row of the dealer's cards."""
CARDS_DEALT: Final = 11
DOUBLED_SHIFT: Final = 4
SETTING_MASK: Final = (1 << DOUBLED_SHIFT) - 1
_FLUSH: Final = 3

HIGH_LOW, PICK_3, PICK_5, SUPER_3S, SUPER_SIX = range(5)

_LOWER: Final = np.array([[comb(code, size) for code in range(DECK)] for size in range(1, HAND_SIZE + 1)])
"""The number of hands of a size with only lower cards, by size and code."""


# The numbers of hands


@kernel
def hand_number(hand: Cards, column: int) -> int:
    """The colexicographic number of a hand of six cards with ascending codes."""
    number = 0
    for card in range(HAND_SIZE):
        number += _LOWER[card, hand[card, column]]
    return number


@kernel
def _three_card_number(a: int, b: int, c: int) -> int:
    """The same for three cards."""
    return int(_LOWER[0, a] + _LOWER[1, b] + _LOWER[2, c])


@cache
def setting_numbers() -> NDArray[np.uint8]:
    """The division among the first ten of ``THREES``, by the cards that are together, a bit each."""
    settings = np.zeros(1 << HAND_SIZE, np.uint8)
    for setting in range(10):
        bits = sum(1 << place for place in THREES[setting].tolist())
        settings[bits] = settings[(1 << HAND_SIZE) - 1 - bits] = setting
    return settings


def settings_by_hand(settings: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The lookup of each of the 20,358,520 hands by number, from the lookup of the classes: the setting in places of
    the hand's own cards, and the unchanged bit for doubling."""
    hand_settings = np.empty(comb(DECK, HAND_SIZE), np.uint8)
    _fill_hands(suit_classes(HAND_SIZE).hands, settings, setting_numbers(), hand_settings)
    return hand_settings


@kernel
def _fill_hands(
    hands: NDArray[np.uint8],
    settings: NDArray[np.uint8],
    setting_numbers: NDArray[np.uint8],
    settings_by_hand: NDArray[np.uint8],
) -> None:
    renamed, is_together = np.empty((HAND_SIZE, 1), np.uint8), np.empty(HAND_SIZE, np.bool_)
    with_first = np.zeros(HAND_SIZE, np.bool_)
    for at in range(len(hands)):
        with_first[:] = False
        for card in range(3):
            with_first[THREES[settings[at] & SETTING_MASK, card]] = True
        for order in range(len(SUIT_ORDERS)):
            for card in range(HAND_SIZE):
                code = hands[at, card] // 4 * 4 + SUIT_ORDERS[order, hands[at, card] % 4]
                place = card
                while place > 0 and renamed[place - 1, 0] > code:
                    renamed[place, 0], is_together[place] = renamed[place - 1, 0], is_together[place - 1]
                    place -= 1
                renamed[place, 0], is_together[place] = code, with_first[card]
            bits = 0
            for place in range(HAND_SIZE):
                bits |= int(is_together[place]) << place
            settings_by_hand[hand_number(renamed, 0)] = (
                setting_numbers[bits] | settings[at] >> DOUBLED_SHIFT << DOUBLED_SHIFT
            )


# Rounds


class DoublePlayTables(NamedTuple):
    """The lookup tables of the kernels; places are indexes of outcomes in a wager's list."""

    strengths: NDArray[np.uint16]
    """The strength of three cards, by number of the hand."""
    kinds: NDArray[np.uint8]
    """The index of the kind in the order of rule 5, by strength of three cards."""
    high_low: Places
    """Not doubled and doubled; then by kind of the low hand if both hands win, and last if the high hand wins alone and
    if the dealer wins."""
    division_kinds: NDArray[np.uint8]
    division_lines: NDArray[np.uint16]
    pick_3: Places
    """By the lines met, a bit each."""
    super_3s: Places
    pick_5: Places
    """By strength of the best five cards."""
    super_six: Places
    """By strength; last a six-card straight flush."""
    straight_flush: int
    """The lowest strength of a straight flush."""


@kernel
def _sort_hands(cards: Cards, sorted_cards: Cards) -> None:
    """The player's six cards, ascending."""
    for card in range(HAND_SIZE):
        for at in range(PART_ROUNDS):
            sorted_cards[card, at] = cards[card, at]
    for last in range(HAND_SIZE - 1, 0, -1):
        for place in range(last):
            for at in range(PART_ROUNDS):
                lower, upper = sorted_cards[place, at], sorted_cards[place + 1, at]
                sorted_cards[place, at], sorted_cards[place + 1, at] = min(lower, upper), max(lower, upper)


@kernel
def _dealer_strengths(cards: Cards, t: LookupTables, best: NDArray[np.uint16]) -> None:
    """The best three of the dealer's five cards (rule 6)."""
    keys, unsuited, suited, rows, shift, mask = t.keys, t.unsuited, t.suited, t.rows, t.row_shift, t.slot_mask
    a, b, c, d, e = (
        cards[DEALER_ROW],
        cards[DEALER_ROW + 1],
        cards[DEALER_ROW + 2],
        cards[DEALER_ROW + 3],
        cards[DEALER_ROW + 4],
    )
    for at in range(PART_ROUNDS):
        total, _, in_suit, count = board_sums(a[at], b[at], c[at], d[at], e[at], keys)
        flush = look_up(in_suit, suited, rows, shift, mask) * (count >= _FLUSH)
        best[at] = max(look_up(total, unsuited, rows, shift, mask), np.uint16(flush))


@kernel
def _look_up_hands(sorted_cards: Cards, hands: NDArray[np.uint8], setting_bytes: NDArray[np.uint8]) -> None:
    """The setting of each hand, and whether it is doubled."""
    for at in range(PART_ROUNDS):
        setting_bytes[at] = hands[hand_number(sorted_cards, at)]


@kernel
def _high_low(
    sorted_cards: Cards,
    dealer_strengths: NDArray[np.uint16],
    setting_bytes: NDArray[np.uint8],
    t: DoublePlayTables,
    ends: Places,
) -> None:
    strengths, kinds, places = t.strengths, t.kinds, t.high_low
    high_alone = places.shape[1] - 2
    for at in range(PART_ROUNDS):
        with_first = np.int64(setting_bytes[at] & SETTING_MASK)
        rest = 19 - with_first
        a, b, c = THREES[with_first, 0], THREES[with_first, 1], THREES[with_first, 2]
        first = strengths[_three_card_number(sorted_cards[a, at], sorted_cards[b, at], sorted_cards[c, at])]
        a, b, c = THREES[rest, 0], THREES[rest, 1], THREES[rest, 2]
        second = strengths[_three_card_number(sorted_cards[a, at], sorted_cards[b, at], sorted_cards[c, at])]
        low, high = min(first, second), max(first, second)
        # Rule 7: a copy wins for the player.
        lost = high_alone + int(high < dealer_strengths[at])
        end = np.int64(kinds[low]) if low >= dealer_strengths[at] else lost
        ends[at] = places[setting_bytes[at] >> DOUBLED_SHIFT, end]


@kernel
def _division_lines(sorted_cards: Cards, t: DoublePlayTables, line_bits: NDArray[np.uint16]) -> None:
    """The lines of Pick-3 and Super-3's that some division meets (DP-3)."""
    kinds, lines = t.division_kinds, t.division_lines
    hand = np.empty((1, HAND_SIZE), np.uint8)
    for at in range(PART_ROUNDS):
        for card in range(HAND_SIZE):
            hand[0, card] = sorted_cards[card, at]
        line_bits[at] = division_line_bits(hand, 0, kinds, lines)


@kernel
def _best_fives(
    sorted_cards: Cards, t: LookupTables, straight_flush: int, best: NDArray[np.uint16], six: NDArray[np.bool_]
) -> None:
    """The strength of the best five of six cards, and whether all six are a straight flush."""
    keys, start, unsuited, rows, shift, mask = t.keys, t.start, t.unsuited, t.rows, t.row_shift, t.slot_mask
    a, b, c, d, e, f = (
        sorted_cards[0],
        sorted_cards[1],
        sorted_cards[2],
        sorted_cards[3],
        sorted_cards[4],
        sorted_cards[5],
    )
    sums, suited, suited_count = np.empty(PART_ROUNDS, np.uint64), np.empty(PART_ROUNDS, np.int64), 0
    for at in range(PART_ROUNDS):
        total = start + keys[a[at]] + keys[b[at]] + keys[c[at]] + keys[d[at]] + keys[e[at]] + keys[f[at]]
        best[at] = look_up(total, unsuited, rows, shift, mask)
        sums[at], six[at] = total, False
        suited[suited_count] = at
        suited_count += int(total & FLUSH_BITS != 0)
    hand = np.empty((1, HAND_SIZE), np.uint8)
    for at in suited[:suited_count]:
        for card in range(HAND_SIZE):
            hand[0, card] = sorted_cards[card, at]
        best[at] = max(best[at], suited_strength(hand, 0, sums[at], t))
        six[at] = best[at] >= straight_flush and row_straight_flush_top(hand, 0, HAND_SIZE) > 0


@kernel
def _judge(
    cards: Cards,
    sorted_cards: Cards,
    setting_bytes: NDArray[np.uint8],
    columns: NDArray[np.int64],
    t: DoublePlayTables,
    three_cards: LookupTables,
    five_cards: LookupTables,
    ends: Places,
) -> None:
    """Fill a row of ``ends`` for each wager made; ``columns`` has each wager's row, or -1."""
    best = np.empty(PART_ROUNDS, np.uint16)
    if columns[HIGH_LOW] >= 0:
        _dealer_strengths(cards, three_cards, best)
        _high_low(sorted_cards, best, setting_bytes, t, ends[columns[HIGH_LOW]])
    if columns[PICK_3] >= 0 or columns[SUPER_3S] >= 0:
        _division_lines(sorted_cards, t, best)
        if columns[PICK_3] >= 0:
            _look_up_places(best, t.pick_3, ends[columns[PICK_3]])
        if columns[SUPER_3S] >= 0:
            _look_up_places(best, t.super_3s, ends[columns[SUPER_3S]])
    if columns[PICK_5] >= 0 or columns[SUPER_SIX] >= 0:
        six = np.empty(PART_ROUNDS, np.bool_)
        _best_fives(sorted_cards, five_cards, t.straight_flush, best, six)
        if columns[PICK_5] >= 0:
            _look_up_places(best, t.pick_5, ends[columns[PICK_5]])
        if columns[SUPER_SIX] >= 0:
            for at in range(PART_ROUNDS):
                best[at] = len(t.super_six) - 1 if six[at] else best[at]
            _look_up_places(best, t.super_six, ends[columns[SUPER_SIX]])


@kernel
def _look_up_places(indices: NDArray[np.uint16], places: Places, ends: Places) -> None:
    for at in range(PART_ROUNDS):
        ends[at] = places[indices[at]]


@kernel
def play_double_play(
    block: Block, hands: NDArray[np.uint8], t: DoublePlayTables, three_cards: LookupTables, five_cards: LookupTables
) -> None:
    """Play rounds, and count the outcomes of each wager."""
    cards, ends = (
        np.empty((CARDS_DEALT, PART_ROUNDS), np.uint8),
        np.empty((len(block.starts) - 1, PART_ROUNDS), np.int16),
    )
    sorted_cards, setting_bytes = np.empty((HAND_SIZE, PART_ROUNDS), np.uint8), np.empty(PART_ROUNDS, np.uint8)
    for part in range(part_count(block.rounds)):
        deal(cards, DECK, block.seed, block.number, part)
        _sort_hands(cards, sorted_cards)
        if block.columns[HIGH_LOW] >= 0:
            _look_up_hands(sorted_cards, hands, setting_bytes)
        _judge(cards, sorted_cards, setting_bytes, block.columns, t, three_cards, five_cards, ends)
        count_outcomes(ends, part, block)


@kernel
def judge_double_play(
    deals: Cards,
    action_bytes: NDArray[np.uint8],
    columns: NDArray[np.int64],
    t: DoublePlayTables,
    three_cards: LookupTables,
    five_cards: LookupTables,
    kinds: NDArray[np.int32],
) -> None:
    """The outcomes of the wagers in rounds that were dealt elsewhere, a row each, with a given setting of the six
    sorted cards and a given decision to double."""
    cards, ends = np.zeros((CARDS_DEALT, PART_ROUNDS), np.uint8), np.empty((len(kinds), PART_ROUNDS), np.int16)
    sorted_cards, setting_bytes = np.empty((HAND_SIZE, PART_ROUNDS), np.uint8), np.zeros(PART_ROUNDS, np.uint8)
    for part in range(part_count(len(deals))):
        round_count = load_part(deals, part, cards)
        _sort_hands(cards, sorted_cards)
        setting_bytes[:round_count] = action_bytes[part * PART_ROUNDS : part * PART_ROUNDS + round_count]
        _judge(cards, sorted_cards, setting_bytes, columns, t, three_cards, five_cards, ends)
        store_part(ends, part, round_count, kinds)
