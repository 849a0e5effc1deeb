"""Kernels that simulate Texas Shootout with all its wagers, some hundred rounds at a time.

A round uses 13 of the 312 cards. They come from the four random numbers of one counter: seven cards from the first two
as one number of 64 bits, six from the others. The loops over rounds do one simple thing each, so that the compiler
turns them into vector instructions.

Lookups by the number of four cards give everything that they decide: the seat's choice, the two cards of the house way,
the outcome of Quick Draw. The rest is the hands against the board, and one dealer's hand in 120 with equal choices:
there the order in which its cards were dealt decides.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.games.texas_shootout.house_way import choose_dealer_pair, pair_preference
from cardroom.hands import SIX_DECK
from cardroom.hands.lookup_tables import LookupTables, lookup_tables
from cardroom.hands.strength import board_strength, board_sums, sort_four
from cardroom.kernels import inline_rule, kernel
from cardroom.odds.simulation.deals import draw_digit, philox, rejection_limit
from cardroom.odds.texas_shootout.hands_and_boards import (
    COPIES,
    KEEPS,
    KIND_COUNT,
    KINDS_OF_CARD,
    board_tables,
    every_hand,
    hand_number,
    pair_places,
)
from cardroom.odds.texas_shootout.payoffs import RESULT_COUNT

ROUNDS: Final = 256
"""Rounds dealt at a time; their data stays in the processor's nearest cache."""
CARDS: Final = 13
"""The player's four, the dealer's four, the five of the board."""
STREAM: Final = 1 << 20
"""The number of random numbers."""

_DECK: Final = KINDS_OF_CARD * COPIES
_FIRST: Final = 7
"""Cards from the first two numbers."""
_WORDS: Final = 4
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)
_SIXTH: Final = np.uint32((1 << 16) // COPIES + 1)
"""A place in the deck times this is, above 16 bits, the place divided by six."""

RandomWords: TypeAlias = NDArray[np.uint32]
DeckPlaces: TypeAlias = NDArray[np.uint16]


class DealBuffer(NamedTuple):
    """A reusable buffer for the rounds that are dealt together."""

    words: RandomWords
    """Random numbers, then their remainders; a column per round."""
    places: DeckPlaces
    """Places of cards, a row per card and a column per round."""
    sorted_places: DeckPlaces
    moving_places: NDArray[np.uint16]
    codes: NDArray[np.uint8]
    """The cards, in the same layout."""


@kernel
def new_deal_buffer() -> DealBuffer:
    """Create an empty buffer."""
    by_card = (CARDS, ROUNDS)
    return DealBuffer(
        np.empty((_WORDS, ROUNDS), np.uint32),
        np.empty(by_card, np.uint16),
        np.empty(by_card, np.uint16),
        np.empty(ROUNDS, np.uint16),
        np.empty(by_card, np.uint8),
    )


@kernel
def _fill_words(words: RandomWords, first: int, block: int, seed: np.uint64) -> None:
    """Write the random numbers of the rounds, a counter each. The length of the loop is a compile-time constant;
    otherwise it takes six times as long."""
    for at in range(ROUNDS):
        w, x, y, z = philox(
            np.uint64(first + at), np.uint64(block), np.uint64(STREAM), np.uint64(0), seed & _LOW, seed >> _HALF
        )
        words[0, at], words[1, at], words[2, at], words[3, at] = w, x, y, z


@kernel
def _draw(places: DeckPlaces, words: RandomWords) -> None:
    """Draw all cards of all rounds; the remainders stay in ``words``."""
    for card in range(CARDS):
        row = 0 if card < _FIRST else 2
        left = np.uint64(_DECK - card)
        for at in range(ROUNDS):
            place, high, low = draw_digit(np.uint64(words[row, at]), np.uint64(words[row + 1, at]), left)
            places[card, at] = np.uint16(place)
            words[row, at] = np.uint32(high)
            words[row + 1, at] = np.uint32(low)


@kernel
def _draw_again(places: DeckPlaces, at: int, turn: int, block: int, seed: np.uint64) -> None:
    """Draw the cards of one round again from its later numbers."""
    of_seven, of_six = rejection_limit(_DECK, _FIRST), rejection_limit(_DECK - _FIRST, CARDS - _FIRST)
    attempt, fair = np.uint64(0), False
    while not fair:
        attempt += np.uint64(1)
        w, x, y, z = philox(np.uint64(turn), np.uint64(block), np.uint64(STREAM), attempt, seed & _LOW, seed >> _HALF)
        for card in range(_FIRST):
            place, w, x = draw_digit(w, x, np.uint64(_DECK - card))
            places[card, at] = np.uint16(place)
        for card in range(_FIRST, CARDS):
            place, y, z = draw_digit(y, z, np.uint64(_DECK - card))
            places[card, at] = np.uint16(place)
        fair = bool((w << _HALF | x) >= of_seven and (y << _HALF | z) >= of_six)


@kernel
def _draw_unfair_again(places: DeckPlaces, words: RandomWords, first: int, block: int, seed: np.uint64) -> None:
    """Draw again the few rounds whose remainders show numbers that would make some cards more likely than others
    (Lemire's method)."""
    of_seven, of_six = rejection_limit(_DECK, _FIRST), rejection_limit(_DECK - _FIRST, CARDS - _FIRST)
    for at in range(ROUNDS):
        first_rest = np.uint64(words[0, at]) << _HALF | np.uint64(words[1, at])
        second_rest = np.uint64(words[2, at]) << _HALF | np.uint64(words[3, at])
        if first_rest < of_seven or second_rest < of_six:
            _draw_again(places, at, first + at, block, seed)


@kernel
def _to_deck_places(places: DeckPlaces, sorted_places: DeckPlaces, moving_places: NDArray[np.uint16]) -> None:
    """Convert places among the cards that are left to places in the deck. The earlier cards of a round are sorted: each
    one that is not above the new card moves it up by one, and the new card is inserted."""
    for card in range(CARDS):
        for at in range(ROUNDS):
            moving_places[at] = places[card, at]
        for before in range(card):
            for at in range(ROUNDS):
                new, old = moving_places[at], sorted_places[before, at]
                passes = new >= old
                moved = np.uint16(new + passes)
                places[card, at] = np.uint16(places[card, at] + passes)
                sorted_places[before, at] = min(moved, old)
                moving_places[at] = max(moved, old)
        for at in range(ROUNDS):
            sorted_places[card, at] = moving_places[at]


@kernel
def deal_to_buffer(buffer: DealBuffer, first: int, block: int, seed: np.uint64) -> None:
    """Deal rounds ``first`` to ``first + ROUNDS - 1`` of a block."""
    words, places, codes = buffer.words, buffer.places, buffer.codes
    _fill_words(words, first, block, seed)
    _draw(places, words)
    _draw_unfair_again(places, words, first, block, seed)
    _to_deck_places(places, buffer.sorted_places, buffer.moving_places)
    for card in range(CARDS):
        for at in range(ROUNDS):
            codes[card, at] = np.uint8(np.uint32(places[card, at]) * _SIXTH >> np.uint32(16))


PLACEMENTS: Final = 3
"""Placements of the Shootout Bonus after a split."""

# A round goes one of these ways: the kept hand has a result against the dealer and a kind; after a split, each of the
# two hands has both.
KEPT_PATTERN_COUNT: Final = RESULT_COUNT * KIND_COUNT
PATTERN_COUNT: Final = KEPT_PATTERN_COUNT + PLACEMENTS * KEPT_PATTERN_COUNT**2

DEALT_ORDER: Final = 255
"""Marks equal choices of the dealer, who then keeps the cards dealt first (TS-1)."""

_QUICK_SHIFT: Final = 4
_PLAY: Final = (1 << _QUICK_SHIFT) - 1

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


class RoundPatterns(NamedTuple):
    """Every way that a round can go. A kept hand uses the first place of each pair."""

    splits: NDArray[np.bool_]
    placement: Numbers
    results: Numbers
    kinds: Numbers


@cache
def round_patterns() -> RoundPatterns:
    """Decode the numbers of the ways."""
    way = np.arange(PATTERN_COUNT)
    splits = way >= KEPT_PATTERN_COUNT
    both = np.where(splits, way - KEPT_PATTERN_COUNT, 0)
    first = np.where(splits, both // KEPT_PATTERN_COUNT % KEPT_PATTERN_COUNT, way)
    second = both % KEPT_PATTERN_COUNT
    return RoundPatterns(
        splits,
        both // KEPT_PATTERN_COUNT**2,
        np.column_stack([first // KIND_COUNT, second // KIND_COUNT]),
        np.column_stack([first % KIND_COUNT, second % KIND_COUNT]),
    )


def encode_plays(choices: Bytes, placements: Bytes, quick: Bytes) -> Bytes:
    """The seat's choice for each hand, and the outcome of Quick Draw, in one byte: keeps by number, then splits, each
    with the three placements of the Shootout Bonus."""
    split = KEEPS + PLACEMENTS * (choices.astype(np.int64) - KEEPS) + placements
    play = np.where(choices < KEEPS, choices, split)
    assert max(int(play.max()), int(quick.max())) <= _PLAY
    encoded: Bytes = (play | quick.astype(np.int64) << _QUICK_SHIFT).astype(np.uint8)
    return encoded


def decode_play(play_byte: int) -> tuple[int, int]:
    """The choice and the placement of the Shootout Bonus in such a byte."""
    play = play_byte & _PLAY
    if play < KEEPS:
        return play, 0
    split, placement = divmod(play - KEEPS, PLACEMENTS)
    return KEEPS + split, placement


@cache
def play_places() -> Bytes:
    """The places of the cards of the first and of the second pair of each play."""
    return np.concatenate([pair_places()[:KEEPS], np.repeat(pair_places()[KEEPS:], PLACEMENTS, axis=0)])


@cache
def house_way_choices() -> Bytes:
    """The dealer's choice among the ``CHOICES`` for each hand in order, or ``DEALT_ORDER``."""
    return _fill_house_way_choices(every_hand(), pair_places())


@kernel
def _fill_house_way_choices(hands: Bytes, places: Bytes) -> Bytes:
    choices = np.empty(len(hands), np.uint8)
    for at in range(len(hands)):
        choice = choose_dealer_pair(hands, at)
        a, b = hands[at, places[choice, 0]], hands[at, places[choice, 1]]
        choices[at] = choice
        for other in range(choice + 1, KEEPS):
            c, d = hands[at, places[other, 0]], hands[at, places[other, 1]]
            # Two cards that look the same are the same choice.
            if (c != a or d != b) and pair_preference(int(c), int(d)) == pair_preference(int(a), int(b)):
                choices[at] = DEALT_ORDER
    return choices


class SeatTables(NamedTuple):
    """The lookup tables besides the seat's plays."""

    places: Bytes
    house_choices: Bytes
    kinds: Bytes
    """By strength: the place in ``HAND_KINDS``."""
    ranking_tables: LookupTables


@cache
def seat_tables() -> SeatTables:
    """Build the tables, once in a process."""
    return SeatTables(play_places(), house_way_choices(), board_tables().kinds, lookup_tables(SIX_DECK))


@kernel
def _number(codes: Bytes, card: int, fours: NDArray[np.uint32], numbers: NDArray[np.int32]) -> None:
    """The sorted codes of the four cards from row ``card`` on, a byte each, and the number of the hand."""
    for at in range(ROUNDS):
        a, b, c, d = sort_four(
            int(codes[card, at]), int(codes[card + 1, at]), int(codes[card + 2, at]), int(codes[card + 3, at])
        )
        fours[at] = np.uint32(a | b << 8 | c << 16 | d << 24)
        numbers[at] = np.int32(hand_number(a, b, c, d))


@kernel
def _dealt_order_choice(codes: Bytes, at: int) -> tuple[np.uint32, np.uint8]:
    """The dealer's four cards in the order of the deal, a byte each, and the dealer's choice among the ``CHOICES``."""
    dealt = codes[4:8].T
    a, b, c, d = int(dealt[at, 0]), int(dealt[at, 1]), int(dealt[at, 2]), int(dealt[at, 3])
    return np.uint32(a | b << 8 | c << 16 | d << 24), np.uint8(choose_dealer_pair(dealt, at))


@inline_rule
def _result(player: np.uint16, dealer: np.uint16) -> int:
    """Loss, tie, or win."""
    return int(player >= dealer) + int(player > dealer)


@inline_rule
def _card(four: np.uint32, place: np.uint8) -> int:
    """The card at a place of four."""
    return int(four >> (place << 3)) & 63


@kernel
def play_shootout(
    buffer: DealBuffer,
    first: int,
    block: int,
    seed: np.uint64,
    plays: Bytes,
    lookup: SeatTables,
    quick: Bytes,
    patterns: NDArray[np.int32],
) -> None:
    """Play ``ROUNDS`` rounds of a block, and store the outcome of Quick Draw and the way of each round."""
    deal_to_buffer(buffer, first, block, seed)
    hands, numbers, play_bytes = np.empty(ROUNDS, np.uint32), np.empty(ROUNDS, np.int32), np.empty(ROUNDS, np.uint8)
    _number(buffer.codes, 0, hands, numbers)
    for at in range(ROUNDS):
        play_bytes[at] = plays[numbers[at]]
        quick[at] = play_bytes[at] >> _QUICK_SHIFT
    _judge(buffer.codes, hands, play_bytes, lookup, patterns)


@kernel
def judge_shootout(
    deals: Bytes, play: Bytes, quicks: Bytes, lookup: SeatTables, quick: NDArray[np.int32], patterns: NDArray[np.int32]
) -> None:
    """The ways of rounds that were dealt elsewhere, a row each, with given plays. The outcome of Quick Draw is looked
    up by the number of the hand."""
    codes = np.zeros((CARDS, ROUNDS), np.uint8)
    hands, numbers, play_bytes = np.empty(ROUNDS, np.uint32), np.empty(ROUNDS, np.int32), np.zeros(ROUNDS, np.uint8)
    block_patterns = np.empty(ROUNDS, np.int32)
    for first in range(0, len(deals), ROUNDS):
        round_count = min(ROUNDS, len(deals) - first)
        for at in range(round_count):
            for card in range(CARDS):
                codes[card, at] = deals[first + at, card]
            play_bytes[at] = play[first + at]
        _number(codes, 0, hands, numbers)
        _judge(codes, hands, play_bytes, lookup, block_patterns)
        for at in range(round_count):
            quick[first + at] = quicks[numbers[at]]
            patterns[first + at] = block_patterns[at]


@kernel
def _judge(
    codes: Bytes, hands: NDArray[np.uint32], play_bytes: Bytes, lookup: SeatTables, patterns: NDArray[np.int32]
) -> None:
    """The way of each round whose sorted hand is played by ``play_bytes``."""
    places, house, kinds, t = lookup.places, lookup.house_choices, lookup.kinds, lookup.ranking_tables
    keys, unsuited, suited, rows, shift, mask = t.keys, t.unsuited, t.suited, t.rows, t.row_shift, t.slot_mask
    dealer_hands, dealer_numbers = np.empty(ROUNDS, np.uint32), np.empty(ROUNDS, np.int32)
    _number(codes, 4, dealer_hands, dealer_numbers)
    dealers, splits, split = np.empty(ROUNDS, np.uint16), np.empty(ROUNDS, np.int64), 0
    for at in range(ROUNDS):
        board = board_sums(codes[8, at], codes[9, at], codes[10, at], codes[11, at], codes[12, at], keys)
        four, choice = dealer_hands[at], house[dealer_numbers[at]]
        if choice == DEALT_ORDER:
            four, choice = _dealt_order_choice(codes, at)
        first_card, second_card = _card(four, places[choice, 0]), _card(four, places[choice, 1])
        dealer = board_strength(first_card, second_card, board, keys, unsuited, suited, rows, shift, mask)
        four, play = hands[at], play_bytes[at] & _PLAY
        first_card, second_card = _card(four, places[play, 0]), _card(four, places[play, 1])
        own = board_strength(first_card, second_card, board, keys, unsuited, suited, rows, shift, mask)
        patterns[at] = KIND_COUNT * _result(own, dealer) + kinds[own]
        dealers[at] = dealer
        splits[split] = at
        split += play >= KEEPS
    # About one round in fifty has a second hand.
    for at in splits[:split]:
        board = board_sums(codes[8, at], codes[9, at], codes[10, at], codes[11, at], codes[12, at], keys)
        four, play = hands[at], play_bytes[at] & _PLAY
        first_card, second_card = _card(four, places[play, 2]), _card(four, places[play, 3])
        own = board_strength(first_card, second_card, board, keys, unsuited, suited, rows, shift, mask)
        second = KIND_COUNT * _result(own, dealers[at]) + kinds[own]
        patterns[at] = (
            KEPT_PATTERN_COUNT * (1 + KEPT_PATTERN_COUNT * ((play - KEEPS) % PLACEMENTS) + patterns[at]) + second
        )


@kernel
def count_rounds(
    block: int, rounds: int, seed: np.uint64, plays: Bytes, lookup: SeatTables, quicks: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Play the rounds of a block. Returns the count of each way; adds the outcomes of Quick Draw to ``quicks``."""
    buffer = new_deal_buffer()
    quick, patterns = np.empty(ROUNDS, np.uint8), np.empty(ROUNDS, np.int32)
    pattern_counts = np.zeros(PATTERN_COUNT, np.int64)
    for first in range(0, rounds, ROUNDS):
        play_shootout(buffer, first, block, seed, plays, lookup, quick, patterns)
        for at in range(min(ROUNDS, rounds - first)):
            pattern_counts[patterns[at]] += 1
            quicks[quick[at]] += 1
    return pattern_counts


@kernel
def list_rounds(
    block: int, seed: np.uint64, plays: Bytes, lookup: SeatTables, quick: Bytes, patterns: NDArray[np.int32]
) -> None:
    """The same rounds one by one, as many as the arrays have room for."""
    buffer = new_deal_buffer()
    block_quick, block_patterns = np.empty(ROUNDS, np.uint8), np.empty(ROUNDS, np.int32)
    for first in range(0, len(patterns), ROUNDS):
        play_shootout(buffer, first, block, seed, plays, lookup, block_quick, block_patterns)
        played = min(ROUNDS, len(patterns) - first)
        quick[first : first + played] = block_quick[:played]
        patterns[first : first + played] = block_patterns[:played]
