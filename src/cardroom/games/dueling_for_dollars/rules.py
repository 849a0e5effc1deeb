"""Dueling for Dollars, after rule sheet 003 (approved January 28, 2021): rules and payments.

The rules are numbered as on the sheet with DEALER and PLAYER spots. Where the version with the PLAY spot numbers a rule
differently, its number comes after a slash: rule 6/4 is rule 6 of the first and rule 4 of the second version. DD-1 to
DD-9 are the rulings on unclear places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cardroom.cards import Card, Deck
from cardroom.games.actions import Decision, RoundEnd, SeatTurn, Turn, Verb, next_chance_turn, options
from cardroom.games.card_places import BURN, COMMUNITY, Pile, Place, seat_places
from cardroom.games.dueling_for_dollars.bonuses import BONUSES, event_cards, is_two_plus_two_start, matching_lines
from cardroom.games.dueling_for_dollars.text import (
    QUESTION_TEXTS,
    RULINGS,
    SUMMARY,
    VERB_DESCRIPTIONS,
    dealing_procedure,
)
from cardroom.games.game import ChipStack, Game, PaymentInputs, cents_by_stake, initial_chips
from cardroom.games.game_facts import GameFacts, GameOption, JackpotWager, TabulatorType, Wager
from cardroom.games.playable_table import Table
from cardroom.games.procedure import Procedure
from cardroom.games.round import Round
from cardroom.games.settlement import EVEN_MONEY, HALF_BACK, HandComparison, Payment, fixed_payment, paytable_payment
from cardroom.games.setup import OptionValue
from cardroom.hands.ranking import rank_word
from cardroom.paytables import Dollars, Loss, Push
from cardroom.translation import gettext, gettext_noop

FIXED_AMOUNT: Final = JackpotWager(rule="Appendices C and D, note 5", has_scaled_prizes=True)
TIE_QUESTION: Final = "tie"
SURRENDER_PAY: Final = HALF_BACK  # a surrender forfeits half of the wager
WAR_BURN_COUNT: Final = 3
WAR_COMMUNITY: Final = Place(Pile.WAR_COMMUNITY)
ADDED_CARDS: Final = (Place(Pile.ADDED_COMMUNITY),) * 2

# The cards that each jackpot wager depends on.
JACKPOT_PLACES: Final = {
    "tie-after-tie": (Pile.HAND, Pile.COMMUNITY, Pile.WAR, Pile.WAR_COMMUNITY),
    "two-plus-two": (Pile.HAND, Pile.COMMUNITY, Pile.ADDED_COMMUNITY),
}


def duel_spot(r: Round, seat: int) -> str:
    """The one spot that a seat duels on: ``player``, ``dealer`` or ``play``."""
    return next(spot for spot in r.bets[seat] if r.table.spots[spot].wager.slug == "duel")


def rank_lead(spot: str, card: Card, community: Card) -> int:
    """By how many ranks a card wins on a spot: the DEALER spot wagers on the lower card, the others on the higher
    one. Zero is a tie. The ace is high (DD-1).

    >>> from cardroom.cards import parse_card
    >>> rank_lead("player", parse_card("As"), parse_card("Kd")), rank_lead("dealer", parse_card("As"), parse_card("Kd"))
    (1, -1)
    """
    higher = card.rank - community.rank
    return -higher if spot == "dealer" else higher


def is_tied(r: Round, seat: int) -> bool:
    """Whether a seat's first card ties the first community card."""
    card, community = initial_cards(r, seat)
    return card.rank == community.rank


def initial_cards(r: Round, seat: int) -> tuple[Card, Card]:
    """A seat's first card and the first community card."""
    (card,), (community,) = r.hand(seat), r.pile(Pile.COMMUNITY)
    return card, community


def war_cards(r: Round, seat: int) -> tuple[Card, Card]:
    """The additional card of a seat at war and the additional community card that all at war share (DD-3)."""
    (card,), (community,) = r.pile(Pile.WAR, seat), r.pile(Pile.WAR_COMMUNITY)
    return card, community


def war_seats(r: Round) -> tuple[int, ...]:
    """The seats that went to war."""
    return tuple(seat for seat in r.seats if r.has_decided(seat, TIE_QUESTION, Verb.WAR))


class DuelingForDollars(Game):
    """The rules of Dueling for Dollars."""

    facts = GameFacts(
        slug="dueling-for-dollars",
        name="Dueling for Dollars",
        sheet="003_54870c484c2261cd.txt",
        decks=(Deck.SIX, Deck.FIVE, Deck.EIGHT),  # six are recommended
        wagers=(
            # A surrender halves the wager, so it must be divisible by two to the cent.
            Wager("duel", "Duel", spots=("player", "dealer", "play"), required=True, divisor=2),
            Wager("tie-plus", "Tie Plus", decks_rule="DD-7"),
            Wager("combo", "Combo Bet"),
            Wager("tie-after-tie", "Tie After Tie Jackpot", jackpot=FIXED_AMOUNT),
            Wager("two-plus-two", "2 + 2 Jackpot", jackpot=FIXED_AMOUNT),
        ),
        tabulators=(TabulatorType.ANDROMEDA_3D,),
        options=(
            GameOption(
                "duel_spots",
                ("player-dealer", "play"),
                gettext_noop("PLAYER and DEALER wagering spots, or the PLAY spot only"),
            ),
            GameOption(
                "burn", (False, True), gettext_noop("three cards are burned before the war cards"), rule="rule 8/6"
            ),
            GameOption(
                "tie_after_tie_bonus",
                (False, True),
                gettext_noop("a tie after a tie wins a bonus of both wagers"),
                rule="rule 12/9",
            ),
        ),
        table_cards=1 + WAR_BURN_COUNT + 1 + len(ADDED_CARDS),
        seat_cards=2,
        promotion_consent="Galaxy Gaming",  # "Gambling Promotions"
    )
    summary, verb_descriptions, question_texts, rulings, jackpot_places = (
        SUMMARY,
        VERB_DESCRIPTIONS,
        QUESTION_TEXTS,
        RULINGS,
        JACKPOT_PLACES,
    )

    def bet_faults(self, table: Table, seat: int, spots: Mapping[str, int]) -> Iterator[str]:  # noqa: ARG002
        # Rule 1: the player may select either the PLAYER or the DEALER spot.
        if "player" in spots and "dealer" in spots:
            yield gettext("Seat {seat} has wagers on PLAYER and on DEALER: choose one of them.").format(seat=seat)

    def wager_spots(self, wager: Wager, options: Mapping[str, OptionValue]) -> tuple[str, ...]:
        if wager.slug != "duel":
            return super().wager_spots(wager, options)
        return ("play",) if options["duel_spots"] == "play" else ("player", "dealer")

    def turn(self, r: Round) -> Turn:
        # Rule 2: one card to each player, then one community card.
        card = next_chance_turn((*seat_places(Pile.HAND, r.seats), COMMUNITY), r.card_count)
        if card:
            return card
        # Rule 6/4: in the event of a tie the player surrenders or goes to war.
        for seat in r.seats:
            if is_tied(r, seat) and r.decision(seat, TIE_QUESTION) is None:
                return SeatTurn(seat, TIE_QUESTION, options(Verb.WAR, Verb.SURRENDER))
        return self._war_deal(r) or self._added_deal(r) or RoundEnd()

    def _war_deal(self, r: Round) -> Turn | None:
        """Rules 8/6 and 9/7: the cards of the war."""
        seats = war_seats(r)
        if not seats:
            return None
        burn_places = (BURN,) * WAR_BURN_COUNT if r.table.options["burn"] else ()
        order = (*burn_places, *seat_places(Pile.WAR, seats), WAR_COMMUNITY)
        return next_chance_turn(order, r.card_count - len(r.seats) - 1)

    def _added_deal(self, r: Round) -> Turn | None:
        """2 + 2 Jackpot: two more community cards when a wager qualifies; they are not the war cards (DD-6)."""
        for seat in r.seats:
            if r.wager_cents(seat, "two-plus-two") and is_two_plus_two_start(*initial_cards(r, seat)):
                return next_chance_turn(ADDED_CARDS, len(r.pile(Pile.ADDED_COMMUNITY)))
        return None

    def procedure(self, table: Table) -> Procedure:
        return dealing_procedure(table)

    def payment_inputs(self, r: Round, payment: Payment) -> PaymentInputs:
        return payment_inputs(r, payment)

    def default_decision(self, r: Round) -> Decision:
        return r.seat_turn.option(Verb.SURRENDER)

    def is_face_up(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        return place != BURN

    def infer_decision(self, turn: SeatTurn, entered_cards: Mapping[str, tuple[Card, ...]]) -> Decision | None:  # noqa: ARG002
        return Decision(Verb.WAR if entered_cards.get(Pile.WAR) else Verb.SURRENDER)

    def chips(self, r: Round, seat: int) -> Iterator[ChipStack]:
        # Rule 7/5: the War wager equals the initial wager; the one that the dealer puts beside the community card only
        # marks the war.
        spot = duel_spot(r, seat)
        yield ChipStack(spot, spot, r.wager_cents(seat, spot))
        if r.has_decided(seat, TIE_QUESTION, Verb.WAR):
            yield ChipStack(spot, "war", r.wager_cents(seat, spot))
        yield from initial_chips(r, seat, BONUSES)

    def payments(self, r: Round) -> Iterator[Payment]:
        for seat in r.seats:
            stakes = cents_by_stake(self.chips(r, seat))
            yield from self._pay_duel(r, seat, stakes)
            yield from self._pay_bonuses(r, seat, stakes)

    def _pay_duel(self, r: Round, seat: int, stakes: Mapping[str, int]) -> Iterator[Payment]:
        """Rules 4/3, 5 and 6/4: the initial wager, when there is no war."""
        spot, (card, community) = duel_spot(r, seat), initial_cards(r, seat)
        wager, text, comparison = (
            stakes[spot],
            _describe_duel(spot, card, community),
            HandComparison((card,), (community,)),
        )
        if r.has_decided(seat, TIE_QUESTION, Verb.WAR):
            yield from self._pay_war(r, seat, spot, stakes)
        elif r.has_decided(seat, TIE_QUESTION, Verb.SURRENDER):
            yield fixed_payment(
                seat,
                spot,
                spot,
                wager,
                "surrender",
                gettext("{outcome}; surrendered").format(outcome=text),
                (card, community),
                SURRENDER_PAY,
                comparison,
            )
        elif rank_lead(spot, card, community) > 0:
            yield fixed_payment(seat, spot, spot, wager, "win", text, (card, community), EVEN_MONEY, comparison)
        else:
            yield fixed_payment(seat, spot, spot, wager, "loss", text, (card, community), Loss(), comparison)

    def _pay_war(self, r: Round, seat: int, spot: str, stakes: Mapping[str, int]) -> Iterator[Payment]:
        """Rules 10/8, 11/8 and 12/9."""
        wager, war = stakes[spot], stakes["war"]
        pair = card, community = war_cards(r, seat)
        text = gettext("War: {outcome}").format(outcome=_describe_duel(spot, card, community))
        comparison = HandComparison((card,), (community,))
        lead = rank_lead(spot, card, community)
        if lead < 0:
            yield fixed_payment(seat, spot, spot, wager, "war-loss", text, pair, Loss(), comparison)
            yield fixed_payment(seat, spot, "war", war, "war-loss", text, pair, Loss(), comparison)
            return
        event = "war-win" if lead else "war-tie"
        push_text = gettext("{outcome}; this wager pushes and the War wager is paid").format(outcome=text)
        yield fixed_payment(seat, spot, spot, wager, event, push_text, pair, Push(), comparison)
        yield fixed_payment(seat, spot, "war", war, event, text, pair, EVEN_MONEY, comparison)
        if lead == 0 and r.table.options["tie_after_tie_bonus"]:
            # As much as both wagers together, on top of the ordinary win (DD-4).
            four = (*initial_cards(r, seat), *pair)
            bonus = Dollars(wager + war)
            text = gettext("tie after a tie")
            yield fixed_payment(seat, spot, "tie after tie bonus", 0, "tie-after-tie", text, four, bonus)

    def _pay_bonuses(self, r: Round, seat: int, stakes: Mapping[str, int]) -> Iterator[Payment]:
        """The bonus wagers stay in action whatever happens to the duel."""
        start = initial_cards(r, seat)
        war = (
            war_cards(r, seat) if r.has_decided(seat, TIE_QUESTION, Verb.WAR) else ()
        )  # nothing after a surrender (DD-5)
        cards_by_wager = {
            "tie-plus": start,
            "combo": start,
            "tie-after-tie": (*start, *war),
            "two-plus-two": (*start, *r.pile(Pile.ADDED_COMMUNITY)),
        }
        for slug, cards in cards_by_wager.items():
            if slug in stakes:
                events = matching_lines(slug, cards)
                text, winning_cards = gettext(events[0].replace("-", " ")), event_cards(events[0], cards)
                yield paytable_payment(
                    r.table.offers[slug], seat, slug, slug, stakes[slug], events, text, winning_cards
                )


def _describe_duel(spot: str, card: Card, community: Card) -> str:
    """Which card is higher, and what that means for the spot."""
    lead = rank_lead(spot, card, community)
    if lead == 0:
        text = gettext("{card} ties {community}")
    elif card.rank > community.rank:
        text = (
            gettext("{card} is higher than {community}, so {spot} wins")
            if lead > 0
            else gettext("{card} is higher than {community}, so {spot} loses")
        )
    else:
        text = (
            gettext("{card} is lower than {community}, so {spot} wins")
            if lead > 0
            else gettext("{card} is lower than {community}, so {spot} loses")
        )
    sentence = text.format(card=rank_word(card.rank), community=rank_word(community.rank), spot=spot.upper())
    return sentence[0].upper() + sentence[1:]


RULES: Final = DuelingForDollars()


def payment_inputs(r: Round, payment: Payment) -> PaymentInputs:
    """The first two cards, the war cards of a seat at war, and for 2 + 2 the two added cards (DD-6)."""
    first = (Place(Pile.HAND, payment.seat), COMMUNITY)
    war = (Place(Pile.WAR, payment.seat), Place(Pile.WAR_COMMUNITY))
    match payment.spot, payment.event:
        case (("tie-plus" | "combo"), _):
            return PaymentInputs(first)
        case "two-plus-two", event:
            return PaymentInputs(first if event == "no-starting-hand" else (*first, Place(Pile.ADDED_COMMUNITY)))
        case _:
            return PaymentInputs((*first, *war) if r.has_decided(payment.seat, "tie", Verb.WAR) else first, ("tie",))
