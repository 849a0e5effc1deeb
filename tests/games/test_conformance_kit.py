"""The games of Cardroom together give the conformance kit everything that a game can have."""

from __future__ import annotations

from cardroom.games import DealerStep, Pile, Verb, game_slugs
from cardroom_conformance.game_rounds import game_features
from cardroom_conformance.sample_rounds import meter_rounds


def test_every_verb_pile_and_dealer_step_belongs_to_a_game() -> None:
    features = frozenset[Verb | Pile | DealerStep]().union(*map(game_features, game_slugs()))
    assert features >= {*Verb, *Pile, *DealerStep}


def test_some_games_have_meters() -> None:
    assert sum(bool(meter_rounds(slug).wagers) for slug in game_slugs()) > 1


def test_some_games_are_dealt_face_down_and_some_face_up() -> None:
    assert {DealerStep.REVEAL in game_features(slug) for slug in game_slugs()} == {True, False}
