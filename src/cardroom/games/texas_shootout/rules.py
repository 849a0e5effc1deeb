"""Texas Shootout, after rule sheet 002. The sheet does not number its rules; they come here in its order.

TS-1 to TS-8 are the readings of its unclear places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Final

from cardroom.cards import Card, Deck
from cardroom.games.actions import DealerStep
from cardroom.games.decisions import Decision, NotAllowed, Verb, options
from cardroom.games.game import Game
from cardroom.games.needs import Needs
from cardroom.games.places import COMMUNITY, DEALER_HAND, Pile, Place, places
from cardroom.games.procedure import Procedure
from cardroom.games.round import Round
from cardroom.games.settlement import EVEN_MONEY, Compared, Payment, against, by_table, fixed
from cardroom.games.setup import TableSetup
from cardroom.games.spot import GameFacts, JackpotWager, Tabulator, Wager
from cardroom.games.stakes import Chips, as_wagered
from cardroom.games.table import Fault, Table
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
from cardroom.games.texas_shootout.house_way import HouseWay, equal_choices, house_way
from cardroom.games.texas_shootout.needs import needs
from cardroom.games.texas_shootout.procedure import dealing_procedure
from cardroom.games.texas_shootout.quick_draw import quick_draw_events
from cardroom.games.texas_shootout.words import ANSWERS, IN_SHORT, QUESTIONS, RULINGS
from cardroom.games.turns import DealerTurn, Over, SeatTurn, Turn, due
from cardroom.hands import FOUR_CARD, SIX_DECK, Hand, known_hand
from cardroom.paytables import Loss, Pay, Push, ToOne

HAND_QUESTION: Final = "hand"
BONUS_QUESTION: Final = "bonus"
FIVE_FOR_ALL: Final = (COMMUNITY,) * 5

# What jackpot hands look at, besides the cards that were kept, which the decision asks for.
LOOKED_AT: Final = {"jackpot": (Pile.COMMUNITY,)}


@lru_cache(maxsize=1024)
def four_each(seats: tuple[int, ...]) -> tuple[Place, ...]:
    """Players receive four cards, and so does the dealer: one at a time in rotation, the dealer last."""
    return (*places(Pile.HAND, seats), DEALER_HAND) * 4


def listed_split(one: Sequence[Card], other: Sequence[Card]) -> Decision:
    """A split as it is listed, the higher hand first. A player may name the hands the other way round."""
    split = Decision(Verb.SPLIT, (tuple(one), tuple(other)))
    return max(split, split.turned_about, key=lambda way: way.groups)


def ways_to_play(four: tuple[Card, ...]) -> tuple[Decision, ...]:
    """Keep two of the four cards, or split them into two hands of two."""
    pairs = [(one, other) if one.code > other.code else (other, one) for one, other in combinations(four, 2)]
    keeps = [Decision.in_order(Verb.KEEP, (pair,)) for pair in pairs]
    # The pairs come in such an order that the first and the last have all four cards, and so on inwards.
    splits = [
        Decision.in_order(Verb.SPLIT, (one, other) if _codes(one) >= _codes(other) else (other, one))
        for one, other in zip(pairs[:3], reversed(pairs), strict=False)
    ]
    if len(set(_codes(four))) == len(four):
        return (*keeps, *splits)
    return tuple(dict.fromkeys((*keeps, *splits)))  # six decks: what is the same to the eye is one way


def _codes(some: Sequence[Card]) -> list[int]:
    return [card.code for card in some]


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
                most_units=2,  # matched on both hands of a split
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
    in_short, answers, questions, rulings, looks_at = IN_SHORT, ANSWERS, QUESTIONS, RULINGS, LOOKED_AT
    always_asks = True

    def setup_faults(self, setup: TableSetup) -> Iterator[Fault]:
        return shared_feature_faults(setup)

    def turn(self, r: Round) -> Turn:
        card = due(four_each(r.seats), r.cards_dealt)
        if card:
            return card
        # Each player keeps two cards, or splits the hand and matches the wager.
        for seat in r.seats:
            if (seat, HAND_QUESTION) not in r.decisions:
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
        return due(FIVE_FOR_ALL, len(r.pile(Pile.COMMUNITY))) or Over()

    def _has_to_place_the_bonus(self, r: Round, seat: int) -> bool:
        """Appendix B, note 5: after a split the Shootout Bonus is matched, or rides on one of the two hands."""
        if "shootout-bonus" not in r.bets[seat] or (seat, BONUS_QUESTION) in r.decisions:
            return False
        return r.said(seat, HAND_QUESTION, Verb.SPLIT)

    def procedure(self, table: Table) -> Procedure:
        return dealing_procedure(table)

    def needs(self, r: Round, payment: Payment) -> Needs:
        return needs(r, payment)

    def safe_answer(self, r: Round) -> Decision:
        """Two cards are kept as the dealer keeps them (TS-1). Who has split already has the one Shootout Bonus wager
        ride on the first hand."""
        if r.asked.question == BONUS_QUESTION:
            return r.asked.option(Verb.FIRST_HAND)
        return Decision(Verb.KEEP, (house_way(r.hand(r.asked.seat)).kept,))

    def order_counts(self, place: Place, cards: Sequence[Card]) -> bool:
        """Of equal choices the dealer keeps the cards dealt first (TS-1)."""
        return place == DEALER_HAND and len(cards) == 4 and len(equal_choices(cards)) > 1

    def dealer_plays(self, cards: Sequence[Card]) -> tuple[Card, Card]:
        return house_way(cards).kept

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

    def chips(self, r: Round, seat: int) -> Iterator[Chips]:
        # A split matches the wager for the second hand.
        split = r.said(seat, HAND_QUESTION, Verb.SPLIT)
        for hand in (FIRST_HAND, SECOND_HAND) if split else (ONLY_HAND,):
            yield Chips("shootout", _stake("shootout", hand), r.wagered(seat, "shootout"))
        yield from as_wagered(r, seat, ("quick-draw",))
        if r.wagered(seat, "shootout-bonus"):
            for hand in self._hands_with_the_bonus(r, seat, split):
                yield Chips("shootout-bonus", _stake("shootout-bonus", hand), r.wagered(seat, "shootout-bonus"))
        # The one jackpot wager is for both hands of a split (TS-7).
        if r.wagered(seat, "jackpot"):
            yield Chips("jackpot", _stake("jackpot", FIRST_HAND if split else ONLY_HAND), r.wagered(seat, "jackpot"))

    def _hands_with_the_bonus(self, r: Round, seat: int, split: bool) -> tuple[str, ...]:
        """Appendix B, note 5: the hands with a Shootout Bonus wager on them, both with a wager each where it was
        matched. Until the player has said so it lies by the first hand."""
        if not split:
            return (ONLY_HAND,)
        if r.said(seat, BONUS_QUESTION, Verb.MATCH):
            return FIRST_HAND, SECOND_HAND
        return (SECOND_HAND if r.said(seat, BONUS_QUESTION, Verb.SECOND_HAND) else FIRST_HAND,)

    def dealers_hand(self, r: Round) -> str:
        return dealer_way(r).why(r.hand())

    def payments(self, r: Round) -> Iterator[Payment]:
        community = r.pile(Pile.COMMUNITY)
        dealer = known_hand(SIX_DECK, (*dealer_way(r).kept, *community))
        players = [hand for seat in r.seats for hand in self._hands(r, seat)]
        for seat in r.seats:
            hands = [hand for hand in players if hand.seat == seat]
            laid = {(chips.spot, chips.stake): chips.cents for chips in self.chips(r, seat)}
            for hand in hands:
                yield self._shootout(r, hand, laid["shootout", _stake("shootout", hand.name)], dealer)
            if r.wagered(seat, "quick-draw"):
                yield self._quick_draw(r, seat)
            if r.wagered(seat, "shootout-bonus"):
                riding = [hand for hand in hands if ("shootout-bonus", _stake("shootout-bonus", hand.name)) in laid]
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
            yield PlayerHand(seat, name, seven, known_hand(SIX_DECK, seven))

    def _shootout(self, r: Round, hand: PlayerHand, wager: int, dealer: Hand) -> Payment:
        """The higher hand wins even money. A tie is a push or a loss, the same for both hands of a split (TS-3)."""
        pay: Pay
        if hand.best.strength > dealer.strength:
            event, cards, pay, verdict, why = "player-wins", hand.best.cards, EVEN_MONEY, "beats", ""
        elif hand.best.strength < dealer.strength:
            event, cards, pay, verdict, why = "dealer-wins", dealer.cards, Loss(), "loses to", ""
        else:
            event, cards, verdict = "tie", hand.best.cards, "ties"
            pay, why = self._tie(r, hand.seat)
        told = against(hand.best, verdict, dealer) + why
        compared = Compared(hand.best.cards, dealer.cards)
        return fixed(hand.seat, "shootout", _stake("shootout", hand.name), wager, event, told, cards, pay, compared)

    def _tie(self, r: Round, seat: int) -> tuple[Pay, str]:
        """What a tie comes to for a seat, and why (TS-3)."""
        quick_draw = r.wagered(seat, "quick-draw")
        if ties_push(r.wagered(seat, "shootout"), quick_draw):
            return Push(), "; Quick Draw makes it a push"
        return Loss(), f"; ties lose {'with less on' if quick_draw else 'without'} Quick Draw"

    def _quick_draw(self, r: Round, seat: int) -> Payment:
        """Appendix A: the first four cards, whatever the player keeps of them."""
        four = known_hand(FOUR_CARD, r.hand(seat))
        events = quick_draw_events(r.hand(seat))
        words = f"suited {four.words}" if events[:1] == ("suited-pair",) else four.words
        offered, wager = r.table.offered["quick-draw"], r.wagered(seat, "quick-draw")
        return by_table(offered, seat, "quick-draw", "quick-draw", wager, events, words, four.cards)

    def _jackpot(self, r: Round, hands: list[PlayerHand]) -> Iterator[Payment]:
        """Appendix C: each hand of a split can win on the one wager, which is taken once and goes back at most once.
        Where both meet the same percentage, the player has one share of it (TS-7)."""
        first, *second = (self._by_table(r, "jackpot", hand) for hand in hands)
        yield first
        for other in second:
            twice = wager_goes_back_twice(first.pay, other.pay)
            back = other.paid - other.wagered if twice else other.returned
            words = other.words if other.meter else f"{other.words}; one wager for both hands"
            yield replace(other, wagered=0, returned=back, words=words)

    def _by_table(self, r: Round, spot: str, hand: PlayerHand) -> Payment:
        offered, wager = r.table.offered[spot], r.wagered(hand.seat, spot)
        best = hand.best
        return by_table(offered, hand.seat, spot, _stake(spot, hand.name), wager, hand.events, best.words, best.cards)

    def _features(
        self, r: Round, seat: int, spot: str, carrying: list[PlayerHand], players: list[PlayerHand]
    ) -> Iterator[Payment]:
        """What the lammer wins for each hand that the wager rides on."""
        feature = feature_on(r, seat, spot)
        if feature is not None:
            for hand in carrying:
                yield from feature_prizes(feature, spot, hand, players)


def _stake(spot: str, hand: str) -> str:
    """What the chips of a spot are called that ride on a hand."""
    return spot if hand == ONLY_HAND else hand


RULES: Final = TexasShootout()
