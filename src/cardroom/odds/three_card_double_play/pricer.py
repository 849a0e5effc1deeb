"""The odds of 3 Card Double Play Poker: how to set six cards, when to double, and the four bonus wagers.

The rules' own functions count Pick-3, Pick-5, Super-3's, and Super-Six over one hand of each class: none of these
wagers depends on the dealer or on the setting (DP-3). The coach values each setting against every possible hand of the
dealer, for the cards at one table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Deck, card_from_code
from cardroom.errors import BadInput
from cardroom.games import Decision, IllegalAction, Pile, Place, SeatTurn, Table, Verb, View
from cardroom.games.card_places import DEALER_HAND
from cardroom.games.three_card_double_play.divisions import (
    EVENTS,
    PICK_3_EVENTS,
    SUPER_3S_EVENTS,
    Division,
    LineTables,
    division_line_bits,
    divisions,
    events_from_bits,
    line_tables,
)
from cardroom.games.three_card_double_play.rules import (
    DOUBLE_QUESTION,
    PLAYER_CARDS,
    RULES,
    SET_QUESTION,
    pick_5_event,
    super_six_event,
)
from cardroom.hands import FIVE_CARD, BadHand, Category, evaluate_many
from cardroom.hands.hand import evaluator
from cardroom.kernels import kernel
from cardroom.odds.payoffs import TriggerCounts, apply_paytable
from cardroom.odds.pricer import Advice, BasicStrategy, Policy, PricedWager, Pricer, Progress, Settings, ignore_progress
from cardroom.odds.three_card_double_play.basic_strategy import basic_policy, basic_strategy
from cardroom.odds.three_card_double_play.best_strategy import (
    BOTH_WIN,
    MAIN,
    LowHandPays,
    best_outcome_counts,
    double_multiplier,
    example_payoff,
)
from cardroom.odds.three_card_double_play.counts import (
    SuitClasses,
    cumulative_dealer_hands,
    suit_classes,
    three_card_tables,
)
from cardroom.paytables import Dollars, Paytable

_STRAIGHT_FLUSHES: Final = (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
_CATEGORY_BY_STRENGTH: Final = np.array(
    [0, *(FIVE_CARD.order.index(category) for category in evaluator(FIVE_CARD).categories())], np.uint8
)


def pick_3_event_counts() -> TriggerCounts:
    return _division_event_counts(PICK_3_EVENTS)


def super_3s_event_counts() -> TriggerCounts:
    return _division_event_counts(SUPER_3S_EVENTS)


def _division_event_counts(events: Sequence[str]) -> TriggerCounts:
    kinds: Counter[tuple[str, ...]] = Counter()
    for lines, hands in _line_set_counts().items():
        kinds[events_from_bits(lines, events)] += hands
    return kinds


@cache
def _line_set_counts() -> dict[int, int]:
    """The number of hands for each set of lines, as bits."""
    counts = np.zeros(1 << len(EVENTS), np.int64)
    _count_sets(suit_classes(6), line_tables(), counts)
    return {lines: hands for lines, hands in enumerate(counts.tolist()) if hands}


@kernel
def _count_sets(classes: SuitClasses, tables: LineTables, counts: NDArray[np.int64]) -> None:
    hands, sizes, kinds, lines = classes.hands, classes.sizes, tables.kinds, tables.lines
    for at in range(len(hands)):
        counts[division_line_bits(hands, at, kinds, lines)] += sizes[at]


@cache
def pick_5_event_counts() -> TriggerCounts:
    kinds: Counter[tuple[str, ...]] = Counter()
    for category, rows in _rows_by_category():
        kinds[(pick_5_event(category),)] += int(suit_classes(6).sizes[rows].sum())
    return kinds


@cache
def super_six_event_counts() -> TriggerCounts:
    kinds: Counter[tuple[str, ...]] = Counter()
    hands, sizes = suit_classes(6)
    for category, rows in _rows_by_category():
        # If no five cards are a straight flush, no six are, and one hand represents its category.
        row_groups = [rows[at : at + 1] for at in range(len(rows))] if category in _STRAIGHT_FLUSHES else [rows]
        for row_group in row_groups:
            six = [card_from_code(code) for code in hands[row_group[0]].tolist()]
            kinds[(super_six_event(six, category),)] += int(sizes[row_group].sum())
    return kinds


@cache
def _rows_by_category() -> tuple[tuple[Category, NDArray[np.int64]], ...]:
    """The rows of ``suit_classes(6)`` by category of the best five cards."""
    categories = _CATEGORY_BY_STRENGTH[evaluate_many(FIVE_CARD, suit_classes(6).hands)]
    return tuple((category, np.flatnonzero(categories == place)) for place, category in enumerate(FIVE_CARD.order))


class SettingValue(NamedTuple):
    """A setting and its expected net result, in units of one of the two equal wagers."""

    division: Division
    stand_value: Fraction

    @property
    def double_value(self) -> Fraction:
        """The value after doubling, which multiplies both wagers and so every result (rule 4, DP-1)."""
        return double_multiplier() * self.stand_value

    @property
    def best_value(self) -> Fraction:
        return max(self.stand_value, self.double_value)

    @property
    def best_decision(self) -> Decision:
        """The value of the setting with the better decision after it."""
        verb = Verb.DOUBLE if self.double_value > self.stand_value else Verb.STAND
        return Decision(verb, self.division.decision.groups)


def setting_values(
    pays: LowHandPays, six: Sequence[Card], other_cards: Collection[Card] = (), exposed_cards: Sequence[Card] = ()
) -> tuple[SettingValue, ...]:
    """The ten settings, the best first. The dealer cannot have the ``other_cards`` seen on the table; every hand of the
    dealer contains the ``exposed_cards``."""
    up_to = cumulative_dealer_hands((*six, *other_cards), exposed_cards)
    hands = int(up_to[-1])

    def value_setting(division: Division) -> SettingValue:
        low_beats, high_beats = int(up_to[division.low.strength]), int(up_to[division.high.strength])
        return SettingValue(division, pays.net(division.low.category, low_beats, high_beats, hands) / hands)

    # Of settings with the same value, the one with the better low hand, then the better high hand.
    return tuple(
        sorted(
            map(value_setting, divisions(six)),
            key=lambda setting_value: (
                setting_value.best_value,
                setting_value.division.low.strength,
                setting_value.division.high.strength,
            ),
            reverse=True,
        )
    )


_BONUSES: Final[Mapping[str, Callable[[], TriggerCounts]]] = {
    "pick-3": pick_3_event_counts,
    "pick-5": pick_5_event_counts,
    "super-3s": super_3s_event_counts,
    "super-six": super_six_event_counts,
}

_MAIN_NOTES: Final = (
    "High and Low are one unit each, so two units are wagered before the deal; doubling doubles both (DP-1, DP-2).",
    "Lines are those of the low hand if both hands win; the High Hand wager beside it wins even money.",
    "A copy of the dealer's hand wins for the player (rule 7).",
)
_BY_DIVISION_NOTES: Final = (
    "The best line that some division of the six cards into two hands of three meets, however they were set (DP-3).",
    "A straight flush or trips in one of the two hands puts a division on a higher line (DP-4).",
)
_BEST_FIVE_NOTES: Final = ("The best five of the six cards count, whatever happens in the main game (DP-5).",)
_BONUS_NOTES: Final = {
    "pick-3": _BY_DIVISION_NOTES,
    "pick-5": _BEST_FIVE_NOTES,
    "super-3s": _BY_DIVISION_NOTES,
    "super-six": (*_BEST_FIVE_NOTES, "A six-card straight flush runs from ace low to ace high (DP-5)."),
}
_DOLLARS_NOTE: Final = "Prizes in dollars are compared with a wager of one dollar."


class ThreeCardDoublePlayPricer(Pricer):
    """Exact figures over all deals."""

    game = RULES.facts.slug

    def settings(self, wager: str) -> tuple[Settings, ...]:
        return ({},)

    def price(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> PricedWager:
        if wager == MAIN:
            return self._price_main_game(LowHandPays(table), progress)
        progress(f"every hand of {wager}", 0.0)
        kinds = _BONUSES[wager]()
        progress(f"every hand of {wager}", 1.0)
        jackpot = RULES.facts.wager(wager).jackpot is not None
        # A jackpot wager is one dollar by the rules; other wagers have any size.
        notes = _BONUS_NOTES[wager] + (() if jackpot else _dollars_note(table))
        return PricedWager(tuple(apply_paytable(kinds, table, is_jackpot=jackpot)), notes=notes)

    def _price_main_game(self, pays: LowHandPays, progress: Progress) -> PricedWager:
        progress("every hand of six against the dealer's five", 0.0)
        three_card_tables()
        progress("the best setting of every hand", 0.9)
        outcomes = tuple(best_outcome_counts(pays).outcomes(pays))
        progress("the best setting of every hand", 1.0)
        return PricedWager(
            outcomes, initial_wager=int(example_payoff(BOTH_WIN).wagered), notes=_MAIN_NOTES + _dollars_note(pays.table)
        )

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        """Each setting with the better of ``double`` and ``stand``, and the two hands."""
        _refuse_bonus(wager)
        if len(hand) != PLAYER_CARDS:
            raise BadHand(f"Six cards are set as two hands of three; this hand has {len(hand)}. Example: {_EXAMPLE}.")
        Deck.ONE.check(hand)
        return tuple(
            (setting_value.best_decision, setting_value.best_value)
            for setting_value in setting_values(LowHandPays(table), hand)
        )

    def basic_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> BasicStrategy:
        _refuse_bonus(wager)
        best = self.price(wager, table, settings, lambda label, part: progress(label, part / 2))
        deals = sum(outcome.combinations for outcome in best.outcomes)
        best_return = sum((outcome.combinations * outcome.net for outcome in best.outcomes), Fraction(0)) / deals
        progress("basic strategies on every hand", 0.5)
        strategy = basic_strategy(LowHandPays(table), best_return)
        progress("basic strategies on every hand", 1.0)
        return strategy

    def basic_policy(self, table: Table, progress: Progress = ignore_progress) -> Policy:
        progress("the setting of every hand", 0.0)
        policy = basic_policy(LowHandPays(table.offers[MAIN].paytable))
        progress("the setting of every hand", 1.0)
        return policy

    def advise(self, table: Table, view: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """The settings, or doubling a set hand, the best first; for the High and Low wagers alone, because neither
        decision changes the bonus wagers. The value of a setting assumes the better decision about doubling."""
        match view.turn:
            case SeatTurn(turn_seat, question) if turn_seat == seat:
                pass
            case _:
                raise IllegalAction(
                    f"Seat {seat} has nothing to decide now: ask when it has to set its hand or double."
                )
        own_place = Place(Pile.HAND, seat)
        six = tuple(card for card in view.piles[own_place] if card)
        if len(six) < PLAYER_CARDS:
            raise IllegalAction(
                f"The cards of seat {seat} are hidden from {view.viewer}: ask with that seat's own view."
            )
        exposed_cards = tuple(card for card in view.piles.get(DEALER_HAND, ()) if card)
        if exposed_cards and view.viewer != seat:  # rule 2: players see these cards only after they set their hands
            raise IllegalAction(
                f"The {view.viewer} sees the dealer's cards, which no player sees: ask with the seat's own view."
            )
        other_cards = [
            card
            for place, cards in view.piles.items()
            if place not in (own_place, DEALER_HAND)
            for card in cards
            if card
        ]
        wager = view.bets[seat][MAIN]
        values = setting_values(LowHandPays(table.offers[MAIN].paytable, wager), six, other_cards, exposed_cards)
        if question == SET_QUESTION:
            return tuple(Advice(value.division.decision, value.best_value * wager) for value in values)
        assert question == DOUBLE_QUESTION
        set_decision = view.decisions[seat, SET_QUESTION]
        return _double_advice(next(value for value in values if set_decision in value.division.decisions), wager)


def _double_advice(setting: SettingValue, wager: int) -> tuple[Advice, ...]:
    """The advice, the best first. Of equal values standing comes first, which risks less."""
    values = ((Verb.STAND, setting.stand_value), (Verb.DOUBLE, setting.double_value))
    both = [Advice(Decision(verb), value * wager) for verb, value in values]
    return tuple(sorted(both, key=lambda advice: advice.value, reverse=True))


def _refuse_bonus(wager: str) -> None:
    if wager != MAIN:
        raise BadInput(f"The {wager} wager needs no decision after it is made: choose {MAIN}.")


def _dollars_note(table: Paytable) -> tuple[str, ...]:
    return (_DOLLARS_NOTE,) if any(isinstance(line.pay, Dollars) for line in table.lines) else ()


_EXAMPLE: Final = "As Ks Qs Qd Qh 2c"

PRICER: Final = ThreeCardDoublePlayPricer()
