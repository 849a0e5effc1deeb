"""Figures of wagers for the lab: rounded from the exact fraction, or simulated with their standard error.

The charts of the lab: the positions of lines and labels, which the templates draw as SVG.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor, log10
from typing import Final, NamedTuple

from cardroom.games.game_facts import Wager
from cardroom.odds import Odds
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.odds.result import OutcomeLine, Setting
from cardroom.reports.documents.numbers import (
    capitalize_slug,
    format_dollars,
    format_fixed,
    format_fraction,
    format_percent,
    format_signed,
)

UNKNOWN: Final = "depends on the meter"
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class FigureRow(NamedTuple):
    """One figure, for each paytable that is compared."""

    name: str
    values: tuple[str, ...]


class OutcomeRow(NamedTuple):
    """A line of the outcome table, with its bar."""

    event: str
    pays: str
    combinations: str
    probability: str
    contribution: str
    left: float
    """The start and the width of the bar, in percent on either side of zero."""
    wide: float
    gains: bool


class PaytableRow(NamedTuple):
    """A printed paytable in the overview of a wager."""

    name: str
    edge: str
    risk: str
    deviation: str
    hits: str
    fixed_return: str
    break_even: str
    exact: bool
    part: float
    """The length of its bar, in percent: the house edge, or the fixed return of a jackpot wager."""


def decimal_digits(odds: Odds) -> int:
    """The digits of a percentage: a simulation is less precise."""
    return 4 if odds.simulated_rounds is None else 3


def format_with_error(odds: Odds, value: Fraction | None) -> str:
    """A percentage of what is wagered before the deal; ± is one standard error."""
    if value is None:
        return UNKNOWN
    text = format_percent(value, decimal_digits(odds))
    if odds.standard_error is None:
        return text
    return f"{text} ± {format_percent(odds.standard_error / odds.initial_wager, decimal_digits(odds))}"


def figure_rows(answers: Sequence[Odds]) -> Iterator[FigureRow]:
    """The figures side by side."""

    def build_row(name: str, value: Sequence[str]) -> FigureRow:
        return FigureRow(name, tuple(value))

    yield build_row("House edge", [format_with_error(odds, odds.house_edge) for odds in answers])
    yield build_row("Method", ["exact" if odds.is_exact else "simulated" for odds in answers])
    yield build_row("Expected return", [_format_expected_return(odds) for odds in answers])
    yield build_row("Standard deviation", [_format_number(odds.standard_deviation) for odds in answers])
    yield build_row("Hit frequency", [format_percent(odds.hit_frequency, decimal_digits(odds)) for odds in answers])
    yield build_row("Element of risk", [format_with_error(odds, odds.element_of_risk) for odds in answers])
    yield build_row("Average wager", [f"{format_fixed(odds.average_wager, 4)} units" for odds in answers])
    if any(odds.is_jackpot for odds in answers):
        yield build_row("Fixed return", [format_percent(odds.fixed_return) for odds in answers])
        yield build_row("Break-even meter", [format_break_even(odds) for odds in answers])


def _format_number(value: float | None) -> str:
    return UNKNOWN if value is None else f"{format_fixed(value, 4)} units"


def _format_expected_return(odds: Odds) -> str:
    if odds.expected_return is None:
        return UNKNOWN
    return f"{format_signed(odds.expected_return, 6)} units"


def describe_exact_return(odds: Odds) -> str:
    """The exact fraction of the return, or the rounds, error, and policy of a simulation."""
    if not odds.is_exact:
        return f"{odds.method_text}. {odds.unhit_sentence}".rstrip(" .")
    if odds.expected_return is None:
        return ""
    return f"exactly {format_fraction(odds.expected_return)}"


def format_break_even(odds: Odds) -> str:
    """The meter at which the wager is fair, for a one-dollar wager."""
    even = odds.break_even_meter
    if even is None:
        return "no meter"
    return format_dollars(even, JACKPOT_WAGER_CENTS) if even > 0 else "always above fair"


def describe_exclusions(wager: Wager, answers: Sequence[Odds]) -> str:
    """A sentence about what the figures of a wager exclude; empty if they exclude nothing."""
    excludes = dict.fromkeys(exclusion for odds in answers for exclusion in odds.exclusions)
    text = f"These figures exclude {', '.join(excludes)}. " if excludes else ""
    features = [feature.name for feature in wager.features]
    if features:
        text += f"A table may add {' or '.join(features)} to this wager, which these figures exclude too."
    return text.strip()


def outcome_rows(odds: Odds) -> list[OutcomeRow]:
    """Every outcome, with a bar that shows what it adds to the return or takes from it."""
    most = max((abs(outcome.contribution) for outcome in odds.outcomes), default=Fraction(0)) or Fraction(1)
    outcome_list = []
    for outcome in odds.outcomes:
        wide = float(abs(outcome.contribution) / most) * 100
        outcome_list.append(
            OutcomeRow(
                event=capitalize_slug(outcome.trigger),
                pays=outcome.pays,
                combinations=f"{outcome.combinations:,}",
                probability=_probability(odds, outcome),
                contribution="meter" if outcome.depends_on_meter else format_signed(outcome.contribution, 6),
                left=0.0 if outcome.contribution > 0 else -wide,
                wide=wide,
                gains=outcome.contribution > 0,
            )
        )
    return outcome_list


def _probability(odds: Odds, outcome: OutcomeLine) -> str:
    """An outcome that no simulated round had is not impossible."""
    if odds.simulated_rounds is None:
        return format_probability(outcome.probability, 8)
    return (
        format_probability(outcome.probability, 6)
        if outcome.combinations
        else f"not in {odds.simulated_rounds:,} rounds"
    )


def format_probability(probability: Fraction, digits: int) -> str:
    """A probability; one that is too small for its digits as a power of ten.

    >>> (format_probability(Fraction(1, 8), 8), format_probability(Fraction(1, 6 * 10**9), 8),
    ... format_probability(Fraction(0), 8))
    ('0.12500000', '1.67 × 10⁻¹⁰', 'never')
    """
    if not probability:
        return "never"
    if probability * 10**digits >= 10:
        return format_fixed(probability, digits)
    mantissa, _, power = f"{float(probability):.2e}".partition("e")
    return f"{mantissa} × 10{str(int(power)).translate(_RAISED)}"


def bar_value(odds: Odds) -> Fraction:
    """The value of a paytable's bar."""
    return odds.fixed_return if odds.is_jackpot else max(odds.house_edge or Fraction(0), Fraction(0))


def paytable_rows(answers: Sequence[Odds]) -> tuple[PaytableRow, ...]:
    """The printed paytables of a wager, with bars on one scale."""
    most = max(map(bar_value, answers), default=Fraction(0)) or Fraction(1)
    return tuple(_paytable_row(odds, round(float(bar_value(odds) / most) * 100, 1)) for odds in answers)


def _paytable_row(odds: Odds, part: float) -> PaytableRow:
    return PaytableRow(
        name=odds.paytable,
        edge=format_with_error(odds, odds.house_edge),
        risk=format_with_error(odds, odds.element_of_risk),
        deviation="" if odds.standard_deviation is None else format_fixed(odds.standard_deviation, 4),
        hits=format_percent(odds.hit_frequency, 2),
        fixed_return=format_percent(odds.fixed_return) if odds.is_jackpot else "",
        break_even=format_break_even(odds) if odds.is_jackpot else "",
        exact=odds.simulated_rounds is None,
        part=part,
    )


def describe_setting(name: str, value: Setting) -> str:
    """An option and its value as text.

    >>> describe_setting("decks", 6), describe_setting("tie_after_tie_bonus", False), describe_setting("ties", "lose")
    ('6 decks', 'no tie after tie bonus', 'ties lose')
    """
    text = name.replace("_", " ")
    if isinstance(value, bool):
        return f"with {text}" if value else f"no {text}"
    return f"{value} decks" if name == "decks" else f"{text} {value}"


CHART_WIDTH: Final = 640.0
CHART_HEIGHT: Final = 280.0
MARGIN_LEFT: Final = 76.0
MARGIN_RIGHT: Final = 44.0
MARGIN_TOP: Final = 32.0
MARGIN_BOTTOM: Final = 44.0
MIN_TICKS: Final = 4
BREAK_EVEN_MARGIN: Final = Fraction(4, 3)
NORMAL_95: Final = 1.959964
"""Standard errors on either side that contain 95% of a normal distribution."""


class ChartTick(NamedTuple):
    """A mark on an axis and its label."""

    at: float
    label: str


class LabChart(NamedTuple):
    """A chart: axes, lines, and an area, in the units of its view box."""

    summary: str
    """The content of the chart in a sentence."""
    x_ticks: tuple[ChartTick, ...]
    y_ticks: tuple[ChartTick, ...]
    x_name: str
    y_name: str
    line: str
    """The points of the line."""
    band: str = ""
    """The points of the area around it."""
    level: float | None = None
    """A horizontal line: the value to compare with."""
    vertical: float | None = None
    """A vertical line."""
    mark: tuple[float, float] | None = None
    wide: float = CHART_WIDTH
    high: float = CHART_HEIGHT
    left: float = MARGIN_LEFT
    right: float = CHART_WIDTH - MARGIN_RIGHT
    top: float = MARGIN_TOP
    bottom: float = CHART_HEIGHT - MARGIN_BOTTOM


def _x(part: float) -> float:
    return round(MARGIN_LEFT + part * (CHART_WIDTH - MARGIN_LEFT - MARGIN_RIGHT), 1)


def _y(part: float) -> float:
    return round(CHART_HEIGHT - MARGIN_BOTTOM - part * (CHART_HEIGHT - MARGIN_TOP - MARGIN_BOTTOM), 1)


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_x(x)},{_y(y)}" for x, y in points)


def round_ticks(maximum: float) -> list[float]:
    """A few round values for an axis that starts at zero.

    >>> round_ticks(48_122.0), round_ticks(1.18)
    ([0.0, 10000.0, 20000.0, 30000.0, 40000.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    rough = maximum / MIN_TICKS
    ten = 10.0 ** floor(log10(rough))
    step = max(factor * ten for factor in (1, 2, 5) if factor * ten <= rough)
    return [round(step * place, 10) for place in range(int(maximum / step) + 1)]


def meter_chart(odds: Odds, meter: Fraction | None) -> LabChart | None:
    """The return of a jackpot wager by its meter, with the meter at which the wager is fair; None where no meter makes
    it fair. ``meter`` is the current meter, in wagers."""
    even = odds.break_even_meter
    if even is None or even <= 0:
        return None
    last = max(even * BREAK_EVEN_MARGIN, (meter or Fraction(0)) * Fraction(21, 20))
    most = odds.fixed_return + odds.meter_part * last
    in_dollars = float(last * JACKPOT_WAGER_CENTS / 100)
    stake = odds.average_wager
    now = None
    if meter is not None:
        back = odds.fixed_return + odds.meter_part * meter
        now = (_x(float(meter / last)), _y(float(back / most)))
    return LabChart(
        summary=(
            f"The fixed prizes return {format_percent(odds.fixed_return, 2)}; at a meter of "
            f"{format_dollars(even, JACKPOT_WAGER_CENTS)} the wager is fair."
        ),
        x_ticks=tuple(
            ChartTick(_x(tick_dollars / in_dollars), f"${tick_dollars:,.0f}")
            for tick_dollars in round_ticks(in_dollars)
        ),
        y_ticks=tuple(
            ChartTick(_y(tick_dollars / float(most)), format_percent(tick_dollars, 0))
            for tick_dollars in round_ticks(float(most))
        ),
        x_name="meter",
        y_name="return, part of the wager",
        line=_points([(0.0, float(odds.fixed_return / most)), (1.0, 1.0)]),
        level=_y(float(stake / most)),
        vertical=_x(float(even / last)),
        mark=now,
    )


class ConvergencePoint(NamedTuple):
    """A simulation after some rounds."""

    rounds: int
    mean: float
    standard_error: float


def convergence_chart(points: Sequence[ConvergencePoint], exact: float | None, label: str = "exact") -> LabChart | None:
    """The running mean by rounds, with a 95% band; None before there are two points. ``label`` is the name of the value
    that the mean is compared with."""
    if len(points) < 2:
        return None
    ends = [
        (point.mean - NORMAL_95 * point.standard_error, point.mean + NORMAL_95 * point.standard_error)
        for point in points
    ]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    if exact is not None:
        low, high = min(low, exact), max(high, exact)
    span = (high - low) or 1.0
    first, last = log10(points[0].rounds), log10(points[-1].rounds)
    digits = min(max(int(-log10(span / 4)) + 1, 2), 8)

    def x(rounds: int) -> float:
        return (log10(rounds) - first) / ((last - first) or 1.0)

    def y(value: float) -> float:
        return (value - low) / span

    upper = [(x(point.rounds), y(end[1])) for point, end in zip(points, ends, strict=True)]
    lower = [(x(point.rounds), y(end[0])) for point, end in zip(points, ends, strict=True)]
    decades = [10**power for power in range(19) if points[0].rounds <= 10**power <= points[-1].rounds]
    return LabChart(
        summary=_convergence_text(points[-1], exact, label),
        x_ticks=tuple(
            ChartTick(_x(x(point)), f"{point:,}") for point in decades or [points[0].rounds, points[-1].rounds]
        ),
        y_ticks=tuple(
            ChartTick(_y(quarter / 4), format_signed(low + span * quarter / 4, digits)) for quarter in range(5)
        ),
        x_name="rounds, logarithmic scale",
        y_name="mean, units a round",
        line=_points([(x(point.rounds), y(point.mean)) for point in points]),
        band=_points([*upper, *reversed(lower)]),
        level=None if exact is None else _y(y(exact)),
    )


def _convergence_text(last: ConvergencePoint, exact: float | None, label: str) -> str:
    error = NORMAL_95 * last.standard_error
    sentence = (
        f"After {last.rounds:,} rounds the mean is {format_signed(last.mean, 5)}, with a 95% band of {error:.5f} "
        "either side"
    )
    if exact is None:
        return f"{sentence}."
    position = "inside" if abs(exact - last.mean) <= error else "outside"
    return f"{sentence}; the {label} {format_signed(exact, 5)} is {position} it."
