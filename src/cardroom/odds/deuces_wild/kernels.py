"""Simulated rounds of Deuces Wild, as kernels: how each wager ends, some hundred rounds at a time.

Rows of a deal are the player's first three cards, the fourth, the last one, and the four community cards. What three or
four cards decide is looked up by the number of their set, as ``deuces_wild_counts`` numbers them; which place in a
wager's list of endings a hand has, arrays say that are filled from the game's own functions.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.strength import ascending, look_up, suited_strength
from cardroom.hands.tables import ENOUGH_FOR_A_FLUSH, Tables
from cardroom.kernels import kernel
from cardroom.odds.rounds.deals import ROUNDS, Block, Cards, Places, deal, note, parts, put_part, take_part

Sums: TypeAlias = NDArray[np.uint64]

DECK: Final = 53
FIVE: Final = 5
COMMUNITY: Final = 5
"""The row where the community cards begin."""
DEALT: Final = 9

# What is known of three cards, in 16 bits: the place of Three Card Treasure's ending; whether to play; and which of the
# three, from the lowest code up, are chosen for Five Card Fortune, a bit each.
PLACE: Final = 15
PLAY_SHIFT: Final = 4
CHOSEN_SHIFT: Final = 5

ANTE_PLAY_RAISE, TREASURE, FORTUNE, JACKPOT = range(4)

_NO_CARD: Final = 255
"""A code whose key is nothing, for the places of a hand that stay empty."""


class DeucesTables(NamedTuple):
    """What the kernels look up; places are those of endings in a wager's list."""

    threes: NDArray[np.uint16]
    """What is known of three cards, by the number of the set."""
    raises: NDArray[np.bool_]
    """Whether to raise, by the number of the four cards."""
    hands: Places
    """How a raised hand ends, by strength; last a fold after four cards and a fold after three."""
    fortunes: Places
    """By strength."""
    wild: NDArray[np.uint8]
    """1 for a wild card, by code."""
    jackpots: Places
    """By the number of wild cards."""


@kernel
def _known(cards: Cards, threes: NDArray[np.uint16], in_order: Cards, known: NDArray[np.uint16]) -> None:
    """Put the first three cards of each round in order, and look up what is known of them."""
    one, two, three = cards[0], cards[1], cards[2]
    numbers = np.empty(ROUNDS, np.int32)
    for at in range(ROUNDS):
        # A card that is lower than all others takes the place before them.
        _, a, b, c = ascending(-1, int(one[at]), int(two[at]), int(three[at]))
        in_order[0, at], in_order[1, at], in_order[2, at] = np.uint8(a), np.uint8(b), np.uint8(c)
        numbers[at] = np.int32(a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6)
    for at in range(ROUNDS):
        known[at] = threes[numbers[at]]


@kernel
def _four_numbers(cards: Cards, numbers: NDArray[np.int32]) -> None:
    one, two, three, four = cards[0], cards[1], cards[2], cards[3]
    for at in range(ROUNDS):
        a, b, c, d = ascending(int(one[at]), int(two[at]), int(three[at]), int(four[at]))
        below = a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6
        numbers[at] = np.int32(below + d * (d - 1) * (d - 2) * (d - 3) // 24)


@kernel
def _strengths(sums: Sums, t: Tables, best: NDArray[np.uint16], suited: NDArray[np.int64]) -> int:
    """The best hands as far as the ranks tell; and the rounds that have five cards of a suit, and how many they are."""
    rows, unsuited, shift, mask = t.rows, t.unsuited, t.row_shift, t.slot_mask
    found = 0
    for at in range(ROUNDS):
        best[at] = look_up(sums[at], unsuited, rows, shift, mask)
        suited[found] = at
        found += int(sums[at] & ENOUGH_FOR_A_FLUSH != 0)
    return found


@kernel
def _ante_play_raise(
    cards: Cards, known: NDArray[np.uint16], raised: NDArray[np.bool_], places: Places, t: Tables, ends: Places
) -> None:
    keys, start = t.keys, t.start
    sums, best, suited = np.empty(ROUNDS, np.uint64), np.empty(ROUNDS, np.uint16), np.empty(ROUNDS, np.int64)
    a, b, c, d, e = cards[0], cards[1], cards[2], cards[3], cards[4]
    for at in range(ROUNDS):
        sums[at] = start + keys[a[at]] + keys[b[at]] + keys[c[at]] + keys[d[at]] + keys[e[at]]
    found = _strengths(sums, t, best, suited)
    hand = np.empty((1, FIVE), np.uint8)
    for at in suited[:found]:
        for card in range(FIVE):
            hand[0, card] = cards[card, at]
        best[at] = max(best[at], suited_strength(hand, 0, sums[at], t))
    fold_three = len(places) - 1
    fold_four = len(places) - 2
    for at in range(ROUNDS):
        last = np.int64(best[at]) if raised[at] else fold_four
        ends[at] = places[last if known[at] >> PLAY_SHIFT & 1 else fold_three]


@kernel
def _fortune(cards: Cards, in_order: Cards, known: NDArray[np.uint16], places: Places, t: Tables, ends: Places) -> None:
    keys, start = t.keys, t.start
    sums, best, suited = np.empty(ROUNDS, np.uint64), np.empty(ROUNDS, np.uint16), np.empty(ROUNDS, np.int64)
    chosen = np.empty((3, ROUNDS), np.uint8)
    for place in range(3):
        for at in range(ROUNDS):
            is_chosen = known[at] >> (CHOSEN_SHIFT + place) & 1
            chosen[place, at] = in_order[place, at] if is_chosen else _NO_CARD
    a, b, c, d = cards[COMMUNITY], cards[COMMUNITY + 1], cards[COMMUNITY + 2], cards[COMMUNITY + 3]
    e, f, g = chosen[0], chosen[1], chosen[2]
    for at in range(ROUNDS):
        total = start + keys[a[at]] + keys[b[at]] + keys[c[at]] + keys[d[at]]
        sums[at] = total + keys[e[at]] + keys[f[at]] + keys[g[at]]
    found = _strengths(sums, t, best, suited)
    hand = np.empty((1, 7), np.uint8)
    for at in suited[:found]:
        for card in range(4):
            hand[0, card] = cards[COMMUNITY + card, at]
        for card in range(3):
            hand[0, 4 + card] = chosen[card, at]
        best[at] = max(best[at], suited_strength(hand, 0, sums[at], t))
    for at in range(ROUNDS):
        ends[at] = places[best[at]]


@kernel
def _jackpot(cards: Cards, wild: NDArray[np.uint8], places: Places, ends: Places) -> None:
    a, b, c, d, e = cards[0], cards[1], cards[2], cards[3], cards[4]
    for at in range(ROUNDS):
        ends[at] = places[wild[a[at]] + wild[b[at]] + wild[c[at]] + wild[d[at]] + wild[e[at]]]


class Seen(NamedTuple):
    """What the wagers look at besides the cards as they were dealt."""

    in_order: NDArray[np.uint8]
    """The first three cards, ascending."""
    known: NDArray[np.uint16]
    """Of the first three cards, and what is done with them."""
    raised: NDArray[np.bool_]


@kernel
def _new_seen() -> Seen:
    return Seen(np.empty((3, ROUNDS), np.uint8), np.empty(ROUNDS, np.uint16), np.empty(ROUNDS, np.bool_))


@kernel
def _raise(cards: Cards, raises: NDArray[np.bool_], raised: NDArray[np.bool_]) -> None:
    """Whether the four cards of each round are raised."""
    numbers = np.empty(ROUNDS, np.int32)
    _four_numbers(cards, numbers)
    for at in range(ROUNDS):
        raised[at] = raises[numbers[at]]


@kernel
def _judge(
    cards: Cards, seen: Seen, columns: NDArray[np.int64], t: DeucesTables, five_cards: Tables, ends: Places
) -> None:
    """Fill a row of ``ends`` for each wager that is made; ``columns`` have each wager's row, or -1."""
    if columns[ANTE_PLAY_RAISE] >= 0:
        _ante_play_raise(cards, seen.known, seen.raised, t.hands, five_cards, ends[columns[ANTE_PLAY_RAISE]])
    if columns[TREASURE] >= 0:
        treasures = ends[columns[TREASURE]]
        for at in range(ROUNDS):
            treasures[at] = seen.known[at] & PLACE
    if columns[FORTUNE] >= 0:
        _fortune(cards, seen.in_order, seen.known, t.fortunes, five_cards, ends[columns[FORTUNE]])
    if columns[JACKPOT] >= 0:
        _jackpot(cards, t.wild, t.jackpots, ends[columns[JACKPOT]])


@kernel
def play_deuces(block: Block, t: DeucesTables, five_cards: Tables) -> None:
    """Play rounds, and note how each wager ends."""
    cards, ends = np.empty((DEALT, ROUNDS), np.uint8), np.empty((len(block.starts) - 1, ROUNDS), np.int16)
    seen = _new_seen()
    for part in range(parts(block.rounds)):
        deal(cards, DECK, block.seed, block.number, part)
        _known(cards, t.threes, seen.in_order, seen.known)
        if block.columns[ANTE_PLAY_RAISE] >= 0:
            _raise(cards, t.raises, seen.raised)
        _judge(cards, seen, block.columns, t, five_cards, ends)
        note(ends, part, block)


@kernel
def judge_deuces(
    dealt: Cards,
    done: NDArray[np.uint16],
    raised: NDArray[np.bool_],
    columns: NDArray[np.int64],
    t: DeucesTables,
    five_cards: Tables,
    found: NDArray[np.int32],
) -> None:
    """How the wagers end in rounds that were dealt elsewhere, a row each. ``done`` has the bits of what is played and
    chosen, as they stand in ``threes``."""
    cards, ends = np.zeros((DEALT, ROUNDS), np.uint8), np.empty((len(found), ROUNDS), np.int16)
    seen = _new_seen()
    for part in range(parts(len(dealt))):
        here = take_part(dealt, part, cards)
        _known(cards, t.threes, seen.in_order, seen.known)
        for at in range(here):
            seen.known[at] = seen.known[at] & PLACE | done[part * ROUNDS + at]
            seen.raised[at] = raised[part * ROUNDS + at]
        _judge(cards, seen, columns, t, five_cards, ends)
        put_part(ends, part, here, found)
