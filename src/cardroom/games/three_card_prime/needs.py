"""What the payments of Three Card Prime hang on."""

from __future__ import annotations

from cardroom.games.needs import Needs
from cardroom.games.places import DEALER_HAND, Pile, Place
from cardroom.games.round import Round
from cardroom.games.settlement import Payment


def needs(r: Round, payment: Payment) -> Needs:  # noqa: ARG001
    """The cards of Appendices A to F."""
    hand, fourth = Place(Pile.HAND, payment.seat), Place(Pile.FOURTH, payment.seat)
    match payment.spot, payment.event:
        case "ante-play", "fold":
            return Needs((), ("play",))
        case "ante-play", _:
            return Needs((hand, DEALER_HAND), ("play",))
        # Red and black cards lose whatever the dealer has, and below a straight nobody looks at the fourth card.
        case ("prime", "other") | ("final-four", "below-straight"):
            return Needs((hand,))
        case (("prime" | "all-six"), _):
            return Needs((hand, DEALER_HAND))
        case (("pair-bonus" | "final-four"), _):
            return Needs((hand, fourth))
        case _:
            return Needs((hand, fourth, DEALER_HAND))
