"""Sessions are read, played and drawn."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from cardroom.cli.shared.answers import Answer
from cardroom.cli.simulate.request import (
    BadRequest,
    Mode,
    at_least_one,
    bets_of,
    chart_file,
    meter_of,
    needed,
    number,
    on_a_meter,
    seed_of,
    threads_of,
    whole,
)
from cardroom.cli.simulate.simulated import Simulated, source_words, written
from cardroom.cli.simulate.typed import Typed
from cardroom.games import Table
from cardroom.games.money import format_cents, parse_dollars
from cardroom.odds.result import first_policy
from cardroom.odds.simulation.figures import SessionsRequest, sessions_to_json
from cardroom.odds.simulation.runner import BadSimulation, ProgressMonitor, simulator
from cardroom.odds.simulation.sessions import MissingMeter, SessionPlan, SimulatedSessions, bets_by_wager, play_sessions
from cardroom.terminal.client.seating import main_wager
from cardroom.terminal.pages.simulation.summaries import sessions_page
from cardroom.terminal.progress import catch_interrupt, progress_bar

USUAL_PACE: Final = 40
"""Rounds an hour."""
USUAL_HOURS: Final = "4"
FAN: Final = (5, 25, 50, 75, 95)


def sessions_order(typed: Typed, table: Table) -> SessionsRequest:
    """What was typed, read and checked before anything is played."""
    assert typed.sessions is not None
    if typed.strategy.endswith(".py"):
        raise BadRequest("Sessions are played with a strategy that the program knows: --strategy best or simple.")
    bankroll = needed(typed.bankroll, "--bankroll", Mode.SESSIONS, "500")
    pace = at_least_one(typed.pace, "--pace", USUAL_PACE)
    plan = SessionPlan(
        bankroll=parse_dollars(bankroll),
        bets=bets_of(table, typed.bets) if typed.bets else main_wager(table),
        max_rounds=_rounds(typed, pace),
        target=None if typed.target is None else parse_dollars(typed.target),
    )
    wagers = [table.spots[spot].wager.slug for spot in plan.bets]
    meter, hanging = meter_of(typed, table, wagers), on_a_meter(table, wagers)
    if meter is None and hanging:
        raise MissingMeter(hanging[0])
    return SessionsRequest(
        table=table,
        strategy=typed.strategy,
        plan=plan,
        sessions=whole(typed.sessions, "--sessions"),
        pace=pace,
        seed=seed_of(typed),
        threads=threads_of(typed),
        meter=meter,
        chart=chart_file(typed),
    )


def _rounds(typed: Typed, pace: int) -> int:
    if typed.rounds_per_session is None:
        return round(number(typed.hours or USUAL_HOURS, "--hours") * pace)
    if typed.hours is not None:
        raise BadRequest("--hours and --rounds-per-session both say how long a session is: leave one of them out.")
    return whole(typed.rounds_per_session, "--rounds-per-session")


def simulated_sessions(typed: Typed, table: Table) -> Simulated:
    """Play the sessions that were asked for."""
    order = sessions_order(typed, table)
    meters = {} if order.meter is None else dict.fromkeys(_jackpots(table), order.meter)
    with progress_bar() as bar:
        prepared = simulator(table.facts.slug).prepare(table, order.strategy, bar.set_share)
        bar.set_share("compiling the rounds of this game, once", 0.0)
        prepared.round_outcomes(order.seed, 0, 1)
        order = replace(order, policy=first_policy(one.policy for one in prepared.wagers))
        with catch_interrupt() as stop, bar.track_count("playing", order.sessions, "sessions") as tell:
            watch = ProgressMonitor(lambda done, _: tell(done), stop)
            try:
                bets = bets_by_wager(table, order.plan)
                played = play_sessions(
                    prepared, order.plan, bets, order.sessions, order.seed, meters, order.threads, watch
                )
            except BadSimulation:
                if stop():
                    raise KeyboardInterrupt from None  # not one session was over
                raise
    return Simulated(
        Answer(sessions_to_json(order, played), sessions_page(order, played)),
        interrupted=len(played.final_bankrolls) < order.sessions,
        draw=None if order.chart is None else partial(_draw, order, played),
    )


def _jackpots(table: Table) -> list[str]:
    return [slug for slug, offered in table.offers.items() if offered.wager.jackpot]


def _draw(order: SessionsRequest, played: SimulatedSessions) -> str:
    from cardroom.reports.charts import Fan, fan_chart

    assert order.chart is not None
    fan = Fan(
        rounds=played.checkpoints.tolist(),
        percentiles={int(percent): [cents / 100 for cents in row] for percent, row in played.fan(FAN).items()},
        unit="dollars",
    )
    subject = f"{order.table.facts.name}, a bankroll of {format_cents(order.plan.bankroll)}"
    return written(fan_chart(subject, fan, source_words(order.table, order.seed)), order.chart)
