"""Texas Shootout, after rule sheet 002: rules and payments.

The sheet does not number its rules; they come here in its order. TS-1 to TS-8 are the rulings on its unclear places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from cardroom.cards import Card, Deck, card_from_code
from cardroom.games.actions import (
    DealerStep,
    DealerTurn,
    Decision,
    IllegalAction,
    RoundEnd,
    SeatTurn,
    Turn,
    Verb,
    next_chance_turn,
    options,
)
from cardroom.games.card_places import COMMUNITY, DEALER_HAND, Pile, Place, seat_places
from cardroom.games.game import ChipStack, Game, PaymentInputs, initial_chips
from cardroom.games.game_facts import GameFacts, JackpotWager, TabulatorType, Wager
from cardroom.games.playable_table import SetupFault, Table
from cardroom.games.procedure import Procedure
from cardroom.games.round import Round
from cardroom.games.settlement import (
    EVEN_MONEY,
    HandComparison,
    Payment,
    describe_comparison,
    fixed_payment,
    paytable_payment,
)
from cardroom.games.setup import TableSetup
from cardroom.games.texas_shootout.house_way import HouseWay, equal_choices, house_way, set_dealer_cards
from cardroom.games.texas_shootout.side_wagers import (
    COLOR,
    ENVY,
    FIRST_HAND,
    FIVE_ACE_FRENZY,
    ONLY_HAND,
    SECOND_HAND,
    SHARE_THE_WEALTH,
    PlayerHand,
    pay_feature,
    quick_draw_events,
    seat_feature,
    shared_feature_faults,
)
from cardroom.games.texas_shootout.text import QUESTION_TEXTS, RULINGS, SUMMARY, VERB_DESCRIPTIONS, dealing_procedure
from cardroom.hands import FOUR_CARD, SIX_DECK, Hand, evaluate_unchecked
from cardroom.paytables import Loss, Pay, Push, ToOne
from cardroom.translation import gettext

HAND_QUESTION: Final = "hand"
BONUS_QUESTION: Final = "bonus"
COMMUNITY_DEAL: Final = (COMMUNITY,) * 5

# The cards that the jackpot depends on, besides those that the player kept, which are in the decision.
JACKPOT_PLACES: Final = {"jackpot": (Pile.COMMUNITY,)}


@lru_cache(maxsize=1024)
def hand_deal(seats: tuple[int, ...]) -> tuple[Place, ...]:
    """Players receive four cards, and so does the dealer: one at a time in rotation, the dealer last."""
    return (*seat_places(Pile.HAND, seats), DEALER_HAND) * 4


def order_split(first_hand: Sequence[Card], second_hand: Sequence[Card]) -> Decision:
    """A split as it is listed, the higher hand first. A player may name the hands the other way round."""
    split = Decision(Verb.SPLIT, (tuple(first_hand), tuple(second_hand)))
    return max(split, split.with_reversed_groups, key=lambda decision: decision.groups)


def hand_options(four: tuple[Card, ...]) -> tuple[Decision, ...]:
    """Keep two of the four cards, or split them into two hands of two."""
    keeps = [_keep(first_item.code, second_item.code) for first_item, second_item in combinations(four, 2)]
    pairs = [keep.groups[0] for keep in keeps]
    # The pairs come in such an order that the first and the last have all four cards, and so on inwards.
    splits = [
        Decision.from_sorted_groups(
            Verb.SPLIT, (first_item, second_item) if first_item >= second_item else (second_item, first_item)
        )
        for first_item, second_item in zip(pairs[:3], reversed(pairs), strict=False)
    ]
    if len(set(four)) == len(four):
        return (*keeps, *splits)
    return tuple(dict.fromkeys((*keeps, *splits)))  # six decks: what is the same to the eye is one way


@cache
def _keep(first_code: int, second_code: int) -> Decision:
    """Keep these two cards: one of 2,704 decisions."""
    low, high = sorted((first_code, second_code))
    return Decision.from_sorted_groups(Verb.KEEP, ((card_from_code(high), card_from_code(low)),))


def ties_push(shootout: int, quick_draw: int) -> bool:
    """A tie is a push for a player whose Quick Draw wager was at least the Texas Shootout wager, both as they were
    before the deal (TS-3)."""
    return quick_draw >= shootout


def is_wager_returned_twice(first: Pay, second: Pay) -> bool:
    """Whether both hands of a split give back the one jackpot wager, which can go back once (TS-7)."""
    return all(isinstance(pay, ToOne | Push) for pay in (first, second))


def set_dealer_hand(r: Round) -> HouseWay:
    """How the dealer's exposed hand is set."""
    return set_dealer_cards(r.hand())


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
        tabulators=tuple(TabulatorType),
        table_cards=9,
        seat_cards=4,
    )
    summary, verb_descriptions, question_texts, rulings, jackpot_places = (
        SUMMARY,
        VERB_DESCRIPTIONS,
        QUESTION_TEXTS,
        RULINGS,
        JACKPOT_PLACES,
    )
    has_fixed_questions = True

    def setup_faults(self, setup: TableSetup) -> Iterator[SetupFault]:
        return shared_feature_faults(setup)

    def turn(self, r: Round) -> Turn:
        card = next_chance_turn(hand_deal(r.seats), r.card_count)
        if card:
            return card
        # Each player keeps two cards, or splits the hand and matches the wager.
        for seat in r.seats:
            if (seat, HAND_QUESTION) not in r.decisions:
                hand_choices = hand_options(r.hand(seat))
                # The player chooses which hand of a split is the first one and which the second.
                return SeatTurn(
                    seat,
                    HAND_QUESTION,
                    hand_choices,
                    unlisted_options=tuple(
                        [option.with_reversed_groups for option in hand_choices if option.verb is Verb.SPLIT]
                    ),
                )
            if self._must_place_bonus(r, seat):
                return SeatTurn(seat, BONUS_QUESTION, options(Verb.MATCH, Verb.FIRST_HAND, Verb.SECOND_HAND))
        # When all decisions are complete the dealer exposes the hand, which the house way sets; nothing is left to
        # decide (TS-1).
        if not r.has_taken_step(DealerStep.REVEAL):
            return DealerTurn(DealerStep.REVEAL)
        return next_chance_turn(COMMUNITY_DEAL, len(r.pile(Pile.COMMUNITY))) or RoundEnd()

    def _must_place_bonus(self, r: Round, seat: int) -> bool:
        """Appendix B, note 5: after a split the Shootout Bonus is matched, or rides on one of the two hands."""
        if "shootout-bonus" not in r.bets[seat] or (seat, BONUS_QUESTION) in r.decisions:
            return False
        return r.has_decided(seat, HAND_QUESTION, Verb.SPLIT)

    def procedure(self, table: Table) -> Procedure:
        return dealing_procedure(table)

    def payment_inputs(self, r: Round, payment: Payment) -> PaymentInputs:
        return payment_inputs(r, payment)

    def default_decision(self, r: Round) -> Decision:
        """Keep two cards as the dealer does (TS-1). After a split the one Shootout Bonus wager rides on the first
        hand."""
        if r.seat_turn.question == BONUS_QUESTION:
            return r.seat_turn.option(Verb.FIRST_HAND)
        return Decision(Verb.KEEP, (house_way(r.hand(r.seat_turn.seat)).cards,))

    def is_order_relevant(self, place: Place, cards: Sequence[Card]) -> bool:
        """Of equal choices the dealer keeps the cards dealt first (TS-1)."""
        return place == DEALER_HAND and len(cards) == 4 and len(equal_choices(cards)) > 1

    def select_dealer_cards(self, cards: Sequence[Card]) -> tuple[Card, Card]:
        return house_way(cards).cards

    def is_face_up(self, r: Round, place: Place) -> bool:
        if place == COMMUNITY:
            return True
        if place == DEALER_HAND:
            return r.has_taken_step(DealerStep.REVEAL)
        # A split lays all four cards open at the end; a player who kept two has discarded the others unseen.
        return r.is_terminal and place.seat is not None and r.has_decided(place.seat, HAND_QUESTION, Verb.SPLIT)

    def is_decision_public(self, r: Round, seat: int, question: str) -> bool:  # noqa: ARG002
        return r.is_terminal  # the hands that are played are turned over to be compared

    def infer_decision(self, turn: SeatTurn, entered_cards: Mapping[str, tuple[Card, ...]]) -> Decision | None:
        if turn.question != HAND_QUESTION:
            return None
        cards = entered_cards.get(Pile.HAND, ())
        if len(cards) != 2:
            raise IllegalAction(
                "Enter the two cards that the player kept as the hand, or all four and how the player played them."
            )
        return Decision(Verb.KEEP, (cards,))

    def chips(self, r: Round, seat: int) -> Iterator[ChipStack]:
        # A split matches the wager for the second hand.
        split = r.has_decided(seat, HAND_QUESTION, Verb.SPLIT)
        for hand in (FIRST_HAND, SECOND_HAND) if split else (ONLY_HAND,):
            yield ChipStack("shootout", _stake_name("shootout", hand), r.wager_cents(seat, "shootout"))
        yield from initial_chips(r, seat, ("quick-draw",))
        if r.wager_cents(seat, "shootout-bonus"):
            for hand in self._bonus_hands(r, seat, split):
                yield ChipStack(
                    "shootout-bonus", _stake_name("shootout-bonus", hand), r.wager_cents(seat, "shootout-bonus")
                )
        # The one jackpot wager is for both hands of a split (TS-7).
        if r.wager_cents(seat, "jackpot"):
            yield ChipStack(
                "jackpot", _stake_name("jackpot", FIRST_HAND if split else ONLY_HAND), r.wager_cents(seat, "jackpot")
            )

    def _bonus_hands(self, r: Round, seat: int, split: bool) -> tuple[str, ...]:
        """Appendix B, note 5: the hands with a Shootout Bonus wager on them, both with a wager each where it was
        matched. Until the player decides, it is beside the first hand."""
        if not split:
            return (ONLY_HAND,)
        if r.has_decided(seat, BONUS_QUESTION, Verb.MATCH):
            return FIRST_HAND, SECOND_HAND
        return (SECOND_HAND if r.has_decided(seat, BONUS_QUESTION, Verb.SECOND_HAND) else FIRST_HAND,)

    def describe_dealer_hand(self, r: Round) -> str:
        return set_dealer_hand(r).explain(r.hand())

    def payments(self, r: Round) -> Iterator[Payment]:
        community = r.pile(Pile.COMMUNITY)
        dealer = evaluate_unchecked(SIX_DECK, (*set_dealer_hand(r).cards, *community))
        players = [hand for seat in r.seats for hand in self._player_hands(r, seat)]
        for seat in r.seats:
            hands = [hand for hand in players if hand.seat == seat]
            stakes = {(chips.spot, chips.stake): chips.cents for chips in self.chips(r, seat)}
            for hand in hands:
                yield self._pay_shootout(r, hand, stakes["shootout", _stake_name("shootout", hand.name)], dealer)
            if r.wager_cents(seat, "quick-draw"):
                yield self._pay_quick_draw(r, seat)
            if r.wager_cents(seat, "shootout-bonus"):
                bonus_hands = [
                    hand for hand in hands if ("shootout-bonus", _stake_name("shootout-bonus", hand.name)) in stakes
                ]
                yield from (self._pay_by_table(r, "shootout-bonus", hand) for hand in bonus_hands)
                yield from self._pay_features(r, seat, "shootout-bonus", bonus_hands, players)
            if r.wager_cents(seat, "jackpot"):
                yield from self._pay_jackpot(r, hands)
                # Each hand of a split qualifies to win the bonus feature (TS-8).
                yield from self._pay_features(r, seat, "jackpot", hands, players)

    def _player_hands(self, r: Round, seat: int) -> Iterator[PlayerHand]:
        """The seat's hands, after a split in the order in which the decision names them."""
        decision, community = r.decision(seat, HAND_QUESTION), r.pile(Pile.COMMUNITY)
        assert decision is not None
        hand_names = (FIRST_HAND, SECOND_HAND) if decision.verb is Verb.SPLIT else (ONLY_HAND,)
        for name, pair in zip(hand_names, decision.groups, strict=True):
            seven = (*pair, *community)
            yield PlayerHand(seat, name, seven, evaluate_unchecked(SIX_DECK, seven))

    def _pay_shootout(self, r: Round, hand: PlayerHand, wager: int, dealer: Hand) -> Payment:
        """The higher hand wins even money. A tie is a push or a loss, the same for both hands of a split (TS-3)."""
        pay: Pay
        if hand.best.strength > dealer.strength:
            event, cards, pay = "player-wins", hand.best.cards, EVEN_MONEY
            text = describe_comparison(hand.best, dealer)
        elif hand.best.strength < dealer.strength:
            event, cards, pay = "dealer-wins", dealer.cards, Loss()
            text = describe_comparison(hand.best, dealer)
        else:
            event, cards = "tie", hand.best.cards
            pay, text = self._pay_tie(r, hand.seat, describe_comparison(hand.best, dealer))
        comparison = HandComparison(hand.best.cards, dealer.cards)
        return fixed_payment(
            hand.seat, "shootout", _stake_name("shootout", hand.name), wager, event, text, cards, pay, comparison
        )

    def _pay_tie(self, r: Round, seat: int, outcome: str) -> tuple[Pay, str]:
        """What a tie pays a seat, and the outcome with the reason (TS-3)."""
        if ties_push(r.wager_cents(seat, "shootout"), r.wager_cents(seat, "quick-draw")):
            return Push(), gettext("{outcome}; Quick Draw makes it a push").format(outcome=outcome)
        return Loss(), gettext("{outcome}; ties lose unless Quick Draw covers your bet").format(outcome=outcome)

    def _pay_quick_draw(self, r: Round, seat: int) -> Payment:
        """Appendix A: the first four cards, whatever the player keeps of them."""
        four = evaluate_unchecked(FOUR_CARD, r.hand(seat))
        events = quick_draw_events(r.hand(seat))
        text = four.description
        if events[:1] == ("suited-pair",):
            text = gettext("suited {hand}").format(hand=text)
        offer, wager = r.table.offers["quick-draw"], r.wager_cents(seat, "quick-draw")
        return paytable_payment(offer, seat, "quick-draw", "quick-draw", wager, events, text, four.cards)

    def _pay_jackpot(self, r: Round, hands: list[PlayerHand]) -> Iterator[Payment]:
        """Appendix C: each hand of a split can win on the one wager, which is taken once and goes back at most once.
        Where both meet the same percentage, the player has one share of it (TS-7)."""
        first, *second = (self._pay_by_table(r, "jackpot", hand) for hand in hands)
        yield first
        for second_payment in second:
            is_returned_twice = is_wager_returned_twice(first.pay, second_payment.pay)
            returned_cents = (
                second_payment.known_return - second_payment.wagered if is_returned_twice else second_payment.returned
            )
            text = second_payment.text
            if not second_payment.meter:
                text = gettext("{outcome}; one wager for both hands").format(outcome=text)
            yield replace(second_payment, wagered=0, returned=returned_cents, text=text)

    def _pay_by_table(self, r: Round, spot: str, hand: PlayerHand) -> Payment:
        offer, wager = r.table.offers[spot], r.wager_cents(hand.seat, spot)
        best = hand.best
        return paytable_payment(
            offer, hand.seat, spot, _stake_name(spot, hand.name), wager, hand.events, best.description, best.cards
        )

    def _pay_features(
        self, r: Round, seat: int, spot: str, carrying_hands: list[PlayerHand], players: list[PlayerHand]
    ) -> Iterator[Payment]:
        """What the lammer wins for each hand that the wager rides on."""
        feature = seat_feature(r, seat, spot)
        if feature is not None:
            for hand in carrying_hands:
                yield from pay_feature(feature, spot, hand, players)


def _stake_name(spot: str, hand: str) -> str:
    """What the chips of a spot are called that ride on a hand."""
    return spot if hand == ONLY_HAND else hand


RULES: Final = TexasShootout()


def payment_inputs(r: Round, payment: Payment) -> PaymentInputs:  # noqa: ARG001
    """The decision names the two cards that a player keeps; only Quick Draw depends on all four. A prize for another
    player's hand depends on that player's decision too."""
    match payment.spot:
        case "quick-draw":
            return PaymentInputs((Place(Pile.HAND, payment.seat),))
        case "shootout":
            return PaymentInputs((DEALER_HAND, COMMUNITY), ("hand",))
        case spot:
            seats = tuple(dict.fromkeys(seat for seat in (payment.seat, payment.hand_seat) if seat is not None))
            return PaymentInputs((COMMUNITY,), ("hand", "bonus") if spot == "shootout-bonus" else ("hand",), seats)
