"""The basic strategy of 3 Card Double Play Poker: count points for both hands, set for the most, and double.

A point of the high hand is a tenth of the probability to beat the dealer; a point of the low hand has the same money
value. The player doubles from a certain number of points on. The paytable changes only the points of the low hand. The
search rounds them from the table's pays. Then it moves each rank from which the low hand counts one more point as long
as that gains something, over every hand of six cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import groupby
from math import comb, floor
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Rank
from cardroom.games import Decision, Pile, Verb, View
from cardroom.games.three_card_double_play.divisions import Division, divisions
from cardroom.games.three_card_double_play.rules import SET_QUESTION
from cardroom.hands import THREE_CARD, Category
from cardroom.kernels import kernel, parallel_kernel, prange
from cardroom.odds.pricer import BasicStrategy, StrategyRule, require_turn, seat_cards
from cardroom.odds.three_card_double_play.best_strategy import (
    KIND_BY_STRENGTH,
    KINDS,
    HandSettings,
    LowHandPays,
    double_multiplier,
)
from cardroom.odds.three_card_double_play.counts import (
    DEALER_HANDS,
    ThreeCardTables,
    cumulative_dealer_hands,
    suit_classes,
    three_card_tables,
)

HIGH_CARDS, PAIR, FLUSH, STRAIGHT = range(4)
"""The lower indexes among the ``KINDS``."""
RANK_BY_STRENGTH: Final = np.array([0, *(hand_class.ranks[0] for hand_class in THREE_CARD.classes)], np.uint8)
"""The rank of the pair or trips, otherwise of the highest card, by strength; A-2-3 is three high."""
_ACE: Final = max(RANK_BY_STRENGTH)
_CERTAIN_WIN_POINTS: Final = 10
"""Points of a high hand that always wins."""
_MAX_LOW_POINTS: Final = 20
"""The most points of a low hand; a hand with more is good enough in any case."""
MAX_POINTS: Final = _CERTAIN_WIN_POINTS + _MAX_LOW_POINTS


@dataclass(frozen=True)
class PointSteps:
    """The points of hands of one kind: a minimum, and one more point from each of some ranks on."""

    minimum: int
    ranks: tuple[int, ...] = ()
    """Ascending; a rank may occur twice."""

    def points_at(self, rank: int) -> int:
        return self.minimum + sum(first <= rank for first in self.ranks)

    def neighbors(self) -> Iterator[PointSteps]:
        """The same with one of the ranks moved by one; a rank moved past the ace is removed."""
        for place, rank in enumerate(self.ranks):
            for other in (rank - 1, rank + 1):
                ranks = sorted((*self.ranks[:place], other, *self.ranks[place + 1 :]))
                yield replace(self, ranks=tuple(moved_rank for moved_rank in ranks if moved_rank <= _ACE))


PointTable: TypeAlias = tuple[PointSteps, ...]
"""The points of one of the two hands by kind, in the order of ``KINDS``, the lowest first."""

HIGH_POINTS: Final[PointTable] = (
    PointSteps(0, (13,)),
    PointSteps(2, (9, 12)),
    PointSteps(4, (10, 12, 14)),
    PointSteps(8, (7, 12)),
    *3 * [PointSteps(10)],
)
"""Probabilities to beat the dealer in tenths, rounded. The rounding was optimized over all printed tables together."""
_HIGH_CARDS_UP, _PAIR_UP = Fraction(7, 10), Fraction(1)
"""The fraction of a point from which the low hand's points are rounded up at the start; the search then adjusts them
for each table. Pairs are rounded up because, of settings with equal points, the one with the better low hand comes
first."""


@dataclass(frozen=True)
class HandPoints:
    """The points of both hands of a setting."""

    low: PointTable
    high: PointTable = HIGH_POINTS

    @cached_property
    def by_strength(self) -> NDArray[np.int64]:
        """The points of the low hand and of the high hand, by strength."""
        return np.array(
            [
                [
                    0,
                    *(
                        counts[KINDS.index(hand_class.category)].points_at(hand_class.ranks[0])
                        for hand_class in THREE_CARD.classes
                    ),
                ]
                for counts in (self.low, self.high)
            ]
        )

    def neighbors(self) -> Iterator[HandPoints]:
        """The same points with one rank of the low hand moved."""
        for kind, steps in enumerate(self.low):
            yield from (
                replace(self, low=(*self.low[:kind], other, *self.low[kind + 1 :])) for other in steps.neighbors()
            )

    def rule_texts(self) -> Iterator[str]:
        """The rules as lines of text."""
        yield "set your cards so that both hands together count the most points you can make"
        yield from _kind_texts("high hand", self.high)
        yield from _kind_texts("low hand", self.low)
        yield (
            "of settings with equal points take the one with the better low hand, "
            "looking only at its kind and at its pair or highest card"
        )
        yield (
            "of those still equal take the one with the best high hand if that is a flush or better, "
            "else the one with the best low hand, and then the best other hand"
        )


def round_points(pays: LowHandPays) -> HandPoints:
    """The points of the low hand: its probability to win times what it then wins, rounded."""
    chances = _chances()

    def points(kind: int, rank: int) -> Fraction:
        # The high hand wins or saves two units, which is ten points for a certain win.
        return pays.both_win[KINDS[kind]] / 2 * _CERTAIN_WIN_POINTS * chances[kind][rank]

    def make_steps(kind: int, up: Fraction) -> PointSteps:
        points_by_rank = {rank: min(_MAX_LOW_POINTS, floor(points(kind, rank) + up)) for rank in chances[kind]}
        least = min(points_by_rank.values())
        ranks = [
            rank for more in range(least, max(points_by_rank.values())) for rank in [_first_above(points_by_rank, more)]
        ]
        return PointSteps(least, tuple(ranks))

    def make_flat(kind: int) -> PointSteps:
        mean = sum((points(kind, rank) for rank in chances[kind]), Fraction(0)) / len(chances[kind])
        return PointSteps(min(_MAX_LOW_POINTS, round(mean)))

    low = make_steps(HIGH_CARDS, _HIGH_CARDS_UP), make_steps(PAIR, _PAIR_UP), *map(make_flat, range(FLUSH, len(KINDS)))
    return HandPoints(low)


def _first_above(points_by_rank: dict[int, int], points: int) -> int:
    return min(rank for rank, count in points_by_rank.items() if count > points)


@cache
def _chances() -> tuple[dict[int, Fraction], ...]:
    """The average probability to beat or copy a dealer with any cards of the deck, by kind and rank."""
    up_to, deals = cumulative_dealer_hands(()), comb(52, 5)
    beaten_by_rank: tuple[dict[int, list[int]], ...] = tuple({} for _ in KINDS)
    for strength, hand_class in enumerate(THREE_CARD.classes, 1):
        beaten_by_rank[KINDS.index(hand_class.category)].setdefault(hand_class.ranks[0], []).append(
            int(up_to[strength])
        )
    return tuple(
        {rank: Fraction(sum(beaten), len(beaten) * deals) for rank, beaten in ranks.items()} for ranks in beaten_by_rank
    )


# As text

_PLURALS: Final = {Category.HIGH_CARD: "high cards", Category.THREE_OF_A_KIND: "trips"}


def _kind_name(kind: int) -> str:
    return _PLURALS.get(KINDS[kind], f"a {KINDS[kind].value}")


def _count_verb(kind: int) -> str:
    return "count" if KINDS[kind] in _PLURALS else "counts"


def _kind_texts(hand: str, counts: PointTable) -> Iterator[str]:
    """The kinds from the top down: adjacent kinds with a constant number of points share a line; any other kind has its
    own line."""
    kinds = range(len(counts) - 1, -1, -1)
    for flat, group in groupby(kinds, key=lambda kind: not counts[kind].ranks):
        if flat:
            yield f"{hand}: {', '.join(_flat_texts(counts, list(group)))}"
        else:
            yield from (f"{hand}: {_stepped_text(kind, counts[kind])}" for kind in group)


def _flat_texts(counts: PointTable, kinds: list[int]) -> Iterator[str]:
    """The highest kinds with the same points are named as the lowest of them or better."""
    for least, group in groupby(kinds, key=lambda kind: counts[kind].minimum):
        same = list(group)
        if same[0] == len(counts) - 1 and len(same) > 1:
            yield f"{_kind_name(same[-1])} or better {_count_verb(same[-1])} {least}"
        else:
            yield from (f"{_kind_name(kind)} {_count_verb(kind)} {least}" for kind in same)


def _stepped_text(kind: int, steps: PointSteps) -> str:
    ranks = sorted(set(steps.ranks), reverse=True)
    step_texts = ", ".join(f"{steps.points_at(rank)} if {_rank_text(kind, Rank(rank))}" for rank in ranks)
    low_ace = " (A-2-3 is three high)" if kind == STRAIGHT else ""
    return f"{_kind_name(kind)} {_count_verb(kind)} {step_texts}, else {steps.minimum}{low_ace}"


def _rank_text(kind: int, rank: Rank) -> str:
    name = rank.plural if kind == PAIR else f"{rank.word} high"
    return name if rank == _ACE else f"{name} or better"


class PointSettings(NamedTuple):
    """The setting of every row of ``suit_classes(6)``."""

    settings: NDArray[np.uint8]
    """The index, among the first ten of ``THREES``, of one of the two hands."""
    points: NDArray[np.int64]
    """The points of both hands."""


def set_by_points(points: HandPoints) -> PointSettings:
    """Set every hand."""
    strengths = three_card_tables().strengths
    settings = PointSettings(np.empty(len(strengths), np.uint8), np.empty(len(strengths), np.int64))
    _set_hands(strengths, points.by_strength, settings)
    return settings


def point_sums(family: Sequence[HandPoints]) -> NDArray[np.int64]:
    """For each point system, by points of a hand and kind of its low hand: the deals in which the low hand wins, in
    which the high hand wins, and all deals. The sums are at most 2.8e13."""
    sums = np.zeros((len(family), MAX_POINTS + 1, len(KINDS), 3), np.int64)
    _add_sums(suit_classes(6).sizes, three_card_tables(), np.array([points.by_strength for points in family]), sums)
    return sums


@kernel
def _choose_setting(strengths: NDArray[np.uint16], at: int, counts: NDArray[np.int64]) -> tuple[int, int]:
    """The setting with the most points, and its points."""
    best, best_key, most = 0, np.int64(-1), np.int64(0)
    for setting in range(10):
        low, high = np.int64(strengths[at, setting]), np.int64(strengths[at, 19 - setting])
        if low > high:
            low, high = high, low
        points = counts[0, low] + counts[1, high]
        # If the high hand is less than a flush, so is the low hand: a flush in the high hand decides first.
        last = high << 10 | low if KIND_BY_STRENGTH[high] >= FLUSH else low << 10 | high
        key = ((points << 3 | np.int64(KIND_BY_STRENGTH[low])) << 4 | np.int64(RANK_BY_STRENGTH[low])) << 20 | last
        if key > best_key:
            best, best_key, most = setting, key, points
    return best, int(most)


@kernel
def _set_hands(strengths: NDArray[np.uint16], counts: NDArray[np.int64], out: PointSettings) -> None:
    settings, points = out.settings, out.points
    for at in range(len(strengths)):
        settings[at], points[at] = _choose_setting(strengths, at, counts)


@parallel_kernel
def _add_sums(
    class_sizes: NDArray[np.int64], three_tables: ThreeCardTables, family: NDArray[np.int64], out: NDArray[np.int64]
) -> None:
    """One core adds up each point system."""
    for system in prange(len(family)):
        strengths, beaten, counts = three_tables.strengths, three_tables.beaten_counts, family[system]
        for at in range(len(class_sizes)):
            setting, points = _choose_setting(strengths, at, counts)
            low, high = setting, 19 - setting
            if strengths[at, low] > strengths[at, high]:
                low, high = high, low
            cell = out[system, points, KIND_BY_STRENGTH[strengths[at, low]]]
            cell[0] += class_sizes[at] * beaten[at, low]
            cell[1] += class_sizes[at] * beaten[at, high]
            cell[2] += class_sizes[at] * DEALER_HANDS


DEALS: Final = comb(52, 6) * DEALER_HANDS
_TABLES: Final = 16
"""The number of tables whose strategy is cached."""
_MAX_MOVES: Final = 5
"""The most steps of the search. Printed tables need fewer; the limit keeps the wait short for a table with unusual
pays."""


class PointStrategy(NamedTuple):
    """A strategy and its average net result."""

    expected_return: Fraction
    points: HandPoints
    double_threshold: int
    """The player doubles with this many points or more; above the highest possible points, never."""

    def rule_texts(self) -> tuple[str, ...]:
        return *self.points.rule_texts(), _double_text(self.double_threshold)


def basic_strategy(pays: LowHandPays, best_return: Fraction) -> BasicStrategy:
    """The strategy as text."""
    strategy = search_strategy(pays)
    return BasicStrategy(tuple(map(StrategyRule, strategy.rule_texts())), strategy.expected_return, best_return)


def basic_settings(pays: LowHandPays) -> HandSettings:
    """The settings of every hand, and whether they are doubled."""
    strategy = search_strategy(pays)
    hands = set_by_points(strategy.points)
    return HandSettings(hands.settings, hands.points >= strategy.double_threshold)


@dataclass(frozen=True)
class DoublePlayBasicPolicy:
    """The strategy for one hand at a time."""

    points: HandPoints
    double_threshold: int

    def __call__(self, view: View) -> Decision:
        six, turn = seat_cards(view, Pile.HAND), require_turn(view)
        if turn.question == SET_QUESTION:
            return max(divisions(six), key=self._preference).decision
        set_decision = view.decisions[turn.seat, SET_QUESTION]
        chosen = next(division for division in divisions(six) if set_decision in division.decisions)
        return Decision(Verb.DOUBLE if self._count_points(chosen) >= self.double_threshold else Verb.STAND)

    def _count_points(self, division: Division) -> int:
        low, high = self._by_strength
        return low[division.low.strength] + high[division.high.strength]

    @cached_property
    def _by_strength(self) -> list[list[int]]:
        points: list[list[int]] = self.points.by_strength.tolist()
        return points

    def _preference(self, division: Division) -> tuple[int, ...]:
        high, low = division.high.strength, division.low.strength
        flush = bool(KIND_BY_STRENGTH[high] >= FLUSH)
        last = (high, low) if flush else (low, high)
        return self._count_points(division), int(KIND_BY_STRENGTH[low]), int(RANK_BY_STRENGTH[low]), flush, *last


def basic_policy(pays: LowHandPays) -> DoublePlayBasicPolicy:
    strategy = search_strategy(pays)
    return DoublePlayBasicPolicy(strategy.points, strategy.double_threshold)


@lru_cache(_TABLES)
def search_strategy(pays: LowHandPays) -> PointStrategy:
    """The basic strategy for a table."""
    (best,) = evaluate_strategies(pays, [round_points(pays)])
    for _ in range(_MAX_MOVES):
        neighbors = evaluate_strategies(pays, list(best.points.neighbors()))
        better = max(neighbors, key=lambda candidate: candidate.expected_return, default=best)
        if better.expected_return <= best.expected_return:
            break
        best = better
    return best


def evaluate_strategies(pays: LowHandPays, family: list[HandPoints]) -> list[PointStrategy]:
    """The strategies of these point systems over all deals, each doubled from the points where that gains the most."""
    return [_choose_threshold(pays, points, sums) for points, sums in zip(family, point_sums(family), strict=True)]


def _choose_threshold(pays: LowHandPays, points: HandPoints, sums: NDArray[np.int64]) -> PointStrategy:
    nets = [
        sum((pays.net(KINDS[kind], *deals) for kind, deals in enumerate(kinds)), Fraction(0)) for kinds in sums.tolist()
    ]
    net_from_threshold = [sum(nets[start:], Fraction(0)) for start in range(MAX_POINTS + 2)]
    most = max(net_from_threshold)
    total = net_from_threshold[0] + (double_multiplier() - 1) * most
    return PointStrategy(total / DEALS, points, net_from_threshold.index(most))


def _double_text(double_threshold: int) -> str:
    if double_threshold > MAX_POINTS:
        return "never double"
    if double_threshold == 0:
        return "double always"
    return f"double with {double_threshold} points or more, else stand"
