"""Simulated sessions: how long a bankroll lasts, told to people and programs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any, Final

from rich.console import RenderableType
from rich.text import Text

from cardroom.cli.simulate.progress import progress_bar, until_interrupted
from cardroom.cli.simulate.request import (
    BadRequest,
    Mode,
    Typed,
    bets_of,
    chart_of,
    count,
    meter_of,
    needed,
    number,
    on_a_meter,
    seed_of,
    threads_of,
    whole,
)
from cardroom.cli.simulate.words import (
    Told,
    amount,
    far_note,
    grid,
    heading,
    interrupted_words,
    page,
    share,
    source_words,
    strategy_words,
    written,
    z_text,
)
from cardroom.games import Table
from cardroom.games.money import dollars, money
from cardroom.odds.rounds.sessions import MeterNotGiven, SessionPlan, Sessions, bets_by_wager, play_sessions
from cardroom.odds.rounds.simulation import BadSimulation, simulator
from cardroom.terminal.felt.company import main_wager
from cardroom.terminal.palette import QUIET

USUAL_PACE: Final = 40
"""Rounds an hour."""
USUAL_HOURS: Final = "4"
PERCENTS: Final = (1, 5, 25, 50, 75, 95, 99)
FAN: Final = (5, 25, 50, 75, 95)


@dataclass(frozen=True)
class Asked:
    """What is to be played."""

    table: Table
    strategy: str
    plan: SessionPlan
    sessions: int
    pace: int
    seed: int
    threads: int | None
    meter: int | None
    """In cents, of every jackpot wager."""
    chart: Path | None


def asked_of(typed: Typed, table: Table) -> Asked:
    """What was typed, read and checked before anything is played."""
    assert typed.sessions is not None
    if typed.strategy.endswith(".py"):
        raise BadRequest("Sessions are played with a strategy that the program knows: --strategy best or simple.")
    bankroll = needed(typed.bankroll, "--bankroll", Mode.SESSIONS, "500")
    pace = count(typed.pace, "--pace", USUAL_PACE)
    plan = SessionPlan(
        bankroll=dollars(bankroll),
        bets=bets_of(table, typed.bets) if typed.bets else main_wager(table),
        most_rounds=_rounds(typed, pace),
        target=None if typed.target is None else dollars(typed.target),
    )
    wagers = [table.spots[spot].wager.slug for spot in plan.bets]
    meter, hanging = meter_of(typed, table, wagers), on_a_meter(table, wagers)
    if meter is None and hanging:
        raise MeterNotGiven(hanging[0])
    return Asked(
        table=table,
        strategy=typed.strategy,
        plan=plan,
        sessions=whole(typed.sessions, "--sessions"),
        pace=pace,
        seed=seed_of(typed),
        threads=threads_of(typed),
        meter=meter,
        chart=chart_of(typed),
    )


def _rounds(typed: Typed, pace: int) -> int:
    if typed.rounds_per_session is None:
        return round(number(typed.hours or USUAL_HOURS, "--hours") * pace)
    if typed.hours is not None:
        raise BadRequest("--hours and --rounds-per-session both say how long a session is: leave one of them out.")
    return whole(typed.rounds_per_session, "--rounds-per-session")


def simulated_sessions(typed: Typed, table: Table) -> Told:
    """Play the sessions that were asked for."""
    asked = asked_of(typed, table)
    meters = {} if asked.meter is None else dict.fromkeys(_jackpots(table), asked.meter)
    with progress_bar() as bar:
        prepared = simulator(table.facts.slug).prepare(table, asked.strategy, bar.share)
        bar.share("compiling the rounds of this game, once", 0.0)
        prepared.each_round(asked.seed, 0, 1)
        with until_interrupted() as stop, bar.counted("playing", asked.sessions, "sessions") as tell:

            def on_block(done: int, _asked: int) -> None:
                tell(done)

            try:
                bets = bets_by_wager(table, asked.plan)
                played = play_sessions(
                    prepared, asked.plan, bets, asked.sessions, asked.seed, meters, asked.threads, on_block, stop
                )
            except BadSimulation:
                if stop():
                    raise KeyboardInterrupt from None  # not one session was over
                raise
    return Told(
        shown=_shown(asked, played),
        entry=_entry(asked, played),
        interrupted=len(played.ends) < asked.sessions,
        draw=None if asked.chart is None else partial(_draw, asked, played),
    )


def _jackpots(table: Table) -> list[str]:
    return [slug for slug, offered in table.offered.items() if offered.wager.jackpot]


@dataclass(frozen=True, slots=True)
class _Result:
    """The mean result beside what is expected. A session ends when it has been played, so it wins on average what its
    rounds do: their exact mean times their number, however it was decided when to leave."""

    mean: float
    error: float
    expected: float | None
    z: float | None


def _result(played: Sessions) -> _Result:
    many, mean = sqrt(len(played.ends)), played.mean_result
    error = float(played.results.std()) / many
    if played.mean_a_round is None:
        return _Result(mean, error, None, None)
    a_round = float(played.mean_a_round)
    apart = played.results - a_round * played.rounds
    spread = float(apart.std()) / many
    return _Result(mean, error, a_round * played.mean_rounds, float(apart.mean()) / spread if spread else None)


def _share_error(part: float, played: Sessions) -> float:
    return sqrt(part * (1 - part) / len(played.ends))


# For people


def time_words(rounds: float, pace: int) -> str:
    """Time on the table.

    >>> time_words(150, 40), time_words(30, 40)
    ('3 h 45 min', '45 min')
    """
    hours, minutes = divmod(round(rounds * 60 / pace), 60)
    return f"{hours:,} h {minutes:02} min" if hours else f"{minutes} min"


def _shown(asked: Asked, played: Sessions) -> RenderableType:
    plan, done = asked.plan, len(played.ends)
    bets = ", ".join(f"{money(cents)} {spot}" for spot, cents in plan.bets.items())
    rounds = f"{plan.most_rounds:,} rounds"
    title = heading(
        asked.table,
        f"{done:,} sessions of up to {rounds}: {money(plan.bankroll)}, {bets} a round",
        f"seed {asked.seed}",
        strategy_words(asked.strategy),
        f"{asked.pace} rounds an hour",
        "" if asked.meter is None else f"meter {money(asked.meter)}",
    )
    head: list[RenderableType] = [title]
    if done < asked.sessions:
        head.append(interrupted_words(done, asked.sessions, "sessions were played"))
    notes = [
        f"Ruined: less than {money(played.call)} left, which is the most that a round can call for.",
        "± is one standard error. Percentages: so many of the sessions had no more.",
        *far_note([_result(played).z]),
    ]
    return page(head, [_figures(asked, played), _percentiles(asked, played)], notes)


def _figures(asked: Asked, played: Sessions) -> RenderableType:
    found = grid("of all sessions", "simulated", "exact", "z ")
    found.add_column("")
    result = _result(played)
    found.add_row("ruined", share(played.risk_of_ruin, played.risk_error), "", "", "")
    if asked.plan.target is not None:
        reached = float(played.reached.mean())
        told = Text(f"left with {money(asked.plan.target)} or more", QUIET)
        found.add_row("target reached", share(reached, _share_error(reached, played)), "", "", told)
    ahead = float((played.results > 0).mean())
    found.add_row("ended ahead", share(ahead, _share_error(ahead, played)), "", "", "")
    why = "" if played.mean_a_round is None else f"{amount(float(played.mean_a_round), 4)} a round, exactly"
    found.add_row(
        "mean result",
        f"{amount(result.mean)} ± {amount(result.error)}",
        "" if result.expected is None else amount(result.expected),
        z_text(result.z),
        Text(why, QUIET),
    )
    on_table = Text(time_words(played.mean_rounds, asked.pace), QUIET)
    found.add_row("time on the table", f"{played.mean_rounds:,.1f} rounds", "", "", on_table)
    return found


def _percentiles(asked: Asked, played: Sessions) -> RenderableType:
    names = [f"{percent}%" if percent != 50 else "median" for percent in PERCENTS]
    found = grid("percentile", *names)
    results, rounds = played.result_percentiles(PERCENTS), played.rounds_percentiles(PERCENTS)
    found.add_row("result", *map(money, results))
    found.add_row("bankroll at the end", *(money(asked.plan.bankroll + one) for one in results))
    found.add_row("rounds", *(f"{one:,}" for one in rounds))
    found.add_row("hours", *(f"{one / asked.pace:,.1f}" for one in rounds))
    return found


# For programs


def _entry(asked: Asked, played: Sessions) -> dict[str, Any]:
    plan, result = asked.plan, _result(played)
    ahead = float((played.results > 0).mean())
    entry: dict[str, Any] = {
        "game": asked.table.facts.slug,
        "method": "simulated",
        "strategy": asked.strategy,
        "seed": asked.seed,
        "sessions": len(played.ends),
        "sessions_asked": asked.sessions,
        "interrupted": len(played.ends) < asked.sessions,
        "bankroll": plan.bankroll,
        "bets": dict(plan.bets),
        "rounds_per_session": plan.most_rounds,
        "pace": asked.pace,
        "target": plan.target,
        "meter": asked.meter,
        "most_in_a_round": played.call,
        "risk_of_ruin": {"value": played.risk_of_ruin, "standard_error": played.risk_error},
        "ended_ahead": {"value": ahead, "standard_error": _share_error(ahead, played)},
    }
    if plan.target is not None:
        reached = float(played.reached.mean())
        entry["target_reached"] = {"value": reached, "standard_error": _share_error(reached, played)}
    entry["expected_a_round"] = None if played.mean_a_round is None else float(played.mean_a_round)
    entry["result"] = {
        "mean": result.mean,
        "standard_error": result.error,
        "standard_deviation": float(played.results.std()),
        "expected": result.expected,
        "z": result.z,
        "percentiles": _by_percent(played.result_percentiles(PERCENTS)),
    }
    entry["rounds"] = {
        "mean": played.mean_rounds,
        "percentiles": _by_percent(played.rounds_percentiles(PERCENTS)),
    }
    entry["hours"] = {"mean": played.mean_rounds / asked.pace}
    return entry


def _by_percent(values: list[int]) -> dict[str, int]:
    return {str(percent): value for percent, value in zip(PERCENTS, values, strict=True)}


# For the eye


def _draw(asked: Asked, played: Sessions) -> str:
    from cardroom.reports import Fan, fan_chart

    assert asked.chart is not None
    fan = Fan(
        rounds=played.checkpoints.tolist(),
        percentiles={int(percent): [cents / 100 for cents in row] for percent, row in played.fan(FAN).items()},
        unit="dollars",
    )
    subject = f"{asked.table.facts.name}, a bankroll of {money(asked.plan.bankroll)}"
    return written(fan_chart(subject, fan, source_words(asked.table, asked.seed)), asked.chart)
