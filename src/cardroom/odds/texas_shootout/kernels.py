"""Texas Shootout with all its wagers, some hundred simulated rounds at a time.

Everything that a hand of four cards decides is looked up by its number: how the seat plays it, which two cards the
house way plays of it, how Quick Draw ends. What is left are the hands against the board, and one dealer's hand in
120 that has equal choices: there the order in which its cards were dealt decides.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.games.texas_shootout.house_way import dealers_choice, preference
from cardroom.hands import SIX_DECK
from cardroom.hands.board import best_of, board_sums
from cardroom.hands.strength import ascending
from cardroom.hands.tables import Tables, tables
from cardroom.kernels import inlined, kernel
from cardroom.odds.texas_shootout.boards import KIND_COUNT, boards
from cardroom.odds.texas_shootout.deals import CARDS, ROUNDS, Tray, deal_to_tray, new_tray
from cardroom.odds.texas_shootout.hands import KEEPS, every_hand, hand_number, pair_places
from cardroom.odds.texas_shootout.results import RESULTS

PLACEMENTS: Final = 3
"""Of the Shootout Bonus after a split."""

# A round has gone one way out of so many: the hand that was kept has a result against the dealer and is of some kind;
# or, after a split, each of the two has and is.
KEPT_WAYS: Final = RESULTS * KIND_COUNT
WAYS: Final = KEPT_WAYS + PLACEMENTS * KEPT_WAYS**2

AS_DEALT: Final = 255
"""In place of the dealer's choice: there are equal ones, of which the cards dealt first are kept (TS-1)."""

_QUICK_SHIFT: Final = 4
_PLAY: Final = (1 << _QUICK_SHIFT) - 1

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


class Ways(NamedTuple):
    """Every way that a round can go, an entry each. A kept hand's are in the first places of each pair."""

    splits: NDArray[np.bool_]
    placement: Numbers
    results: Numbers
    kinds: Numbers


@cache
def every_way() -> Ways:
    """Read the numbers of the ways again."""
    way = np.arange(WAYS)
    splits = way >= KEPT_WAYS
    both = np.where(splits, way - KEPT_WAYS, 0)
    first = np.where(splits, both // KEPT_WAYS % KEPT_WAYS, way)
    second = both % KEPT_WAYS
    return Ways(
        splits,
        both // KEPT_WAYS**2,
        np.column_stack([first // KIND_COUNT, second // KIND_COUNT]),
        np.column_stack([first % KIND_COUNT, second % KIND_COUNT]),
    )


def plays(choices: Bytes, placements: Bytes, quick: Bytes) -> Bytes:
    """What a seat does with each hand, and how Quick Draw ends, in one byte: keeps as they are numbered, then splits
    with the three placements of the Shootout Bonus each."""
    split = KEEPS + PLACEMENTS * (choices.astype(np.int64) - KEEPS) + placements
    play = np.where(choices < KEEPS, choices, split)
    assert max(int(play.max()), int(quick.max())) <= _PLAY
    found: Bytes = (play | quick.astype(np.int64) << _QUICK_SHIFT).astype(np.uint8)
    return found


def play_of(known: int) -> tuple[int, int]:
    """The choice and the placement of the Shootout Bonus out of such a byte."""
    play = known & _PLAY
    if play < KEEPS:
        return play, 0
    split, placement = divmod(play - KEEPS, PLACEMENTS)
    return KEEPS + split, placement


@cache
def places_of_plays() -> Bytes:
    """By play: the places of the cards of the first pair played and of the second."""
    return np.concatenate([pair_places()[:KEEPS], np.repeat(pair_places()[KEEPS:], PLACEMENTS, axis=0)])


@cache
def house_ways() -> Bytes:
    """By hand: which of the ``CHOICES`` the dealer plays of its cards in order, or ``AS_DEALT``."""
    return _house_ways(every_hand(), pair_places())


@kernel
def _house_ways(hands: Bytes, places: Bytes) -> Bytes:
    found = np.empty(len(hands), np.uint8)
    for at in range(len(hands)):
        choice = dealers_choice(hands, at)
        a, b = hands[at, places[choice, 0]], hands[at, places[choice, 1]]
        found[at] = choice
        for other in range(choice + 1, KEEPS):
            c, d = hands[at, places[other, 0]], hands[at, places[other, 1]]
            # Two cards that are the same to the eye are no other choice.
            if (c != a or d != b) and preference(int(c), int(d)) == preference(int(a), int(b)):
                found[at] = AS_DEALT
    return found


class SeatTables(NamedTuple):
    """What the rounds look up besides the seat's plays."""

    places: Bytes
    house: Bytes
    kinds: Bytes
    """By strength: the place in ``HAND_KINDS``."""
    t: Tables


@cache
def seat_tables() -> SeatTables:
    """Built once in a process."""
    return SeatTables(places_of_plays(), house_ways(), boards().kinds, tables(SIX_DECK))


@kernel
def _number(codes: Bytes, card: int, fours: NDArray[np.uint32], numbers: NDArray[np.int32]) -> None:
    """Of the four cards from row ``card`` on: the codes in order, a byte each, and the number of the hand."""
    for at in range(ROUNDS):
        a, b, c, d = ascending(
            int(codes[card, at]), int(codes[card + 1, at]), int(codes[card + 2, at]), int(codes[card + 3, at])
        )
        fours[at] = np.uint32(a | b << 8 | c << 16 | d << 24)
        numbers[at] = np.int32(hand_number(a, b, c, d))


@kernel
def _as_dealt(codes: Bytes, at: int) -> tuple[np.uint32, np.uint8]:
    """The dealer's four cards in the order in which they were dealt, a byte each, and which of the ``CHOICES`` of them
    is played."""
    dealt = codes[4:8].T
    a, b, c, d = int(dealt[at, 0]), int(dealt[at, 1]), int(dealt[at, 2]), int(dealt[at, 3])
    return np.uint32(a | b << 8 | c << 16 | d << 24), np.uint8(dealers_choice(dealt, at))


@inlined
def _result(own: np.uint16, dealer: np.uint16) -> int:
    """Loss, tie or win."""
    return int(own >= dealer) + int(own > dealer)


@inlined
def _card(four: np.uint32, place: np.uint8) -> int:
    """The card at a place of four."""
    return int(four >> (place << 3)) & 63


@kernel
def play_shootout(
    tray: Tray,
    first: int,
    block: int,
    seed: np.uint64,
    plays: Bytes,
    looked: SeatTables,
    quick: Bytes,
    ways: NDArray[np.int32],
) -> None:
    """Play ``ROUNDS`` rounds of a block, and tell of each how Quick Draw ended and which way the round went."""
    deal_to_tray(tray, first, block, seed)
    hands, numbers, known = np.empty(ROUNDS, np.uint32), np.empty(ROUNDS, np.int32), np.empty(ROUNDS, np.uint8)
    _number(tray.codes, 0, hands, numbers)
    for at in range(ROUNDS):
        known[at] = plays[numbers[at]]
        quick[at] = known[at] >> _QUICK_SHIFT
    _judge(tray.codes, hands, known, looked, ways)


@kernel
def judge_shootout(
    dealt: Bytes, play: Bytes, quicks: Bytes, looked: SeatTables, quick: NDArray[np.int32], ways: NDArray[np.int32]
) -> None:
    """How rounds go that were dealt elsewhere, a row each, and of which the play is told; how Quick Draw ends is looked
    up by the number of the hand."""
    codes = np.zeros((CARDS, ROUNDS), np.uint8)
    hands, numbers, known = np.empty(ROUNDS, np.uint32), np.empty(ROUNDS, np.int32), np.zeros(ROUNDS, np.uint8)
    some_ways = np.empty(ROUNDS, np.int32)
    for first in range(0, len(dealt), ROUNDS):
        here = min(ROUNDS, len(dealt) - first)
        for at in range(here):
            for card in range(CARDS):
                codes[card, at] = dealt[first + at, card]
            known[at] = play[first + at]
        _number(codes, 0, hands, numbers)
        _judge(codes, hands, known, looked, some_ways)
        for at in range(here):
            quick[first + at] = quicks[numbers[at]]
            ways[first + at] = some_ways[at]


@kernel
def _judge(codes: Bytes, hands: NDArray[np.uint32], known: Bytes, looked: SeatTables, ways: NDArray[np.int32]) -> None:
    """Which way each round goes whose hand, in order, is played as ``known`` tells."""
    places, house, kinds, t = looked.places, looked.house, looked.kinds, looked.t
    keys, unsuited, suited, rows, shift, mask = t.keys, t.unsuited, t.suited, t.rows, t.row_shift, t.slot_mask
    dealer_hands, dealer_numbers = np.empty(ROUNDS, np.uint32), np.empty(ROUNDS, np.int32)
    _number(codes, 4, dealer_hands, dealer_numbers)
    dealers, splits, split = np.empty(ROUNDS, np.uint16), np.empty(ROUNDS, np.int64), 0
    for at in range(ROUNDS):
        board = board_sums(codes[8, at], codes[9, at], codes[10, at], codes[11, at], codes[12, at], keys)
        four, choice = dealer_hands[at], house[dealer_numbers[at]]
        if choice == AS_DEALT:
            four, choice = _as_dealt(codes, at)
        one, other = _card(four, places[choice, 0]), _card(four, places[choice, 1])
        dealer = best_of(one, other, board, keys, unsuited, suited, rows, shift, mask)
        four, play = hands[at], known[at] & _PLAY
        one, other = _card(four, places[play, 0]), _card(four, places[play, 1])
        own = best_of(one, other, board, keys, unsuited, suited, rows, shift, mask)
        ways[at] = KIND_COUNT * _result(own, dealer) + kinds[own]
        dealers[at] = dealer
        splits[split] = at
        split += play >= KEEPS
    # One round in fifty or so has a second hand.
    for at in splits[:split]:
        board = board_sums(codes[8, at], codes[9, at], codes[10, at], codes[11, at], codes[12, at], keys)
        four, play = hands[at], known[at] & _PLAY
        one, other = _card(four, places[play, 2]), _card(four, places[play, 3])
        own = best_of(one, other, board, keys, unsuited, suited, rows, shift, mask)
        second = KIND_COUNT * _result(own, dealers[at]) + kinds[own]
        ways[at] = KEPT_WAYS * (1 + KEPT_WAYS * ((play - KEEPS) % PLACEMENTS) + ways[at]) + second


@kernel
def count_rounds(
    block: int, rounds: int, seed: np.uint64, plays: Bytes, looked: SeatTables, quicks: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Play the rounds of a block: how often they went each way; how often Quick Draw ended how is added to
    ``quicks``."""
    tray = new_tray()
    quick, ways = np.empty(ROUNDS, np.uint8), np.empty(ROUNDS, np.int32)
    found = np.zeros(WAYS, np.int64)
    for first in range(0, rounds, ROUNDS):
        play_shootout(tray, first, block, seed, plays, looked, quick, ways)
        for at in range(min(ROUNDS, rounds - first)):
            found[ways[at]] += 1
            quicks[quick[at]] += 1
    return found


@kernel
def list_rounds(
    block: int, seed: np.uint64, plays: Bytes, looked: SeatTables, quick: Bytes, ways: NDArray[np.int32]
) -> None:
    """The same rounds one by one, as many as there is room for."""
    tray = new_tray()
    some_quick, some_ways = np.empty(ROUNDS, np.uint8), np.empty(ROUNDS, np.int32)
    for first in range(0, len(ways), ROUNDS):
        play_shootout(tray, first, block, seed, plays, looked, some_quick, some_ways)
        played = min(ROUNDS, len(ways) - first)
        quick[first : first + played] = some_quick[:played]
        ways[first : first + played] = some_ways[:played]
