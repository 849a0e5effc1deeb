"""Adapters that call a strategy for a batch of rounds: one round at a time, or many at once.

Some rounds are played one after the other by the rules: those of a strategy in Python that must be called in every
round, and those of a game that provides only its rules.
"""

from __future__ import annotations

import json
import pickle
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing import get_context
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.games import Decide, Decision, Round, SeatTurn, Table, game, view
from cardroom.games.setup import setup_from_json, setup_to_json
from cardroom.odds.simulation.batch import Answers, Masks, Observations, RoundBatch, batch_class
from cardroom.odds.simulation.batch_deals import ByteArray, IntArray
from cardroom.odds.simulation.rules_engine import (
    FACE_UP,
    SEAT,
    BadStrategy,
    RoundRandom,
    Strategy,
    WagerResult,
    advance_to_decision,
    ask_strategy,
    group_bets,
    play_round,
    shuffle_shoe,
    wager_results,
)

BatchStrategy: TypeAlias = Callable[[Observations, Masks], NDArray[np.int64]]
"""Receives many rounds, a row each, and the actions that each of them allows; returns the number of an action for
each."""

MAX_CACHED: Final = 4_000_000
"""Cached decisions; beyond these, the strategy is called again."""
CHECKED_SITUATIONS: Final = 512
"""The number of first situations in which the strategy is called twice, to check that it makes the same decision."""


class LiveRounds(NamedTuple):
    """Rounds in progress, a row each."""

    cards: ByteArray
    nodes: IntArray
    answers: Answers
    hands_swapped: NDArray[np.bool_]
    """Whether two hands were named in the other order than in the rules."""


class PolicyAdapter(ABC):
    """Chooses actions for some rounds of a batch."""

    @abstractmethod
    def choose_actions(self, batch: RoundBatch, rounds: LiveRounds, live: IntArray) -> IntArray:
        """An action for each of the live rounds. Marks rounds whose two hands were named in the other order."""


class ActionChoice(NamedTuple):
    action: int
    hands_swapped: bool


@dataclass(frozen=True)
class CachedAdapter(PolicyAdapter):
    """A strategy that sees one round at a time. It is called once for each different situation: the seat's view and its
    earlier decisions."""

    strategy: Strategy
    cached: dict[tuple[int, int, bytes], ActionChoice] = field(default_factory=dict)
    _lock: AbstractContextManager[Any] = field(default_factory=Lock)
    """A strategy is never called on two threads at once."""

    def choose_actions(self, batch: RoundBatch, rounds: LiveRounds, live: IntArray) -> IntArray:
        actions = np.empty(len(live), np.int64)
        for node in np.unique(rounds.nodes[live]).tolist():
            node_rows = np.flatnonzero(rounds.nodes[live] == node)
            actions[node_rows] = self._choose_at_node(batch, rounds, node, live[node_rows])
        return actions

    def _choose_at_node(self, batch: RoundBatch, rounds: LiveRounds, node: int, rows: IntArray) -> IntArray:
        situations = _situations(batch, rounds, node, rows)
        unique_situations, first_rows, inverse = np.unique(situations, return_index=True, return_inverse=True)
        choices = [
            self._choose(batch, rounds, node, situation, int(rows[position]))
            for situation, position in zip(unique_situations.tolist(), first_rows.tolist(), strict=True)
        ]
        actions = np.array([choice.action for choice in choices], np.int64)[inverse]
        if any(choice.hands_swapped for choice in choices):
            rounds.hands_swapped[rows] |= np.array([choice.hands_swapped for choice in choices])[inverse]
        return actions

    def _choose(self, batch: RoundBatch, rounds: LiveRounds, node: int, situation: bytes, row: int) -> ActionChoice:
        key = id(batch), node, situation
        choice = self.cached.get(key)
        if choice is not None:
            return choice
        with self._lock:  # another thread may have cached the same situation
            choice = self.cached.get(key) or self._call_strategy(batch, rounds, node, row)
            if len(self.cached) < MAX_CACHED:
                self.cached[key] = choice
        return choice

    def _call_strategy(self, batch: RoundBatch, rounds: LiveRounds, node: int, row: int) -> ActionChoice:
        cards = rounds.cards[row]
        seat_view = view(batch.build_round(node, cards, _past_decisions(batch, rounds, row)), SEAT)
        decision = ask_strategy(self.strategy, seat_view)
        if (
            len(self.cached) < CHECKED_SITUATIONS
            and (second_decision := ask_strategy(self.strategy, seat_view)) != decision
        ):
            question = batch.flow.nodes[node].question
            raise BadStrategy(
                f"The strategy chose {str(decision)!r} and then {str(second_decision)!r} with the same cards at "
                f"{question!r}: set decide.every_time = True to call it in every round."
            )
        action = batch.action(cards, decision)
        hands_swapped = bool(decision.groups) and decision != batch.decision(cards, action)
        return ActionChoice(batch.swapped_action(action) if rounds.hands_swapped[row] else action, hands_swapped)


def _situations(batch: RoundBatch, rounds: LiveRounds, node: int, rows: IntArray) -> NDArray[np.bytes_]:
    """What each seat sees at a node and has decided, as a few bytes."""
    faces = np.flatnonzero(batch.card_faces[node] == FACE_UP)
    visible = np.concatenate(
        [
            rounds.cards[rows][:, faces],
            rounds.answers[rows].view(np.uint8),
            rounds.hands_swapped[rows, None].view(np.uint8),
        ],
        axis=1,
    )
    # One more byte, because NumPy ignores zero bytes at the end.
    padded = np.ones((len(rows), visible.shape[1] + 1), np.uint8)
    padded[:, :-1] = visible
    return np.ascontiguousarray(padded).view(f"S{padded.shape[1]}").ravel()


def _past_decisions(batch: RoundBatch, rounds: LiveRounds, row: int) -> dict[str, Decision]:
    """The decisions of a round so far, as the strategy gave them."""
    decisions = {}
    for question, action in zip(batch.questions, rounds.answers[row].tolist(), strict=True):
        if action >= 0:
            decision = batch.decision(rounds.cards[row], action)
            decisions[question] = (
                decision.with_reversed_groups if decision.groups and rounds.hands_swapped[row] else decision
            )
    return decisions


@dataclass(frozen=True)
class BatchAdapter(PolicyAdapter):
    """A strategy that decides many rounds at once."""

    strategy: BatchStrategy

    def choose_actions(self, batch: RoundBatch, rounds: LiveRounds, live: IntArray) -> IntArray:
        cards, nodes = rounds.cards[live], rounds.nodes[live]
        masks = batch.masks(cards, nodes)
        try:
            actions = self.strategy(batch.observe(cards, nodes, rounds.answers[live]), masks.copy())
        except Exception as fault:
            question_text = _question_text(batch, nodes)
            raise BadStrategy(f"The strategy failed at {question_text}: {type(fault).__name__}: {fault}.") from fault
        return _check_actions(batch, nodes, masks, actions)


def _check_actions(batch: RoundBatch, nodes: IntArray, masks: Masks, actions: object) -> IntArray:
    action_array = np.asarray(actions)
    if action_array.shape != (len(masks),) or action_array.dtype.kind not in "iu":
        raise BadStrategy(
            f"The strategy returned {action_array.shape} of {action_array.dtype} at "
            f"{_question_text(batch, nodes)} in {len(masks)} "
            "rounds: it must return an array of as many whole numbers."
        )
    in_range = (action_array >= 0) & (action_array < masks.shape[1])
    allowed = in_range & masks[np.arange(len(masks)), np.where(in_range, action_array, 0)]
    if not allowed.all():
        row = int(np.flatnonzero(~allowed)[0])
        choices = " or ".join(f"{number} ({batch.actions[number]})" for number in np.flatnonzero(masks[row]).tolist())
        raise BadStrategy(
            f"The strategy chose {action_array[row]} at {_question_text(batch, nodes[row : row + 1])}: it "
            f"can choose {choices}."
        )
    checked: IntArray = action_array.astype(np.int64)
    return checked


def _question_text(batch: RoundBatch, nodes: IntArray) -> str:
    return " and ".join(repr(batch.flow.nodes[node].question) for node in np.unique(nodes).tolist())


LOCAL_ROUNDS: Final = 50
"""Rounds per block in this process: few, so that progress shows soon."""
PROCESS_ROUNDS: Final = 2_000
"""Rounds per block in a process of its own."""


@dataclass(frozen=True)
class SequentialRounds:
    """Rounds of one seat with every wager of a table. They can be sent to another process if the strategy can."""

    table: Table
    strategy: Strategy
    seed: int

    def __reduce__(self) -> tuple[Any, ...]:
        # Each process opens the table again.
        return _open_rounds, (json.dumps(setup_to_json(self.table.setup)), self.strategy, self.seed)

    def play(self, first_round: int, rounds: int) -> dict[str, Counter[WagerResult]]:
        """The count of each outcome of each wager."""
        counts: dict[str, Counter[WagerResult]] = {slug: Counter() for slug in self.table.offers}
        for round_number in range(first_round, first_round + rounds):
            for slug, result in self.wager_results(round_number).items():
                counts[slug][result] += 1
        return counts

    def wager_results(self, round_number: int) -> dict[str, WagerResult]:
        """The outcome of each wager in one round."""
        results: dict[str, WagerResult] = {}
        for round_ in self._rounds(round_number):
            results = {**wager_results(self.table, round_), **results}
        return results

    def _rounds(self, round_number: int) -> Iterator[Round]:
        if not self._batches:
            shoe = shuffle_shoe(self.table, RoundRandom(self.seed, round_number))
            for bets in group_bets(self.table):
                yield play_round(game(self.table.facts.slug), self.table, bets, shoe, self.strategy)
        for batch in self._batches:
            yield self._round(batch, round_number)

    def _round(self, batch: RoundBatch, round_number: int) -> Round:
        """A round with the same cards as in a batch."""
        cards = np.empty((1, len(batch.card_places)), np.uint8)
        batch.deal(cards, np.zeros(1, np.int64), np.array([self.seed], np.uint64), np.array([round_number], np.uint64))
        piles = batch.piles(cards[0])
        round_ = advance_to_decision(batch.rules.begin(self.table, {SEAT: batch.bets}), piles)
        while isinstance(round_.turn, SeatTurn):
            round_ = advance_to_decision(
                round_.apply(Decide(SEAT, ask_strategy(self.strategy, view(round_, SEAT)))), piles
            )
        return round_

    @cached_property
    def _batches(self) -> tuple[RoundBatch, ...]:
        """For a built-in game: the wagers that can be made in one round."""
        kind = batch_class(self.table.facts.slug)
        return (
            ()
            if kind is None
            else tuple(kind(self.table, bets, empty_meters(self.table, bets)) for bets in group_bets(self.table))
        )


def empty_meters(table: Table, bets: Mapping[str, int]) -> dict[str, int]:
    """Empty meters for wagers that can win a share of one: such a share does not count here."""
    return {spot: 0 for spot in bets if table.spots[spot].has_meter}


def _open_rounds(setup: str, strategy: Strategy, seed: int) -> SequentialRounds:
    table_setup = setup_from_json(json.loads(setup))
    return SequentialRounds(game(table_setup.game).open(table_setup), strategy, seed)


@contextmanager
def round_executor(sequential: SequentialRounds, worker_count: int, rounds: int) -> Iterator[tuple[Executor, int]]:
    """The executor and the rounds per block: processes, because the rules are plain Python; this process alone if the
    rounds must be played in order or the strategy cannot be sent."""
    is_local = worker_count == 1 or rounds <= PROCESS_ROUNDS or getattr(sequential.strategy, "every_time", False)
    if is_local or not _is_picklable(sequential):
        with ThreadPoolExecutor(1) as thread:
            yield thread, LOCAL_ROUNDS
    else:
        with ProcessPoolExecutor(worker_count, mp_context=get_context("spawn")) as processes:
            yield processes, PROCESS_ROUNDS


def _is_picklable(sequential: SequentialRounds) -> bool:
    try:
        return bool(pickle.dumps(sequential))
    except Exception:  # a function of the caller can contain anything
        return False
