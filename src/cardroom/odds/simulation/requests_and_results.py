"""A checked request for a simulation, its figures beside the exact ones, and both as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.games import Table
from cardroom.odds.simulation.progressive import Interval, PlayPace, ProgressiveRuns
from cardroom.odds.simulation.sessions import SessionPlan, SimulatedSessions
from cardroom.odds.simulation.tally import SimulationTally, WagerTally, tally_to_json
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.odds.table_prices import exclusions_at


@dataclass(frozen=True, kw_only=True)
class SimulationRequest:
    """The inputs of every simulation."""

    table: Table
    strategy: str
    seed: int
    chart: Path | None
    """The file of a chart, if one is requested."""
    policy: str = ""
    """How the player decides, if that is not proved to be the best strategy; known after the table is prepared."""


@dataclass(frozen=True, kw_only=True)
class RoundsRequest(SimulationRequest):
    """A simulation of rounds."""

    rounds: int
    threads: int | None
    cluster: str | None
    wager: str | None
    meter: Fraction | None
    """In wagers of one dollar."""

    @property
    def is_file_strategy(self) -> bool:
        return self.strategy.endswith(".py")

    @property
    def chart_wager(self) -> str:
        """The wager of the chart."""
        return self.wager or next(iter(self.table.offers))


@dataclass(frozen=True, kw_only=True)
class SessionsRequest(SimulationRequest):
    """A simulation of sessions."""

    plan: SessionPlan
    sessions: int
    pace: int
    threads: int | None
    meter: int | None
    """In cents, by jackpot wager."""


@dataclass(frozen=True, kw_only=True)
class ProgressiveRequest(SimulationRequest):
    """A simulation of a progressive over time."""

    wager: str
    days: int
    runs: int
    seed_cents: int
    contribution: Fraction
    """In cents per wager."""
    pace: PlayPace

    @property
    def wager_cents(self) -> int:
        return self.table.offers[self.wager].limits.minimum


SESSION_PERCENTS: Final = (1, 5, 25, 50, 75, 95, 99)
PROGRESSIVE_PERCENTS: Final = (5, 25, 50, 75, 95)


@dataclass(frozen=True, slots=True)
class ExactFigures:
    """Exact figures to compare with simulated ones."""

    mean: Fraction
    hit_frequency: Fraction


def exact_figures(wager: WagerTally, best_plans: Mapping[str, WagerPlan]) -> ExactFigures | None:
    """The exact figures of the simulated strategy, or of the best strategy if those are not known."""
    odds = wager.exact_odds
    if odds is None and wager.plan.slug in best_plans:
        counts = tuple(0 for _ in best_plans[wager.plan.slug].outcomes)
        best_plan = replace(best_plans[wager.plan.slug], request=wager.plan.request)
        odds = WagerTally(best_plan, counts, 0).exact_odds
    if odds is None or odds.expected_return is None:
        return None
    return ExactFigures(odds.expected_return, odds.hit_frequency)


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The mean result beside the expected one. The average result of a session is the exact mean of a round times the
    number of rounds, for any rule about when to leave."""

    mean: float
    error: float
    expected: float | None
    z: float | None


def session_result(sessions: SimulatedSessions) -> SessionResult:
    """The average of the sessions' results."""
    root_count, mean = sqrt(len(sessions.final_bankrolls)), sessions.mean_result
    error = float(sessions.results.std()) / root_count
    if sessions.mean_round_result is None:
        return SessionResult(mean, error, None, None)
    round_mean = float(sessions.mean_round_result)
    differences = sessions.results - round_mean * sessions.rounds
    spread = float(differences.std()) / root_count
    return SessionResult(
        mean, error, round_mean * sessions.mean_rounds, float(differences.mean()) / spread if spread else None
    )


def share_error(share: float, sessions: SimulatedSessions) -> float:
    """The standard error of a share of sessions."""
    return sqrt(share * (1 - share) / len(sessions.final_bankrolls))


@dataclass(frozen=True, slots=True)
class ProgressiveFigure:
    """One figure of all runs: simulated, and exact or with bounds if these are known."""

    slug: str
    text: str
    values: NDArray[np.int64] | NDArray[np.float64]
    is_cents: bool
    exact: float | None = None
    z: float | None = None
    bounds: Interval | None = None

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def error(self) -> float:
        return float(self.values.std(ddof=1)) / sqrt(len(self.values))

    @property
    def percentiles(self) -> dict[int, float]:
        values = np.percentile(self.values, list(PROGRESSIVE_PERCENTS), method="inverted_cdf").tolist()
        return dict(zip(PROGRESSIVE_PERCENTS, values, strict=True))


def progressive_figures(runs: ProgressiveRuns) -> Iterator[ProgressiveFigure]:
    """Every figure of the runs."""
    exact, bounds, z = runs.exact, runs.bounds, runs.z_scores()
    figures = (
        ProgressiveFigure("hits", "prizes from the meter", runs.hits, is_cents=False),
        ProgressiveFigure("top_hits", "of these, the whole meter", runs.top_hits, is_cents=False),
        ProgressiveFigure("first_hit", "days to the first prize", runs.first_hit, is_cents=False),
        ProgressiveFigure("paid", "paid to players", runs.paid, is_cents=True),
        ProgressiveFigure("cost", "cost to the house (seeds)", runs.cost, is_cents=True),
        ProgressiveFigure("meter", "meter at the end", runs.final_meters, is_cents=True),
        ProgressiveFigure("highest", "highest meter", runs.highest_meters, is_cents=True),
    )
    for figure in figures:
        yield replace(
            figure,
            exact=getattr(exact, figure.slug, None),
            z=z.get("top_hits" if figure.slug == "cost" else figure.slug),
            bounds=getattr(bounds, figure.slug, None),
        )


def rounds_to_json(
    request: RoundsRequest, tally: SimulationTally, best_plans: Mapping[str, WagerPlan]
) -> list[dict[str, Any]]:
    """Simulated rounds, wager by wager."""
    entries = []
    for entry, wager in zip(tally_to_json(tally), tally.wagers, strict=True):
        if request.wager not in (None, wager.plan.slug):
            continue
        lines = entry.pop("lines")
        exact = exact_figures(wager, best_plans)
        entry |= {
            "strategy": request.strategy,
            "seed": request.seed,
            "rounds_asked": request.rounds,
            "interrupted": tally.rounds < request.rounds,
        }
        if exact is not None and not best_plans:
            entry["exact_hit_frequency"] = float(exact.hit_frequency)
            entry["exact_method"] = "simulated" if wager.plan.priced_rounds else "exact"
        if exact is not None and best_plans:
            entry["best_return"] = float(exact.mean)
            if policy := best_plans[wager.plan.slug].policy:
                entry["best_policy"] = policy
        if wager.plan.priced_rounds:
            entry["exact_rounds"] = wager.plan.priced_rounds
        entries.append({**entry, "lines": lines})
    return entries


def sessions_to_json(request: SessionsRequest, sessions: SimulatedSessions) -> dict[str, Any]:
    """Simulated sessions."""
    plan, result = request.plan, session_result(sessions)
    share_ahead = float((sessions.results > 0).mean())
    entry: dict[str, Any] = {
        "game": request.table.facts.slug,
        "method": "simulated",
        "strategy": request.strategy,
        "seed": request.seed,
        "sessions": len(sessions.final_bankrolls),
        "sessions_asked": request.sessions,
        "interrupted": len(sessions.final_bankrolls) < request.sessions,
        "bankroll": plan.bankroll,
        "bets": dict(plan.bets),
        "rounds_per_session": plan.max_rounds,
        "pace": request.pace,
        "target": plan.target,
        "meter": request.meter,
        "most_in_a_round": sessions.max_round_cost,
        "risk_of_ruin": {"value": sessions.risk_of_ruin, "standard_error": sessions.risk_error},
        "ended_ahead": {"value": share_ahead, "standard_error": share_error(share_ahead, sessions)},
    }
    if plan.target is not None:
        share_reached = float(sessions.has_reached_target.mean())
        entry["target_reached"] = {"value": share_reached, "standard_error": share_error(share_reached, sessions)}
    entry["expected_a_round"] = None if sessions.mean_round_result is None else float(sessions.mean_round_result)
    entry["result"] = {
        "mean": result.mean,
        "standard_error": result.error,
        "standard_deviation": float(sessions.results.std()),
        "expected": result.expected,
        "z": result.z,
        "percentiles": _by_percent(sessions.result_percentiles(SESSION_PERCENTS)),
    }
    entry["rounds"] = {
        "mean": sessions.mean_rounds,
        "percentiles": _by_percent(sessions.rounds_percentiles(SESSION_PERCENTS)),
    }
    entry["hours"] = {"mean": sessions.mean_rounds / request.pace}
    return entry | _policy_and_exclusions(request)


def _policy_and_exclusions(request: SimulationRequest) -> dict[str, Any]:
    """The policy, if it is not the best strategy, and what the figures leave out."""
    entry: dict[str, Any] = {"policy": request.policy} if request.policy else {}
    if excludes := exclusions_at(request.table):
        entry["excludes"] = list(excludes)
    return entry


def _by_percent(values: list[int]) -> dict[str, int]:
    return {str(percent): value for percent, value in zip(SESSION_PERCENTS, values, strict=True)}


def progressive_to_json(request: ProgressiveRequest, runs: ProgressiveRuns, paytable: str) -> dict[str, Any]:
    """The years of a progressive."""
    return {
        "game": request.table.facts.slug,
        "wager": request.wager,
        "paytable": paytable,
        "method": "simulated",
        "strategy": request.strategy,
        "seed": request.seed,
        "runs": len(runs.hits),
        "runs_asked": request.runs,
        "interrupted": len(runs.hits) < request.runs,
        "days": request.days,
        "seed_money": request.seed_cents,
        "contribution": float(request.contribution),
        "pace": {
            "rounds_an_hour": request.pace.rounds_an_hour,
            "hours_a_day": request.pace.hours_a_day,
            "seats": request.pace.seats,
            "tables": request.pace.tables,
        },
        "wagers": runs.wagers,
        "contributed": runs.contributions,
        "prizes": [
            {
                "event": prize.trigger,
                "share": float(prize.share),
                "probability": float(prize.probability),
                "days_between": 1 / float(prize.probability) / request.pace.wagers_a_day,
            }
            for prize in runs.meter.prizes
        ],
        "days_to_a_hit": None if runs.exact is None else runs.exact.days_to_a_hit,
        "days_to_the_whole_meter": None if runs.exact is None else runs.exact.days_to_the_top,
        "expectation": "exact" if runs.bounds is None else "bounds",
        "winners_in_a_round": "known" if runs.bounds is None else "at most one, assumed",
        "figures": {
            figure.slug: {
                "mean": figure.mean,
                "standard_error": figure.error,
                "exact": figure.exact,
                "z": figure.z,
                "at_least": None if figure.bounds is None else figure.bounds.least,
                "at_most": None if figure.bounds is None else figure.bounds.most,
                "percentiles": {str(percent): value for percent, value in figure.percentiles.items()},
            }
            for figure in progressive_figures(runs)
        },
        **_policy_and_exclusions(request),
    }
