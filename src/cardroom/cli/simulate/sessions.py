"""`cardroom simulate --sessions`: simulate sessions of one player."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from cardroom.cli.shared.output import CommandOutput
from cardroom.cli.simulate.options import SimulateOptions
from cardroom.cli.simulate.request import (
    BadSimulationRequest,
    SimulationMode,
    SimulationOutput,
    chart_source,
    check_chart_file,
    find_metered_wagers,
    parse_bets,
    parse_meter,
    parse_number,
    parse_positive,
    parse_seed,
    parse_threads,
    parse_whole_number,
    require_option,
    write_chart_file,
)
from cardroom.games import Table
from cardroom.games.money import format_cents, parse_dollars
from cardroom.odds.result import first_policy
from cardroom.odds.simulation.requests_and_results import SessionsRequest, sessions_to_json
from cardroom.odds.simulation.runner import BadSimulation, ProgressMonitor, simulator
from cardroom.odds.simulation.sessions import MissingMeter, SessionPlan, SimulatedSessions, bets_by_wager, play_sessions
from cardroom.terminal.client.seating import main_wager
from cardroom.terminal.pages.simulation.summaries import sessions_page
from cardroom.terminal.progress import catch_interrupt, progress_bar

DEFAULT_PACE: Final = 40
"""Rounds per hour."""
DEFAULT_HOURS: Final = "4"
FAN_PERCENTILES: Final = (5, 25, 50, 75, 95)


def read_sessions_request(options: SimulateOptions, table: Table) -> SessionsRequest:
    """Parse and check the options before the simulation."""
    assert options.sessions is not None
    if options.strategy.endswith(".py"):
        raise BadSimulationRequest("Sessions need a built-in strategy: use --strategy best or simple.")
    bankroll = require_option(options.bankroll, "--bankroll", SimulationMode.SESSIONS, "500")
    pace = parse_positive(options.pace, "--pace", DEFAULT_PACE)
    plan = SessionPlan(
        bankroll=parse_dollars(bankroll),
        bets=parse_bets(table, options.bets) if options.bets else main_wager(table),
        max_rounds=_rounds_per_session(options, pace),
        target=None if options.target is None else parse_dollars(options.target),
    )
    wagers = [table.spots[spot].wager.slug for spot in plan.bets]
    meter, metered_wagers = parse_meter(options, table, wagers), find_metered_wagers(table, wagers)
    if meter is None and metered_wagers:
        raise MissingMeter(metered_wagers[0])
    return SessionsRequest(
        table=table,
        strategy=options.strategy,
        plan=plan,
        sessions=parse_whole_number(options.sessions, "--sessions"),
        pace=pace,
        seed=parse_seed(options),
        threads=parse_threads(options),
        meter=meter,
        chart=check_chart_file(options),
    )


def _rounds_per_session(options: SimulateOptions, pace: int) -> int:
    if options.rounds_per_session is None:
        return round(parse_number(options.hours or DEFAULT_HOURS, "--hours") * pace)
    if options.hours is not None:
        raise BadSimulationRequest("--hours and --rounds-per-session both limit a session: leave one of them out.")
    return parse_whole_number(options.rounds_per_session, "--rounds-per-session")


def run_sessions(options: SimulateOptions, table: Table) -> SimulationOutput:
    """Simulate the requested sessions."""
    request = read_sessions_request(options, table)
    meters = {} if request.meter is None else dict.fromkeys(_jackpot_wagers(table), request.meter)
    with progress_bar() as bar:
        prepared = simulator(table.facts.slug).prepare(table, request.strategy, bar.set_share)
        bar.set_share("compiling the rounds of this game, once", 0.0)
        prepared.round_outcomes(request.seed, 0, 1)
        request = replace(request, policy=first_policy(wager_plan.policy for wager_plan in prepared.wagers))
        with catch_interrupt() as stop, bar.track_count("playing", request.sessions, "sessions") as report_progress:
            watch = ProgressMonitor(lambda done, _: report_progress(done), stop)
            try:
                bets = bets_by_wager(table, request.plan)
                sessions = play_sessions(
                    prepared, request.plan, bets, request.sessions, request.seed, meters, request.threads, watch
                )
            except BadSimulation:
                if stop():
                    raise KeyboardInterrupt from None  # no session was finished
                raise
    return SimulationOutput(
        CommandOutput(sessions_to_json(request, sessions), sessions_page(request, sessions)),
        is_interrupted=len(sessions.final_bankrolls) < request.sessions,
        draw=None if request.chart is None else partial(_draw_bankroll, request, sessions),
    )


def _jackpot_wagers(table: Table) -> list[str]:
    return [slug for slug, offered in table.offers.items() if offered.wager.jackpot]


def _draw_bankroll(request: SessionsRequest, sessions: SimulatedSessions) -> str:
    from cardroom.reports.charts import Fan, fan_chart

    assert request.chart is not None
    fan = Fan(
        rounds=sessions.checkpoints.tolist(),
        percentiles={
            int(percent): [cents / 100 for cents in row] for percent, row in sessions.fan(FAN_PERCENTILES).items()
        },
        unit="dollars",
    )
    subject = f"{request.table.facts.name}, a bankroll of {format_cents(request.plan.bankroll)}"
    return write_chart_file(fan_chart(subject, fan, chart_source(request.table, request.seed)), request.chart)
