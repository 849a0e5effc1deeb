"""Cards for rounds that are told one by one: those of a round hang on its seed and its number alone.

Simulated blocks are dealt in ``deals``, hundreds of rounds at a time. Here every round has a seed of its own, so that
rounds of many tables can be dealt in any company.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel
from cardroom.odds.rounds.philox import Words, digit, philox, refused_below

STREAM: Final = 1 << 21
"""Of random numbers; simulated blocks have others."""
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


@kernel
def deal_rounds(
    cards: Bytes, which: Numbers, seeds: NDArray[np.uint64], turns: NDArray[np.uint64], deck: Bytes, hand: int
) -> None:
    """Deal to some rows: the codes of as many cards as a row holds, out of a deck that is told by its codes. The first
    ``hand`` cards of a row lie from the highest down, as a player holds them; no rule looks at their order."""
    places = np.empty(cards.shape[1], np.int64)
    for row in which:
        _draw(places, seeds[row], turns[row], len(deck))
        _lay(places)
        for card in range(len(places)):
            cards[row, card] = deck[places[card]]
        _put_in_order(cards, row, hand)


@kernel
def _draw(places: Numbers, seed: np.uint64, turn: np.uint64, deck: int) -> None:
    """Each card told by its place among those that are left. Half of them come out of one number of 64 bits, half out
    of another; a number that would make some cards likelier than others is thrown away (Lemire's method)."""
    half = (len(places) + 1) // 2
    of_one, of_other = refused_below(deck, half), refused_below(deck - half, len(places) - half)
    attempt, fair = np.uint64(0), False
    while not fair:
        w, x, y, z = _numbers(turn, attempt, seed)
        for card in range(half):
            place, w, x = digit(w, x, np.uint64(deck - card))
            places[card] = np.int64(place)
        for card in range(half, len(places)):
            place, y, z = digit(y, z, np.uint64(deck - card))
            places[card] = np.int64(place)
        fair = bool((w << _HALF | x) >= of_one and (y << _HALF | z) >= of_other)
        attempt += np.uint64(1)


@kernel
def _numbers(turn: np.uint64, attempt: np.uint64, seed: np.uint64) -> Words:
    return philox(turn & _LOW, turn >> _HALF, np.uint64(STREAM), attempt, seed & _LOW, seed >> _HALF)


@kernel
def _lay(places: Numbers) -> None:
    """From places among the cards that are left to places in the deck: each card drawn before that is not above it
    moves a card up by one."""
    in_order = np.empty(len(places), np.int64)
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
