"""Simulates Texas Shootout, by kernels or in batches, with lookup tables from the game and its strategies.

All spots have one unit, so a Quick Draw wager covers ties if the table offers it (TS-3). Bonus features are not
simulated: they are separate prizes beside the wagers, and no price includes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, card_from_code
from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.card_places import COMMUNITY, DEALER_HAND
from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.games.texas_shootout.rules import BONUS_QUESTION, HAND_QUESTION, order_split
from cardroom.games.texas_shootout.side_wagers import (
    QUICK_DRAW_EVENTS,
    qualifying_feature,
    quick_draw_bits,
    quick_draw_bits_by_strength,
)
from cardroom.hands import FOUR_CARD
from cardroom.hands.lookup_tables import LookupTables, lookup_tables
from cardroom.kernels import kernel
from cardroom.odds.pricer import Progress, Settings, ignore_progress
from cardroom.odds.simulation.batch import (
    Action,
    Answers,
    BadBatch,
    Kinds,
    Masks,
    PaytableLines,
    RoundBatch,
    WagerGroup,
)
from cardroom.odds.simulation.batch_deals import ByteArray, IntArray
from cardroom.odds.simulation.deals import Counts, Places
from cardroom.odds.simulation.rules_engine import Bets
from cardroom.odds.simulation.runner import PreparedTable, SimulatedRound, Simulator, check_strategy
from cardroom.odds.simulation.wager_plan import OutcomeIndex, WagerPlan, plan_from_outcomes, plan_wager
from cardroom.odds.texas_shootout.best_strategy import (
    FIRST_HAND,
    MATCH,
    SECOND_HAND,
    SideCounts,
    basic_choices,
    basic_outcome_counts,
    best_choices,
    bonus_outcomes,
    count_sides,
    jackpot_outcomes,
    placements,
)
from cardroom.odds.texas_shootout.hand_values import hand_classes
from cardroom.odds.texas_shootout.hands_and_boards import (
    HAND_KINDS,
    HANDS,
    KEEPS,
    SPLITS,
    choice_decision,
    every_hand,
    hand_numbers,
    pair_places,
)
from cardroom.odds.texas_shootout.kernels import (
    PATTERN_COUNT,
    PLACEMENTS,
    count_rounds,
    deal_to_buffer,
    decode_play,
    encode_plays,
    judge_shootout,
    list_rounds,
    new_deal_buffer,
    round_patterns,
    seat_tables,
)
from cardroom.odds.texas_shootout.payoffs import (
    MAIN,
    QUICK_DRAW,
    RESULT_COUNT,
    kind_outcome,
    matched_outcome,
    outcome_event,
    split_jackpot_outcome,
    ties_setting,
)
from cardroom.odds.texas_shootout.pricer import main_outcomes

BONUS: Final = "shootout-bonus"
JACKPOT: Final = "jackpot"

_QUICK_DRAW_OUTCOMES: Final = 16
"""The most outcomes of Quick Draw, which has a dozen lines."""


@dataclass(frozen=True)
class PreparedShootout(PreparedTable):
    """A table of Texas Shootout."""

    wagers: tuple[WagerPlan, ...]
    play_bytes: NDArray[np.uint8] = field(repr=False)
    """The seat's choice and the outcome of Quick Draw, by hand."""
    places: Places = field(repr=False)
    """The index of each wager's outcome by the way of the round, with Quick Draw's at 0; -1 if no round goes that
    way."""

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        quick = np.zeros(_QUICK_DRAW_OUTCOMES, np.int64)
        pattern_counts = count_rounds(block, rounds, np.uint64(seed), self.play_bytes, seat_tables(), quick)
        present_patterns = np.flatnonzero(pattern_counts)
        counts = np.zeros(self.starts[-1], np.int64)
        for at, wager in enumerate(self.wagers):
            start, end = self.starts[at : at + 2]
            if wager.slug == QUICK_DRAW:
                counts[start:end] = quick[: end - start]
            else:
                np.add.at(counts, start + self.places[present_patterns, at], pattern_counts[present_patterns])
        return counts

    def round_outcomes(self, seed: int, block: int, rounds: int) -> Places:
        quick, patterns = np.empty(rounds, np.uint8), np.empty(rounds, np.int32)
        list_rounds(block, np.uint64(seed), self.play_bytes, seat_tables(), quick, patterns)
        outcome_places = self.places[patterns]
        for at, wager in enumerate(self.wagers):
            if wager.slug == QUICK_DRAW:
                outcome_places[:, at] = quick
        return outcome_places

    def simulated_round(self, seed: int, block: int, turn: int) -> SimulatedRound:
        buffer = new_deal_buffer()
        deal_to_buffer(buffer, turn, block, np.uint64(seed))
        cards = [card_from_code(int(code)) for code in buffer.codes[:, 0]]
        hand = np.sort(buffer.codes[:4, 0])
        choice, placement = decode_play(int(self.play_bytes[hand_numbers(hand[None])[0]]))
        hand_decision = choice_decision(hand, choice)
        decisions = {HAND_QUESTION: hand_decision}
        if hand_decision.verb is Verb.SPLIT:
            # The listed split names the higher hand first, the kernels the hand with the lowest card.
            first = tuple(
                sorted((card_from_code(int(hand[place])) for place in pair_places()[choice, :2]), reverse=True)
            )
            verbs = [Verb.MATCH, Verb.FIRST_HAND, Verb.SECOND_HAND]
            if hand_decision.groups[0] != first:
                verbs[FIRST_HAND], verbs[SECOND_HAND] = verbs[SECOND_HAND], verbs[FIRST_HAND]
            decisions[BONUS_QUESTION] = Decision(verbs[placement])
        return SimulatedRound(
            cards={
                Place(Pile.HAND, 1): tuple(cards[:4]),
                DEALER_HAND: tuple(cards[4:8]),
                COMMUNITY: tuple(cards[8:]),
            },
            decisions=decisions,
        )


class TexasShootoutSimulator(Simulator):
    """Texas Shootout."""

    game = "texas-shootout"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = ignore_progress) -> PreparedShootout:
        check_strategy(strategy)
        ties = ties_setting(1, int(QUICK_DRAW in table.offers))
        plans = {slug: plan_wager(table, slug, _settings(slug, ties), progress=progress) for slug in table.offers}
        by_class = best_choices(ties) if strategy == "best" else basic_choices()
        boards = count_sides(hand_classes(), by_class) if {BONUS, JACKPOT} & plans.keys() else None
        if strategy != "best":
            plans |= dict(_basic_plans(plans, ties, boards))
        quick = quick_draw_places(plans[QUICK_DRAW]) if QUICK_DRAW in plans else np.zeros(HANDS, np.uint8)
        placement_by_hand = np.full(HANDS, MATCH, np.uint8)
        if boards is not None and BONUS in plans:
            placement_by_hand = _placements_by_hand(by_class, placements(boards, plans[BONUS].request.table))
        return PreparedShootout(
            tuple(plans.values()),
            encode_plays(hand_classes().choices_by_hand(by_class), placement_by_hand, quick),
            np.column_stack([_PLACES[slug](wager_plan) for slug, wager_plan in plans.items()]),
        )


def _basic_plans(
    plans: Mapping[str, WagerPlan], ties: str, boards: SideCounts | None
) -> Iterator[tuple[str, WagerPlan]]:
    """The wagers that depend on the seat's play. Quick Draw depends on the first four cards alone."""
    yield MAIN, plan_from_outcomes(plans[MAIN].request, tuple(main_outcomes(basic_outcome_counts(), ties)))
    if boards is not None:
        for slug, outcomes in ((BONUS, bonus_outcomes), (JACKPOT, jackpot_outcomes)):
            if slug in plans:
                question = plans[slug].request
                yield slug, plan_from_outcomes(question, tuple(outcomes(boards, question.table)))


def _settings(slug: str, ties: str) -> Settings:
    """The usual request, with ties that lose; the proposition wagers follow the strategy of a seat whose ties push."""
    if slug == QUICK_DRAW or (slug != MAIN and ties == "lose"):
        return {}
    return {"ties": ties}


def _placements_by_hand(choices: NDArray[np.uint8], by_class: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The placement of a hand's Shootout Bonus after a split, by the hand's own first and second pair."""
    classes = hand_classes()
    hand_placements = by_class[classes.members.class_of]
    other = np.array([MATCH, SECOND_HAND, FIRST_HAND], np.uint8)
    return np.where(classes.is_reversed(choices), other[hand_placements], hand_placements)


# The indexes of the outcomes in the wagers' lists


@kernel
def _every_quick_draw(hands: NDArray[np.uint8], t: LookupTables, by_strength: NDArray[np.uint16]) -> NDArray[np.uint16]:
    bits = np.empty(len(hands), np.uint16)
    for at in range(len(hands)):
        bits[at] = quick_draw_bits(hands, at, t, by_strength)
    return bits


def quick_draw_places(wager: OutcomeIndex) -> NDArray[np.uint8]:
    """By hand."""
    bits = _every_quick_draw(every_hand(), lookup_tables(FOUR_CARD), quick_draw_bits_by_strength())
    different, inverse = np.unique(bits, return_inverse=True)
    kinds = [
        tuple(event for place, event in enumerate(QUICK_DRAW_EVENTS) if event_bits >> place & 1)
        for event_bits in different.tolist()
    ]
    places: NDArray[np.uint8] = wager.places(kinds).astype(np.uint8)[inverse]
    return places


def _main_places(wager: WagerPlan) -> Places:
    patterns = round_patterns()
    first, second = patterns.results.T
    ends = np.where(patterns.splits, RESULT_COUNT + RESULT_COUNT * first + second, first)
    events = [outcome.trigger for outcome in wager.outcomes]
    place_by_outcome = [events.index(outcome_event(end)) for end in range(int(ends.max()) + 1)]
    places: Places = np.array(place_by_outcome, np.int16)[ends]
    return places


def _bonus_places(wager: WagerPlan) -> Places:
    table, patterns = wager.request.table, round_patterns()
    single = [kind_outcome(kind, table) for kind in HAND_KINDS]
    alone = np.array([_outcome_place(wager, outcome.trigger) for outcome in single], np.int16)
    both = [
        [_outcome_place(wager, matched_outcome(outcome, other_outcome, 0).trigger) for other_outcome in single]
        for outcome in single
    ]
    first, second = patterns.kinds.T
    matched = np.array(both, np.int16)[first, second]
    riding = np.where(patterns.placement == FIRST_HAND, alone[first], alone[second])
    places: Places = np.where(patterns.splits, np.where(patterns.placement == MATCH, matched, riding), alone[first])
    return places


def _jackpot_places(wager: WagerPlan) -> Places:
    table, patterns = wager.request.table, round_patterns()
    alone = [_outcome_place(wager, kind_outcome(kind, table, jackpot=True).trigger) for kind in HAND_KINDS]
    both = [
        [
            _outcome_place(wager, split_jackpot_outcome((first_kind, second_kind), table, 0).trigger)
            for second_kind in HAND_KINDS
        ]
        for first_kind in HAND_KINDS
    ]
    first, second = patterns.kinds.T
    places: Places = np.where(
        patterns.splits, np.array(both, np.int16)[first, second], np.array(alone, np.int16)[first]
    )
    return places


def _outcome_place(wager: WagerPlan, event: str) -> int:
    """The index of an outcome; -1 if no round has it."""
    return next((at for at, outcome in enumerate(wager.outcomes) if outcome.trigger == event), -1)


_PLACES: Final[Mapping[str, Callable[[WagerPlan], Places]]] = {
    MAIN: _main_places,
    QUICK_DRAW: lambda _: np.zeros(PATTERN_COUNT, np.int16),
    BONUS: _bonus_places,
    JACKPOT: _jackpot_places,
}

SIMULATOR: Final = TexasShootoutSimulator()


_HAND: Final = 4
_PAIRS: Final = tuple(combinations(range(_HAND), 2))
"""Ordered so that the first and the last choice together have all four cards, and so on inward."""
_KEEP_ACTIONS: Final = tuple(Action(Verb.KEEP, (pair,)) for pair in _PAIRS)
_SPLIT_ACTIONS: Final = tuple(Action(Verb.SPLIT, (_PAIRS[at], _PAIRS[-1 - at])) for at in range(SPLITS))
_PLACEMENT_BY_VERB: Final = {Verb.MATCH: MATCH, Verb.FIRST_HAND: FIRST_HAND, Verb.SECOND_HAND: SECOND_HAND}


class ShootoutBatch(RoundBatch):
    """Texas Shootout."""

    hand_size = _HAND
    card_places = (*[Place(Pile.HAND, 1)] * _HAND, *[DEALER_HAND] * 4, *[COMMUNITY] * 5)
    questions = (HAND_QUESTION, BONUS_QUESTION)
    all_actions = (*_KEEP_ACTIONS, *_SPLIT_ACTIONS, *map(Action, _PLACEMENT_BY_VERB))

    def __init__(self, table: Table, bets: Bets, meters: Mapping[str, int] | None = None) -> None:
        super().__init__(table, bets, meters)
        for spot, cents in bets.items():
            if qualifying_feature(table.spots[spot], cents):
                raise BadBatch(
                    f"The wager on {spot} qualifies for a bonus feature, and a batch has no bonus features: "
                    "wager less there, or leave the feature out of the table's setup."
                )

    @cached_property
    def wager_groups(self) -> tuple[WagerGroup, ...]:
        other_wagers = tuple(slug for slug in self.wagers if slug != QUICK_DRAW)
        if self._lines is None:
            return (WagerGroup(other_wagers, PATTERN_COUNT),)
        return WagerGroup(other_wagers, PATTERN_COUNT), WagerGroup((QUICK_DRAW,), self._lines.count)

    @cached_property
    def _lines(self) -> PaytableLines | None:
        return PaytableLines(self.table.offers[QUICK_DRAW].paytable) if QUICK_DRAW in self.wagers else None

    @cached_property
    def _quick_draw(self) -> NDArray[np.uint8]:
        return np.zeros(HANDS, np.uint8) if self._lines is None else quick_draw_places(self._lines)

    @cached_property
    def _choices(self) -> NDArray[np.uint8]:
        """The kernels' number of each action's choice, with the cards from the lowest up."""
        choices = np.zeros(len(self.actions), np.uint8)
        for at, action in enumerate(self.actions):
            if action.verb in (Verb.KEEP, Verb.SPLIT):
                pair = tuple(sorted(_HAND - 1 - place for place in action.groups[0]))
                keep = CHOICES.index((pair[0], pair[1]))
                choices[at] = keep if action.verb is Verb.KEEP else KEEPS + min(keep, KEEPS - 1 - keep)
        return choices

    @cached_property
    def _placements(self) -> NDArray[np.uint8]:
        """The placement of each action; last, nothing to place."""
        by_verb = [_PLACEMENT_BY_VERB.get(action.verb, MATCH) if action.verb else MATCH for action in self.actions]
        return np.array([*by_verb, MATCH], np.uint8)

    def outcome_kinds(self, cards: ByteArray, answers: Answers) -> Kinds:
        choices, placements = self._choices[answers[:, 0]], self._placements[answers[:, 1]]
        play, kinds = np.empty(len(cards), np.uint8), np.empty((2, len(cards)), np.int32)
        _encode_actions(cards, choices, placements, play)
        judge_shootout(cards, play, self._quick_draw, seat_tables(), kinds[1], kinds[0])
        return kinds[: len(self.wager_groups)]

    def restrict_actions(self, cards: ByteArray, masks: Masks) -> None:
        """Some cards of six decks look the same, and their choices are the same."""
        _narrow(cards, _SAME_PAIRS, masks)

    def canonical_decision(self, decision: Decision, hand: Sequence[Card]) -> Decision:
        """The higher hand of a split first."""
        return order_split(*decision.groups) if decision.verb is Verb.SPLIT else decision

    def swapped_action(self, action: int) -> int:
        """The actions after the hands of a split were named in the other order: first and second are exchanged."""
        first, second = (self._numbers[Action(verb)] for verb in (Verb.FIRST_HAND, Verb.SECOND_HAND))
        return {first: second, second: first}.get(action, action)


_SAME_PAIRS: Final = np.array(_PAIRS, np.int64)


@kernel
def _encode_actions(cards: ByteArray, choices: ByteArray, placements: ByteArray, play: ByteArray) -> None:
    """The kernels' numbers of the choice and the placement of the Shootout Bonus. For the kernels, the hand with the
    lowest card is first; for the rules, the higher hand."""
    for at in range(len(cards)):
        choice, placement = choices[at], placements[at]
        if choice >= KEEPS:
            # The lowest card comes last; the choice names its partner.
            partner = 2 - (choice - KEEPS)
            first, second = (1, 2) if partner == 0 else (0, 2) if partner == 1 else (0, 1)
            low = cards[at, partner], cards[at, 3]
            high = cards[at, first], cards[at, second]
            if placement != MATCH and low < high:
                placement = FIRST_HAND + SECOND_HAND - placement
            choice = KEEPS + PLACEMENTS * (choice - KEEPS) + placement
        play[at] = choice


@kernel
def _narrow(cards: ByteArray, pairs: IntArray, masks: Masks) -> None:
    """Keep the first of the choices that look the same."""
    for at in range(len(cards)):
        a, b, c, d = cards[at, 0], cards[at, 1], cards[at, 2], cards[at, 3]
        if a != b and b != c and c != d:
            continue
        for way in range(1, len(pairs)):
            for before in range(way):
                same = cards[at, pairs[way, 0]] == cards[at, pairs[before, 0]]
                if same and cards[at, pairs[way, 1]] == cards[at, pairs[before, 1]]:
                    masks[at, way] = False
        # The partner of the highest card is the second, the third, or the last card.
        masks[at, KEEPS + 1] &= b != c
        masks[at, KEEPS + 2] &= a != b and c != d


BATCH: Final = ShootoutBatch
