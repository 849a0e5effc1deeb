"""The years of a progressive are read, run and drawn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Final

import numpy as np

from cardroom.cli.shared.answers import Answer
from cardroom.cli.simulate.request import (
    BadRequest,
    Mode,
    at_least_one,
    chart_file,
    needed,
    number,
    seed_of,
    wager_of,
)
from cardroom.cli.simulate.simulated import Simulated, source_words, written
from cardroom.cli.simulate.typed import Typed
from cardroom.games import Table
from cardroom.games.money import format_cents, parse_dollars
from cardroom.odds.simulation.figures import PROGRESSIVE_PERCENTS, ProgressiveRequest, progressive_to_json
from cardroom.odds.simulation.meter_winners import joint_round_wins
from cardroom.odds.simulation.progressive import (
    DAYS_A_YEAR,
    PlayPace,
    ProgressiveRuns,
    build_progressive,
    simulate_progressive,
)
from cardroom.odds.simulation.runner import ProgressMonitor, simulator
from cardroom.terminal.pages.simulation.summaries import days_text, years_page
from cardroom.terminal.progress import catch_interrupt, progress_bar

USUAL_YEARS: Final = "5"
USUAL_RUNS: Final = 1000
USUAL_PACE: Final = PlayPace(rounds_an_hour=40, hours_a_day=12, seats=5)


def years_order(typed: Typed, table: Table) -> ProgressiveRequest:
    """What was typed, read and checked before anything is simulated."""
    assert typed.progressive is not None
    if typed.strategy.endswith(".py"):
        raise BadRequest("A progressive is simulated with chances that are known: --strategy best or simple.")
    wager = wager_of(table, typed.progressive)
    money_in = needed(typed.seed_money, "--seed-money", Mode.PROGRESSIVE, "10000")
    added = needed(typed.contribution, "--contribution", Mode.PROGRESSIVE, "28%")
    runs = at_least_one(typed.runs, "--runs", USUAL_RUNS)
    if runs < 2:
        raise BadRequest("One run says nothing about chance: ask for 2 or more with --runs.")
    order = ProgressiveRequest(
        table=table,
        strategy=typed.strategy,
        wager=wager,
        days=round(number(typed.years or USUAL_YEARS, "--years") * DAYS_A_YEAR),
        runs=runs,
        seed_cents=parse_dollars(money_in),
        contribution=contribution_of(added, table.offers[wager].limits.minimum),
        pace=PlayPace(
            rounds_an_hour=at_least_one(typed.pace, "--pace", USUAL_PACE.rounds_an_hour),
            hours_a_day=at_least_one(typed.hours_a_day, "--hours-a-day", USUAL_PACE.hours_a_day),
            seats=at_least_one(typed.seats, "--seats", USUAL_PACE.seats),
            tables=at_least_one(typed.tables, "--tables", USUAL_PACE.tables),
        ),
        seed=seed_of(typed),
        chart=chart_file(typed),
    )
    _check_seats(order)
    return order


def _check_seats(order: ProgressiveRequest) -> None:
    pace, most = order.pace, order.table.seats
    if pace.seats_at_a_table > most:
        raise BadRequest(
            f"{pace.seats_at_a_table} seats are too many for a table of {most}: spread them with --tables N."
        )


def contribution_of(text: str, wager_cents: int) -> Fraction:
    """What a wager adds to the meter, in cents, typed as a percentage of it, as cents or as dollars.

    >>> [float(contribution_of(text, 1_00)) for text in ("28%", "22.5%", "28c", "$0.28")]
    [28.0, 22.5, 28.0, 28.0]
    """
    typed = text.strip()
    if typed.endswith("%"):
        cents = number(typed[:-1], "--contribution") / 100 * wager_cents
    elif typed.endswith("c"):
        cents = number(typed[:-1], "--contribution")
    else:
        cents = Fraction(parse_dollars(typed))
    if not 0 <= cents <= wager_cents:
        raise BadRequest(
            f"A contribution of {typed} is not a part of the wager of {format_cents(wager_cents)}: use 0% to 100% of "
            "it."
        )
    return cents


def simulated_years(typed: Typed, table: Table) -> Simulated:
    """Let the meter run for as long as was asked."""
    order = years_order(typed, table)
    with progress_bar() as bar:
        prepared = simulator(table.facts.slug).prepare(table, order.strategy, bar.set_share)
        plan = next(one for one in prepared.wagers if one.slug == order.wager)
        order = replace(order, policy=plan.policy)
        meter = build_progressive(plan, order.seed_cents, order.contribution)
        wins = joint_round_wins(plan.request, order.pace.seats_at_a_table)
        with catch_interrupt() as stop, bar.track_count(f"{days_text(order.days)} each", order.runs, "runs") as tell:
            watch = ProgressMonitor(lambda done, _: tell(done), stop)
            years = simulate_progressive(meter, order.pace, order.days, order.runs, order.seed, watch, wins)
    return Simulated(
        Answer(progressive_to_json(order, years, plan.paytable), years_page(order, years, plan.paytable)),
        interrupted=len(years.hits) < order.runs,
        draw=None if order.chart is None else partial(_draw, order, years),
    )


def _draw(order: ProgressiveRequest, years: ProgressiveRuns) -> str:
    from cardroom.reports.charts import Fan, fan_chart

    assert order.chart is not None
    days, first = np.unique(years.checkpoints.round().astype(np.int64), return_index=True)
    fan = Fan(
        rounds=days.tolist(),
        percentiles={
            int(percent): [row[at] / 100 for at in first] for percent, row in years.fan(PROGRESSIVE_PERCENTS).items()
        },
        unit="dollars",
        amount="meter",
        time="days",
        run_name="run",
    )
    assumed = "" if years.bounds is None else " if never two seats of a round win"
    subject = f"{order.table.facts.name}, meter of {order.table.facts.wager(order.wager).name}{assumed}"
    return written(fan_chart(subject, fan, source_words(order.table, order.seed)), order.chart)
