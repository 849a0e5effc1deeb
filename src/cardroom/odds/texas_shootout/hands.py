"""The four-card hands of Texas Shootout, what can be done with them, and which of them are the same but for suits.

A hand is four card codes in ascending order; its number counts the hands below it. Choices 0 to 5 keep two cards, as
the house way numbers them; 6 to 8 split the hand into choice 0, 1 or 2 and the cards it leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, of_code
from cardroom.games import Decision, Verb
from cardroom.games.texas_shootout.house_way import CHOICES, preference
from cardroom.games.texas_shootout.rules import listed_split
from cardroom.kernels import inlined, kernel

KINDS_OF_CARD: Final = 52
COPIES: Final = 6
KEEPS: Final = len(CHOICES)
SPLITS: Final = 3
CHOICE_COUNT: Final = KEEPS + SPLITS
HANDS: Final = comb(KINDS_OF_CARD + 3, 4)
"""Different hands of four cards, with copies: 341,055."""
SUIT_ORDERS: Final = tuple(permutations(range(4)))

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


@dataclass(frozen=True)
class HandClasses:
    """The hands that differ in their suits only are one class, which the lowest number among them stands for.

    Suits have no rank in this game (TS-1): the hands of a class win equally often, and a choice is made for the class.
    """

    hands: NDArray[np.uint8]
    """By class: the hand that stands for it."""
    ways: NDArray[np.int64]
    """By class: in how many ways it is dealt; together 312 choose 4."""
    class_of: NDArray[np.int32]
    """By hand: its class."""
    order: NDArray[np.uint8]
    """By hand: which of its cards stands at each place of the class's hand."""
    different: NDArray[np.bool_]
    """By class and choice: whether no choice before it is the same but for suits."""

    def __len__(self) -> int:
        return len(self.hands)

    def by_hand(self, by_class: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A choice for each hand from a choice for each class."""
        keep = self._first_pairs(by_class)
        split = KEEPS + np.minimum(keep, KEEPS - 1 - keep)
        return np.where(by_class[self.class_of] < KEEPS, keep, split).astype(np.uint8)

    def turned(self, by_class: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """By hand: whether the first pair of the class's split is the second one of the hand's."""
        found: NDArray[np.bool_] = self._first_pairs(by_class) >= SPLITS
        return found

    def _first_pairs(self, by_class: NDArray[np.uint8]) -> NDArray[np.int64]:
        """By hand: the keep that takes the cards which the class's choice plays first."""
        first, _ = np.array(PAIRS_OF).T
        places = np.array(CHOICES)[first[by_class[self.class_of]]]
        kept = np.sort(np.take_along_axis(self.order, places, axis=1).astype(np.int64), axis=1)
        keep: NDArray[np.int64] = _KEEP_AT[kept[:, 0], kept[:, 1]]
        return keep


_KEEP_AT: Final = np.zeros((4, 4), np.int64)
for _number, _places in enumerate(CHOICES):
    _KEEP_AT[_places] = _number


@cache
def hand_classes() -> HandClasses:
    """All 22,022 classes."""
    hands = every_hand()
    lowest = np.full(HANDS, HANDS)
    order = np.zeros((HANDS, 4), np.uint8)
    for suits in SUIT_ORDERS:
        changed = recolored(hands, suits)
        places = np.argsort(changed, axis=1, kind="stable")
        number = numbers(np.take_along_axis(changed, places, axis=1))
        lower = number < lowest
        lowest[lower] = number[lower]
        order[lower] = places[lower]
    standing, class_of = np.unique(lowest, return_inverse=True)
    dealt = np.bincount(class_of, ways_dealt(hands), len(standing)).astype(np.int64)  # below 2**53, so exact
    representatives = np.ascontiguousarray(hands[standing])
    return HandClasses(representatives, dealt, class_of.astype(np.int32), order, _different(representatives))


def recolored(hands: NDArray[np.uint8], suits: Sequence[int]) -> NDArray[np.uint8]:
    """The same hands with the suits exchanged."""
    by_code = np.array([code & ~3 | suits[code & 3] for code in range(KINDS_OF_CARD)], np.uint8)
    return by_code[hands]


def _different(hands: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which choices of each hand are not the same as an earlier one but for suits."""
    signature = np.full((len(hands), CHOICE_COUNT), np.iinfo(np.int64).max)
    for suits in SUIT_ORDERS:
        changed = recolored(hands, suits).astype(np.int64)
        for choice, (pair, _) in enumerate(PAIRS_OF):
            kept = np.sort(changed[:, CHOICES[pair]], axis=1)
            left = np.sort(changed[:, CHOICES[KEEPS - 1 - pair]], axis=1)
            of_kept, of_left = kept[:, 0] << 6 | kept[:, 1], left[:, 0] << 6 | left[:, 1]
            if choice >= KEEPS:
                of_kept, of_left = np.minimum(of_kept, of_left), np.maximum(of_kept, of_left)
            signature[:, choice] = np.minimum(signature[:, choice], of_kept << 12 | of_left)
    new = np.ones((len(hands), CHOICE_COUNT), np.bool_)
    for choice in range(CHOICE_COUNT):
        for earlier in range(choice):
            alike = signature[:, choice] == signature[:, earlier]
            new[:, choice] &= ~alike if (choice < KEEPS) == (earlier < KEEPS) else True
    return new


@cache
def dealer_preferences() -> NDArray[np.int32]:
    """The house way's preference for each two cards, by their codes."""
    return np.array(
        [[preference(one, other) for other in range(KINDS_OF_CARD)] for one in range(KINDS_OF_CARD)], np.int32
    )


@cache
def suit_exchanges() -> NDArray[np.uint8]:
    """By order of the suits: the code that each code becomes."""
    return np.array([[code & ~3 | suits[code & 3] for code in range(KINDS_OF_CARD)] for suits in SUIT_ORDERS], np.uint8)


def codes_in_order(four: Sequence[Card]) -> NDArray[np.uint8]:
    """A hand's codes, ascending."""
    return np.array(sorted(card.code for card in four), np.uint8)


def copies_of(gone: Sequence[Card]) -> NDArray[np.int64]:
    """How often each card is among these, by code."""
    counts = Counter(card.code for card in gone)
    return np.array([counts[code] for code in range(KINDS_OF_CARD)], np.int64)


def decision(codes: NDArray[np.uint8], choice: int) -> Decision:
    """A choice for a hand in order, as the game lists it."""
    first, second = (
        tuple(of_code(int(codes[place])) for place in CHOICES[pair]) for pair in (PAIRS_OF[choice][0], _rest(choice))
    )
    return Decision(Verb.KEEP, (first,)) if choice < KEEPS else listed_split(first, second)


def _rest(choice: int) -> int:
    return KEEPS - 1 - PAIRS_OF[choice][0]
