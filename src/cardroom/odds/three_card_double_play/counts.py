"""How many of the dealer's hands each three of a player's six cards beats or copies, for every hand of six cards.

The dealer's five cards come from the 46 that the player does not hold. They are counted the other way round, by
inclusion and exclusion: the five-card hands up to some strength that avoid six cards are all of them, less those that
hold one of the six, plus those that hold two of them, and so on. How many hold given cards does not depend on the
names of the suits, so there are few such numbers and all of them are looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands import THREE_CARD, batch
from cardroom.kernels import kernel, parallel_kernel, prange
from cardroom.odds.three_card_double_play.classes import OneOfEach, class_numbers, one_of_each, place_of

DEALER_HANDS: Final = comb(46, 5)
"""The hands that the dealer can have when six cards are known."""
STRENGTHS: Final = len(THREE_CARD.classes) + 1
"""Strengths run from 1; place 0 stays empty."""

_ONES, _TWOS, THREES, _FOURS = (np.array(list(combinations(range(6), size))) for size in range(1, 5))
"""Which cards of six. The first ten of ``THREES`` hold the first card, and what number n leaves is number 19 - n."""
_SIZES: Final = (1, 2, 3, 4)
_PARTS: Final = 256
"""Into how many parts the hands are divided among the processor's cores."""


class Holding(NamedTuple):
    """By the class of some cards, and then by strength: the five-card hands up to it that hold these cards."""

    none: NDArray[np.int32]
    one: NDArray[np.int32]
    two: NDArray[np.uint16]  # at most 50 choose 3, 19,600
    three: NDArray[np.uint16]
    four: NDArray[np.uint8]  # at most 48


def _holding() -> Holding:
    fives = one_of_each(5)
    strengths = batch(THREE_CARD, fives.hands)

    def tables() -> Iterator[NDArray[np.int32]]:
        for size in (0, *_SIZES):
            alike = one_of_each(size).alike
            hands = np.zeros((len(alike), STRENGTHS), np.int32)
            chosen = np.array(list(combinations(range(5), size)), np.int64)
            _add_hands(fives, strengths, chosen, class_numbers(size), hands)
            _add_up(hands, alike)
            yield hands.ravel()

    none, one, two, three, four = tables()
    return Holding(none, one, two.astype(np.uint16), three.astype(np.uint16), four.astype(np.uint8))


@kernel
def _add_hands(
    fives: OneOfEach,
    strengths: NDArray[np.uint16],
    chosen: NDArray[np.int64],
    numbers: NDArray[np.uint16],
    found: NDArray[np.int32],
) -> None:
    """Count each five-card hand for every choice of its cards, by their class and the strength of the hand."""
    hands, alike = fives.hands, fives.alike
    for at in range(len(hands)):
        for choice in range(len(chosen)):
            found[numbers[place_of(hands, at, chosen, choice)], strengths[at]] += alike[at]


@kernel
def _add_up(hands: NDArray[np.int32], alike: NDArray[np.int64]) -> None:
    """From the hands of each strength that hold any cards of the class to those up to it that hold certain ones."""
    for number in range(len(hands)):
        below = 0
        for strength in range(hands.shape[1]):
            below += hands[number, strength] // alike[number]
            hands[number, strength] = below


class Threes(NamedTuple):
    """For each hand of six cards, and each of its ``THREES``."""

    strengths: NDArray[np.uint16]
    beaten: NDArray[np.int32]
    """How many of the ``DEALER_HANDS`` these three cards beat or copy (rule 7)."""


@cache
def threes() -> Threes:
    """Those of every row of ``one_of_each(6)``. No paytable changes them, so they are counted once."""
    return threes_of(one_of_each(6).hands)


def threes_of(hands: NDArray[np.uint8]) -> Threes:
    """What each three of some hands of six cards is against the dealer; the codes in each row are ascending."""
    found = Threes(np.empty((len(hands), len(THREES)), np.uint16), np.empty((len(hands), len(THREES)), np.int32))
    of_class = batch(THREE_CARD, one_of_each(3).hands)
    _fill_threes(hands, of_class, tuple(map(class_numbers, _SIZES)), _holding(), found)
    return found


@parallel_kernel
def _fill_threes(
    hands: NDArray[np.uint8],
    of_class: NDArray[np.uint16],
    numbers: tuple[NDArray[np.uint16], ...],
    holding: Holding,
    out: Threes,
) -> None:
    """Each hand is written by one core alone, so what is found does not depend on how many there are."""
    none, one, two, three, four = holding.none, holding.one, holding.two, holding.three, holding.four
    strengths, beaten = out.strengths, out.beaten
    for part in prange(_PARTS):
        ones, twos, threes = np.empty(6, np.uint64), np.empty(15, np.uint64), np.empty(20, np.uint64)
        fours, fives = np.empty(15, np.uint64), np.empty(6, np.uint64)
        for at in range(len(hands) * part // _PARTS, len(hands) * (part + 1) // _PARTS):
            _rows(hands, at, _ONES, numbers[0], ones)
            _rows(hands, at, _TWOS, numbers[1], twos)
            _rows(hands, at, THREES, numbers[2], threes)
            _rows(hands, at, _FOURS, numbers[3], fours)
            for choice in range(20):
                strengths[at, choice] = of_class[threes[choice] // np.uint64(STRENGTHS)]
            _best_of_five(strengths, at, fives)
            for choice in range(20):
                # Unsigned numbers are never looked up from the end of an array, which spares a test at each.
                strength = np.uint64(strengths[at, choice])
                avoiding = np.int64(none[strength])
                for held in range(6):
                    avoiding -= np.int64(one[ones[held] + strength])
                for held in range(15):
                    avoiding += np.int64(two[twos[held] + strength])
                for held in range(20):
                    avoiding -= np.int64(three[threes[held] + strength])
                for held in range(15):
                    avoiding += np.int64(four[fours[held] + strength])
                for held in range(6):
                    avoiding -= np.int64(fives[held] <= strength)
                beaten[at, choice] = avoiding


@kernel
def _rows(
    hands: NDArray[np.uint8],
    at: int,
    chosen: NDArray[np.int64],
    numbers: NDArray[np.uint16],
    rows: NDArray[np.uint64],
) -> None:
    """Where the numbers of each choice of a hand's cards begin in the table for so many cards."""
    for choice in range(len(chosen)):
        rows[choice] = numbers[place_of(hands, at, chosen, choice)] * np.uint64(STRENGTHS)


@kernel
def _best_of_five(strengths: NDArray[np.uint16], at: int, fives: NDArray[np.uint64]) -> None:
    """The best three that are left when one of the six cards is not there, for each card."""
    fives[:] = 0
    for choice in range(20):
        for absent in range(6):
            if absent != THREES[choice, 0] and absent != THREES[choice, 1] and absent != THREES[choice, 2]:
                fives[absent] = max(fives[absent], np.uint64(strengths[at, choice]))
