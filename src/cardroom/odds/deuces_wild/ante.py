"""The best play of Ante, Play and Raise: exact, from the last decision back to the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.games.deuces_wild.rules import MAIN_EVENTS
from cardroom.odds.deuces_wild.counts import CATEGORIES, DECK, by_event, holding_four, one_more
from cardroom.odds.deuces_wild.results import folded_after_four, folded_after_three, raised
from cardroom.odds.deuces_wild.stakes import Scaled, nets
from cardroom.odds.endings import endings
from cardroom.odds.result import Ending
from cardroom.paytables import Paytable, words

FOURTH_CARDS: Final = DECK.size - 3
FIFTH_CARDS: Final = DECK.size - 4
FOLDED_AFTER_THREE: Final = "fold after three cards"
FOLDED_AFTER_FOUR: Final = "fold after four cards"

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Plan:
    """With which sets of three cards to play and of four to raise, by the numbers of the sets."""

    play: Mask
    raise_: Mask


class AnteGame:
    """Ante, Play and Raise on one paytable. Amounts are integers: Antes times ``scale``, summed over cards to come."""

    def __init__(self, table: Paytable) -> None:
        self.table = table
        scaled = Scaled.of(nets(table, MAIN_EVENTS, raised()), (folded_after_three().net, folded_after_four().net))
        self.scale = scaled.scale
        self.raised = scaled.totals(holding_four())
        """For every four cards: the net of a raise, summed over the fifth cards."""
        self.folded_four = int(folded_after_four().net * self.scale) * FIFTH_CARDS
        self.folded_three = int(folded_after_three().net * self.scale) * FOURTH_CARDS * FIFTH_CARDS

    def played(self, raise_: Mask) -> NDArray[Any]:
        """For every three cards: the net of a Play wager, summed over fourth and fifth cards."""
        on_four = np.where(raise_, self.raised, self.folded_four)
        total: NDArray[Any] = on_four[one_more(3)].sum(axis=1)
        return total

    @cached_property
    def best(self) -> Plan:
        """A wager is added only when that is better than to fold, not when it is equal."""
        raise_ = self.raised > self.folded_four
        return Plan((self.played(raise_) > self.folded_three).astype(np.bool_), raise_.astype(np.bool_))

    def expected_return(self, plan: Plan) -> Fraction:
        """Of a plan, in Antes."""
        total = np.where(plan.play, self.played(plan.raise_), self.folded_three).sum()
        return Fraction(int(total), self.scale * len(plan.play) * FOURTH_CARDS * FIFTH_CARDS)

    def endings(self, plan: Plan) -> Iterator[Ending]:
        """How the round ends under a plan, over all deals of three cards, a fourth and a fifth."""
        reached = times_reached(plan.play)
        times_raised = reached * plan.raise_
        counted = (
            (MAIN_EVENTS[category], int(times_raised @ hands))
            for category, hands in zip(CATEGORIES, holding_four().T, strict=True)
        )
        for ending in endings(by_event(counted), self.table):
            net = raised().net_when(self.table.pay((ending.event,)), self.table.basis, 100).units
            yield replace(ending, net=net, wagered=raised().wagered, hit=None)
        folds = (
            (FOLDED_AFTER_FOUR, folded_after_four(), int(reached[~plan.raise_].sum()) * FIFTH_CARDS),
            (FOLDED_AFTER_THREE, folded_after_three(), int((~plan.play).sum()) * FOURTH_CARDS * FIFTH_CARDS),
        )
        for event, fold, count in folds:
            yield Ending(event, words(fold.stakes[0].pay), count, fold.net, fold.wagered)


def times_reached(play: Mask) -> NDArray[np.int64]:
    """For every four cards: in how many ways, three cards and then the fourth, a plan comes to them."""
    return np.bincount(one_more(3)[play].ravel(), minlength=len(holding_four()))
