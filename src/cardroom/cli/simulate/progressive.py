"""`cardroom simulate --progressive`: simulate years of a progressive meter."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Final

import numpy as np

from cardroom.cli.shared.output import CommandOutput
from cardroom.cli.simulate.options import SimulateOptions
from cardroom.cli.simulate.request import (
    BadSimulationRequest,
    SimulationMode,
    SimulationOutput,
    chart_source,
    check_chart_file,
    find_wager,
    parse_number,
    parse_positive,
    parse_seed,
    require_option,
    write_chart_file,
)
from cardroom.games import Table
from cardroom.games.money import format_cents, parse_dollars
from cardroom.odds.simulation.meter_winners import joint_round_wins
from cardroom.odds.simulation.progressive import (
    DAYS_A_YEAR,
    PlayPace,
    ProgressiveRuns,
    build_progressive,
    simulate_progressive,
)
from cardroom.odds.simulation.requests_and_results import PROGRESSIVE_PERCENTS, ProgressiveRequest, progressive_to_json
from cardroom.odds.simulation.runner import ProgressMonitor, simulator
from cardroom.terminal.pages.simulation.summaries import days_text, years_page
from cardroom.terminal.progress import catch_interrupt, progress_bar

DEFAULT_YEARS: Final = "5"
DEFAULT_RUNS: Final = 1000
DEFAULT_TABLE_PACE: Final = PlayPace(rounds_an_hour=40, hours_a_day=12, seats=5)


def read_progressive_request(options: SimulateOptions, table: Table) -> ProgressiveRequest:
    """Parse and check the options before the simulation."""
    assert options.progressive is not None
    if options.strategy.endswith(".py"):
        raise BadSimulationRequest("A progressive simulation needs known probabilities: use --strategy best or simple.")
    wager = find_wager(table, options.progressive)
    seed_money = require_option(options.seed_money, "--seed-money", SimulationMode.PROGRESSIVE, "10000")
    contribution = require_option(options.contribution, "--contribution", SimulationMode.PROGRESSIVE, "28%")
    runs = parse_positive(options.runs, "--runs", DEFAULT_RUNS)
    if runs < 2:
        raise BadSimulationRequest("One run shows no variation: use --runs 2 or more.")
    request = ProgressiveRequest(
        table=table,
        strategy=options.strategy,
        wager=wager,
        days=round(parse_number(options.years or DEFAULT_YEARS, "--years") * DAYS_A_YEAR),
        runs=runs,
        seed_cents=parse_dollars(seed_money),
        contribution=parse_contribution(contribution, table.offers[wager].limits.minimum),
        pace=PlayPace(
            rounds_an_hour=parse_positive(options.pace, "--pace", DEFAULT_TABLE_PACE.rounds_an_hour),
            hours_a_day=parse_positive(options.hours_a_day, "--hours-a-day", DEFAULT_TABLE_PACE.hours_a_day),
            seats=parse_positive(options.seats, "--seats", DEFAULT_TABLE_PACE.seats),
            tables=parse_positive(options.tables, "--tables", DEFAULT_TABLE_PACE.tables),
        ),
        seed=parse_seed(options),
        chart=check_chart_file(options),
    )
    _check_seats(request)
    return request


def _check_seats(request: ProgressiveRequest) -> None:
    pace, max_seats = request.pace, request.table.seats
    if pace.seats_at_a_table > max_seats:
        raise BadSimulationRequest(
            f"{pace.seats_at_a_table} seats are too many for a table of {max_seats}: spread them with --tables N."
        )


def parse_contribution(text: str, wager_cents: int) -> Fraction:
    """What a wager adds to the meter in cents, from a percentage of it, cents, or dollars.

    >>> [float(parse_contribution(text, 1_00)) for text in ("28%", "22.5%", "28c", "$0.28")]
    [28.0, 22.5, 28.0, 28.0]
    """
    amount_text = text.strip()
    if amount_text.endswith("%"):
        cents = parse_number(amount_text[:-1], "--contribution") / 100 * wager_cents
    elif amount_text.endswith("c"):
        cents = parse_number(amount_text[:-1], "--contribution")
    else:
        cents = Fraction(parse_dollars(amount_text))
    if not 0 <= cents <= wager_cents:
        raise BadSimulationRequest(
            f"A contribution of {amount_text} is not a part of the wager of {format_cents(wager_cents)}: use 0% to "
            "100%."
        )
    return cents


def run_progressive(options: SimulateOptions, table: Table) -> SimulationOutput:
    """Simulate the meter for the requested time."""
    request = read_progressive_request(options, table)
    with progress_bar() as bar:
        prepared = simulator(table.facts.slug).prepare(table, request.strategy, bar.set_share)
        plan = next(wager_plan for wager_plan in prepared.wagers if wager_plan.slug == request.wager)
        request = replace(request, policy=plan.policy)
        meter = build_progressive(plan, request.seed_cents, request.contribution)
        wins = joint_round_wins(plan.request, request.pace.seats_at_a_table)
        with (
            catch_interrupt() as stop,
            bar.track_count(f"{days_text(request.days)} each", request.runs, "runs") as report_progress,
        ):
            watch = ProgressMonitor(lambda done, _: report_progress(done), stop)
            years = simulate_progressive(meter, request.pace, request.days, request.runs, request.seed, watch, wins)
    return SimulationOutput(
        CommandOutput(progressive_to_json(request, years, plan.paytable), years_page(request, years, plan.paytable)),
        is_interrupted=len(years.hits) < request.runs,
        draw=None if request.chart is None else partial(_draw_meter, request, years),
    )


def _draw_meter(request: ProgressiveRequest, years: ProgressiveRuns) -> str:
    from cardroom.reports.charts import Fan, fan_chart

    assert request.chart is not None
    days, first_indexes = np.unique(years.checkpoints.round().astype(np.int64), return_index=True)
    fan = Fan(
        rounds=days.tolist(),
        percentiles={
            int(percent): [row[index] / 100 for index in first_indexes]
            for percent, row in years.fan(PROGRESSIVE_PERCENTS).items()
        },
        unit="dollars",
        amount="meter",
        time="days",
        run_name="run",
    )
    assumption = "" if years.bounds is None else " if never two seats of a round win"
    subject = f"{request.table.facts.name}, meter of {request.table.facts.wager(request.wager).name}{assumption}"
    return write_chart_file(fan_chart(subject, fan, chart_source(request.table, request.seed)), request.chart)
