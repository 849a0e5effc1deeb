"""What each viewer of a round sees, in any game."""

from __future__ import annotations

import json
import re

from cardroom.cards import Card, parse_card
from cardroom.games import (
    DealerStep,
    Onlooker,
    Pile,
    Round,
    view,
    view_to_json,
)
from cardroom.games.view import Viewer, can_see
from cardroom_conformance.game_rounds import (
    MANY_SEEDS,
    every_game,
    game_features,
    sample_positions,
)
from cardroom_conformance.sample_rounds import play_random_round, positions

CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")


def players_and_public(position: Round) -> list[Viewer]:
    """Every viewer except the auditor, who sees all cards."""
    return [*position.seats, Onlooker.DEALER, Onlooker.DISPLAY]


@every_game
def test_a_viewer_sees_no_hidden_card(slug: str) -> None:
    looks = 0
    for position in sample_positions(slug):
        for viewer in players_and_public(position):
            looks += bool(position.piles)
            _check_visible_cards(position, viewer)
    assert looks


def _check_visible_cards(position: Round, viewer: Viewer) -> None:
    view_json = view_to_json(view(position, viewer))
    text = json.dumps([view_json["cards"], view_json["decisions"], view_json["turn"]])
    card_names = {parse_card(name) for name in CARD.findall(text)}
    visible = _visible_cards(position, viewer)
    assert card_names <= visible
    for place, pile in position.piles.items():
        assert len(view_json["cards"][str(place)]) == len(pile), "the backs of hidden cards are shown"


def _visible_cards(position: Round, viewer: Viewer) -> set[Card]:
    """The cards that are face up for the viewer, and the cards of decisions shown at the reveal."""
    visible = {
        visible_card
        for place, pile in position.piles.items()
        if can_see(position, place, viewer)
        for visible_card in pile
    }
    for (seat, _), decision in position.decisions.items():
        if position.has_taken_step(DealerStep.REVEAL) or seat == viewer:
            visible |= {visible_card for group in decision.groups for visible_card in group}
    return visible


@every_game
def test_hands_are_face_down_until_the_reveal_or_face_up_in_a_game_without_one(slug: str) -> None:
    hidden, open_ = 0, 0
    for position in sample_positions(slug):
        if any(position.has_taken_step(step) for step in (DealerStep.REVEAL, DealerStep.PAY_TREASURE)):
            continue
        for place in position.piles:
            for viewer in players_and_public(position):
                if place.seat != viewer and place.pile is not Pile.BURN:
                    hidden += not can_see(position, place, viewer)
                    open_ += can_see(position, place, viewer)
    if DealerStep.REVEAL in game_features(slug):
        assert hidden
        assert not open_
    else:
        assert open_
        assert not hidden


@every_game
def test_burned_cards_are_never_shown(slug: str) -> None:
    burned = 0
    for seed in MANY_SEEDS:
        for position in positions(slug, seed):
            for place in position.piles:
                if place.pile is Pile.BURN:
                    burned += 1
                    assert not any(can_see(position, place, viewer) for viewer in players_and_public(position))
    assert bool(burned) == (Pile.BURN in game_features(slug))


@every_game
def test_the_auditor_sees_everything(slug: str) -> None:
    end = play_random_round(slug, 2)
    assert view(end, Onlooker.AUDITOR).piles == end.piles
