"""Figures that follow from what was simulated, beside the exact ones where those are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.odds.rounds.means import Between
from cardroom.odds.rounds.plan import WagerPlan
from cardroom.odds.rounds.progressives import Years
from cardroom.odds.rounds.sessions import Sessions
from cardroom.odds.rounds.tally import WagerTally

SESSION_PERCENTS: Final = (1, 5, 25, 50, 75, 95, 99)
YEARS_PERCENTS: Final = (5, 25, 50, 75, 95)


@dataclass(frozen=True, slots=True)
class BesideExact:
    """Exact figures that stand beside simulated ones."""

    mean: Fraction
    hit_frequency: Fraction


def beside_exact(wager: WagerTally, best: Mapping[str, WagerPlan]) -> BesideExact | None:
    """The exact figures of what was played, or of the best play where those are not known."""
    odds = wager.exact_odds
    if odds is None and wager.plan.slug in best:
        counts = tuple(0 for _ in best[wager.plan.slug].endings)
        other = replace(best[wager.plan.slug], question=wager.plan.question)
        odds = WagerTally(other, counts, 0).exact_odds
    if odds is None or odds.expected_return is None:
        return None
    return BesideExact(odds.expected_return, odds.hit_frequency)


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The mean result beside what is expected. A session ends when it has been played, so it wins on average what its
    rounds do: their exact mean times their number, however it was decided when to leave."""

    mean: float
    error: float
    expected: float | None
    z: float | None


def session_result(played: Sessions) -> SessionResult:
    """What the sessions came to, on average."""
    many, mean = sqrt(len(played.ends)), played.mean_result
    error = float(played.results.std()) / many
    if played.mean_a_round is None:
        return SessionResult(mean, error, None, None)
    a_round = float(played.mean_a_round)
    apart = played.results - a_round * played.rounds
    spread = float(apart.std()) / many
    return SessionResult(mean, error, a_round * played.mean_rounds, float(apart.mean()) / spread if spread else None)


def share_error(part: float, played: Sessions) -> float:
    """The standard error of a share of the sessions."""
    return sqrt(part * (1 - part) / len(played.ends))


@dataclass(frozen=True, slots=True)
class YearsFigure:
    """One figure of all runs: simulated, and exact or between bounds where that is known."""

    slug: str
    words: str
    values: NDArray[np.int64] | NDArray[np.float64]
    cents: bool
    exact: float | None = None
    z: float | None = None
    bounds: Between | None = None

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def error(self) -> float:
        return float(self.values.std(ddof=1)) / sqrt(len(self.values))

    @property
    def percentiles(self) -> dict[int, float]:
        found = np.percentile(self.values, list(YEARS_PERCENTS), method="inverted_cdf").tolist()
        return dict(zip(YEARS_PERCENTS, found, strict=True))


def years_figures(years: Years) -> Iterator[YearsFigure]:
    """Every figure of the runs."""
    exact, bounds, z = years.exact, years.bounds, years.z()
    plain = (
        YearsFigure("hits", "prizes off the meter", years.hits, cents=False),
        YearsFigure("top_hits", "of them the whole meter", years.top_hits, cents=False),
        YearsFigure("first_hit", "days to the first prize", years.first_hit, cents=False),
        YearsFigure("paid", "paid to players", years.paid, cents=True),
        YearsFigure("cost", "cost to the house (seeds)", years.cost, cents=True),
        YearsFigure("meter", "meter at the end", years.meters, cents=True),
        YearsFigure("highest", "highest meter", years.highest, cents=True),
    )
    for one in plain:
        yield replace(
            one,
            exact=getattr(exact, one.slug, None),
            z=z.get("top_hits" if one.slug == "cost" else one.slug),
            bounds=getattr(bounds, one.slug, None),
        )
