"""Red Dog, a card game in the public domain. The rules are numbered as in the README."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cardroom.cards import Card, Deck
from cardroom.games import (
    ChanceTurn,
    Game,
    GameFacts,
    Payment,
    Pile,
    Place,
    Round,
    RoundEnd,
    SeatTurn,
    Turn,
    Verb,
    Wager,
)
from cardroom.games.actions import options
from cardroom.games.card_places import COMMUNITY
from cardroom.games.settlement import fixed_payment, paytable_payment
from cardroom.paytables import Push

RAISE_QUESTION: Final = "raise"
PAIR: Final = -1


def spread(cards: tuple[Card, ...]) -> int:
    """Rule 4: how many ranks lie between the first two cards. None do when they are in sequence; a pair has -1."""
    return abs(cards[0].rank - cards[1].rank) - 1


def lies_between(cards: tuple[Card, ...]) -> bool:
    """Rule 5: whether the rank of the third card is between those of the first two."""
    low, high = sorted(card.rank for card in cards[:2])
    return low < cards[2].rank < high


def event_of(ranks: int) -> str:
    """The line of the table for a third card that wins."""
    if ranks == PAIR:
        return "three-of-a-kind"
    return f"spread-{ranks}" if ranks < 4 else "spread-4-to-11"


class RedDog(Game):
    """The rules of Red Dog."""

    facts = GameFacts(
        slug="red-dog",
        name="Red Dog",
        sheet="README.md",
        decks=(Deck.SIX, Deck.ONE, Deck.TWO, Deck.FOUR, Deck.EIGHT),
        wagers=(Wager("ante", "Ante", required=True),),
        tabulators=(),
        table_cards=3,
    )
    summary = (
        "Two cards lie face up. In sequence they push; a pair wins 11 to 1 when the third card makes three of a kind.\n"
        "Otherwise stand, or raise by as much as the ante: you win when the third card falls between the two."
    )

    def turn(self, r: Round) -> Turn:
        cards = r.pile(Pile.COMMUNITY)
        # Rule 1: two cards for the whole table.
        if len(cards) < 2:
            return ChanceTurn(COMMUNITY)
        # Rule 2: cards in sequence end the round.
        if spread(cards) == 0:
            return RoundEnd()
        # Rule 4: with a spread each player stands or raises; a pair is not asked (rule 3).
        for seat in r.seats:
            if spread(cards) != PAIR and r.decision(seat, RAISE_QUESTION) is None:
                return SeatTurn(seat, RAISE_QUESTION, options(Verb.STAND, Verb.RAISE))
        # Rules 3 and 5: the third card.
        return ChanceTurn(COMMUNITY) if len(cards) < 3 else RoundEnd()

    def is_face_up(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        return True

    def payments(self, r: Round) -> Iterator[Payment]:
        cards = r.pile(Pile.COMMUNITY)
        for seat in r.seats:
            ante = r.wager_cents(seat, "ante")
            yield self._payment(r, seat, "ante", ante, cards)
            if r.has_decided(seat, RAISE_QUESTION, Verb.RAISE):
                yield self._payment(r, seat, "raise", ante, cards)

    def _payment(self, r: Round, seat: int, stake: str, wagered: int, cards: tuple[Card, ...]) -> Payment:
        """Ante and raise are paid alike (rule 5)."""
        ranks, words = spread(cards), ", ".join(card.rank.word for card in cards)
        if ranks == 0:
            return fixed_payment(seat, "ante", stake, wagered, "in-sequence", words, cards, Push())
        if ranks == PAIR and cards[2].rank != cards[0].rank:
            return fixed_payment(seat, "ante", stake, wagered, "pair", words, cards, Push())
        won = ranks == PAIR or lies_between(cards)
        event = event_of(ranks) if won else "outside"
        return paytable_payment(r.table.offers["ante"], seat, "ante", stake, wagered, (event,), words, cards)


RULES: Final = RedDog()
