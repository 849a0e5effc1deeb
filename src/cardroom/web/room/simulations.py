"""Simulations that people watch: rounds played in another process, block by block, until they are done or stopped."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from cardroom.errors import BadInput
from cardroom.odds.simulation.deals import Counts
from cardroom.odds.simulation.runner import check_seed, check_strategy, split_blocks
from cardroom.odds.simulation.tally import SimulationTally, WagerTally
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.web.room.simulation_thoughts import begin, look_at_first, play_block
from cardroom.web.room.workers import Stumbled, Workers

log = logging.getLogger(__name__)

MOST_ROUNDS: Final = 100_000_000
MOST_RUNNING: Final = 3
MOST_KEPT: Final = 100
GROWTH: Final = 1.15
"""How much later each moment on the chart is than the one before it."""
UNWATCHED: Final = 60.0
"""Seconds after which a simulation is stopped at which nobody looks."""
LONGEST_BLOCK: Final = 1_800.0
NICE: Final = 15


class BadRun(BadInput):
    """A simulation that this room does not run."""


class State(StrEnum):
    """How far a simulation is."""

    PREPARING = "preparing"
    PLAYING = "playing"
    DONE = "done"
    STOPPED = "stopped"
    REFUSED = "refused"


@dataclass
class Run:
    """One simulation."""

    id: str
    game: str
    setup: str
    strategy: str
    rounds: int
    seed: int
    state: State = State.PREPARING
    why: str = ""
    """Why it was stopped or refused."""
    plans: tuple[WagerPlan, ...] = ()
    counts: Counts = field(default_factory=lambda: np.zeros(0, np.int64))
    done: int = 0
    looks: list[WagerTally] = field(default_factory=list)
    """How the main wager stood on the way."""

    @property
    def chain(self) -> str:
        return chain_of(self.id)

    @property
    def is_over(self) -> bool:
        return self.state in (State.DONE, State.STOPPED, State.REFUSED)

    @property
    def tally(self) -> SimulationTally:
        return SimulationTally(self.plans, self.counts, self.done, self.seed)


def chain_of(run: str) -> str:
    """What the pages follow that show a simulation."""
    return f"simulation:{run}"


class Simulations:
    """Runs a few at a time; blocks of several take turns."""

    def __init__(
        self,
        tell: Callable[[Collection[str]], None],
        is_followed: Callable[[str], bool],
        workers: Workers | None = None,
        unwatched: float = UNWATCHED,
    ) -> None:
        self._tell, self._is_followed, self._unwatched = tell, is_followed, unwatched
        self._workers = workers or Workers(1, waiting=MOST_RUNNING, patience=LONGEST_BLOCK, nice=NICE)
        self._runs: dict[str, Run] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, game: str, setup: str, strategy: str, rounds: int, seed: int) -> Run:
        """Begin; refused before anything is played."""
        if not 1 <= rounds <= MOST_ROUNDS:
            raise BadRun(
                f"{rounds:,} rounds are not played here: ask for 1 to {MOST_ROUNDS:,}, or use `cardroom simulate`."
            )
        check_seed(seed)
        check_strategy(strategy)
        if sum(not one.is_over for one in self._runs.values()) >= MOST_RUNNING:
            raise BadRun(f"{MOST_RUNNING} simulations are running, which is the most at once: wait for one to end.")
        for old in [one.id for one in self._runs.values() if one.is_over][: max(0, len(self._runs) - MOST_KEPT + 1)]:
            del self._runs[old]
        run = Run(secrets.token_hex(8), game, setup, strategy, rounds, seed)
        self._runs[run.id] = run
        task = asyncio.get_running_loop().create_task(self._play(run))
        self._tasks[run.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(run.id, None))
        return run

    def run(self, id: str) -> Run:
        """A simulation that was begun here."""
        if id not in self._runs:
            raise BadRun("This simulation is not kept any more: begin it again, the same seed gives the same rounds.")
        return self._runs[id]

    def stop(self, id: str, why: str = "It was stopped.") -> None:
        """End it; what was played counts."""
        run = self.run(id)
        if not run.is_over:
            run.state, run.why = State.STOPPED, why
            if not run.plans and id in self._tasks:
                self._tasks[id].cancel()  # nothing is played yet, and the search for the best play can take minutes
            self._tell((run.chain,))

    async def _play(self, run: Run) -> None:
        try:
            began = await self._workers.ask(begin, run.setup, run.strategy)
            run.plans = began.wagers
            run.counts = np.zeros(sum(len(one.outcomes) for one in began.wagers), np.int64)
            if run.state is State.PREPARING:
                run.state = State.PLAYING
                await self._look_at_first(run, min(run.rounds, began.block_rounds))
            await self._play_blocks(run, began.block_rounds)
        except BadInput as refusal:
            run.state, run.why = State.REFUSED, str(refusal)
        except Stumbled as fault:
            log.error("a simulation has stumbled", extra={"game": run.game, "fault": str(fault)})
            run.state, run.why = State.REFUSED, "It fell over a fault of ours: the log of the server says more."
        self._tell((run.chain,))

    async def _look_at_first(self, run: Run, rounds: int) -> None:
        for moment, counts in await self._workers.ask(look_at_first, run.setup, run.strategy, run.seed, rounds):
            run.looks.append(WagerTally(run.plans[0], counts, moment))

    async def _play_blocks(self, run: Run, size: int) -> None:
        loop = asyncio.get_running_loop()
        watched = loop.time()
        for block, rounds in split_blocks(run.rounds, size):
            if run.state is not State.PLAYING:
                return
            played = await self._workers.ask(play_block, run.setup, run.strategy, run.seed, block, rounds)
            run.counts, run.done = run.counts + played, run.done + rounds
            if run.done >= run.looks[-1].rounds * GROWTH or run.done == run.rounds:
                self._note(run)
            watched = loop.time() if self._is_followed(run.chain) else watched
            if loop.time() - watched > self._unwatched:
                self.stop(run.id, "It was stopped because nobody was looking.")
            self._tell((run.chain,))
        if run.state is State.PLAYING:
            run.state = State.DONE

    def _note(self, run: Run) -> None:
        main = run.tally.wagers[0]
        if main.rounds > run.looks[-1].rounds:
            run.looks.append(main)

    async def end(self) -> None:
        """What is being played is given up."""
        for task in list(self._tasks.values()):
            task.cancel()
        await self._workers.end()
