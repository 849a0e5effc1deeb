"""Simulations as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardroom.odds.at_table import excluded_at
from cardroom.odds.rounds.figures import (
    SESSION_PERCENTS,
    beside_exact,
    session_result,
    share_error,
    years_figures,
)
from cardroom.odds.rounds.orders import RoundsOrder, SessionsOrder, SimulationOrder, YearsOrder
from cardroom.odds.rounds.plan import WagerPlan
from cardroom.odds.rounds.progressives import Years
from cardroom.odds.rounds.sessions import Sessions
from cardroom.odds.rounds.tally import Tally, tally_json


def rounds_entry(order: RoundsOrder, tally: Tally, best: Mapping[str, WagerPlan]) -> list[dict[str, Any]]:
    """Simulated rounds, wager by wager."""
    entries = []
    for entry, wager in zip(tally_json(tally), tally.wagers, strict=True):
        if order.wager not in (None, wager.plan.slug):
            continue
        lines = entry.pop("lines")
        exact = beside_exact(wager, best)
        entry |= {
            "strategy": order.strategy,
            "seed": order.seed,
            "rounds_asked": order.rounds,
            "interrupted": tally.rounds < order.rounds,
        }
        if exact is not None and not best:
            entry["exact_hit_frequency"] = float(exact.hit_frequency)
            entry["exact_method"] = "simulated" if wager.plan.priced_rounds else "exact"
        if exact is not None and best:
            entry["best_return"] = float(exact.mean)
            if policy := best[wager.plan.slug].policy:
                entry["best_policy"] = policy
        if wager.plan.priced_rounds:
            entry["exact_rounds"] = wager.plan.priced_rounds
        entries.append({**entry, "lines": lines})
    return entries


def sessions_entry(order: SessionsOrder, played: Sessions) -> dict[str, Any]:
    """Simulated sessions."""
    plan, result = order.plan, session_result(played)
    ahead = float((played.results > 0).mean())
    entry: dict[str, Any] = {
        "game": order.table.facts.slug,
        "method": "simulated",
        "strategy": order.strategy,
        "seed": order.seed,
        "sessions": len(played.ends),
        "sessions_asked": order.sessions,
        "interrupted": len(played.ends) < order.sessions,
        "bankroll": plan.bankroll,
        "bets": dict(plan.bets),
        "rounds_per_session": plan.most_rounds,
        "pace": order.pace,
        "target": plan.target,
        "meter": order.meter,
        "most_in_a_round": played.call,
        "risk_of_ruin": {"value": played.risk_of_ruin, "standard_error": played.risk_error},
        "ended_ahead": {"value": ahead, "standard_error": share_error(ahead, played)},
    }
    if plan.target is not None:
        reached = float(played.reached.mean())
        entry["target_reached"] = {"value": reached, "standard_error": share_error(reached, played)}
    entry["expected_a_round"] = None if played.mean_a_round is None else float(played.mean_a_round)
    entry["result"] = {
        "mean": result.mean,
        "standard_error": result.error,
        "standard_deviation": float(played.results.std()),
        "expected": result.expected,
        "z": result.z,
        "percentiles": _by_percent(played.result_percentiles(SESSION_PERCENTS)),
    }
    entry["rounds"] = {
        "mean": played.mean_rounds,
        "percentiles": _by_percent(played.rounds_percentiles(SESSION_PERCENTS)),
    }
    entry["hours"] = {"mean": played.mean_rounds / order.pace}
    return entry | _told_besides(order)


def _told_besides(order: SimulationOrder) -> dict[str, Any]:
    """The policy where it is not the best play, and what the figures leave out."""
    told: dict[str, Any] = {"policy": order.policy} if order.policy else {}
    if excludes := excluded_at(order.table):
        told["excludes"] = list(excludes)
    return told


def _by_percent(values: list[int]) -> dict[str, int]:
    return {str(percent): value for percent, value in zip(SESSION_PERCENTS, values, strict=True)}


def years_entry(order: YearsOrder, years: Years, paytable: str) -> dict[str, Any]:
    """The years of a progressive."""
    return {
        "game": order.table.facts.slug,
        "wager": order.wager,
        "paytable": paytable,
        "method": "simulated",
        "strategy": order.strategy,
        "seed": order.seed,
        "runs": len(years.hits),
        "runs_asked": order.runs,
        "interrupted": len(years.hits) < order.runs,
        "days": order.days,
        "seed_money": order.seed_cents,
        "contribution": float(order.contribution),
        "pace": {
            "rounds_an_hour": order.pace.rounds_an_hour,
            "hours_a_day": order.pace.hours_a_day,
            "seats": order.pace.seats,
            "tables": order.pace.tables,
        },
        "wagers": years.wagers,
        "contributed": years.contributed,
        "prizes": [
            {
                "event": prize.event,
                "share": float(prize.share),
                "probability": float(prize.probability),
                "days_between": 1 / float(prize.probability) / order.pace.wagers_a_day,
            }
            for prize in years.meter.prizes
        ],
        "days_to_a_hit": None if years.exact is None else years.exact.days_to_a_hit,
        "days_to_the_whole_meter": None if years.exact is None else years.exact.days_to_the_top,
        "expectation": "exact" if years.bounds is None else "bounds",
        "winners_in_a_round": "known" if years.bounds is None else "at most one, assumed",
        "figures": {
            one.slug: {
                "mean": one.mean,
                "standard_error": one.error,
                "exact": one.exact,
                "z": one.z,
                "at_least": None if one.bounds is None else one.bounds.least,
                "at_most": None if one.bounds is None else one.bounds.most,
                "percentiles": {str(percent): value for percent, value in one.percentiles.items()},
            }
            for one in years_figures(years)
        },
        **_told_besides(order),
    }
