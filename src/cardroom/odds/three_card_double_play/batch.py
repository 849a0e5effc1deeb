"""3 Card Double Play Poker, many rounds at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.places import DEALER_HAND
from cardroom.games.three_card_double_play.divisions import cuts
from cardroom.games.three_card_double_play.rules import DEALER_CARDS, DOUBLE_QUESTION, PLAYER_CARDS, SET_QUESTION
from cardroom.hands import FIVE_CARD, THREE_CARD
from cardroom.hands.tables import tables
from cardroom.odds.rounds.batch import Action, Answers, Batch, Kinds, LinesOf, Part
from cardroom.odds.rounds.deals import Places
from cardroom.odds.rounds.drawn import Bytes
from cardroom.odds.three_card_double_play.kernels import (
    DOUBLED_SHIFT,
    DoublePlayTables,
    judge_double_play,
    setting_at,
)
from cardroom.odds.three_card_double_play.results import MAIN
from cardroom.odds.three_card_double_play.setting import KINDS
from cardroom.odds.three_card_double_play.simulator import PreparedDoublePlay, double_play_tables

_ENDS: Final = len(KINDS) + 2
"""Of High and Low: by the kind of the low hand, the high hand alone, the dealer."""


def _divisions() -> tuple[Action, ...]:
    """Which cards stand with the highest one, and which are left."""
    every = set(range(PLAYER_CARDS))
    firsts = [(0, *others) for others in combinations(range(1, PLAYER_CARDS), 2)]
    return tuple(Action(Verb.SET, (first, tuple(sorted(every.difference(first))))) for first in firsts)


class DoublePlayBatch(Batch):
    """3 Card Double Play Poker."""

    hand = PLAYER_CARDS
    rows = (*[Place(Pile.HAND, 1)] * PLAYER_CARDS, *[DEALER_HAND] * DEALER_CARDS)
    questions = (SET_QUESTION, DOUBLE_QUESTION)
    every_action = (*_divisions(), Action(Verb.DOUBLE), Action(Verb.STAND))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        return tuple(Part((slug,), 2 * _ENDS if slug == MAIN else self._lines[slug].count) for slug in self.wagers)

    @cached_property
    def _lines(self) -> dict[str, LinesOf]:
        return {slug: LinesOf(self.table.offered[slug].paytable) for slug in self.wagers if slug != MAIN}

    @cached_property
    def _tables(self) -> DoublePlayTables:
        ends: Places = np.arange(2 * _ENDS, dtype=np.int16).reshape(2, _ENDS)
        return double_play_tables(ends, self._lines)

    @cached_property
    def _columns(self) -> NDArray[np.int64]:
        made = list(self.wagers)
        return np.array([made.index(slug) if slug in made else -1 for slug in PreparedDoublePlay.numbered], np.int64)

    @cached_property
    def _bits(self) -> NDArray[np.uint8]:
        """By action: how the kernels tell it, the cards from the lowest up."""
        bits = np.zeros(len(self.actions), np.uint8)
        for at, action in enumerate(self.actions):
            if action.verb is Verb.SET:
                bits[at] = setting_at()[sum(1 << (PLAYER_CARDS - 1 - place) for place in action.groups[0])]
            elif action.verb is Verb.DOUBLE:
                bits[at] = 1 << DOUBLED_SHIFT
        return bits

    def kinds(self, cards: Bytes, answers: Answers) -> Kinds:
        found = np.empty((len(self.parts), len(cards)), np.int32)
        divided, doubled = answers.T
        done = self._bits[divided] | self._bits[doubled]
        judge_double_play(cards, done, self._columns, self._tables, tables(THREE_CARD), tables(FIVE_CARD), found)
        return found

    def listed(self, decision: Decision, hand: Sequence[Card]) -> Decision:
        """The higher hand stands in the High box (DP-2)."""
        if decision.verb is not Verb.SET:
            return decision
        either = (decision, decision.turned_about)
        return next(cut.decision for cut in cuts(hand) if cut.decision in either)


BATCH: Final = DoublePlayBatch
