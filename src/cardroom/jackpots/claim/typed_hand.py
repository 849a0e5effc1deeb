"""A hand that a dealer types in, made into the shortest round in which it occurs, so that the rules can judge it.

Cards that cannot matter for the jackpot wager are filled in; those that can must be typed.

>>> from cardroom.games import default_setup, game
>>> typed = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"})
>>> played = typed_round(game("three-card-prime").open(default_setup("three-card-prime")), typed)
>>> [payment.event for payment in played.game.settle(played).payments if payment.spot == "final-four"]
['four-card-diamond-royal']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from cardroom.cards import Card, cards
from cardroom.faults import BadInput, quoted
from cardroom.games import (
    ChanceTurn,
    Deal,
    DealerTurn,
    Decide,
    Decision,
    Over,
    Pile,
    Place,
    Round,
    SeatTurn,
    Table,
    TakeStep,
    Verb,
    game,
)
from cardroom.games.actions import COMMUNITY, DEALER_HAND


class BadHand(BadInput):
    """A hand that cannot be judged as it was typed."""


@dataclass(frozen=True, slots=True)
class TypedHand:
    """One player's cards. Places are ``hand``, ``fourth``, ``fifth`` and ``war`` for the player's own cards, and
    ``dealer``, ``community``, ``war community`` and ``added community`` for the table's."""

    wager: str
    wagered: int
    """On the jackpot, in cents."""
    cards: Mapping[str, str]
    decisions: Mapping[str, str] = field(default_factory=dict)
    """By question, such as ``hand``: ``split As Ks | Qd Qc``, where the hand depends on them."""
    seat: int = 1


# The cards that a jackpot wager looks at; all others may be any. The two cards that a Texas Shootout player keeps are
# asked for by the decision.
_LOOKED_AT: Final[Mapping[str, tuple[str, ...]]] = {
    "bonus-jackpot": (Pile.HAND, Pile.FOURTH, Pile.FIFTH),
    "final-four": (Pile.HAND, Pile.FOURTH),
    "all-seven": (Pile.HAND, Pile.FOURTH, str(DEALER_HAND)),
    "jackpot": (str(COMMUNITY),),
    "tie-after-tie": (Pile.HAND, str(COMMUNITY), Pile.WAR, str(Place(Pile.WAR_COMMUNITY))),
    "two-plus-two": (Pile.HAND, str(COMMUNITY), str(Place(Pile.ADDED_COMMUNITY))),
    "super-3s": (Pile.HAND,),
    "super-six": (Pile.HAND,),
}
_QUICK: Final = (Verb.FOLD, Verb.SURRENDER, Verb.STAND)
"""Answers that end a round soonest; no jackpot wager hangs on them once the war cards are out."""


def typed_round(table: Table, typed: TypedHand) -> Round:
    """Play the shortest round with these cards to its end."""
    if typed.wager not in table.offered or typed.wager not in _LOOKED_AT:
        offered = ", ".join(slug for slug in table.offered if slug in _LOOKED_AT) or "none"
        raise BadHand(f"This table has no jackpot wager {quoted(typed.wager)}: it has {offered}.")
    rules = game(table.facts.slug)
    return _Typed(typed).played(rules.begin(table, {typed.seat: _wagers(table, typed)}))


def _wagers(table: Table, typed: TypedHand) -> dict[str, int]:
    """The jackpot wager, and the smallest wagers that a player must make besides."""
    wagers = {
        next(spot for spot, one in table.spots.items() if one is offered): offered.limits.minimum
        for offered in table.offered.values()
        if offered.wager.required
    }
    return wagers | {typed.wager: typed.wagered}


class _Typed:
    """Feeds typed cards to the rules, and any card where none matters."""

    def __init__(self, typed: TypedHand) -> None:
        self.typed = typed
        self.cards = {name: list(cards(text)) for name, text in typed.cards.items()}

    def played(self, round_: Round) -> Round:
        while not isinstance(round_.turn, Over):
            match round_.turn:
                case ChanceTurn(place):
                    round_ = round_.apply(Deal(self._card(round_, place)))
                case SeatTurn(seat, question, options):
                    round_ = round_.apply(Decide(seat, self._answer(question, options)))
                case DealerTurn(step):
                    round_ = round_.apply(TakeStep(step))
        left = [name for name, pile in self.cards.items() if pile]
        if left:
            raise BadHand(f"Too many cards were typed: the round has no place for those left at {', '.join(left)}.")
        return round_

    def _card(self, round_: Round, place: Place) -> Card:
        name = str(place) if place.seat is None else str(place.pile)
        if self.cards.get(name):
            return self.cards[name].pop(0)
        if name in _LOOKED_AT[self.typed.wager]:
            raise BadHand(f"A card is missing at {quoted(name)}: {self.typed.wager} looks at it.")
        typed = Counter(card for pile in self.cards.values() for card in pile)
        return next(card for card, _ in round_.outcomes() if not typed[card])

    def _answer(self, question: str, options: tuple[Decision, ...]) -> Decision:
        if question in self.typed.decisions:
            return Decision.parse(self.typed.decisions[question])
        verbs = {option.verb for option in options}
        if Verb.KEEP in verbs:
            kept = cards(self.typed.cards.get("hand", ""))
            if len(kept) != 2:
                raise BadHand("Type the two cards that were kept as the hand, or all four and how they were played.")
            return Decision(Verb.KEEP, (kept,))
        if Verb.WAR in verbs and self.cards.get(Pile.WAR):
            return Decision(Verb.WAR)
        return next((option for option in options if option.verb in _QUICK), options[0])
