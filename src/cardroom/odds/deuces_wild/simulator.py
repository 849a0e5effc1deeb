"""Deuces Wild by the million rounds: the tables for the kernels, filled from the game and its strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.games import Decision, Pile, Place, Table, Verb
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
from cardroom.games.places import COMMUNITY
from cardroom.hands import FIVE_CARD_WILD, THREE_CARD_WILD, Category, Ranking, batch, is_wild
from cardroom.hands.tables import tables
from cardroom.odds.deuces_wild.ante import FOLDED_AFTER_FOUR, FOLDED_AFTER_THREE, AnteGame, Plan
from cardroom.odds.deuces_wild.counts import DECK, all_sets, set_number
from cardroom.odds.deuces_wild.fortune import Choices, FortuneGame
from cardroom.odds.deuces_wild.kernels import CHOSEN_SHIFT, DEALT, PLAY_SHIFT, DeucesTables, play_deuces
from cardroom.odds.deuces_wild.preferences import simple_choices
from cardroom.odds.deuces_wild.strategy import simple_plan
from cardroom.odds.endings import endings
from cardroom.odds.pricer import Progress, silent
from cardroom.odds.rounds.deals import Block, Places
from cardroom.odds.rounds.plan import Placing, WagerPlan, plan, planned
from cardroom.odds.rounds.simulation import Laid, Simulator, check_strategy
from cardroom.odds.rounds.wagers import PreparedWagers


@dataclass(frozen=True)
class PreparedDeuces(PreparedWagers):
    """A table of Deuces Wild."""

    deck = DECK
    numbered = (ANTE_PLAY_RAISE, THREE_CARD_TREASURE, FIVE_CARD_FORTUNE, BONUS_JACKPOT)

    wagers: tuple[WagerPlan, ...]
    looked_up: DeucesTables = field(repr=False)

    def play(self, block: Block) -> None:
        play_deuces(block, self.looked_up, tables(FIVE_CARD_WILD))

    def laid(self, seed: int, block: int, turn: int) -> Laid:
        nine = tuple(self.dealt(DEALT, seed, block, turn))
        three = sorted(nine[:3], key=lambda card: card.code)
        known = int(self.looked_up.threes[set_number(three)])
        chosen = tuple(card for place, card in enumerate(three) if known >> (CHOSEN_SHIFT + place) & 1)
        raises = self.looked_up.raises[set_number(nine[:4])]
        return Laid(
            cards={
                Place(Pile.HAND, 1): nine[:3],
                Place(Pile.FOURTH, 1): nine[3:4],
                Place(Pile.FIFTH, 1): nine[4:5],
                COMMUNITY: nine[5:],
            },
            decisions={
                PLAY_QUESTION: Decision(Verb.PLAY if known >> PLAY_SHIFT & 1 else Verb.FOLD),
                FORTUNE_QUESTION: Decision(Verb.CHOOSE, (chosen,)),
                RAISE_QUESTION: Decision(Verb.RAISE if raises else Verb.FOLD),
            },
        )


class DeucesWildSimulator(Simulator):
    """Deuces Wild. Ante, Play and Raise are played by one strategy, Five Card Fortune by its own of the same name."""

    game = "deuces-wild"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = silent) -> PreparedDeuces:
        check_strategy(strategy)
        plans = {slug: plan(table, slug, progress=progress) for slug in table.offered}
        played, chosen = _nothing_played(), _nothing_chosen()
        if main := plans.get(ANTE_PLAY_RAISE):
            ante = AnteGame(main.question.table)
            played = ante.best if strategy == "best" else simple_plan(ante)
            plans[ANTE_PLAY_RAISE] = planned(main.question, tuple(ante.endings(played)))
        if side := plans.get(FIVE_CARD_FORTUNE):
            fortune = FortuneGame(side.question.table)
            chosen = fortune.best if strategy == "best" else simple_choices(fortune)
            plans[FIVE_CARD_FORTUNE] = planned(side.question, tuple(endings(chosen.kinds(), side.question.table)))
        return PreparedDeuces(tuple(plans.values()), _tables(plans, played, chosen))


def _nothing_played() -> Plan:
    return Plan(np.zeros(comb(DECK.size, 3), np.bool_), np.zeros(comb(DECK.size, 4), np.bool_))


def _nothing_chosen() -> Choices:
    return Choices(np.zeros(comb(DECK.size, 3), np.int64), {})


# The tables, each from a function of the game or of its strategies.


def _tables(plans: Mapping[str, WagerPlan], played: Plan, chosen: Choices) -> DeucesTables:
    main = plans.get(ANTE_PLAY_RAISE)
    folds = [_fold(main, event) for event in (FOLDED_AFTER_FOUR, FOLDED_AFTER_THREE)] if main else [-1, -1]
    return deuces_tables(plans, folds, played, chosen)


def deuces_tables(
    wagers: Mapping[str, Placing], folds: Sequence[int], played: Plan | None = None, chosen: Choices | None = None
) -> DeucesTables:
    """What the kernels look up: where the endings of the wagers stand, those of a fold after four cards and after
    three, and what is played, raised and chosen, where that is known beforehand."""
    played, chosen = played or _nothing_played(), chosen or _nothing_chosen()
    hands = np.concatenate(
        [_by_strength(wagers.get(ANTE_PLAY_RAISE), FIVE_CARD_WILD, MAIN_EVENTS), np.array(folds, np.int16)]
    )
    treasures = _by_strength(wagers.get(THREE_CARD_TREASURE), THREE_CARD_WILD, TREASURE_EVENTS)
    treasure = treasures[batch(THREE_CARD_WILD, all_sets(3))].clip(0).astype(np.uint16)
    jackpot = wagers.get(BONUS_JACKPOT)
    return DeucesTables(
        threes=(treasure | played.play.astype(np.uint16) << PLAY_SHIFT | _bits(chosen) << CHOSEN_SHIFT).astype(
            np.uint16
        ),
        raises=played.raise_,
        hands=hands,
        fortunes=_by_strength(wagers.get(FIVE_CARD_FORTUNE), FIVE_CARD_WILD, FORTUNE_EVENTS),
        wild=np.array([is_wild(card) for card in DECK.kinds()], np.uint8),
        jackpots=jackpot.places([(event,) for event in JACKPOT_EVENTS]) if jackpot else np.full(6, -1, np.int16),
    )


def _fold(wager: WagerPlan, event: str) -> int:
    return next(at for at, one in enumerate(wager.endings) if one.event == event)


def _by_strength(wager: Placing | None, ranking: Ranking, events: Mapping[Category, str]) -> Places:
    """The place of the ending by the strength of the hand; nowhere when the wager is not offered."""
    if wager is None:
        return np.full(len(ranking.classes) + 1, -1, np.int16)
    by_category = {category: wager.place((event,)) for category, event in events.items()}
    return np.array([-1, *(by_category[one.category] for one in ranking.classes)], np.int16)


def _bits(chosen: Choices) -> NDArray[np.uint16]:
    """By three cards: which of them are chosen, a bit each."""
    bits = 1 << chosen.single
    for number, group in chosen.several.items():
        codes = all_sets(3)[number].tolist()
        bits[number] = sum(1 << codes.index(card.code) for card in group)
    return bits.astype(np.uint16)


SIMULATOR: Final = DeucesWildSimulator()
