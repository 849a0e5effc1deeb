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
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cardroom.cards import Card, parse_cards
from cardroom.errors import BadInput, quote
from cardroom.games import Game, Place, Round, Table, game
from cardroom.games.actions import (
    ChanceTurn,
    Deal,
    DealerTurn,
    Decide,
    Decision,
    IllegalAction,
    RoundEnd,
    SeatTurn,
    TakeStep,
    Verb,
)


class BadHand(BadInput):
    """A hand that cannot be judged as it was typed."""


@dataclass(frozen=True, slots=True)
class TypedHand:
    """One player's cards. Places are ``hand``, ``fourth``, ``fifth`` and ``war`` for the player's own cards, and
    ``dealer``, ``community``, ``war community`` and ``added community`` for the table's."""

    wager: str
    wagered: int
    """On the jackpot, in cents; 0 for a player without a wager on it, whose hand may still win for others."""
    cards: Mapping[str, str]
    decisions: Mapping[str, str] = field(default_factory=dict)
    """By question, such as ``hand``: ``split As Ks | Qd Qc``, where the hand depends on them."""
    seat: int = 1


OF_A_PLAYER: Final = ("hand", "fourth", "fifth", "war")
OF_THE_TABLE: Final = ("dealer", "community", "war community", "added community")
_QUICK: Final = (Verb.FOLD, Verb.SURRENDER, Verb.STAND)
"""Answers that end a round soonest."""


def typed_entry(table: Mapping[str, Any], typed: TypedHand, others: Mapping[int, int]) -> dict[str, Any]:
    """The record of a hand at a table with this set-up: what was typed, and the jackpot wagers that were counted at
    other seats. Everything else is not known, and stands nowhere."""
    wagered = {**others, typed.seat: typed.wagered}
    return {
        "table": dict(table),
        "wagers": {str(seat): _on_the_jackpot(typed.wager, wagered[seat]) for seat in sorted(wagered)},
        "cards": {
            _place(name, typed.seat): [str(card) for card in parse_cards(text)] for name, text in typed.cards.items()
        },
        "decisions": [
            {"seat": typed.seat, "question": question, "answer": str(Decision.parse(answer))}
            for question, answer in typed.decisions.items()
        ],
    }


def _on_the_jackpot(wager: str, wagered: int) -> dict[str, int]:
    return {wager: wagered} if wagered else {}


def _place(name: str, seat: int) -> str:
    if name in OF_THE_TABLE:
        return name
    if name not in OF_A_PLAYER:
        known = ", ".join((*OF_A_PLAYER, *OF_THE_TABLE))
        raise BadHand(f"{quote(name)} is no place for cards: write {known}.")
    return f"seat {seat} {name}"


def play_typed(table: Table, record: Mapping[str, Any], seat: int, wager: str) -> Round:
    """Play the shortest round with the hand that a record like ``typed_entry`` holds."""
    own = f"seat {seat} "
    typed = TypedHand(
        wager,
        record["wagers"][str(seat)].get(wager, 0),
        {name.removeprefix(own): " ".join(pile) for name, pile in record["cards"].items()},
        {one["question"]: one["answer"] for one in record["decisions"]},
        seat,
    )
    others = {int(one): spots[wager] for one, spots in record["wagers"].items() if int(one) != seat}
    return typed_round(table, typed, others)


def typed_round(table: Table, typed: TypedHand, others: Mapping[int, int] | None = None) -> Round:
    """Play the shortest round with these cards to its end. ``others`` are the other seats' wagers on the jackpot; their
    cards are not known, so nothing that they would win counts."""
    hand = _Typed(game(table.facts.slug), typed)
    end = hand.played(_begun(table, typed, others or {}))
    if left := hand.left:
        raise BadHand(f"Too many cards were typed: the round has no place for those left at {', '.join(left)}.")
    return end


def dealt_for(table: Table, typed: TypedHand) -> TypedHand:
    """The same hand without cards of the table that were dealt for somebody else: of a round of which everything was
    typed not all has to do with one hand.

    >>> from cardroom.games import default_setup, game
    >>> duel = game("dueling-for-dollars").open(default_setup("dueling-for-dollars"))
    >>> parse_cards = {"hand": "Kd", "community": "Kh", "war community": "9c"}
    >>> dict(dealt_for(duel, TypedHand("tie-after-tie", 100, parse_cards, {"tie": "surrender"})).cards)
    {'hand': 'Kd', 'community': 'Kh'}
    """
    hand = _Typed(game(table.facts.slug), typed)
    hand.played(_begun(table, typed, {}))
    others = [name for name in hand.left if name in OF_THE_TABLE and len(hand.cards[name]) == len(hand.known[name])]
    return replace(typed, cards={name: text for name, text in typed.cards.items() if name not in others})


def _begun(table: Table, typed: TypedHand, others: Mapping[int, int]) -> Round:
    jackpots = [slug for slug, offered in table.offers.items() if offered.wager.jackpot]
    if typed.wager not in jackpots:
        raise BadHand(f"This table has no jackpot wager {quote(typed.wager)}: it has {', '.join(jackpots) or 'none'}.")
    wagered = {**others, typed.seat: typed.wagered}
    wagers = {seat: _wagers(table, typed.wager, wagered[seat]) for seat in sorted(wagered)}
    return game(table.facts.slug).begin(table, wagers)


def _wagers(table: Table, wager: str, wagered: int) -> dict[str, int]:
    """The jackpot wager, and the smallest wagers that a player must make besides."""
    wagers = {
        next(spot for spot, one in table.spots.items() if one is offered): offered.limits.minimum
        for offered in table.offers.values()
        if offered.wager.required
    }
    return wagers | _on_the_jackpot(wager, wagered)


class _Typed:
    """Feeds typed cards to the rules, and any card where none matters."""

    def __init__(self, rules: Game, typed: TypedHand) -> None:
        self.rules = rules
        self.typed = typed
        self.known = {name: parse_cards(text) for name, text in typed.cards.items()}
        self.cards = {name: list(pile) for name, pile in self.known.items()}

    def played(self, round_: Round) -> Round:
        while not isinstance(round_.turn, RoundEnd):
            match round_.turn:
                case ChanceTurn(place):
                    round_ = round_.apply(Deal(self._card(round_, place)))
                case SeatTurn() as turn:
                    round_ = round_.apply(Decide(turn.seat, self._answer(turn)))
                case DealerTurn(step):
                    round_ = round_.apply(TakeStep(step))
        return round_

    @property
    def left(self) -> list[str]:
        """The places of which not all cards were dealt."""
        return [name for name, pile in self.cards.items() if pile]

    def _card(self, round_: Round, place: Place) -> Card:
        name = str(place) if place.seat is None else str(place.pile)
        is_known = place.seat in (None, self.typed.seat)
        if is_known and self.cards.get(name):
            return self.cards[name].pop(0)
        if is_known and name in self.rules.jackpot_places.get(self.typed.wager, (name,)):
            raise BadHand(f"A card is missing at {quote(name)}: {self.typed.wager} looks at it.")
        typed = Counter(card for pile in self.cards.values() for card in pile)
        return next(card for card, _ in round_.chance_outcomes() if not typed[card])

    def _answer(self, turn: SeatTurn) -> Decision:
        if turn.seat != self.typed.seat:
            return next((option for option in turn.options if option.verb in _QUICK), turn.options[0])
        if turn.question in self.typed.decisions:
            return Decision.parse(self.typed.decisions[turn.question])
        try:
            shown = self.rules.infer_decision(turn, self.known)
        except IllegalAction as fault:
            raise BadHand(str(fault)) from None
        return shown or next((option for option in turn.options if option.verb in _QUICK), turn.options[0])
