"""Who sees what, decided here and nowhere else. A hidden card is not in the view at all, only its back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from cardroom.cards import Card
from cardroom.games.bets import Bets
from cardroom.games.decisions import Decision, Verb
from cardroom.games.frozen import FrozenMap
from cardroom.games.places import Place
from cardroom.games.round import Round
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn, Turn


class Onlooker(StrEnum):
    """Those who look on without a seat."""

    DEALER = "dealer"
    """Sees what lies face up."""
    DISPLAY = "display"
    """The public screen: the same."""
    AUDITOR = "auditor"
    """Surveillance after the fact: sees everything."""


Viewer: TypeAlias = int | Onlooker
"""A seat's number, or an onlooker."""

BACK = "??"


@dataclass(frozen=True, slots=True)
class View:
    """A round as one viewer may see it."""

    viewer: Viewer
    bets: Bets
    piles: Mapping[Place, tuple[Card | None, ...]]
    """None is the back of a card."""
    decisions: Mapping[tuple[int, str], Decision | Verb]
    """Only the verb where the cards that it speaks of are hidden."""
    turn: Turn
    """To others than the seat that is asked, the options stay empty when they would show cards."""


def view(round_: Round, viewer: Viewer) -> View:
    """What this viewer may see."""
    seen = {place for place in round_.dealt if sees(round_, place, viewer)}
    piles = {place: cards if place in seen else (None,) * len(cards) for place, cards in round_.dealt.items()}
    return View(
        viewer=viewer,
        bets=round_.bets,
        piles=FrozenMap(piles),
        decisions=FrozenMap(
            {
                key: decision if _may_know(round_, key, decision, viewer, seen) else decision.verb
                for key, decision in round_.decisions.items()
            }
        ),
        turn=_turn(round_, viewer),
    )


def sees(round_: Round, place: Place, viewer: Viewer) -> bool:
    """Whether the viewer sees the faces of the cards at a place."""
    if viewer is Onlooker.AUDITOR or round_.game.face_up(round_, place):
        return True
    return not isinstance(viewer, Onlooker) and place.seat == viewer and round_.game.owner_sees(round_, place)


def _may_know(round_: Round, key: tuple[int, str], decision: Decision, viewer: Viewer, seen: Collection[Place]) -> bool:
    seat, question = key
    if not decision.groups or viewer in (seat, Onlooker.AUDITOR):
        return True
    if round_.game.decision_public(round_, seat, question):
        return True
    open_cards = {card for place in seen if place.seat == seat for card in round_.dealt[place]}
    return open_cards.issuperset(card for group in decision.groups for card in group)


def _turn(round_: Round, viewer: Viewer) -> Turn:
    match round_.turn:
        case SeatTurn(seat, question, options) if viewer not in (seat, Onlooker.AUDITOR):
            return SeatTurn(seat, question, tuple(one for one in options if not one.groups))
        case ChanceTurn() | DealerTurn() | SeatTurn() | Over() as turn:
            return turn


def view_entry(one: View) -> dict[str, Any]:
    """A view as JSON; card backs are ``??``."""
    return {
        "viewer": one.viewer if isinstance(one.viewer, int) else str(one.viewer),
        "wagers": {str(seat): dict(spots) for seat, spots in one.bets.items()},
        "cards": {str(place): [str(card) if card else BACK for card in cards] for place, cards in one.piles.items()},
        "decisions": [
            {"seat": seat, "question": question, "answer": str(decision)}
            for (seat, question), decision in one.decisions.items()
        ],
        "turn": turn_entry(one.turn),
    }


def turn_entry(turn: Turn) -> dict[str, Any]:
    """A turn as JSON."""
    match turn:
        case ChanceTurn(place):
            return {"who": "chance", "place": str(place)}
        case SeatTurn(seat, question, options):
            return {"who": "seat", "seat": seat, "question": question, "options": [str(one) for one in options]}
        case DealerTurn(step):
            return {"who": "dealer", "step": str(step)}
        case Over():
            return {"who": "nobody"}
