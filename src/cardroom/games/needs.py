"""What a payment hangs on: the cards that it looks at, and the answers. Nobody has to type anything else."""

from __future__ import annotations

from typing import NamedTuple

from cardroom.games.places import Pile, Place
from cardroom.games.round import Round
from cardroom.games.settlement import Payment


class Needs(NamedTuple):
    """What must be known of a round before a payment is certain."""

    places: tuple[Place, ...] = ()
    """Where the cards lie that it looks at. Cards that an answer names are known with the answer."""
    questions: tuple[str, ...] = ()
    """The questions on whose answers it hangs."""
    seats: tuple[int, ...] = ()
    """Whose answers; the seat's own when nobody is named."""


def everything(r: Round, payment: Payment) -> Needs:
    """What a payment hangs on in a game that does not say it: all cards of the seat and of the table but those that are
    burnt, and all answers of the seat."""
    seats = tuple(dict.fromkeys(seat for seat in (payment.seat, payment.hand_of) if seat is not None))
    places = tuple(place for place in r.dealt if place.seat in (None, *seats) and place.pile is not Pile.BURN)
    questions = tuple(dict.fromkeys(question for seat, question in r.decisions if seat in seats))
    return Needs(places, questions, seats)
