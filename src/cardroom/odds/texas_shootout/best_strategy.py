"""The best strategy of Texas Shootout from the counts of every deal, and the bonus wagers under it.

The main game decides which two cards to keep or how to split the hand. For each class of hands, every board is then
counted for the Shootout Bonus and the Jackpot. The counts are exact for that strategy. The basic strategy is priced
here too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from math import lcm

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import cached_arrays
from cardroom.odds.pricer import BasicStrategy
from cardroom.odds.result import WagerOutcome
from cardroom.odds.texas_shootout.basic_strategy import POINTS, choices_by_points, strategy_rules
from cardroom.odds.texas_shootout.board_counts import count_kept_kinds, count_split_kinds
from cardroom.odds.texas_shootout.hand_values import HandClasses, class_values, count_outcomes, hand_classes, mean_net
from cardroom.odds.texas_shootout.hands_and_boards import HAND_KINDS, KEEPS, KIND_COUNT, pair_places
from cardroom.odds.texas_shootout.payoffs import kind_outcome, matched_outcome, split_jackpot_outcome
from cardroom.odds.texas_shootout.tablebase.wide_integers import argmax_limbs
from cardroom.paytables import Paytable


@dataclass(frozen=True)
class SideCounts:
    """The play of each class of hands, and its boards by the hands that its one or two pairs make."""

    combinations: NDArray[np.int64]
    cards: NDArray[np.uint8]
    """The two cards kept and then the discards, or the two hands of a split, by class."""
    splits: NDArray[np.bool_]
    single_counts: NDArray[np.int64]
    """The number of boards by kind of hand, for classes that keep two cards."""
    split_counts: NDArray[np.int64]
    """The number of boards by kinds of the first and the second pair, for classes that are split."""

    def kept_kind_counts(self) -> list[int]:
        """The number of deals of hand and board by kind, for hands that keep two cards."""
        return _weigh_by_deals(self.combinations[~self.splits], self.single_counts)


def count_sides(classes: HandClasses, choices: NDArray[np.uint8]) -> SideCounts:
    """Count every board for every class of hands, played by ``choices``. This takes a second or two, so the counts are
    stored in the user's cache folder."""
    places = pair_places()[choices].astype(np.int64)
    splits = choices >= KEEPS
    discards = pair_places()[KEEPS - 1 - np.minimum(choices, KEEPS - 1)].astype(np.int64)
    places[~splits, 2:] = discards[~splits, :2]
    cards = np.take_along_axis(classes.hands, places, axis=1)

    def build() -> dict[str, NDArray[np.int64]]:
        return {"alone": count_kept_kinds(cards[~splits]), "both": count_split_kinds(cards[splits])}

    counts = cached_arrays(f"shootout-boards-{sha256(cards.tobytes() + splits.tobytes()).hexdigest()[:16]}", build)
    return SideCounts(classes.combinations, cards, splits, counts["alone"], counts["both"])


def _weigh_by_deals(ways: NDArray[np.int64], counts: NDArray[np.int64]) -> list[int]:
    """Counts by kind, with each class weighted by its deals. There are 8.7e18 deals of a hand and a board, below
    2**63."""
    totals: list[int] = np.tensordot(ways, counts, axes=(0, 0)).ravel().tolist()
    return totals


MATCH, FIRST_HAND, SECOND_HAND = range(3)
"""The placement of the Shootout Bonus after a split."""


def placements(counts: SideCounts, table: Paytable) -> NDArray[np.uint8]:
    """The placement of the Shootout Bonus for each class that is split: matched or on the better hand, whichever has
    the higher value."""
    single = [kind_outcome(kind, table) for kind in HAND_KINDS]
    scale = lcm(*(outcome.net.denominator for outcome in single))
    nets = np.array([int(outcome.net * scale) for outcome in single], dtype=object)
    split = np.flatnonzero(counts.splits)
    first, second = (counts.split_counts.sum(axis=axis).astype(object) @ nets for axis in (2, 1))
    placement_by_class = np.full(len(counts.splits), MATCH, np.uint8)
    better_hand = np.where(first >= second, FIRST_HAND, SECOND_HAND)
    placement_by_class[split] = np.where((first > 0) & (second > 0), MATCH, better_hand)
    return placement_by_class


def bonus_outcomes(counts: SideCounts, table: Paytable) -> Iterator[WagerOutcome]:
    """The outcomes of the Shootout Bonus."""
    single = [kind_outcome(kind, table) for kind in HAND_KINDS]
    totals = Counter(dict(enumerate(counts.kept_kind_counts())))
    split_placements, ways = placements(counts, table)[counts.splits], counts.combinations[counts.splits]
    for placement in (FIRST_HAND, SECOND_HAND):
        mask = split_placements == placement
        totals.update(dict(enumerate(_weigh_by_deals(ways[mask], counts.split_counts[mask].sum(axis=3 - placement)))))
    matched_counts = _merge_orders(
        _weigh_by_deals(ways[split_placements == MATCH], counts.split_counts[split_placements == MATCH])
    )
    yield from _single_outcomes(single, totals)
    yield from _merge_outcomes(
        matched_outcome(single[high], single[low], count)
        for (low, high), count in sorted(matched_counts.items(), reverse=True)
        if count
    )


def jackpot_outcomes(counts: SideCounts, table: Paytable) -> Iterator[WagerOutcome]:
    """The outcomes of the Jackpot; both hands of a split can win on the one wager."""
    single = [kind_outcome(kind, table, jackpot=True) for kind in HAND_KINDS]
    yield from _single_outcomes(single, Counter(dict(enumerate(counts.kept_kind_counts()))))
    split_counts = _merge_orders(_weigh_by_deals(counts.combinations[counts.splits], counts.split_counts))
    yield from _merge_outcomes(
        split_jackpot_outcome((HAND_KINDS[high], HAND_KINDS[low]), table, count)
        for (low, high), count in sorted(split_counts.items(), reverse=True)
        if count
    )


def _merge_orders(joint: list[int]) -> Counter[tuple[int, int]]:
    """Counts by the kinds of two hands, in either order."""
    counts = Counter[tuple[int, int]]()
    for place, count in enumerate(joint):
        first, second = divmod(place, KIND_COUNT)
        counts[min(first, second), max(first, second)] += count
    return counts


def _merge_outcomes(outcomes: Iterable[WagerOutcome]) -> Iterator[WagerOutcome]:
    """One outcome for each pair of lines: kinds of hands on the same lines are combined."""
    by_event: dict[str, WagerOutcome] = {}
    for outcome in outcomes:
        previous = by_event.get(outcome.trigger)
        by_event[outcome.trigger] = (
            replace(outcome, combinations=outcome.combinations + previous.combinations) if previous else outcome
        )
    yield from by_event.values()


def _single_outcomes(single: list[WagerOutcome], totals: Counter[int]) -> Iterator[WagerOutcome]:
    """One outcome for each line of the table, the best hand first, and last the outcome that no line pays."""
    by_event: dict[tuple[str, str], WagerOutcome] = {}
    for kind in reversed(range(len(single))):
        outcome = single[kind]
        previous = by_event.get((outcome.trigger, outcome.pays))
        count = totals[kind] + (previous.combinations if previous else 0)
        by_event[outcome.trigger, outcome.pays] = WagerOutcome(
            outcome.trigger, outcome.pays, count, outcome.net, outcome.wagered, outcome.percent, outcome.hit
        )
    yield from (outcome for outcome in by_event.values() if outcome.combinations)


@cache
def best_choices(ties: str) -> NDArray[np.uint8]:
    """The best choice for each class; of equal choices the first. Equal choices may differ in suits alone."""
    return argmax_limbs(class_values(ties)).astype(np.uint8)


@cache
def best_outcome_counts(ties: str) -> tuple[int, ...]:
    """The number of deals for each end of a round."""
    return count_outcomes(best_choices(ties))


@cache
def best_side_counts(ties: str) -> SideCounts:
    """Every board for every class of hands as the main game plays it."""
    return count_sides(hand_classes(), best_choices(ties))


# The basic strategy


@cache
def basic_choices() -> NDArray[np.uint8]:
    """The choice by points for each class, for ties that lose or push."""
    return choices_by_points(hand_classes().hands, POINTS)


@cache
def basic_outcome_counts() -> tuple[int, ...]:
    """The number of deals for each end of a round under the basic strategy."""
    return count_outcomes(basic_choices())


def basic_strategy(ties: str) -> BasicStrategy:
    """The basic strategy and its cost: both strategies play every deal."""
    return BasicStrategy(
        rules=tuple(strategy_rules(POINTS)),
        expected_return=mean_net(basic_outcome_counts(), ties),
        best_return=mean_net(best_outcome_counts(ties), ties),
    )
