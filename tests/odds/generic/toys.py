"""Small games whose figures can be computed by hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardroom.cards import Deck, Rank, Suit, parse_card
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
from cardroom.games.card_places import DEALER_HAND
from cardroom.games.settlement import EVEN_MONEY, fixed_payment
from cardroom.odds.generic.pricer import GenericPricer
from cardroom.odds.result import Odds
from cardroom.paytables import Basis, Loss, Pay, Paytable, Push, ToOne

MINE = Place(Pile.HAND, 1)
BET = Paytable("toy", "bet", "", Basis.TO_ONE, ())


def odds(rules: Game) -> Odds:
    """The figures of the generic pricer."""
    priced = GenericPricer(rules).price("bet", BET, {})
    assert priced.simulated_rounds is None
    return Odds("toy", "bet", "", {}, priced.outcomes)


class Toy(Game):
    """One bet, one seat."""

    facts = GameFacts(
        slug="toy",
        name="Toy",
        sheet="none",
        decks=(Deck.ONE,),
        wagers=(Wager("bet", "Bet", required=True),),
        tabulators=(),
        table_cards=1,
        seat_cards=3,
    )

    def is_face_up(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        return False

    def payments(self, r: Round) -> Iterator[Payment]:
        event, pay = self.outcome(r)
        yield fixed_payment(1, "bet", "bet", r.wager_cents(1, "bet"), event, event, (), pay)

    def outcome(self, r: Round) -> tuple[str, Pay]:
        raise NotImplementedError


class HiddenCard(Toy):
    """The dealer has a hidden card. A player who plays wins against a seven or lower and loses otherwise; a player who
    folds gets the bet back."""

    def turn(self, r: Round) -> Turn:
        if not r.hand():
            return ChanceTurn(DEALER_HAND)
        return RoundEnd() if r.decision(1, "play") else SeatTurn(1, "play", options(Verb.FOLD, Verb.PLAY))

    def outcome(self, r: Round) -> tuple[str, Pay]:
        if r.has_decided(1, "play", Verb.FOLD):
            return "fold", Push()
        return ("win", EVEN_MONEY) if r.hand()[0].rank <= Rank.SEVEN else ("loss", Loss())


class DealerPeeks(HiddenCard):
    """The same, but the dealer looks first: with an ace the bet loses before the player decides. A player who plays
    wins against an eight or lower."""

    def turn(self, r: Round) -> Turn:
        if r.hand() and r.hand()[0].rank is Rank.ACE:
            return RoundEnd()
        return super().turn(r)

    def outcome(self, r: Round) -> tuple[str, Pay]:
        if r.hand()[0].rank is Rank.ACE:
            return "ace", Loss()
        if r.has_decided(1, "play", Verb.FOLD):
            return "fold", Push()
        return ("win", EVEN_MONEY) if r.hand()[0].rank <= Rank.EIGHT else ("loss", Loss())


class DealerPeeksAfterTheDeal(DealerPeeks):
    """The same with a card for the seat, which only the seat sees. A player who plays wins against a seven or lower."""

    def turn(self, r: Round) -> Turn:
        return super().turn(r) if r.hand(1) else ChanceTurn(MINE)

    def outcome(self, r: Round) -> tuple[str, Pay]:
        event, pay = super().outcome(r)
        return ("loss", Loss()) if event == "win" and r.hand()[0].rank is Rank.EIGHT else (event, pay)


class NextIsAHeart(Toy):
    """The seat sees its own card. A player who plays wins 3 to 1 if the next card is a heart. The rules never look at
    the seat's own card, but the seat does: its own heart makes another one less likely."""

    def turn(self, r: Round) -> Turn:
        if not r.hand(1):
            return ChanceTurn(MINE)
        if r.decision(1, "play") is None:
            return SeatTurn(1, "play", options(Verb.FOLD, Verb.PLAY))
        return RoundEnd() if r.hand() else ChanceTurn(DEALER_HAND)

    def outcome(self, r: Round) -> tuple[str, Pay]:
        if r.has_decided(1, "play", Verb.FOLD):
            return "fold", Push()
        return ("heart", ToOne(Fraction(3))) if r.hand()[0].suit is Suit.HEARTS else ("loss", Loss())


class QueenOfSpades(Toy):
    """One card: the queen of spades wins 50 to 1. No other suit will do."""

    def turn(self, r: Round) -> Turn:
        return RoundEnd() if r.hand(1) else ChanceTurn(MINE)

    def outcome(self, r: Round) -> tuple[str, Pay]:
        return ("queen", ToOne(Fraction(50))) if r.hand(1)[0] == parse_card("Qs") else ("loss", Loss())


class TwoColors(Toy):
    """Three cards: all red wins 3 to 1; a black ace among them wins nothing, of course."""

    def turn(self, r: Round) -> Turn:
        return ChanceTurn(MINE) if len(r.hand(1)) < 3 else RoundEnd()

    def outcome(self, r: Round) -> tuple[str, Pay]:
        first, *others = r.hand(1)
        if first.rank is Rank.ACE:
            return "ace", Push()
        red = first.is_red and all(one.is_red for one in others)
        return ("red", ToOne(Fraction(3))) if red else ("loss", Loss())
