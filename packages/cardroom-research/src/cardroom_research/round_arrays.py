"""The rounds of a vector environment as arrays, one part per thread, and the spaces of their rows."""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from cardroom.cards import JOKER_CODE
from cardroom.odds.simulation.batch import NOT_DEALT_CODE, Answers, Cents, Masks, Observations, RoundBatch
from cardroom.odds.simulation.batch_deals import ByteArray, IntArray, deal_to_decision, skip_to_decision


def observation_space(batch: RoundBatch) -> Dict:
    """The observation of one seat: the code of each card, -1 for a face-down card and -2 for a missing card; the number
    of the question, 0 if there is none; the action taken at each question, or -1; the cents on each spot."""
    max_wager = max(offered.limits.maximum for offered in batch.table.spots.values())
    return Dict(
        {
            "cards": Box(NOT_DEALT_CODE, JOKER_CODE, (len(batch.card_places),), np.int8),
            "question": Discrete(len(batch.questions) + 1),
            "answers": Box(-1, len(batch.actions) - 1, (len(batch.questions),), np.int8),
            "wagers": Box(0, max_wager, (len(batch.wagered_cents),), np.int64),
        }
    )


def action_space(batch: RoundBatch) -> Discrete:
    """One number for each action, for any cards."""
    return Discrete(len(batch.actions))


SKIPPED_ROUNDS_PER_ROW: Final = 16
"""The average number of rounds without a decision to skip at a time, per row."""


class RoundArrays(NamedTuple):
    """The state of the rounds, a row each."""

    seeds: NDArray[np.uint64]
    turns: NDArray[np.uint64]
    """The number of the next round of each row."""
    cards: ByteArray
    nodes: IntArray
    answers: Answers
    masks: Masks
    done: NDArray[np.bool_]
    """Whether the round has ended and the next one has not begun."""
    rewards: Cents
    skipped_rounds: IntArray
    """The rounds without a decision that were skipped since the previous round."""
    skipped_cents: Cents
    visible_cards: NDArray[np.int8]
    questions: IntArray

    def slice_rows(self, start: int, end: int) -> RoundArrays:
        return RoundArrays(*(array[start:end] for array in self))  # type: ignore[arg-type]


def new_arrays(batch: RoundBatch, rows: int) -> RoundArrays:
    """Rounds that have not begun."""
    return RoundArrays(
        seeds=np.zeros(rows, np.uint64),
        turns=np.zeros(rows, np.uint64),
        cards=np.zeros((rows, len(batch.card_places)), np.uint8),
        nodes=np.zeros(rows, np.int64),
        answers=np.full((rows, len(batch.questions)), -1, np.int8),
        masks=np.zeros((rows, len(batch.actions)), np.bool_),
        done=np.zeros(rows, np.bool_),
        rewards=np.zeros(rows, np.int64),
        skipped_rounds=np.zeros(rows, np.int64),
        skipped_cents=np.zeros(rows, np.int64),
        visible_cards=np.zeros((rows, len(batch.card_places)), np.int8),
        questions=np.zeros(rows, np.int64),
    )


class RoundRows:
    """Rounds in parallel, one seat each."""

    def __init__(self, batch: RoundBatch, arrays: RoundArrays, asked_only: bool) -> None:
        self.batch, self.arrays, self.asked_only = batch, arrays, asked_only

    def begin(self, indices: IntArray) -> None:
        """Deal the next round of some rows; with ``asked_only``, the next round with a decision."""
        a = self.arrays
        if self.asked_only:
            self._deal_with_question(indices)
        else:
            self.batch.deal(a.cards, indices, a.seeds, a.turns)
            a.turns[indices] += np.uint64(1)
        a.nodes[indices] = self.batch.start_nodes(a.cards[indices])
        a.answers[indices] = -1
        a.done[indices] = False

    def _deal_with_question(self, indices: IntArray) -> None:
        a = self.arrays
        a.skipped_rounds[indices] = a.skipped_cents[indices] = 0
        if (nets := self.batch.no_decision_nets) is not None:
            skipped = a.skipped_rounds, a.skipped_cents
            skip_to_decision(a.cards, indices, a.seeds, a.turns, self.batch.deal_plan, nets, skipped)
            return
        while len(indices):
            passed, rows = self._skip_buffers
            dealt, count = deal_to_decision(a.cards, indices, a.seeds, a.turns, self.batch.deal_plan, passed, rows)
            no_answers = np.full((count, a.answers.shape[1]), -1, np.int8)
            np.add.at(a.skipped_cents, rows[:count], self.batch.nets(passed[:count], no_answers))
            np.add.at(a.skipped_rounds, rows[:count], 1)
            indices = indices[dealt:]

    @cached_property
    def _skip_buffers(self) -> tuple[ByteArray, IntArray]:
        """The buffers for skipped rounds."""
        size = SKIPPED_ROUNDS_PER_ROW * len(self.arrays.done)
        return np.empty((size, len(self.batch.card_places)), np.uint8), np.empty(size, np.int64)

    def answer(self, indices: IntArray, actions: IntArray) -> IntArray:
        """Apply the actions of some rows. Returns the rows whose rounds have ended. Their net results are their
        rewards."""
        a, batch = self.arrays, self.batch
        nodes, choices = a.nodes[indices], actions[indices]
        questions = batch.question_numbers[nodes].astype(np.int64)
        answered = questions > 0
        a.answers[indices[answered], questions[answered] - 1] = choices[answered]
        next_nodes = batch.next_nodes[nodes, choices]
        a.nodes[indices] = next_nodes
        ended = indices[batch.is_over[next_nodes]]
        a.rewards[indices] = 0
        if len(ended):
            a.rewards[ended] = batch.nets(a.cards[ended], a.answers[ended])
            a.done[ended] = True
        return ended

    def update_observations(self) -> None:
        """Write the seats' observations and the allowed actions. After the end of a round every action is allowed and
        has no effect."""
        a = self.arrays
        self.batch.fill_visible_cards(a.cards, a.nodes, a.visible_cards)
        a.questions[:] = self.batch.question_numbers[a.nodes]
        a.masks[:] = self.batch.masks(a.cards, a.nodes)
        a.masks[a.done] = True

    def observations(self, indices: IntArray) -> Observations:
        """The observations of some seats."""
        a = self.arrays
        return self.batch.observe(a.cards[indices], a.nodes[indices], a.answers[indices])
