"""Rounds with a strategy in Python, one after the other through the rules: for strategies that must be asked in every
round, and for games that bring nothing but their rules."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from typing import Any, Final

import numpy as np

from cardroom.games import Decide, Round, SeatTurn, Table, game, view
from cardroom.games.setup import setup_entry, setup_from
from cardroom.odds.rounds.batch import Batch, batch_of
from cardroom.odds.rounds.by_the_rules import (
    Numbers,
    Strategy,
    WagerOutcome,
    answer_of,
    bets_together,
    dealt_shoe,
    outcomes,
    played,
)
from cardroom.odds.rounds.flow import SEAT, onward

HERE: Final = 50
"""Rounds that are played at a time in this process: few, so that whoever waits is told soon."""
ELSEWHERE: Final = 2_000
"""The same in a process of its own."""


@dataclass(frozen=True)
class RoundsOneByOne:
    """Rounds of one seat with every wager of a table. They can be sent to another process where the strategy can."""

    table: Table
    strategy: Strategy
    seed: int

    def __reduce__(self) -> tuple[Any, ...]:
        # A table is opened anew where it is played at.
        return _opened, (json.dumps(setup_entry(self.table.setup)), self.strategy, self.seed)

    def play(self, first: int, rounds: int) -> dict[str, Counter[WagerOutcome]]:
        """How often what became of each wager."""
        found: dict[str, Counter[WagerOutcome]] = {slug: Counter() for slug in self.table.offered}
        for turn in range(first, first + rounds):
            for slug, outcome in self.outcomes(turn).items():
                found[slug][outcome] += 1
        return found

    def outcomes(self, turn: int) -> dict[str, WagerOutcome]:
        """What became of each wager in one round."""
        found: dict[str, WagerOutcome] = {}
        for round_ in self._rounds(turn):
            found = {**outcomes(self.table, round_), **found}
        return found

    def _rounds(self, turn: int) -> Iterator[Round]:
        if not self._batches:
            shoe = dealt_shoe(self.table, Numbers(self.seed, turn))
            for bets in bets_together(self.table):
                yield played(game(self.table.facts.slug), self.table, bets, shoe, self.strategy)
        for batch in self._batches:
            yield self._round(batch, turn)

    def _round(self, batch: Batch, turn: int) -> Round:
        """With the cards that the round has in a batch too."""
        cards = np.empty((1, len(batch.rows)), np.uint8)
        batch.deal(cards, np.zeros(1, np.int64), np.array([self.seed], np.uint64), np.array([turn], np.uint64))
        piles = batch.piles(cards[0])
        round_ = onward(batch.rules.begin(self.table, {SEAT: batch.bets}), piles)
        while isinstance(round_.turn, SeatTurn):
            round_ = onward(round_.apply(Decide(SEAT, answer_of(self.strategy, view(round_, SEAT)))), piles)
        return round_

    @cached_property
    def _batches(self) -> tuple[Batch, ...]:
        """Of a game of the house: the wagers that can be made in one round."""
        kind = batch_of(self.table.facts.slug)
        return (
            ()
            if kind is None
            else tuple(kind(self.table, bets, no_meters(self.table, bets)) for bets in bets_together(self.table))
        )


def no_meters(table: Table, bets: Mapping[str, int]) -> dict[str, int]:
    """Empty meters, where a wager can win a share of one: such a share is not counted here."""
    return {spot: 0 for spot in bets if table.spots[spot].has_meter}


def _opened(setup: str, strategy: Strategy, seed: int) -> RoundsOneByOne:
    found = setup_from(json.loads(setup))
    return RoundsOneByOne(game(found.game).open(found), strategy, seed)


@contextmanager
def players(rounds_of: RoundsOneByOne, width: int, rounds: int) -> Iterator[tuple[Executor, int]]:
    """Who plays, and how many rounds at a time: processes, because the rules are plain Python; this one alone, when the
    rounds must come one after the other, or when the strategy cannot be sent."""
    alone = width == 1 or rounds <= ELSEWHERE or getattr(rounds_of.strategy, "every_time", False)
    if alone or not _can_be_sent(rounds_of):
        with ThreadPoolExecutor(1) as thread:
            yield thread, HERE
    else:
        with ProcessPoolExecutor(width, mp_context=get_context("spawn")) as processes:
            yield processes, ELSEWHERE


def _can_be_sent(rounds_of: RoundsOneByOne) -> bool:
    try:
        return bool(pickle.dumps(rounds_of))
    except Exception:  # whatever a stranger's function holds
        return False
