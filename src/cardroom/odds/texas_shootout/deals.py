"""Cards of Texas Shootout for simulated rounds, some hundred rounds at a time.

A round takes 13 of the 312 cards. They come out of the four random numbers of one counter: seven cards out of the first
two as one number of 64 bits, six out of the others. The loops over rounds do one simple thing each, so that the
compiler turns them into vector instructions.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel
from cardroom.odds.rounds.philox import digit, philox, refused_below
from cardroom.odds.texas_shootout.hands import COPIES, KINDS_OF_CARD

ROUNDS: Final = 256
"""Dealt at a time; what they need stays in the processor's nearest cache."""
CARDS: Final = 13
"""The player's four, the dealer's four, the five of the board."""
STREAM: Final = 1 << 20
"""Of random numbers."""

_DECK: Final = KINDS_OF_CARD * COPIES
_FIRST: Final = 7
"""Cards that come out of the first two numbers."""
_WORDS: Final = 4
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)
_SIXTH: Final = np.uint32((1 << 16) // COPIES + 1)
"""A place in the deck times this is, above 16 bits, the place divided by six."""

Numbers: TypeAlias = NDArray[np.uint32]
DeckPlaces: TypeAlias = NDArray[np.uint16]


class Tray(NamedTuple):
    """Room for the rounds that are dealt together, used again and again."""

    words: Numbers
    """Random numbers, then what is left of their chance; a column a round."""
    drawn: DeckPlaces
    """Places of cards, a row a card and a column a round."""
    in_order: DeckPlaces
    moving: NDArray[np.uint16]
    codes: NDArray[np.uint8]
    """The cards, in the same way."""


@kernel
def new_tray() -> Tray:
    """An empty one."""
    by_card = (CARDS, ROUNDS)
    return Tray(
        np.empty((_WORDS, ROUNDS), np.uint32),
        np.empty(by_card, np.uint16),
        np.empty(by_card, np.uint16),
        np.empty(ROUNDS, np.uint16),
        np.empty(by_card, np.uint8),
    )


@kernel
def _fill(words: Numbers, first: int, block: int, seed: np.uint64) -> None:
    """The random numbers of the rounds, a counter each. The loop is of a length that is known when it is compiled,
    without which it takes six times as long."""
    for at in range(ROUNDS):
        w, x, y, z = philox(
            np.uint64(first + at), np.uint64(block), np.uint64(STREAM), np.uint64(0), seed & _LOW, seed >> _HALF
        )
        words[0, at], words[1, at], words[2, at], words[3, at] = w, x, y, z


@kernel
def _draw(drawn: DeckPlaces, words: Numbers) -> None:
    """All cards of all rounds; the rests of the chance stay in ``words``."""
    for card in range(CARDS):
        row = 0 if card < _FIRST else 2
        left = np.uint64(_DECK - card)
        for at in range(ROUNDS):
            place, high, low = digit(np.uint64(words[row, at]), np.uint64(words[row + 1, at]), left)
            drawn[card, at] = np.uint16(place)
            words[row, at] = np.uint32(high)
            words[row + 1, at] = np.uint32(low)


@kernel
def _draw_again(drawn: DeckPlaces, at: int, turn: int, block: int, seed: np.uint64) -> None:
    """The cards of one round from later numbers of its own."""
    of_seven, of_six = refused_below(_DECK, _FIRST), refused_below(_DECK - _FIRST, CARDS - _FIRST)
    attempt, fair = np.uint64(0), False
    while not fair:
        attempt += np.uint64(1)
        w, x, y, z = philox(np.uint64(turn), np.uint64(block), np.uint64(STREAM), attempt, seed & _LOW, seed >> _HALF)
        for card in range(_FIRST):
            place, w, x = digit(w, x, np.uint64(_DECK - card))
            drawn[card, at] = np.uint16(place)
        for card in range(_FIRST, CARDS):
            place, y, z = digit(y, z, np.uint64(_DECK - card))
            drawn[card, at] = np.uint16(place)
        fair = bool((w << _HALF | x) >= of_seven and (y << _HALF | z) >= of_six)


@kernel
def _draw_unfair_again(drawn: DeckPlaces, words: Numbers, first: int, block: int, seed: np.uint64) -> None:
    """The rests tell the few numbers that would make some cards likelier than others; those rounds are drawn again
    (Lemire's method)."""
    of_seven, of_six = refused_below(_DECK, _FIRST), refused_below(_DECK - _FIRST, CARDS - _FIRST)
    for at in range(ROUNDS):
        one = np.uint64(words[0, at]) << _HALF | np.uint64(words[1, at])
        other = np.uint64(words[2, at]) << _HALF | np.uint64(words[3, at])
        if one < of_seven or other < of_six:
            _draw_again(drawn, at, first + at, block, seed)


@kernel
def _lay(drawn: DeckPlaces, in_order: DeckPlaces, moving: NDArray[np.uint16]) -> None:
    """From places among the cards that are left to places in the deck. The cards of a round that came before are kept
    in order: each one that is not above the new card moves it up by one, and the new card goes between them."""
    for card in range(CARDS):
        for at in range(ROUNDS):
            moving[at] = drawn[card, at]
        for before in range(card):
            for at in range(ROUNDS):
                new, old = moving[at], in_order[before, at]
                passes = new >= old
                moved = np.uint16(new + passes)
                drawn[card, at] = np.uint16(drawn[card, at] + passes)
                in_order[before, at] = min(moved, old)
                moving[at] = max(moved, old)
        for at in range(ROUNDS):
            in_order[card, at] = moving[at]


@kernel
def deal_to_tray(tray: Tray, first: int, block: int, seed: np.uint64) -> None:
    """Deal rounds ``first`` to ``first + ROUNDS - 1`` of a block."""
    words, drawn, codes = tray.words, tray.drawn, tray.codes
    _fill(words, first, block, seed)
    _draw(drawn, words)
    _draw_unfair_again(drawn, words, first, block, seed)
    _lay(drawn, tray.in_order, tray.moving)
    for card in range(CARDS):
        for at in range(ROUNDS):
            codes[card, at] = np.uint8(np.uint32(drawn[card, at]) * _SIXTH >> np.uint32(16))
