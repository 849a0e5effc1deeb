"""Charts of wagers: house edge by paytable, the contribution of each outcome, and a jackpot wager by its meter.

The chart of a jackpot wager shows its break-even meter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

import altair as alt

from cardroom.odds import Odds, OutcomeLine
from cardroom.odds.result import Setting
from cardroom.reports.charts.frame import (
    BadChart,
    Chart,
    ChartFrame,
    build_chart,
    end_labels,
    inline_rows,
    label_width,
    signed_ticks,
    x_axis,
    y_axis,
)
from cardroom.reports.documents.numbers import capitalize_slug, format_dollars, format_percent, format_signed
from cardroom.reports.palette import BLACK, BLUE, ORANGE, SKY_BLUE, VERMILLION

EDGE_ROW_HEIGHT = 20
EDGE_LABEL_WIDTH = 70


@dataclass(frozen=True, slots=True)
class EdgeBar:
    """One bar."""

    label: str
    edge: float
    """The house edge of one unit initially wagered."""
    is_in_use: bool = False


def edge_bars(prices: Sequence[Odds], table_in_use: Odds | None = None) -> tuple[EdgeBar, ...]:
    """A bar for each price with an edge. A wager that depends on a meter that is not given has no edge."""
    has_wagers = len({odds.wager for odds in prices}) > 1
    option_names = {name for odds in prices for name, value in odds.options.items() if _differs(name, value, prices)}
    return tuple(
        EdgeBar(_label(odds, has_wagers, option_names), float(odds.house_edge), odds is table_in_use)
        for odds in prices
        if odds.house_edge is not None
    )


def edge_chart(subject: str, edges: Sequence[EdgeBar], source: str) -> Chart:
    """House edges from the smallest to the largest."""
    if not edges:
        raise BadChart(f"The house edge of {subject} depends on a meter: give the meter.")
    ordered = sorted(edges, key=lambda bar: bar.edge)
    labels = [bar.label for bar in ordered]
    entries = [
        {"table": bar.label, "edge": bar.edge, "label_text": format_percent(bar.edge, 3), "in_use": bar.is_in_use}
        for bar in ordered
    ]
    left_margin = label_width(labels)
    base = alt.Chart(inline_rows(entries)).encode(
        y=alt.Y("table:N", sort=labels, axis=y_axis(None, left_margin, ticks=False))
    )
    axis = x_axis("house edge, percent of the initial wager", format=".1%", tickCount=5)
    color = alt.condition(alt.datum.in_use, alt.value(BLUE), alt.value(SKY_BLUE))
    bars = base.mark_bar(height=14).encode(x=alt.X("edge:Q", axis=axis), color=color)
    frame = ChartFrame(
        title=_edge_title(subject, ordered),
        subtitle="Dark: the table in use." if any(bar.is_in_use for bar in ordered) else "",
        source=source,
        height=EDGE_ROW_HEIGHT * len(ordered) + 8,
        left_margin=left_margin,
        right_margin=EDGE_LABEL_WIDTH,
    )
    return build_chart([bars, *end_labels(base, "edge", "label_text")], frame)


def _differs(name: str, value: Setting, prices: Sequence[Odds]) -> bool:
    return any(odds.options.get(name) != value for odds in prices)


def _label(odds: Odds, shows_wager: bool, option_names: Collection[str]) -> str:
    settings = {name: value for name, value in odds.options.items() if name in option_names}
    options = ", ".join(_option(name, value) for name, value in settings.items())
    wager = odds.wager if shows_wager or not (odds.paytable or options) else ""
    return ", ".join(filter(None, (wager, odds.paytable, options)))


def _option(name: str, value: Setting) -> str:
    label = name.replace("_", " ")
    if isinstance(value, bool):
        return f"with {label}" if value else f"no {label}"
    return f"{value} decks" if name == "decks" else f"{label} {value}"


def _ordinal(place: int) -> str:
    """Such as 2nd; a wager has at most a few dozen tables.

    >>> [_ordinal(place) for place in (2, 3, 4, 11, 22)]
    ['2nd', '3rd', '4th', '11th', '22nd']
    """
    suffix = "th" if place in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{suffix}"


def _edge_title(subject: str, ordered: Sequence[EdgeBar]) -> str:
    lowest, highest = ordered[0], ordered[-1]
    used = next((bar for bar in ordered if bar.is_in_use), None)
    if len(ordered) == 1:
        return f"{subject}: the house edge is {format_percent(lowest.edge, 3)}"
    span = f"{format_percent(lowest.edge, 3)} to {format_percent(highest.edge, 3)}"
    if used is None:
        return f"{subject}: the house edge runs from {span}"
    place = ordered.index(used) + 1
    rank = "lowest" if place == 1 else "highest" if place == len(ordered) else f"{_ordinal(place)} lowest"
    return (
        f"{subject}: the table in use has a house edge of {format_percent(used.edge, 3)}, {rank} of {len(ordered)} "
        f"({span})"
    )


OUTCOME_ROW_HEIGHT = 18
MAX_BARS = 16
OUTCOME_LABEL_WIDTH = 60


def contribution_chart(subject: str, odds: Odds, source: str) -> Chart:
    """A bar for each outcome, in the order of the table, without the prizes of a meter that is not given."""
    bars_of = _bars(odds.outcomes)
    labels = [label for label, _ in bars_of]
    entries = [
        {"outcome": label, "part": float(part), "label_text": format_signed(part, 5), "gain": part > 0}
        for label, part in bars_of
    ]
    left_margin = label_width(labels) + OUTCOME_LABEL_WIDTH
    base = alt.Chart(inline_rows(entries)).encode(
        y=alt.Y(
            "outcome:N",
            sort=labels,
            axis=y_axis(None, left_margin, ticks=False, domain=False, offset=OUTCOME_LABEL_WIDTH - 4),
        )
    )
    axis = x_axis("contribution to the expected return, units per round", labelExpr=signed_ticks(2), tickCount=7)
    color = alt.condition(alt.datum.gain, alt.value(BLUE), alt.value(ORANGE))
    bars = base.mark_bar(height=12).encode(x=alt.X("part:Q", axis=axis, scale=alt.Scale(nice=False)), color=color)
    zero = alt.Chart(inline_rows([{"zero": 0}])).mark_rule(color=BLACK).encode(x="zero:Q")
    frame = ChartFrame(
        title=_contribution_title(subject, odds, bars_of),
        subtitle="Dark: gains beyond the wager. Light: losses." + _meter_note(odds),
        source=source,
        height=OUTCOME_ROW_HEIGHT * len(bars_of) + 8,
        left_margin=left_margin,
        right_margin=OUTCOME_LABEL_WIDTH,
    )
    return build_chart([bars, zero, *end_labels(base, "part", "label_text")], frame)


def _bars(outcomes: Sequence[OutcomeLine]) -> list[tuple[str, Fraction]]:
    """Every outcome, or the largest ones and the sum of the others."""
    by_size = sorted(outcomes, key=lambda outcome: abs(outcome.contribution), reverse=True)
    largest = by_size if len(by_size) <= MAX_BARS else by_size[: MAX_BARS - 1]
    bars = [(_name(outcome, outcomes), outcome.contribution) for outcome in outcomes if outcome in largest]
    if len(largest) < len(by_size):
        rest = by_size[len(largest) :]
        bars.append((f"{len(rest)} smaller outcomes", sum((outcome.contribution for outcome in rest), Fraction(0))))
    return bars


def _name(outcome: OutcomeLine, outcomes: Sequence[OutcomeLine]) -> str:
    """The name of an outcome, with its pay if the event has two lines."""
    is_unique = sum(candidate.trigger == outcome.trigger for candidate in outcomes) == 1
    return capitalize_slug(outcome.trigger) + ("" if is_unique else f" ({outcome.pays})")


def _meter_note(odds: Odds) -> str:
    return " The meter's prizes are not included." if odds.depends_on_meter else ""


def _contribution_title(subject: str, odds: Odds, bars: Sequence[tuple[str, Fraction]]) -> str:
    best, gained = max(bars, key=lambda bar: bar[1])
    worst, lost = min(bars, key=lambda bar: bar[1])
    title = f"“{best}” gives most, {format_signed(gained, 4)}; “{worst}” takes most, {format_signed(lost, 4)}"
    if odds.house_edge is None:
        return f"{subject}: fixed prizes return {format_percent(odds.fixed_return, 3)}. {title}"
    if odds.house_edge < 0:
        return f"{subject}: the player gains {format_percent(-odds.house_edge, 3)}. {title}"
    return f"{subject}: the house keeps {format_percent(odds.house_edge, 3)}. {title}"


METER_CHART_HEIGHT = 180
BEYOND_BREAK_EVEN = Fraction(4, 3)


def meter_chart(subject: str, odds: Odds, source: str, wager_cents: int = 100) -> Chart:
    """From an empty meter to a third above break-even."""
    even = odds.break_even_meter
    if even is None or even <= 0:
        raise BadChart(f"The return of {subject} has no break-even meter, so there is no chart.")
    in_dollars = float(even * wager_cents / 100)
    last = even * BEYOND_BREAK_EVEN
    points = [
        {"meter": float(meter * wager_cents / 100), "back": float(odds.fixed_return + odds.meter_part * meter)}
        for meter in (Fraction(0), last)
    ]
    left_margin = 78
    stake = float(odds.average_wager)
    x = alt.X(
        "meter:Q",
        scale=alt.Scale(nice=False, domain=[0, points[1]["meter"]]),
        axis=x_axis("meter, dollars", format="$,.0f", tickCount=6),
    )
    y = alt.Y(
        "back:Q",
        scale=alt.Scale(domain=[0, points[1]["back"]], nice=False),
        axis=y_axis("return, percent of the wager", left_margin, format=".0%", tickCount=6),
    )
    line = alt.Chart(inline_rows(points)).mark_line(color=BLUE, strokeWidth=2.5).encode(x=x, y=y)
    even_row = [{"meter": in_dollars, "back": stake, "label_text": f"break-even: {format_dollars(even, wager_cents)}"}]
    at_even = alt.Chart(inline_rows(even_row))
    upright = at_even.mark_rule(color=VERMILLION, strokeDash=[5, 3]).encode(x="meter:Q")
    level = alt.Chart(inline_rows([{"back": stake}])).mark_rule(color=BLACK, strokeDash=[2, 2]).encode(y="back:Q")
    point = at_even.mark_point(color=VERMILLION, filled=True, size=70, opacity=1).encode(x="meter:Q", y="back:Q")
    label = at_even.mark_text(align="right", dx=-8, dy=-10, fontSize=12, color=BLACK).encode(
        x="meter:Q", y="back:Q", text="label_text:N"
    )
    frame = ChartFrame(
        title=(
            f"{subject} returns {format_percent(odds.fixed_return, 2)} from fixed prizes "
            f"and breaks even at a meter of {format_dollars(even, wager_cents)}"
        ),
        subtitle="Line: average return of one unit. Dotted: 100%, a fair wager.",
        source=source,
        height=METER_CHART_HEIGHT,
        left_margin=left_margin,
        right_margin=40,
    )
    return build_chart([level, upright, line, point, label], frame)
