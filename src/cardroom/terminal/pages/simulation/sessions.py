"""Simulated sessions: how long a bankroll lasts."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from cardroom.games.money import money
from cardroom.odds.rounds.figures import SESSION_PERCENTS, session_result, share_error
from cardroom.odds.rounds.orders import SessionsOrder
from cardroom.odds.rounds.sessions import Sessions
from cardroom.reports.definitions import PLUS_MINUS
from cardroom.terminal.pages.simulation import words as say
from cardroom.terminal.palette import QUIET


def time_words(rounds: float, pace: int) -> str:
    """Time on the table.

    >>> time_words(150, 40), time_words(30, 40)
    ('3 h 45 min', '45 min')
    """
    hours, minutes = divmod(round(rounds * 60 / pace), 60)
    return f"{hours:,} h {minutes:02} min" if hours else f"{minutes} min"


def sessions_page(order: SessionsOrder, played: Sessions) -> RenderableType:
    """How long a bankroll lasts."""
    plan, done = order.plan, len(played.ends)
    bets = ", ".join(f"{money(cents)} {spot}" for spot, cents in plan.bets.items())
    rounds = f"{plan.most_rounds:,} rounds"
    title = say.heading(
        order.table,
        f"{done:,} sessions of up to {rounds}: {money(plan.bankroll)}, {bets} a round",
        f"seed {order.seed}",
        say.strategy_words(order.strategy, order.policy),
        f"{order.pace} rounds an hour",
        "" if order.meter is None else f"meter {money(order.meter)}",
    )
    head: list[RenderableType] = [title]
    if done < order.sessions:
        head.append(say.interrupted_words(done, order.sessions, "sessions were played"))
    notes = [
        f"Ruined: less than {money(played.call)} left, which is the most that a round can call for.",
        f"{PLUS_MINUS} Percentages: so many of the sessions had no more.",
        *say.excluded_note(order.table),
        *say.far_note([session_result(played).z]),
    ]
    return say.page(head, [_figures(order, played), _percentiles(order, played)], notes)


def _figures(order: SessionsOrder, played: Sessions) -> RenderableType:
    found = say.grid("of all sessions", "simulated", "exact", "z ")
    found.add_column("")
    result = session_result(played)
    found.add_row("ruined", say.share(played.risk_of_ruin, played.risk_error), "", "", "")
    if order.plan.target is not None:
        reached = float(played.reached.mean())
        told = Text(f"left with {money(order.plan.target)} or more", QUIET)
        found.add_row("target reached", say.share(reached, share_error(reached, played)), "", "", told)
    ahead = float((played.results > 0).mean())
    found.add_row("ended ahead", say.share(ahead, share_error(ahead, played)), "", "", "")
    why = "" if played.mean_a_round is None else f"{say.amount(float(played.mean_a_round), 4)} a round, exactly"
    found.add_row(
        "mean result",
        f"{say.amount(result.mean)} ± {say.amount(result.error)}",
        "" if result.expected is None else say.amount(result.expected),
        say.z_text(result.z),
        Text(why, QUIET),
    )
    on_table = Text(time_words(played.mean_rounds, order.pace), QUIET)
    found.add_row("time on the table", f"{played.mean_rounds:,.1f} rounds", "", "", on_table)
    return found


def _percentiles(order: SessionsOrder, played: Sessions) -> RenderableType:
    names = [f"{percent}%" if percent != 50 else "median" for percent in SESSION_PERCENTS]
    found = say.grid("percentile", *names)
    results, rounds = played.result_percentiles(SESSION_PERCENTS), played.rounds_percentiles(SESSION_PERCENTS)
    found.add_row("result", *map(money, results))
    found.add_row("bankroll at the end", *(money(order.plan.bankroll + one) for one in results))
    found.add_row("rounds", *(f"{one:,}" for one in rounds))
    found.add_row("hours", *(f"{one / order.pace:,.1f}" for one in rounds))
    return found
