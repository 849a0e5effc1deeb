"""The odds of Three Card Prime: play or fold, and the five bonus wagers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from cardroom.cards import Card, Deck
from cardroom.faults import BadInput
from cardroom.games import Decision, NotAllowed, Pile, Place, SeatTurn, Table, Verb, View
from cardroom.games.places import DEALER_HAND
from cardroom.games.three_card_prime.rules import PLAY_QUESTION, RULES
from cardroom.hands import THREE_CARD, BadHand, rank_strength
from cardroom.odds.endings import endings
from cardroom.odds.play import Play, own_cards
from cardroom.odds.pricer import Advice, Priced, Pricer, Progress, Settings, SimpleStrategy, silent
from cardroom.odds.three_card_prime.counts import (
    all_seven_kinds,
    all_six_kinds,
    final_four_kinds,
    pair_bonus_kinds,
    prime_kinds,
)
from cardroom.odds.three_card_prime.play import PlayPays, dealer_hands, endings_of_best_play
from cardroom.odds.three_card_prime.results import MAIN, folded
from cardroom.odds.three_card_prime.strategy import lowest_to_play, play_or_better
from cardroom.paytables import Paytable

_BONUSES: Final = {
    "prime": prime_kinds,
    "pair-bonus": pair_bonus_kinds,
    "all-six": all_six_kinds,
    "final-four": final_four_kinds,
    "all-seven": all_seven_kinds,
}

_PLAY_NOTES: Final = (
    "Lines are those of the Play wager; the Ante beside it wins one unit, loses one or pushes.",
    "Against a dealer below queen high the Ante pushes and Play is paid by Win or Copy, whatever the hands (TP-1).",
    "A flush or lower that loses to the dealer always loses its Play wager (TP-2).",
)
_BONUS_NOTES: Final = ("The wager stands whether the player folds or not (TP-6).",)


class ThreeCardPrimeOdds(Pricer):
    """Exact figures over all deals."""

    game = "three-card-prime"

    def settings(self, wager: str) -> tuple[Settings, ...]:
        return ({},)

    def price(self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent) -> Priced:
        if wager == MAIN:
            return Priced(tuple(endings_of_best_play(PlayPays(table))), notes=_PLAY_NOTES)
        progress(f"every deal of {wager}", 0.0)
        kinds = _BONUSES[wager]()
        progress(f"every deal of {wager}", 1.0)
        jackpot = RULES.facts.wager(wager).jackpot is not None
        return Priced(tuple(endings(kinds, table, jackpot=jackpot)), notes=_BONUS_NOTES)

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        _refuse_bonus(wager)
        if len(hand) != 3:
            raise BadHand(f"Play or fold is asked about three cards; there are {len(hand)}: write such as Qh 6d 4c.")
        Deck.ONE.check(hand)
        return _best_first(PlayPays(table), hand)

    def simple_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent
    ) -> SimpleStrategy:
        _refuse_bonus(wager)
        return play_or_better(PlayPays(table))

    def simple_play(self, table: Table, progress: Progress = silent) -> Play:
        return PlayOrBetter(lowest_to_play(PlayPays(table.offered[MAIN].paytable)))

    def advise(self, table: Table, seen: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """Fold or play, for the Ante and the Play wager; the bonus wagers stand either way (TP-6). A card of the
        dealer's that is exposed is in the dealer's hand; every other open card is gone from the deck."""
        match seen.turn:
            case SeatTurn(asked, question) if asked == seat and question == PLAY_QUESTION:
                pass
            case _:
                raise NotAllowed(f"Seat {seat} has nothing to decide now: ask when it is asked to fold or play.")
        own = Place(Pile.HAND, seat)
        hand = tuple(card for card in seen.piles[own] if card)
        if len(hand) < 3:
            raise NotAllowed(f"The cards of seat {seat} are hidden from {seen.viewer}: ask with that seat's own view.")
        shown = [card for card in seen.piles.get(DEALER_HAND, ()) if card]
        elsewhere = [
            card for place, cards in seen.piles.items() if place not in (own, DEALER_HAND) for card in cards if card
        ]
        ante = seen.bets[seat][MAIN]
        meter = Fraction(meters.get(MAIN, 0), ante)
        values = _best_first(PlayPays(table.offered[MAIN].paytable, ante), hand, elsewhere, shown, meter)
        return tuple(Advice(decision, value * ante) for decision, value in values)


@dataclass(frozen=True)
class PlayOrBetter:
    """Plays one hand or better."""

    lowest: int

    def __call__(self, seen: View) -> Decision:
        strength = rank_strength(THREE_CARD, own_cards(seen, Pile.HAND))
        return Decision(Verb.PLAY if strength >= self.lowest else Verb.FOLD)


def _best_first(
    pays: PlayPays,
    hand: tuple[Card, ...],
    elsewhere: Sequence[Card] = (),
    shown: Sequence[Card] = (),
    meter: Fraction = Fraction(0),
) -> tuple[tuple[Decision, Fraction], ...]:
    """What playing and folding are worth, in Antes. Equal values: folding first, which risks less."""
    dealer = dealer_hands(hand, elsewhere, shown)
    playing = pays.playing(rank_strength(THREE_CARD, hand), dealer, meter) / dealer.total
    values = ((Decision(Verb.FOLD), folded().net), (Decision(Verb.PLAY), playing))
    return tuple(sorted(values, key=lambda pair: pair[1], reverse=True))


def _refuse_bonus(wager: str) -> None:
    if wager != MAIN:
        raise BadInput(f"The {wager} wager asks the player nothing once it is made: ask about {MAIN}.")


PRICER: Final = ThreeCardPrimeOdds()
