"""The chart that answers a question about odds."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.errors import BadInput
from cardroom.games import game
from cardroom.odds import Odds, PriceRequest
from cardroom.reports.charts import (
    Chart,
    contribution_chart,
    edge_bars,
    edge_chart,
    meter_chart,
    refuse_chart_file,
    source_line,
    write_chart,
)


class NoChart(BadInput):
    """A question that no single chart answers."""


def refuse_chart(file: str, asked: Sequence[PriceRequest]) -> None:
    """Say at once that there will be no chart, before the odds are computed."""
    refuse_chart_file(file)
    wagers = {(one.game, one.wager) for one in asked}
    if len(wagers) > 1:
        raise NoChart(f"A chart shows one wager and {len(wagers)} were asked for: name a game and a --wager.")


def draw(file: str, answers: Sequence[Odds]) -> str:
    """Write the chart and say what it shows."""
    chart = chart_of(answers)
    write_chart(chart, file)
    return f"{file}: {chart.title}"


def chart_of(answers: Sequence[Odds]) -> Chart:
    """Several tables of a wager: their edges. One table: its return against the meter, where prizes come off one, and
    otherwise what each outcome adds and takes."""
    source = source_line(answers)
    if len(answers) > 1:
        return edge_chart(_wager(answers[0]), edge_bars(answers), source)
    (odds,) = answers
    subject = f"{_wager(odds)}, table {odds.paytable}" if odds.paytable else _wager(odds)
    even = odds.break_even_meter
    if even is not None and even > 0:
        return meter_chart(subject, odds, source)
    return contribution_chart(subject, odds, source)


def _wager(odds: Odds) -> str:
    return game(odds.game).facts.wager(odds.wager).name
