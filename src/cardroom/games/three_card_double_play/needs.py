"""What the payments of 3 Card Double Play Poker hang on."""

from __future__ import annotations

from cardroom.games.needs import Needs
from cardroom.games.places import DEALER_HAND, Pile, Place
from cardroom.games.round import Round
from cardroom.games.settlement import Payment


def needs(r: Round, payment: Payment) -> Needs:  # noqa: ARG001
    """The answer names both hands as they were set; the bonus wagers look at the six cards, however they were set
    (DP-3)."""
    if payment.spot == "high-low":
        return Needs((DEALER_HAND,), ("set", "double"))
    return Needs((Place(Pile.HAND, payment.seat),))
