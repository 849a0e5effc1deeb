"""Charts of the lab as plain SVG: where lines and labels stand. Templates draw them, styles colour them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10
from typing import Final, NamedTuple

from cardroom.odds import Odds
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.reports.documents.numbers import format_dollars, format_percent, format_signed

WIDE: Final = 640.0
HIGH: Final = 280.0
LEFT: Final = 76.0
RIGHT: Final = 44.0
TOP: Final = 32.0
BOTTOM: Final = 44.0
FEWEST_TICKS: Final = 4
BEYOND_BREAK_EVEN: Final = Fraction(4, 3)
NORMAL_95: Final = 1.959964
"""How many standard errors on either side hold 95 % of a normal distribution."""


class Tick(NamedTuple):
    """A mark on an axis and what stands beside it."""

    at: float
    words: str


class Drawing(NamedTuple):
    """A chart: axes, lines and an area, in the units of its view box."""

    words: str
    """What it shows, in a sentence."""
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_name: str
    y_name: str
    line: str
    """The points of the line."""
    band: str = ""
    """The points of the area around it."""
    level: float | None = None
    """A line across: what it is held against."""
    upright: float | None = None
    """A line down."""
    mark: tuple[float, float] | None = None
    wide: float = WIDE
    high: float = HIGH
    left: float = LEFT
    right: float = WIDE - RIGHT
    top: float = TOP
    bottom: float = HIGH - BOTTOM


def _across(part: float) -> float:
    return round(LEFT + part * (WIDE - LEFT - RIGHT), 1)


def _up(part: float) -> float:
    return round(HIGH - BOTTOM - part * (HIGH - TOP - BOTTOM), 1)


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_across(x)},{_up(y)}" for x, y in points)


def round_values(most: float) -> list[float]:
    """Values for an axis from nothing up: a few, and round.

    >>> round_values(48_122.0), round_values(1.18)
    ([0.0, 10000.0, 20000.0, 30000.0, 40000.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    rough = most / FEWEST_TICKS
    ten = 10.0 ** floor(log10(rough))
    step = max(one * ten for one in (1, 2, 5) if one * ten <= rough)
    return [round(step * place, 10) for place in range(int(most / step) + 1)]


def meter_drawing(odds: Odds, shown: Fraction | None) -> Drawing | None:
    """What a jackpot wager gives back against what its meter shows, with the meter at which it is fair; None where no
    meter makes it so. ``shown`` is what the meter shows now, in wagers."""
    even = odds.break_even_meter
    if even is None or even <= 0:
        return None
    last = max(even * BEYOND_BREAK_EVEN, (shown or Fraction(0)) * Fraction(21, 20))
    most = odds.fixed_return + odds.meter_part * last
    in_dollars = float(last * JACKPOT_WAGER_CENTS / 100)
    stake = odds.average_wager
    now = None
    if shown is not None:
        back = odds.fixed_return + odds.meter_part * shown
        now = (_across(float(shown / last)), _up(float(back / most)))
    return Drawing(
        words=(
            f"The fixed prizes give back {format_percent(odds.fixed_return, 2)}; at a meter of "
            f"{format_dollars(even, JACKPOT_WAGER_CENTS)} the wager is fair."
        ),
        x_ticks=tuple(Tick(_across(one / in_dollars), f"${one:,.0f}") for one in round_values(in_dollars)),
        y_ticks=tuple(Tick(_up(one / float(most)), format_percent(one, 0)) for one in round_values(float(most))),
        x_name="what the meter shows",
        y_name="given back of the wager",
        line=_points([(0.0, float(odds.fixed_return / most)), (1.0, 1.0)]),
        level=_up(float(stake / most)),
        upright=_across(float(even / last)),
        mark=now,
    )


class Look(NamedTuple):
    """A simulation at one moment."""

    rounds: int
    mean: float
    standard_error: float


def convergence_drawing(looks: Sequence[Look], exact: float | None, named: str = "exact") -> Drawing | None:
    """The running mean over rounds with the band in which the true value lies 95 times in 100; None before there are
    two moments. ``named`` is what the value is called that the mean is compared with."""
    if len(looks) < 2:
        return None
    ends = [(one.mean - NORMAL_95 * one.standard_error, one.mean + NORMAL_95 * one.standard_error) for one in looks]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    if exact is not None:
        low, high = min(low, exact), max(high, exact)
    span = (high - low) or 1.0
    first, last = log10(looks[0].rounds), log10(looks[-1].rounds)
    digits = min(max(int(-log10(span / 4)) + 1, 2), 8)

    def x(rounds: int) -> float:
        return (log10(rounds) - first) / ((last - first) or 1.0)

    def y(value: float) -> float:
        return (value - low) / span

    upper = [(x(one.rounds), y(end[1])) for one, end in zip(looks, ends, strict=True)]
    lower = [(x(one.rounds), y(end[0])) for one, end in zip(looks, ends, strict=True)]
    decades = [10**power for power in range(19) if looks[0].rounds <= 10**power <= looks[-1].rounds]
    return Drawing(
        words=_settled(looks[-1], exact, named),
        x_ticks=tuple(Tick(_across(x(one)), f"{one:,}") for one in decades or [looks[0].rounds, looks[-1].rounds]),
        y_ticks=tuple(Tick(_up(quarter / 4), format_signed(low + span * quarter / 4, digits)) for quarter in range(5)),
        x_name="rounds, logarithmic scale",
        y_name="mean, units a round",
        line=_points([(x(one.rounds), y(one.mean)) for one in looks]),
        band=_points([*upper, *reversed(lower)]),
        level=None if exact is None else _up(y(exact)),
    )


def _settled(last: Look, exact: float | None, named: str) -> str:
    error = NORMAL_95 * last.standard_error
    told = (
        f"After {last.rounds:,} rounds the mean is {format_signed(last.mean, 5)}, with a 95% band of {error:.5f} "
        "either side"
    )
    if exact is None:
        return f"{told}."
    where = "inside" if abs(exact - last.mean) <= error else "outside"
    return f"{told}; the {named} {format_signed(exact, 5)} lies {where} it."
