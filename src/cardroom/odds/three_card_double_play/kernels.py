"""Simulated rounds of 3 Card Double Play Poker, as kernels: how each wager ends, some hundred rounds at a time.

Rows of a deal are the player's six cards and the dealer's five. How six cards are set, and whether they are doubled, is
looked up by their number; which place in a wager's list of endings a hand has, arrays say that are filled from the
game's own functions.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.games.three_card_double_play.divisions import lines_met
from cardroom.hands.board import board_sums
from cardroom.hands.straight_flush import run_in_suit
from cardroom.hands.strength import look_up, suited_strength
from cardroom.hands.tables import ENOUGH_FOR_A_FLUSH, Tables
from cardroom.kernels import kernel
from cardroom.odds.rounds.deals import ROUNDS, Block, Cards, Places, deal, note, parts, put_part, take_part
from cardroom.odds.three_card_double_play.classes import ORDERS_OF_SUITS, one_of_each
from cardroom.odds.three_card_double_play.counts import THREES

DECK: Final = 52
SIX: Final = 6
DEALER: Final = 6
"""The row where the dealer's cards begin."""
DEALT: Final = 11
DOUBLED_SHIFT: Final = 4
SETTING: Final = (1 << DOUBLED_SHIFT) - 1
_FLUSH: Final = 3

HIGH_LOW, PICK_3, PICK_5, SUPER_3S, SUPER_SIX = range(5)

_LOWER: Final = np.array([[comb(code, size) for code in range(DECK)] for size in range(1, SIX + 1)])
"""By size and code: the hands of this size that hold only lower cards."""


# The numbers of hands


@kernel
def number_of(hand: Cards, at: int) -> int:
    """How many hands of six stand before this one, whose codes ascend, when all are listed by their highest cards."""
    number = 0
    for card in range(SIX):
        number += _LOWER[card, hand[card, at]]
    return number


@kernel
def _number_of_three(a: int, b: int, c: int) -> int:
    """The same for three."""
    return int(_LOWER[0, a] + _LOWER[1, b] + _LOWER[2, c])


@cache
def setting_at() -> NDArray[np.uint8]:
    """By which cards of six stand together, a bit each: which of the first ten of ``THREES`` divides them so."""
    found = np.zeros(1 << SIX, np.uint8)
    for setting in range(10):
        bits = sum(1 << place for place in THREES[setting].tolist())
        found[bits] = found[(1 << SIX) - 1 - bits] = setting
    return found


def by_hand(settings: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What is known of each of the 20,358,520 hands by its number, from what is known of the classes: the setting told
    by the places of the hand's own cards, and the bit for doubling as it is."""
    found = np.empty(comb(DECK, SIX), np.uint8)
    _fill_hands(one_of_each(SIX).hands, settings, setting_at(), found)
    return found


@kernel
def _fill_hands(
    hands: NDArray[np.uint8], settings: NDArray[np.uint8], setting_at: NDArray[np.uint8], found: NDArray[np.uint8]
) -> None:
    renamed, together = np.empty((SIX, 1), np.uint8), np.empty(SIX, np.bool_)
    with_first = np.zeros(SIX, np.bool_)
    for at in range(len(hands)):
        with_first[:] = False
        for card in range(3):
            with_first[THREES[settings[at] & SETTING, card]] = True
        for order in range(len(ORDERS_OF_SUITS)):
            for card in range(SIX):
                code = hands[at, card] // 4 * 4 + ORDERS_OF_SUITS[order, hands[at, card] % 4]
                place = card
                while place > 0 and renamed[place - 1, 0] > code:
                    renamed[place, 0], together[place] = renamed[place - 1, 0], together[place - 1]
                    place -= 1
                renamed[place, 0], together[place] = code, with_first[card]
            bits = 0
            for place in range(SIX):
                bits |= int(together[place]) << place
            found[number_of(renamed, 0)] = setting_at[bits] | settings[at] >> DOUBLED_SHIFT << DOUBLED_SHIFT


# Rounds


class DoublePlayTables(NamedTuple):
    """What the kernels look up; places are those of endings in a wager's list."""

    strengths: NDArray[np.uint16]
    """Of three cards, by the number of the hand."""
    kinds: NDArray[np.uint8]
    """By the strength of three cards: the place of the kind in the order of rule 5."""
    high_low: Places
    """Not doubled and doubled; then by the kind of the low hand when both hands win, and last when the high hand wins
    alone and when the dealer wins."""
    division_kinds: NDArray[np.uint8]
    division_lines: NDArray[np.uint16]
    pick_3: Places
    """By the lines that are met, a bit each."""
    super_3s: Places
    pick_5: Places
    """By the strength of the best five cards."""
    super_six: Places
    """By strength; last a six-card straight flush."""
    straight_flush: int
    """The lowest strength of a straight flush."""


@kernel
def _put_in_order(cards: Cards, in_order: Cards) -> None:
    """The player's six cards, ascending."""
    for card in range(SIX):
        for at in range(ROUNDS):
            in_order[card, at] = cards[card, at]
    for last in range(SIX - 1, 0, -1):
        for place in range(last):
            for at in range(ROUNDS):
                one, other = in_order[place, at], in_order[place + 1, at]
                in_order[place, at], in_order[place + 1, at] = min(one, other), max(one, other)


@kernel
def _dealers(cards: Cards, t: Tables, best: NDArray[np.uint16]) -> None:
    """The best three of the dealer's five cards (rule 6)."""
    keys, unsuited, suited, rows, shift, mask = t.keys, t.unsuited, t.suited, t.rows, t.row_shift, t.slot_mask
    a, b, c, d, e = cards[DEALER], cards[DEALER + 1], cards[DEALER + 2], cards[DEALER + 3], cards[DEALER + 4]
    for at in range(ROUNDS):
        total, _, in_suit, count = board_sums(a[at], b[at], c[at], d[at], e[at], keys)
        flush = look_up(in_suit, suited, rows, shift, mask) * (count >= _FLUSH)
        best[at] = max(look_up(total, unsuited, rows, shift, mask), np.uint16(flush))


@kernel
def _look_up_hands(in_order: Cards, hands: NDArray[np.uint8], known: NDArray[np.uint8]) -> None:
    """How each hand is set, and whether it is doubled."""
    for at in range(ROUNDS):
        known[at] = hands[number_of(in_order, at)]


@kernel
def _high_low(
    in_order: Cards, dealers: NDArray[np.uint16], known: NDArray[np.uint8], t: DoublePlayTables, ends: Places
) -> None:
    strengths, kinds, places = t.strengths, t.kinds, t.high_low
    high_alone = places.shape[1] - 2
    for at in range(ROUNDS):
        with_first = np.int64(known[at] & SETTING)
        rest = 19 - with_first
        a, b, c = THREES[with_first, 0], THREES[with_first, 1], THREES[with_first, 2]
        one = strengths[_number_of_three(in_order[a, at], in_order[b, at], in_order[c, at])]
        a, b, c = THREES[rest, 0], THREES[rest, 1], THREES[rest, 2]
        other = strengths[_number_of_three(in_order[a, at], in_order[b, at], in_order[c, at])]
        low, high = min(one, other), max(one, other)
        # Rule 7: a copy wins for the player.
        lost = high_alone + int(high < dealers[at])
        end = np.int64(kinds[low]) if low >= dealers[at] else lost
        ends[at] = places[known[at] >> DOUBLED_SHIFT, end]


@kernel
def _divisions(in_order: Cards, t: DoublePlayTables, met: NDArray[np.uint16]) -> None:
    """The lines of Pick-3 and Super-3's that some division meets (DP-3)."""
    kinds, lines = t.division_kinds, t.division_lines
    hand = np.empty((1, SIX), np.uint8)
    for at in range(ROUNDS):
        for card in range(SIX):
            hand[0, card] = in_order[card, at]
        met[at] = lines_met(hand, 0, kinds, lines)


@kernel
def _best_fives(
    in_order: Cards, t: Tables, straight_flush: int, best: NDArray[np.uint16], six: NDArray[np.bool_]
) -> None:
    """The strength of the best five of six cards, and whether all six are a straight flush."""
    keys, start, unsuited, rows, shift, mask = t.keys, t.start, t.unsuited, t.rows, t.row_shift, t.slot_mask
    a, b, c, d, e, f = in_order[0], in_order[1], in_order[2], in_order[3], in_order[4], in_order[5]
    sums, suited, found = np.empty(ROUNDS, np.uint64), np.empty(ROUNDS, np.int64), 0
    for at in range(ROUNDS):
        total = start + keys[a[at]] + keys[b[at]] + keys[c[at]] + keys[d[at]] + keys[e[at]] + keys[f[at]]
        best[at] = look_up(total, unsuited, rows, shift, mask)
        sums[at], six[at] = total, False
        suited[found] = at
        found += int(total & ENOUGH_FOR_A_FLUSH != 0)
    hand = np.empty((1, SIX), np.uint8)
    for at in suited[:found]:
        for card in range(SIX):
            hand[0, card] = in_order[card, at]
        best[at] = max(best[at], suited_strength(hand, 0, sums[at], t))
        six[at] = best[at] >= straight_flush and run_in_suit(hand, 0, SIX) > 0


@kernel
def _judge(
    cards: Cards,
    in_order: Cards,
    known: NDArray[np.uint8],
    columns: NDArray[np.int64],
    t: DoublePlayTables,
    three_cards: Tables,
    five_cards: Tables,
    ends: Places,
) -> None:
    """Fill a row of ``ends`` for each wager that is made; ``columns`` have each wager's row, or -1."""
    best = np.empty(ROUNDS, np.uint16)
    if columns[HIGH_LOW] >= 0:
        _dealers(cards, three_cards, best)
        _high_low(in_order, best, known, t, ends[columns[HIGH_LOW]])
    if columns[PICK_3] >= 0 or columns[SUPER_3S] >= 0:
        _divisions(in_order, t, best)
        if columns[PICK_3] >= 0:
            _look_up_places(best, t.pick_3, ends[columns[PICK_3]])
        if columns[SUPER_3S] >= 0:
            _look_up_places(best, t.super_3s, ends[columns[SUPER_3S]])
    if columns[PICK_5] >= 0 or columns[SUPER_SIX] >= 0:
        six = np.empty(ROUNDS, np.bool_)
        _best_fives(in_order, five_cards, t.straight_flush, best, six)
        if columns[PICK_5] >= 0:
            _look_up_places(best, t.pick_5, ends[columns[PICK_5]])
        if columns[SUPER_SIX] >= 0:
            for at in range(ROUNDS):
                best[at] = len(t.super_six) - 1 if six[at] else best[at]
            _look_up_places(best, t.super_six, ends[columns[SUPER_SIX]])


@kernel
def _look_up_places(found: NDArray[np.uint16], places: Places, ends: Places) -> None:
    for at in range(ROUNDS):
        ends[at] = places[found[at]]


@kernel
def play_double_play(
    block: Block, hands: NDArray[np.uint8], t: DoublePlayTables, three_cards: Tables, five_cards: Tables
) -> None:
    """Play rounds, and note how each wager ends."""
    cards, ends = np.empty((DEALT, ROUNDS), np.uint8), np.empty((len(block.starts) - 1, ROUNDS), np.int16)
    in_order, known = np.empty((SIX, ROUNDS), np.uint8), np.empty(ROUNDS, np.uint8)
    for part in range(parts(block.rounds)):
        deal(cards, DECK, block.seed, block.number, part)
        _put_in_order(cards, in_order)
        if block.columns[HIGH_LOW] >= 0:
            _look_up_hands(in_order, hands, known)
        _judge(cards, in_order, known, block.columns, t, three_cards, five_cards, ends)
        note(ends, part, block)


@kernel
def judge_double_play(
    dealt: Cards,
    done: NDArray[np.uint8],
    columns: NDArray[np.int64],
    t: DoublePlayTables,
    three_cards: Tables,
    five_cards: Tables,
    found: NDArray[np.int32],
) -> None:
    """How the wagers end in rounds that were dealt elsewhere, a row each, and of which is told how the six cards in
    order are set and whether they are doubled."""
    cards, ends = np.zeros((DEALT, ROUNDS), np.uint8), np.empty((len(found), ROUNDS), np.int16)
    in_order, known = np.empty((SIX, ROUNDS), np.uint8), np.zeros(ROUNDS, np.uint8)
    for part in range(parts(len(dealt))):
        here = take_part(dealt, part, cards)
        _put_in_order(cards, in_order)
        known[:here] = done[part * ROUNDS : part * ROUNDS + here]
        _judge(cards, in_order, known, columns, t, three_cards, five_cards, ends)
        put_part(ends, part, here, found)
