"""A strategy for people: points for two cards, as Texas Shootout players count them in their heads.

Every two cards of the hand get points. The hand is split when it falls into two hands of enough points each;
otherwise the two cards with the most points are kept. How many points for what is searched for: the strategy that
loses least against the best choices, hand by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel
from cardroom.odds.pricer import Rule
from cardroom.odds.texas_shootout.hands import KEEPS, SPLITS


class Points(NamedTuple):
    """What two cards are worth. A rank counts as it is written, jack 11 to ace 14: the higher card ``high`` times, the
    lower one ``low`` times. Cards are close that differ in rank, but by no more than ``within``. A hand is split into
    two of at least ``split`` points each."""

    high: int
    low: int
    suited: int = 0
    close: int = 0
    within: int = 1
    pair: int = 0
    split: int = 0


STARTS: Final = tuple(
    Points(high, 1, suited=3, within=within, pair=10 * (high + 1), split=15 * (high + 1))
    for high in (1, 2)
    for within in (1, 2, 3)
)
"""Where the search begins; it changes the other figures by the steps below."""
_NUMBERS: Final = {2: "two", 3: "three"}
CHANGED: Final = ("suited", "close", "pair", "split")
STEPS: Final = (-9, -3, -1, 1, 3, 9)


@kernel
def _points(low: int, high: int, p: tuple[int, int, int, int, int, int]) -> int:
    """The points of two cards by their codes; ``p`` are the figures of ``Points`` without the last."""
    for_high, for_low, suited, close, within, pair = p
    apart = (high >> 2) - (low >> 2)
    total = for_high * ((high >> 2) + 2) + for_low * ((low >> 2) + 2)
    if low & 3 == high & 3:
        total += suited
    if apart == 0:
        total += pair
    elif apart <= within:
        total += close
    return total


@kernel
def _choose(
    hands: NDArray[np.uint8], p: tuple[int, int, int, int, int, int], split: int, chosen: NDArray[np.uint8]
) -> None:
    counted = np.empty(KEEPS, np.int64)
    for at in range(len(hands)):
        most, choice, number = -1, 0, 0
        for low in range(3):
            for high in range(low + 1, 4):
                counted[number] = _points(int(hands[at, low]), int(hands[at, high]), p)
                # Hands lie in ascending order, so of equal points the later places are the higher cards.
                rank = counted[number] * 16 + high * 4 + low
                if rank > most:
                    most, choice = rank, number
                number += 1
        most = -1
        for one in range(SPLITS):
            other = KEEPS - 1 - one
            both = counted[one] + counted[other]
            if min(counted[one], counted[other]) >= split and both > most:
                most, choice = both, KEEPS + one
        chosen[at] = choice


def choices_by_points(hands: NDArray[np.uint8], points: Points) -> NDArray[np.uint8]:
    """What the strategy does with each hand; of choices with equal points it takes the higher cards."""
    chosen = np.empty(len(hands), np.uint8)
    _choose(hands, points[:-1], points.split, chosen)
    return chosen


def best_points(hands: NDArray[np.uint8], share: NDArray[np.float64], mean: NDArray[np.float64]) -> Points:
    """The points that lose least, by how often each class of hands is dealt and what each of its choices wins."""
    search = _Search(hands, share, mean)
    return max((search.climb(start) for start in STARTS), key=search.worth)


class _Search:
    """Changes one figure at a time as long as that gains something."""

    def __init__(self, hands: NDArray[np.uint8], share: NDArray[np.float64], mean: NDArray[np.float64]) -> None:
        self._hands, self._share, self._mean = hands, share, mean
        self._known: dict[Points, float] = {}

    def worth(self, points: Points) -> float:
        """What the strategy wins a round, in units."""
        if points not in self._known:
            chosen = choices_by_points(self._hands, points)
            self._known[points] = float(self._mean[np.arange(len(chosen)), chosen] @ self._share)
        return self._known[points]

    def climb(self, points: Points) -> Points:
        """The best points that single changes lead to."""
        while True:
            better = max(self._changed(points), key=self.worth)
            if self.worth(better) <= self.worth(points):
                return points
            points = better

    @staticmethod
    def _changed(points: Points) -> Iterator[Points]:
        for name in CHANGED:
            for step in STEPS:
                if (value := getattr(points, name) + step) >= 0:
                    yield points._replace(**{name: value})


def rules_for(points: Points) -> Iterator[Rule]:
    """The strategy in words."""
    count = "twice the higher rank plus the lower" if points.high == 2 else "both ranks added up"
    apart = "neighbours" if points.within == 1 else f"cards at most {_NUMBERS[points.within]} ranks apart"
    more = [
        f"{bonus} for {what}"
        for bonus, what in ((points.suited, "suited cards"), (points.close, apart), (points.pair, "a pair"))
        if bonus
    ]
    added = f"; add {', '.join(more)}" if more else ""
    yield Rule(f"Points for two cards: {count} (jack 11, queen 12, king 13, ace 14){added}.")
    yield Rule(f"Split when that makes two hands of {points.split} points or more each.")
    yield Rule("Otherwise keep the two cards with the most points, of equals the higher cards.")
