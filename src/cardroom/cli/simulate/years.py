"""A progressive over the years, told to people and programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import RenderableType
from rich.text import Text

from cardroom.cli.shared.answers import Answer
from cardroom.cli.simulate.progress import progress_bar, until_interrupted
from cardroom.cli.simulate.request import (
    BadRequest,
    Mode,
    chart_of,
    count,
    needed,
    number,
    seed_of,
    wager_of,
)
from cardroom.cli.simulate.typed import Typed
from cardroom.cli.simulate.words import (
    Simulated,
    amount,
    far_note,
    grid,
    heading,
    interrupted_words,
    page,
    source_words,
    strategy_words,
    written,
    z_text,
)
from cardroom.games import Table
from cardroom.games.money import dollars, money
from cardroom.odds.rounds.progressives import DAYS_A_YEAR, Pace, Years, over_the_years, progressive
from cardroom.odds.rounds.simulation import simulator

USUAL_YEARS: Final = "5"
USUAL_RUNS: Final = 1000
USUAL_PACE: Final = 40
USUAL_HOURS: Final = 12
USUAL_SEATS: Final = 5
PERCENTS: Final = (5, 25, 50, 75, 95)


@dataclass(frozen=True)
class Asked:
    """What is to be simulated."""

    table: Table
    strategy: str
    wager: str
    days: int
    runs: int
    seed_cents: int
    contribution: Fraction
    """In cents a wager."""
    pace: Pace
    seed: int
    chart: Path | None

    @property
    def wager_cents(self) -> int:
        return self.table.offered[self.wager].limits.minimum


def asked_of(typed: Typed, table: Table) -> Asked:
    """What was typed, read and checked before anything is simulated."""
    assert typed.progressive is not None
    if typed.strategy.endswith(".py"):
        raise BadRequest("A progressive is simulated with chances that are known: --strategy best or simple.")
    wager = wager_of(table, typed.progressive)
    money_in = needed(typed.seed_money, "--seed-money", Mode.PROGRESSIVE, "10000")
    added = needed(typed.contribution, "--contribution", Mode.PROGRESSIVE, "28%")
    runs = count(typed.runs, "--runs", USUAL_RUNS)
    if runs < 2:
        raise BadRequest("One run says nothing about chance: ask for 2 or more with --runs.")
    return Asked(
        table=table,
        strategy=typed.strategy,
        wager=wager,
        days=round(number(typed.years or USUAL_YEARS, "--years") * DAYS_A_YEAR),
        runs=runs,
        seed_cents=dollars(money_in),
        contribution=contribution_of(added, table.offered[wager].limits.minimum),
        pace=Pace(
            rounds_an_hour=count(typed.pace, "--pace", USUAL_PACE),
            hours_a_day=count(typed.hours_a_day, "--hours-a-day", USUAL_HOURS),
            seats=count(typed.seats, "--seats", USUAL_SEATS),
        ),
        seed=seed_of(typed),
        chart=chart_of(typed),
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
        cents = Fraction(dollars(typed))
    if not 0 <= cents <= wager_cents:
        raise BadRequest(
            f"A contribution of {typed} is not a part of the wager of {money(wager_cents)}: use 0% to 100% of it."
        )
    return cents


def simulated_years(typed: Typed, table: Table) -> Simulated:
    """Let the meter run for as long as was asked."""
    asked = asked_of(typed, table)
    with progress_bar() as bar:
        prepared = simulator(table.facts.slug).prepare(table, asked.strategy, bar.share)
        plan = next(one for one in prepared.wagers if one.slug == asked.wager)
        meter = progressive(plan, asked.seed_cents, asked.contribution)
        with until_interrupted() as stop, bar.counted(f"{_time(asked.days)} each", asked.runs, "runs") as tell:
            years = over_the_years(
                meter, asked.pace, asked.days, asked.runs, asked.seed, lambda done, _: tell(done), stop
            )
    return Simulated(
        Answer(_entry(asked, years, plan.paytable), _shown(asked, years, plan.paytable)),
        interrupted=len(years.hits) < asked.runs,
        draw=None if asked.chart is None else partial(_draw, asked, years),
    )


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of all runs: simulated, and exact where that is known."""

    slug: str
    words: str
    values: NDArray[np.int64] | NDArray[np.float64]
    exact: float | None
    z: float | None
    cents: bool

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def error(self) -> float:
        return float(self.values.std(ddof=1)) / sqrt(len(self.values))

    @property
    def percentiles(self) -> dict[int, float]:
        found = np.percentile(self.values, list(PERCENTS), method="inverted_cdf").tolist()
        return dict(zip(PERCENTS, found, strict=True))

    def told(self, value: float) -> str:
        if self.cents:
            return amount(value, 0)
        return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def _figures(years: Years) -> Iterator[Figure]:
    exact, z = years.exact, years.z()
    yield Figure("hits", "prizes off the meter", years.hits, exact.hits, z.get("hits"), cents=False)
    yield Figure("top_hits", "of them the whole meter", years.top_hits, exact.top_hits, z.get("top_hits"), cents=False)
    yield Figure("first_hit", "days to the first prize", years.first_hit, _first_hit(years), None, cents=False)
    yield Figure("paid", "paid to players", years.paid, exact.paid, z.get("paid"), cents=True)
    yield Figure("cost", "cost to the house (seeds)", years.cost, exact.cost, z.get("top_hits"), cents=True)
    yield Figure("meter", "meter at the end", years.meters, exact.meter, z.get("meter"), cents=True)
    yield Figure("highest", "highest meter", years.highest, None, None, cents=True)


def _first_hit(years: Years) -> float:
    """In days; a run without a prize counts as the whole time, as it does among the simulated ones."""
    missed = (1 - float(years.meter.hit_probability)) ** years.exact.wagers
    return years.exact.days_to_a_hit * (1 - missed)


# For people


def _time(days: int) -> str:
    years = days / DAYS_A_YEAR
    return f"{years:g} years" if years >= 2 else f"{days:,} days"


def _shown(asked: Asked, years: Years, paytable: str) -> RenderableType:
    name = asked.table.facts.wager(asked.wager).name
    table = f" ({paytable})" if paytable else ""
    pace = asked.pace
    title = heading(
        asked.table,
        f"{name}{table}: {len(years.hits):,} runs of {_time(asked.days)}",
        f"seed {asked.seed}",
        strategy_words(asked.strategy),
    )
    fed = (
        f"The meter starts at {money(asked.seed_cents)}. Each {money(asked.wager_cents)} wager adds "
        f"{float(asked.contribution):g} cents: {pace.seats} seats, {pace.rounds_an_hour} rounds an hour, "
        f"{pace.hours_a_day} hours a day make {pace.wagers_a_day:,} wagers and "
        f"{amount(float(asked.contribution) * pace.wagers_a_day)} a day."
    )
    head: list[RenderableType] = [title]
    if len(years.hits) < asked.runs:
        head.append(interrupted_words(len(years.hits), asked.runs, "runs were played"))
    figures = list(_figures(years))
    tables = [_figures_table(figures), _percentiles_table(figures), _prizes(years)]
    return page([*head, Text(fed)], tables, list(_notes(asked, years, figures)))


def _figures_table(figures: list[Figure]) -> RenderableType:
    found = grid("over the whole time", "mean of the runs", "exact", "z ")
    for one in figures:
        found.add_row(
            one.words,
            f"{one.told(one.mean)} ± {one.told(one.error)}",
            "" if one.exact is None else one.told(one.exact),
            z_text(one.z),
        )
    return found


def _percentiles_table(figures: list[Figure]) -> RenderableType:
    found = grid("percentile", *("median" if percent == 50 else f"{percent}%" for percent in PERCENTS))
    for one in figures:
        found.add_row(one.words, *map(one.told, one.percentiles.values()))
    return found


def _prizes(years: Years) -> RenderableType:
    found = grid("prize", "of the meter", "one in", "days apart", "fed meanwhile")
    for prize in years.meter.prizes:
        days = 1 / float(prize.probability) / years.pace.wagers_a_day
        fed = float(years.meter.contribution / prize.probability)
        chance = f"{1 / float(prize.probability):,.0f}"
        found.add_row(
            prize.event.replace("-", " "), f"{float(prize.share):.0%}", chance, f"{days:,.1f}", amount(fed, 0)
        )
    return found


def _notes(asked: Asked, years: Years, figures: list[Figure]) -> Iterator[str]:
    yield "± is one standard error, z the difference from exact in such errors."
    yield "Percentages: so many of the runs had no more."
    never = float((years.hits == 0).mean())
    if never:
        yield f"{never:.1%} of the runs had no prize at all; they count as {asked.days:,} days to the first."
    yield f"Players put in {amount(years.exact.contributed, 0)}; prizes that are no part of the meter are not counted."
    yield from far_note([one.z for one in figures])


# For programs


def _entry(asked: Asked, years: Years, paytable: str) -> dict[str, Any]:
    return {
        "game": asked.table.facts.slug,
        "wager": asked.wager,
        "paytable": paytable,
        "method": "simulated",
        "strategy": asked.strategy,
        "seed": asked.seed,
        "runs": len(years.hits),
        "runs_asked": asked.runs,
        "interrupted": len(years.hits) < asked.runs,
        "days": asked.days,
        "seed_money": asked.seed_cents,
        "contribution": float(asked.contribution),
        "pace": {
            "rounds_an_hour": asked.pace.rounds_an_hour,
            "hours_a_day": asked.pace.hours_a_day,
            "seats": asked.pace.seats,
        },
        "wagers": years.exact.wagers,
        "contributed": years.exact.contributed,
        "prizes": [
            {
                "event": prize.event,
                "share": float(prize.share),
                "probability": float(prize.probability),
                "days_between": 1 / float(prize.probability) / asked.pace.wagers_a_day,
            }
            for prize in years.meter.prizes
        ],
        "days_to_a_hit": years.exact.days_to_a_hit,
        "days_to_the_whole_meter": years.exact.days_to_the_top,
        "figures": {
            one.slug: {
                "mean": one.mean,
                "standard_error": one.error,
                "exact": one.exact,
                "z": one.z,
                "percentiles": {str(percent): value for percent, value in one.percentiles.items()},
            }
            for one in _figures(years)
        },
    }


# For the eye


def _draw(asked: Asked, years: Years) -> str:
    from cardroom.reports import Fan, fan_chart

    assert asked.chart is not None
    days, first = np.unique(years.checkpoints.round().astype(np.int64), return_index=True)
    fan = Fan(
        rounds=days.tolist(),
        percentiles={int(percent): [row[at] / 100 for at in first] for percent, row in years.fan(PERCENTS).items()},
        unit="dollars",
        amount="meter",
        time="days",
        each="run",
    )
    subject = f"{asked.table.facts.name}, meter of {asked.table.facts.wager(asked.wager).name}"
    return written(fan_chart(subject, fan, source_words(asked.table, asked.seed)), asked.chart)
