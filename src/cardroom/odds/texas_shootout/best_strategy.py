"""The best strategy of Texas Shootout from the counts of every deal, and the bonus wagers under it.

The main game says which two cards are kept or how the hand is split. For each class of hands, every board is then
counted for Shootout Bonus and Jackpot. The counts are exact for that strategy. The basic strategy is here too.
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
    """For each class of hands: how it is played, and the boards by what its one or two pairs make."""

    combinations: NDArray[np.int64]
    cards: NDArray[np.uint8]
    """By class: the two cards kept, then the discards; or the two hands of a split."""
    splits: NDArray[np.bool_]
    single_counts: NDArray[np.int64]
    """By class that keeps two cards: how many boards make which kind."""
    split_counts: NDArray[np.int64]
    """By class that is split: how many boards make which kind of the first pair and which of the second."""

    def kept_kind_counts(self) -> list[int]:
        """In how many deals of hand and board a hand that keeps two cards makes each kind."""
        return _weigh_by_deals(self.combinations[~self.splits], self.single_counts)


def count_sides(classes: HandClasses, choices: NDArray[np.uint8]) -> SideCounts:
    """Count every board for every class of hands, played as ``choices`` says. That takes a second or two, so the counts
    stay in the user's cache folder."""
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
    """Counts by kind, each class as often as it is dealt. All deals of a hand and a board are 8.7e18, below 2**63."""
    totals: list[int] = np.tensordot(ways, counts, axes=(0, 0)).ravel().tolist()
    return totals


MATCH, FIRST_HAND, SECOND_HAND = range(3)
"""Where the Shootout Bonus is placed after a split."""


def placements(counts: SideCounts, table: Paytable) -> NDArray[np.uint8]:
    """By class of hands that is split: where the Shootout Bonus is placed. It is matched, or rides on the better hand,
    whatever is worth more."""
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
    """How the Shootout Bonus ends."""
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
    """How the Jackpot ends; both hands of a split can win on the one wager."""
    single = [kind_outcome(kind, table, jackpot=True) for kind in HAND_KINDS]
    yield from _single_outcomes(single, Counter(dict(enumerate(counts.kept_kind_counts()))))
    split_counts = _merge_orders(_weigh_by_deals(counts.combinations[counts.splits], counts.split_counts))
    yield from _merge_outcomes(
        split_jackpot_outcome((HAND_KINDS[high], HAND_KINDS[low]), table, count)
        for (low, high), count in sorted(split_counts.items(), reverse=True)
        if count
    )


def _merge_orders(joint: list[int]) -> Counter[tuple[int, int]]:
    """Counts by the kinds of two hands, whichever of them is the first."""
    counts = Counter[tuple[int, int]]()
    for place, count in enumerate(joint):
        first, second = divmod(place, KIND_COUNT)
        counts[min(first, second), max(first, second)] += count
    return counts


def _merge_outcomes(outcomes: Iterable[WagerOutcome]) -> Iterator[WagerOutcome]:
    """One ending for each two lines: kinds of hands that are on the same lines together."""
    by_event: dict[str, WagerOutcome] = {}
    for outcome in outcomes:
        previous = by_event.get(outcome.trigger)
        by_event[outcome.trigger] = (
            replace(outcome, combinations=outcome.combinations + previous.combinations) if previous else outcome
        )
    yield from by_event.values()


def _single_outcomes(single: list[WagerOutcome], totals: Counter[int]) -> Iterator[WagerOutcome]:
    """One ending for each line of the table, the best hand first, and last what no line pays."""
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
    """By class: the best choice; of equal ones the first, which is one of a kind where others differ from it in suits
    alone."""
    return argmax_limbs(class_values(ties)).astype(np.uint8)


@cache
def best_outcome_counts(ties: str) -> tuple[int, ...]:
    """In how many of all deals a round ends how, by the number of the end."""
    return count_outcomes(best_choices(ties))


@cache
def best_side_counts(ties: str) -> SideCounts:
    """Every board for every class of hands as the main game sets it."""
    return count_sides(hand_classes(), best_choices(ties))


# The strategy for people


@cache
def basic_choices() -> NDArray[np.uint8]:
    """By class: what the points say, whatever ties do."""
    return choices_by_points(hand_classes().hands, POINTS)


@cache
def basic_outcome_counts() -> tuple[int, ...]:
    """In how many of all deals a round ends how when points are counted."""
    return count_outcomes(basic_choices())


def basic_strategy(ties: str) -> BasicStrategy:
    """The points to count, and what they cost: both strategies play every deal."""
    return BasicStrategy(
        rules=tuple(strategy_rules(POINTS)),
        expected_return=mean_net(basic_outcome_counts(), ties),
        best_return=mean_net(best_outcome_counts(ties), ties),
    )
