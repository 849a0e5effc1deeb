"""What the odds room asks of each game, and the book of those who answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar, Final, NamedTuple, TypeAlias

from cardroom.cards import Card
from cardroom.games import Decision, Table, View
from cardroom.odds.own import Own, brought
from cardroom.odds.play import Play, asked
from cardroom.odds.result import Ending, Setting
from cardroom.paytables import Paytable

Settings: TypeAlias = Mapping[str, Setting]
Progress: TypeAlias = Callable[[str, float], None]
"""Told what is being done and how much of it, from 0 to 1."""


def silent(what: str, part: float) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Priced:
    """How one wager can end: exactly under the best play, or as simulated."""

    endings: tuple[Ending, ...]
    initial_wager: int = 1
    simulated_rounds: int | None = None
    notes: tuple[str, ...] = ()
    policy: str = ""
    """How the player decides, where that is not proved to be the best play."""


class Advice(NamedTuple):
    """A legal decision and what it is worth: the expected net result, in cents, of the stakes that hang on it."""

    decision: Decision
    value: Fraction
    standard_error: float | None = None
    """Of the value, when it was simulated; None when it is exact."""


class Rule(NamedTuple):
    """One line of a strategy that a person can remember."""

    words: str


class SimpleStrategy(NamedTuple):
    """A strategy for people, found by the program, and what it costs against the best play."""

    rules: tuple[Rule, ...]
    expected_return: Fraction
    best_return: Fraction
    simulated_rounds: int | None = None
    standard_error: float | None = None
    """Of the cost, when it was simulated."""
    policy: str = ""
    """What ``best_return`` is of, where that is not proved to be the best play."""

    @property
    def cost(self) -> Fraction:
        """Base units lost a round against the best play, or against ``policy``."""
        return self.best_return - self.expected_return

    @property
    def compared_with(self) -> str:
        """The play that the strategy is compared with, as the subject of a sentence."""
        return f"{self.policy}," if self.policy else "the best play"


class Beside(NamedTuple):
    """Another wager that a player makes for a setting to arise."""

    wager: str
    words: str


class Pricer(ABC):
    """The odds of one game."""

    game: ClassVar[str]

    @abstractmethod
    def settings(self, wager: str) -> tuple[Settings, ...]:
        """Every combination of options that changes the figures of a wager; the first is the usual one. A wager whose
        figures depend on no option has the one empty combination."""

    def beside(self, wager: str, settings: Settings) -> Beside | None:  # noqa: ARG002
        """The other wager without which these settings of a wager cannot arise."""
        return None

    @abstractmethod
    def price(self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent) -> Priced:
        """How the wager ends under the best play; counts do not depend on how many threads counted."""

    @abstractmethod
    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        """For the cards a player holds when asked: each decision and its expected net in base units, the best first.
        Raises ``BadInput`` with a sentence when the wager asks nothing or the hand has the wrong number of cards."""

    @abstractmethod
    def simple_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent
    ) -> SimpleStrategy:
        """The best strategy of a kind that a person can remember."""

    def simple_play(self, table: Table, progress: Progress = silent) -> Play:  # noqa: ARG002
        """That strategy as answers at a table, on any of its seats. Where nobody has taught it to answer, the best
        advice is followed instead."""
        return BestAdvice(table)

    @abstractmethod
    def advise(self, table: Table, seen: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """Every legal decision of a seat that is asked, with its value, from the cards that the seat may see."""


@dataclass(frozen=True)
class BestAdvice:
    """Always the answer that is worth the most, as the coach says; jackpots count without their meters."""

    table: Table

    def __call__(self, seen: View) -> Decision:
        seat = asked(seen).seat
        advice = pricer(self.table.facts.slug).advise(self.table, seen, seat, {})
        return max(advice, key=lambda one: one.value).decision


PRICERS: Final = "cardroom.pricers"
"""The entry points by which a package announces a faster way to price its game."""


@cache
def pricer(slug: str) -> Pricer:
    """Who prices a game: the house's own, one that a package brings, or the one that needs nothing but the rules."""
    found: Pricer = brought(slug, Own("pricer", "PRICER", PRICERS, "price games", "AnyGame"), Pricer)
    return found
