"""Texas Shootout, after rule sheet 002. The sheet does not number its rules; they come here in its order.

TS-1 to TS-8 are the readings of its unclear places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Deck, Rank
from cardroom.games.actions import DealerStep
from cardroom.games.decisions import Decision, NotAllowed, Verb, choices, options
from cardroom.games.game import Game
from cardroom.games.places import COMMUNITY, DEALER_HAND, Pile, Place
from cardroom.games.round import Round
from cardroom.games.settlement import EVEN_MONEY, Payment, by_table, fixed
from cardroom.games.setup import TableSetup
from cardroom.games.spot import GameFacts, JackpotWager, Tabulator, Wager
from cardroom.games.table import Fault
from cardroom.games.texas_shootout.features import (
    COLOR,
    ENVY,
    FIRST_HAND,
    FIVE_ACE_FRENZY,
    ONLY_HAND,
    SECOND_HAND,
    SHARE_THE_WEALTH,
    PlayerHand,
    feature_on,
    feature_prizes,
    shared_feature_faults,
)
from cardroom.games.texas_shootout.house_way import HouseWay, house_way
from cardroom.games.texas_shootout.words import ANSWERS, IN_SHORT, RULINGS
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn, Turn
from cardroom.hands import FOUR_CARD, Category, Hand, HandClass, best_five_six_deck, codes, four_card
from cardroom.hands.category import SUITED
from cardroom.hands.shape import categories
from cardroom.hands.strength import Codes, strength
from cardroom.hands.tables import Tables, tables
from cardroom.kernels import kernel
from cardroom.paytables import Loss, Pay, Push, ToOne

HAND_QUESTION: Final = "hand"
BONUS_QUESTION: Final = "bonus"

# Appendix A from the top line down. A hand meets each line that its four cards hold: a royal flush is a straight flush
# too, a pair of kings is also one of eights or better, so that a table without a line pays on the next (TS-4).
QUICK_DRAW_EVENTS: Final = (
    "four-of-a-kind-suited",
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "straight",
    "flush",
    "three-of-a-kind",
    "two-pair",
    "suited-pair",
    "pair-of-jacks-or-better",
    "pair-of-eights-or-better",
    "any-pair",
)
_SUITED_PAIR: Final = 1 << QUICK_DRAW_EVENTS.index("suited-pair")

_NAMED_EVENTS: Final = {
    Category.FOUR_OF_A_KIND_SUITED: "four-of-a-kind-suited",
    Category.ROYAL_FLUSH: "royal-flush",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.FOUR_OF_A_KIND: "four-of-a-kind",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.THREE_OF_A_KIND: "three-of-a-kind",
    Category.TWO_PAIR: "two-pair",
}

# What jackpot hands look at, besides the cards that were kept, which the decision asks for.
LOOKED_AT: Final = {"jackpot": (Pile.COMMUNITY,)}


def _events_of_class(one: HandClass) -> Iterator[str]:
    """The Quick Draw lines that every hand of a class meets; only a suited pair hangs on more."""
    for category in categories(one.ranks, suited=one.category in SUITED):
        if category in _NAMED_EVENTS:
            yield _NAMED_EVENTS[category]
    paired = max((rank for rank in one.ranks if one.ranks.count(rank) > 1), default=0)
    if paired:
        yield "any-pair"
    if paired >= Rank.EIGHT:
        yield "pair-of-eights-or-better"
    if paired >= Rank.JACK:
        yield "pair-of-jacks-or-better"


@cache
def quick_draw_by_strength() -> NDArray[np.uint16]:
    """By four-card strength: a bit for each of the ``QUICK_DRAW_EVENTS`` that the class meets, the top line lowest."""
    bits = [sum(1 << QUICK_DRAW_EVENTS.index(event) for event in _events_of_class(one)) for one in FOUR_CARD.classes]
    return np.array([0, *bits], dtype=np.uint16)


@kernel
def quick_draw_bits(hands: Codes, at: int, t: Tables, by_strength: NDArray[np.uint16]) -> int:
    """The ``QUICK_DRAW_EVENTS`` that the four cards in row ``at`` meet, a bit each. ``t`` are the four-card tables."""
    met = int(by_strength[strength(hands, at, t)])
    for one in range(3):
        for other in range(one + 1, 4):
            if hands[at, one] == hands[at, other]:  # two identical cards
                met |= _SUITED_PAIR
    return met


def quick_draw_events(four: Sequence[Card]) -> tuple[str, ...]:
    """The lines of the Quick Draw tables that a player's first four cards meet, the best one first.

    >>> from cardroom.cards import cards
    >>> quick_draw_events(cards("Kh Kh 7c 2d"))
    ('suited-pair', 'pair-of-jacks-or-better', 'pair-of-eights-or-better', 'any-pair')
    """
    met = quick_draw_bits(codes((four,)), 0, tables(FOUR_CARD), quick_draw_by_strength())
    return tuple(event for place, event in enumerate(QUICK_DRAW_EVENTS) if met >> place & 1)


def listed_split(one: Sequence[Card], other: Sequence[Card]) -> Decision:
    """A split as it is listed, the higher hand first. A player may name the hands the other way round."""
    split = Decision(Verb.SPLIT, (tuple(one), tuple(other)))
    return max(split, split.turned_about, key=lambda way: way.groups)


def ways_to_play(four: tuple[Card, ...]) -> tuple[Decision, ...]:
    """Keep two of the four cards, or split them into two hands of two."""
    first, *rest = range(4)
    splits = []
    for partner in rest:
        third, fourth = (card for card in rest if card != partner)
        splits.append(listed_split((four[first], four[partner]), (four[third], four[fourth])))
    return choices(Verb.KEEP, ((pair,) for pair in combinations(four, 2))) + tuple(dict.fromkeys(splits))


def ties_push(shootout: int, quick_draw: int) -> bool:
    """A tie is a push for a player whose Quick Draw wager was at least the Texas Shootout wager, both as they were
    before the deal (TS-3)."""
    return quick_draw >= shootout


def wager_goes_back_twice(first: Pay, second: Pay) -> bool:
    """Whether both hands of a split give back the one jackpot wager, which can go back once (TS-7)."""
    return all(isinstance(pay, ToOne | Push) for pay in (first, second))


def dealer_way(r: Round) -> HouseWay:
    """How the dealer's exposed hand is set."""
    return house_way(r.hand())


class TexasShootout(Game):
    """The rules of Texas Shootout."""

    facts = GameFacts(
        slug="texas-shootout",
        name="Texas Shootout",
        sheet="002_72ac2168740745d4.txt",
        decks=(Deck.SIX,),
        wagers=(
            Wager("shootout", "Texas Shootout", required=True),
            Wager("quick-draw", "Quick Draw"),
            Wager(
                "shootout-bonus",
                "Shootout Bonus",
                features=(COLOR, ENVY, SHARE_THE_WEALTH),
                qualifying=5_00,  # "equals or exceeds a certain pre-determined minimum": the operator may ask for more
            ),
            Wager(
                "jackpot",
                "Jackpot",
                jackpot=JackpotWager((100, 200), "rules of play, Jackpot"),
                features=(FIVE_ACE_FRENZY, ENVY, SHARE_THE_WEALTH),
                qualifying=2_00,  # "in the event the player's Jackpot wager equals two dollars"
            ),
        ),
        tabulators=tuple(Tabulator),
        table_cards=9,
        seat_cards=4,
    )
    in_short, answers, rulings, looks_at = IN_SHORT, ANSWERS, RULINGS, LOOKED_AT

    def setup_faults(self, setup: TableSetup) -> Iterator[Fault]:
        return shared_feature_faults(setup)

    def turn(self, r: Round) -> Turn:
        # Players receive four cards, and so does the dealer: one at a time in rotation, the dealer last.
        for dealt in range(4):
            for seat in (*r.seats, None):
                if len(r.hand(seat)) == dealt:
                    return ChanceTurn(Place(Pile.HAND, seat))
        # Each player keeps two cards, or splits the hand and matches the wager.
        for seat in r.seats:
            if r.decision(seat, HAND_QUESTION) is None:
                ways = ways_to_play(r.hand(seat))
                # The player says which hand of a split is the first one and which the second.
                return SeatTurn(
                    seat, HAND_QUESTION, ways, also=tuple(one.turned_about for one in ways if one.verb is Verb.SPLIT)
                )
            if self._has_to_place_the_bonus(r, seat):
                return SeatTurn(seat, BONUS_QUESTION, options(Verb.MATCH, Verb.FIRST_HAND, Verb.SECOND_HAND))
        # When all decisions are complete the dealer exposes the hand, which the house way sets; nothing is left to
        # decide (TS-1).
        if not r.done(DealerStep.REVEAL):
            return DealerTurn(DealerStep.REVEAL)
        if len(r.pile(Pile.COMMUNITY)) < 5:
            return ChanceTurn(COMMUNITY)
        return Over()

    def _has_to_place_the_bonus(self, r: Round, seat: int) -> bool:
        """Appendix B, note 5: after a split the Shootout Bonus is matched, or rides on one of the two hands."""
        split = r.said(seat, HAND_QUESTION, Verb.SPLIT)
        return split and r.wagered(seat, "shootout-bonus") > 0 and r.decision(seat, BONUS_QUESTION) is None

    def face_up(self, r: Round, place: Place) -> bool:
        if place == COMMUNITY:
            return True
        if place == DEALER_HAND:
            return r.done(DealerStep.REVEAL)
        # A split lays all four cards open at the end; a player who kept two has discarded the others unseen.
        return r.is_over and place.seat is not None and r.said(place.seat, HAND_QUESTION, Verb.SPLIT)

    def decision_public(self, r: Round, seat: int, question: str) -> bool:  # noqa: ARG002
        return r.is_over  # the hands that are played are turned over to be compared

    def shown_answer(self, turn: SeatTurn, typed: Mapping[str, tuple[Card, ...]]) -> Decision | None:
        if turn.question != HAND_QUESTION:
            return None
        kept = typed.get(Pile.HAND, ())
        if len(kept) != 2:
            raise NotAllowed("Type the two cards that were kept as the hand, or all four and how they were played.")
        return Decision(Verb.KEEP, (kept,))

    def payments(self, r: Round) -> Iterator[Payment]:
        community = r.pile(Pile.COMMUNITY)
        dealer = best_five_six_deck((*dealer_way(r).kept, *community))
        players = [hand for seat in r.seats for hand in self._hands(r, seat)]
        for seat in r.seats:
            hands = [hand for hand in players if hand.seat == seat]
            for hand in hands:
                yield self._shootout(r, hand, dealer)
            if r.wagered(seat, "quick-draw"):
                yield self._quick_draw(r, seat)
            if r.wagered(seat, "shootout-bonus"):
                riding = self._hands_with_the_bonus(r, seat, hands)
                yield from (self._by_table(r, "shootout-bonus", hand) for hand in riding)
                yield from self._features(r, seat, "shootout-bonus", riding, players)
            if r.wagered(seat, "jackpot"):
                yield from self._jackpot(r, hands)
                # Each hand of a split qualifies to win the bonus feature (TS-8).
                yield from self._features(r, seat, "jackpot", hands, players)

    def _hands(self, r: Round, seat: int) -> Iterator[PlayerHand]:
        """The seat's hands, after a split in the order in which the decision names them."""
        answer, community = r.decision(seat, HAND_QUESTION), r.pile(Pile.COMMUNITY)
        assert answer is not None
        hand_names = (FIRST_HAND, SECOND_HAND) if answer.verb is Verb.SPLIT else (ONLY_HAND,)
        for name, two in zip(hand_names, answer.groups, strict=True):
            seven = (*two, *community)
            yield PlayerHand(seat, name, seven, best_five_six_deck(seven))

    def _shootout(self, r: Round, hand: PlayerHand, dealer: Hand) -> Payment:
        """The higher hand wins even money. A tie is a push or a loss, the same for both hands of a split (TS-3)."""
        wager = r.wagered(hand.seat, "shootout")
        pay: Pay
        if hand.best.strength > dealer.strength:
            event, cards, pay = "player-wins", hand.best.cards, EVEN_MONEY
        elif hand.best.strength < dealer.strength:
            event, cards, pay = "dealer-wins", dealer.cards, Loss()
        else:
            event, cards = "tie", hand.best.cards
            pay = Push() if ties_push(wager, r.wagered(hand.seat, "quick-draw")) else Loss()
        against = f"{hand.best.words}; dealer: {dealer.words}"
        return fixed(hand.seat, "shootout", _stake("shootout", hand), wager, event, against, cards, pay)

    def _quick_draw(self, r: Round, seat: int) -> Payment:
        """Appendix A: the first four cards, whatever the player keeps of them."""
        four = four_card(r.hand(seat))
        events = quick_draw_events(r.hand(seat))
        words = f"suited {four.words}" if events[:1] == ("suited-pair",) else four.words
        offered, wager = r.table.offered["quick-draw"], r.wagered(seat, "quick-draw")
        return by_table(offered, seat, "quick-draw", "quick-draw", wager, events, words, four.cards)

    def _hands_with_the_bonus(self, r: Round, seat: int, hands: list[PlayerHand]) -> list[PlayerHand]:
        """Appendix B, note 5: the hands with a Shootout Bonus wager on them."""
        if r.said(seat, BONUS_QUESTION, Verb.FIRST_HAND):
            return hands[:1]
        if r.said(seat, BONUS_QUESTION, Verb.SECOND_HAND):
            return hands[1:]
        return hands  # the only hand, or both with a wager each

    def _jackpot(self, r: Round, hands: list[PlayerHand]) -> Iterator[Payment]:
        """Appendix C: each hand of a split can win on the one wager, which is taken once and goes back at most once.
        Where both meet the same percentage, the player has one share of it (TS-7)."""
        first, *second = (self._by_table(r, "jackpot", hand) for hand in hands)
        yield first
        for other in second:
            twice = wager_goes_back_twice(first.pay, other.pay)
            back = other.paid - other.wagered if twice else other.returned
            yield replace(other, wagered=0, returned=back)

    def _by_table(self, r: Round, spot: str, hand: PlayerHand) -> Payment:
        offered, wager = r.table.offered[spot], r.wagered(hand.seat, spot)
        best = hand.best
        return by_table(offered, hand.seat, spot, _stake(spot, hand), wager, hand.events, best.words, best.cards)

    def _features(
        self, r: Round, seat: int, spot: str, carrying: list[PlayerHand], players: list[PlayerHand]
    ) -> Iterator[Payment]:
        """What the lammer wins for each hand that the wager rides on."""
        feature = feature_on(r, seat, spot)
        if feature is not None:
            for hand in carrying:
                yield from feature_prizes(feature, spot, hand, players)


def _stake(spot: str, hand: PlayerHand) -> str:
    return spot if hand.name == ONLY_HAND else hand.name


RULES: Final = TexasShootout()
