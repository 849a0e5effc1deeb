"""The four-card hands of Texas Shootout and what can be done with them.

A hand is four card codes in ascending order; its number counts the hands below it. Choices 0 to 5 keep two cards, as
the house way numbers them; 6 to 8 split the hand into choice 0, 1 or 2 and the cards it leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, of_code
from cardroom.games import Decision, Verb
from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.games.texas_shootout.rules import listed_split
from cardroom.kernels import inlined, kernel

KINDS_OF_CARD: Final = 52
COPIES: Final = 6
KEEPS: Final = len(CHOICES)
SPLITS: Final = 3
CHOICE_COUNT: Final = KEEPS + SPLITS
HANDS: Final = comb(KINDS_OF_CARD + 3, 4)
"""Different hands of four cards, with copies: 341,055."""

PAIRS_OF: Final = (*((keep, keep) for keep in range(KEEPS)), *((one, KEEPS - 1 - one) for one in range(SPLITS)))
"""By choice: the two pairs that are played, by number; a hand that keeps two cards plays one pair."""


@inlined
def hand_number(a: int, b: int, c: int, d: int) -> int:
    """The number of a hand whose codes ascend."""
    return a + (b + 1) * b // 2 + (c + 2) * (c + 1) * c // 6 + (d + 3) * (d + 2) * (d + 1) * d // 24


@cache
def pair_places() -> NDArray[np.uint8]:
    """By choice: the places of the cards of the first pair played and of the second."""
    return np.array([[*CHOICES[one], *CHOICES[other]] for one, other in PAIRS_OF], np.uint8)


@kernel
def _every_hand() -> NDArray[np.uint8]:
    hands = np.empty((HANDS, 4), np.uint8)
    at = 0
    for d in range(KINDS_OF_CARD):
        for c in range(d + 1):
            for b in range(c + 1):
                for a in range(b + 1):
                    hands[at, 0], hands[at, 1], hands[at, 2], hands[at, 3] = a, b, c, d
                    at += 1
    return hands


@cache
def every_hand() -> NDArray[np.uint8]:
    """Every hand, a row at its number."""
    return _every_hand()


@kernel
def numbers(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The numbers of many hands whose rows ascend."""
    found = np.empty(len(hands), np.int64)
    for at in range(len(hands)):
        found[at] = hand_number(int(hands[at, 0]), int(hands[at, 1]), int(hands[at, 2]), int(hands[at, 3]))
    return found


def ways_dealt(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """In how many ways six decks give each hand: 6 choose how often a card is in it, card by card."""
    ways_with = np.array([comb(COPIES, count) for count in range(5)])
    product = np.ones(len(hands), np.int64)
    run = np.ones(len(hands), np.int64)
    for card in range(1, 5):
        goes_on = hands[:, card] == hands[:, card - 1] if card < 4 else np.zeros(len(hands), np.bool_)
        product *= np.where(goes_on, 1, ways_with[run])
        run = np.where(goes_on, run + 1, 1)
    return product


def recolored(hands: NDArray[np.uint8], suits: Sequence[int]) -> NDArray[np.uint8]:
    """The same hands with the suits exchanged."""
    by_code = np.array([code & ~3 | suits[code & 3] for code in range(KINDS_OF_CARD)], np.uint8)
    return by_code[hands]


def codes_in_order(four: Sequence[Card]) -> NDArray[np.uint8]:
    """A hand's codes, ascending."""
    return np.array(sorted(card.code for card in four), np.uint8)


def decision(codes: NDArray[np.uint8], choice: int) -> Decision:
    """A choice for a hand in order, as the game lists it."""
    first, second = (
        tuple(of_code(int(codes[place])) for place in CHOICES[pair]) for pair in (PAIRS_OF[choice][0], _rest(choice))
    )
    return Decision(Verb.KEEP, (first,)) if choice < KEEPS else listed_split(first, second)


def _rest(choice: int) -> int:
    return KEEPS - 1 - PAIRS_OF[choice][0]
