"""Ways to set six cards that a person can remember, and how the main game ends when every hand is set so.

A way is a few aims, each before the next. What it does to the counts depends on no paytable, so that is counted once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands import Category
from cardroom.kernels import kernel, parallel_kernel, prange
from cardroom.odds.three_card_double_play.classes import one_of_each
from cardroom.odds.three_card_double_play.counts import DEALER_HANDS, STRENGTHS, Threes, threes
from cardroom.odds.three_card_double_play.setting import KIND_OF, KINDS

_PAIR, _FLUSH, _STRAIGHT, _TRIPS = (
    KINDS.index(kind) for kind in (Category.PAIR, Category.FLUSH, Category.STRAIGHT, Category.THREE_OF_A_KIND)
)


@dataclass(frozen=True)
class Aim:
    """One thing to look for when the hands are set; the higher its number, the better."""

    words: str
    number: Callable[[int, int], int]
    """From the places of the high hand and the low hand among the ``KINDS``."""


_AIMS: Final = (
    Aim("make the low hand the best kind of hand you can", lambda _, low: low),
    Aim("make the high hand the best kind of hand you can", lambda high, _: high),
    Aim("put a pair or better into the low hand if you can", lambda _, low: low >= _PAIR),
    Aim("put a flush or better into the low hand if you can", lambda _, low: low >= _FLUSH),
    Aim("put a straight or better into the high hand if you can", lambda high, _: high >= _STRAIGHT),
    Aim("put trips or better into the high hand if you can", lambda high, _: high >= _TRIPS),
    Aim(
        "put a flush or better into the high hand beside a pair or better in the low hand if you can",
        lambda high, low: high >= _FLUSH and low >= _PAIR,
    ),
)
_MOST_AIMS: Final = 2
"""More of them would save little and be hard to remember."""


@dataclass(frozen=True)
class Way:
    """Aims, each before the next, and which of the two hands is made as high as it can be in the end."""

    aims: tuple[Aim, ...]
    low_first: bool

    @property
    def order(self) -> tuple[int, ...]:
        """For each kind of high hand and, within it, of low hand: its place among all of them, the best highest."""
        keys = {
            (high, low): tuple(int(aim.number(high, low)) for aim in self.aims)
            for high in range(len(KINDS))
            for low in range(high + 1)
        }
        places = sorted(set(keys.values()))
        return tuple(
            places.index(keys[high, low]) if low <= high else 0
            for high in range(len(KINDS))
            for low in range(len(KINDS))
        )

    def words(self) -> Iterator[str]:
        yield from (aim.words for aim in self.aims)
        first, second = ("low", "high") if self.low_first else ("high", "low")
        yield f"make the {first} hand as high as you can, and then the {second} hand"


@cache
def all_ways() -> tuple[Way, ...]:
    """The family. Of ways of setting that come to the same it has one with the fewest aims; fewer aims come first."""
    different: dict[tuple[object, ...], Way] = {}
    for size in range(_MOST_AIMS + 1):
        for aims in permutations(_AIMS, size):
            for low_first in (True, False):
                way = Way(aims, low_first)
                different.setdefault((way.order, low_first), way)
    return tuple(different.values())


# What each way of setting does, over all hands

_TOGETHER: Final = 8
"""How many ways of setting one core tries on a hand before it takes the next."""
BOTH_WIN, HIGH_WINS, ALL = range(3)
"""Deals in which the low hand wins, in which the high hand wins, and all of them."""


@cache
def sums() -> NDArray[np.int64]:
    """Deals by the way of setting, the kind of the high hand, the strength of the low hand, and how they end. They
    add up to 2.8e13 at most."""
    found = np.zeros((len(all_ways()), len(KINDS), STRENGTHS, 3), np.int64)
    _add_ways(one_of_each(6).alike, threes(), Family.of(all_ways()), found)
    return found


class Family(NamedTuple):
    """Ways of setting, for the kernels."""

    orders: NDArray[np.int64]
    """By way and the kinds of both hands: the place among all of them, the best highest."""
    low_first: NDArray[np.bool_]

    @classmethod
    def of(cls, ways: Sequence[Way]) -> Family:
        return cls(np.array([way.order for way in ways], np.int64), np.array([way.low_first for way in ways]))


LOWS, HIGHS, BOTH_KINDS, LOW_KEYS, HIGH_KEYS = range(5)
"""Rows of what there is to see in the ten settings of a hand: which three cards are the low hand and which the high,
the kinds of both together, and both strengths, with the low hand's before the high hand's or after it."""


@kernel
def _look_at(strengths: NDArray[np.uint16], at: int, ten: NDArray[np.int64]) -> None:
    for first in range(10):
        low, high = first, 19 - first
        if strengths[at, low] > strengths[at, high]:
            low, high = high, low
        ten[LOWS, first], ten[HIGHS, first] = low, high
        low_strength, high_strength = np.int64(strengths[at, low]), np.int64(strengths[at, high])
        ten[BOTH_KINDS, first] = KIND_OF[high_strength] * len(KINDS) + KIND_OF[low_strength]
        ten[LOW_KEYS, first] = low_strength << 10 | high_strength
        ten[HIGH_KEYS, first] = high_strength << 10 | low_strength


@kernel
def _chosen(family: Family, way: int, ten: NDArray[np.int64]) -> int:
    """The setting that a way comes to."""
    orders, keys = family.orders, LOW_KEYS if family.low_first[way] else HIGH_KEYS
    best, best_key = 0, np.int64(-1)
    for first in range(10):
        key = orders[way, ten[BOTH_KINDS, first]] << 20 | ten[keys, first]
        if key > best_key:
            best, best_key = first, key
    return best


@parallel_kernel
def _add_ways(alike: NDArray[np.int64], known: Threes, family: Family, out: NDArray[np.int64]) -> None:
    """Each way of setting is added up by one core alone."""
    ways = len(family.orders)
    groups = (ways + _TOGETHER - 1) // _TOGETHER
    for group in prange(groups):
        strengths, beaten, ten = known.strengths, known.beaten, np.empty((5, 10), np.int64)
        for at in range(len(alike)):
            _look_at(strengths, at, ten)
            for way in range(group * _TOGETHER, min((group + 1) * _TOGETHER, ways)):
                best = _chosen(family, way, ten)
                low, high = ten[LOWS, best], ten[HIGHS, best]
                cell = out[way, ten[BOTH_KINDS, best] // len(KINDS), strengths[at, low]]
                cell[0] += alike[at] * beaten[at, low]
                cell[1] += alike[at] * beaten[at, high]
                cell[2] += alike[at] * DEALER_HANDS


# One way


class SetBy(NamedTuple):
    """How a way sets every row of ``one_of_each(6)``."""

    settings: NDArray[np.uint8]
    """Which of the first ten of ``THREES`` is one of the two hands."""
    high_kinds: NDArray[np.uint8]
    """The place of the high hand among the ``KINDS``."""
    low_strengths: NDArray[np.uint16]


def set_by(way: Way) -> SetBy:
    """Set every hand."""
    strengths, _ = threes()
    hands = len(strengths)
    found = SetBy(np.empty(hands, np.uint8), np.empty(hands, np.uint8), np.empty(hands, np.uint16))
    _set_by(strengths, Family.of([way]), found)
    return found


@kernel
def _set_by(strengths: NDArray[np.uint16], family: Family, out: SetBy) -> None:
    ten = np.empty((5, 10), np.int64)
    for at in range(len(strengths)):
        _look_at(strengths, at, ten)
        best = _chosen(family, 0, ten)
        out.settings[at] = best
        out.high_kinds[at] = KIND_OF[strengths[at, ten[HIGHS, best]]]
        out.low_strengths[at] = strengths[at, ten[LOWS, best]]
