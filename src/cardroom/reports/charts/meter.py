"""The return of a jackpot wager against what its meter shows, with the meter at which the wager is fair."""

from __future__ import annotations

from fractions import Fraction

import altair as alt

from cardroom.odds import Odds
from cardroom.reports.charts.frame import BadChart, Chart, Frame, framed, rows, x_axis, y_axis
from cardroom.reports.palette import BLACK, BLUE, VERMILLION
from cardroom.reports.paper.numbers import dollars, percent

HEIGHT = 180
BEYOND_BREAK_EVEN = Fraction(4, 3)


def meter_chart(subject: str, odds: Odds, source: str, wager_cents: int = 100) -> Chart:
    """From an empty meter to a third above break-even."""
    even = odds.break_even_meter
    if even is None or even <= 0:
        raise BadChart(f"The return of {subject} does not rise to break-even with a meter: there is nothing to draw.")
    in_dollars = float(even * wager_cents / 100)
    last = even * BEYOND_BREAK_EVEN
    ends = [
        {"meter": float(meter * wager_cents / 100), "back": float(odds.fixed_return + odds.meter_part * meter)}
        for meter in (Fraction(0), last)
    ]
    left = 78
    stake = float(odds.average_wager)
    x = alt.X(
        "meter:Q",
        scale=alt.Scale(nice=False, domain=[0, ends[1]["meter"]]),
        axis=x_axis("meter, dollars", format="$,.0f", tickCount=6),
    )
    y = alt.Y(
        "back:Q",
        scale=alt.Scale(domain=[0, ends[1]["back"]], nice=False),
        axis=y_axis("return, percent of the wager", left, format=".0%", tickCount=6),
    )
    line = alt.Chart(rows(ends)).mark_line(color=BLUE, strokeWidth=2.5).encode(x=x, y=y)
    even_row = [{"meter": in_dollars, "back": stake, "told": f"break-even: {dollars(even, wager_cents)}"}]
    at_even = alt.Chart(rows(even_row))
    upright = at_even.mark_rule(color=VERMILLION, strokeDash=[5, 3]).encode(x="meter:Q")
    level = alt.Chart(rows([{"back": stake}])).mark_rule(color=BLACK, strokeDash=[2, 2]).encode(y="back:Q")
    point = at_even.mark_point(color=VERMILLION, filled=True, size=70, opacity=1).encode(x="meter:Q", y="back:Q")
    told = at_even.mark_text(align="right", dx=-8, dy=-10, fontSize=12, color=BLACK).encode(
        x="meter:Q", y="back:Q", text="told:N"
    )
    frame = Frame(
        title=(
            f"{subject} returns {percent(odds.fixed_return, 2)} from fixed prizes "
            f"and breaks even at a meter of {dollars(even, wager_cents)}"
        ),
        subtitle="Line: what comes back of one unit, on average. Dotted: all of it, a fair wager.",
        source=source,
        height=HEIGHT,
        left=left,
        right=40,
    )
    return framed([level, upright, line, point, told], frame)
