"""What a seat's wagers are worth before a card is dealt: what the house edge predicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import hypot

from cardroom.games import Table
from cardroom.odds.answers import answer
from cardroom.odds.at_table import in_odds, settings_at
from cardroom.odds.pricer import Progress, Settings, pricer, silent
from cardroom.odds.question import Question


@dataclass(frozen=True, slots=True)
class Predicted:
    """The expected net result of some rounds, in cents, when each wager is played the best way for itself."""

    cents: Fraction
    standard_error: float | None
    """Of the cents, when something was simulated; None when they are exact."""


def predicted(
    table: Table,
    rounds: Iterable[tuple[Mapping[str, int], int]],
    meters: Mapping[str, int],
    progress: Progress = silent,
) -> Predicted:
    """For wagers by spot and how often they were made. Meters stand where they are; features that ride on a wager are
    not counted.

    >>> from cardroom.games import default_setup, game
    >>> prime = game("three-card-prime").open(default_setup("three-card-prime"))
    >>> float(predicted(prime, [({"ante-play": 10_00}, 100)], {}).cents) / 100  # doctest: +ELLIPSIS
    -28.95...
    """
    total, errors = Fraction(0), dict[str, float]()
    for wagers, times in rounds:
        for spot in wagers:
            odds = answer(question_for(table, wagers, spot, meters), progress=progress)
            assert odds.expected_return is not None, "every meter is known"
            total += odds.expected_return * wagers[spot] * times
            if odds.standard_error is not None:
                # One simulation stands behind all rounds of a wager: its error is the same in each of them.
                slug = table.spots[spot].wager.slug
                errors[slug] = errors.get(slug, 0.0) + odds.standard_error * wagers[spot] * times
    return Predicted(total, hypot(*errors.values()) if errors else None)


def question_for(table: Table, wagers: Mapping[str, int], spot: str, meters: Mapping[str, int]) -> Question:
    """What one of a seat's wagers is worth at this table, for the amount that lies there and beside what else does."""
    offered, cents = table.spots[spot], wagers[spot]
    slug = offered.wager.slug
    meter = Fraction(meters[spot], cents) if spot in meters else None
    return Question(table.facts.slug, slug, in_odds(offered.paytable, cents), _settings(table, wagers, spot), meter)


def _settings(table: Table, wagers: Mapping[str, int], spot: str) -> Settings:
    """The table's own, or those that another wager of the seat brings about when it is as large (TS-3)."""
    slug, pricing = table.spots[spot].wager.slug, pricer(table.facts.slug)
    for settings in pricing.settings(slug):
        beside = pricing.beside(slug, settings)
        if beside is not None and wagers.get(beside.wager, 0) >= wagers[spot]:
            return settings
    return settings_at(table, slug)
