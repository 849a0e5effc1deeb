"""The report at the end of a session: the answers, what they cost, and what the house edge would have predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.money import money
from cardroom.odds.before_the_deal import Predicted
from cardroom.terminal.felt.coach import Judged
from cardroom.terminal.felt.lessons import dollars, plus_minus, price_of
from cardroom.terminal.palette import QUIET, TITLE, net_style


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of a session."""

    result: int
    """In cents."""
    wagered: int
    """What was put down before the cards were dealt, in cents."""
    rounds: int
    asked: int
    """How many questions were answered; the coach may have been stopped before it had looked at all."""
    judged: Sequence[Judged] = ()
    predicted: Predicted | None = None
    """None when it was not worked out."""

    @property
    def cost(self) -> Fraction:
        return sum((one.cost for one in self.judged), Fraction(0))

    @property
    def cost_error(self) -> float | None:
        return _together(self.judged)


def _together(judged: Sequence[Judged]) -> float | None:
    errors = [one.error for one in judged if one.error is not None and not one.is_best]
    return hypot(*errors) if errors else None


def report_page(report: Report) -> RenderableType:
    """The report as it stands on the screen."""
    parts: list[RenderableType] = []
    if report.judged:
        parts += [Text("Your answers", TITLE), _by_question(report.judged)]
    if len(report.judged) < report.asked:
        looked = f"{len(report.judged)} of {report.asked}"
        parts.append(Text(f"The coach was stopped when it had looked at {looked} answers.", QUIET))
    parts += [Text("Your result", TITLE), _explained(report)]
    if report.predicted is None:
        parts.append(Text("What the house edge predicts was not worked out.", QUIET))
    if report.cost_error is not None or (report.predicted and report.predicted.standard_error is not None):
        parts.append(Text("± is one standard error of what was simulated; all other figures are exact.", QUIET))
    return Group(*parts)


def _by_question(judged: Sequence[Judged]) -> Grid:
    kinds: dict[str, list[Judged]] = {}
    for one in judged:
        kinds.setdefault(one.question, []).append(one)
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(overflow="fold")
    for _ in range(3):
        grid.add_column(justify="right", no_wrap=True)
    grid.add_row("", *(Text(head, QUIET) for head in ("answers", "the best", "cost")))
    for question, some in kinds.items():
        grid.add_row(question, *_figures(some))
    if len(kinds) > 1:
        grid.add_row(Text("all", "bold"), *_figures(judged))
    return grid


def _figures(some: Sequence[Judged]) -> tuple[str, str, str]:
    cost = sum((one.cost for one in some), Fraction(0))
    return str(len(some)), str(sum(one.is_best for one in some)), f"{price_of(cost)}{plus_minus(_together(some))}"


def _explained(report: Report) -> Grid:
    """The result as what was to be expected, what answers cost, and luck."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", no_wrap=True)
    expected = report.predicted
    if expected is not None:
        wagered = f"The house edge on {money(report.wagered)} of first wagers predicts, with the best answers,"
        grid.add_row(wagered, _signed(expected.cents, expected.standard_error))
        if report.judged:
            grid.add_row("Answers that were not the best", _signed(-report.cost, report.cost_error))
        luck = report.result - expected.cents + report.cost
        grid.add_row("Luck, good or bad: the rest", _signed(luck, None))
    rounds = "one round" if report.rounds == 1 else f"{report.rounds} rounds"
    grid.add_row(Text(f"Result of {rounds}", "bold"), _signed(Fraction(report.result), None))
    return grid


def _signed(cents: Fraction, error: float | None) -> Text:
    sign = "+" if round(cents) > 0 else ""
    return Text(f"{sign}{dollars(cents)}{plus_minus(error)}", net_style(round(cents)))
