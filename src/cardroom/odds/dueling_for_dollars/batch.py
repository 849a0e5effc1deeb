"""Dueling for Dollars, many rounds at once."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Rank
from cardroom.games import Pile, Place, Verb
from cardroom.games.dueling_for_dollars.rules import ADDED_CARDS, BURNT_BEFORE_WAR, TIE_QUESTION, WAR_COMMUNITY
from cardroom.games.places import BURN, COMMUNITY
from cardroom.odds.dueling_for_dollars.kernels import ENDS, KINDS_OF_CARD, DuelTables, judge_duels
from cardroom.odds.dueling_for_dollars.pricer import MAIN
from cardroom.odds.dueling_for_dollars.simulator import TWO_PLUS_TWO_WAGER, Start, duel_tables, starts_of
from cardroom.odds.rounds.batch import Action, Answers, Batch, Cents, Kinds, Part
from cardroom.odds.rounds.drawn import PAIRS, Bytes, Numbers


class DuelBatch(Batch):
    """Dueling for Dollars, on any of its spots."""

    hand = 1
    questions = (TIE_QUESTION,)
    every_action = (Action(Verb.WAR), Action(Verb.SURRENDER))

    @cached_property
    def rows(self) -> tuple[Place, ...]:
        burnt = (BURN,) * BURNT_BEFORE_WAR if self.table.options["burn"] else ()
        return (Place(Pile.HAND, 1), COMMUNITY, Place(Pile.WAR, 1), WAR_COMMUNITY, *ADDED_CARDS, *burnt)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        return (Part(tuple(self.wagers), 2 * len(self._different) * ENDS),)

    # Whether there is a tie, and whether two more cards are dealt for 2 + 2, the first two cards decide.

    @cached_property
    def _starts(self) -> list[Start]:
        return starts_of(self.wagers[MAIN], tuple(Rank))

    @cached_property
    def _different(self) -> list[Start]:
        return list(dict.fromkeys(self._starts))

    @cached_property
    def _sorts(self) -> Numbers:
        """By the place of the first two cards among all pairs."""
        adds = TWO_PLUS_TWO_WAGER in self.wagers
        return np.array([start.war + 2 * (adds and start.qualified) for start in self._starts], np.int64)

    def examples(self) -> tuple[tuple[Card, ...], ...]:
        of_each_sort = np.unique(self._sorts, return_index=True)[1].tolist()
        return tuple(tuple(STANDARD_DECK[code] for code in self._with_others(pair)) for pair in of_each_sort)

    @cached_property
    def sort_of(self) -> Numbers:
        found = np.zeros(PAIRS, np.int64)
        one, other = np.divmod(np.arange(KINDS_OF_CARD**2), KINDS_OF_CARD)
        found[one << 6 | other] = np.unique(self._sorts, return_inverse=True)[1]
        return found

    @cached_property
    def passed_nets(self) -> Cents | None:
        if TWO_PLUS_TWO_WAGER in self.wagers:
            return None  # two more cards are looked at
        pairs = [pair for pair, start in enumerate(self._starts) if not start.war]
        cards = np.array([self._with_others(pair) for pair in pairs], np.uint8)
        found = np.zeros(PAIRS, np.int64)
        one, other = np.divmod(np.array(pairs), KINDS_OF_CARD)
        found[one << 6 | other] = self.nets(cards, np.full((len(cards), 1), -1, np.int8))
        return found

    def _with_others(self, pair: int) -> list[int]:
        """The first two cards, and any others behind them."""
        first = divmod(pair, KINDS_OF_CARD)
        others = (code for code in range(KINDS_OF_CARD) if code not in first)
        return [*first, *islice(others, len(self.rows) - 2)]

    @cached_property
    def _tables(self) -> DuelTables:
        adds = TWO_PLUS_TWO_WAGER in self.wagers
        return duel_tables(self.table, self.wagers[MAIN], self._starts, self._different, adds)

    def kinds(self, cards: Bytes, answers: Answers) -> Kinds:
        found = np.empty((1, len(cards)), np.int32)
        surrendered: NDArray[np.bool_] = answers[:, 0] == self.actions.index(Action(Verb.SURRENDER))
        judge_duels(cards, surrendered, self._tables, found[0])
        return found


BATCH: Final = DuelBatch
