"""Judge a hand that a dealer typed: build the shortest round with it, and settle that round by the rules.

Cards that cannot affect the jackpot wager are filled in; all others must be typed.

>>> from cardroom.games import default_setup, game
>>> typed = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"})
>>> played = play_typed_hand(game("three-card-prime").open(default_setup("three-card-prime")), typed)
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


class BadTypedHand(BadInput):
    """A typed hand that cannot be judged."""


@dataclass(frozen=True, slots=True)
class TypedHand:
    """One player's cards. Places are ``hand``, ``fourth``, ``fifth``, and ``war`` for the player's own cards, and
    ``dealer``, ``community``, ``war community``, and ``added community`` for the table's."""

    wager: str
    wagered: int
    """The jackpot wager in cents; 0 for a player without one, whose hand may still win for others."""
    cards: Mapping[str, str]
    decisions: Mapping[str, str] = field(default_factory=dict)
    """By question, such as ``hand``: ``split As Ks | Qd Qc``; needed if the hand depends on them."""
    seat: int = 1


PLAYER_PLACES: Final = ("hand", "fourth", "fifth", "war")
TABLE_PLACES: Final = ("dealer", "community", "war community", "added community")
_SHORTEST_DECISIONS: Final = (Verb.FOLD, Verb.SURRENDER, Verb.STAND)
"""Decisions that end a round soonest."""


def typed_hand_record(table: Mapping[str, Any], hand: TypedHand, other_wagers: Mapping[int, int]) -> dict[str, Any]:
    """The record of a typed hand at a table with this setup, with the jackpot wagers counted at other seats. It
    contains nothing else."""
    wagered = {**other_wagers, hand.seat: hand.wagered}
    return {
        "table": dict(table),
        "wagers": {str(seat): _jackpot_spots(hand.wager, wagered[seat]) for seat in sorted(wagered)},
        "cards": {
            _place_name(name, hand.seat): [str(card) for card in parse_cards(text)] for name, text in hand.cards.items()
        },
        "decisions": [
            {"seat": hand.seat, "question": question, "answer": str(Decision.parse(answer))}
            for question, answer in hand.decisions.items()
        ],
    }


def _jackpot_spots(wager: str, wagered: int) -> dict[str, int]:
    return {wager: wagered} if wagered else {}


def _place_name(name: str, seat: int) -> str:
    if name in TABLE_PLACES:
        return name
    if name not in PLAYER_PLACES:
        place_names = ", ".join((*PLAYER_PLACES, *TABLE_PLACES))
        raise BadTypedHand(f"{quote(name)} is not a place for cards: use {place_names}.")
    return f"seat {seat} {name}"


def play_typed_record(table: Table, record: Mapping[str, Any], seat: int, wager: str) -> Round:
    """Play the shortest round with the hand of a record from ``typed_hand_record``."""
    seat_prefix = f"seat {seat} "
    hand = TypedHand(
        wager,
        record["wagers"][str(seat)].get(wager, 0),
        {name.removeprefix(seat_prefix): " ".join(pile) for name, pile in record["cards"].items()},
        {decision["question"]: decision["answer"] for decision in record["decisions"]},
        seat,
    )
    other_wagers = {
        int(other_seat): spots[wager] for other_seat, spots in record["wagers"].items() if int(other_seat) != seat
    }
    return play_typed_hand(table, hand, other_wagers)


def play_typed_hand(table: Table, typed_hand: TypedHand, other_wagers: Mapping[int, int] | None = None) -> Round:
    """Play the shortest round with these cards to its end. ``other_wagers`` are the other seats' jackpot wagers; their
    cards are unknown, so their own wins do not count."""
    hand = _TypedHandDealer(game(table.facts.slug), typed_hand)
    end = hand.play_out(_begin_round(table, typed_hand, other_wagers or {}))
    if unused := hand.unused_places:
        raise BadTypedHand(f"Too many cards: the round does not use all cards at {', '.join(unused)}. Remove the rest.")
    return end


def drop_unused_cards(table: Table, typed_hand: TypedHand) -> TypedHand:
    """The hand without table cards that were dealt for another player: not every typed card of a round belongs to one
    hand.

    >>> from cardroom.games import default_setup, game
    >>> duel = game("dueling-for-dollars").open(default_setup("dueling-for-dollars"))
    >>> cards = {"hand": "Kd", "community": "Kh", "war community": "9c"}
    >>> dict(drop_unused_cards(duel, TypedHand("tie-after-tie", 100, cards, {"tie": "surrender"})).cards)
    {'hand': 'Kd', 'community': 'Kh'}
    """
    hand = _TypedHandDealer(game(table.facts.slug), typed_hand)
    hand.play_out(_begin_round(table, typed_hand, {}))
    unused = [
        name for name in hand.unused_places if name in TABLE_PLACES and len(hand.cards[name]) == len(hand.known[name])
    ]
    return replace(typed_hand, cards={name: text for name, text in typed_hand.cards.items() if name not in unused})


def _begin_round(table: Table, hand: TypedHand, other_wagers: Mapping[int, int]) -> Round:
    jackpots = [slug for slug, offered in table.offers.items() if offered.wager.jackpot]
    if hand.wager not in jackpots:
        raise BadTypedHand(
            f"This table has no jackpot wager {quote(hand.wager)}. Its jackpot wagers: {', '.join(jackpots) or 'none'}."
        )
    wagered = {**other_wagers, hand.seat: hand.wagered}
    wagers = {seat: _smallest_wagers(table, hand.wager, wagered[seat]) for seat in sorted(wagered)}
    return game(table.facts.slug).begin(table, wagers)


def _smallest_wagers(table: Table, wager: str, wagered: int) -> dict[str, int]:
    """The jackpot wager, and the minimum of each required wager."""
    wagers = {
        next(spot for spot, spot_offer in table.spots.items() if spot_offer is offered): offered.limits.minimum
        for offered in table.offers.values()
        if offered.wager.required
    }
    return wagers | _jackpot_spots(wager, wagered)


class _TypedHandDealer:
    """Deals the typed cards, and any card where the card does not matter."""

    def __init__(self, rules: Game, hand: TypedHand) -> None:
        self.rules = rules
        self.typed = hand
        self.known = {name: parse_cards(text) for name, text in hand.cards.items()}
        self.cards = {name: list(pile) for name, pile in self.known.items()}

    def play_out(self, round_: Round) -> Round:
        while not isinstance(round_.turn, RoundEnd):
            match round_.turn:
                case ChanceTurn(place):
                    round_ = round_.apply(Deal(self._card(round_, place)))
                case SeatTurn() as turn:
                    round_ = round_.apply(Decide(turn.seat, self._choose_decision(turn)))
                case DealerTurn(step):
                    round_ = round_.apply(TakeStep(step))
        return round_

    @property
    def unused_places(self) -> list[str]:
        """The places with cards left to deal."""
        return [name for name, pile in self.cards.items() if pile]

    def _card(self, round_: Round, place: Place) -> Card:
        name = str(place) if place.seat is None else str(place.pile)
        is_known = place.seat in (None, self.typed.seat)
        if is_known and self.cards.get(name):
            return self.cards[name].pop(0)
        if is_known and name in self.rules.jackpot_places.get(self.typed.wager, (name,)):
            raise BadTypedHand(f"A card is missing at {quote(name)}: {self.typed.wager} depends on it.")
        card_counts = Counter(card for pile in self.cards.values() for card in pile)
        return next(card for card, _ in round_.chance_outcomes() if not card_counts[card])

    def _choose_decision(self, turn: SeatTurn) -> Decision:
        if turn.seat != self.typed.seat:
            return next((option for option in turn.options if option.verb in _SHORTEST_DECISIONS), turn.options[0])
        if turn.question in self.typed.decisions:
            return Decision.parse(self.typed.decisions[turn.question])
        try:
            decision = self.rules.infer_decision(turn, self.known)
        except IllegalAction as fault:
            raise BadTypedHand(str(fault)) from None
        return decision or next(
            (option for option in turn.options if option.verb in _SHORTEST_DECISIONS), turn.options[0]
        )
