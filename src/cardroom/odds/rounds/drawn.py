"""Cards for rounds that are told one by one: those of a round hang on its seed and its number alone.

Simulated blocks are dealt in ``deals``, hundreds of rounds at a time. Here every round has a seed of its own, so that
rounds of many tables can be dealt in any company.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import inlined, kernel
from cardroom.odds.rounds.philox import digit, philox, refused_below

STREAM: Final = 1 << 21
"""Of random numbers; simulated blocks have others."""
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


class Dealing(NamedTuple):
    """What the cards of rounds are dealt with."""

    deck: Bytes
    """The codes of all cards."""
    hand: int
    """How many cards, the first of a row, are the seat's own hand. They lie from the highest down, as a player holds
    them; no rule looks at their order."""
    sort_of: Numbers
    """By the first two cards, as ``two_cards`` numbers them: of which sort the round is."""
    asks: NDArray[np.bool_]
    """By sort: whether such a round asks its seat anything."""


PAIRS: Final = 1 << 12


@inlined
def two_cards(one: np.uint8, other: np.uint8) -> int:
    """The number of two cards, below ``PAIRS``."""
    return int(one) << 6 | int(other)


@kernel
def deal_rounds(
    cards: Bytes, which: Numbers, seeds: NDArray[np.uint64], turns: NDArray[np.uint64], dealing: Dealing
) -> None:
    """Deal to some rows: the codes of as many cards as a row holds."""
    places, in_order = np.empty(cards.shape[1], np.int64), np.empty(cards.shape[1], np.int64)
    refused = _refused(cards.shape[1], len(dealing.deck))
    for row in which:
        _deal(cards, row, seeds[row], turns[row], dealing, refused, places, in_order)


@kernel
def deal_asking(
    cards: Bytes,
    which: Numbers,
    seeds: NDArray[np.uint64],
    turns: NDArray[np.uint64],
    dealing: Dealing,
    passed: Bytes,
    rows: Numbers,
) -> tuple[int, int]:
    """Deal to some rows the next of their rounds that asks something, and count their turns on. The rounds that ask
    nothing are put into ``passed``, and ``rows`` says of which row they are. Gives how many rows were dealt to and how
    many rounds were passed; fewer rows than all when there was no room for more."""
    places, in_order = np.empty(cards.shape[1], np.int64), np.empty(cards.shape[1], np.int64)
    refused, count = _refused(cards.shape[1], len(dealing.deck)), 0
    for done in range(len(which)):
        row = which[done]
        while True:
            if count == len(passed):
                return done, count
            _deal(cards, row, seeds[row], turns[row], dealing, refused, places, in_order)
            turns[row] += np.uint64(1)
            if dealing.asks[dealing.sort_of[two_cards(cards[row, 0], cards[row, 1])]]:
                break
            for card in range(cards.shape[1]):
                passed[count, card] = cards[row, card]
            rows[count] = row
            count += 1
    return len(which), count


@kernel
def pass_to_asking(
    cards: Bytes,
    which: Numbers,
    seeds: NDArray[np.uint64],
    turns: NDArray[np.uint64],
    dealing: Dealing,
    nets: Numbers,
    skipped: tuple[Numbers, Numbers],
) -> None:
    """The same where the first two cards settle a round that asks nothing: ``nets`` has what it wins, by their number.
    Its other cards are not looked for; ``skipped`` counts such rounds and what they won, by row."""
    rounds, cents = skipped
    places, in_order = np.empty(cards.shape[1], np.int64), np.empty(cards.shape[1], np.int64)
    refused = _refused(cards.shape[1], len(dealing.deck))
    for row in which:
        while True:
            _draw(places, seeds[row], turns[row], len(dealing.deck), refused)
            turns[row] += np.uint64(1)
            other = places[1] + (places[1] >= places[0])
            pair = two_cards(dealing.deck[places[0]], dealing.deck[other])
            if dealing.asks[dealing.sort_of[pair]]:
                break
            rounds[row] += 1
            cents[row] += nets[pair]
        _lay(places, in_order)
        for card in range(len(places)):
            cards[row, card] = dealing.deck[places[card]]


@kernel
def _deal(
    cards: Bytes,
    row: int,
    seed: np.uint64,
    turn: np.uint64,
    dealing: Dealing,
    refused: tuple[np.uint64, np.uint64],
    places: Numbers,
    in_order: Numbers,
) -> None:
    _draw(places, seed, turn, len(dealing.deck), refused)
    _lay(places, in_order)
    for card in range(len(places)):
        cards[row, card] = dealing.deck[places[card]]
    _put_in_order(cards, row, dealing.hand)


@kernel
def _refused(count: int, deck: int) -> tuple[np.uint64, np.uint64]:
    """The rests of numbers that would make some cards likelier than others; they are thrown away (Lemire's method)."""
    half = (count + 1) // 2
    return refused_below(deck, half), refused_below(deck - half, count - half)


@kernel
def _draw(places: Numbers, seed: np.uint64, turn: np.uint64, deck: int, refused: tuple[np.uint64, np.uint64]) -> None:
    """Each card told by its place among those that are left. Half of them come out of one number of 64 bits, half out
    of another."""
    half = (len(places) + 1) // 2
    attempt, fair = np.uint64(0), False
    while not fair:
        w, x, y, z = philox(turn & _LOW, turn >> _HALF, np.uint64(STREAM), attempt, seed & _LOW, seed >> _HALF)
        for card in range(half):
            place, w, x = digit(w, x, np.uint64(deck - card))
            places[card] = np.int64(place)
        for card in range(half, len(places)):
            place, y, z = digit(y, z, np.uint64(deck - card))
            places[card] = np.int64(place)
        fair = bool((w << _HALF | x) >= refused[0] and (y << _HALF | z) >= refused[1])
        attempt += np.uint64(1)


@kernel
def _lay(places: Numbers, in_order: Numbers) -> None:
    """From places among the cards that are left to places in the deck: each card drawn before that is not above it
    moves a card up by one."""
    for card in range(len(places)):
        place, at = places[card], 0
        while at < card and place >= in_order[at]:
            place += 1
            at += 1
        for other in range(card, at, -1):
            in_order[other] = in_order[other - 1]
        in_order[at] = places[card] = place


@kernel
def _put_in_order(cards: Bytes, row: int, hand: int) -> None:
    for last in range(1, hand):
        at, card = last, cards[row, last]
        while at > 0 and cards[row, at - 1] < card:
            cards[row, at] = cards[row, at - 1]
            at -= 1
        cards[row, at] = card
