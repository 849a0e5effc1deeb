"""Exact figures of a wager: every situation of a round with one unit on it, under the best play."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from cardroom.odds.any.ending import End, end_of, endings
from cardroom.odds.any.layout import SEAT, Layout
from cardroom.odds.any.search import Answered, Search
from cardroom.odds.any.situation import Situation
from cardroom.odds.pricer import Progress, silent
from cardroom.odds.result import Ending

BUDGET: Final = 200_000
"""Situations that are walked for an exact answer; more are too many to wait for."""


@dataclass(frozen=True)
class Exact:
    """What was found."""

    endings: tuple[Ending, ...]
    answers: tuple[Answered, ...]

    @property
    def expected_return(self) -> Fraction:
        """Net units, with an empty meter."""
        total = sum(one.combinations for one in self.endings)
        return sum((one.combinations * one.net for one in self.endings), Fraction(0)) / total


def worth(layout: Layout, end: End) -> tuple[Fraction, ...]:
    """A wager that must be made is played for itself. A side wager goes with the best play of those; only where two
    answers are equal for them, the better one for the side wager is given."""
    if layout.wager.required or len(layout.bets) == 1:
        return (Fraction(end.net + end.others),)
    return Fraction(end.others), Fraction(end.net)


def exact(layout: Layout, progress: Progress = silent, budget: int = BUDGET) -> Exact:
    """Walk everything, or say that it is too large (``TooLarge``)."""
    search = Search(layout.table.deck, lambda r: end_of(layout, r), lambda end: worth(layout, end), budget, progress)
    ends = search.best([Situation(layout.begin(), SEAT)])
    return Exact(endings(layout, ends.combinations(layout.table.deck)), tuple(ends.answers))
