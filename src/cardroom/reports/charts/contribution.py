"""What each outcome of a wager adds to the return and takes from it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import altair as alt

from cardroom.odds import Odds, OutcomeLine
from cardroom.reports.charts.frame import Chart, Frame, end_labels, framed, room_for, rows, signed_ticks, x_axis, y_axis
from cardroom.reports.palette import BLACK, BLUE, ORANGE
from cardroom.reports.paper.numbers import percent, sentence, signed

ROW = 18
MOST_BARS = 16
LABEL_ROOM = 60


def contribution_chart(subject: str, odds: Odds, source: str) -> Chart:
    """A bar for each outcome, in the order of the table; without what a meter adds that was not given."""
    bars_of = _bars(odds.outcomes)
    labels = [label for label, _ in bars_of]
    entries = [
        {"outcome": label, "part": float(part), "told": signed(part, 5), "gain": part > 0} for label, part in bars_of
    ]
    left = room_for(labels) + LABEL_ROOM
    base = alt.Chart(rows(entries)).encode(
        y=alt.Y("outcome:N", sort=labels, axis=y_axis(None, left, ticks=False, domain=False, offset=LABEL_ROOM - 4))
    )
    axis = x_axis("contribution to the expected return, units a round", labelExpr=signed_ticks(2), tickCount=7)
    color = alt.condition(alt.datum.gain, alt.value(BLUE), alt.value(ORANGE))
    bars = base.mark_bar(height=12).encode(x=alt.X("part:Q", axis=axis, scale=alt.Scale(nice=False)), color=color)
    zero = alt.Chart(rows([{"zero": 0}])).mark_rule(color=BLACK).encode(x="zero:Q")
    frame = Frame(
        title=_finding(subject, odds, bars_of),
        subtitle="Dark: what comes back beyond the wager. Light: what is lost." + _without_meter(odds),
        source=source,
        height=ROW * len(bars_of) + 8,
        left=left,
        right=LABEL_ROOM,
    )
    return framed([bars, zero, *end_labels(base, "part", "told")], frame)


def _bars(outcomes: Sequence[OutcomeLine]) -> list[tuple[str, Fraction]]:
    """Every outcome, or the largest ones and the others together."""
    by_size = sorted(outcomes, key=lambda one: abs(one.contribution), reverse=True)
    drawn = by_size if len(by_size) <= MOST_BARS else by_size[: MOST_BARS - 1]
    bars = [(_name(one, outcomes), one.contribution) for one in outcomes if one in drawn]
    if len(drawn) < len(by_size):
        rest = by_size[len(drawn) :]
        bars.append((f"{len(rest)} smaller outcomes", sum((one.contribution for one in rest), Fraction(0))))
    return bars


def _name(outcome: OutcomeLine, outcomes: Sequence[OutcomeLine]) -> str:
    """An event that has two lines is told with its pay."""
    alone = sum(one.event == outcome.event for one in outcomes) == 1
    return sentence(outcome.event) + ("" if alone else f" ({outcome.pays})")


def _without_meter(odds: Odds) -> str:
    return " The meter's prizes count as nothing here." if odds.hangs_on_meter else ""


def _finding(subject: str, odds: Odds, bars: Sequence[tuple[str, Fraction]]) -> str:
    best, gained = max(bars, key=lambda bar: bar[1])
    worst, lost = min(bars, key=lambda bar: bar[1])
    told = f"“{best}” gives most, {signed(gained, 4)}; “{worst}” takes most, {signed(lost, 4)}"
    if odds.house_edge is None:
        return f"{subject}: fixed prizes return {percent(odds.fixed_return, 3)}. {told}"
    if odds.house_edge < 0:
        return f"{subject}: the player gains {percent(-odds.house_edge, 3)}. {told}"
    return f"{subject}: the house keeps {percent(odds.house_edge, 3)}. {told}"
