"""Hands that differ only in the names of their suits, counted once: of the 20,358,520 hands of six cards 962,988 are
left, each with the number of hands it stands for.

>>> one_of_each(2).hands.shape, int(one_of_each(2).alike.sum())
((169, 2), 1326)
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel

_RANKS: Final = 13
_SUITS: Final = 4
_LOWER_HANDS: Final = np.array([[comb(code, size) for code in range(52)] for size in range(1, 5)])
"""By size and code: the hands of this size that hold only lower cards."""
ORDERS_OF_SUITS: Final = np.array(list(permutations(range(_SUITS))), np.uint8)


class OneOfEach(NamedTuple):
    """One hand of each class."""

    hands: NDArray[np.uint8]
    """Card codes, ascending in each row."""
    alike: NDArray[np.int64]
    """How many hands are in the class."""


@cache
def one_of_each(size: int) -> OneOfEach:
    """One hand of each class of hands of this many cards."""
    nothing = OneOfEach(np.empty((0, size), np.uint8), np.empty(0, np.int64))
    classes = _fill_classes(size, _rank_sets(), nothing)
    found = OneOfEach(np.empty((classes, size), np.uint8), np.empty(classes, np.int64))
    _fill_classes(size, _rank_sets(), found)
    return found


class RankSets(NamedTuple):
    """Every set of ranks."""

    sets: NDArray[np.int64]
    """As bits, the smaller sets first."""
    starts: NDArray[np.int64]
    """Where the sets of each number of ranks begin."""


def _rank_sets() -> RankSets:
    sets = np.array(sorted(range(1 << _RANKS), key=lambda ranks: (ranks.bit_count(), ranks)), np.int64)
    sizes = np.array([ranks.bit_count() for ranks in sets.tolist()])
    return RankSets(sets, np.searchsorted(sizes, np.arange(_RANKS + 2)))


@kernel
def _fill_classes(size: int, ranks: RankSets, out: OneOfEach) -> int:
    """Write one hand of each class as far as there is room; gives how many classes there are.

    A hand is four sets of ranks, one a suit. The class is the four sets whatever their order, so those hands are
    written whose sets do not grow from suit to suit.
    """
    sets, starts, hands, alike = ranks.sets, ranks.starts, out.hands, out.alike
    found = 0
    for first in range(starts[(size + 3) // 4], starts[size + 1]):
        # The cards that are left for the other suits, spread as evenly as can be, say how small a set can be.
        after_first = size - _cards_in(first, starts)
        for second in range(starts[(after_first + 2) // 3], min(first + 1, starts[after_first + 1])):
            after_second = after_first - _cards_in(second, starts)
            for third in range(starts[(after_second + 1) // 2], min(second + 1, starts[after_second + 1])):
                left = after_second - _cards_in(third, starts)
                for fourth in range(starts[left], min(third + 1, starts[left + 1])):
                    if found < len(hands):
                        _write_hand(sets[first], sets[second], sets[third], sets[fourth], hands, found)
                        alike[found] = _orders(first, second, third, fourth)
                    found += 1
    return found


@kernel
def _cards_in(place: int, starts: NDArray[np.int64]) -> int:
    """How many ranks the set at a place has."""
    cards = 0
    while place >= starts[cards + 1]:
        cards += 1
    return cards


@kernel
def _write_hand(clubs: int, diamonds: int, hearts: int, spades: int, hands: NDArray[np.uint8], at: int) -> None:
    card = 0
    for rank in range(13):
        for suit, ranks in enumerate((clubs, diamonds, hearts, spades)):
            if ranks >> rank & 1:
                hands[at, card] = 4 * rank + suit
                card += 1


@kernel
def _orders(first: int, second: int, third: int, fourth: int) -> int:
    """In how many orders four sets can be written that stand from the last to the first; equal ones are neighbours."""
    orders, same = 24, 1
    for before, after in ((first, second), (second, third), (third, fourth)):
        same = same + 1 if before == after else 1
        orders //= same
    return orders


# Which class a hand is in.


@kernel
def place_of(hands: NDArray[np.uint8], at: int, chosen: NDArray[np.int64], choice: int) -> int:
    """Where the cards in row ``at`` that row ``choice`` of ``chosen`` names stand when all hands of their number are
    listed by their highest cards. Both rows are ascending."""
    place = 0
    for card in range(chosen.shape[1]):
        place += _LOWER_HANDS[card, hands[at, chosen[choice, card]]]
    return place


@cache
def class_numbers(size: int) -> NDArray[np.uint16]:
    """By ``place_of``: the class of each hand of one to four cards, as its row in ``one_of_each``."""
    hands = one_of_each(size).hands
    numbers = np.empty(comb(_RANKS * _SUITS, size), np.uint16)
    _number(hands, ORDERS_OF_SUITS, numbers)
    return numbers


@kernel
def _number(hands: NDArray[np.uint8], orders: NDArray[np.uint8], numbers: NDArray[np.uint16]) -> None:
    renamed = np.empty((1, hands.shape[1]), np.uint8)
    every_card = np.arange(hands.shape[1]).reshape((1, hands.shape[1]))
    for at in range(len(hands)):
        for order in range(len(orders)):
            for card in range(hands.shape[1]):
                code = hands[at, card] // 4 * 4 + orders[order, hands[at, card] % 4]
                place = card
                while place > 0 and renamed[0, place - 1] > code:
                    renamed[0, place] = renamed[0, place - 1]
                    place -= 1
                renamed[0, place] = code
            numbers[place_of(renamed, 0, every_card, 0)] = at
