"""What becomes of a bankroll or a meter: its percentiles over time, as a fan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt

from cardroom.reports.charts.frame import BadChart, Chart, Frame, framed, rows, x_axis, y_axis
from cardroom.reports.palette import BLACK, BLUE
from cardroom.reports.paper.numbers import fixed

HEIGHT = 280
MEDIAN = 50


@dataclass(frozen=True, slots=True)
class Fan:
    """The bankroll after so many rounds: by percentile, one amount for each moment."""

    rounds: Sequence[int]
    percentiles: Mapping[int, Sequence[float]]
    unit: str = "units"
    amount: str = "bankroll"
    """What the amounts are of."""
    time: str = "rounds"
    """What the moments are counted in."""
    each: str = "session"
    """What there are many of."""

    def __post_init__(self) -> None:
        if len(self.rounds) < 2 or list(self.rounds) != sorted(set(self.rounds)):
            raise BadChart("A fan is drawn over two moments or more whose rounds rise: give such rounds.")
        if len(self.percentiles) < 2 or not all(0 <= percentile <= 100 for percentile in self.percentiles):
            raise BadChart("A fan has two percentiles or more from 0 to 100, such as 5, 25, 50, 75 and 95.")
        if any(len(amounts) != len(self.rounds) for amounts in self.percentiles.values()):
            raise BadChart("Each percentile of a fan needs one amount for each moment: give as many as rounds.")


def fan_chart(subject: str, fan: Fan, source: str) -> Chart:
    """Bands from the outermost pair of percentiles to the innermost, and the median."""
    order = sorted(fan.percentiles)
    pairs = [(low, high) for low, high in zip(order, reversed(order), strict=True) if low < high]
    left, right = 90, 52
    axis = y_axis(f"{fan.amount}, {fan.unit}", left, format=",.0f", tickCount=7)

    def y(field: str) -> alt.Y:
        return alt.Y(field, scale=alt.Scale(zero=False), axis=axis)

    x = alt.X("rounds:Q", scale=alt.Scale(nice=False), axis=x_axis(fan.time, format=",.0f", tickCount=6))
    layers = []
    for place, (low, high) in enumerate(pairs, 1):
        values = [
            {"rounds": moment, "low": below, "high": above}
            for moment, below, above in zip(fan.rounds, fan.percentiles[low], fan.percentiles[high], strict=True)
        ]
        # Bands lie on one another, so the middle is darkest, in print too.
        opacity = 0.16 + 0.14 * (place - 1) / max(len(pairs) - 1, 1)
        band = alt.Chart(rows(values)).mark_area(color=BLUE, opacity=opacity)
        layers.append(band.encode(x=x, y=y("low:Q"), y2="high:Q"))
    if MEDIAN in fan.percentiles:
        values = [
            {"rounds": moment, "amount": amount}
            for moment, amount in zip(fan.rounds, fan.percentiles[MEDIAN], strict=True)
        ]
        median = alt.Chart(rows(values)).mark_line(color=BLACK, strokeWidth=2)
        layers.append(median.encode(x=x, y=y("amount:Q")))
    ends = [{"rounds": fan.rounds[-1], "end": fan.percentiles[one][-1], "told": f"{one}%"} for one in order]
    labels = alt.Chart(rows(ends)).mark_text(align="left", dx=5, fontSize=11, color=BLACK)
    layers.append(labels.encode(x=x, y=y("end:Q"), text="told:N"))
    frame = Frame(
        title=_finding(subject, fan, pairs),
        subtitle=(f"Line: the median {fan.each}. " if MEDIAN in fan.percentiles else "")
        + f"Bands: percentiles of all {fan.each}s, named at the right.",
        source=source,
        height=HEIGHT,
        left=left,
        right=right,
    )
    return framed(layers, frame)


def _finding(subject: str, fan: Fan, pairs: Sequence[tuple[int, int]]) -> str:
    low, high = pairs[-1]
    ends = [fixed(fan.percentiles[one][-1], 0) for one in (low, high)]
    told = f"{high - low}% of {fan.each}s end between {ends[0]} and {ends[1]} {fan.unit}"
    middle = f"; the median is {fixed(fan.percentiles[MEDIAN][-1], 0)}" if MEDIAN in fan.percentiles else ""
    return f"{subject}: after {fan.rounds[-1]:,} {fan.time} {told}{middle}"
