"""Rounds of every installed game for the conformance tests, and the features that a game shows in its rounds.

The kit contains no name of a game. Random and rigged rounds show the features of a game (decisions, piles, steps of the
dealer, wagers with a meter), and a test fails if no round has the feature that it tests.
"""

from __future__ import annotations

from functools import cache

import pytest

from cardroom.games import (
    DealerStep,
    Decision,
    Payment,
    Pile,
    Round,
    SeatTurn,
    Verb,
    game,
    game_slugs,
)
from cardroom.games.actions import DealerTurn
from cardroom_conformance.sample_rounds import METER, meter_rounds, play_random_round, positions

every_game = pytest.mark.parametrize("slug", game_slugs())
FEW_SEEDS = range(4)
MANY_SEEDS = range(60)


@cache
def ends(slug: str) -> tuple[Round, ...]:
    """Finished rounds: random ones, and rigged ones in which meters pay."""
    return (*(play_random_round(slug, seed) for seed in MANY_SEEDS), *(end for _, end in meter_rounds(slug).wins))


@cache
def sample_positions(slug: str) -> tuple[Round, ...]:
    """Every position of a few rounds from the wagers to the end, and of further rounds until every decision occurs."""
    rounds: list[Round] = []
    verbs: set[Verb] = set()
    for seed in MANY_SEEDS:
        new = {decision.verb for decision in play_random_round(slug, seed).decisions.values()} - verbs
        if seed in FEW_SEEDS or new:
            verbs |= new
            rounds += positions(slug, seed)
    return tuple(rounds)


@cache
def game_features(slug: str) -> frozenset[Verb | Pile | DealerStep]:
    """The features of a game: every decision that it offers in some round, every pile, and every step of the dealer."""
    features: set[Verb | Pile | DealerStep] = set()
    for seed in MANY_SEEDS:
        for position in positions(slug, seed):
            features |= {place.pile for place in position.piles}
            match position.turn:
                case SeatTurn(_, _, options):
                    features |= {option.verb for option in options}
                case DealerTurn(step):
                    features.add(step)
    return frozenset(features)


def decisions_with(end: Round, verb: Verb) -> list[tuple[int, Decision]]:
    """The decisions with this verb, and their seats."""
    return [(seat, decision) for (seat, _), decision in end.decisions.items() if decision.verb is verb]


def main_wager_payments(end: Round, seat: int) -> list[Payment]:
    """The payments of a seat's first wager of the game, and of the wagers that followed it."""
    main = end.table.facts.wagers[0]
    payments = game(end.table.facts.slug).settle(end, meters(end)).seat_payments(seat)
    return [payment for payment in payments if end.table.spots[payment.spot].wager is main and payment.wagered]


def main_wagers_after(slug: str, verb: Verb) -> list[tuple[Round, list[Payment]]]:
    """The finished rounds with this decision, each with the payments of that seat's main wager. Fails if the game has
    the decision and no round contains it."""
    rounds = [(end, main_wager_payments(end, seat)) for end in ends(slug) for seat, _ in decisions_with(end, verb)]
    assert bool(rounds) == (verb in game_features(slug))
    return rounds


def meters(end: Round, cents: int = METER) -> dict[str, int]:
    return {spot: cents for spot, offered in end.table.spots.items() if offered.has_meter}
