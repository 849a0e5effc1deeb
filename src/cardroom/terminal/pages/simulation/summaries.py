"""Summaries of simulations: rounds beside the exact figures, sessions, and a progressive over the years."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from cardroom.games.money import format_cents
from cardroom.odds.result import first_policy
from cardroom.odds.simulation.progressive import DAYS_A_YEAR, PlayPace, ProgressiveRuns
from cardroom.odds.simulation.requests_and_results import (
    PROGRESSIVE_PERCENTS,
    SESSION_PERCENTS,
    ProgressiveFigure,
    ProgressiveRequest,
    RoundsRequest,
    SessionsRequest,
    exact_figures,
    progressive_figures,
    session_result,
    share_error,
)
from cardroom.odds.simulation.sessions import SimulatedSessions
from cardroom.odds.simulation.tally import SimulationTally, WagerTally
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.reports.definitions import PLUS_MINUS, definition_sentences
from cardroom.terminal.console import QUIET
from cardroom.terminal.pages.odds import custom_tables_note, required_wager_note, settings_text
from cardroom.terminal.pages.simulation import figure_text

METER_MARK: Final = "*"
"""Marks a return without the meter's prizes."""


def rounds_page(order: RoundsRequest, tally: SimulationTally, best: Mapping[str, WagerPlan]) -> RenderableType:
    """Simulated rounds beside the exact figures."""
    words = f"{tally.rounds:,} rounds"
    head: list[RenderableType] = [
        figure_text.heading(
            order.table,
            words,
            f"seed {order.seed}",
            figure_text.strategy_text(order.strategy, order.policy),
            _meter_text(order),
        )
    ]
    if tally.rounds < order.rounds:
        head.append(figure_text.interruption_text(tally.rounds, order.rounds, "rounds were played"))
    wagers = [wager for wager in tally.wagers if order.wager in (None, wager.plan.slug)]
    tables = [_summary(wagers, best)] if wagers else []
    if order.wager is not None:
        tables += [_lines(wager) for wager in wagers]
    return figure_text.page(head, tables, list(_rounds_notes(order, wagers, best)))


def _meter_text(order: RoundsRequest) -> str:
    return "" if order.meter is None else f"meter ${float(order.meter):,.2f}"


def _summary(wagers: list[WagerTally], best: Mapping[str, WagerPlan]) -> RenderableType:
    proved = all(not plan.policy for plan in (*best.values(), *(wager.plan for wager in wagers)))
    return_title = "best play" if proved else "simulated ≈"
    exact_named = "exact" if not any(wager.plan.priced_rounds for wager in wagers) else "priced"
    comparison_titles = (return_title, "hits", return_title) if best else (exact_named, "z ", "hits", exact_named)
    grid = figure_text.grid("wager and table", "simulated return", *comparison_titles)
    for wager in wagers:
        exact = exact_figures(wager, best)
        grid.add_row(
            Text.assemble(wager.plan.slug, (f"  {_table_text(wager.plan)}", QUIET)),
            f"{float(wager.mean):+.6f} ±{wager.standard_error:.6f}{METER_MARK if wager.depends_on_meter else ''}",
            "" if exact is None else f"{float(exact.mean):+.6f}{'≈' if wager.plan.priced_rounds else ' '}",
            *(() if best else (figure_text.z_text(wager.z),)),
            figure_text.share_text(float(wager.hit_frequency), digits=3),
            "" if exact is None else figure_text.share_text(float(exact.hit_frequency), digits=3),
        )
    return grid


def _table_text(plan: WagerPlan) -> str:
    """The paytable and the options of a wager."""
    return ", ".join(filter(None, (plan.paytable, settings_text(plan.request.settings))))


def _lines(wager: WagerTally) -> RenderableType:
    """The outcomes of the wager, line by line."""
    grid = figure_text.grid("outcome", "pays", "net", "count", "simulated", "exact", "z ")
    grid.columns[1].justify = "left"
    for line in wager.lines:
        expected = figure_text.MIN_EXPECTED_COUNT if line.exact is None else line.exact * wager.rounds
        grid.add_row(
            line.outcome.trigger.replace("-", " "),
            Text(line.outcome.pays, QUIET),
            "meter" if line.net is None else f"{float(line.net):+.10g}",
            f"{line.count:,}",
            f"{line.frequency:.8f}",
            "" if line.exact is None else f"{line.exact:.8f}",
            figure_text.z_text(line.z, expected),
        )
    return grid


def _missed_outcomes_text(wager: WagerTally) -> str:
    """The outcomes that a simulated price does not cover, and how often they occurred here."""
    if wager.exact_odds is None or not wager.exact_odds.unhit_lines:
        return ""
    text = f"Of the rounds of that price: {wager.exact_odds.unhit_sentence}"
    if not wager.unpriced_rounds:
        return text
    won = f"{wager.unpriced_rounds:,} round{'s' * (wager.unpriced_rounds != 1)} of this simulation did win"
    return f"{text} {won}: z compares the others."


def _rounds_notes(order: RoundsRequest, wagers: list[WagerTally], best: Mapping[str, WagerPlan]) -> Iterator[str]:
    if not wagers:
        return
    z = "" if order.is_file_strategy else ", z the difference from exact in such errors"
    yield f"{PLUS_MINUS[:-1]}{z}."
    yield from definition_sentences("Unit", "Return", "Hit frequency")
    for wager in wagers:
        yield from required_wager_note(order.table.facts.slug, wager.plan.slug, wager.plan.request.settings)
    for wager in wagers:
        if wager.plan.priced_rounds:
            yield (
                f"≈ The price of {wager.plan.slug} is not exact: it is simulated over {wager.plan.priced_rounds:,} "
                "other rounds; z includes both errors."
            )
            yield from filter(None, (_missed_outcomes_text(wager),))
    if any(wager.depends_on_meter for wager in wagers):
        yield (
            f"{METER_MARK} Without the prizes that are a percentage of the meter: the return depends on the meter. Add "
            "--meter DOLLARS."
        )
    if custom_note := custom_tables_note(order.table.offers[wager.plan.slug].paytable for wager in wagers):
        yield custom_note
    for wager in wagers:
        if wager.odds.exclusions:
            yield f"Not in the figures of {wager.plan.slug}: {', '.join(wager.odds.exclusions)}."
    if order.is_file_strategy:
        policy = first_policy(item.policy for item in best.values()) or "the best play"
        yield f"The exact value of the strategy is unknown; for comparison, the value of {policy}."
    lines = [line for wager in wagers for line in wager.lines] if order.wager else []
    rare = [
        line
        for line in lines
        if line.exact is not None and line.exact * wagers[0].rounds < figure_text.MIN_EXPECTED_COUNT
    ]
    if rare:
        yield f"(z) in parentheses is unreliable: fewer than {figure_text.MIN_EXPECTED_COUNT} were expected."
    yield from figure_text.far_note([*(item.z for item in wagers), *(line.z for line in lines if line not in rare)])


def time_text(rounds: float, pace: int) -> str:
    """Playing time.

    >>> time_text(150, 40), time_text(30, 40)
    ('3 h 45 min', '45 min')
    """
    hours, minutes = divmod(round(rounds * 60 / pace), 60)
    return f"{hours:,} h {minutes:02} min" if hours else f"{minutes} min"


def sessions_page(order: SessionsRequest, sessions: SimulatedSessions) -> RenderableType:
    """How long a bankroll lasts."""
    plan, count = order.plan, len(sessions.final_bankrolls)
    bets = ", ".join(f"{format_cents(cents)} {spot}" for spot, cents in plan.bets.items())
    rounds = f"{plan.max_rounds:,} rounds"
    title = figure_text.heading(
        order.table,
        f"{count:,} sessions of up to {rounds}: {format_cents(plan.bankroll)}, {bets} a round",
        f"seed {order.seed}",
        figure_text.strategy_text(order.strategy, order.policy),
        f"{order.pace} rounds an hour",
        "" if order.meter is None else f"meter {format_cents(order.meter)}",
    )
    head: list[RenderableType] = [title]
    if count < order.sessions:
        head.append(figure_text.interruption_text(count, order.sessions, "sessions were played"))
    notes = [
        f"Ruined: less than {format_cents(sessions.max_round_cost)} left, the maximum cost of a round.",
        f"{PLUS_MINUS} Percentages: this share of the sessions had at most the value.",
        *figure_text.excluded_note(order.table),
        *figure_text.far_note([session_result(sessions).z]),
    ]
    return figure_text.page(head, [_session_figures(order, sessions), _session_percentiles(order, sessions)], notes)


def _session_figures(order: SessionsRequest, sessions: SimulatedSessions) -> RenderableType:
    grid = figure_text.grid("of all sessions", "simulated", "exact", "z ")
    grid.add_column("")
    result = session_result(sessions)
    grid.add_row("ruined", figure_text.share_text(sessions.risk_of_ruin, sessions.risk_error), "", "", "")
    if order.plan.target is not None:
        reached = float(sessions.has_reached_target.mean())
        target_text = Text(f"left with {format_cents(order.plan.target)} or more", QUIET)
        grid.add_row(
            "target reached", figure_text.share_text(reached, share_error(reached, sessions)), "", "", target_text
        )
    ahead = float((sessions.results > 0).mean())
    grid.add_row("ended ahead", figure_text.share_text(ahead, share_error(ahead, sessions)), "", "", "")
    mean_text = (
        ""
        if sessions.mean_round_result is None
        else f"{figure_text.amount_text(float(sessions.mean_round_result), 4)} a round, exactly"
    )
    grid.add_row(
        "mean result",
        f"{figure_text.amount_text(result.mean)} ± {figure_text.amount_text(result.error)}",
        "" if result.expected is None else figure_text.amount_text(result.expected),
        figure_text.z_text(result.z),
        Text(mean_text, QUIET),
    )
    on_table = Text(time_text(sessions.mean_rounds, order.pace), QUIET)
    grid.add_row("playing time", f"{sessions.mean_rounds:,.1f} rounds", "", "", on_table)
    return grid


def _session_percentiles(order: SessionsRequest, sessions: SimulatedSessions) -> RenderableType:
    names = [f"{percent}%" if percent != 50 else "median" for percent in SESSION_PERCENTS]
    grid = figure_text.grid("percentile", *names)
    results, rounds = sessions.result_percentiles(SESSION_PERCENTS), sessions.rounds_percentiles(SESSION_PERCENTS)
    grid.add_row("result", *map(format_cents, results))
    grid.add_row("bankroll at the end", *(format_cents(order.plan.bankroll + value) for value in results))
    grid.add_row("rounds", *(f"{value:,}" for value in rounds))
    grid.add_row("hours", *(f"{value / order.pace:,.1f}" for value in rounds))
    return grid


def days_text(days: int) -> str:
    """
    >>> days_text(400), days_text(1825)
    ('400 days', '5 years')
    """
    years = days / DAYS_A_YEAR
    return f"{years:g} years" if years >= 2 else f"{days:,} days"


def seats_text(pace: PlayPace) -> str:
    """The seats and tables.

    >>> seats_text(PlayPace(40, 12, seats=5)), seats_text(PlayPace(40, 12, seats=6, tables=3))
    ('5 seats at one table', '6 seats at 3 tables')
    """
    seats = "1 seat" if pace.seats == 1 else f"{pace.seats} seats"
    return f"{seats} at {'one table' if pace.tables == 1 else f'{pace.tables} tables'}"


def years_page(order: ProgressiveRequest, years: ProgressiveRuns, paytable: str) -> RenderableType:
    """A meter over the years."""
    name = order.table.facts.wager(order.wager).name
    table = f" ({paytable})" if paytable else ""
    pace = order.pace
    title = figure_text.heading(
        order.table,
        f"{name}{table}: {len(years.hits):,} runs of {days_text(order.days)}",
        f"seed {order.seed}",
        figure_text.strategy_text(order.strategy, order.policy),
    )
    fed = (
        f"The meter starts at {format_cents(order.seed_cents)}. Each {format_cents(order.wager_cents)} wager adds "
        f"{float(order.contribution):g} cents: {seats_text(pace)}, {pace.rounds_an_hour} rounds an hour, "
        f"{pace.hours_a_day} hours a day make {pace.wagers_a_day:,} wagers and "
        f"{figure_text.amount_text(float(order.contribution) * pace.wagers_a_day)} a day."
    )
    head: list[RenderableType] = [title]
    if len(years.hits) < order.runs:
        head.append(figure_text.interruption_text(len(years.hits), order.runs, "runs were played"))
    figures = list(progressive_figures(years))
    tables = [_figures_table(figures, bounded=years.bounds is not None), _percentiles_table(figures), _prizes(years)]
    return figure_text.page(
        [*head, Text(fed)], tables, [*_years_notes(order, years, figures), *figure_text.excluded_note(order.table)]
    )


def _figures_table(figures: list[ProgressiveFigure], bounded: bool) -> RenderableType:
    comparison_titles = ("at least", "at most") if bounded else ("exact", "z ")
    grid = figure_text.grid("over the whole time", "mean of the runs", *comparison_titles)
    for figure in figures:
        comparison: tuple[str | Text, ...] = (
            "" if figure.exact is None else _figure_value(figure, figure.exact),
            figure_text.z_text(figure.z),
        )
        if bounded:
            comparison = (
                ("", "") if figure.bounds is None else tuple(_figure_value(figure, bound) for bound in figure.bounds)
            )
        grid.add_row(
            figure.text, f"{_figure_value(figure, figure.mean)} ± {_figure_value(figure, figure.error)}", *comparison
        )
    return grid


def _percentiles_table(figures: list[ProgressiveFigure]) -> RenderableType:
    grid = figure_text.grid(
        "percentile", *("median" if percent == 50 else f"{percent}%" for percent in PROGRESSIVE_PERCENTS)
    )
    for figure in figures:
        grid.add_row(figure.text, *(_figure_value(figure, value) for value in figure.percentiles.values()))
    return grid


def _prizes(years: ProgressiveRuns) -> RenderableType:
    grid = figure_text.grid("prize", "of the meter", "one in", "days apart", "fed meanwhile")
    for prize in years.meter.prizes:
        days = 1 / float(prize.probability) / years.pace.wagers_a_day
        fed = float(years.meter.contribution / prize.probability)
        chance = f"{1 / float(prize.probability):,.0f}"
        grid.add_row(
            prize.trigger.replace("-", " "),
            f"{float(prize.share):.0%}",
            chance,
            f"{days:,.1f}",
            figure_text.amount_text(fed, 0),
        )
    return grid


def _years_notes(order: ProgressiveRequest, years: ProgressiveRuns, figures: list[ProgressiveFigure]) -> Iterator[str]:
    if years.bounds is None:
        yield "± is one standard error, z the difference from exact in such errors."
    else:
        yield (
            "The seats at one table share the same cards, and equal winners share one prize. How often they win "
            "together is not counted, so there are no exact figures: the runs assume that two never win in one round, "
            "with ± one standard error; at least and at most apply to any cards."
        )
    yield "Percentages: this share of the runs had at most the value."
    never = float((years.hits == 0).mean())
    if never:
        yield f"{never:.1%} of the runs had no prize at all; they count as {order.days:,} days to the first."
    put_in = figure_text.amount_text(years.contributions, 0)
    yield f"Players put in {put_in}; prizes outside the meter are not counted."
    yield from figure_text.far_note([figure.z for figure in figures])


def _figure_value(figure: ProgressiveFigure, value: float) -> str:
    if figure.is_cents:
        return figure_text.amount_text(value, 0)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"
