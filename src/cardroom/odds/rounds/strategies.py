"""Rounds played with a strategy of one's own, written in Python.

A strategy sees what seat 1 may see and answers. In a file:

    def decide(view):
        return "play"

``view.turn`` has the question and the answers that are allowed; an answer may also be a ``Decision``. It is asked once
for each different situation. One that draws random numbers, or remembers, says ``decide.every_time = True``: then it is
asked in every round, one round after the other. Where hardly two rounds are alike, a strategy that answers many rounds
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
from cardroom.odds.result import Ending
from cardroom.odds.rounds.asking import Asker, BatchStrategy, InPlay, ManyAtOnce, OneByOne
from cardroom.odds.rounds.batch import Answers, Batch, batch_of
from cardroom.odds.rounds.by_the_rules import BadStrategy, Strategy, WagerOutcome, bets_together, place_of
from cardroom.odds.rounds.drawn import Bytes
from cardroom.odds.rounds.one_round import RoundsOneByOne, no_meters, players
from cardroom.odds.rounds.simulation import BadSimulation, Tally, WagerPlan, check_rounds, check_seed, plan
from cardroom.odds.rounds.watch import UNWATCHED, Watch

BLOCK: Final = 2**14
"""Rounds that are played together."""


@dataclass(frozen=True)
class InBatches:
    """A strategy that answers many rounds at once."""

    decide_all: BatchStrategy
    every_time: bool = False
    """Whether it hangs on more than what it is given, so that the batches must come one after the other."""


AnyStrategy: TypeAlias = Strategy | InBatches


@dataclass(frozen=True)
class OfFile:
    """The function ``decide`` of a file; another process reads the file for itself."""

    path: str

    @cached_property
    def _decide(self) -> Strategy:
        found: Strategy = _names(self.path)["decide"]
        return found

    @property
    def every_time(self) -> bool:
        return bool(getattr(self._decide, "every_time", False))

    def __call__(self, seen: View) -> Decision | str:
        return self._decide(seen)

    def __getstate__(self) -> dict[str, str]:
        return {"path": self.path}


def load_strategy(path: str | Path) -> AnyStrategy:
    """The function ``decide`` or ``decide_all`` of a Python file."""
    file = Path(path)
    if not file.is_file():
        raise BadStrategy(f"There is no file {path}: give a Python file with a function decide(view).")
    names = _names(str(file))
    one, many = names.get("decide"), names.get("decide_all")
    if one is not None and many is not None:
        raise BadStrategy(
            f"The strategy {path} has decide(view) and decide_all(observations, masks): keep one of them."
        )
    if callable(many):
        return InBatches(many, bool(getattr(many, "every_time", False)))
    if not callable(one):
        raise BadStrategy(f"The strategy {path} has no function decide(view): write one that returns a decision.")
    return OfFile(str(file))


def _names(path: str) -> dict[str, Any]:
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
    watch: Watch = UNWATCHED,
    workers: int | None = None,
) -> Tally:
    """Play rounds with one player on every spot, on all cores or with so many ``workers``; what comes out is the same.
    Where the rules do not allow that many spots at once, the same cards are played again with the other wagers. No
    exact figures stand beside these: they depend on the strategy."""
    check_rounds(rounds)
    check_seed(seed)
    width = (os.cpu_count() or 1) if workers is None else workers
    if width < 1:
        raise BadSimulation(f"{workers} threads cannot play: use at least one.")
    kind, every_time = batch_of(table.facts.slug), bool(getattr(strategy, "every_time", False))
    if every_time and width > 1 and workers is not None:
        raise BadSimulation(
            "A strategy with every_time = True is asked by one thread, in order: ask for no more threads."
        )
    if isinstance(strategy, InBatches):
        if kind is None:
            raise BadStrategy(
                f"{game(table.facts.slug).facts.name} brings its rules alone, which play one round at a time: write "
                "decide(view) instead of decide_all(observations, masks)."
            )
        asker: Asker = ManyAtOnce(strategy.decide_all)
    elif kind is None or every_time:
        return _tally(table, *_one_by_one(RoundsOneByOne(table, strategy, seed), rounds, width, watch), seed)
    else:
        asker = OneByOne(strategy)
    groups = [kind(table, bets, no_meters(table, bets)) for bets in bets_together(table)]
    total: Found = [[{} for _ in batch.parts] for batch in groups]
    with ThreadPoolExecutor(1 if every_time else width) as pool:
        play = _Playing(pool, partial(_played, groups, asker, seed), BLOCK, 1 if every_time else 2 * width)
        done = play.in_order(rounds, partial(_add, total), watch)
    return _tally(table, _found(table, groups, total), done, seed)


def _blocks(rounds: int, size: int) -> Iterator[tuple[int, int]]:
    for first in range(0, rounds, size):
        yield first, min(size, rounds - first)


@dataclass(frozen=True)
class _Playing:
    """Who plays blocks of rounds, and how: ``play`` takes the first round of a block and how many there are."""

    pool: Executor
    play: Callable[[int, int], Any]
    size: int
    in_flight: int

    def in_order(self, rounds: int, add: Callable[[Any], None], watch: Watch) -> int:
        """Have the blocks played and add them up in their order; and how many rounds that were. Interrupted, it leaves
        out what has not been added."""
        waiting: deque[tuple[Future[Any], int]] = deque()
        done, blocks = 0, _blocks(rounds, self.size)
        try:
            while not watch.stops():
                for first, size in islice(blocks, self.in_flight - len(waiting)):
                    waiting.append((self.pool.submit(self.play, first, size), size))
                if not waiting:
                    break
                future, size = waiting.popleft()
                add(future.result())
                done += size
                watch.tell(done, rounds)
        except KeyboardInterrupt:
            pass  # what has been played counts
        finally:
            for future, _ in waiting:
                future.cancel()
        return done


# A block of rounds, all at once


@dataclass(frozen=True)
class Example:
    """Rounds of a kind: how many, and one of them."""

    count: int
    cards: Bytes
    answers: Answers


Found: TypeAlias = list[list[dict[int, Example]]]
"""By group of wagers and part of the layout: the kinds that came up."""


def _played(groups: list[Batch], asker: Asker, seed: int, first: int, rounds: int) -> Found:
    return [_played_together(batch, asker, seed, first, rounds) for batch in groups]


def _played_together(batch: Batch, asker: Asker, seed: int, first: int, rounds: int) -> list[dict[int, Example]]:
    cards = np.empty((rounds, len(batch.rows)), np.uint8)
    turns = np.arange(first, first + rounds, dtype=np.uint64)
    batch.deal(cards, np.arange(rounds), np.full(rounds, seed, np.uint64), turns)
    answers = np.full((rounds, len(batch.questions)), -1, np.int8)
    playing = InPlay(cards, batch.begin(cards), answers, np.zeros(rounds, np.bool_))
    while len(live := np.flatnonzero(~batch.over[playing.nodes])):
        said = asker.ask(batch, playing, live)
        nodes = playing.nodes[live]
        answers[live, batch.asks[nodes].astype(np.int64) - 1] = said
        playing.nodes[live] = batch.after[nodes, said]
    return [_kinds(row, cards, answers) for row in batch.kinds(cards, answers)]


def _kinds(kinds: np.ndarray[Any, np.dtype[np.int32]], cards: Bytes, answers: Answers) -> dict[int, Example]:
    different, first, counts = np.unique(kinds, return_index=True, return_counts=True)
    return {
        kind: Example(count, cards[at].copy(), answers[at].copy())
        for kind, at, count in zip(different.tolist(), first.tolist(), counts.tolist(), strict=True)
    }


def _add(total: Found, block: Found) -> None:
    """Count a block to those before it; of a kind that is new it brings the example."""
    for parts, of_block in zip(total, block, strict=True):
        for known, new in zip(parts, of_block, strict=True):
            for kind, example in new.items():
                before = known.get(kind)
                known[kind] = replace(before, count=before.count + example.count) if before else example


def _found(table: Table, groups: list[Batch], total: Found) -> dict[str, Counter[WagerOutcome]]:
    """How often what became of each wager. A wager that several groups have is counted once."""
    found: dict[str, Counter[WagerOutcome]] = {slug: Counter() for slug in table.offered}
    counted: set[str] = set()
    for batch, parts in zip(groups, total, strict=True):
        for part, kinds in zip(batch.parts, parts, strict=True):
            new = [slug for slug in part.wagers if slug not in counted]
            for example in kinds.values() if new else ():
                ended = batch.outcomes(example.cards, example.answers)
                for slug in new:
                    found[slug][ended[slug]] += example.count
        counted.update(batch.wagers)
    return found


# One round after the other


def _one_by_one(
    rounds_of: RoundsOneByOne, rounds: int, width: int, watch: Watch
) -> tuple[dict[str, Counter[WagerOutcome]], int]:
    found: dict[str, Counter[WagerOutcome]] = {slug: Counter() for slug in rounds_of.table.offered}

    def add(block: dict[str, Counter[WagerOutcome]]) -> None:
        for slug, seen in block.items():
            found[slug].update(seen)

    with players(rounds_of, width, rounds) as (pool, size):
        done = _Playing(pool, rounds_of.play, size, 2 * width).in_order(rounds, add, watch)
    return found, done


def _tally(table: Table, found: Mapping[str, Counter[WagerOutcome]], rounds: int, seed: int) -> Tally:
    plans, counts = [], []
    for slug, seen in found.items():
        wager = plan(table, slug)
        endings = list(wager.endings)
        tallied = Counter[int]()
        for outcome, count in seen.items():
            at = place_of(outcome, WagerPlan(wager.question, tuple(endings), None))
            if at is None:
                endings.append(Ending(outcome.events[-1], outcome.pays, 0, outcome.net, outcome.wagered))
                at = len(endings) - 1
            tallied[at] += count
        plans.append(WagerPlan(wager.question, tuple(endings), None, wager.initial_wager))
        counts += [tallied[at] for at in range(len(endings))]
    return Tally(tuple(plans), np.array(counts, np.int64), rounds, seed)
