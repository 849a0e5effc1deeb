"""What the payments of Dueling for Dollars hang on."""

from __future__ import annotations

from cardroom.games.decisions import Verb
from cardroom.games.needs import Needs
from cardroom.games.places import COMMUNITY, Pile, Place
from cardroom.games.round import Round
from cardroom.games.settlement import Payment


def needs(r: Round, payment: Payment) -> Needs:
    """The first two cards, those of the war for who went to it, and for 2 + 2 the two that are added (DD-6)."""
    first = (Place(Pile.HAND, payment.seat), COMMUNITY)
    war = (Place(Pile.WAR, payment.seat), Place(Pile.WAR_COMMUNITY))
    match payment.spot, payment.event:
        case (("tie-plus" | "combo"), _):
            return Needs(first)
        case "two-plus-two", event:
            return Needs(first if event == "no-starting-hand" else (*first, Place(Pile.ADDED_COMMUNITY)))
        case _:
            return Needs((*first, *war) if r.said(payment.seat, "tie", Verb.WAR) else first, ("tie",))
