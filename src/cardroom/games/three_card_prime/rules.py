"""Three Card Prime, after rule sheet 001 (rules of play revised 9/3/15).

The rules are numbered as on the sheet; TP-1 to TP-7 are the readings of its unclear places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from cardroom.cards import Card, Deck, Suit, printed
from cardroom.games.actions import DealerStep
from cardroom.games.decisions import Decision, Verb, options
from cardroom.games.game import Game
from cardroom.games.needs import Needs
from cardroom.games.places import BURN, DEALER_HAND, Pile, Place
from cardroom.games.procedure import Procedure
from cardroom.games.round import Round
from cardroom.games.settlement import EVEN_MONEY, Compared, Payment, against, by_table, fixed
from cardroom.games.spot import GameFacts, JackpotWager, Tabulator, Wager
from cardroom.games.stakes import Chips, as_wagered, by_stake
from cardroom.games.table import Table
from cardroom.games.three_card_prime.needs import needs
from cardroom.games.three_card_prime.procedure import dealing_procedure
from cardroom.games.three_card_prime.words import ANSWERS, IN_SHORT, RULINGS
from cardroom.games.turns import DealerTurn, Over, SeatTurn, Turn, due
from cardroom.hands import FIVE_CARD, FOUR_CARD, THREE_CARD, Category, Hand, known_hand, straight_flush_top
from cardroom.paytables import Loss, Push

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

PRIME_WORDS: Final = {
    "same-color-player-and-dealer": "player and dealer of one color",
    "same-color-player": "player's cards of one color",
    "other": "red and black cards",
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

# What jackpot hands look at.
LOOKED_AT: Final = {"final-four": (Pile.HAND, Pile.FOURTH), "all-seven": (Pile.HAND, Pile.FOURTH, str(DEALER_HAND))}


@lru_cache(maxsize=1024)
def all_cards(seats: tuple[int, ...]) -> tuple[Place, ...]:
    """Rule 1: four cards to each player, of which the top one is set apart; the dealer's bottom card is discarded."""
    of_players = (place for seat in seats for place in (*[Place(Pile.HAND, seat)] * 3, Place(Pile.FOURTH, seat)))
    return (*of_players, BURN, *[DEALER_HAND] * 3)


@cache
def lowest_qualifying_strength() -> int:
    """Rule 3: the dealer qualifies with at least a queen high."""
    return next(
        strength
        for strength, one in enumerate(THREE_CARD.classes, 1)
        if one.category is not Category.HIGH_CARD or one.ranks[0] >= 12
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
        tabulators=(Tabulator.MILKY_WAY, Tabulator.ANDROMEDA_3C, Tabulator.ANDROMEDA_3D),
        table_cards=4,
        seat_cards=4,
        most_spots=4,
    )
    in_short, answers, rulings, looks_at = IN_SHORT, ANSWERS, RULINGS, LOOKED_AT
    always_asks = True

    def turn(self, r: Round) -> Turn:
        card = due(all_cards(r.seats), r.cards_dealt)
        if card:
            return card
        # Rule 2: fold, or a Play wager equal to the Ante.
        for seat in r.seats:
            if r.decision(seat, PLAY_QUESTION) is None:
                return SeatTurn(seat, PLAY_QUESTION, options(Verb.FOLD, Verb.PLAY))
        # Rule 3: when all have acted, the dealer reveals the hand.
        if not r.done(DealerStep.REVEAL):
            return DealerTurn(DealerStep.REVEAL)
        return Over()

    def procedure(self, table: Table) -> Procedure:
        return dealing_procedure(table)

    def needs(self, r: Round, payment: Payment) -> Needs:
        return needs(r, payment)

    def safe_answer(self, r: Round) -> Decision:
        return r.asked.option(Verb.FOLD)

    def face_up(self, r: Round, place: Place) -> bool:
        if place == BURN or not r.done(DealerStep.REVEAL):
            return False
        if place.seat is None:
            return True
        # A folded hand is turned over only for the bonus wagers that still stand on it (TP-6).
        return not r.said(place.seat, PLAY_QUESTION, Verb.FOLD) or len(r.bets[place.seat]) > 1

    def owner_sees(self, r: Round, place: Place) -> bool:  # noqa: ARG002
        return place.pile is not Pile.FOURTH  # rule 1: nobody may inspect the fourth card

    def chips(self, r: Round, seat: int) -> Iterator[Chips]:
        # Rule 2: the Play wager equals the Ante.
        ante = r.wagered(seat, "ante-play")
        yield Chips("ante-play", "ante", ante)
        if r.said(seat, PLAY_QUESTION, Verb.PLAY):
            yield Chips("ante-play", "play", ante)
        yield from as_wagered(r, seat, BONUSES)

    def dealers_hand(self, r: Round) -> str:
        hand = known_hand(THREE_CARD, r.hand())
        qualifies = hand.strength >= lowest_qualifying_strength()
        verdict = "qualifies" if qualifies else "does not qualify, which takes a queen or better"
        return f"{printed(r.hand())}, {hand.words}, {verdict} (rule 3)."

    def payments(self, r: Round) -> Iterator[Payment]:
        dealer = known_hand(THREE_CARD, r.hand())
        for seat in r.seats:
            player = known_hand(THREE_CARD, r.hand(seat))
            stakes = by_stake(self.chips(r, seat))
            yield from self._ante_and_play(r, seat, stakes, player, dealer)
            yield from self._bonuses(r, seat, stakes, player)

    def _ante_and_play(
        self, r: Round, seat: int, stakes: Mapping[str, int], player: Hand, dealer: Hand
    ) -> Iterator[Payment]:
        ante = stakes["ante"]
        if r.said(seat, PLAY_QUESTION, Verb.FOLD):
            yield fixed(seat, "ante-play", "ante", ante, "fold", "folded", (), Loss())
            return
        compared = Compared(player.cards, dealer.cards)
        qualifies = dealer.strength >= lowest_qualifying_strength()
        wins = player.strength >= dealer.strength  # equal hands win for the player (TP-1)
        told = _told(player, dealer, qualifies)
        # Rule 4: the Ante.
        if not qualifies:
            yield fixed(
                seat, "ante-play", "ante", ante, "dealer-does-not-qualify", told, dealer.cards, Push(), compared
            )
        elif wins:
            yield fixed(seat, "ante-play", "ante", ante, "win-or-copy", told, player.cards, EVEN_MONEY, compared)
        else:
            yield fixed(seat, "ante-play", "ante", ante, "dealer-wins", told, dealer.cards, Loss(), compared)
        # Rule 5: Play by Win or Copy, also when the dealer does not qualify (TP-1), else by the Bad Beat column.
        event = play_event(player.category)
        if qualifies and not wins:
            event = f"bad-beat-{event}"
        offered = r.table.offered["ante-play"]
        yield by_table(offered, seat, "ante-play", "play", stakes["play"], (event,), told, player.cards, compared)

    def _bonuses(self, r: Round, seat: int, stakes: Mapping[str, int], player: Hand) -> Iterator[Payment]:
        """The bonus wagers stand whether the player folds or not (TP-6)."""
        three, (fourth,), dealer = r.hand(seat), r.pile(Pile.FOURTH, seat), r.hand()

        def bonus(slug: str, event: str, words: str, cards: tuple[Card, ...]) -> Payment:
            return by_table(r.table.offered[slug], seat, slug, slug, stakes[slug], (event,), words, cards)

        if "prime" in stakes:
            event = prime_event(three, dealer)
            yield bonus("prime", event, PRIME_WORDS[event], three + dealer if "dealer" in event else three)
        if "pair-bonus" in stakes:
            event = pair_bonus_event(player.category, fourth)
            loose_deuce = event.endswith("-with-deuce")
            words = f"{player.words}, with a loose deuce" if loose_deuce else player.words
            yield bonus("pair-bonus", event, words, (*player.cards, fourth) if loose_deuce else player.cards)
        if "all-six" in stakes:
            six = known_hand(FIVE_CARD, three + dealer)
            event = all_six_event(three + dealer, six.category)
            royal = event.startswith("six-card-royal")
            yield bonus(
                "all-six", event, "six-card royal" if royal else six.words, three + dealer if royal else six.cards
            )
        if "final-four" in stakes:
            four = known_hand(FOUR_CARD, (*three, fourth))
            event = final_four_event(player.category, four.category, diamonds=fourth.suit is Suit.DIAMONDS)
            only_three = event.startswith("initial") or event in ("three-of-a-kind", "below-straight")
            best = player if only_three else four
            yield bonus("final-four", event, best.words, best.cards)
        if "all-seven" in stakes:
            seven = (*three, fourth, *dealer)
            best = known_hand(FIVE_CARD, seven)
            event = all_seven_event(seven, best.category)
            all_of_them = event == "seven-card-straight-flush"
            words = "seven-card straight flush" if all_of_them else best.words
            yield bonus("all-seven", event, words, seven if all_of_them else best.cards)


def _told(player: Hand, dealer: Hand, qualifies: bool) -> str:
    """Both hands, and what came of them (rules 3 to 5, TP-1)."""
    if not qualifies:
        return f"{player.words}; the dealer's {dealer.words} does not qualify"
    if player.strength == dealer.strength:
        return f"{against(player, 'copies', dealer)}, and copies win"
    return against(player, "beats" if player.strength > dealer.strength else "loses to", dealer)


RULES: Final = ThreeCardPrime()
