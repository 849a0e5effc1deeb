"""How a simulation settles: its running mean, the band in which the true value lies 95 times in 100, the exact line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10

import altair as alt

from cardroom.reports.charts.frame import BadChart, Chart, Frame, framed, rows, signed_ticks, x_axis, y_axis
from cardroom.reports.definitions import PLUS_MINUS
from cardroom.reports.palette import BLACK, BLUE, SKY_BLUE
from cardroom.reports.paper.numbers import fixed, signed

HEIGHT = 260
TICKS = 7
NORMAL_95 = 1.959964
"""How many standard errors on either side hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Convergence:
    """A simulation at several moments: after how many rounds, the mean so far and its standard error."""

    rounds: Sequence[int]
    means: Sequence[float]
    standard_errors: Sequence[float]
    exact: float | None = None

    def __post_init__(self) -> None:
        if not len(self.rounds) == len(self.means) == len(self.standard_errors):
            raise BadChart("Each moment of a simulation has rounds, a mean and a standard error: give as many of each.")
        if len(self.rounds) < 2:
            raise BadChart("A simulation is drawn from two moments on: give the mean at more of them.")
        if list(self.rounds) != sorted(set(self.rounds)) or self.rounds[0] < 1:
            raise BadChart("The rounds of a simulation must rise from one moment to the next and begin at 1 or later.")


def convergence_chart(subject: str, seen: Convergence, source: str) -> Chart:
    """The running mean over rounds, on a logarithmic scale."""
    moments = [
        {"rounds": rounds, "mean": mean, "low": mean - NORMAL_95 * error, "high": mean + NORMAL_95 * error}
        for rounds, mean, error in zip(seen.rounds, seen.means, seen.standard_errors, strict=True)
    ]
    left = 86
    scale = alt.Scale(type="log", domain=[seen.rounds[0], seen.rounds[-1]], nice=False)
    x = alt.X("rounds:Q", scale=scale, axis=x_axis("rounds, logarithmic scale", format="~s", values=_decades(seen)))
    span = max(one["high"] for one in moments) - min(one["low"] for one in moments)
    axis = y_axis("mean net result, units a round", left, labelExpr=signed_ticks(_digits(span)), tickCount=TICKS)

    def y(field: str) -> alt.Y:
        return alt.Y(field, scale=alt.Scale(zero=False), axis=axis)

    base = alt.Chart(rows(moments)).encode(x=x)
    band = base.mark_area(color=SKY_BLUE, opacity=0.45).encode(y=y("low:Q"), y2="high:Q")
    mean = base.mark_line(color=BLUE, strokeWidth=2).encode(y=y("mean:Q"))
    layers = [band, mean]
    if seen.exact is not None:
        exact = alt.Chart(rows([{"exact": seen.exact}]))
        layers.append(exact.mark_rule(color=BLACK, strokeDash=[5, 3], strokeWidth=1.5).encode(y=y("exact:Q")))
    frame = Frame(
        title=_finding(subject, seen),
        subtitle=f"Line: running mean. Band: 95%. {PLUS_MINUS}" + ("" if seen.exact is None else " Dashed: exact."),
        source=source,
        height=HEIGHT,
        left=left,
    )
    return framed(layers, frame)


def _decades(seen: Convergence) -> list[int]:
    """The powers of ten that were passed, or else the first and the last moment."""
    passed = [10**power for power in range(19) if seen.rounds[0] <= 10**power <= seen.rounds[-1]]
    return passed if len(passed) > 1 else [seen.rounds[0], seen.rounds[-1]]


def _digits(span: float) -> int:
    """Enough to tell one tick of the axis from the next."""
    return min(max(ceil(-log10(span / TICKS)), 2), 8) if span > 0 else 5


def _finding(subject: str, seen: Convergence) -> str:
    mean, error = seen.means[-1], seen.standard_errors[-1]
    told = f"{subject}: after {seen.rounds[-1]:,} rounds the mean is {signed(mean, 5)} ± {fixed(error, 5)}"
    if seen.exact is None:
        return told
    where = "inside" if abs(seen.exact - mean) <= NORMAL_95 * error else "outside"
    return f"{told}; the exact {signed(seen.exact, 5)} lies {where} the 95% band"
