"""Points that a person counts for the two hands of a setting, and how they are said.

A point of the high hand is a tenth of the chance to beat the dealer; a point of the low hand is as much money. Pays do
not touch what the high hand counts. They say what the low hand counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import groupby
from math import comb, floor
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Rank
from cardroom.hands import THREE_CARD, Category
from cardroom.odds.three_card_double_play.dealer import hands_up_to
from cardroom.odds.three_card_double_play.setting import KINDS, LowHandPays

HIGH_CARDS, PAIR, FLUSH, STRAIGHT = range(4)
"""The lower places among the ``KINDS``."""
RANK_OF: Final = np.array([0, *(one.ranks[0] for one in THREE_CARD.classes)], np.uint8)
"""By strength: the rank of the pair or trips, and else of the highest card; A-2-3 is three high."""
_ACE: Final = max(RANK_OF)
_CERTAIN: Final = 10
"""Points of a high hand that always wins."""
_MOST_LOW: Final = 20
"""A low hand that would count more is good enough in any case."""
MOST: Final = _CERTAIN + _MOST_LOW


@dataclass(frozen=True)
class Steps:
    """What hands of one kind count: so much at least, and one more from each of some ranks on."""

    least: int
    ranks: tuple[int, ...] = ()
    """Ascending; a rank may stand twice."""

    def at(self, rank: int) -> int:
        return self.least + sum(first <= rank for first in self.ranks)

    def moved(self) -> Iterator[Steps]:
        """The same with one of the ranks moved to its neighbour; moved past the ace it is gone."""
        for place, rank in enumerate(self.ranks):
            for other in (rank - 1, rank + 1):
                ranks = sorted((*self.ranks[:place], other, *self.ranks[place + 1 :]))
                yield replace(self, ranks=tuple(one for one in ranks if one <= _ACE))


Counts: TypeAlias = tuple[Steps, ...]
"""What one of the two hands counts, by its kind: as the ``KINDS``, the lowest first."""

HIGH: Final[Counts] = (Steps(0, (13,)), Steps(2, (9, 12)), Steps(4, (10, 12, 14)), Steps(8, (7, 12)), *3 * [Steps(10)])
"""Chances to beat the dealer in tenths, rounded. Where to round was tried out on all printed tables together."""
_HIGH_CARDS_UP, _PAIR_UP = Fraction(7, 10), Fraction(1)
"""From which part of a point on the low hand's are rounded up to begin with: what is left of them is tried out for
each table. Pairs are rounded up because a setting of equal points with the better low hand goes first."""


@dataclass(frozen=True)
class Points:
    """What both hands of a setting count."""

    low: Counts
    high: Counts = HIGH

    @cached_property
    def by_strength(self) -> NDArray[np.int64]:
        """For the low hand and the high hand, by strength."""
        return np.array(
            [
                [0, *(counts[KINDS.index(one.category)].at(one.ranks[0]) for one in THREE_CARD.classes)]
                for counts in (self.low, self.high)
            ]
        )

    def moved(self) -> Iterator[Points]:
        """The same with one rank of the low hand moved."""
        for kind, steps in enumerate(self.low):
            yield from (replace(self, low=(*self.low[:kind], other, *self.low[kind + 1 :])) for other in steps.moved())

    def words(self) -> Iterator[str]:
        """The rules, each a line."""
        yield "set your cards so that both hands together count the most points you can make"
        yield from _counted("high hand", self.high)
        yield from _counted("low hand", self.low)
        yield (
            "of settings with equal points take the one with the better low hand, "
            "looking only at its kind and at its pair or highest card"
        )
        yield (
            "of those still equal take the one with the best high hand if that is a flush or better, "
            "else the one with the best low hand, and then the best other hand"
        )


def rounded(pays: LowHandPays) -> Points:
    """What the low hand counts when its chance to win and what it wins then are rounded to points."""
    chances = _chances()

    def points(kind: int, rank: int) -> Fraction:
        # The high hand wins or saves two units, which is ten points for certain.
        return pays.both_win[KINDS[kind]] / 2 * _CERTAIN * chances[kind][rank]

    def stepped(kind: int, up: Fraction) -> Steps:
        counted = {rank: min(_MOST_LOW, floor(points(kind, rank) + up)) for rank in chances[kind]}
        least = min(counted.values())
        ranks = [rank for more in range(least, max(counted.values())) for rank in [_first_above(counted, more)]]
        return Steps(least, tuple(ranks))

    def flat(kind: int) -> Steps:
        mean = sum((points(kind, rank) for rank in chances[kind]), Fraction(0)) / len(chances[kind])
        return Steps(min(_MOST_LOW, round(mean)))

    low = stepped(HIGH_CARDS, _HIGH_CARDS_UP), stepped(PAIR, _PAIR_UP), *map(flat, range(FLUSH, len(KINDS)))
    return Points(low)


def _first_above(counted: dict[int, int], points: int) -> int:
    return min(rank for rank, count in counted.items() if count > points)


@cache
def _chances() -> tuple[dict[int, Fraction], ...]:
    """By kind and rank: the chance to beat or copy a dealer whose cards may be any of the deck, on average."""
    up_to, deals = hands_up_to(()), comb(52, 5)
    found: tuple[dict[int, list[int]], ...] = tuple({} for _ in KINDS)
    for strength, one in enumerate(THREE_CARD.classes, 1):
        found[KINDS.index(one.category)].setdefault(one.ranks[0], []).append(int(up_to[strength]))
    return tuple(
        {rank: Fraction(sum(beaten), len(beaten) * deals) for rank, beaten in ranks.items()} for ranks in found
    )


# In words

_PLURALS: Final = {Category.HIGH_CARD: "high cards", Category.THREE_OF_A_KIND: "trips"}


def _name(kind: int) -> str:
    return _PLURALS.get(KINDS[kind], f"a {KINDS[kind].value}")


def _count(kind: int) -> str:
    return "count" if KINDS[kind] in _PLURALS else "counts"


def _counted(hand: str, counts: Counts) -> Iterator[str]:
    """The kinds from the top down: neighbours that count one number each in a line, any other in a line of its own."""
    kinds = range(len(counts) - 1, -1, -1)
    for flat, some in groupby(kinds, key=lambda kind: not counts[kind].ranks):
        if flat:
            yield f"{hand}: {', '.join(_flat(counts, list(some)))}"
        else:
            yield from (f"{hand}: {_stepped(kind, counts[kind])}" for kind in some)


def _flat(counts: Counts, kinds: list[int]) -> Iterator[str]:
    """Kinds from the top of all that count the same are told as the lowest of them or better."""
    for least, some in groupby(kinds, key=lambda kind: counts[kind].least):
        same = list(some)
        if same[0] == len(counts) - 1 and len(same) > 1:
            yield f"{_name(same[-1])} or better {_count(same[-1])} {least}"
        else:
            yield from (f"{_name(kind)} {_count(kind)} {least}" for kind in same)


def _stepped(kind: int, steps: Steps) -> str:
    ranks = sorted(set(steps.ranks), reverse=True)
    told = ", ".join(f"{steps.at(rank)} if {_from(kind, Rank(rank))}" for rank in ranks)
    low_ace = " (A-2-3 is three high)" if kind == STRAIGHT else ""
    return f"{_name(kind)} {_count(kind)} {told}, else {steps.least}{low_ace}"


def _from(kind: int, rank: Rank) -> str:
    name = rank.plural if kind == PAIR else f"{rank.word} high"
    return name if rank == _ACE else f"{name} or better"
