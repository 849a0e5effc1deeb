"""Which four-card hands of Texas Shootout are the same but for their suits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.odds.texas_shootout.hands import HANDS, KEEPS, PAIRS_OF, SPLITS, numbers, recolored, ways_dealt
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from cardroom.odds.texas_shootout.tablebase.shoe import SUIT_ORDERS


class Members(NamedTuple):
    """Every hand in its class."""

    class_of: NDArray[np.int32]
    """By hand: its class."""
    order: NDArray[np.uint8]
    """By hand: which of its cards stands at each place of the class's hand."""


class HandClasses:
    """The hands that differ in their suits only are one class, which the lowest number among them stands for.

    No rule names a suit (TS-1), so what holds for one hand of a class holds for all; a choice is made for the class.
    """

    def __init__(self, hands: NDArray[np.uint8]) -> None:
        self.hands = hands
        """By class: the hand that stands for it."""

    def __len__(self) -> int:
        return len(self.hands)

    @cached_property
    def ways(self) -> NDArray[np.int64]:
        """By class: in how many ways it is dealt; together 312 choose 4."""
        unchanged = np.zeros(len(self.hands), np.int64)
        for suits in SUIT_ORDERS:
            unchanged += (np.sort(recolored(self.hands, suits), axis=1) == self.hands).all(axis=1)
        return ways_dealt(self.hands) * len(SUIT_ORDERS) // unchanged

    @cached_property
    def members(self) -> Members:
        """All 341,055 hands."""
        class_of, order = np.empty(HANDS, np.int32), np.empty((HANDS, 4), np.uint8)
        # Where several orders of the suits lead to the class, the first of them is written last and stays.
        for suits in reversed(SUIT_ORDERS):
            hands = np.sort(recolored(self.hands, np.argsort(suits).tolist()), axis=1)
            at = numbers(hands)
            class_of[at] = np.arange(len(self.hands))
            order[at] = np.argsort(recolored(hands, suits), axis=1, kind="stable")
        return Members(class_of, order)

    def by_hand(self, by_class: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A choice for each hand from a choice for each class."""
        keep = self._first_pairs(by_class)
        split = KEEPS + np.minimum(keep, KEEPS - 1 - keep)
        return np.where(by_class[self.members.class_of] < KEEPS, keep, split).astype(np.uint8)

    def turned(self, by_class: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """By hand: whether the first pair of the class's split is the second one of the hand's."""
        found: NDArray[np.bool_] = self._first_pairs(by_class) >= SPLITS
        return found

    def _first_pairs(self, by_class: NDArray[np.uint8]) -> NDArray[np.int64]:
        """By hand: the keep that takes the cards which the class's choice plays first."""
        class_of, order = self.members
        first, _ = np.array(PAIRS_OF).T
        places = np.array(CHOICES)[first[by_class[class_of]]]
        kept = np.sort(np.take_along_axis(order, places, axis=1).astype(np.int64), axis=1)
        keep: NDArray[np.int64] = _KEEP_AT[kept[:, 0], kept[:, 1]]
        return keep


_KEEP_AT: Final = np.zeros((4, 4), np.int64)
for _number, _places in enumerate(CHOICES):
    _KEEP_AT[_places] = _number


def own_choice(choice: int, order: Sequence[int]) -> int:
    """A class's choice for one hand of it, whose cards stand in this order in the class's hand."""
    one, other = sorted(order[place] for place in CHOICES[PAIRS_OF[choice][0]])
    keep = CHOICES.index((one, other))
    return keep if choice < KEEPS else KEEPS + min(keep, KEEPS - 1 - keep)


@cache
def hand_classes() -> HandClasses:
    """All 22,022 classes."""
    return HandClasses(tablebase().hands)
