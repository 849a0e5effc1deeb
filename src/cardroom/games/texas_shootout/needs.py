"""What the payments of Texas Shootout hang on."""

from __future__ import annotations

from cardroom.games.needs import Needs
from cardroom.games.places import COMMUNITY, DEALER_HAND, Pile, Place
from cardroom.games.round import Round
from cardroom.games.settlement import Payment


def needs(r: Round, payment: Payment) -> Needs:  # noqa: ARG001
    """The two cards that a player keeps are named by the answer; only Quick Draw looks at all four. A prize for another
    player's hand hangs on that player's answer too."""
    match payment.spot:
        case "quick-draw":
            return Needs((Place(Pile.HAND, payment.seat),))
        case "shootout":
            return Needs((DEALER_HAND, COMMUNITY), ("hand",))
        case spot:
            seats = tuple(dict.fromkeys(seat for seat in (payment.seat, payment.hand_of) if seat is not None))
            return Needs((COMMUNITY,), ("hand", "bonus") if spot == "shootout-bonus" else ("hand",), seats)
