"""Kernels that simulate Three Card Prime: the outcome of each wager, some hundred rounds at a time.

Rows of a deal are the player's three cards, the fourth card, and the dealer's three. Arrays from the game's own
functions give the index of each event in a wager's list of outcomes; the kernels do not restate the rules.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.lookup_tables import FLUSH_BITS, LookupTables
from cardroom.hands.strength import look_up, row_straight_flush_top, suited_strength
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

HandBits: TypeAlias = NDArray[np.uint16]
"""The lookup of three cards."""

DECK: Final = 52
FOURTH_ROW, DEALER_ROW, CARDS_DEALT = 3, 4, 7
"""The row of the fourth card, the first row of the dealer's cards, and the number of rows."""
DIAMONDS: Final = 1
ACE_HIGH: Final = 14

# The lookup of three cards, in 16 bits: the strength, the color (0 mixed, 1 black, 2 red), and whether to play.
STRENGTH_MASK: Final = (1 << 10) - 1
COLOR_SHIFT: Final = 10
PLAY_SHIFT: Final = 12


ANTE_PLAY, PRIME, PAIR_BONUS, ALL_SIX, FINAL_FOUR, ALL_SEVEN = range(6)


class PrimeTables(NamedTuple):
    """The lookup tables of the kernels; places are indexes of outcomes in a wager's list."""

    threes: HandBits
    """The lookup of three cards, by their codes in any order."""
    qualifying_strength: int
    """The lowest qualifying strength of the dealer's hand."""
    ante_play: Places
    """By strength of a played hand, or 0 for a folded one; then 0 if the dealer does not qualify, 1 if the dealer's
    hand is not higher, 2 if it is."""
    prime: Places
    """By color of the player's and of the dealer's cards."""
    kinds: NDArray[np.uint8]
    """The index of the category in its ranking's order, by strength of three cards."""
    pair_bonus: Places
    """By kind of the three cards and whether the fourth is a deuce."""
    all_six: Places
    """By strength; last a six-card royal of another suit and of diamonds."""
    royal: int
    """The strength of a five-card royal flush."""
    fourth_card_matters: NDArray[np.bool_]
    """Whether the fourth card can change the outcome of Final Four, by kind of the three cards."""
    four_kinds: NDArray[np.uint8]
    """The index of the category in its ranking's order, by strength of four cards."""
    final_four: Places
    """By kind of the three cards, kind of all four, and whether the fourth is a diamond."""
    all_seven: Places
    """By strength; last a seven-card straight flush."""
    straight_flush: int
    """The lowest strength of a straight flush."""


@kernel
def _ante_play(player: HandBits, dealer: HandBits, qualifying_strength: int, places: Places, ends: Places) -> None:
    for at in range(len(ends)):
        player_strength, dealer_strength = player[at] & STRENGTH_MASK, dealer[at] & STRENGTH_MASK
        against = int(dealer_strength >= qualifying_strength) * (1 + int(player_strength < dealer_strength))
        played = np.int64(player_strength) * (player[at] >> PLAY_SHIFT)
        ends[at] = places[played, against]


@kernel
def _prime(player: HandBits, dealer: HandBits, places: Places, ends: Places) -> None:
    for at in range(len(ends)):
        ends[at] = places[(player[at] >> COLOR_SHIFT) & 3, (dealer[at] >> COLOR_SHIFT) & 3]


@kernel
def _pair_bonus(player: HandBits, fourth: Cards, kinds: NDArray[np.uint8], places: Places, ends: Places) -> None:
    for at in range(len(ends)):
        ends[at] = places[kinds[player[at] & STRENGTH_MASK], int(fourth[at] < 4)]


@kernel
def _final_four(cards: Cards, player: HandBits, t: PrimeTables, four_cards: LookupTables, ends: Places) -> None:
    kinds, open_four, four_kinds, places = t.kinds, t.fourth_card_matters, t.four_kinds, t.final_four
    keys, rows, unsuited = four_cards.keys, four_cards.rows, four_cards.unsuited
    start, shift, mask = four_cards.start, four_cards.row_shift, four_cards.slot_mask
    hand = np.empty((1, 4), np.uint8)
    for at in range(len(ends)):
        kind = kinds[player[at] & STRENGTH_MASK]
        four = 0
        if open_four[kind]:
            total = start
            for card in range(4):
                hand[0, card] = cards[card, at]
                total += keys[hand[0, card]]
            best = look_up(total, unsuited, rows, shift, mask)
            if total & FLUSH_BITS:
                best = max(best, suited_strength(hand, 0, total, four_cards))
            four = four_kinds[best]
        ends[at] = places[kind, four, int(cards[FOURTH_ROW, at] & 3 == DIAMONDS)]


@kernel
def _sum_keys(sums: NDArray[np.uint64], cards: Cards, t: LookupTables) -> None:
    """The sums of the keys of the player's three and the dealer's three cards."""
    keys, start = t.keys, t.start
    a, b, c, d, e, f = cards[0], cards[1], cards[2], cards[DEALER_ROW], cards[DEALER_ROW + 1], cards[DEALER_ROW + 2]
    for at in range(len(sums)):
        sums[at] = start + keys[a[at]] + keys[b[at]] + keys[c[at]] + keys[d[at]] + keys[e[at]] + keys[f[at]]


@kernel
def _add_keys(sums: NDArray[np.uint64], cards: Cards, keys: NDArray[np.uint64]) -> None:
    for at in range(len(sums)):
        sums[at] += keys[cards[at]]


@kernel
def _best_fives(sums: NDArray[np.uint64], t: LookupTables, places: Places, ends: Places) -> int:
    """Store the outcome of the wager by the ranks of the best five cards. Rounds with five of a suit get -1 for
    ``_flushes``; returns their number."""
    rows, unsuited, shift, mask = t.rows, t.unsuited, t.row_shift, t.slot_mask
    flushes = 0
    for at in range(len(ends)):
        total = sums[at]
        flush = total & FLUSH_BITS != 0
        place = places[look_up(total, unsuited, rows, shift, mask)]
        ends[at] = -1 if flush else place
        flushes += flush
    return flushes


@kernel
def _best_with_suits(hand: NDArray[np.uint8], total: np.uint64, t: LookupTables) -> int:
    flat = look_up(total, t.unsuited, t.rows, t.row_shift, t.slot_mask)
    return max(int(flat), int(suited_strength(hand, 0, total, t)))


@kernel
def _all_six(cards: Cards, sums: NDArray[np.uint64], t: PrimeTables, five_cards: LookupTables, ends: Places) -> None:
    places = t.all_six
    if not _best_fives(sums, five_cards, places, ends):
        return
    hand = np.empty((1, 6), np.uint8)
    for at in range(len(ends)):
        if ends[at] < 0:
            for card in range(3):
                hand[0, card], hand[0, 3 + card] = cards[card, at], cards[DEALER_ROW + card, at]
            best = _best_with_suits(hand, sums[at], five_cards)
            if best == t.royal and row_straight_flush_top(hand, 0, 6) == ACE_HIGH:
                best = len(places) - (1 if hand[0, 0] & 3 == DIAMONDS else 2)
            ends[at] = places[best]


@kernel
def _all_seven(cards: Cards, sums: NDArray[np.uint64], t: PrimeTables, five_cards: LookupTables, ends: Places) -> None:
    places = t.all_seven
    if not _best_fives(sums, five_cards, places, ends):
        return
    hand = np.empty((1, CARDS_DEALT), np.uint8)
    for at in range(len(ends)):
        if ends[at] < 0:
            for card in range(CARDS_DEALT):
                hand[0, card] = cards[card, at]
            best = _best_with_suits(hand, sums[at], five_cards)
            if best >= t.straight_flush and row_straight_flush_top(hand, 0, CARDS_DEALT):
                best = len(places) - 1
            ends[at] = places[best]


@kernel
def _look_up_threes(cards: Cards, first: int, threes: HandBits, out: HandBits) -> None:
    first_card, second_card, third_card = cards[first], cards[first + 1], cards[first + 2]
    for at in range(len(out)):
        out[at] = threes[(np.int64(first_card[at]) * DECK + second_card[at]) * DECK + third_card[at]]


@kernel
def _judge(
    cards: Cards,
    player: HandBits,
    columns: NDArray[np.int64],
    t: PrimeTables,
    four_cards: LookupTables,
    five_cards: LookupTables,
    ends: Places,
) -> None:
    """Fill a row of ``ends`` for each wager made; ``columns`` has each wager's row, or -1. The lookup of the player's
    cards decides whether they are played."""
    dealer = np.empty(PART_ROUNDS, np.uint16)
    _look_up_threes(cards, DEALER_ROW, t.threes, dealer)
    if columns[ANTE_PLAY] >= 0:
        _ante_play(player, dealer, t.qualifying_strength, t.ante_play, ends[columns[ANTE_PLAY]])
    if columns[PRIME] >= 0:
        _prime(player, dealer, t.prime, ends[columns[PRIME]])
    if columns[PAIR_BONUS] >= 0:
        _pair_bonus(player, cards[FOURTH_ROW], t.kinds, t.pair_bonus, ends[columns[PAIR_BONUS]])
    if columns[FINAL_FOUR] >= 0:
        _final_four(cards, player, t, four_cards, ends[columns[FINAL_FOUR]])
    if columns[ALL_SIX] >= 0 or columns[ALL_SEVEN] >= 0:
        sums = np.empty(PART_ROUNDS, np.uint64)
        _sum_keys(sums, cards, five_cards)
        if columns[ALL_SIX] >= 0:
            _all_six(cards, sums, t, five_cards, ends[columns[ALL_SIX]])
        if columns[ALL_SEVEN] >= 0:
            _add_keys(sums, cards[FOURTH_ROW], five_cards.keys)
            _all_seven(cards, sums, t, five_cards, ends[columns[ALL_SEVEN]])


@kernel
def play_prime(block: Block, t: PrimeTables, four_cards: LookupTables, five_cards: LookupTables) -> None:
    """Play rounds, and count the outcomes of each wager."""
    cards, ends = (
        np.empty((CARDS_DEALT, PART_ROUNDS), np.uint8),
        np.empty((len(block.starts) - 1, PART_ROUNDS), np.int16),
    )
    player = np.empty(PART_ROUNDS, np.uint16)
    for part in range(part_count(block.rounds)):
        deal(cards, DECK, block.seed, block.number, part)
        _look_up_threes(cards, 0, t.threes, player)
        _judge(cards, player, block.columns, t, four_cards, five_cards, ends)
        count_outcomes(ends, part, block)


@kernel
def judge_prime(
    deals: Cards,
    is_played: NDArray[np.bool_],
    columns: NDArray[np.int64],
    t: PrimeTables,
    four_cards: LookupTables,
    five_cards: LookupTables,
    kinds: NDArray[np.int32],
) -> None:
    """The outcomes of the wagers in rounds that were dealt elsewhere, a row each, with given decisions to play."""
    cards, ends = np.zeros((CARDS_DEALT, PART_ROUNDS), np.uint8), np.empty((len(kinds), PART_ROUNDS), np.int16)
    player = np.empty(PART_ROUNDS, np.uint16)
    for part in range(part_count(len(deals))):
        round_count = load_part(deals, part, cards)
        _look_up_threes(cards, 0, t.threes, player)
        for at in range(round_count):
            played_bit = np.uint16(is_played[part * PART_ROUNDS + at]) << PLAY_SHIFT
            player[at] = player[at] & ((1 << PLAY_SHIFT) - 1) | played_bit
        _judge(cards, player, columns, t, four_cards, five_cards, ends)
        store_part(ends, part, round_count, kinds)
