"""What the payments of Deuces Wild hang on."""

from __future__ import annotations

from cardroom.games.needs import Needs
from cardroom.games.places import COMMUNITY, Pile, Place
from cardroom.games.round import Round
from cardroom.games.settlement import Payment


def needs(r: Round, payment: Payment) -> Needs:  # noqa: ARG001
    """The cards of Appendices A to D. Who folds shows none (rules 21 and 22)."""
    hand = Place(Pile.HAND, payment.seat)
    five = (hand, Place(Pile.FOURTH, payment.seat), Place(Pile.FIFTH, payment.seat))
    match payment.spot, payment.event:
        case "ante-play-raise", event:
            return Needs(() if event == "fold" else five, ("play", "raise"))
        case "three-card-treasure", _:
            return Needs((hand,))
        case "five-card-fortune", _:
            return Needs((COMMUNITY,), ("fortune",))
        case _:
            return Needs(five)
