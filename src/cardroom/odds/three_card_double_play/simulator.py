"""Simulates 3 Card Double Play Poker, by kernels or in batches, with lookup tables from the game and its strategies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Deck, parse_cards
from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.card_places import DEALER_HAND
from cardroom.games.three_card_double_play.divisions import (
    EVENTS,
    PICK_3_EVENTS,
    SUPER_3S_EVENTS,
    divisions,
    events_from_bits,
    line_tables,
    ranked_divisions,
)
from cardroom.games.three_card_double_play.rules import (
    DEALER_CARDS,
    DOUBLE_QUESTION,
    LOW_HAND_EVENTS,
    PLAYER_CARDS,
    SET_QUESTION,
    pick_5_event,
    super_six_event,
)
from cardroom.hands import FIVE_CARD, THREE_CARD, Category, evaluate_many
from cardroom.hands.lookup_tables import lookup_tables
from cardroom.odds.pricer import Progress, ignore_progress
from cardroom.odds.simulation.batch import Action, Answers, Kinds, PaytableLines, RoundBatch, WagerGroup
from cardroom.odds.simulation.batch_deals import ByteArray
from cardroom.odds.simulation.deals import Block, Places
from cardroom.odds.simulation.runner import KernelPreparedTable, SimulatedRound, Simulator, check_strategy
from cardroom.odds.simulation.wager_plan import OutcomeIndex, WagerPlan, plan_from_outcomes, plan_wager
from cardroom.odds.three_card_double_play.basic_strategy import basic_settings
from cardroom.odds.three_card_double_play.best_strategy import (
    BOTH_WIN,
    DEALER_EVENT,
    HIGH_ALONE_EVENT,
    KIND_BY_STRENGTH,
    KINDS,
    MAIN,
    HandSettings,
    LowHandPays,
    best_settings,
    double_multiplier,
    example_payoff,
)
from cardroom.odds.three_card_double_play.counts import THREES, class_numbers, suit_classes
from cardroom.odds.three_card_double_play.kernels import (
    CARDS_DEALT,
    DEALER_ROW,
    DOUBLED_SHIFT,
    HAND_SIZE,
    SETTING_MASK,
    DoublePlayTables,
    hand_number,
    judge_double_play,
    play_double_play,
    setting_numbers,
    settings_by_hand,
)


@dataclass(frozen=True)
class PreparedDoublePlay(KernelPreparedTable):
    """A table of 3 Card Double Play Poker."""

    deck = Deck.ONE
    kernel_wagers = (MAIN, "pick-3", "pick-5", "super-3s", "super-six")

    wagers: tuple[WagerPlan, ...]
    settings: NDArray[np.uint8] = field(repr=False)
    """The setting of each class of six cards, and whether it is doubled."""
    kernel_tables: DoublePlayTables = field(repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # The table of all hands is twenty times as large and quick to rebuild.
        return PreparedDoublePlay, (self.wagers, self.settings, self.kernel_tables)

    def play(self, block: Block) -> None:
        play_double_play(block, self._hands, self.kernel_tables, lookup_tables(THREE_CARD), lookup_tables(FIVE_CARD))

    @cached_property
    def _hands(self) -> NDArray[np.uint8]:
        """The same as ``settings`` for each hand."""
        return settings_by_hand(self.settings)

    def simulated_round(self, seed: int, block: int, turn: int) -> SimulatedRound:
        dealt_cards = self.deal_cards(CARDS_DEALT, seed, block, turn)
        six = sorted(dealt_cards[:HAND_SIZE], key=lambda card: card.code)
        setting_byte = int(self._hands[hand_number(np.array([[card.code] for card in six], np.uint8), 0)])
        together = {six[place] for place in THREES[setting_byte & SETTING_MASK].tolist()}
        return SimulatedRound(
            cards={Place(Pile.HAND, 1): tuple(dealt_cards[:HAND_SIZE]), DEALER_HAND: tuple(dealt_cards[DEALER_ROW:])},
            decisions={
                SET_QUESTION: _setting_decision(six, together),
                DOUBLE_QUESTION: Decision(Verb.DOUBLE if setting_byte >> DOUBLED_SHIFT else Verb.STAND),
            },
        )


def _setting_decision(six: Sequence[Card], together: set[Card]) -> Decision:
    return next(
        division.decision
        for division in divisions(six)
        if together in (set(division.high.cards), set(division.low.cards))
    )


class ThreeCardDoublePlaySimulator(Simulator):
    """3 Card Double Play Poker."""

    game = "three-card-double-play"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = ignore_progress) -> PreparedDoublePlay:
        check_strategy(strategy)
        plans = {slug: plan_wager(table, slug, progress=progress) for slug in table.offers}
        pays = LowHandPays(plans[MAIN].request.table)
        progress(f"the {strategy} setting of every hand", 0.0)
        hands = best_settings(pays) if strategy == "best" else basic_settings(pays)
        progress(f"the {strategy} setting of every hand", 1.0)
        if strategy != "best":
            main = plans[MAIN]
            plans[MAIN] = plan_from_outcomes(
                main.request, tuple(hands.count_outcomes().outcomes(pays)), main.initial_wager
            )
        return PreparedDoublePlay(
            tuple(plans.values()), _setting_bytes(hands), double_play_tables(_high_low(plans[MAIN]), plans)
        )


def _setting_bytes(hands: HandSettings) -> NDArray[np.uint8]:
    """The setting of each hand, and whether it is doubled, in one byte."""
    return (hands.settings | hands.is_doubled.astype(np.uint8) << DOUBLED_SHIFT).astype(np.uint8)


# The lookup tables, from functions of the game.


def double_play_tables(high_low: Places, wagers: Mapping[str, OutcomeIndex]) -> DoublePlayTables:
    """The lookup tables of the kernels: the indexes of the outcomes of High and Low and of the other wagers."""
    lines = range(1 << len(EVENTS))
    six_in_sequence, no_run = parse_cards("2c 3c 4c 5c 6c 7c"), STANDARD_DECK[:HAND_SIZE]
    categories = [hand_class.category for hand_class in (FIVE_CARD.classes[0], *FIVE_CARD.classes)]
    super_six = [super_six_event(no_run, category) for category in categories]
    return DoublePlayTables(
        strengths=evaluate_many(THREE_CARD, suit_classes(3).hands)[class_numbers(3)],
        kinds=KIND_BY_STRENGTH,
        high_low=high_low,
        division_kinds=line_tables().kinds,
        division_lines=line_tables().lines,
        pick_3=_event_places(wagers.get("pick-3"), (events_from_bits(bits, PICK_3_EVENTS) for bits in lines)),
        super_3s=_event_places(wagers.get("super-3s"), (events_from_bits(bits, SUPER_3S_EVENTS) for bits in lines)),
        pick_5=_event_places(wagers.get("pick-5"), ((pick_5_event(category),) for category in categories)),
        super_six=_event_places(
            wagers.get("super-six"),
            ((event,) for event in [*super_six, super_six_event(six_in_sequence, Category.STRAIGHT_FLUSH)]),
        ),
        straight_flush=1 + [hand_class.category for hand_class in FIVE_CARD.classes].index(Category.STRAIGHT_FLUSH),
    )


def _high_low(wager: WagerPlan) -> Places:
    ends = [(outcome.trigger, outcome.wagered) for outcome in wager.outcomes]
    events = [*(LOW_HAND_EVENTS[kind] for kind in KINDS), HIGH_ALONE_EVENT, DEALER_EVENT]
    places = [
        [
            ends.index(end) if end in ends else -1
            for event in events
            for end in [(event, times * example_payoff(BOTH_WIN).wagered)]
        ]
        for times in (1, double_multiplier())
    ]
    return np.array(places, np.int16)


def _event_places(wager: OutcomeIndex | None, kinds: Iterable[tuple[str, ...]]) -> Places:
    """The indexes of outcomes in a wager's list by the events that hands meet; -1 if the wager is not offered."""
    event_sets = list(kinds)
    if wager is None:
        return np.full(len(event_sets), -1, np.int16)
    place_by_events = {events: wager.place(events) for events in set(event_sets)}
    return np.array([place_by_events[events] for events in event_sets], np.int16)


SIMULATOR: Final = ThreeCardDoublePlaySimulator()


_OUTCOMES: Final = len(KINDS) + 2
"""The outcomes of High and Low: by kind of the low hand, the high hand alone, the dealer."""


def _division_actions() -> tuple[Action, ...]:
    """The cards together with the highest one, and the others."""
    every = set(range(PLAYER_CARDS))
    firsts = [(0, *others) for others in combinations(range(1, PLAYER_CARDS), 2)]
    return tuple(Action(Verb.SET, (first, tuple(sorted(every.difference(first))))) for first in firsts)


class DoublePlayBatch(RoundBatch):
    """3 Card Double Play Poker."""

    hand_size = PLAYER_CARDS
    card_places = (*[Place(Pile.HAND, 1)] * PLAYER_CARDS, *[DEALER_HAND] * DEALER_CARDS)
    questions = (SET_QUESTION, DOUBLE_QUESTION)
    all_actions = (*_division_actions(), Action(Verb.DOUBLE), Action(Verb.STAND))

    @cached_property
    def wager_groups(self) -> tuple[WagerGroup, ...]:
        return tuple(
            WagerGroup((slug,), 2 * _OUTCOMES if slug == MAIN else self._lines[slug].count) for slug in self.wagers
        )

    @cached_property
    def _lines(self) -> dict[str, PaytableLines]:
        return {slug: PaytableLines(self.table.offers[slug].paytable) for slug in self.wagers if slug != MAIN}

    @cached_property
    def _tables(self) -> DoublePlayTables:
        ends: Places = np.arange(2 * _OUTCOMES, dtype=np.int16).reshape(2, _OUTCOMES)
        return double_play_tables(ends, self._lines)

    @cached_property
    def _columns(self) -> NDArray[np.int64]:
        slugs = list(self.wagers)
        return np.array(
            [slugs.index(slug) if slug in slugs else -1 for slug in PreparedDoublePlay.kernel_wagers], np.int64
        )

    @cached_property
    def _bits(self) -> NDArray[np.uint8]:
        """The kernels' number of each action, with the cards from the lowest up."""
        bits = np.zeros(len(self.actions), np.uint8)
        for at, action in enumerate(self.actions):
            if action.verb is Verb.SET:
                bits[at] = setting_numbers()[sum(1 << (PLAYER_CARDS - 1 - place) for place in action.groups[0])]
            elif action.verb is Verb.DOUBLE:
                bits[at] = 1 << DOUBLED_SHIFT
        return bits

    def outcome_kinds(self, cards: ByteArray, answers: Answers) -> Kinds:
        kinds = np.empty((len(self.wager_groups), len(cards)), np.int32)
        set_actions, double_actions = answers.T
        action_bits = self._bits[set_actions] | self._bits[double_actions]
        judge_double_play(
            cards, action_bits, self._columns, self._tables, lookup_tables(THREE_CARD), lookup_tables(FIVE_CARD), kinds
        )
        return kinds

    def canonical_decision(self, decision: Decision, hand: Sequence[Card]) -> Decision:
        """The higher hand goes in the High box (DP-2)."""
        if decision.verb is not Verb.SET:
            return decision
        both_orders = (decision, decision.with_reversed_groups)
        return next(cut.decision for cut in ranked_divisions(hand) if cut.decision in both_orders)


BATCH: Final = DoublePlayBatch
