"""The expected values of the choices for a Texas Shootout hand, from the counts of the tablebase and the rules.

Hands that differ only in suits are one class. Counts are integers, in sixths of deals if a single hand is priced.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.odds.texas_shootout.hands_and_boards import (
    CHOICE_COUNT,
    CHOICE_PAIRS,
    HANDS,
    KEEPS,
    SPLITS,
    deal_counts,
    exchange_suits,
    hand_numbers,
)
from cardroom.odds.texas_shootout.payoffs import OUTCOME_COUNT, RESULT_COUNT, outcome_net
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES, SUIT_ORDERS
from cardroom.odds.texas_shootout.tablebase.wide_integers import Limbs, to_ints, weighted_sum


class ClassMembers(NamedTuple):
    """The class of every hand."""

    class_of: NDArray[np.int32]
    """The class of each hand."""
    order: NDArray[np.uint8]
    """The card of each hand at each place of the class's hand."""


class HandClasses:
    """The classes of hands that differ in suits only, each represented by its lowest hand number.

    No rule names a suit (TS-1), so all hands of a class have the same values, and a choice applies to the class.
    """

    def __init__(self, hands: NDArray[np.uint8]) -> None:
        self.hands = hands
        """The representative hand of each class."""

    def __len__(self) -> int:
        return len(self.hands)

    @cached_property
    def combinations(self) -> NDArray[np.int64]:
        """The number of deals of each class; together 312 choose 4."""
        unchanged = np.zeros(len(self.hands), np.int64)
        for suits in SUIT_ORDERS:
            unchanged += (np.sort(exchange_suits(self.hands, suits), axis=1) == self.hands).all(axis=1)
        return deal_counts(self.hands) * len(SUIT_ORDERS) // unchanged

    @cached_property
    def members(self) -> ClassMembers:
        """All 341,055 hands."""
        class_of, order = np.empty(HANDS, np.int32), np.empty((HANDS, 4), np.uint8)
        # If several orders of the suits lead to the class, the first of them is written last and remains.
        for suits in reversed(SUIT_ORDERS):
            hands = np.sort(exchange_suits(self.hands, np.argsort(suits).tolist()), axis=1)
            at = hand_numbers(hands)
            class_of[at] = np.arange(len(self.hands))
            order[at] = np.argsort(exchange_suits(hands, suits), axis=1, kind="stable")
        return ClassMembers(class_of, order)

    def choices_by_hand(self, by_class: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A choice for each hand from a choice for each class."""
        keep = self._first_pairs(by_class)
        split = KEEPS + np.minimum(keep, KEEPS - 1 - keep)
        return np.where(by_class[self.members.class_of] < KEEPS, keep, split).astype(np.uint8)

    def is_reversed(self, by_class: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Whether the first pair of the class's split is the second pair of the hand's, by hand."""
        is_second_pair: NDArray[np.bool_] = self._first_pairs(by_class) >= SPLITS
        return is_second_pair

    def _first_pairs(self, by_class: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The keep with the cards that the class's choice plays first, by hand."""
        class_of, order = self.members
        first, _ = np.array(CHOICE_PAIRS).T
        places = np.array(CHOICES)[first[by_class[class_of]]]
        kept_places = np.sort(np.take_along_axis(order, places, axis=1).astype(np.int64), axis=1)
        keep: NDArray[np.int64] = _KEEP_NUMBERS[kept_places[:, 0], kept_places[:, 1]]
        return keep


_KEEP_NUMBERS: Final = np.zeros((4, 4), np.int64)
for _number, _places in enumerate(CHOICES):
    _KEEP_NUMBERS[_places] = _number


def hand_choice(choice: int, order: Sequence[int]) -> int:
    """A class's choice, converted for one of its hands. ``order`` has the places of its cards in the class's hand."""
    first, second = sorted(order[place] for place in CHOICES[CHOICE_PAIRS[choice][0]])
    keep = CHOICES.index((first, second))
    return keep if choice < KEEPS else KEEPS + min(keep, KEEPS - 1 - keep)


@cache
def hand_classes() -> HandClasses:
    """All 22,022 classes."""
    return HandClasses(tablebase().hands)


_CELLS: Final = RESULT_COUNT**2
"""Joint results of the two pairs of a split: 3 * first + second."""

_FIRST, _SECOND, _BOTH = range(3)
_SPLIT_BY_CHOICE: Final = (
    *((split, _FIRST) for split in range(SPLITS)),
    *((split, _SECOND) for split in reversed(range(SPLITS))),
    *((split, _BOTH) for split in range(SPLITS)),
)
"""For each choice: the split with the same cards, and which of its pairs are played."""

_OUTCOMES_BY_CELL: Final = tuple(
    (cell // RESULT_COUNT, cell % RESULT_COUNT, RESULT_COUNT + cell) for cell in range(_CELLS)
)
"""For each joint result: the end of the round if the first pair is played, the second, or both."""


@cache
def _nets(ties: str) -> tuple[tuple[int, ...], ...]:
    """The units won, by pairs played and joint result."""
    return tuple(tuple(outcome_net(outcomes[mode], ties) for outcomes in _OUTCOMES_BY_CELL) for mode in range(3))


@cache
def all_joint_counts() -> Limbs:
    """The counts of all classes."""
    return tablebase().all_joint_counts()


def class_values(ties: str) -> Limbs:
    """The total won by all deals of a class, in sixths of units, by class and choice."""
    joint_counts, nets = all_joint_counts(), np.array(_nets(ties), np.int64)
    values: Limbs = np.stack(
        [np.einsum("ncp,c->np", joint_counts[:, split], nets[mode]) for split, mode in _SPLIT_BY_CHOICE], axis=1
    )
    return values


def hand_choice_values(codes: Sequence[int], ties: str) -> list[Fraction]:
    """The expected value of each choice for a hand with ascending codes, in units."""
    base, nets = tablebase(), _nets(ties)
    number, order = base.locate(codes)
    joint = base.joint_counts(number)
    values = [Fraction(0)] * CHOICE_COUNT
    for choice, (split, mode) in enumerate(_SPLIT_BY_CHOICE):
        counts = joint[_CELLS * split : _CELLS * (split + 1)]
        total = sum(net * count for net, count in zip(nets[mode], counts, strict=True))
        values[hand_choice(choice, order)] = Fraction(total, base.deals)
    return values


def count_outcomes(choices: NDArray[np.uint8]) -> tuple[int, ...]:
    """The number of deals for each end of a round if each class is played by ``choices``."""
    joint_counts, ways = all_joint_counts(), hand_classes().combinations
    outcome_counts = [0] * OUTCOME_COUNT
    for choice, (split, mode) in enumerate(_SPLIT_BY_CHOICE):
        mask = choices == choice
        for cell, count in enumerate(to_ints(weighted_sum(joint_counts[mask, split], ways[mask]))):
            outcome_counts[_OUTCOMES_BY_CELL[cell][mode]] += count
    return tuple(map(_whole_deals, outcome_counts))


def _whole_deals(sixths: int) -> int:
    """Convert sixths to deals: every class has a multiple of six deals."""
    deals, rest = divmod(sixths, SHARES)
    assert rest == 0, "the counts of all hands are whole numbers of deals"
    return deals


def mean_net(outcome_counts: Sequence[int], ties: str) -> Fraction:
    """The average net result of rounds with these ends, in units."""
    return Fraction(
        sum(outcome_net(outcome, ties) * count for outcome, count in enumerate(outcome_counts)), sum(outcome_counts)
    )
