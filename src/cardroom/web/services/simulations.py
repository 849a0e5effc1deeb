"""Simulations of the lab: blocks of rounds, simulated in another process until they are done or stopped."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from cardroom.errors import BadInput
from cardroom.odds.simulation.deals import Counts
from cardroom.odds.simulation.runner import (
    PreparedTable,
    check_seed,
    check_strategy,
    first_block_samples,
    simulator,
    split_blocks,
)
from cardroom.odds.simulation.tally import SimulationTally, WagerTally
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.web.services.jobs import Jobs, Lane
from cardroom.web.services.worker_computations import parse_table
from cardroom.web.services.workers import report_progress


class SimulationPlan(NamedTuple):
    """The plan of a simulation: its wagers and the rounds of a block."""

    wagers: tuple[WagerPlan, ...]
    block_rounds: int


def plan_simulation(setup: str, strategy: str) -> SimulationPlan:
    """Prepare everything that the rounds need. Computing an optimal strategy takes a while."""
    prepared = _prepared(setup, strategy)
    return SimulationPlan(prepared.wagers, prepared.block_rounds)


def play_first_rounds(setup: str, strategy: str, seed: int, rounds: int) -> list[tuple[int, tuple[int, ...]]]:
    """The counts of the main wager's outcomes at some points of the first block."""
    prepared = _prepared(setup, strategy)
    points = first_block_samples(prepared, prepared.wagers[0].slug, rounds, seed)
    return [(point.rounds, point.counts) for point in points]


def play_block(setup: str, strategy: str, seed: int, block: int, rounds: int) -> Counts:
    """The counts of each wager's outcomes in a block."""
    return _prepared(setup, strategy).run_block(seed, block, rounds)


@lru_cache(4)
def _prepared(setup: str, strategy: str) -> PreparedTable:
    table = parse_table(setup)
    return simulator(table.facts.slug).prepare(table, strategy, report_progress)


MAX_ROUNDS: Final = 100_000_000
MAX_RUNNING: Final = 3
MAX_KEPT: Final = 100
GROWTH: Final = 1.15
"""The ratio of rounds between two points of the chart."""
UNWATCHED_SECONDS: Final = 60.0
"""Seconds without a viewer until a simulation stops."""


class BadRun(BadInput):
    """This server does not run the simulation."""


class RunState(StrEnum):
    """The state of a simulation."""

    PREPARING = "preparing"
    PLAYING = "playing"
    DONE = "done"
    STOPPED = "stopped"
    REFUSED = "refused"


@dataclass
class SimulationRun:
    """One simulation."""

    id: str
    game: str
    setup: str
    strategy: str
    rounds: int
    seed: int
    state: RunState = RunState.PREPARING
    stop_reason: str = ""
    """Why it stopped or was refused."""
    plans: tuple[WagerPlan, ...] = ()
    counts: Counts = field(default_factory=lambda: np.zeros(0, np.int64))
    done: int = 0
    points: list[WagerTally] = field(default_factory=list)
    """The points of the main wager's chart."""

    @property
    def chain(self) -> str:
        return run_chain(self.id)

    @property
    def is_over(self) -> bool:
        return self.state in (RunState.DONE, RunState.STOPPED, RunState.REFUSED)

    @property
    def tally(self) -> SimulationTally:
        return SimulationTally(self.plans, self.counts, self.done, self.seed)


def run_chain(run: str) -> str:
    """The chain name that pages of a simulation follow."""
    return f"simulation:{run}"


class SimulationRuns:
    """Runs a few simulations at a time; their blocks take turns."""

    def __init__(
        self,
        on_change: Callable[[Collection[str]], None],
        is_followed: Callable[[str], bool],
        jobs: Jobs,
        unwatched: float = UNWATCHED_SECONDS,
    ) -> None:
        self._on_change, self._is_followed, self._jobs, self._unwatched = on_change, is_followed, jobs, unwatched
        self._runs: dict[str, SimulationRun] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, game: str, setup: str, strategy: str, rounds: int, seed: int) -> SimulationRun:
        """Start a simulation, or refuse it."""
        if not 1 <= rounds <= MAX_ROUNDS:
            raise BadRun(f"{rounds:,} rounds are not possible here. Choose 1 to {MAX_ROUNDS:,}.")
        check_seed(seed)
        check_strategy(strategy)
        if sum(not other_run.is_over for other_run in self._runs.values()) >= MAX_RUNNING:
            raise BadRun(f"{MAX_RUNNING} simulations are running, which is the limit. Wait for one to end.")
        for old in [other_run.id for other_run in self._runs.values() if other_run.is_over][
            : max(0, len(self._runs) - MAX_KEPT + 1)
        ]:
            del self._runs[old]
        run = SimulationRun(secrets.token_hex(8), game, setup, strategy, rounds, seed)
        self._runs[run.id] = run
        task = asyncio.get_running_loop().create_task(self._play(run))
        self._tasks[run.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(run.id, None))
        return run

    def get(self, id: str) -> SimulationRun:
        """A simulation of this server."""
        if id not in self._runs:
            raise BadRun("This simulation is no longer available. Start it again; the same seed gives the same rounds.")
        return self._runs[id]

    def stop(self, id: str, reason: str = "It was stopped.") -> None:
        """Stop a simulation. Its rounds so far count."""
        run = self.get(id)
        if not run.is_over:
            run.state, run.stop_reason = RunState.STOPPED, reason
            if not run.plans and id in self._tasks:
                self._tasks[id].cancel()  # nothing is simulated yet, and computing the strategy can take minutes
            self._on_change((run.chain,))

    async def _play(self, run: SimulationRun) -> None:
        try:
            plan = await self._jobs.run(Lane.BACKGROUND, plan_simulation, run.setup, run.strategy)
            run.plans = plan.wagers
            run.counts = np.zeros(sum(len(wager_plan.outcomes) for wager_plan in plan.wagers), np.int64)
            if run.state is RunState.PREPARING:
                run.state = RunState.PLAYING
                await self._play_first_rounds(run, min(run.rounds, plan.block_rounds))
            await self._play_blocks(run, plan.block_rounds)
        except BadInput as refusal:
            run.state, run.stop_reason = RunState.REFUSED, str(refusal)
        self._on_change((run.chain,))

    async def _play_first_rounds(self, run: SimulationRun, rounds: int) -> None:
        for moment, counts in await self._jobs.run(
            Lane.BACKGROUND, play_first_rounds, run.setup, run.strategy, run.seed, rounds
        ):
            run.points.append(WagerTally(run.plans[0], counts, moment))

    async def _play_blocks(self, run: SimulationRun, size: int) -> None:
        loop = asyncio.get_running_loop()
        watched = loop.time()
        for block, rounds in split_blocks(run.rounds, size):
            if run.state is not RunState.PLAYING:
                return
            played = await self._jobs.run(Lane.BACKGROUND, play_block, run.setup, run.strategy, run.seed, block, rounds)
            run.counts, run.done = run.counts + played, run.done + rounds
            if run.done >= run.points[-1].rounds * GROWTH or run.done == run.rounds:
                self._record_point(run)
            watched = loop.time() if self._is_followed(run.chain) else watched
            if loop.time() - watched > self._unwatched:
                self.stop(run.id, "It was stopped because no page was open.")
            self._on_change((run.chain,))
        if run.state is RunState.PLAYING:
            run.state = RunState.DONE

    def _record_point(self, run: SimulationRun) -> None:
        main = run.tally.wagers[0]
        if main.rounds > run.points[-1].rounds:
            run.points.append(main)

    def end(self) -> None:
        """Cancel all simulations."""
        for task in list(self._tasks.values()):
            task.cancel()
