"""The exact best strategy of Deuces Wild: Ante, Play, and Raise, and the choice of Five Card Fortune (DW-6).

Ante, Play, and Raise are solved from the last decision back to the first. What each outcome and each category of hand
wins or loses is read from rounds that the game settles, and converted to integers for long sums.

For Five Card Fortune, with one card chosen and the other two gone, the hands follow by inclusion and exclusion: all
five-card hands with the chosen card, minus those that contain one of the others, plus those that contain both. Wild
cards that are chosen together make hands of six or seven cards; the count deals these out, once for each kind of
discarded card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from math import comb, lcm
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, card_from_code, parse_cards
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.card_places import COMMUNITY
from cardroom.games.deuces_wild.rules import (
    ANTE_PLAY_RAISE,
    FIVE_CARD_FORTUNE,
    FORTUNE_EVENTS,
    FORTUNE_QUESTION,
    MAIN_EVENTS,
    PLAY_QUESTION,
    RAISE_QUESTION,
    RULES,
    fortune_selections,
)
from cardroom.hands import Category, is_wild
from cardroom.odds.deuces_wild.counts import (
    CATEGORIES,
    DECK,
    CategoryCounts,
    all_sets,
    count_categories,
    enumerate_hands,
    extensions,
    four_card_counts,
    holding_counts,
    remaining_codes,
    sum_by_event,
)
from cardroom.odds.payoffs import SEAT, TriggerCounts, WagerPayoff, apply_paytable, example_table, settle_example
from cardroom.odds.result import WagerOutcome
from cardroom.paytables import Paytable, describe_pay

_EXAMPLE_CARDS: Final = {
    Place(Pile.HAND, SEAT): parse_cards("Ac Kc Qc"),
    Place(Pile.FOURTH, SEAT): parse_cards("Jc"),
    Place(Pile.FIFTH, SEAT): parse_cards("Tc"),
    COMMUNITY: parse_cards("Ad Ah As Kd"),
}
"""Hands that every table pays, by example."""


@cache
def raise_payoff() -> WagerPayoff:
    """The stakes of a hand that is played to the end."""
    return _ante_payoff(Verb.PLAY, Verb.RAISE)


@cache
def fold_after_three_payoff() -> WagerPayoff:
    return _ante_payoff(Verb.FOLD)


@cache
def fold_after_four_payoff() -> WagerPayoff:
    return _ante_payoff(Verb.PLAY, Verb.FOLD)


@cache
def fortune_payoff() -> WagerPayoff:
    """The one stake of Five Card Fortune."""
    return _example_payoff(FIVE_CARD_FORTUNE, {FORTUNE_QUESTION: Decision(Verb.CHOOSE, (parse_cards("Ac"),))})


def _ante_payoff(three_card_action: Verb, four_card_action: Verb = Verb.FOLD) -> WagerPayoff:
    return _example_payoff(
        ANTE_PLAY_RAISE, {PLAY_QUESTION: Decision(three_card_action), RAISE_QUESTION: Decision(four_card_action)}
    )


def _example_payoff(wager: str, decisions: dict[str, Decision]) -> WagerPayoff:
    return settle_example(example_table(RULES.facts.slug), wager, _EXAMPLE_CARDS, decisions)


# The longest sums cover the 53C3 x 50C4 deals of Five Card Fortune, each in up to 420 shares: fewer than 2**42.
_LARGEST_IN_64_BITS: Final = 2**63 // 2**42 - 1


def category_nets(
    table: Paytable,
    events: Mapping[Category, str],
    payoff: WagerPayoff,
    unit_cents: int = 100,
    meter_cents: int = 0,
) -> tuple[Fraction, ...]:
    """The net result by category, in units, of a wager that no fold ends."""
    nets = []
    for category in CATEGORIES:
        net = payoff.net_with_pay(table.find_pay((events[category],)), table.basis, unit_cents)
        nets.append(net.units + net.percent * Fraction(meter_cents, unit_cents))
    return tuple(nets)


@dataclass(frozen=True)
class ScaledNets:
    """Net results as integers, a multiple of the units. Python's integers are used where 64 bits may overflow."""

    nets: NDArray[Any]
    scale: int

    @classmethod
    def from_fractions(cls, fractions: Sequence[Fraction], extra_fractions: Sequence[Fraction] = ()) -> ScaledNets:
        """Scale net results, and the amounts in ``extra_fractions``, to integers."""
        scale = lcm(*(net.denominator for net in (*fractions, *extra_fractions)))
        integers = [int(net * scale) for net in fractions]
        small = max(map(abs, [scale, *integers])) <= _LARGEST_IN_64_BITS
        return cls(np.array(integers, np.int64 if small else object), scale)

    def totals(self, counts: NDArray[Any]) -> NDArray[Any]:
        """The total net results, one for each row of counts by category."""
        total = np.zeros(len(counts), self.nets.dtype)
        for at, net in enumerate(self.nets):
            total += counts[:, at].astype(self.nets.dtype) * net
        return total

    def total(self, counts: NDArray[Any]) -> int:
        """The total net result of hands counted by category."""
        return sum(count * net for count, net in zip(counts.tolist(), self.nets.tolist(), strict=True))


FOURTH_CARDS: Final = DECK.size - 3
FIFTH_CARDS: Final = DECK.size - 4
FOLD_AFTER_THREE: Final = "fold after three cards"
FOLD_AFTER_FOUR: Final = "fold after four cards"

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class AntePolicy:
    """The sets of three cards to play and of four to raise, by number."""

    play: Mask
    raise_: Mask


class AnteGame:
    """Ante, Play, and Raise on one paytable. Amounts are integers: Antes times ``scale``, summed over the cards to
    come."""

    def __init__(self, table: Paytable) -> None:
        self.table = table
        scaled = ScaledNets.from_fractions(
            category_nets(table, MAIN_EVENTS, raise_payoff()),
            (fold_after_three_payoff().net, fold_after_four_payoff().net),
        )
        self.scale = scaled.scale
        self.raise_totals = scaled.totals(four_card_counts())
        """For every four cards: the net result of a raise, summed over the fifth cards."""
        self.fold_four_total = int(fold_after_four_payoff().net * self.scale) * FIFTH_CARDS
        self.fold_three_total = int(fold_after_three_payoff().net * self.scale) * FOURTH_CARDS * FIFTH_CARDS

    def play_totals(self, raise_: Mask) -> NDArray[Any]:
        """For every three cards: the net result of a Play wager, summed over fourth and fifth cards."""
        on_four = np.where(raise_, self.raise_totals, self.fold_four_total)
        total: NDArray[Any] = on_four[extensions(3)].sum(axis=1)
        return total

    @cached_property
    def best_policy(self) -> AntePolicy:
        """The best strategy adds a wager only if that is better than a fold, not if it is equal."""
        raise_ = self.raise_totals > self.fold_four_total
        return AntePolicy((self.play_totals(raise_) > self.fold_three_total).astype(np.bool_), raise_.astype(np.bool_))

    def expected_return(self, policy: AntePolicy) -> Fraction:
        """The expected return of a policy, in Antes."""
        total = np.where(policy.play, self.play_totals(policy.raise_), self.fold_three_total).sum()
        return Fraction(int(total), self.scale * len(policy.play) * FOURTH_CARDS * FIFTH_CARDS)

    def outcomes(self, policy: AntePolicy) -> Iterator[WagerOutcome]:
        """The outcomes under a policy, over all deals of three cards, a fourth, and a fifth."""
        reach = reach_counts(policy.play)
        raise_counts = reach * policy.raise_
        event_counts = (
            (MAIN_EVENTS[category], int(raise_counts @ hands))
            for category, hands in zip(CATEGORIES, four_card_counts().T, strict=True)
        )
        for outcome in apply_paytable(sum_by_event(event_counts), self.table):
            net = raise_payoff().net_with_pay(self.table.find_pay((outcome.trigger,)), self.table.basis, 100).units
            yield replace(outcome, net=net, wagered=raise_payoff().wagered, hit=None)
        folds = (
            (FOLD_AFTER_FOUR, fold_after_four_payoff(), int(reach[~policy.raise_].sum()) * FIFTH_CARDS),
            (FOLD_AFTER_THREE, fold_after_three_payoff(), int((~policy.play).sum()) * FOURTH_CARDS * FIFTH_CARDS),
        )
        for event, fold, count in folds:
            yield WagerOutcome(event, describe_pay(fold.stakes[0].pay), count, fold.net, fold.wagered)


def reach_counts(play: Mask) -> NDArray[np.int64]:
    """For every four cards: the number of ways, three cards and then the fourth, in which a policy reaches them."""
    return np.bincount(extensions(3)[play].ravel(), minlength=len(four_card_counts()))


COMMUNITY_CARDS: Final = 4  # DW-5
COMMUNITIES: Final = comb(DECK.size - 3, COMMUNITY_CARDS)


def _pair_number(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    low, high = np.minimum(first, second), np.maximum(first, second)
    number: NDArray[np.int64] = low + high * (high - 1) // 2
    return number


@cache
def single_counts() -> CategoryCounts:
    """The number of communities by three cards, chosen card, and category."""
    three = all_sets(3).astype(np.int64)
    counts = np.empty((*three.shape, len(CATEGORIES)), np.int64)
    for chosen in range(3):
        card = three[:, chosen]
        first, second = (three[:, at] for at in range(3) if at != chosen)
        with_others = holding_counts(2)[_pair_number(card, first)] + holding_counts(2)[_pair_number(card, second)]
        counts[:, chosen] = holding_counts(1)[card] - with_others + holding_counts(3)
    return counts


@cache
def group_counts() -> Mapping[int, Mapping[tuple[Card, ...], CategoryCounts]]:
    """The communities by category for each choice of several wild cards, by the number of the three cards."""
    of_kind: dict[tuple[int, tuple[int, ...]], CategoryCounts] = {}
    counts: dict[int, dict[tuple[Card, ...], CategoryCounts]] = {}
    wild = np.array([is_wild(card) for card in DECK.distinct_cards()])
    codes = all_sets(3)
    for number in np.flatnonzero(wild[codes].sum(axis=1) > 1).tolist():
        three = tuple(card_from_code(code) for code in codes[number].tolist())
        counts[number] = {}
        for selection in fortune_selections(three):
            (group,) = selection.groups
            if len(group) == 1:
                continue
            # All wild cards are equal, and the suit of a discarded natural card does not matter.
            other_ranks = tuple(0 if is_wild(card) else int(card.rank) for card in three if card not in group)
            kind = len(group), other_ranks
            if kind not in of_kind:
                of_kind[kind] = count_categories(
                    enumerate_hands([card.code for card in group], remaining_codes(three), COMMUNITY_CARDS)
                )
            counts[number][group] = of_kind[kind]
    return counts


class FortunePolicy(NamedTuple):
    """The chosen cards of every three cards, by number."""

    single_places: NDArray[np.int64]
    """The place of a single chosen card."""
    groups: Mapping[int, tuple[Card, ...]]
    """Wild cards that are chosen together instead."""

    def counts(self) -> CategoryCounts:
        """The hands that the choices make, by category, over all deals of three cards and four community cards."""
        counts: CategoryCounts = single_counts()[np.arange(len(self.single_places)), self.single_places].sum(axis=0)
        for number, group in self.groups.items():
            counts += group_counts()[number][group] - single_counts()[number, self.single_places[number]]
        return counts

    def event_counts(self) -> TriggerCounts:
        """The same hands by event."""
        events = (FORTUNE_EVENTS[category] for category in CATEGORIES)
        return sum_by_event(zip(events, self.counts().tolist(), strict=True))


class FortuneGame:
    """Five Card Fortune on one paytable. Amounts are integers: wagers times a scale, summed over the community
    cards."""

    def __init__(self, table: Paytable) -> None:
        self.scaled_nets = scaled = ScaledNets.from_fractions(category_nets(table, FORTUNE_EVENTS, fortune_payoff()))
        shape = single_counts().shape[:2]
        self.single_totals = scaled.totals(single_counts().reshape(-1, len(CATEGORIES))).reshape(shape)
        """The totals by three cards and chosen card."""
        self.group_totals = {
            number: {group: scaled.total(counts) for group, counts in groups.items()}
            for number, groups in group_counts().items()
        }

    @cached_property
    def best_policy(self) -> FortunePolicy:
        """The best choice: the first of equal cards; wild cards together if that is better than any single card."""
        single, several = self.single_totals.argmax(axis=1), {}
        for number, groups in self.group_totals.items():
            group = max(groups, key=groups.__getitem__)
            if groups[group] > self.single_totals[number, single[number]]:
                several[number] = group
        return FortunePolicy(single, several)

    @property
    def best_return(self) -> Fraction:
        return self.expected_return(Fraction(self.scaled_nets.total(self.best_policy.counts())))

    def expected_return(self, total: Fraction) -> Fraction:
        """The expected return in wagers, from the total over all deals."""
        return total / (self.scaled_nets.scale * len(self.single_totals) * COMMUNITIES)
