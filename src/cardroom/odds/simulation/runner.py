"""Simulated rounds: the interface of every game's simulator, and the tally of blocks of rounds.

The cards of a round depend only on the seed, the number of its block, and its place in the block, and only integers are
stored for a block. So the sum is the same on one thread, on all cores, or on a cluster, in any order of the blocks.

A monitor can show the progress and stop a run, and a run can be sampled stage by stage. Simulators of the single-deck
games share kernels that find the outcome of each wager.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import ClassVar, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Deck, card_from_code
from cardroom.errors import BadInput
from cardroom.games import Decision, Place, Table
from cardroom.odds.pricer import PluginSpec, Progress, ignore_progress, load_plugin
from cardroom.odds.simulation.deals import LANES, PART_ROUNDS, Block, Counts, Places, deal
from cardroom.odds.simulation.tally import SimulationTally, WagerTally
from cardroom.odds.simulation.wager_plan import WagerPlan

ProgressCallback: TypeAlias = Callable[[int, int], None]
"""Receives the number of finished rounds, sessions, or runs, and the requested number."""


@dataclass(frozen=True, slots=True)
class ProgressMonitor:
    """Receives the progress of a run and can stop it. Everything played until then counts.

    >>> done = []
    >>> monitor = ProgressMonitor(lambda count, _: done.append(count), lambda: len(done) == 2)
    >>> while not monitor.is_stopped():
    ...     monitor.notify(len(done) + 1, 10)
    >>> done
    [1, 2]
    """

    on_progress: ProgressCallback | None = None
    should_stop: Callable[[], bool] | None = None

    def notify(self, done_count: int, total: int) -> None:
        if self.on_progress is not None:
            self.on_progress(done_count, total)

    def is_stopped(self) -> bool:
        return self.should_stop is not None and self.should_stop()


NO_MONITOR: Final = ProgressMonitor()


BLOCK_ROUNDS: Final = 2**20
"""Rounds per block of a kernel."""
MAX_ROUNDS: Final = 2**32 * BLOCK_ROUNDS
SEED_LIMIT: Final = 2**64
STRATEGIES: Final = ("best", "simple")
"""The strategies of the built-in simulators: the best strategy, or the basic strategy."""

SIMULATORS: Final = "cardroom.simulators"
"""The group of entry points in which a package announces a faster simulator for its game."""


class BadSimulation(BadInput):
    """The requested simulation cannot be run."""


@dataclass(frozen=True, slots=True)
class SimulatedRound:
    """One simulated round: its cards by place for seat 1, and the strategy's decisions."""

    cards: Mapping[Place, tuple[Card, ...]]
    """In the order of the deal to each place. Cards that only some wagers need are included."""
    decisions: Mapping[str, Decision]
    """By question. Decisions for questions that this round does not reach may be missing."""


class PreparedTable(ABC):
    """A table and a strategy, ready to play. It can be sent to another machine (``pickle``), and the results of its
    methods depend on their arguments alone."""

    wagers: tuple[WagerPlan, ...]
    """Each offered wager, in the order of the layout."""

    @property
    def block_rounds(self) -> int:
        """Rounds per block; the last block of a simulation may have fewer."""
        return BLOCK_ROUNDS

    def executor(self, worker_count: int) -> Executor:
        """The executor of the blocks: threads, because kernels run in parallel on them."""
        return ThreadPoolExecutor(worker_count)

    @abstractmethod
    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        """The count of each outcome of each wager in this many rounds, the wagers one after the other."""

    @abstractmethod
    def round_outcomes(self, seed: int, block: int, rounds: int) -> Places:
        """The same rounds one by one: the index of each wager's outcome, a row per round and a column per wager."""

    @abstractmethod
    def simulated_round(self, seed: int, block: int, turn: int) -> SimulatedRound:
        """The cards and decisions of one of these rounds, for a replay by the game's own rules."""

    @property
    def game(self) -> str:
        """The slug of the game."""
        return self.wagers[0].request.game

    @property
    def starts(self) -> tuple[int, ...]:
        """The index of each wager's first count; last, the number of counts."""
        ends = np.cumsum([0, *(len(wager.outcomes) for wager in self.wagers)])
        return tuple(ends.tolist())


class Simulator(ABC):
    """The simulated rounds of one game: one player with one unit on every spot that the table offers."""

    game: ClassVar[str]

    @abstractmethod
    def prepare(self, table: Table, strategy: str = "best", progress: Progress = ignore_progress) -> PreparedTable:
        """Prepare everything that the rounds need. Raises ``BadSimulation`` for an unknown strategy."""


@cache
def simulator(slug: str) -> Simulator:
    """The simulator of a game: built in, from a package, or the generic one, which plays by the rules."""
    spec = PluginSpec("simulator", "SIMULATOR", SIMULATORS, "simulate games", "simulator", "GenericSimulator")
    plugin: Simulator = load_plugin(slug, spec, Simulator)
    return plugin


def check_strategy(strategy: str, strategies: Sequence[str] = STRATEGIES) -> None:
    """Refuse an unknown strategy."""
    if strategy not in strategies:
        raise BadSimulation(f"There is no strategy {strategy!r}: choose {' or '.join(strategies)}.")


# Blocks


def check_rounds(rounds: int) -> None:
    """Refuse a number of rounds that cannot be played."""
    if not 0 < rounds <= MAX_ROUNDS:
        raise BadSimulation(f"{rounds} rounds cannot be played: choose 1 to 2**52, such as 1000000.")


def check_seed(seed: int) -> None:
    """Refuse a seed that the generator cannot take."""
    if not 0 <= seed < SEED_LIMIT:
        raise BadSimulation(f"{seed} cannot be a seed: use a whole number from 0 to 2**64 - 1.")


def split_blocks(rounds: int, size: int = BLOCK_ROUNDS) -> Iterator[tuple[int, int]]:
    """The blocks of a simulation: their numbers and rounds."""
    for block, start in enumerate(range(0, rounds, size)):
        yield block, min(size, rounds - start)


def simulate(
    prepared: PreparedTable,
    rounds: int,
    seed: int,
    workers: int | None = None,
    monitor: ProgressMonitor = NO_MONITOR,
) -> SimulationTally:
    """Play this many rounds on all cores, or on ``workers`` threads or processes. If interrupted from the keyboard or
    stopped by ``monitor``, it returns the complete blocks."""
    worker_count = (os.cpu_count() or 1) if workers is None else workers
    if worker_count < 1:
        raise BadSimulation(f"{workers} threads cannot run a simulation: use at least one.")
    with prepared.executor(worker_count) as pool:

        def submit(block: int, size: int) -> Future[Counts]:
            return pool.submit(prepared.run_block, seed, block, size)

        return run_blocks(submit, prepared, rounds, seed, 2 * worker_count, monitor)


def run_blocks(
    submit: Callable[[int, int], Future[Counts]],
    prepared: PreparedTable,
    rounds: int,
    seed: int,
    max_pending: int,
    monitor: ProgressMonitor = NO_MONITOR,
) -> SimulationTally:
    """Submit the blocks (``submit`` takes a block's number and rounds) and add up their counts. At most ``max_pending``
    blocks are pending at a time."""
    check_rounds(rounds)
    check_seed(seed)
    pending: dict[Future[Counts], int] = {}
    # Counts and rounds change in one step, so an interruption leaves them consistent.
    progress = np.zeros(prepared.starts[-1], np.int64), 0

    def collect(finished: set[Future[Counts]]) -> None:
        nonlocal progress
        for future in finished:
            size = pending.pop(future)
            progress = progress[0] + future.result(), progress[1] + size
            monitor.notify(progress[1], rounds)

    remaining = split_blocks(rounds, prepared.block_rounds)
    try:
        while not monitor.is_stopped():
            for block, size in islice(remaining, max_pending - len(pending)):
                pending[submit(block, size)] = size
            if not pending:
                break
            collect(wait(pending, return_when=FIRST_COMPLETED).done)
    except KeyboardInterrupt:
        pass
    # Running blocks run to their end: a block counts as a whole or not at all.
    collect(wait({future for future in pending if not future.cancel()}).done)
    counts, done_rounds = progress
    return SimulationTally(prepared.wagers, counts, done_rounds, seed)


class KernelPreparedTable(PreparedTable):
    """A table whose kernel has a number for each wager of the game, offered or not."""

    deck: ClassVar[Deck]
    kernel_wagers: ClassVar[tuple[str, ...]]
    """The wagers in the kernel's order."""

    @abstractmethod
    def play(self, block: Block) -> None:
        """Play the rounds of a block and count the outcomes."""

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        counts: Counts = self._play_block(seed, block, rounds, listed_rounds=0).counts.sum(axis=0)
        return counts

    def round_outcomes(self, seed: int, block: int, rounds: int) -> Places:
        return self._play_block(seed, block, rounds, listed_rounds=rounds).outcomes_by_round

    def _play_block(self, seed: int, number: int, rounds: int, listed_rounds: int) -> Block:
        starts = np.array(self.starts, np.int64)
        counts, places = np.zeros((LANES, starts[-1]), np.int64), np.empty((listed_rounds, len(self.wagers)), np.int16)
        block = Block(np.uint64(seed), number, rounds, self.columns, starts, counts, places)
        self.play(block)
        return block

    def deal_cards(self, cards: int, seed: int, block: int, turn: int) -> list[Card]:
        """The first cards of one round."""
        rows = np.empty((cards, PART_ROUNDS), np.uint8)
        deal(rows, self.deck.size, np.uint64(seed), block, turn // PART_ROUNDS)
        return [card_from_code(code) for code in rows[:, turn % PART_ROUNDS].tolist()]

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """The index of each numbered wager among the offered ones, or -1."""
        slugs = [wager.slug for wager in self.wagers]
        return np.array([slugs.index(slug) if slug in slugs else -1 for slug in self.kernel_wagers], np.int64)


StagePlayer: TypeAlias = Callable[[PreparedTable, int, ProgressCallback], SimulationTally]
"""Plays this many rounds from the first block on."""
STAGE_GROWTH: Final = 1.5
"""The ratio of the rounds of one sample to those of the sample before."""
FIRST_BLOCK_SAMPLES: Final = 40
FIRST_SAMPLE_ROUNDS: Final = 100


@dataclass(frozen=True)
class _OffsetTable(PreparedTable):
    """The same table from a later block on."""

    wagers: tuple[WagerPlan, ...]
    table: PreparedTable
    skipped: int

    @property
    def block_rounds(self) -> int:
        return self.table.block_rounds

    def executor(self, worker_count: int) -> Executor:
        return self.table.executor(worker_count)

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        return self.table.run_block(seed, self.skipped + block, rounds)

    def round_outcomes(self, seed: int, block: int, rounds: int) -> Places:
        return self.table.round_outcomes(seed, self.skipped + block, rounds)

    def simulated_round(self, seed: int, block: int, turn: int) -> SimulatedRound:
        return self.table.simulated_round(seed, self.skipped + block, turn)


def stages(rounds: int, size: int = BLOCK_ROUNDS) -> Iterator[tuple[int, int]]:
    """The first block of each stage, and its rounds. Each sample has half as many rounds again as the one before.

    >>> [rounds // BLOCK_ROUNDS for _, rounds in stages(20 * BLOCK_ROUNDS)]
    [1, 1, 1, 1, 2, 3, 5, 6]
    """
    blocks = 0
    while blocks * size < rounds:
        next_block = max(blocks + 1, round(blocks * STAGE_GROWTH))
        yield blocks, min(next_block * size, rounds) - blocks * size
        blocks = next_block


def play_in_stages(
    play: StagePlayer, prepared: PreparedTable, rounds: int, seed: int, on_block: ProgressCallback
) -> tuple[SimulationTally, list[SimulationTally]]:
    """All rounds, and the tally after each stage. The sum is the same as without stages."""
    counts, done_rounds = np.zeros(prepared.starts[-1], np.int64), 0
    samples: list[SimulationTally] = []
    for block, size in stages(rounds, prepared.block_rounds):
        stage_tally = play(
            _OffsetTable(prepared.wagers, prepared, block), size, _offset_progress(done_rounds, rounds, on_block)
        )
        counts, done_rounds = counts + stage_tally.counts, done_rounds + stage_tally.rounds
        if stage_tally.rounds:
            samples.append(SimulationTally(prepared.wagers, counts, done_rounds, seed))
        if stage_tally.rounds < size:
            break
    return SimulationTally(prepared.wagers, counts, done_rounds, seed), samples


def _offset_progress(offset: int, rounds: int, on_block: ProgressCallback) -> ProgressCallback:
    return lambda done_rounds, _: on_block(offset + done_rounds, rounds)


def first_block_samples(prepared: PreparedTable, slug: str, rounds: int, seed: int) -> list[WagerTally]:
    """The results of one wager at points within the first block."""
    column = next(place for place, wager_plan in enumerate(prepared.wagers) if wager_plan.slug == slug)
    wager, round_count = prepared.wagers[column], min(rounds, prepared.block_rounds)
    places = prepared.round_outcomes(seed, 0, round_count)[:, column]
    first_moment = min(FIRST_SAMPLE_ROUNDS, max(2, round_count // 10))
    moments = np.unique(np.geomspace(first_moment, round_count, FIRST_BLOCK_SAMPLES).round().astype(np.int64))
    return [
        WagerTally(wager, tuple(np.bincount(places[:moment], minlength=len(wager.outcomes)).tolist()), int(moment))
        for moment in moments.tolist()
    ]
