"""What the coach records during a session, says between questions, and reports at the end.

The report has the decisions, what they cost, and what the house edge would have predicted.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import hypot

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.game import cents_on_layout
from cardroom.games.money import format_cents
from cardroom.games.view import View
from cardroom.odds.pricer import Advice
from cardroom.odds.table_prices import ExpectedResult, predict_result
from cardroom.terminal.client.coach_advice import (
    AnsweredQuestion,
    DecisionReview,
    TerminalCoach,
    average_dollars,
    cost_text,
    error_text,
    verdict_text,
)
from cardroom.terminal.client.prompts import suppress_echo
from cardroom.terminal.client.screen import TableScreen
from cardroom.terminal.client.seating import OWN_SEAT
from cardroom.terminal.console import QUIET, TITLE, net_style
from cardroom.terminal.progress import ProgressBar, progress_bar


@dataclass(frozen=True, slots=True)
class SessionReport:
    """What is known of a session."""

    result: int
    """In cents."""
    wager_total: int
    """What was put down before the cards were dealt, in cents."""
    rounds: int
    question_count: int
    """How many questions were answered; the coach may have been stopped before it had looked at all."""
    reviews: Sequence[DecisionReview] = ()
    prediction: ExpectedResult | None = None
    """None when it was not worked out."""

    @property
    def cost(self) -> Fraction:
        return sum((review.cost for review in self.reviews), Fraction(0))

    @property
    def cost_error(self) -> float | None:
        return _combined_error(self.reviews)


def _combined_error(reviews: Sequence[DecisionReview]) -> float | None:
    errors = [review.error for review in reviews if review.error is not None and not review.is_best]
    return hypot(*errors) if errors else None


def session_report_page(report: SessionReport) -> RenderableType:
    """The report as it stands on the screen."""
    parts: list[RenderableType] = []
    if report.reviews:
        parts += [Text("Your answers", TITLE), _question_table(report.reviews)]
    if len(report.reviews) < report.question_count:
        progress = f"{len(report.reviews)} of {report.question_count}"
        parts.append(Text(f"The coach was stopped when it had looked at {progress} answers.", QUIET))
    parts += [Text("Your result", TITLE), _result_table(report)]
    if report.prediction is None:
        parts.append(Text("What the house edge predicts was not worked out.", QUIET))
    if report.cost_error is not None or (report.prediction and report.prediction.standard_error is not None):
        parts.append(Text("± is one standard error of what was simulated; all other figures are exact.", QUIET))
    return Group(*parts)


def _question_table(reviews: Sequence[DecisionReview]) -> Grid:
    kinds: dict[str, list[DecisionReview]] = {}
    for review in reviews:
        kinds.setdefault(review.question, []).append(review)
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(overflow="fold")
    for _ in range(3):
        grid.add_column(justify="right", no_wrap=True)
    grid.add_row("", *(Text(head, QUIET) for head in ("answers", "the best", "cost")))
    for question, question_reviews in kinds.items():
        grid.add_row(question, *_review_figures(question_reviews))
    if len(kinds) > 1:
        grid.add_row(Text("all", "bold"), *_review_figures(reviews))
    return grid


def _review_figures(reviews: Sequence[DecisionReview]) -> tuple[str, str, str]:
    cost = sum((review.cost for review in reviews), Fraction(0))
    return (
        str(len(reviews)),
        str(sum(review.is_best for review in reviews)),
        f"{cost_text(cost)}{error_text(_combined_error(reviews))}",
    )


def _result_table(report: SessionReport) -> Grid:
    """The result as what was to be expected, what answers cost, and luck."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", no_wrap=True)
    expected = report.prediction
    if expected is not None:
        wagered = (
            f"The house edge on {format_cents(report.wager_total)} of first wagers predicts, with the best answers,"
        )
        grid.add_row(wagered, _signed_amount(expected.cents, expected.standard_error))
        if report.reviews:
            grid.add_row("Answers that were not the best", _signed_amount(-report.cost, report.cost_error))
        luck = report.result - expected.cents + report.cost
        grid.add_row("Luck, good or bad: the rest", _signed_amount(luck, None))
    rounds = "one round" if report.rounds == 1 else f"{report.rounds} rounds"
    grid.add_row(Text(f"Result of {rounds}", "bold"), _signed_amount(Fraction(report.result), None))
    return grid


def _signed_amount(cents: Fraction, error: float | None) -> Text:
    sign = "+" if round(cents) > 0 else ""
    return Text(f"{sign}{average_dollars(cents)}{error_text(error)}", net_style(round(cents)))


class CoachLog:
    """A session as the coach sees it; without a coach it is kept and nothing is said."""

    def __init__(self, screen: TableScreen, coach: TerminalCoach | None) -> None:
        self._screen = screen
        self._coach = coach
        self._questions: list[AnsweredQuestion] = []
        self._wagers: Counter[tuple[tuple[str, int], ...]] = Counter()
        self._notes: list[RenderableType] = []

    def record_wagers(self, wagers: Mapping[str, int]) -> None:
        """The wagers of a round lie there."""
        self._wagers[tuple(wagers.items())] += 1
        self._notes = []

    def record_answer(self, question: AnsweredQuestion) -> None:
        """The player has answered; a coach who speaks says what it cost on the next screen."""
        self._questions.append(question)
        self._notes = []
        if self._coach is not None and self._coach.is_on:
            review = self._review(question)
            self._notes = [verdict_text(review)] if review else [Text("Coach: this answer was not looked at.", QUIET)]

    def notes(self) -> Sequence[RenderableType]:
        """What stands on the next screen."""
        return self._notes

    def toggle(self) -> None:
        """Whether the coach speaks unasked."""
        if self._coach is None:
            self._notes = [Text("There is no coach at this table.", QUIET)]
            return
        self._coach.is_on = not self._coach.is_on
        state = "on: after each answer it says what the answer cost" if self._coach.is_on else "off"
        self._notes = [Text(f"The coach is {state}.", QUIET)]

    def request_advice(self, round_name: str, view: View, question: str) -> tuple[Advice, ...] | None:
        """A hint; None when there is nobody to ask, or the player did not want to wait."""
        if self._coach is None:
            self._notes = [Text("There is no coach at this table.", QUIET)]
            return None
        try:
            with self._show_spinner("The coach works it out"):
                advice = self._coach.advice(round_name, view, question)
        except KeyboardInterrupt:
            self._notes = [Text("The hint was given up: h asks again.", QUIET)]
            return None
        self._notes = []
        return advice

    def _review(self, question: AnsweredQuestion) -> DecisionReview | None:
        assert self._coach is not None
        try:
            with self._show_spinner("The coach looks at your answer"):
                return self._coach.review(question)
        except KeyboardInterrupt:
            return None

    @contextmanager
    def _show_spinner(self, label: str) -> Iterator[None]:
        with suppress_echo(sys.stdin), self._screen.console.status(f"{label} … Ctrl-C gives up", spinner="line"):
            yield

    def print_report(self, result: int, rounds: int) -> None:
        """What the session's answers cost and what the house edge predicted; Ctrl-C ends the work."""
        if self._coach is None:
            return
        reviews = self._review_all()
        expected = self._predict() if len(reviews) == len(self._questions) else None
        report = SessionReport(result, self._wager_total, rounds, len(self._questions), reviews, expected)
        self._screen.console.print(session_report_page(report))

    @property
    def _wager_total(self) -> int:
        """What was put down before the cards, High and Low both counted."""
        seating = self._screen.seating
        return sum(
            cents_on_layout(seating.rules.begin(seating.table, {OWN_SEAT: dict(wagers)}), OWN_SEAT) * times
            for wagers, times in self._wagers.items()
        )

    def _review_all(self) -> list[DecisionReview]:
        reviews: list[DecisionReview] = []
        for question in self._questions:
            review = self._review(question)
            if review is None:
                break
            reviews.append(review)
        return reviews

    def _predict(self) -> ExpectedResult | None:
        rounds = [(dict(wagers), times) for wagers, times in self._wagers.items()]
        has_announced = False

        def working(bar: ProgressBar, label: str, share: float) -> None:
            nonlocal has_announced
            if not has_announced:
                self._screen.print_line(
                    "What the house edge predicts is worked out, once on this machine. Ctrl-C gives up.", QUIET
                )
            has_announced = True
            bar.set_share(label, share)

        try:
            with suppress_echo(sys.stdin), progress_bar() as bar:
                return predict_result(self._screen.seating.table, rounds, self._screen.meters, partial(working, bar))
        except KeyboardInterrupt:
            return None
