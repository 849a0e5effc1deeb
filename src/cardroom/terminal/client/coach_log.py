"""The coach's record of a session: notes between decisions, and the report at the end.

The report has the decisions, their cost, and the result that the house edge predicts.
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
from cardroom.translation import gettext


@dataclass(frozen=True, slots=True)
class SessionReport:
    """The figures of a session."""

    result: int
    """In cents."""
    wager_total: int
    """The wagers before the deal, in cents."""
    rounds: int
    question_count: int
    """The number of decisions; the player may have stopped the coach before it had reviewed all."""
    reviews: Sequence[DecisionReview] = ()
    prediction: ExpectedResult | None = None
    """None if it was not computed."""

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
    """The report as a page."""
    parts: list[RenderableType] = []
    if report.reviews:
        parts += [Text(gettext("Your decisions"), TITLE), _question_table(report.reviews)]
    if len(report.reviews) < report.question_count:
        sentence = gettext("You stopped the coach after {reviewed} of {count} decisions.")
        parts.append(Text(sentence.format(reviewed=len(report.reviews), count=report.question_count), QUIET))
    parts += [Text(gettext("Your result"), TITLE), _result_table(report)]
    if report.prediction is None:
        parts.append(Text(gettext("The prediction of the house edge was not computed."), QUIET))
    if report.cost_error is not None or (report.prediction and report.prediction.standard_error is not None):
        sentence = gettext("± is one standard error of simulated figures; all others are exact.")
        parts.append(Text(sentence, QUIET))
    return Group(*parts)


def _question_table(reviews: Sequence[DecisionReview]) -> Grid:
    kinds: dict[str, list[DecisionReview]] = {}
    for review in reviews:
        kinds.setdefault(review.question, []).append(review)
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(overflow="fold")
    for _ in range(3):
        grid.add_column(justify="right", no_wrap=True)
    headings = (gettext("decisions"), gettext("best"), gettext("cost"))
    grid.add_row("", *(Text(heading, QUIET) for heading in headings))
    for question, question_reviews in kinds.items():
        grid.add_row(question, *_review_figures(question_reviews))
    if len(kinds) > 1:
        grid.add_row(Text(gettext("all"), "bold"), *_review_figures(reviews))
    return grid


def _review_figures(reviews: Sequence[DecisionReview]) -> tuple[str, str, str]:
    cost = sum((review.cost for review in reviews), Fraction(0))
    return (
        str(len(reviews)),
        str(sum(review.is_best for review in reviews)),
        f"{cost_text(cost)}{error_text(_combined_error(reviews))}",
    )


def _result_table(report: SessionReport) -> Grid:
    """The result, split into prediction, cost of decisions, and luck."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", no_wrap=True)
    expected = report.prediction
    if expected is not None:
        wagered = gettext("Prediction of the house edge on {wagers} of first bets, with the best decisions")
        grid.add_row(
            wagered.format(wagers=format_cents(report.wager_total)),
            _signed_amount(expected.cents, expected.standard_error),
        )
        if report.reviews:
            label = gettext("Decisions that were not the best")
            grid.add_row(label, _signed_amount(-report.cost, report.cost_error))
        luck = report.result - expected.cents + report.cost
        grid.add_row(gettext("Luck, good or bad: the rest"), _signed_amount(luck, None))
    rounds = gettext("one round") if report.rounds == 1 else gettext("{count} rounds").format(count=report.rounds)
    title = gettext("Result of {rounds}").format(rounds=rounds)
    grid.add_row(Text(title, "bold"), _signed_amount(Fraction(report.result), None))
    return grid


def _signed_amount(cents: Fraction, error: float | None) -> Text:
    sign = "+" if round(cents) > 0 else ""
    return Text(f"{sign}{average_dollars(cents)}{error_text(error)}", net_style(round(cents)))


class CoachLog:
    """The coach's record of a session. Without a coach it prints nothing."""

    def __init__(self, screen: TableScreen, coach: TerminalCoach | None) -> None:
        self._screen = screen
        self._coach = coach
        self._questions: list[AnsweredQuestion] = []
        self._wagers: Counter[tuple[tuple[str, int], ...]] = Counter()
        self._notes: list[RenderableType] = []

    def record_wagers(self, wagers: Mapping[str, int]) -> None:
        """Record the wagers of a round."""
        self._wagers[tuple(wagers.items())] += 1
        self._notes = []

    def record_answer(self, question: AnsweredQuestion) -> None:
        """Record a decision; an active coach shows its cost on the next screen."""
        self._questions.append(question)
        self._notes = []
        if self._coach is not None and self._coach.is_on:
            review = self._review(question)
            self._notes = (
                [verdict_text(review)] if review else [Text(gettext("Coach: this decision was not reviewed."), QUIET)]
            )

    def notes(self) -> Sequence[RenderableType]:
        """The notes of the next screen."""
        return self._notes

    def toggle(self) -> None:
        """Turn the coach on or off."""
        if self._coach is None:
            self._notes = [Text(gettext("There is no coach at this table."), QUIET)]
            return
        self._coach.is_on = not self._coach.is_on
        sentence = (
            gettext("The coach is on and shows the cost of each decision.")
            if self._coach.is_on
            else gettext("The coach is off.")
        )
        self._notes = [Text(sentence, QUIET)]

    def request_advice(self, round_name: str, view: View, question: str) -> tuple[Advice, ...] | None:
        """A hint; None without a coach, or if the player did not wait."""
        if self._coach is None:
            self._notes = [Text(gettext("There is no coach at this table."), QUIET)]
            return None
        try:
            with self._show_spinner(gettext("The coach is computing")):
                advice = self._coach.advice(round_name, view, question)
        except KeyboardInterrupt:
            self._notes = [Text(gettext("The hint was canceled: h asks again."), QUIET)]
            return None
        self._notes = []
        return advice

    def _review(self, question: AnsweredQuestion) -> DecisionReview | None:
        assert self._coach is not None
        try:
            with self._show_spinner(gettext("The coach reviews your decision")):
                return self._coach.review(question)
        except KeyboardInterrupt:
            return None

    @contextmanager
    def _show_spinner(self, label: str) -> Iterator[None]:
        with (
            suppress_echo(sys.stdin),
            self._screen.console.status(f"{label} … {gettext('Ctrl-C cancels')}", spinner="line"),
        ):
            yield

    def print_report(self, result: int, rounds: int) -> None:
        """Print the cost of the session's decisions and the prediction of the house edge; Ctrl-C cancels."""
        if self._coach is None:
            return
        reviews = self._review_all()
        expected = self._predict() if len(reviews) == len(self._questions) else None
        report = SessionReport(result, self._wager_total, rounds, len(self._questions), reviews, expected)
        self._screen.console.print(session_report_page(report))

    @property
    def _wager_total(self) -> int:
        """The wagers before the deal, counting both High and Low."""
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
                    gettext("Computing the prediction of the house edge, once on this machine. Ctrl-C cancels."), QUIET
                )
            has_announced = True
            bar.set_share(label, share)

        try:
            with suppress_echo(sys.stdin), progress_bar() as bar:
                return predict_result(self._screen.seating.table, rounds, self._screen.meters, partial(working, bar))
        except KeyboardInterrupt:
            return None
