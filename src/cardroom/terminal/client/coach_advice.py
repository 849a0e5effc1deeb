"""The coach: the value of each decision, the cost of a decision, and their texts.

>>> from fractions import Fraction
>>> average_dollars(Fraction(-991)), average_dollars(Fraction(-1, 3))
('-$9.91', '$0.00')
>>> cost_text(Fraction(1, 3)), cost_text(Fraction(42))
('less than a cent', '$0.42')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot
from typing import Final

from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.actions import Decision
from cardroom.games.playable_table import Table
from cardroom.games.view import View
from cardroom.odds.pricer import Advice
from cardroom.terminal.cards import decision_text
from cardroom.terminal.console import COST, HINT, NUMBER, QUIET, RETRY
from cardroom.translation import gettext

TIE_STANDARD_ERRORS: Final = 2.0
"""Two simulated values within this number of standard errors count as equal."""

Adviser = Callable[[Table, View, Mapping[str, int]], tuple[Advice, ...]]


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question and the player's decision."""

    round_name: str
    view: View
    question: str
    """The text of the question."""
    decision: Decision
    affordable_decisions: tuple[Decision, ...]
    """The options that the player's balance covered."""


@dataclass(frozen=True, slots=True)
class DecisionReview:
    """A decision compared with the best one that the balance covered."""

    question: str
    decision: Decision
    best: Decision
    cost: Fraction
    """The average in cents; zero for the best decision, and for one that a simulation cannot distinguish from it."""
    error: float | None
    """The standard error of the cost in cents, if the values were simulated."""

    @property
    def is_best(self) -> bool:
        return not self.cost


def review_decision(question: AnsweredQuestion, advice: Sequence[Advice]) -> DecisionReview:
    """The cost of a decision."""
    advice_taken = find_advice(question.decision, advice)
    best = best_advice(advice, question.affordable_decisions)
    cost, error = decision_cost(best, advice_taken), _error(best, advice_taken)
    return DecisionReview(
        question.question, question.decision, best.decision if cost else question.decision, cost, error
    )


def decision_cost(best: Advice, other: Advice) -> Fraction:
    """The average cost of a decision; zero if a simulation cannot distinguish the two."""
    cost, error = best.value - other.value, _error(best, other)
    return Fraction(0) if error is not None and cost <= TIE_STANDARD_ERRORS * error else cost


def find_advice(decision: Decision, advice: Sequence[Advice]) -> Advice:
    """The advice on a decision; the order of its hands does not matter."""
    return next(
        candidate
        for candidate in advice
        if candidate.decision.verb is decision.verb and _hands(candidate.decision) == _hands(decision)
    )


def _hands(decision: Decision) -> Counter[tuple[object, ...]]:
    return Counter(decision.groups)


def _error(first: Advice, second: Advice) -> float | None:
    """Of the difference. Both were played with the same cards, so that it is no larger than this."""
    if first.standard_error is None and second.standard_error is None:
        return None
    return hypot(first.standard_error or 0.0, second.standard_error or 0.0)


class TerminalCoach:
    """Works out what answers are worth, each question once."""

    def __init__(self, table: Table, meters: Mapping[str, int], advise: Adviser, *, is_on: bool = False) -> None:
        self.is_on = is_on
        """Whether it tells unasked what the last answer cost."""
        self._table = table
        self._meters = meters
        self._advise = advise
        self._advice_cache: dict[tuple[str, str], tuple[Advice, ...]] = {}

    def has_advice(self, round_name: str, question: str) -> bool:
        """Whether there is nothing to work out."""
        return (round_name, question) in self._advice_cache

    def advice(self, round_name: str, view: View, question: str) -> tuple[Advice, ...]:
        """What each answer to a question of a round is worth."""
        key = round_name, question
        if key not in self._advice_cache:
            self._advice_cache[key] = self._advise(self._table, view, self._meters)
        return self._advice_cache[key]

    def review(self, question: AnsweredQuestion) -> DecisionReview:
        """The cost of a decision."""
        return review_decision(question, self.advice(question.round_name, question.view, question.question))


def best_advice(advice: Sequence[Advice], affordable_decisions: Collection[Decision]) -> Advice:
    """The best option that the balance covers."""
    return max(
        (find_advice(decision, advice) for decision in affordable_decisions), key=lambda decision: decision.value
    )


def average_dollars(cents: Fraction) -> str:
    """An average to the cent."""
    rounded = round(cents)
    return f"{'-' if rounded < 0 else ''}${abs(rounded) // 100:,}.{abs(rounded) % 100:02}"


def cost_text(cost: Fraction) -> str:
    """The text of a cost; a small cost is not zero."""
    return gettext("less than a cent") if cost > 0 and not round(cost) else average_dollars(cost)


def error_text(error: float | None) -> str:
    """The standard error of an amount in cents; empty if it is exact."""
    return "" if error is None else f" ± ${error / 100:.2f}"


def verdict_text(review: DecisionReview) -> Text:
    """The coach's sentence about the last decision."""
    text = Text.assemble(gettext("Coach: “"), decision_text(review.decision), "” ")
    if review.is_best:
        praise = (
            gettext("was the best decision.")
            if review.error is None
            else gettext("was as good as any, within the simulation's error.")
        )
        return text.append(praise, HINT)
    cost = f"{cost_text(review.cost)}{error_text(review.error)}"
    text.append(gettext("cost you {cost} on average: ").format(cost=cost), RETRY)
    return text.append("“").append(decision_text(review.best)).append(gettext("” was better."))


def hint_table(options: Iterable[Decision], advice: Sequence[Advice], affordable_decisions: Sequence[Decision]) -> Grid:
    """The options with their numbers, values, and costs compared with the best."""
    best = best_advice(advice, affordable_decisions)
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=NUMBER, justify="right")
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column()
    for number, option in enumerate(options, 1):
        option_advice = find_advice(option, advice)
        if option_advice.decision == best.decision:
            remark = Text(gettext("best"), HINT)
        elif option not in affordable_decisions:
            remark = Text(gettext("your balance does not cover it"), QUIET)
        elif cost := decision_cost(best, option_advice):
            remark = Text(gettext("costs {cost}").format(cost=cost_text(cost)), COST)
        else:
            remark = Text(gettext("too close to call") if option_advice.standard_error else gettext("as good"), HINT)
        worth = f"{average_dollars(option_advice.value)}{error_text(option_advice.standard_error)}"
        grid.add_row(str(number), decision_text(option), worth, remark)
    return grid


def hint_caption(advice: Sequence[Advice]) -> str:
    """The meaning of the figures of a hint."""
    simulated = any(item.standard_error is not None for item in advice)
    method = gettext("simulated, ± one standard error") if simulated else gettext("exact")
    return gettext("What your bets win or lose on average with each option, {method}.").format(method=method)
