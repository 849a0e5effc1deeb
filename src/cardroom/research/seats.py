"""Some of the rounds of a vector environment: arrays that one thread plays on."""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.odds.rounds.batch import Answers, Batch, Cents, Masks, Observations
from cardroom.odds.rounds.drawn import Bytes, Numbers, deal_asking, pass_to_asking

ROOM: Final = 16
"""How many rounds that ask nothing are passed at a time for each row, on average."""


class Arrays(NamedTuple):
    """The state of rounds, a row each."""

    seeds: NDArray[np.uint64]
    turns: NDArray[np.uint64]
    """The number of the next round of each row."""
    cards: Bytes
    nodes: Numbers
    answers: Answers
    masks: Masks
    done: NDArray[np.bool_]
    """Whether a round is over and waits for the next one."""
    rewards: Cents
    skipped_rounds: Numbers
    """Played through since the round before, because they asked nothing."""
    skipped_cents: Cents
    seen: NDArray[np.int8]
    asked: Numbers

    def part(self, start: int, end: int) -> Arrays:
        return Arrays(*(array[start:end] for array in self))  # type: ignore[arg-type]


def new_arrays(batch: Batch, rows: int) -> Arrays:
    """Rounds that have not begun."""
    return Arrays(
        seeds=np.zeros(rows, np.uint64),
        turns=np.zeros(rows, np.uint64),
        cards=np.zeros((rows, len(batch.rows)), np.uint8),
        nodes=np.zeros(rows, np.int64),
        answers=np.full((rows, len(batch.questions)), -1, np.int8),
        masks=np.zeros((rows, len(batch.actions)), np.bool_),
        done=np.zeros(rows, np.bool_),
        rewards=np.zeros(rows, np.int64),
        skipped_rounds=np.zeros(rows, np.int64),
        skipped_cents=np.zeros(rows, np.int64),
        seen=np.zeros((rows, len(batch.rows)), np.int8),
        asked=np.zeros(rows, np.int64),
    )


class Seats:
    """Rounds side by side, one seat each."""

    def __init__(self, batch: Batch, arrays: Arrays, asked_only: bool) -> None:
        self.batch, self.arrays, self.asked_only = batch, arrays, asked_only

    def begin(self, which: Numbers) -> None:
        """Deal the next round of some rows; where only those count that ask something, the next one that does."""
        a = self.arrays
        if self.asked_only:
            self._deal_asking(which)
        else:
            self.batch.deal(a.cards, which, a.seeds, a.turns)
            a.turns[which] += np.uint64(1)
        a.nodes[which] = self.batch.begin(a.cards[which])
        a.answers[which] = -1
        a.done[which] = False

    def _deal_asking(self, which: Numbers) -> None:
        a = self.arrays
        a.skipped_rounds[which] = a.skipped_cents[which] = 0
        if (nets := self.batch.passed_nets) is not None:
            skipped = a.skipped_rounds, a.skipped_cents
            pass_to_asking(a.cards, which, a.seeds, a.turns, self.batch.dealing, nets, skipped)
            return
        while len(which):
            passed, rows = self._room
            dealt, count = deal_asking(a.cards, which, a.seeds, a.turns, self.batch.dealing, passed, rows)
            nothing = np.full((count, a.answers.shape[1]), -1, np.int8)
            np.add.at(a.skipped_cents, rows[:count], self.batch.nets(passed[:count], nothing))
            np.add.at(a.skipped_rounds, rows[:count], 1)
            which = which[dealt:]

    @cached_property
    def _room(self) -> tuple[Bytes, Numbers]:
        """For rounds that are passed."""
        room = ROOM * len(self.arrays.done)
        return np.empty((room, len(self.batch.rows)), np.uint8), np.empty(room, np.int64)

    def answer(self, which: Numbers, actions: Numbers) -> Numbers:
        """Answer for some rows; and which of them are over now. What they won or lost is their reward."""
        a, batch = self.arrays, self.batch
        before, said = a.nodes[which], actions[which]
        asked = batch.asks[before].astype(np.int64)
        answered = asked > 0
        a.answers[which[answered], asked[answered] - 1] = said[answered]
        after = batch.after[before, said]
        a.nodes[which] = after
        over = which[batch.over[after]]
        a.rewards[which] = 0
        if len(over):
            a.rewards[over] = batch.nets(a.cards[over], a.answers[over])
            a.done[over] = True
        return over

    def look(self) -> None:
        """Fill in what the seats see, and which actions are allowed. Where a round is over any is: none counts."""
        a = self.arrays
        self.batch.look(a.cards, a.nodes, a.seen)
        a.asked[:] = self.batch.asks[a.nodes]
        a.masks[:] = self.batch.masks(a.cards, a.nodes)
        a.masks[a.done] = True

    def observed(self, which: Numbers) -> Observations:
        """What some seats see."""
        a = self.arrays
        return self.batch.observe(a.cards[which], a.nodes[which], a.answers[which])
