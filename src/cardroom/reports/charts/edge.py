"""House edge by paytable: which printed table of a wager is dear and which is cheap."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import altair as alt

from cardroom.odds import Odds
from cardroom.odds.result import Setting
from cardroom.reports.charts.frame import BadChart, Chart, Frame, end_labels, framed, room_for, rows, x_axis, y_axis
from cardroom.reports.palette import BLUE, SKY_BLUE
from cardroom.reports.paper.numbers import percent

ROW = 20
LABEL_ROOM = 70


@dataclass(frozen=True, slots=True)
class Edge:
    """One bar."""

    label: str
    edge: float
    """Of one unit initially wagered."""
    in_use: bool = False


def edges_of(answers: Sequence[Odds], in_use: Odds | None = None) -> tuple[Edge, ...]:
    """A bar for each answer that has an edge; one that hangs on a meter that was not given has none."""
    several = len({one.wager for one in answers}) > 1
    differing = {name for one in answers for name, value in one.options.items() if _differs(name, value, answers)}
    return tuple(
        Edge(_label(one, several, differing), float(one.house_edge), one is in_use)
        for one in answers
        if one.house_edge is not None
    )


def edge_chart(subject: str, edges: Sequence[Edge], source: str) -> Chart:
    """House edges from the smallest to the largest."""
    if not edges:
        raise BadChart(f"There is no house edge of {subject} to draw: it hangs on a meter, so give what it shows.")
    ordered = sorted(edges, key=lambda one: one.edge)
    labels = [one.label for one in ordered]
    entries = [
        {"table": one.label, "edge": one.edge, "told": percent(one.edge, 3), "in_use": one.in_use} for one in ordered
    ]
    left = room_for(labels)
    base = alt.Chart(rows(entries)).encode(y=alt.Y("table:N", sort=labels, axis=y_axis(None, left, ticks=False)))
    axis = x_axis("house edge, percent of the initial wager", format=".1%", tickCount=5)
    color = alt.condition(alt.datum.in_use, alt.value(BLUE), alt.value(SKY_BLUE))
    bars = base.mark_bar(height=14).encode(x=alt.X("edge:Q", axis=axis), color=color)
    frame = Frame(
        title=_finding(subject, ordered),
        subtitle="Dark: the table in use." if any(one.in_use for one in ordered) else "",
        source=source,
        height=ROW * len(ordered) + 8,
        left=left,
        right=LABEL_ROOM,
    )
    return framed([bars, *end_labels(base, "edge", "told")], frame)


def _differs(name: str, value: Setting, answers: Sequence[Odds]) -> bool:
    return any(one.options.get(name) != value for one in answers)


def _label(odds: Odds, with_wager: bool, differing: Collection[str]) -> str:
    told = {name: value for name, value in odds.options.items() if name in differing}
    options = ", ".join(_option(name, value) for name, value in told.items())
    wager = odds.wager if with_wager or not (odds.paytable or options) else ""
    return ", ".join(filter(None, (wager, odds.paytable, options)))


def _option(name: str, value: Setting) -> str:
    spoken = name.replace("_", " ")
    if isinstance(value, bool):
        return f"with {spoken}" if value else f"no {spoken}"
    return f"{value} decks" if name == "decks" else f"{spoken} {value}"


def _ordinal(place: int) -> str:
    """Such as 2nd; a wager has at most a few dozen tables.

    >>> [_ordinal(place) for place in (2, 3, 4, 11, 22)]
    ['2nd', '3rd', '4th', '11th', '22nd']
    """
    ending = "th" if place in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def _finding(subject: str, ordered: Sequence[Edge]) -> str:
    lowest, highest = ordered[0], ordered[-1]
    used = next((one for one in ordered if one.in_use), None)
    if len(ordered) == 1:
        return f"{subject}: the house edge is {percent(lowest.edge, 3)}"
    span = f"{percent(lowest.edge, 3)} to {percent(highest.edge, 3)}"
    if used is None:
        return f"{subject}: the house edge runs from {span}"
    place = ordered.index(used) + 1
    rank = "lowest" if place == 1 else "highest" if place == len(ordered) else f"{_ordinal(place)} lowest"
    return f"{subject}: the table in use has a house edge of {percent(used.edge, 3)}, {rank} of {len(ordered)} ({span})"
