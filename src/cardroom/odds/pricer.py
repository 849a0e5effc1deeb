"""The pricer of each game: its odds, its coach, and its policies.

Built-in pricers are in the folders of the games; entry points announce those of installed packages. A policy makes the
decisions of a seat from what the seat may see. A coach gives the value of each decision.
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
    """Where to find the implementation for a game."""

    module: str
    """In the folder of a built-in game."""
    name: str
    """Its name in the module."""
    group: str
    """The group of entry points in which a package announces it."""
    capability: str
    """What it must do, as part of an error sentence."""
    generic_module: str
    generic_class: str
    """The class for any game, which needs only the rules, and its module in ``cardroom.odds.generic``."""


def load_plugin(slug: str, spec: PluginSpec, kind: type) -> Any:
    """The implementation for a game: built in, from a package, or the generic one, which needs only the rules."""
    rules = game(slug)  # raises an error for an unknown game
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
"""Makes a seat's decision from its view. A policy can be sent to another process (``pickle``)."""


class NothingToDecide(BadInput):
    """The seat has nothing to decide, so there is no advice and no decision."""


def require_turn(view: View) -> SeatTurn:
    """The turn of the viewer's seat. Raises ``NothingToDecide`` when it is not this seat's turn."""
    if not isinstance(view.turn, SeatTurn) or view.turn.seat != view.viewer:
        raise NothingToDecide("It is not this seat's turn. Ask for advice with the view of the seat that decides now.")
    return view.turn


def seat_cards(view: View, *piles: Pile) -> tuple[Card, ...]:
    """The face-up cards of the seat whose turn it is, pile after pile."""
    seat = require_turn(view).seat
    return tuple(card for pile in piles for card in view.piles.get(Place(pile, seat), ()) if card is not None)


Settings: TypeAlias = Mapping[str, Setting]
Progress: TypeAlias = Callable[[str, float], None]
"""Receives the name of the task and the part that is done, from 0 to 1."""


def ignore_progress(task: str, fraction: float) -> None:
    """Discard progress."""


@dataclass(frozen=True, slots=True)
class PricedWager:
    """The outcomes of one wager: exact under the best strategy, or simulated."""

    outcomes: tuple[WagerOutcome, ...]
    initial_wager: int = 1
    simulated_rounds: int | None = None
    notes: tuple[str, ...] = ()
    policy: str = ""
    """How the player decides, if that is not proved to be the best strategy."""


class Advice(NamedTuple):
    """A legal decision and its value: the expected net result, in cents, of the stakes that depend on it."""

    decision: Decision
    value: Fraction
    standard_error: float | None = None
    """Of a simulated value; None for an exact one."""


class StrategyRule(NamedTuple):
    """One line of a strategy that a person can remember."""

    text: str


class BasicStrategy(NamedTuple):
    """A strategy that a person can remember, found by search, with its cost against the best strategy."""

    rules: tuple[StrategyRule, ...]
    expected_return: Fraction
    best_return: Fraction
    simulated_rounds: int | None = None
    standard_error: float | None = None
    """Of a simulated cost."""
    policy: str = ""
    """The policy of ``best_return``, if it is not proved to be the best strategy."""

    @property
    def cost(self) -> Fraction:
        """Base units lost per round against the best strategy, or against ``policy``."""
        return self.best_return - self.expected_return

    @property
    def baseline_text(self) -> str:
        """What the strategy is compared with, as the subject of a sentence."""
        return f"{self.policy}," if self.policy else "the best play"


class LinkedWager(NamedTuple):
    """Another wager that the player must make for a combination of options to occur."""

    wager: str
    text: str


class Pricer(ABC):
    """The odds of one game."""

    game: ClassVar[str]

    @abstractmethod
    def settings(self, wager: str) -> tuple[Settings, ...]:
        """Every combination of options that changes the figures of a wager, the usual one first. A wager whose figures
        depend on no option has one empty combination."""

    def linked_wager(self, wager: str, settings: Settings) -> LinkedWager | None:  # noqa: ARG002
        """The other wager without which these options of a wager cannot occur."""
        return None

    @abstractmethod
    def price(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> PricedWager:
        """The outcomes of the wager under the best strategy. The counts do not depend on the number of threads."""

    @abstractmethod
    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        """Each decision for a hand and its expected net result in base units, the best first. Raises ``BadInput`` if
        the wager needs no decision or the hand has the wrong number of cards."""

    @abstractmethod
    def basic_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> BasicStrategy:
        """The best strategy of a kind that a person can remember."""

    def basic_policy(self, table: Table, progress: Progress = ignore_progress) -> Policy:  # noqa: ARG002
        """That strategy as a policy for any seat of a table. A pricer without one follows the best advice instead."""
        return BestAdvice(table)

    @abstractmethod
    def advise(self, table: Table, view: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """Every legal decision of the seat whose turn it is, with its value, from the cards that the seat may see."""


@dataclass(frozen=True)
class BestAdvice:
    """Always makes the decision with the highest value by the coach. Jackpots count without their meters."""

    table: Table

    def __call__(self, view: View) -> Decision:
        seat = require_turn(view).seat
        advice = pricer(self.table.facts.slug).advise(self.table, view, seat, {})
        return max(advice, key=lambda option: option.value).decision


PRICERS: Final = "cardroom.pricers"
"""The group of entry points in which a package announces a faster pricer for its game."""


@cache
def pricer(slug: str) -> Pricer:
    """The pricer of a game: built in, from a package, or the generic one, which needs only the rules."""
    plugin: Pricer = load_plugin(
        slug, PluginSpec("pricer", "PRICER", PRICERS, "price games", "pricer", "GenericPricer"), Pricer
    )
    return plugin


def advise(table: Table, view: View, meters: Mapping[str, int] | None = None) -> tuple[Advice, ...]:
    """Every legal decision of the seat whose turn it is, with its value in cents, from what that seat may see.

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
    >>> [(str(option.decision), round(float(option.value))) for option in advise(rules.open(setup), view(position, 1))]
    [('play', -991), ('fold', -1000)]
    """
    return pricer(table.facts.slug).advise(table, view, require_turn(view).seat, meters or {})
