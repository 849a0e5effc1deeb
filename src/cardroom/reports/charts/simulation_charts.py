"""Charts of simulations: the running mean with its 95 percent band, and percentiles over time as a fan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10

import altair as alt

from cardroom.reports.charts.frame import (
    BadChart,
    Chart,
    ChartFrame,
    build_chart,
    inline_rows,
    signed_ticks,
    x_axis,
    y_axis,
)
from cardroom.reports.definitions import PLUS_MINUS
from cardroom.reports.documents.numbers import format_fixed, format_signed
from cardroom.reports.palette import BLACK, BLUE, SKY_BLUE

CONVERGENCE_HEIGHT = 260
TICKS = 7
NORMAL_95 = 1.959964
"""The standard errors on either side that contain 95% of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Convergence:
    """A simulation at several points: the rounds so far, the mean, and its standard error."""

    rounds: Sequence[int]
    means: Sequence[float]
    standard_errors: Sequence[float]
    exact: float | None = None

    def __post_init__(self) -> None:
        if not len(self.rounds) == len(self.means) == len(self.standard_errors):
            raise BadChart(
                "Each point of a simulation needs rounds, a mean, and a standard error: give as many of each."
            )
        if len(self.rounds) < 2:
            raise BadChart("A chart of a simulation needs at least two points: give more of them.")
        if list(self.rounds) != sorted(set(self.rounds)) or self.rounds[0] < 1:
            raise BadChart("The rounds of a simulation must rise from point to point and begin at 1 or later.")


def convergence_chart(subject: str, convergence: Convergence, source: str) -> Chart:
    """The running mean over rounds, on a logarithmic scale."""
    moments = [
        {"rounds": rounds, "mean": mean, "low": mean - NORMAL_95 * error, "high": mean + NORMAL_95 * error}
        for rounds, mean, error in zip(convergence.rounds, convergence.means, convergence.standard_errors, strict=True)
    ]
    left_margin = 86
    scale = alt.Scale(type="log", domain=[convergence.rounds[0], convergence.rounds[-1]], nice=False)
    x = alt.X(
        "rounds:Q", scale=scale, axis=x_axis("rounds, logarithmic scale", format="~s", values=_decades(convergence))
    )
    span = max(point["high"] for point in moments) - min(point["low"] for point in moments)
    axis = y_axis("net result, units per round", left_margin, labelExpr=signed_ticks(_digits(span)), tickCount=TICKS)

    def y(field: str) -> alt.Y:
        return alt.Y(field, scale=alt.Scale(zero=False), axis=axis)

    base = alt.Chart(inline_rows(moments)).encode(x=x)
    band = base.mark_area(color=SKY_BLUE, opacity=0.45).encode(y=y("low:Q"), y2="high:Q")
    mean = base.mark_line(color=BLUE, strokeWidth=2).encode(y=y("mean:Q"))
    layers = [band, mean]
    if convergence.exact is not None:
        exact = alt.Chart(inline_rows([{"exact": convergence.exact}]))
        layers.append(exact.mark_rule(color=BLACK, strokeDash=[5, 3], strokeWidth=1.5).encode(y=y("exact:Q")))
    frame = ChartFrame(
        title=_convergence_title(subject, convergence),
        subtitle=f"Line: running mean. Band: 95%. {PLUS_MINUS}"
        + ("" if convergence.exact is None else " Dashed: exact."),
        source=source,
        height=CONVERGENCE_HEIGHT,
        left_margin=left_margin,
    )
    return build_chart(layers, frame)


def _decades(convergence: Convergence) -> list[int]:
    """The powers of ten in the range, or the first and the last point."""
    passed = [10**power for power in range(19) if convergence.rounds[0] <= 10**power <= convergence.rounds[-1]]
    return passed if len(passed) > 1 else [convergence.rounds[0], convergence.rounds[-1]]


def _digits(span: float) -> int:
    """The digits that distinguish adjacent ticks of the axis."""
    return min(max(ceil(-log10(span / TICKS)), 2), 8) if span > 0 else 5


def _convergence_title(subject: str, convergence: Convergence) -> str:
    mean, error = convergence.means[-1], convergence.standard_errors[-1]
    title = (
        f"{subject}: after {convergence.rounds[-1]:,} rounds the mean is {format_signed(mean, 5)} ± "
        f"{format_fixed(error, 5)}"
    )
    if convergence.exact is None:
        return title
    position_text = "inside" if abs(convergence.exact - mean) <= NORMAL_95 * error else "outside"
    return f"{title}; the exact {format_signed(convergence.exact, 5)} is {position_text} the 95% band"


FAN_HEIGHT = 280
MEDIAN = 50


@dataclass(frozen=True, slots=True)
class Fan:
    """Amounts over time: one amount for each point, by percentile."""

    rounds: Sequence[int]
    percentiles: Mapping[int, Sequence[float]]
    unit: str = "units"
    amount: str = "bankroll"
    """The name of the amounts."""
    time: str = "rounds"
    """The unit of time."""
    run_name: str = "session"
    """The name of one run."""

    def __post_init__(self) -> None:
        if len(self.rounds) < 2 or list(self.rounds) != sorted(set(self.rounds)):
            raise BadChart("A fan chart needs at least two points with rising rounds.")
        if len(self.percentiles) < 2 or not all(0 <= percentile <= 100 for percentile in self.percentiles):
            raise BadChart("A fan chart needs at least two percentiles from 0 to 100, such as 5, 25, 50, 75, and 95.")
        if any(len(amounts) != len(self.rounds) for amounts in self.percentiles.values()):
            raise BadChart("Each percentile of a fan chart needs one amount per point: give as many amounts as rounds.")


def fan_chart(subject: str, fan: Fan, source: str) -> Chart:
    """Bands from the outermost pair of percentiles to the innermost, and the median."""
    order = sorted(fan.percentiles)
    pairs = [(low, high) for low, high in zip(order, reversed(order), strict=True) if low < high]
    left_margin, right_margin = 90, 52
    axis = y_axis(f"{fan.amount}, {fan.unit}", left_margin, format=",.0f", tickCount=7)

    def y(field: str) -> alt.Y:
        return alt.Y(field, scale=alt.Scale(zero=False), axis=axis)

    x = alt.X("rounds:Q", scale=alt.Scale(nice=False), axis=x_axis(fan.time, format=",.0f", tickCount=6))
    layers = []
    for place, (low, high) in enumerate(pairs, 1):
        values = [
            {"rounds": moment, "low": low_value, "high": high_value}
            for moment, low_value, high_value in zip(
                fan.rounds, fan.percentiles[low], fan.percentiles[high], strict=True
            )
        ]
        # Bands overlap, so the middle is darkest, in print too.
        opacity = 0.16 + 0.14 * (place - 1) / max(len(pairs) - 1, 1)
        band = alt.Chart(inline_rows(values)).mark_area(color=BLUE, opacity=opacity)
        layers.append(band.encode(x=x, y=y("low:Q"), y2="high:Q"))
    if MEDIAN in fan.percentiles:
        values = [
            {"rounds": moment, "amount": amount}
            for moment, amount in zip(fan.rounds, fan.percentiles[MEDIAN], strict=True)
        ]
        median = alt.Chart(inline_rows(values)).mark_line(color=BLACK, strokeWidth=2)
        layers.append(median.encode(x=x, y=y("amount:Q")))
    end_labels_data = [
        {"rounds": fan.rounds[-1], "end": fan.percentiles[percentile][-1], "label_text": f"{percentile}%"}
        for percentile in order
    ]
    labels = alt.Chart(inline_rows(end_labels_data)).mark_text(align="left", dx=5, fontSize=11, color=BLACK)
    layers.append(labels.encode(x=x, y=y("end:Q"), text="label_text:N"))
    frame = ChartFrame(
        title=_fan_title(subject, fan, pairs),
        subtitle=(f"Line: the median {fan.run_name}. " if MEDIAN in fan.percentiles else "")
        + f"Bands: percentiles of all {fan.run_name}s, named at the right.",
        source=source,
        height=FAN_HEIGHT,
        left_margin=left_margin,
        right_margin=right_margin,
    )
    return build_chart(layers, frame)


def _fan_title(subject: str, fan: Fan, pairs: Sequence[tuple[int, int]]) -> str:
    low, high = pairs[-1]
    end_amounts = [format_fixed(fan.percentiles[percentile][-1], 0) for percentile in (low, high)]
    title = f"{high - low}% of {fan.run_name}s end between {end_amounts[0]} and {end_amounts[1]} {fan.unit}"
    middle = f"; the median is {format_fixed(fan.percentiles[MEDIAN][-1], 0)}" if MEDIAN in fan.percentiles else ""
    return f"{subject}: after {fan.rounds[-1]:,} {fan.time} {title}{middle}"
