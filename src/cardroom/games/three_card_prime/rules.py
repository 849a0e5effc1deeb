"""Three Card Prime, after rule sheet 001 (rules of play revised 9/3/15): rules and payments.

The rules are numbered as on the sheet; TP-1 to TP-7 are the rulings on its unclear places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from cardroom.cards import Card, Deck, Suit, format_card_symbols
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
from cardroom.games.card_places import BURN, DEALER_HAND, Pile, Place
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
from cardroom.games.three_card_prime.text import RULINGS, SUMMARY, VERB_DESCRIPTIONS, dealing_procedure
from cardroom.hands import FIVE_CARD, FOUR_CARD, THREE_CARD, Category, Hand, evaluate_unchecked, straight_flush_top
from cardroom.paytables import Loss, Push
from cardroom.translation import gettext, gettext_noop

ONE_DOLLAR: Final = JackpotWager((100,), "Appendices E and F, note 8")
PLAY_QUESTION: Final = "play"
BONUSES: Final = ("prime", "pair-bonus", "all-six", "final-four", "all-seven")

THREE_CARD_EVENTS: Final = {
    Category.MINI_ROYAL: "mini-royal",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.THREE_OF_A_KIND: "trips",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.PAIR: "pair",
}

PRIME_TEXTS: Final = {
    "same-color-player-and-dealer": gettext_noop("player and dealer of one color"),
    "same-color-player": gettext_noop("player's cards of one color"),
    "other": gettext_noop("red and black cards"),
}

# A hand of less than three of a kind wins nothing on All-Six, and one of a straight or less nothing on All Seven.
ALL_SIX_EVENTS: Final = {
    Category.ROYAL_FLUSH: "five-card-royal",
    Category.STRAIGHT_FLUSH: "five-card-straight-flush",
    Category.FOUR_OF_A_KIND: "four-of-a-kind",
    Category.FULL_HOUSE: "full-house",
    Category.FLUSH: "flush",
    Category.STRAIGHT: "straight",
    Category.THREE_OF_A_KIND: "three-of-a-kind",
}

ALL_SEVEN_EVENTS: Final = {
    Category.ROYAL_FLUSH: "royal-flush",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.FOUR_OF_A_KIND: "four-of-a-kind",
    Category.FULL_HOUSE: "full-house",
    Category.FLUSH: "flush",
}

# The cards that each jackpot wager depends on.
JACKPOT_PLACES: Final = {
    "final-four": (Pile.HAND, Pile.FOURTH),
    "all-seven": (Pile.HAND, Pile.FOURTH, str(DEALER_HAND)),
}


@lru_cache(maxsize=1024)
def deal_order(seats: tuple[int, ...]) -> tuple[Place, ...]:
    """Rule 1: four cards to each player, of which the top one is set apart; the dealer's bottom card is discarded."""
    player_places = (place for seat in seats for place in (*[Place(Pile.HAND, seat)] * 3, Place(Pile.FOURTH, seat)))
    return (*player_places, BURN, *[DEALER_HAND] * 3)


@cache
def lowest_qualifying_strength() -> int:
    """Rule 3: the dealer qualifies with at least a queen high."""
    return next(
        strength
        for strength, hand_class in enumerate(THREE_CARD.classes, 1)
        if hand_class.category is not Category.HIGH_CARD or hand_class.ranks[0] >= 12
    )


def play_event(category: Category) -> str:
    """The line of Appendix A for a hand that wins or copies."""
    return (
        "flush-and-lower"
        if category in (Category.FLUSH, Category.PAIR, Category.HIGH_CARD)
        else THREE_CARD_EVENTS[category]
    )


def prime_event(player: tuple[Card, ...], dealer: tuple[Card, ...]) -> str:
    """Appendix B: the player's three cards of one color, and the dealer's of the same."""
    red = player[0].is_red
    if any(card.is_red != red for card in player):
        return "other"
    return "same-color-player-and-dealer" if all(card.is_red == red for card in dealer) else "same-color-player"


def pair_bonus_event(category: Category, fourth: Card) -> str:
    """Appendix C: the fourth card, when it is a deuce, chooses the better column (TP-3)."""
    event = THREE_CARD_EVENTS.get(category, "high-card")
    return f"{event}-with-deuce" if fourth.rank == 2 else event


def all_six_event(six: tuple[Card, ...], category: Category) -> str:
    """Appendix D: the best five of the six cards; a six-card royal is 9-10-J-Q-K-A of one suit (TP-4)."""
    if straight_flush_top(six, 6) == 14:
        return "six-card-royal-diamonds" if six[0].suit is Suit.DIAMONDS else "six-card-royal"
    return ALL_SIX_EVENTS.get(category, "two-pair-or-less")


def final_four_event(three: Category, four: Category, diamonds: bool) -> str:
    """Appendix E: the first three cards must be a straight or better (TP-5)."""
    if three in (Category.MINI_ROYAL, Category.STRAIGHT_FLUSH):
        if four is Category.ROYAL_FLUSH:
            return "four-card-diamond-royal" if diamonds else "four-card-royal"
        return "four-card-straight-flush" if four is Category.STRAIGHT_FLUSH else "initial-straight-flush"
    if three is Category.THREE_OF_A_KIND:
        # From one deck four alike are never of one suit.
        return "four-of-a-kind" if four is Category.FOUR_OF_A_KIND else "three-of-a-kind"
    if three is Category.STRAIGHT:
        return "four-card-straight" if four is Category.STRAIGHT else "initial-straight"
    return "below-straight"


def all_seven_event(seven: tuple[Card, ...], category: Category) -> str:
    """Appendix F: seven cards as a group, the best five of them unless all seven make a straight flush (TP-4)."""
    if straight_flush_top(seven, 7):
        return "seven-card-straight-flush"
    return ALL_SEVEN_EVENTS.get(category, "straight-or-less")


class ThreeCardPrime(Game):
    """The rules of Three Card Prime."""

    facts = GameFacts(
        slug="three-card-prime",
        name="Three Card Prime",
        sheet="001_b6ce4e329872a5a6.txt",
        decks=(Deck.ONE,),
        wagers=(
            Wager("ante-play", "Ante and Play", required=True),
            Wager("prime", "Prime"),
            Wager("pair-bonus", "Pair Bonus"),
            Wager("all-six", "All-Six Bonus"),
            Wager("final-four", "Final Four Jackpot", jackpot=ONE_DOLLAR),
            Wager("all-seven", "All Seven Jackpot", jackpot=ONE_DOLLAR),
        ),
        tabulators=(TabulatorType.MILKY_WAY, TabulatorType.ANDROMEDA_3C, TabulatorType.ANDROMEDA_3D),
        table_cards=4,
        seat_cards=4,
        most_spots=4,
    )
    summary, verb_descriptions, rulings, jackpot_places = SUMMARY, VERB_DESCRIPTIONS, RULINGS, JACKPOT_PLACES
    has_fixed_questions = True

    def turn(self, r: Round) -> Turn:
        card = next_chance_turn(deal_order(r.seats), r.card_count)
        if card:
            return card
        # Rule 2: fold, or a Play wager equal to the Ante.
        for seat in r.seats:
            if r.decision(seat, PLAY_QUESTION) is None:
                return SeatTurn(seat, PLAY_QUESTION, options(Verb.FOLD, Verb.PLAY))
        # Rule 3: when all have acted, the dealer reveals the hand.
        if not r.has_taken_step(DealerStep.REVEAL):
            return DealerTurn(DealerStep.REVEAL)
        return RoundEnd()

    def procedure(self, table: Table) -> Procedure:
        return dealing_procedure(table)

    def payment_inputs(self, r: Round, payment: Payment) -> PaymentInputs:
        return payment_inputs(r, payment)

    def default_decision(self, r: Round) -> Decision:
        return r.seat_turn.option(Verb.FOLD)

    def is_face_up(self, r: Round, place: Place) -> bool:
        if place == BURN or not r.has_taken_step(DealerStep.REVEAL):
            return False
        if place.seat is None:
            return True
        # A folded hand is turned over only for its bonus wagers, which stay in action (TP-6).
        return not r.has_decided(place.seat, PLAY_QUESTION, Verb.FOLD) or len(r.bets[place.seat]) > 1

    def is_visible_to_owner(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        return place.pile is not Pile.FOURTH  # rule 1: no player may inspect the fourth card

    def chips(self, r: Round, seat: int) -> Iterator[ChipStack]:
        # Rule 2: the Play wager equals the Ante.
        ante = r.wager_cents(seat, "ante-play")
        yield ChipStack("ante-play", "ante", ante)
        if r.has_decided(seat, PLAY_QUESTION, Verb.PLAY):
            yield ChipStack("ante-play", "play", ante)
        yield from initial_chips(r, seat, BONUSES)

    def describe_dealer_hand(self, r: Round) -> str:
        hand = evaluate_unchecked(THREE_CARD, r.hand())
        qualifies = hand.strength >= lowest_qualifying_strength()
        text = (
            gettext("The dealer's {cards}, {hand}, qualifies.")
            if qualifies
            else gettext("The dealer's {cards}, {hand}, does not qualify: that takes a queen or better.")
        )
        return text.format(cards=format_card_symbols(r.hand()), hand=hand.description)

    def payments(self, r: Round) -> Iterator[Payment]:
        dealer = evaluate_unchecked(THREE_CARD, r.hand())
        for seat in r.seats:
            player = evaluate_unchecked(THREE_CARD, r.hand(seat))
            stakes = cents_by_stake(self.chips(r, seat))
            yield from self._pay_ante_and_play(r, seat, stakes, player, dealer)
            yield from self._pay_bonuses(r, seat, stakes, player)

    def _pay_ante_and_play(
        self, r: Round, seat: int, stakes: Mapping[str, int], player: Hand, dealer: Hand
    ) -> Iterator[Payment]:
        ante = stakes["ante"]
        if r.has_decided(seat, PLAY_QUESTION, Verb.FOLD):
            yield fixed_payment(seat, "ante-play", "ante", ante, "fold", gettext("folded"), (), Loss())
            return
        comparison = HandComparison(player.cards, dealer.cards)
        qualifies = dealer.strength >= lowest_qualifying_strength()
        wins = player.strength >= dealer.strength  # equal hands win for the player (TP-1)
        text = _describe_result(player, dealer, qualifies)
        # Rule 4: the Ante.
        if not qualifies:
            yield fixed_payment(
                seat, "ante-play", "ante", ante, "dealer-does-not-qualify", text, dealer.cards, Push(), comparison
            )
        elif wins:
            yield fixed_payment(
                seat, "ante-play", "ante", ante, "win-or-copy", text, player.cards, EVEN_MONEY, comparison
            )
        else:
            yield fixed_payment(seat, "ante-play", "ante", ante, "dealer-wins", text, dealer.cards, Loss(), comparison)
        # Rule 5: Play by Win or Copy, also when the dealer does not qualify (TP-1), else by the Bad Beat column.
        event = play_event(player.category)
        if qualifies and not wins:
            event = f"bad-beat-{event}"
        offer = r.table.offers["ante-play"]
        yield paytable_payment(
            offer, seat, "ante-play", "play", stakes["play"], (event,), text, player.cards, comparison
        )

    def _pay_bonuses(self, r: Round, seat: int, stakes: Mapping[str, int], player: Hand) -> Iterator[Payment]:
        """The bonus wagers stay in action whether the player folds or not (TP-6)."""
        three, (fourth,), dealer = r.hand(seat), r.pile(Pile.FOURTH, seat), r.hand()

        def bonus(slug: str, event: str, text: str, cards: tuple[Card, ...]) -> Payment:
            return paytable_payment(r.table.offers[slug], seat, slug, slug, stakes[slug], (event,), text, cards)

        if "prime" in stakes:
            event = prime_event(three, dealer)
            yield bonus("prime", event, gettext(PRIME_TEXTS[event]), three + dealer if "dealer" in event else three)
        if "pair-bonus" in stakes:
            event = pair_bonus_event(player.category, fourth)
            has_loose_deuce = event.endswith("-with-deuce")
            text = player.description
            if has_loose_deuce:
                text = gettext("{hand}, with a loose deuce").format(hand=text)
            yield bonus("pair-bonus", event, text, (*player.cards, fourth) if has_loose_deuce else player.cards)
        if "all-six" in stakes:
            six = evaluate_unchecked(FIVE_CARD, three + dealer)
            event = all_six_event(three + dealer, six.category)
            royal = event.startswith("six-card-royal")
            text = gettext("six-card royal") if royal else six.description
            yield bonus("all-six", event, text, three + dealer if royal else six.cards)
        if "final-four" in stakes:
            four = evaluate_unchecked(FOUR_CARD, (*three, fourth))
            event = final_four_event(player.category, four.category, diamonds=fourth.suit is Suit.DIAMONDS)
            only_three = event.startswith("initial") or event in ("three-of-a-kind", "below-straight")
            best = player if only_three else four
            yield bonus("final-four", event, best.description, best.cards)
        if "all-seven" in stakes:
            seven = (*three, fourth, *dealer)
            best = evaluate_unchecked(FIVE_CARD, seven)
            event = all_seven_event(seven, best.category)
            is_seven_card_hand = event == "seven-card-straight-flush"
            text = gettext("seven-card straight flush") if is_seven_card_hand else best.description
            yield bonus("all-seven", event, text, seven if is_seven_card_hand else best.cards)


def _describe_result(player: Hand, dealer: Hand, qualifies: bool) -> str:
    """Both hands, and what came of them (rules 3 to 5, TP-1)."""
    if not qualifies:
        text = gettext("{hand}; the dealer's {dealer_hand} does not qualify")
        return text.format(hand=player.description, dealer_hand=dealer.description)
    return describe_winning_copy(player, dealer) if player == dealer else describe_comparison(player, dealer)


RULES: Final = ThreeCardPrime()


def payment_inputs(r: Round, payment: Payment) -> PaymentInputs:  # noqa: ARG001
    """The cards of Appendices A to F."""
    hand, fourth = Place(Pile.HAND, payment.seat), Place(Pile.FOURTH, payment.seat)
    match payment.spot, payment.event:
        case "ante-play", "fold":
            return PaymentInputs((), ("play",))
        case "ante-play", _:
            return PaymentInputs((hand, DEALER_HAND), ("play",))
        # Red and black cards lose whatever the dealer has, and below a straight the fourth card does not count.
        case ("prime", "other") | ("final-four", "below-straight"):
            return PaymentInputs((hand,))
        case (("prime" | "all-six"), _):
            return PaymentInputs((hand, DEALER_HAND))
        case (("pair-bonus" | "final-four"), _):
            return PaymentInputs((hand, fourth))
        case _:
            return PaymentInputs((hand, fourth, DEALER_HAND))
