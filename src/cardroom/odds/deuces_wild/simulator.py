"""Simulates Deuces Wild, by kernels or in batches, with lookup tables from the game and its strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.card_places import COMMUNITY
from cardroom.games.deuces_wild.rules import (
    ANTE_PLAY_RAISE,
    BONUS_JACKPOT,
    FIVE_CARD_FORTUNE,
    FORTUNE_EVENTS,
    FORTUNE_QUESTION,
    JACKPOT_EVENTS,
    MAIN_EVENTS,
    PLAY_QUESTION,
    RAISE_QUESTION,
    THREE_CARD_TREASURE,
    TREASURE_EVENTS,
)
from cardroom.hands import FIVE_CARD_WILD, THREE_CARD_WILD, Category, Ranking, evaluate_many, is_wild
from cardroom.hands.lookup_tables import lookup_tables
from cardroom.odds.deuces_wild.basic_strategy import basic_ante_policy, basic_fortune_policy
from cardroom.odds.deuces_wild.best_strategy import (
    FOLD_AFTER_FOUR,
    FOLD_AFTER_THREE,
    AnteGame,
    AntePolicy,
    FortuneGame,
    FortunePolicy,
)
from cardroom.odds.deuces_wild.counts import DECK, all_sets, set_number
from cardroom.odds.deuces_wild.kernels import (
    CARDS_DEALT,
    CHOSEN_SHIFT,
    PLAY_SHIFT,
    DeucesTables,
    judge_deuces,
    play_deuces,
)
from cardroom.odds.payoffs import apply_paytable
from cardroom.odds.pricer import Progress, ignore_progress
from cardroom.odds.simulation.batch import Action, Answers, Kinds, Masks, PaytableLines, RoundBatch, WagerGroup
from cardroom.odds.simulation.batch_deals import ByteArray
from cardroom.odds.simulation.deals import Block, Places
from cardroom.odds.simulation.runner import KernelPreparedTable, SimulatedRound, Simulator, check_strategy
from cardroom.odds.simulation.wager_plan import OutcomeIndex, WagerPlan, plan_from_outcomes, plan_wager


@dataclass(frozen=True)
class PreparedDeuces(KernelPreparedTable):
    """A table of Deuces Wild."""

    deck = DECK
    kernel_wagers = (ANTE_PLAY_RAISE, THREE_CARD_TREASURE, FIVE_CARD_FORTUNE, BONUS_JACKPOT)

    wagers: tuple[WagerPlan, ...]
    kernel_tables: DeucesTables = field(repr=False)

    def play(self, block: Block) -> None:
        play_deuces(block, self.kernel_tables, lookup_tables(FIVE_CARD_WILD))

    def simulated_round(self, seed: int, block: int, turn: int) -> SimulatedRound:
        nine = tuple(self.deal_cards(CARDS_DEALT, seed, block, turn))
        three = sorted(nine[:3], key=lambda card: card.code)
        hand_bits = int(self.kernel_tables.threes[set_number(three)])
        chosen_cards = tuple(card for place, card in enumerate(three) if hand_bits >> (CHOSEN_SHIFT + place) & 1)
        raises = self.kernel_tables.raises[set_number(nine[:4])]
        return SimulatedRound(
            cards={
                Place(Pile.HAND, 1): nine[:3],
                Place(Pile.FOURTH, 1): nine[3:4],
                Place(Pile.FIFTH, 1): nine[4:5],
                COMMUNITY: nine[5:],
            },
            decisions={
                PLAY_QUESTION: Decision(Verb.PLAY if hand_bits >> PLAY_SHIFT & 1 else Verb.FOLD),
                FORTUNE_QUESTION: Decision(Verb.CHOOSE, (chosen_cards,)),
                RAISE_QUESTION: Decision(Verb.RAISE if raises else Verb.FOLD),
            },
        )


class DeucesWildSimulator(Simulator):
    """Deuces Wild. Ante, Play, and Raise follow one strategy, Five Card Fortune its own strategy of the same name."""

    game = "deuces-wild"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = ignore_progress) -> PreparedDeuces:
        check_strategy(strategy)
        plans = {slug: plan_wager(table, slug, progress=progress) for slug in table.offers}
        ante_policy, fortune_policy = _empty_ante_policy(), _empty_fortune_policy()
        if main := plans.get(ANTE_PLAY_RAISE):
            ante = AnteGame(main.request.table)
            ante_policy = ante.best_policy if strategy == "best" else basic_ante_policy(ante)
            plans[ANTE_PLAY_RAISE] = plan_from_outcomes(main.request, tuple(ante.outcomes(ante_policy)))
        if side := plans.get(FIVE_CARD_FORTUNE):
            fortune = FortuneGame(side.request.table)
            fortune_policy = fortune.best_policy if strategy == "best" else basic_fortune_policy(fortune)
            plans[FIVE_CARD_FORTUNE] = plan_from_outcomes(
                side.request, tuple(apply_paytable(fortune_policy.event_counts(), side.request.table))
            )
        return PreparedDeuces(tuple(plans.values()), _tables(plans, ante_policy, fortune_policy))


def _empty_ante_policy() -> AntePolicy:
    return AntePolicy(np.zeros(comb(DECK.size, 3), np.bool_), np.zeros(comb(DECK.size, 4), np.bool_))


def _empty_fortune_policy() -> FortunePolicy:
    return FortunePolicy(np.zeros(comb(DECK.size, 3), np.int64), {})


# The lookup tables, from functions of the game and its strategies.


def _tables(plans: Mapping[str, WagerPlan], ante_policy: AntePolicy, fortune_policy: FortunePolicy) -> DeucesTables:
    main = plans.get(ANTE_PLAY_RAISE)
    folds = [_fold_place(main, event) for event in (FOLD_AFTER_FOUR, FOLD_AFTER_THREE)] if main else [-1, -1]
    return deuces_tables(plans, folds, ante_policy, fortune_policy)


def deuces_tables(
    wagers: Mapping[str, OutcomeIndex],
    folds: Sequence[int],
    ante_policy: AntePolicy | None = None,
    fortune_policy: FortunePolicy | None = None,
) -> DeucesTables:
    """The lookup tables of the kernels: the indexes of the wagers' outcomes, those of a fold after four cards and after
    three, and the decisions, if they are known beforehand."""
    ante_policy, fortune_policy = ante_policy or _empty_ante_policy(), fortune_policy or _empty_fortune_policy()
    hands = np.concatenate(
        [_places_by_strength(wagers.get(ANTE_PLAY_RAISE), FIVE_CARD_WILD, MAIN_EVENTS), np.array(folds, np.int16)]
    )
    treasures = _places_by_strength(wagers.get(THREE_CARD_TREASURE), THREE_CARD_WILD, TREASURE_EVENTS)
    treasure = treasures[evaluate_many(THREE_CARD_WILD, all_sets(3))].clip(0).astype(np.uint16)
    jackpot = wagers.get(BONUS_JACKPOT)
    return DeucesTables(
        threes=(
            treasure | ante_policy.play.astype(np.uint16) << PLAY_SHIFT | _bits(fortune_policy) << CHOSEN_SHIFT
        ).astype(np.uint16),
        raises=ante_policy.raise_,
        hands=hands,
        fortunes=_places_by_strength(wagers.get(FIVE_CARD_FORTUNE), FIVE_CARD_WILD, FORTUNE_EVENTS),
        wild=np.array([is_wild(card) for card in DECK.distinct_cards()], np.uint8),
        jackpots=jackpot.places([(event,) for event in JACKPOT_EVENTS]) if jackpot else np.full(6, -1, np.int16),
    )


def _fold_place(wager: WagerPlan, event: str) -> int:
    return next(at for at, outcome in enumerate(wager.outcomes) if outcome.trigger == event)


def _places_by_strength(wager: OutcomeIndex | None, ranking: Ranking, events: Mapping[Category, str]) -> Places:
    """The index of the outcome by the strength of the hand; -1 if the wager is not offered."""
    if wager is None:
        return np.full(len(ranking.classes) + 1, -1, np.int16)
    by_category = {category: wager.place((event,)) for category, event in events.items()}
    return np.array([-1, *(by_category[hand_class.category] for hand_class in ranking.classes)], np.int16)


def _bits(policy: FortunePolicy) -> NDArray[np.uint16]:
    """The chosen cards of each three cards, a bit each."""
    bits = 1 << policy.single_places
    for number, group in policy.groups.items():
        codes = all_sets(3)[number].tolist()
        bits[number] = sum(1 << codes.index(card.code) for card in group)
    return bits.astype(np.uint16)


SIMULATOR: Final = DeucesWildSimulator()


_HAND: Final = 3
_CHOOSE_ACTIONS: Final = tuple(
    Action(Verb.CHOOSE, (group,)) for count in range(1, _HAND + 1) for group in combinations(range(_HAND), count)
)


class DeucesBatch(RoundBatch):
    """Deuces Wild."""

    hand_size = _HAND
    card_places = (*[Place(Pile.HAND, 1)] * _HAND, Place(Pile.FOURTH, 1), Place(Pile.FIFTH, 1), *[COMMUNITY] * 4)
    questions = (PLAY_QUESTION, FORTUNE_QUESTION, RAISE_QUESTION)
    all_actions = (Action(Verb.FOLD), Action(Verb.PLAY), Action(Verb.RAISE), *_CHOOSE_ACTIONS)

    @cached_property
    def wager_groups(self) -> tuple[WagerGroup, ...]:
        # A fold after four cards and a fold after three are kinds of their own.
        return tuple(
            WagerGroup((slug,), self._lines[slug].count + 2 * (slug == ANTE_PLAY_RAISE)) for slug in self.wagers
        )

    @cached_property
    def _lines(self) -> dict[str, PaytableLines]:
        return {slug: PaytableLines(self.table.offers[slug].paytable) for slug in self.wagers}

    @cached_property
    def _tables(self) -> DeucesTables:
        main = self._lines.get(ANTE_PLAY_RAISE)
        return deuces_tables(self._lines, [main.count, main.count + 1] if main else [-1, -1])

    @cached_property
    def _columns(self) -> NDArray[np.int64]:
        slugs = list(self.wagers)
        return np.array([slugs.index(slug) if slug in slugs else -1 for slug in PreparedDeuces.kernel_wagers], np.int64)

    @cached_property
    def _bits(self) -> NDArray[np.uint16]:
        """The bits that each action adds to the lookup of three cards; last, none. The kernels number the chosen cards
        from the lowest up."""
        bits = np.zeros(len(self.actions) + 1, np.uint16)
        for at, action in enumerate(self.actions):
            if action.verb is Verb.PLAY:
                bits[at] = 1 << PLAY_SHIFT
            for place in action.groups[0] if action.groups else ():
                bits[at] |= 1 << (CHOSEN_SHIFT + _HAND - 1 - place)
        return bits

    def outcome_kinds(self, cards: ByteArray, answers: Answers) -> Kinds:
        kinds = np.empty((len(self.wager_groups), len(cards)), np.int32)
        play_actions, choose_actions, raise_actions = answers.T
        action_bits = self._bits[play_actions] | self._bits[choose_actions]
        is_raised = raise_actions == self.actions.index(Action(Verb.RAISE))
        judge_deuces(cards, action_bits, is_raised, self._columns, self._tables, lookup_tables(FIVE_CARD_WILD), kinds)
        return kinds

    def restrict_actions(self, cards: ByteArray, masks: Masks) -> None:
        """Several cards can be chosen only if all of them are wild (DW-6)."""
        wild = self._tables.wild[cards[:, :_HAND]].astype(np.bool_)
        for at, action in enumerate(self.actions):
            if action.verb is Verb.CHOOSE and len(action.groups[0]) > 1:
                masks[:, at] &= wild[:, list(action.groups[0])].all(axis=1)


BATCH: Final = DeucesBatch
