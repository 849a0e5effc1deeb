"""The odds of Three Card Prime: play or fold, and the five bonus wagers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from cardroom.cards import Card, Deck
from cardroom.errors import BadInput
from cardroom.games import Decision, IllegalAction, Pile, Place, SeatTurn, Table, Verb, View
from cardroom.games.card_places import DEALER_HAND
from cardroom.games.three_card_prime.rules import PLAY_QUESTION, RULES
from cardroom.hands import THREE_CARD, BadHand, compute_strength
from cardroom.odds.payoffs import apply_paytable
from cardroom.odds.pricer import (
    Advice,
    BasicStrategy,
    Policy,
    PricedWager,
    Pricer,
    Progress,
    Settings,
    ignore_progress,
    seat_cards,
)
from cardroom.odds.three_card_prime.basic_strategy import basic_strategy, lowest_playable_strength
from cardroom.odds.three_card_prime.best_strategy import MAIN, PlayPays, best_play_outcomes, dealer_hands, fold_payoff
from cardroom.odds.three_card_prime.counts import (
    all_seven_event_counts,
    all_six_event_counts,
    final_four_event_counts,
    pair_bonus_event_counts,
    prime_event_counts,
)
from cardroom.paytables import Paytable

_BONUSES: Final = {
    "prime": prime_event_counts,
    "pair-bonus": pair_bonus_event_counts,
    "all-six": all_six_event_counts,
    "final-four": final_four_event_counts,
    "all-seven": all_seven_event_counts,
}

_PLAY_NOTES: Final = (
    "Lines are those of the Play wager; the Ante beside it wins one unit, loses one or pushes.",
    "Against a dealer below queen high the Ante pushes and Play is paid by Win or Copy, whatever the hands (TP-1).",
    "A flush or lower that loses to the dealer always loses its Play wager (TP-2).",
)
_BONUS_NOTES: Final = ("The wager stands whether the player folds or not (TP-6).",)


class ThreeCardPrimePricer(Pricer):
    """Exact figures over all deals."""

    game = "three-card-prime"

    def settings(self, wager: str) -> tuple[Settings, ...]:
        return ({},)

    def price(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> PricedWager:
        if wager == MAIN:
            return PricedWager(tuple(best_play_outcomes(PlayPays(table))), notes=_PLAY_NOTES)
        progress(f"every deal of {wager}", 0.0)
        kinds = _BONUSES[wager]()
        progress(f"every deal of {wager}", 1.0)
        jackpot = RULES.facts.wager(wager).jackpot is not None
        return PricedWager(tuple(apply_paytable(kinds, table, is_jackpot=jackpot)), notes=_BONUS_NOTES)

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        _refuse_bonus(wager)
        if len(hand) != 3:
            raise BadHand(f"Play or fold needs three cards; this hand has {len(hand)}. Example: Qh 6d 4c.")
        Deck.ONE.check(hand)
        return _rank_decisions(PlayPays(table), hand)

    def basic_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> BasicStrategy:
        _refuse_bonus(wager)
        return basic_strategy(PlayPays(table))

    def basic_policy(self, table: Table, progress: Progress = ignore_progress) -> Policy:
        return PrimeBasicPolicy(lowest_playable_strength(PlayPays(table.offers[MAIN].paytable)))

    def advise(self, table: Table, view: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """Fold or play, for the Ante and the Play wager; the bonus wagers stay in action either way (TP-6). An exposed
        card of the dealer is in the dealer's hand; every other face-up card is gone from the deck."""
        match view.turn:
            case SeatTurn(turn_seat, question) if turn_seat == seat and question == PLAY_QUESTION:
                pass
            case _:
                raise IllegalAction(f"Seat {seat} has nothing to decide now: ask when it has to fold or play.")
        own_place = Place(Pile.HAND, seat)
        hand = tuple(card for card in view.piles[own_place] if card)
        if len(hand) < 3:
            raise IllegalAction(
                f"The cards of seat {seat} are hidden from {view.viewer}: ask with that seat's own view."
            )
        exposed_cards = [card for card in view.piles.get(DEALER_HAND, ()) if card]
        other_cards = [
            card
            for place, cards in view.piles.items()
            if place not in (own_place, DEALER_HAND)
            for card in cards
            if card
        ]
        ante = view.bets[seat][MAIN]
        meter = Fraction(meters.get(MAIN, 0), ante)
        values = _rank_decisions(PlayPays(table.offers[MAIN].paytable, ante), hand, other_cards, exposed_cards, meter)
        return tuple(Advice(decision, value * ante) for decision, value in values)


@dataclass(frozen=True)
class PrimeBasicPolicy:
    """Plays one hand or better."""

    lowest_strength: int

    def __call__(self, view: View) -> Decision:
        strength = compute_strength(THREE_CARD, seat_cards(view, Pile.HAND))
        return Decision(Verb.PLAY if strength >= self.lowest_strength else Verb.FOLD)


def _rank_decisions(
    pays: PlayPays,
    hand: tuple[Card, ...],
    other_cards: Sequence[Card] = (),
    exposed_cards: Sequence[Card] = (),
    meter: Fraction = Fraction(0),
) -> tuple[tuple[Decision, Fraction], ...]:
    """The values of playing and folding, in Antes. Of equal values folding comes first, which risks less."""
    dealer = dealer_hands(hand, other_cards, exposed_cards)
    play_value = pays.play_total(compute_strength(THREE_CARD, hand), dealer, meter) / dealer.total
    values = ((Decision(Verb.FOLD), fold_payoff().net), (Decision(Verb.PLAY), play_value))
    return tuple(sorted(values, key=lambda pair: pair[1], reverse=True))


def _refuse_bonus(wager: str) -> None:
    if wager != MAIN:
        raise BadInput(f"The {wager} wager needs no decision after it is made: choose {MAIN}.")


PRICER: Final = ThreeCardPrimePricer()
