"""Deuces Wild, many rounds at once."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.games import Pile, Place, Verb
from cardroom.games.deuces_wild.rules import ANTE_PLAY_RAISE, FORTUNE_QUESTION, PLAY_QUESTION, RAISE_QUESTION
from cardroom.games.places import COMMUNITY
from cardroom.hands import FIVE_CARD_WILD
from cardroom.hands.tables import tables
from cardroom.odds.deuces_wild.kernels import CHOSEN_SHIFT, PLAY_SHIFT, DeucesTables, judge_deuces
from cardroom.odds.deuces_wild.simulator import PreparedDeuces, deuces_tables
from cardroom.odds.rounds.batch import Action, Answers, Batch, Kinds, LinesOf, Masks, Part
from cardroom.odds.rounds.drawn import Bytes

_HAND: Final = 3
_CHOOSE: Final = tuple(
    Action(Verb.CHOOSE, (group,)) for count in range(1, _HAND + 1) for group in combinations(range(_HAND), count)
)


class DeucesBatch(Batch):
    """Deuces Wild."""

    hand = _HAND
    rows = (*[Place(Pile.HAND, 1)] * _HAND, Place(Pile.FOURTH, 1), Place(Pile.FIFTH, 1), *[COMMUNITY] * 4)
    questions = (PLAY_QUESTION, FORTUNE_QUESTION, RAISE_QUESTION)
    every_action = (Action(Verb.FOLD), Action(Verb.PLAY), Action(Verb.RAISE), *_CHOOSE)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        # A fold after four cards and one after three are kinds of their own.
        return tuple(Part((slug,), self._lines[slug].count + 2 * (slug == ANTE_PLAY_RAISE)) for slug in self.wagers)

    @cached_property
    def _lines(self) -> dict[str, LinesOf]:
        return {slug: LinesOf(self.table.offered[slug].paytable) for slug in self.wagers}

    @cached_property
    def _tables(self) -> DeucesTables:
        main = self._lines.get(ANTE_PLAY_RAISE)
        return deuces_tables(self._lines, [main.count, main.count + 1] if main else [-1, -1])

    @cached_property
    def _columns(self) -> NDArray[np.int64]:
        made = list(self.wagers)
        return np.array([made.index(slug) if slug in made else -1 for slug in PreparedDeuces.numbered], np.int64)

    @cached_property
    def _bits(self) -> NDArray[np.uint16]:
        """By action: what it adds to what is known of three cards; last, nothing. The kernels tell the chosen cards
        from the lowest up."""
        bits = np.zeros(len(self.actions) + 1, np.uint16)
        for at, action in enumerate(self.actions):
            if action.verb is Verb.PLAY:
                bits[at] = 1 << PLAY_SHIFT
            for place in action.groups[0] if action.groups else ():
                bits[at] |= 1 << (CHOSEN_SHIFT + _HAND - 1 - place)
        return bits

    def kinds(self, cards: Bytes, answers: Answers) -> Kinds:
        found = np.empty((len(self.parts), len(cards)), np.int32)
        played, chosen, third = answers.T
        done = self._bits[played] | self._bits[chosen]
        raised = third == self.actions.index(Action(Verb.RAISE))
        judge_deuces(cards, done, raised, self._columns, self._tables, tables(FIVE_CARD_WILD), found)
        return found

    def narrow(self, cards: Bytes, masks: Masks) -> None:
        """Several cards are chosen only when all of them are wild (DW-6)."""
        wild = self._tables.wild[cards[:, :_HAND]].astype(np.bool_)
        for at, action in enumerate(self.actions):
            if action.verb is Verb.CHOOSE and len(action.groups[0]) > 1:
                masks[:, at] &= wild[:, list(action.groups[0])].all(axis=1)


BATCH: Final = DeucesBatch
