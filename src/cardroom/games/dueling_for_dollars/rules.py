"""Dueling for Dollars, after rule sheet 003 (approved January 28, 2021).

The rules are numbered as on the sheet with DEALER and PLAYER spots; where the version with the PLAY spot numbers a
rule otherwise, its number stands behind a stroke: rule 6/4 is rule 6 of the first and rule 4 of the second version.
DD-1 to DD-9 are the readings of unclear places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from cardroom.cards import Card, Deck
from cardroom.games.decisions import Decision, Verb, options
from cardroom.games.dueling_for_dollars.bonuses import BONUSES, cards_that_make, lines_met, starts_two_plus_two
from cardroom.games.dueling_for_dollars.needs import needs
from cardroom.games.dueling_for_dollars.procedure import dealing_procedure
from cardroom.games.dueling_for_dollars.words import ANSWERS, IN_SHORT, QUESTIONS, RULINGS
from cardroom.games.game import Game
from cardroom.games.needs import Needs
from cardroom.games.places import BURN, COMMUNITY, Pile, Place, places
from cardroom.games.procedure import Procedure
from cardroom.games.round import Round
from cardroom.games.settlement import EVEN_MONEY, Compared, Payment, by_table, fixed
from cardroom.games.setup import Value
from cardroom.games.spot import GameFacts, JackpotWager, Option, Tabulator, Wager
from cardroom.games.stakes import Chips, as_wagered, by_stake
from cardroom.games.table import Table
from cardroom.games.turns import Over, SeatTurn, Turn, due
from cardroom.paytables import Dollars, ForOne, Loss, Push

FIXED_AMOUNT: Final = JackpotWager(rule="Appendices C and D, note 5", scales=True)
TIE_QUESTION: Final = "tie"
HALF_BACK: Final = ForOne(Fraction(1, 2))  # a surrender forfeits half of the wager
BURNT_BEFORE_WAR: Final = 3
WAR_COMMUNITY: Final = Place(Pile.WAR_COMMUNITY)
ADDED_CARDS: Final = (Place(Pile.ADDED_COMMUNITY),) * 2

# What jackpot hands look at.
LOOKED_AT: Final = {
    "tie-after-tie": (Pile.HAND, Pile.COMMUNITY, Pile.WAR, Pile.WAR_COMMUNITY),
    "two-plus-two": (Pile.HAND, Pile.COMMUNITY, Pile.ADDED_COMMUNITY),
}


def duel_spot(r: Round, seat: int) -> str:
    """The one spot that a seat duels on: ``player``, ``dealer`` or ``play``."""
    return next(spot for spot in r.bets[seat] if r.table.spots[spot].wager.slug == "duel")


def ahead(spot: str, card: Card, community: Card) -> int:
    """By how many ranks a card wins on a spot: the DEALER spot wagers on the lower card, the others on the higher
    one. Zero is a tie. The ace is high (DD-1).

    >>> from cardroom.cards import card
    >>> ahead("player", card("As"), card("Kd")), ahead("dealer", card("As"), card("Kd"))
    (1, -1)
    """
    higher = card.rank - community.rank
    return -higher if spot == "dealer" else higher


def tied(r: Round, seat: int) -> bool:
    """Whether a seat's first card ties the first community card."""
    card, community = first_two(r, seat)
    return card.rank == community.rank


def first_two(r: Round, seat: int) -> tuple[Card, Card]:
    """A seat's first card and the first community card."""
    (card,), (community,) = r.hand(seat), r.pile(Pile.COMMUNITY)
    return card, community


def war_two(r: Round, seat: int) -> tuple[Card, Card]:
    """The additional card of a seat at war and the additional community card that all at war share (DD-3)."""
    (card,), (community,) = r.pile(Pile.WAR, seat), r.pile(Pile.WAR_COMMUNITY)
    return card, community


def at_war(r: Round) -> tuple[int, ...]:
    """The seats that went to war."""
    return tuple(seat for seat in r.seats if r.said(seat, TIE_QUESTION, Verb.WAR))


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
        tabulators=(Tabulator.ANDROMEDA_3D,),
        options=(
            Option("duel_spots", ("player-dealer", "play"), "PLAYER and DEALER wagering spots, or the PLAY spot only"),
            Option("burn", (False, True), "three cards are burnt before the war cards (rule 8/6)"),
            Option("tie_after_tie_bonus", (False, True), "a tie after a tie wins a bonus of both wagers (rule 12/9)"),
        ),
        table_cards=1 + BURNT_BEFORE_WAR + 1 + len(ADDED_CARDS),
        seat_cards=2,
        promotion_consent="Galaxy Gaming",  # "Gambling Promotions"
    )
    in_short, answers, questions, rulings, looks_at = IN_SHORT, ANSWERS, QUESTIONS, RULINGS, LOOKED_AT

    def bet_faults(self, table: Table, seat: int, spots: Mapping[str, int]) -> Iterator[str]:  # noqa: ARG002
        # Rule 1: the player may select either the PLAYER or the DEALER spot.
        if "player" in spots and "dealer" in spots:
            yield f"Seat {seat} wagers on PLAYER and on DEALER: choose one of them."

    def spots_of(self, wager: Wager, options: Mapping[str, Value]) -> tuple[str, ...]:
        if wager.slug != "duel":
            return super().spots_of(wager, options)
        return ("play",) if options["duel_spots"] == "play" else ("player", "dealer")

    def turn(self, r: Round) -> Turn:
        # Rule 2: one card to each player, then one community card.
        card = due((*places(Pile.HAND, r.seats), COMMUNITY), r.cards_dealt)
        if card:
            return card
        # Rule 6/4: in the event of a tie the player surrenders or goes to war.
        for seat in r.seats:
            if tied(r, seat) and r.decision(seat, TIE_QUESTION) is None:
                return SeatTurn(seat, TIE_QUESTION, options(Verb.WAR, Verb.SURRENDER))
        return self._war_cards(r) or self._added_cards(r) or Over()

    def _war_cards(self, r: Round) -> Turn | None:
        """Rules 8/6 and 9/7: the cards of the war."""
        seats = at_war(r)
        if not seats:
            return None
        burnt = (BURN,) * BURNT_BEFORE_WAR if r.table.options["burn"] else ()
        order = (*burnt, *places(Pile.WAR, seats), WAR_COMMUNITY)
        return due(order, r.cards_dealt - len(r.seats) - 1)

    def _added_cards(self, r: Round) -> Turn | None:
        """2 + 2 Jackpot: two more community cards when a wager qualifies; they are not the war cards (DD-6)."""
        for seat in r.seats:
            if r.wagered(seat, "two-plus-two") and starts_two_plus_two(*first_two(r, seat)):
                return due(ADDED_CARDS, len(r.pile(Pile.ADDED_COMMUNITY)))
        return None

    def procedure(self, table: Table) -> Procedure:
        return dealing_procedure(table)

    def needs(self, r: Round, payment: Payment) -> Needs:
        return needs(r, payment)

    def safe_answer(self, r: Round) -> Decision:
        return r.asked.option(Verb.SURRENDER)

    def face_up(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        return place != BURN

    def shown_answer(self, turn: SeatTurn, typed: Mapping[str, tuple[Card, ...]]) -> Decision | None:  # noqa: ARG002
        return Decision(Verb.WAR if typed.get(Pile.WAR) else Verb.SURRENDER)

    def chips(self, r: Round, seat: int) -> Iterator[Chips]:
        # Rule 7/5: the War wager equals the initial wager; the one that the dealer puts beside the community card only
        # marks the war.
        spot = duel_spot(r, seat)
        yield Chips(spot, spot, r.wagered(seat, spot))
        if r.said(seat, TIE_QUESTION, Verb.WAR):
            yield Chips(spot, "war", r.wagered(seat, spot))
        yield from as_wagered(r, seat, BONUSES)

    def payments(self, r: Round) -> Iterator[Payment]:
        for seat in r.seats:
            stakes = by_stake(self.chips(r, seat))
            yield from self._duel(r, seat, stakes)
            yield from self._bonuses(r, seat, stakes)

    def _duel(self, r: Round, seat: int, stakes: Mapping[str, int]) -> Iterator[Payment]:
        """Rules 4/3, 5 and 6/4: the initial wager, when there is no war."""
        spot, (card, community) = duel_spot(r, seat), first_two(r, seat)
        wager, words, compared = stakes[spot], _told(spot, card, community), Compared((card,), (community,))
        if r.said(seat, TIE_QUESTION, Verb.WAR):
            yield from self._war(r, seat, spot, stakes)
        elif r.said(seat, TIE_QUESTION, Verb.SURRENDER):
            yield fixed(
                seat, spot, spot, wager, "surrender", f"{words}; surrendered", (card, community), HALF_BACK, compared
            )
        elif ahead(spot, card, community) > 0:
            yield fixed(seat, spot, spot, wager, "win", words, (card, community), EVEN_MONEY, compared)
        else:
            yield fixed(seat, spot, spot, wager, "loss", words, (card, community), Loss(), compared)

    def _war(self, r: Round, seat: int, spot: str, stakes: Mapping[str, int]) -> Iterator[Payment]:
        """Rules 10/8, 11/8 and 12/9."""
        wager, war = stakes[spot], stakes["war"]
        pair = card, community = war_two(r, seat)
        words, compared = f"war: {_told(spot, card, community)}", Compared((card,), (community,))
        lead = ahead(spot, card, community)
        if lead < 0:
            yield fixed(seat, spot, spot, wager, "war-loss", words, pair, Loss(), compared)
            yield fixed(seat, spot, "war", war, "war-loss", words, pair, Loss(), compared)
            return
        event = "war-win" if lead else "war-tie"
        yield fixed(seat, spot, spot, wager, event, f"{words}; the war pays on the War wager", pair, Push(), compared)
        yield fixed(seat, spot, "war", war, event, words, pair, EVEN_MONEY, compared)
        if lead == 0 and r.table.options["tie_after_tie_bonus"]:
            # As much as both wagers together, on top of the ordinary win (DD-4).
            four = (*first_two(r, seat), *pair)
            bonus = Dollars(wager + war)
            yield fixed(seat, spot, "tie after tie bonus", 0, "tie-after-tie", "tie after a tie", four, bonus)

    def _bonuses(self, r: Round, seat: int, stakes: Mapping[str, int]) -> Iterator[Payment]:
        """The bonus wagers stand whatever becomes of the duel."""
        start = first_two(r, seat)
        war = war_two(r, seat) if r.said(seat, TIE_QUESTION, Verb.WAR) else ()  # nothing after a surrender (DD-5)
        looks_at = {
            "tie-plus": start,
            "combo": start,
            "tie-after-tie": (*start, *war),
            "two-plus-two": (*start, *r.pile(Pile.ADDED_COMMUNITY)),
        }
        for slug, cards in looks_at.items():
            if slug in stakes:
                events = lines_met(slug, cards)
                words, shown = events[0].replace("-", " "), cards_that_make(events[0], cards)
                yield by_table(r.table.offered[slug], seat, slug, slug, stakes[slug], events, words, shown)


def _told(spot: str, card: Card, community: Card) -> str:
    """Both cards, and which is ahead on the spot."""
    lead = ahead(spot, card, community)
    if lead == 0:
        return f"{card.rank.word} ties {community.rank.word}"
    verdict = "beats" if lead > 0 else "loses to"
    return f"{card.rank.word} {verdict} {community.rank.word}" + (" on DEALER" if spot == "dealer" else "")


RULES: Final = DuelingForDollars()
