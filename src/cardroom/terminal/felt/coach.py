"""The coach at the table: what each answer is worth, and what an answer has cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot
from typing import Final

from cardroom.games.decisions import Decision
from cardroom.games.table import Table
from cardroom.games.view import View
from cardroom.odds.pricer import Advice

CLOSE: Final = 2.0
"""Two simulated values that are no more standard errors apart cannot be told from one another."""

Adviser = Callable[[Table, View, Mapping[str, int]], tuple[Advice, ...]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a player was asked and has answered."""

    round_name: str
    seen: View
    question: str
    """As the dealer put it."""
    given: Decision
    covered: tuple[Decision, ...]
    """The answers that the player's balance covered."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer held against the best one that the balance covered."""

    question: str
    given: Decision
    best: Decision
    cost: Fraction
    """In cents on average; zero for the best answer, and for one that a simulation cannot tell from it."""
    error: float | None
    """The standard error of the cost, in cents, where values were simulated."""

    @property
    def is_best(self) -> bool:
        return not self.cost


def judged(asked: Asked, advice: Sequence[Advice]) -> Judged:
    """What an answer cost."""
    mine = worth_of(asked.given, advice)
    best = best_of(advice, asked.covered)
    cost, error = cost_against(best, mine), _error(best, mine)
    return Judged(asked.question, asked.given, best.decision if cost else asked.given, cost, error)


def cost_against(best: Advice, other: Advice) -> Fraction:
    """What an answer costs on average; nothing when a simulation cannot tell the two apart."""
    cost, error = best.value - other.value, _error(best, other)
    return Fraction(0) if error is not None and cost <= CLOSE * error else cost


def worth_of(decision: Decision, advice: Sequence[Advice]) -> Advice:
    """The advice that is about a decision; hands that are named in another order are the same hands."""
    return next(
        one for one in advice if one.decision.verb is decision.verb and _hands(one.decision) == _hands(decision)
    )


def _hands(decision: Decision) -> Counter[tuple[object, ...]]:
    return Counter(decision.groups)


def _error(one: Advice, other: Advice) -> float | None:
    """Of the difference. Both were played with the same cards, so that it is no larger than this."""
    if one.standard_error is None and other.standard_error is None:
        return None
    return hypot(one.standard_error or 0.0, other.standard_error or 0.0)


class Coach:
    """Works out what answers are worth, each question once."""

    def __init__(self, table: Table, meters: Mapping[str, int], advise: Adviser, *, speaks: bool = False) -> None:
        self.speaks = speaks
        """Whether it tells unasked what the last answer cost."""
        self._table = table
        self._meters = meters
        self._advise = advise
        self._known: dict[tuple[str, str], tuple[Advice, ...]] = {}

    def knows(self, round_name: str, question: str) -> bool:
        """Whether there is nothing to work out."""
        return (round_name, question) in self._known

    def advice(self, round_name: str, seen: View, question: str) -> tuple[Advice, ...]:
        """What each answer to a question of a round is worth."""
        key = round_name, question
        if key not in self._known:
            self._known[key] = self._advise(self._table, seen, self._meters)
        return self._known[key]

    def judge(self, asked: Asked) -> Judged:
        """What an answer cost."""
        return judged(asked, self.advice(asked.round_name, asked.seen, asked.question))


def best_of(advice: Sequence[Advice], covered: Collection[Decision]) -> Advice:
    """The best answer among those that can be paid."""
    return max((worth_of(one, advice) for one in covered), key=lambda one: one.value)
