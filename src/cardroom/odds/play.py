"""A play: a strategy that answers by itself, from what the seat that is asked may see."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cardroom.cards import Card
from cardroom.faults import BadInput
from cardroom.games import Decision, Pile, Place, SeatTurn, View

Play: TypeAlias = Callable[[View], Decision]
"""It can be sent to another process (``pickle``)."""


class NotAsked(BadInput):
    """Advice or an answer for a seat that has nothing to decide."""


def asked(seen: View) -> SeatTurn:
    """The question that the viewer has to answer."""
    if not isinstance(seen.turn, SeatTurn) or seen.turn.seat != seen.viewer:
        raise NotAsked("Advice is for the seat that has to decide, from its own view; this one is not asked now.")
    return seen.turn


def own_cards(seen: View, *piles: Pile) -> tuple[Card, ...]:
    """The cards of the seat that is asked, pile after pile; those that lie face down are left out."""
    seat = asked(seen).seat
    return tuple(card for pile in piles for card in seen.piles.get(Place(pile, seat), ()) if card is not None)
