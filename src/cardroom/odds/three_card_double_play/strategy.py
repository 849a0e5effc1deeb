"""A strategy for people: count points for both hands, set the cards for the most, double from so many points on.

What the low hand counts is rounded from a table's pays. Then each rank from which it counts one more is moved while
that gains something, tried on every hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.games import Decision, Pile, Verb, View
from cardroom.games.three_card_double_play.divisions import Division, divisions
from cardroom.games.three_card_double_play.rules import SET_QUESTION
from cardroom.odds.play import asked, own_cards
from cardroom.odds.pricer import Rule, SimpleStrategy
from cardroom.odds.three_card_double_play.by_points import set_by_points, sums_of
from cardroom.odds.three_card_double_play.counts import DEALER_HANDS
from cardroom.odds.three_card_double_play.points import FLUSH, MOST, RANK_OF, Points, rounded
from cardroom.odds.three_card_double_play.results import doubling
from cardroom.odds.three_card_double_play.setting import KIND_OF, KINDS, LowHandPays, SetHands

DEALS: Final = comb(52, 6) * DEALER_HANDS
_TABLES: Final = 16
"""For how many tables a strategy is remembered once it is found."""
_MOST_MOVES: Final = 5
"""Printed tables need fewer; for one with odd pays nobody should wait long."""


class Found(NamedTuple):
    """A strategy that was tried, and what it wins on average."""

    expected_return: Fraction
    points: Points
    doubled_from: int
    """So many points are doubled, and more; past the most there are, none."""

    def words(self) -> tuple[str, ...]:
        return *self.points.words(), _doubling_words(self.doubled_from)


def simple_strategy(pays: LowHandPays, best_return: Fraction) -> SimpleStrategy:
    """The strategy in words."""
    found = search(pays)
    return SimpleStrategy(tuple(map(Rule, found.words())), found.expected_return, best_return)


def simple_settings(pays: LowHandPays) -> SetHands:
    """How it sets and doubles every hand."""
    found = search(pays)
    hands = set_by_points(found.points)
    return SetHands(hands.settings, hands.points >= found.doubled_from)


@dataclass(frozen=True)
class SetAndDouble:
    """The strategy as answers to one hand at a time."""

    points: Points
    doubled_from: int

    def __call__(self, seen: View) -> Decision:
        six, turn = own_cards(seen, Pile.HAND), asked(seen)
        if turn.question == SET_QUESTION:
            return max(divisions(six), key=self._preference).decision
        answer = seen.decisions[turn.seat, SET_QUESTION]
        chosen = next(one for one in divisions(six) if answer in one.decisions)
        return Decision(Verb.DOUBLE if self._counted(chosen) >= self.doubled_from else Verb.STAND)

    def _counted(self, one: Division) -> int:
        low, high = self._by_strength
        return low[one.low.strength] + high[one.high.strength]

    @cached_property
    def _by_strength(self) -> list[list[int]]:
        found: list[list[int]] = self.points.by_strength.tolist()
        return found

    def _preference(self, one: Division) -> tuple[int, ...]:
        high, low = one.high.strength, one.low.strength
        flush = bool(KIND_OF[high] >= FLUSH)
        last = (high, low) if flush else (low, high)
        return self._counted(one), int(KIND_OF[low]), int(RANK_OF[low]), flush, *last


def simple_play(pays: LowHandPays) -> SetAndDouble:
    found = search(pays)
    return SetAndDouble(found.points, found.doubled_from)


@lru_cache(_TABLES)
def search(pays: LowHandPays) -> Found:
    """The strategy for a table."""
    (best,) = tried(pays, [rounded(pays)])
    for _ in range(_MOST_MOVES):
        neighbours = tried(pays, list(best.points.moved()))
        better = max(neighbours, key=lambda one: one.expected_return, default=best)
        if better.expected_return <= best.expected_return:
            break
        best = better
    return best


def tried(pays: LowHandPays, family: list[Points]) -> list[Found]:
    """What ways to count win over all deals, each doubled from where that gains the most."""
    return [_doubled(pays, points, sums) for points, sums in zip(family, sums_of(family), strict=True)]


def _doubled(pays: LowHandPays, points: Points, sums: NDArray[np.int64]) -> Found:
    nets = [
        sum((pays.net(KINDS[kind], *deals) for kind, deals in enumerate(kinds)), Fraction(0)) for kinds in sums.tolist()
    ]
    from_here = [sum(nets[start:], Fraction(0)) for start in range(MOST + 2)]
    most = max(from_here)
    total = from_here[0] + (doubling() - 1) * most
    return Found(total / DEALS, points, from_here.index(most))


def _doubling_words(doubled_from: int) -> str:
    if doubled_from > MOST:
        return "never double"
    if doubled_from == 0:
        return "double always"
    return f"double with {doubled_from} points or more, else stand"
