"""3 Card Double Play Poker, after rule sheet 004 (approved April 23, 2015): rules and payments.

The rules are numbered as on the sheet; DP-1 to DP-9 are the rulings on its unclear places.

The two equal wagers of rule 1 are one spot, ``high-low``, and the amount on it is *one* of them: ten dollars there
put ten on the High Hand and ten more on the Low Hand. They are settled as the stakes ``high`` and ``low``. The two
double-down wagers of rule 4 are stakes of their own, ``high double`` and ``low double``, of the same amount (DP-7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from cardroom.cards import Card, Deck, format_card_symbols
from cardroom.games.actions import (
    DealerStep,
    DealerTurn,
    Decision,
    RoundEnd,
    SeatTurn,
    Turn,
    Verb,
    next_chance_turn,
    options,
)
from cardroom.games.card_places import DEALER_HAND, Pile, Place, seat_places
from cardroom.games.game import ChipStack, Game, PaymentInputs, cents_by_stake, initial_chips
from cardroom.games.game_facts import GameFacts, JackpotWager, TabulatorType, Wager
from cardroom.games.playable_table import Table
from cardroom.games.procedure import Procedure
from cardroom.games.round import Round
from cardroom.games.settlement import (
    EVEN_MONEY,
    HandComparison,
    Payment,
    describe_comparison,
    describe_winning_copy,
    fixed_payment,
    paytable_payment,
)
from cardroom.games.three_card_double_play.divisions import (
    PICK_3_EVENTS,
    SUPER_3S_EVENTS,
    event_hands,
    matching_events,
    ranked_divisions,
    suggest_setting,
)
from cardroom.games.three_card_double_play.text import (
    QUESTION_TEXTS,
    RULINGS,
    SUMMARY,
    VERB_DESCRIPTIONS,
    dealing_procedure,
)
from cardroom.hands import (
    FIVE_CARD,
    THREE_CARD,
    Category,
    Hand,
    best_three,
    evaluate_all_unchecked,
    evaluate_unchecked,
    straight_flush_top,
)
from cardroom.paytables import Loss
from cardroom.translation import gettext

ONE_DOLLAR: Final = JackpotWager((100,), "Appendices D and E, note 9")
PLAYER_CARDS: Final = 6
DEALER_CARDS: Final = 5
SET_QUESTION: Final = "set"
DOUBLE_QUESTION: Final = "double"
BONUSES: Final = ("pick-3", "pick-5", "super-3s", "super-six")

LOW_HAND_EVENTS: Final = {
    Category.MINI_ROYAL: "mini-royal",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.THREE_OF_A_KIND: "trips",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.PAIR: "pair",
    Category.HIGH_CARD: "high-cards",
}

PICK_5_EVENTS: Final = {
    Category.ROYAL_FLUSH: "royal-flush",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.FOUR_OF_A_KIND: "quads",
    Category.FULL_HOUSE: "full-house",
    Category.FLUSH: "flush",
    Category.STRAIGHT: "straight",
    Category.THREE_OF_A_KIND: "trips",
    Category.TWO_PAIR: "two-pairs",
}

SUPER_SIX_EVENTS: Final = {
    Category.ROYAL_FLUSH: "five-card-royal-flush",
    Category.STRAIGHT_FLUSH: "five-card-straight-flush",
    Category.FOUR_OF_A_KIND: "four-of-a-kind",
    Category.FULL_HOUSE: "full-house",
    Category.FLUSH: "flush",
    Category.STRAIGHT: "straight",
}

# The cards that each jackpot wager depends on.
JACKPOT_PLACES: Final = {"super-3s": (Pile.HAND,), "super-six": (Pile.HAND,)}


@lru_cache(maxsize=1024)
def deal_order(seats: tuple[int, ...]) -> tuple[Place, ...]:
    """Rule 2: six cards to each player and five to the dealer, one at a time in rotation, the dealer last (DP-8)."""
    players = seat_places(Pile.HAND, seats)
    return (*players, DEALER_HAND) * DEALER_CARDS + players * (PLAYER_CARDS - DEALER_CARDS)


def pick_5_event(category: Category) -> str:
    """Appendix C: the best five of the six cards (note 2, DP-5)."""
    return PICK_5_EVENTS.get(category, "other")


def super_six_event(six: Sequence[Card], category: Category) -> str:
    """Appendix E: six cards of one suit in sequence, from ace low to ace high, else the best five (DP-5)."""
    if straight_flush_top(six, 6):
        return "six-card-straight-flush"
    return SUPER_SIX_EVENTS.get(category, "three-of-a-kind-or-less")


class ThreeCardDoublePlay(Game):
    """The rules of 3 Card Double Play Poker."""

    facts = GameFacts(
        slug="three-card-double-play",
        name="3 Card Double Play Poker",
        sheet="004_4b2de51e1fa4e07f.txt",
        decks=(Deck.ONE,),
        wagers=(
            # Rule 1: the amount is the wager on each of the two hands.
            Wager("high-low", "High Hand and Low Hand", required=True, stakes=2, most_units=2),
            Wager("pick-3", "Pick-3"),
            Wager("pick-5", "Pick-5"),
            Wager("super-3s", "Super-3's Jackpot", jackpot=ONE_DOLLAR),
            Wager("super-six", "Super-Six Jackpot", jackpot=ONE_DOLLAR),
        ),
        tabulators=(TabulatorType.MILKY_WAY, TabulatorType.ANDROMEDA_3C, TabulatorType.ANDROMEDA_3D),
        table_cards=DEALER_CARDS,
        seat_cards=PLAYER_CARDS,
        most_spots=4,  # of the layout's five options; the main game is one of them
    )
    summary, verb_descriptions, question_texts, rulings, jackpot_places = (
        SUMMARY,
        VERB_DESCRIPTIONS,
        QUESTION_TEXTS,
        RULINGS,
        JACKPOT_PLACES,
    )
    has_fixed_questions = True

    def describe_decision(self, decision: Decision) -> str:
        if decision.verb is Verb.SET:
            return "  /  ".join(best_three(group).description for group in decision.groups)
        return super().describe_decision(decision)

    def explain_refusal(self, turn: SeatTurn, decision: Decision) -> str:
        # Rule 3: the higher hand goes into the High box (DP-2).
        if len(decision.groups) != 2 or not turn.allows(decision.with_reversed_groups):
            return ""
        high, low = (best_three(group).description for group in decision.groups)
        return gettext("Your Low hand ({low}) beats your High hand ({high}). Swap them.").format(low=low, high=high)

    def turn(self, r: Round) -> Turn:
        card = next_chance_turn(deal_order(r.seats), r.card_count)
        if card:
            return card
        for seat in r.seats:
            # Rule 3: two hands of three cards, the higher one in the High Hand box (DP-2).
            if r.decision(seat, SET_QUESTION) is None:
                settings = ranked_divisions(r.hand(seat))
                return SeatTurn(
                    seat,
                    SET_QUESTION,
                    tuple([ranked.decision for ranked in settings]),
                    unlisted_options=tuple(
                        [ranked.decision.with_reversed_groups for ranked in settings if ranked.is_even]
                    ),
                )
            # Rule 4: double down on both sides, or on none.
            if r.decision(seat, DOUBLE_QUESTION) is None:
                return SeatTurn(seat, DOUBLE_QUESTION, options(Verb.DOUBLE, Verb.STAND))
        # Rule 6: the dealer's hand is revealed.
        if not r.has_taken_step(DealerStep.REVEAL):
            return DealerTurn(DealerStep.REVEAL)
        return RoundEnd()

    def procedure(self, table: Table) -> Procedure:
        return dealing_procedure(table)

    def payment_inputs(self, r: Round, payment: Payment) -> PaymentInputs:
        return payment_inputs(r, payment)

    def default_decision(self, r: Round) -> Decision:
        if r.seat_turn.question == SET_QUESTION:
            return suggest_setting(r.hand(r.seat_turn.seat))
        return r.seat_turn.option(Verb.STAND)

    def select_dealer_cards(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        return evaluate_unchecked(THREE_CARD, cards).cards  # rule 6

    def is_face_up(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        # Rules 2 to 4: the dealer shows nothing and set hands lie face down until the reveal; then all are compared.
        return r.has_taken_step(DealerStep.REVEAL)

    def chips(self, r: Round, seat: int) -> Iterator[ChipStack]:
        # Rules 1 and 4: two equal wagers, and as much again on both of them (DP-2).
        unit = r.wager_cents(seat, "high-low")
        has_doubled = r.has_decided(seat, DOUBLE_QUESTION, Verb.DOUBLE)
        for stake in ("high", "high double", "low", "low double") if has_doubled else ("high", "low"):
            yield ChipStack("high-low", stake, unit)
        yield from initial_chips(r, seat, BONUSES)

    def describe_dealer_hand(self, r: Round) -> str:
        best = evaluate_unchecked(THREE_CARD, r.hand())
        return gettext("The best three of the dealer's {cards} are {best_cards}: {hand}.").format(
            cards=format_card_symbols(r.hand()), best_cards=format_card_symbols(best.cards), hand=best.description
        )

    def payments(self, r: Round) -> Iterator[Payment]:
        dealer = evaluate_unchecked(THREE_CARD, r.hand())  # rule 6: the best three of five; two are discarded
        for seat in r.seats:
            stakes = cents_by_stake(self.chips(r, seat))
            yield from self._pay_high_and_low(r, seat, stakes, dealer)
            yield from self._pay_bonuses(r, seat, stakes)

    def _pay_high_and_low(self, r: Round, seat: int, stakes: Mapping[str, int], dealer: Hand) -> Iterator[Payment]:
        high, low = self._set_hands(r, seat)

        def lost_payment(stake: str, hand: Hand) -> Payment:
            text, comparison = _describe_result(hand, dealer), HandComparison(hand.cards, dealer.cards)
            return fixed_payment(
                seat, "high-low", stake, stakes[stake], "dealer-wins", text, dealer.cards, Loss(), comparison
            )

        # Rule 7: the player's two hands against the dealer's one; a copy wins for the player (DP-1).
        high_wins, low_wins = high.strength >= dealer.strength, low.strength >= dealer.strength
        assert high_wins or not low_wins, "the lower hand cannot win where the higher one loses"
        # Rules 9(a) and 10(a): one to one; rule 8: lost.
        for stake in ("high", "high double"):
            if stake not in stakes:
                continue
            if high_wins:
                text, comparison = _describe_result(high, dealer), HandComparison(high.cards, dealer.cards)
                yield fixed_payment(
                    seat, "high-low", stake, stakes[stake], "win-or-copy", text, high.cards, EVEN_MONEY, comparison
                )
            else:
                yield lost_payment(stake, high)
        # Rule 10(b): by the rank of the low hand, its double-down wager alike (DP-1, DP-7); rules 8 and 9(b): lost.
        for stake in ("low", "low double"):
            if stake not in stakes:
                continue
            if low_wins:
                event = LOW_HAND_EVENTS[low.category]
                offer = r.table.offers["high-low"]
                text, comparison = _describe_result(low, dealer), HandComparison(low.cards, dealer.cards)
                yield paytable_payment(
                    offer, seat, "high-low", stake, stakes[stake], (event,), text, low.cards, comparison
                )
            else:
                yield lost_payment(stake, low)

    def _set_hands(self, r: Round, seat: int) -> tuple[Hand, Hand]:
        decision = r.decision(seat, SET_QUESTION)
        assert decision is not None
        high, low = evaluate_all_unchecked(THREE_CARD, decision.groups)
        return high, low

    def _pay_bonuses(self, r: Round, seat: int, stakes: Mapping[str, int]) -> Iterator[Payment]:
        """The bonus wagers look at the six cards, whatever becomes of the main game and however they were set."""
        six = r.hand(seat)
        five = evaluate_unchecked(FIVE_CARD, six) if "pick-5" in stakes or "super-six" in stakes else None

        def by_hand(slug: str, event: str, text: str, cards: tuple[Card, ...]) -> Payment:
            return paytable_payment(r.table.offers[slug], seat, slug, slug, stakes[slug], (event,), text, cards)

        def by_division(slug: str, events: Sequence[str]) -> Payment:
            """The highest line of the table that some division into two hands meets (DP-3)."""
            offered = r.table.offers[slug]
            met_events = matching_events(six, events)
            line = offered.paytable.find_matching_line(met_events)
            hands = event_hands(six, line.trigger) if line else ()
            cards = tuple(card for hand in hands for card in hand.cards) or six
            return paytable_payment(offered, seat, slug, slug, stakes[slug], met_events, _describe_hands(hands), cards)

        if "pick-3" in stakes:
            yield by_division("pick-3", PICK_3_EVENTS)
        if five and "pick-5" in stakes:
            yield by_hand("pick-5", pick_5_event(five.category), five.description, five.cards)
        if "super-3s" in stakes:
            yield by_division("super-3s", SUPER_3S_EVENTS)
        if five and "super-six" in stakes:
            event = super_six_event(six, five.category)
            all_six = event == "six-card-straight-flush"
            text = gettext("six-card straight flush") if all_six else five.description
            yield by_hand("super-six", event, text, six if all_six else five.cards)


def _describe_result(player: Hand, dealer: Hand) -> str:
    """Both hands, and which is the better one (rule 7, DP-1)."""
    return describe_winning_copy(player, dealer) if player == dealer else describe_comparison(player, dealer)


def _describe_hands(hands: Sequence[Hand]) -> str:
    """The hand or the two hands that meet a line."""
    match [hand.description for hand in hands]:
        case []:
            return gettext("the six cards, however divided")
        case [only]:
            return only
        case [first, second, *_]:
            return gettext("{first} and {second}").format(first=first, second=second)
    raise AssertionError("a division has two hands")


RULES: Final = ThreeCardDoublePlay()


def payment_inputs(r: Round, payment: Payment) -> PaymentInputs:  # noqa: ARG001
    """The decision names both hands as the player set them; the bonus wagers depend on the six cards, however they were
    set (DP-3)."""
    if payment.spot == "high-low":
        return PaymentInputs((DEALER_HAND,), ("set", "double"))
    return PaymentInputs((Place(Pile.HAND, payment.seat),))
