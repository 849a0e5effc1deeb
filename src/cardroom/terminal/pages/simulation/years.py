"""A progressive over the years."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from cardroom.games.money import money
from cardroom.odds.rounds.figures import YEARS_PERCENTS, YearsFigure, years_figures
from cardroom.odds.rounds.means import Pace
from cardroom.odds.rounds.orders import YearsOrder
from cardroom.odds.rounds.progressives import DAYS_A_YEAR, Years
from cardroom.terminal.pages.simulation import words as say


def days_words(days: int) -> str:
    """
    >>> days_words(400), days_words(1825)
    ('400 days', '5 years')
    """
    years = days / DAYS_A_YEAR
    return f"{years:g} years" if years >= 2 else f"{days:,} days"


def seats_words(pace: Pace) -> str:
    """How many seats there are, and where.

    >>> seats_words(Pace(40, 12, seats=5)), seats_words(Pace(40, 12, seats=6, tables=3))
    ('5 seats at one table', '6 seats at 3 tables')
    """
    seats = "1 seat" if pace.seats == 1 else f"{pace.seats} seats"
    return f"{seats} at {'one table' if pace.tables == 1 else f'{pace.tables} tables'}"


def years_page(order: YearsOrder, years: Years, paytable: str) -> RenderableType:
    """A meter over the years."""
    name = order.table.facts.wager(order.wager).name
    table = f" ({paytable})" if paytable else ""
    pace = order.pace
    title = say.heading(
        order.table,
        f"{name}{table}: {len(years.hits):,} runs of {days_words(order.days)}",
        f"seed {order.seed}",
        say.strategy_words(order.strategy, order.policy),
    )
    fed = (
        f"The meter starts at {money(order.seed_cents)}. Each {money(order.wager_cents)} wager adds "
        f"{float(order.contribution):g} cents: {seats_words(pace)}, {pace.rounds_an_hour} rounds an hour, "
        f"{pace.hours_a_day} hours a day make {pace.wagers_a_day:,} wagers and "
        f"{say.amount(float(order.contribution) * pace.wagers_a_day)} a day."
    )
    head: list[RenderableType] = [title]
    if len(years.hits) < order.runs:
        head.append(say.interrupted_words(len(years.hits), order.runs, "runs were played"))
    figures = list(years_figures(years))
    tables = [_figures_table(figures, bounded=years.bounds is not None), _percentiles_table(figures), _prizes(years)]
    return say.page([*head, Text(fed)], tables, [*_notes(order, years, figures), *say.excluded_note(order.table)])


def _figures_table(figures: list[YearsFigure], bounded: bool) -> RenderableType:
    beside = ("at least", "at most") if bounded else ("exact", "z ")
    found = say.grid("over the whole time", "mean of the runs", *beside)
    for one in figures:
        known: tuple[str | Text, ...] = ("" if one.exact is None else _told(one, one.exact), say.z_text(one.z))
        if bounded:
            known = ("", "") if one.bounds is None else tuple(_told(one, bound) for bound in one.bounds)
        found.add_row(one.words, f"{_told(one, one.mean)} ± {_told(one, one.error)}", *known)
    return found


def _percentiles_table(figures: list[YearsFigure]) -> RenderableType:
    found = say.grid("percentile", *("median" if percent == 50 else f"{percent}%" for percent in YEARS_PERCENTS))
    for one in figures:
        found.add_row(one.words, *(_told(one, value) for value in one.percentiles.values()))
    return found


def _prizes(years: Years) -> RenderableType:
    found = say.grid("prize", "of the meter", "one in", "days apart", "fed meanwhile")
    for prize in years.meter.prizes:
        days = 1 / float(prize.probability) / years.pace.wagers_a_day
        fed = float(years.meter.contribution / prize.probability)
        chance = f"{1 / float(prize.probability):,.0f}"
        found.add_row(
            prize.event.replace("-", " "), f"{float(prize.share):.0%}", chance, f"{days:,.1f}", say.amount(fed, 0)
        )
    return found


def _notes(order: YearsOrder, years: Years, figures: list[YearsFigure]) -> Iterator[str]:
    if years.bounds is None:
        yield "± is one standard error, z the difference from exact in such errors."
    else:
        yield (
            "The seats at one table play on the same cards, and equal winners share one prize. How often they win "
            "together is not counted, so nothing exact is known: the runs take it that never two win in one round, "
            "with ± one standard error; at least and at most hold for any cards."
        )
    yield "Percentages: so many of the runs had no more."
    never = float((years.hits == 0).mean())
    if never:
        yield f"{never:.1%} of the runs had no prize at all; they count as {order.days:,} days to the first."
    put_in = say.amount(years.contributed, 0)
    yield f"Players put in {put_in}; prizes that are no part of the meter are not counted."
    yield from say.far_note([one.z for one in figures])


def _told(figure: YearsFigure, value: float) -> str:
    if figure.cents:
        return say.amount(value, 0)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"
