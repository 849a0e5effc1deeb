"""Five Card Fortune: the best choice among the first three cards, exactly (DW-6).

With one card chosen and the other two gone, the hands follow by inclusion and exclusion: all five-card hands with the
chosen card, less those that hold one of the others, plus those that hold both. Wild cards that are chosen together
make hands of six or seven cards; those are dealt out, once for each kind of card that is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, cached_property
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, of_code
from cardroom.games.deuces_wild.rules import FORTUNE_EVENTS, fortune_selections
from cardroom.hands import is_wild
from cardroom.odds.deuces_wild.counts import (
    CATEGORIES,
    DECK,
    CategoryCounts,
    all_sets,
    by_event,
    hands_with,
    holding,
    tally,
    without,
)
from cardroom.odds.deuces_wild.results import fortune
from cardroom.odds.deuces_wild.stakes import Scaled, nets
from cardroom.odds.endings import EventCounts
from cardroom.paytables import Paytable

COMMUNITY_CARDS: Final = 4  # DW-5
COMMUNITIES: Final = comb(DECK.size - 3, COMMUNITY_CARDS)


def _pair_number(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    low, high = np.minimum(one, other), np.maximum(one, other)
    number: NDArray[np.int64] = low + high * (high - 1) // 2
    return number


@cache
def single_counts() -> CategoryCounts:
    """By three cards, chosen card and category: how many of the communities make it."""
    three = all_sets(3).astype(np.int64)
    counts = np.empty((*three.shape, len(CATEGORIES)), np.int64)
    for chosen in range(3):
        card = three[:, chosen]
        first, second = (three[:, at] for at in range(3) if at != chosen)
        with_others = holding(2)[_pair_number(card, first)] + holding(2)[_pair_number(card, second)]
        counts[:, chosen] = holding(1)[card] - with_others + holding(3)
    return counts


@cache
def several_counts() -> Mapping[int, Mapping[tuple[Card, ...], CategoryCounts]]:
    """By the number of three cards: for each choice of several wild cards the communities by category."""
    of_kind: dict[tuple[int, tuple[int, ...]], CategoryCounts] = {}
    found: dict[int, dict[tuple[Card, ...], CategoryCounts]] = {}
    wild = np.array([is_wild(card) for card in DECK.kinds()])
    codes = all_sets(3)
    for number in np.flatnonzero(wild[codes].sum(axis=1) > 1).tolist():
        three = tuple(of_code(code) for code in codes[number].tolist())
        found[number] = {}
        for selection in fortune_selections(three):
            (group,) = selection.groups
            if len(group) == 1:
                continue
            # All wild cards are alike, and of a natural card that is gone the suit does not matter.
            gone = tuple(0 if is_wild(card) else int(card.rank) for card in three if card not in group)
            kind = len(group), gone
            if kind not in of_kind:
                of_kind[kind] = tally(hands_with([card.code for card in group], without(three), COMMUNITY_CARDS))
            found[number][group] = of_kind[kind]
    return found


class Choices(NamedTuple):
    """What is chosen of every three cards, by the number of the set."""

    single: NDArray[np.int64]
    """The place of the card that is chosen alone."""
    several: Mapping[int, tuple[Card, ...]]
    """The wild cards that are chosen together instead, where some are."""

    def counts(self) -> CategoryCounts:
        """By category, over all deals of three cards and four community cards: what the choices make."""
        counts: CategoryCounts = single_counts()[np.arange(len(self.single)), self.single].sum(axis=0)
        for number, group in self.several.items():
            counts += several_counts()[number][group] - single_counts()[number, self.single[number]]
        return counts

    def kinds(self) -> EventCounts:
        """The same by event."""
        events = (FORTUNE_EVENTS[category] for category in CATEGORIES)
        return by_event(zip(events, self.counts().tolist(), strict=True))


class FortuneGame:
    """Five Card Fortune on one paytable. Amounts are integers: wagers times a scale, summed over the communities."""

    def __init__(self, table: Paytable) -> None:
        self.scaled = scaled = Scaled.of(nets(table, FORTUNE_EVENTS, fortune()))
        shape = single_counts().shape[:2]
        self.single = scaled.totals(single_counts().reshape(-1, len(CATEGORIES))).reshape(shape)
        """By three cards and chosen card."""
        self.several = {
            number: {group: scaled.total(counts) for group, counts in groups.items()}
            for number, groups in several_counts().items()
        }

    @cached_property
    def best(self) -> Choices:
        """Of equal cards the first; wild cards together where that is better than any card alone."""
        single, several = self.single.argmax(axis=1), {}
        for number, groups in self.several.items():
            group = max(groups, key=groups.__getitem__)
            if groups[group] > self.single[number, single[number]]:
                several[number] = group
        return Choices(single, several)

    @property
    def best_return(self) -> Fraction:
        return self.expected_return(Fraction(self.scaled.total(self.best.counts())))

    def expected_return(self, total: Fraction) -> Fraction:
        """In wagers, from the sum of amounts over all deals."""
        return total / (self.scaled.scale * len(self.single) * COMMUNITIES)
