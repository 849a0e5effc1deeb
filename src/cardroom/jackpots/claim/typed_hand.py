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
from cardroom.games import Game, Place, Round, Table, game
from cardroom.games.actions import Deal, Decide, TakeStep
from cardroom.games.decisions import Decision, NotAllowed, Verb
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn


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


_QUICK: Final = (Verb.FOLD, Verb.SURRENDER, Verb.STAND)
"""Answers that end a round soonest."""


def typed_round(table: Table, typed: TypedHand) -> Round:
    """Play the shortest round with these cards to its end."""
    jackpots = [slug for slug, offered in table.offered.items() if offered.wager.jackpot]
    if typed.wager not in jackpots:
        raise BadHand(f"This table has no jackpot wager {quoted(typed.wager)}: it has {', '.join(jackpots) or 'none'}.")
    rules = game(table.facts.slug)
    return _Typed(rules, typed).played(rules.begin(table, {typed.seat: _wagers(table, typed)}))


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

    def __init__(self, rules: Game, typed: TypedHand) -> None:
        self.rules = rules
        self.typed = typed
        self.known = {name: cards(text) for name, text in typed.cards.items()}
        self.cards = {name: list(pile) for name, pile in self.known.items()}

    def played(self, round_: Round) -> Round:
        while not isinstance(round_.turn, Over):
            match round_.turn:
                case ChanceTurn(place):
                    round_ = round_.apply(Deal(self._card(round_, place)))
                case SeatTurn() as turn:
                    round_ = round_.apply(Decide(turn.seat, self._answer(turn)))
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
        if name in self.rules.looks_at.get(self.typed.wager, (name,)):
            raise BadHand(f"A card is missing at {quoted(name)}: {self.typed.wager} looks at it.")
        typed = Counter(card for pile in self.cards.values() for card in pile)
        return next(card for card, _ in round_.outcomes() if not typed[card])

    def _answer(self, turn: SeatTurn) -> Decision:
        if turn.question in self.typed.decisions:
            return Decision.parse(self.typed.decisions[turn.question])
        try:
            shown = self.rules.shown_answer(turn, self.known)
        except NotAllowed as fault:
            raise BadHand(str(fault)) from None
        return shown or next((option for option in turn.options if option.verb in _QUICK), turn.options[0])
