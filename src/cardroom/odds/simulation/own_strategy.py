"""Rounds played with your own strategy, written in Python.

A strategy sees what seat 1 may see, and returns a decision. In a file:

    def decide(view):
        return "play"

``view.turn`` has the question and the allowed decisions; the function may also return a ``Decision``. It is called once
for each different situation. If the strategy uses random numbers or keeps state, set ``decide.every_time = True``: then
it is called in every round, one round after the other. If almost all rounds differ, a strategy that decides many rounds
at once is faster:

    def decide_all(observations, masks):
        return masks.argmax(axis=1)
"""

from __future__ import annotations

import os
import runpy
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from cardroom.games import Decision, Table, View, game
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.batch import Answers, RoundBatch, batch_class
from cardroom.odds.simulation.batch_deals import ByteArray
from cardroom.odds.simulation.policy_adapters import (
    BatchAdapter,
    BatchStrategy,
    CachedAdapter,
    LiveRounds,
    PolicyAdapter,
    SequentialRounds,
    empty_meters,
    round_executor,
)
from cardroom.odds.simulation.rules_engine import BadStrategy, Strategy, WagerResult, group_bets, outcome_index
from cardroom.odds.simulation.runner import NO_MONITOR, BadSimulation, ProgressMonitor, check_rounds, check_seed
from cardroom.odds.simulation.tally import SimulationTally
from cardroom.odds.simulation.wager_plan import WagerPlan, plan_wager

BLOCK_ROUNDS: Final = 2**14
"""Rounds per batch."""


@dataclass(frozen=True)
class VectorStrategy:
    """A strategy that decides many rounds at once."""

    decide_all: BatchStrategy
    every_time: bool = False
    """Whether it depends on more than its arguments, so that the batches must be played in order."""


AnyStrategy: TypeAlias = Strategy | VectorStrategy


@dataclass(frozen=True)
class FileStrategy:
    """The function ``decide`` of a file; another process loads the file again."""

    path: str

    @cached_property
    def _decide(self) -> Strategy:
        strategy: Strategy = _load_names(self.path)["decide"]
        return strategy

    @property
    def every_time(self) -> bool:
        return bool(getattr(self._decide, "every_time", False))

    def __call__(self, view: View) -> Decision | str:
        return self._decide(view)

    def __getstate__(self) -> dict[str, str]:
        return {"path": self.path}


def load_strategy(path: str | Path) -> AnyStrategy:
    """The function ``decide`` or ``decide_all`` of a Python file."""
    file = Path(path)
    if not file.is_file():
        raise BadStrategy(f"There is no file {path}: give a Python file with a function decide(view).")
    names = _load_names(str(file))
    decide, decide_all = names.get("decide"), names.get("decide_all")
    if decide is not None and decide_all is not None:
        raise BadStrategy(
            f"The strategy {path} has decide(view) and decide_all(observations, masks): keep one of them."
        )
    if callable(decide_all):
        return VectorStrategy(decide_all, bool(getattr(decide_all, "every_time", False)))
    if not callable(decide):
        raise BadStrategy(f"The strategy {path} has no function decide(view): write one that returns a decision.")
    return FileStrategy(str(file))


def _load_names(path: str) -> dict[str, Any]:
    try:
        return runpy.run_path(path)
    except Exception as fault:
        raise BadStrategy(f"The strategy {path} cannot be loaded: {type(fault).__name__}: {fault}.") from fault


# Many rounds


def play_rounds(
    table: Table,
    strategy: AnyStrategy,
    rounds: int,
    seed: int,
    monitor: ProgressMonitor = NO_MONITOR,
    workers: int | None = None,
) -> SimulationTally:
    """Play rounds with one player on every spot, on all cores or with this many ``workers``; the result is the same. If
    the rules do not allow all spots at once, the same cards are played again with the other wagers. There are no exact
    figures to compare with: they depend on the strategy."""
    check_rounds(rounds)
    check_seed(seed)
    worker_count = (os.cpu_count() or 1) if workers is None else workers
    if worker_count < 1:
        raise BadSimulation(f"{workers} threads cannot run a simulation: use at least one.")
    batch_type, every_time = batch_class(table.facts.slug), bool(getattr(strategy, "every_time", False))
    if every_time and worker_count > 1 and workers is not None:
        raise BadSimulation(
            "A strategy with every_time = True runs on one thread, in order: leave out the number of threads."
        )
    if isinstance(strategy, VectorStrategy):
        if batch_type is None:
            raise BadStrategy(
                f"{game(table.facts.slug).facts.name} provides only its rules, which play one round at a time: write "
                "decide(view) instead of decide_all(observations, masks)."
            )
        adapter: PolicyAdapter = BatchAdapter(strategy.decide_all)
    elif batch_type is None or every_time:
        return _tally(
            table, *_play_sequentially(SequentialRounds(table, strategy, seed), rounds, worker_count, monitor), seed
        )
    else:
        adapter = CachedAdapter(strategy)
    groups = [batch_type(table, bets, empty_meters(table, bets)) for bets in group_bets(table)]
    total: KindExamples = [[{} for _ in batch.wager_groups] for batch in groups]
    with ThreadPoolExecutor(1 if every_time else worker_count) as pool:
        runner = _BlockRunner(
            pool, partial(_play_block, groups, adapter, seed), BLOCK_ROUNDS, 1 if every_time else 2 * worker_count
        )
        done_rounds = runner.run(rounds, partial(_add, total), monitor)
    return _tally(table, _count_results(table, groups, total), done_rounds, seed)


def _blocks(rounds: int, size: int) -> Iterator[tuple[int, int]]:
    for first_round in range(0, rounds, size):
        yield first_round, min(size, rounds - first_round)


@dataclass(frozen=True)
class _BlockRunner:
    """Plays blocks of rounds: ``play`` takes the first round of a block and the number of rounds."""

    pool: Executor
    play: Callable[[int, int], Any]
    size: int
    max_pending: int

    def run(self, rounds: int, add: Callable[[Any], None], monitor: ProgressMonitor) -> int:
        """Play the blocks and add them up in order. Returns the sum and the number of rounds. If interrupted, it leaves
        out blocks that are not yet added."""
        pending: deque[tuple[Future[Any], int]] = deque()
        done_rounds, blocks = 0, _blocks(rounds, self.size)
        try:
            while not monitor.is_stopped():
                for first_round, size in islice(blocks, self.max_pending - len(pending)):
                    pending.append((self.pool.submit(self.play, first_round, size), size))
                if not pending:
                    break
                future, size = pending.popleft()
                add(future.result())
                done_rounds += size
                monitor.notify(done_rounds, rounds)
        except KeyboardInterrupt:
            pass  # the rounds played so far count
        finally:
            for future, _ in pending:
                future.cancel()
        return done_rounds


# A block of rounds, all at once


@dataclass(frozen=True)
class RoundExample:
    """The number of rounds of a kind, and one example."""

    count: int
    cards: ByteArray
    answers: Answers


KindExamples: TypeAlias = list[list[dict[int, RoundExample]]]
"""The observed kinds, by group of wagers and part of the layout."""


def _play_block(
    groups: list[RoundBatch], adapter: PolicyAdapter, seed: int, first_round: int, rounds: int
) -> KindExamples:
    return [_play_batch(batch, adapter, seed, first_round, rounds) for batch in groups]


def _play_batch(
    batch: RoundBatch, adapter: PolicyAdapter, seed: int, first_round: int, rounds: int
) -> list[dict[int, RoundExample]]:
    cards = np.empty((rounds, len(batch.card_places)), np.uint8)
    turns = np.arange(first_round, first_round + rounds, dtype=np.uint64)
    batch.deal(cards, np.arange(rounds), np.full(rounds, seed, np.uint64), turns)
    answers = np.full((rounds, len(batch.questions)), -1, np.int8)
    live_rounds = LiveRounds(cards, batch.start_nodes(cards), answers, np.zeros(rounds, np.bool_))
    while len(live := np.flatnonzero(~batch.is_over[live_rounds.nodes])):
        actions = adapter.choose_actions(batch, live_rounds, live)
        nodes = live_rounds.nodes[live]
        answers[live, batch.question_numbers[nodes].astype(np.int64) - 1] = actions
        live_rounds.nodes[live] = batch.next_nodes[nodes, actions]
    return [_group_kinds(row, cards, answers) for row in batch.outcome_kinds(cards, answers)]


def _group_kinds(
    kinds: np.ndarray[Any, np.dtype[np.int32]], cards: ByteArray, answers: Answers
) -> dict[int, RoundExample]:
    unique_kinds, first_rows, counts = np.unique(kinds, return_index=True, return_counts=True)
    return {
        kind: RoundExample(count, cards[row].copy(), answers[row].copy())
        for kind, row, count in zip(unique_kinds.tolist(), first_rows.tolist(), counts.tolist(), strict=True)
    }


def _add(total: KindExamples, block: KindExamples) -> None:
    """Add the counts of a block, and its examples of new kinds."""
    for parts, block_parts in zip(total, block, strict=True):
        for examples, block_examples in zip(parts, block_parts, strict=True):
            for kind, example in block_examples.items():
                earlier = examples.get(kind)
                examples[kind] = replace(earlier, count=earlier.count + example.count) if earlier else example


def _count_results(table: Table, groups: list[RoundBatch], total: KindExamples) -> dict[str, Counter[WagerResult]]:
    """The count of each outcome of each wager. A wager in several groups counts once."""
    counts: dict[str, Counter[WagerResult]] = {slug: Counter() for slug in table.offers}
    counted_slugs: set[str] = set()
    for batch, parts in zip(groups, total, strict=True):
        for part, kinds in zip(batch.wager_groups, parts, strict=True):
            new_slugs = [slug for slug in part.wagers if slug not in counted_slugs]
            for example in kinds.values() if new_slugs else ():
                results = batch.wager_results(example.cards, example.answers)
                for slug in new_slugs:
                    counts[slug][results[slug]] += example.count
        counted_slugs.update(batch.wagers)
    return counts


# One round after the other


def _play_sequentially(
    sequential: SequentialRounds, rounds: int, worker_count: int, monitor: ProgressMonitor
) -> tuple[dict[str, Counter[WagerResult]], int]:
    counts: dict[str, Counter[WagerResult]] = {slug: Counter() for slug in sequential.table.offers}

    def add(block: dict[str, Counter[WagerResult]]) -> None:
        for slug, results in block.items():
            counts[slug].update(results)

    with round_executor(sequential, worker_count, rounds) as (pool, size):
        done_rounds = _BlockRunner(pool, sequential.play, size, 2 * worker_count).run(rounds, add, monitor)
    return counts, done_rounds


def _tally(table: Table, results: Mapping[str, Counter[WagerResult]], rounds: int, seed: int) -> SimulationTally:
    plans, counts = [], []
    for slug, wager_counts in results.items():
        wager = plan_wager(table, slug)
        outcomes = list(wager.outcomes)
        outcome_counts = Counter[int]()
        for result, count in wager_counts.items():
            index = outcome_index(result, WagerPlan(wager.request, tuple(outcomes), None))
            if index is None:
                outcomes.append(WagerOutcome(result.triggers[-1], result.pays, 0, result.net, result.wagered))
                index = len(outcomes) - 1
            outcome_counts[index] += count
        plans.append(WagerPlan(wager.request, tuple(outcomes), None, wager.initial_wager))
        counts += [outcome_counts[index] for index in range(len(outcomes))]
    return SimulationTally(tuple(plans), np.array(counts, np.int64), rounds, seed)
