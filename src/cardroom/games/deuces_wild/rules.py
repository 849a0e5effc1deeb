"""Deuces Wild, after rule sheet 000 (rules of play and dealing procedures of November 29, 2012): rules and payments.

The rules are numbered as on the sheet; DW-1 to DW-11 are the rulings on its unclear places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Final

from cardroom.cards import Card, Deck
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
from cardroom.games.card_places import COMMUNITY, Pile, Place, seat_places
from cardroom.games.deuces_wild.text import QUESTION_TEXTS, RULINGS, SUMMARY, VERB_DESCRIPTIONS, dealing_procedure
from cardroom.games.game import ChipStack, Game, PaymentInputs, cents_by_stake, initial_chips
from cardroom.games.game_facts import GameFacts, JackpotWager, TabulatorType, Wager
from cardroom.games.playable_table import Table
from cardroom.games.procedure import Procedure
from cardroom.games.round import Round
from cardroom.games.settlement import Payment, fixed_payment, paytable_payment
from cardroom.hands import FIVE_CARD_WILD, THREE_CARD_WILD, Category, best_three_wild, evaluate_unchecked, is_wild
from cardroom.paytables import Loss
from cardroom.translation import gettext

ANTE_PLAY_RAISE: Final = "ante-play-raise"
THREE_CARD_TREASURE: Final = "three-card-treasure"
FIVE_CARD_FORTUNE: Final = "five-card-fortune"
BONUS_JACKPOT: Final = "bonus-jackpot"

PLAY_QUESTION: Final = "play"
FORTUNE_QUESTION: Final = "fortune"
RAISE_QUESTION: Final = "raise"

_PAIR_OR_LESS: Final = {Category.PAIR: "pair-or-less", Category.HIGH_CARD: "pair-or-less"}
"""A pair is below the lowest line of Appendices A, B and C."""

# Appendix B.
TREASURE_EVENTS: Final = {category: category.slug for category in reversed(THREE_CARD_WILD.order)} | _PAIR_OR_LESS

# Appendix C.
FORTUNE_EVENTS: Final = {category: category.slug for category in reversed(FIVE_CARD_WILD.order)} | _PAIR_OR_LESS

# Appendix A has the same lines but for the five wild cards, which are a Wild Royal Flush there (DW-4).
MAIN_EVENTS: Final = {**FORTUNE_EVENTS, Category.FIVE_WILD_CARDS: "wild-royal-flush"}

# Appendix D, by the number of wild cards among the five.
JACKPOT_EVENTS: Final = (
    "fewer-than-two-wild-cards",
    "fewer-than-two-wild-cards",
    "two-wild-cards",
    "three-wild-cards",
    "four-wild-cards",
    "five-wild-cards",
)

# What jackpot hands look at.
JACKPOT_PLACES: Final = {BONUS_JACKPOT: (Pile.HAND, Pile.FOURTH, Pile.FIFTH)}


@lru_cache(maxsize=1024)
def initial_deal(seats: tuple[int, ...]) -> tuple[Place, ...]:
    """Rule 18: a community card, then one card to each player, and so three times; all face down."""
    return (COMMUNITY, *seat_places(Pile.HAND, seats)) * 3


def fortune_selections(three: tuple[Card, ...]) -> tuple[Decision, ...]:
    """Note 2: one card of the first three, or two or more when all of them are wild (DW-6).

    >>> from cardroom.cards import parse_cards
    >>> [str(one) for one in fortune_selections(parse_cards("Kd 2s Jk"))]
    ['choose Kd', 'choose 2s', 'choose Jk', 'choose Jk 2s']
    """
    wild_cards = [card for card in three if is_wild(card)]
    wild_groups = [group for count in (2, 3) for group in combinations(wild_cards, count)]
    single_selections = [Decision.from_sorted_groups(Verb.CHOOSE, ((card,),)) for card in three]
    return (*single_selections, *(Decision(Verb.CHOOSE, (group,)) for group in wild_groups))


def house_selection(three: tuple[Card, ...]) -> Decision:
    """Who selects nothing for Five Card Fortune has all wild cards selected, or without one the highest card; of two
    cards of one rank the first that was dealt.

    >>> from cardroom.cards import parse_cards
    >>> str(house_selection(parse_cards("Kd 2s Jk"))), str(house_selection(parse_cards("9d Ks Kh")))
    ('choose Jk 2s', 'choose Ks')
    """
    wild_cards = tuple(card for card in three if is_wild(card))
    return Decision(Verb.CHOOSE, (wild_cards or (max(three, key=lambda card: card.rank),),))


def gets_fourth_card(r: Round, seat: int) -> bool:
    """Rule 7: those who placed the Play wager, and those with a Bonus Jackpot wager whatever they did (DW-7)."""
    return r.has_decided(seat, PLAY_QUESTION, Verb.PLAY) or bool(r.wager_cents(seat, BONUS_JACKPOT))


def gets_fifth_card(r: Round, seat: int) -> bool:
    """Rule 7 again, for the Raise wager."""
    return r.has_decided(seat, RAISE_QUESTION, Verb.RAISE) or bool(r.wager_cents(seat, BONUS_JACKPOT))


def five_cards(r: Round, seat: int) -> tuple[Card, ...]:
    """A seat's whole hand: the first three cards, the fourth and the last."""
    return r.hand(seat) + r.pile(Pile.FOURTH, seat) + r.pile(Pile.FIFTH, seat)


class DeucesWild(Game):
    """The rules of Deuces Wild."""

    facts = GameFacts(
        slug="deuces-wild",
        name="Deuces Wild",
        sheet="000_dd23eaa82a64918a.txt",
        decks=(Deck.WITH_JOKER,),  # rule 1
        # Rule 15: a player makes any one or more of these wagers.
        wagers=(
            Wager(
                ANTE_PLAY_RAISE, "Ante / Play / Raise", largest_raise=2, most_units=4
            ),  # the Raise equals Ante and Play
            Wager(THREE_CARD_TREASURE, "Three Card Treasure"),
            Wager(FIVE_CARD_FORTUNE, "Five Card Fortune"),
            Wager(BONUS_JACKPOT, "Bonus Jackpot", jackpot=JackpotWager()),  # rule 16: a fixed amount
        ),
        tabulators=(
            TabulatorType.MILKY_WAY,
            TabulatorType.ANDROMEDA_1,
            TabulatorType.ANDROMEDA_3C,
            TabulatorType.ANDROMEDA_3D,
        ),
        table_cards=4,  # the community hand (DW-5)
        seat_cards=5,
    )
    summary, verb_descriptions, question_texts, rulings, jackpot_places = (
        SUMMARY,
        VERB_DESCRIPTIONS,
        QUESTION_TEXTS,
        RULINGS,
        JACKPOT_PLACES,
    )
    early_payment_spots = frozenset({THREE_CARD_TREASURE})  # rule 20: its take or pay comes before the second round
    has_fixed_questions = True

    # The dealing procedures, under the headings of the sheet

    def turn(self, r: Round) -> Turn:
        return (
            next_chance_turn(initial_deal(r.seats), r.card_count)
            or self._treasure_take_or_pay(r)
            or self._second_round(r)
            or self._third_round(r)
            or self._final_take_or_pay(r)
            or RoundEnd()
        )

    def _treasure_take_or_pay(self, r: Round) -> Turn | None:
        """Rule 20: the take or pay of Three Card Treasure."""
        if r.has_taken_step(DealerStep.PAY_TREASURE) or not any(
            r.wager_cents(seat, THREE_CARD_TREASURE) for seat in r.seats
        ):
            return None
        return DealerTurn(DealerStep.PAY_TREASURE)

    def _second_round(self, r: Round) -> Turn | None:
        """Rule 21: fold or Play, and the choice for Five Card Fortune, seat by seat; then the fourth cards."""
        for seat, spots in r.bets.items():
            if ANTE_PLAY_RAISE in spots and (seat, PLAY_QUESTION) not in r.decisions:
                return SeatTurn(seat, PLAY_QUESTION, options(Verb.FOLD, Verb.PLAY))
            if FIVE_CARD_FORTUNE in spots and (seat, FORTUNE_QUESTION) not in r.decisions:
                return SeatTurn(seat, FORTUNE_QUESTION, fortune_selections(r.hand(seat)))
        active_seats = tuple([seat for seat in r.seats if gets_fourth_card(r, seat)])
        # The exception: if no player goes on, the fourth community card is dealt for Five Card Fortune alone (DW-9).
        if not active_seats and not any(r.wager_cents(seat, FIVE_CARD_FORTUNE) for seat in r.seats):
            return RoundEnd()
        return next_chance_turn(
            (COMMUNITY, *seat_places(Pile.FOURTH, active_seats)), r.card_count - len(initial_deal(r.seats))
        )

    def _third_round(self, r: Round) -> Turn | None:
        """Rule 22: fold or Raise. The last card is not delivered before all have decided."""
        for seat in r.seats:
            if r.has_decided(seat, PLAY_QUESTION, Verb.PLAY) and r.decision(seat, RAISE_QUESTION) is None:
                return SeatTurn(seat, RAISE_QUESTION, options(Verb.FOLD, Verb.RAISE))
        last = seat_places(Pile.FIFTH, tuple([seat for seat in r.seats if gets_fifth_card(r, seat)]))
        return next_chance_turn(last, sum(place in r.piles for place in last))

    def _final_take_or_pay(self, r: Round) -> Turn | None:
        """Rules 23 and 24: the hands are turned over, and with them the community cards."""
        return None if r.has_taken_step(DealerStep.REVEAL) else DealerTurn(DealerStep.REVEAL)

    def procedure(self, table: Table) -> Procedure:
        return dealing_procedure(table)

    def payment_inputs(self, r: Round, payment: Payment) -> PaymentInputs:
        return payment_inputs(r, payment)

    def default_decision(self, r: Round) -> Decision:
        if r.seat_turn.question == FORTUNE_QUESTION:
            return house_selection(r.hand(r.seat_turn.seat))
        return r.seat_turn.option(Verb.FOLD)

    def is_wild(self, card: Card) -> bool:
        return is_wild(card)

    # Who may look (rules 9 and 19 to 23)

    def is_face_up(self, r: Round, place: Place) -> bool:
        if place.seat is None:
            return r.has_taken_step(DealerStep.REVEAL)
        if r.has_taken_step(DealerStep.REVEAL) and gets_fifth_card(r, place.seat):
            return True  # DW-10
        # Rule 20(b): a winner of Three Card Treasure flips over the three cards; a loser does not reveal them.
        if place.pile is not Pile.HAND or not r.has_taken_step(DealerStep.PAY_TREASURE):
            return False
        wagered = r.wager_cents(place.seat, THREE_CARD_TREASURE)
        if not wagered:
            return False
        event = TREASURE_EVENTS[_three_card_wild(r.hand(place.seat)).category]
        return not isinstance(r.table.offers[THREE_CARD_TREASURE].find_pay((event,), wagered).pay, Loss)

    def is_visible_to_owner(self, r: Round, place: Place) -> bool:
        assert place.seat is not None
        if place.pile is Pile.HAND:
            # Rules 18 and 19: all three cards are delivered together, to be examined for one of these wagers (DW-8).
            examined_for = (ANTE_PLAY_RAISE, THREE_CARD_TREASURE, FIVE_CARD_FORTUNE)
            return len(r.hand(place.seat)) == 3 and any(r.wager_cents(place.seat, wager) for wager in examined_for)
        # Rule 22: a player with a Play wager examines the fourth card, and no player the last one.
        return place.pile is Pile.FOURTH and r.has_decided(place.seat, PLAY_QUESTION, Verb.PLAY)

    def is_decision_public(self, r: Round, seat: int, question: str) -> bool:  # noqa: ARG002
        # The cards selected for Five Card Fortune are turned over to be paid.
        return question == FORTUNE_QUESTION and r.has_taken_step(DealerStep.REVEAL)

    # The chips: no wager has any effect on another (rule 15, DW-7)

    def chips(self, r: Round, seat: int) -> Iterator[ChipStack]:
        yield from self._ante_play_raise_chips(r, seat)
        yield from initial_chips(r, seat, (THREE_CARD_TREASURE, FIVE_CARD_FORTUNE, BONUS_JACKPOT))

    def _ante_play_raise_chips(self, r: Round, seat: int) -> Iterator[ChipStack]:
        """Rules 21(b) and 22(b): the Play wager equals the Ante, and the Raise equals both together."""
        ante = r.wager_cents(seat, ANTE_PLAY_RAISE)
        if ante:
            yield ChipStack(ANTE_PLAY_RAISE, "ante", ante)
        if r.has_decided(seat, PLAY_QUESTION, Verb.PLAY):
            yield ChipStack(ANTE_PLAY_RAISE, "play", ante)
        if r.has_decided(seat, RAISE_QUESTION, Verb.RAISE):
            yield ChipStack(ANTE_PLAY_RAISE, "raise", ante + ante)

    # Take or pay

    def payments(self, r: Round) -> Iterator[Payment]:
        for seat in r.seats:
            if r.wager_cents(seat, ANTE_PLAY_RAISE):
                yield from self._pay_ante_play_raise(r, seat)
            if r.wager_cents(seat, THREE_CARD_TREASURE):
                yield self._pay_treasure(r, seat)
            if r.wager_cents(seat, FIVE_CARD_FORTUNE):
                yield self._pay_fortune(r, seat)
            if r.wager_cents(seat, BONUS_JACKPOT):
                yield self._pay_jackpot(r, seat)

    def _pay_ante_play_raise(self, r: Round, seat: int) -> Iterator[Payment]:
        """Appendix A pays on Ante, Play and Raise alike (DW-3)."""
        stakes = cents_by_stake(self._ante_play_raise_chips(r, seat))
        if not r.has_decided(seat, RAISE_QUESTION, Verb.RAISE):
            # Rules 21(a) and 22(a): a fold forfeits what was wagered so far, and shows none of the cards.
            text = gettext("folded after four cards") if "play" in stakes else gettext("folded after three cards")
            for stake, wagered in stakes.items():
                yield fixed_payment(seat, ANTE_PLAY_RAISE, stake, wagered, "fold", text, (), Loss())
            return
        hand = evaluate_unchecked(FIVE_CARD_WILD, five_cards(r, seat))
        for stake, wagered in stakes.items():
            yield _paytable_payment(
                r, seat, ANTE_PLAY_RAISE, stake, wagered, MAIN_EVENTS[hand.category], hand.description, hand.cards
            )

    def _pay_treasure(self, r: Round, seat: int) -> Payment:
        """Appendix B: the first three cards."""
        hand = _three_card_wild(r.hand(seat))
        event, wagered = TREASURE_EVENTS[hand.category], r.wager_cents(seat, THREE_CARD_TREASURE)
        payment = _paytable_payment(
            r, seat, THREE_CARD_TREASURE, THREE_CARD_TREASURE, wagered, event, hand.description, hand.cards
        )
        # Rule 20(a): a loser does not reveal the cards.
        return replace(payment, text=gettext("no winning hand"), cards=()) if isinstance(payment.pay, Loss) else payment

    def _pay_fortune(self, r: Round, seat: int) -> Payment:
        """Appendix C: the best five of the selected card or cards and the four community cards."""
        decision = r.decision(seat, FORTUNE_QUESTION)
        assert decision is not None
        (selected,) = decision.groups
        hand = evaluate_unchecked(FIVE_CARD_WILD, selected + r.pile(Pile.COMMUNITY))
        event, wagered = FORTUNE_EVENTS[hand.category], r.wager_cents(seat, FIVE_CARD_FORTUNE)
        return _paytable_payment(
            r, seat, FIVE_CARD_FORTUNE, FIVE_CARD_FORTUNE, wagered, event, hand.description, hand.cards
        )

    def _pay_jackpot(self, r: Round, seat: int) -> Payment:
        """Appendix D: the wild cards among the player's five."""
        wild_cards = tuple(card for card in five_cards(r, seat) if is_wild(card))
        event, wagered = JACKPOT_EVENTS[len(wild_cards)], r.wager_cents(seat, BONUS_JACKPOT)
        text = gettext(event.replace("-", " "))
        return _paytable_payment(r, seat, BONUS_JACKPOT, BONUS_JACKPOT, wagered, event, text, wild_cards)


def _paytable_payment(
    r: Round, seat: int, wager: str, stake: str, wagered: int, event: str, text: str, cards: tuple[Card, ...]
) -> Payment:
    return paytable_payment(r.table.offers[wager], seat, wager, stake, wagered, (event,), text, cards)


# A table needs the same few hands again and again, from the first take or pay to the last.
_three_card_wild: Final = lru_cache(maxsize=256)(best_three_wild)


RULES: Final = DeucesWild()


def payment_inputs(r: Round, payment: Payment) -> PaymentInputs:  # noqa: ARG001
    """The cards of Appendices A to D. Who folds shows none (rules 21 and 22)."""
    hand = Place(Pile.HAND, payment.seat)
    five = (hand, Place(Pile.FOURTH, payment.seat), Place(Pile.FIFTH, payment.seat))
    match payment.spot, payment.event:
        case "ante-play-raise", event:
            return PaymentInputs(() if event == "fold" else five, ("play", "raise"))
        case "three-card-treasure", _:
            return PaymentInputs((hand,))
        case "five-card-fortune", _:
            return PaymentInputs((COMMUNITY,), ("fortune",))
        case _:
            return PaymentInputs(five)
