"""What the odds ask of each game: its pricer, its coach, and its policies, from the house or from a package.

The house's are in the folders of the games; those of packages are found by entry points. A policy decides by itself,
from what the seat may see. A coach says what each decision is worth to the seat.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from cardroom.cards import Card
from cardroom.errors import BadInput
from cardroom.games import Decision, Pile, Place, SeatTurn, Table, View
from cardroom.games.registry import built_in_folder, game
from cardroom.odds.result import Setting, WagerOutcome
from cardroom.paytables import Paytable
from cardroom.plugins import find_plugin


class PluginSpec(NamedTuple):
    """Where it is looked for."""

    module: str
    """In the folder of a game of the house."""
    name: str
    """What the module calls it."""
    group: str
    """The entry points by which a package announces it."""
    capability: str
    """What it must be able to do, in words."""
    generic_module: str
    generic_class: str
    """The class that does it for any game, by the rules alone, and its module in ``cardroom.odds.generic``."""


def load_plugin(slug: str, spec: PluginSpec, kind: type) -> Any:
    """What a game brings: the house's own, what a package brings, or what needs nothing but the rules."""
    rules = game(slug)  # refuses a game that does not exist
    slug = rules.facts.slug
    folder = built_in_folder(slug)
    if folder is not None:
        plugin = getattr(import_module(f"cardroom.odds.{folder}.{spec.module}"), spec.name)
        assert isinstance(plugin, kind)
        return plugin
    package = find_plugin(spec.group, slug)
    if package is None:
        return getattr(import_module(f"cardroom.odds.generic.{spec.generic_module}"), spec.generic_class)(rules)
    loaded = package.load()
    if not isinstance(loaded, kind):
        raise package.error(f"{package.module}:{package.name} does not {spec.capability}")
    return loaded


Policy: TypeAlias = Callable[[View], Decision]
"""It can be sent to another process (``pickle``)."""


class NothingToDecide(BadInput):
    """Advice or an answer for a seat that has nothing to decide."""


def require_turn(view: View) -> SeatTurn:
    """The question that the viewer has to answer."""
    if not isinstance(view.turn, SeatTurn) or view.turn.seat != view.viewer:
        raise NothingToDecide(
            "Advice is for the seat that has to decide, from its own view; this one is not asked now."
        )
    return view.turn


def seat_cards(view: View, *piles: Pile) -> tuple[Card, ...]:
    """The cards of the seat that is asked, pile after pile; those that lie face down are left out."""
    seat = require_turn(view).seat
    return tuple(card for pile in piles for card in view.piles.get(Place(pile, seat), ()) if card is not None)


Settings: TypeAlias = Mapping[str, Setting]
Progress: TypeAlias = Callable[[str, float], None]
"""Told what is being done and how much of it, from 0 to 1."""


def ignore_progress(task: str, fraction: float) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class PricedWager:
    """How one wager can end: exactly under the best play, or as simulated."""

    outcomes: tuple[WagerOutcome, ...]
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


class StrategyRule(NamedTuple):
    """One line of a strategy that a person can remember."""

    text: str


class BasicStrategy(NamedTuple):
    """A strategy for people, found by the program, and what it costs against the best play."""

    rules: tuple[StrategyRule, ...]
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
    def baseline_text(self) -> str:
        """The play that the strategy is compared with, as the subject of a sentence."""
        return f"{self.policy}," if self.policy else "the best play"


class LinkedWager(NamedTuple):
    """Another wager that a player makes for a setting to arise."""

    wager: str
    text: str


class Pricer(ABC):
    """The odds of one game."""

    game: ClassVar[str]

    @abstractmethod
    def settings(self, wager: str) -> tuple[Settings, ...]:
        """Every combination of options that changes the figures of a wager; the first is the usual one. A wager whose
        figures depend on no option has the one empty combination."""

    def linked_wager(self, wager: str, settings: Settings) -> LinkedWager | None:  # noqa: ARG002
        """The other wager without which these settings of a wager cannot arise."""
        return None

    @abstractmethod
    def price(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> PricedWager:
        """How the wager ends under the best play; counts do not depend on how many threads counted."""

    @abstractmethod
    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        """For the cards a player holds when asked: each decision and its expected net in base units, the best first.
        Raises ``BadInput`` with a sentence when the wager asks nothing or the hand has the wrong number of cards."""

    @abstractmethod
    def basic_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> BasicStrategy:
        """The best strategy of a kind that a person can remember."""

    def basic_policy(self, table: Table, progress: Progress = ignore_progress) -> Policy:  # noqa: ARG002
        """That strategy as answers at a table, on any of its seats. Where nobody has taught it to answer, the best
        advice is followed instead."""
        return BestAdvice(table)

    @abstractmethod
    def advise(self, table: Table, view: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """Every legal decision of a seat that is asked, with its value, from the cards that the seat may see."""


@dataclass(frozen=True)
class BestAdvice:
    """Always the answer that is worth the most, as the coach says; jackpots count without their meters."""

    table: Table

    def __call__(self, view: View) -> Decision:
        seat = require_turn(view).seat
        advice = pricer(self.table.facts.slug).advise(self.table, view, seat, {})
        return max(advice, key=lambda option: option.value).decision


PRICERS: Final = "cardroom.pricers"
"""The entry points by which a package announces a faster way to price its game."""


@cache
def pricer(slug: str) -> Pricer:
    """Who prices a game: the house's own, one that a package brings, or the one that needs nothing but the rules."""
    plugin: Pricer = load_plugin(
        slug, PluginSpec("pricer", "PRICER", PRICERS, "price games", "pricer", "GenericPricer"), Pricer
    )
    return plugin


def advise(table: Table, view: View, meters: Mapping[str, int] | None = None) -> tuple[Advice, ...]:
    """Every legal decision of the seat that is asked, with its value in cents, from what that seat may see.

    >>> from cardroom.games import default_setup, game, round_from_json, view
    >>> from cardroom.games.setup import setup_to_json
    >>> rules = game("three-card-prime")
    >>> setup = default_setup("three-card-prime")
    >>> position = round_from_json({
    ...     "table": setup_to_json(setup),
    ...     "wagers": {"1": {"ante-play": 1000}},
    ...     "cards": {"seat 1 hand": ["Qh", "6d", "4c"], "seat 1 fourth": ["2s"], "burn": ["9c"],
    ...               "dealer": ["Kd", "8c", "5h"]},
    ... })
    >>> [(str(one.decision), round(float(one.value))) for one in advise(rules.open(setup), view(position, 1))]
    [('play', -991), ('fold', -1000)]
    """
    return pricer(table.facts.slug).advise(table, view, require_turn(view).seat, meters or {})
