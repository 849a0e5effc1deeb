"""Simulated rounds: what every game's simulator provides, and how blocks of rounds become one tally.

Rounds are played in blocks. A block's cards follow from the seed, the number of the block and the round's place in it
alone, and what is kept of a block are whole numbers. So the sum is the same on one thread, on all cores or on a
cluster, in whatever order the blocks come in.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import ClassVar, Final

import numpy as np

from cardroom.cards import Card
from cardroom.faults import BadInput
from cardroom.games import Decision, Place, Table
from cardroom.odds.own import Own, brought
from cardroom.odds.pricer import Progress, silent
from cardroom.odds.rounds.deals import Counts, Places
from cardroom.odds.rounds.plan import WagerPlan, plan, planned
from cardroom.odds.rounds.tally import Line, Tally, WagerTally, tally_json
from cardroom.odds.rounds.watch import UNWATCHED, Watch

__all__ = [
    "BLOCK",
    "STRATEGIES",
    "BadSimulation",
    "Counts",
    "Laid",
    "Line",
    "Places",
    "Prepared",
    "Simulator",
    "Tally",
    "WagerPlan",
    "WagerTally",
    "blocks",
    "check_rounds",
    "check_seed",
    "check_strategy",
    "plan",
    "planned",
    "run_blocks",
    "simulate",
    "simulator",
    "tally_json",
]

BLOCK: Final = 2**20
"""Rounds of a block that kernels play."""
MOST_ROUNDS: Final = 2**32 * BLOCK
MOST_SEEDS: Final = 2**64
STRATEGIES: Final = ("best", "simple")
"""What the house's simulators can play: the best play, or the strategy to remember."""

SIMULATORS: Final = "cardroom.simulators"
"""The entry points by which a package announces a faster way to simulate its game."""


class BadSimulation(BadInput):
    """A simulation that cannot be run as it was asked for."""


@dataclass(frozen=True, slots=True)
class Laid:
    """One simulated round as it lay on the table: the cards by place for seat 1, and what the strategy answered."""

    cards: Mapping[Place, tuple[Card, ...]]
    """In the order in which they are dealt to a place. Cards that only some wagers call for are all there."""
    decisions: Mapping[str, Decision]
    """By question; answers to questions that are not asked in this round may be left out."""


class Prepared(ABC):
    """A table and a strategy, ready to be played. It can be sent to another machine (``pickle``), and what its methods
    give depends on their arguments alone."""

    wagers: tuple[WagerPlan, ...]
    """Each offered wager, in the order of the layout."""

    @property
    def block_rounds(self) -> int:
        """Rounds of a block; the last one of a simulation may have fewer."""
        return BLOCK

    def players(self, width: int) -> Executor:
        """Who plays the blocks: threads, because kernels run side by side on them."""
        return ThreadPoolExecutor(width)

    @abstractmethod
    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        """How often each ending of each wager happened in this many rounds: the wagers' counts one after the other."""

    @abstractmethod
    def each_round(self, seed: int, block: int, rounds: int) -> Places:
        """The same rounds one by one: a row a round, a column a wager, in it the place of its ending."""

    @abstractmethod
    def laid(self, seed: int, block: int, turn: int) -> Laid:
        """The cards and answers of one of these rounds, to be played again by the game's own rules."""

    @property
    def game(self) -> str:
        """The slug of the game."""
        return self.wagers[0].question.game

    @property
    def starts(self) -> tuple[int, ...]:
        """Where the counts of each wager begin; last, how many counts there are."""
        ends = np.cumsum([0, *(len(wager.endings) for wager in self.wagers)])
        return tuple(ends.tolist())


class Simulator(ABC):
    """The simulated rounds of one game: one player on every spot that the table offers, one unit each."""

    game: ClassVar[str]

    @abstractmethod
    def prepare(self, table: Table, strategy: str = "best", progress: Progress = silent) -> Prepared:
        """Look up everything that the rounds need. ``BadSimulation`` when the strategy is not known."""


@cache
def simulator(slug: str) -> Simulator:
    """Who simulates a game: the house's own, one that a package brings, or rounds through the rules."""
    own = Own("simulator", "SIMULATOR", SIMULATORS, "simulate games", "AnyGameSimulator")
    found: Simulator = brought(slug, own, Simulator)
    return found


def check_strategy(strategy: str, known: Sequence[str] = STRATEGIES) -> None:
    """Refuse a strategy that is not known."""
    if strategy not in known:
        raise BadSimulation(f"There is no strategy {strategy!r}: choose {' or '.join(known)}.")


# Blocks


def check_rounds(rounds: int) -> None:
    """Refuse a number of rounds that cannot be played."""
    if not 0 < rounds <= MOST_ROUNDS:
        raise BadSimulation(f"{rounds} rounds cannot be played: ask for 1 to 2**52, such as 1000000.")


def check_seed(seed: int) -> None:
    """Refuse a seed that the generator cannot take."""
    if not 0 <= seed < MOST_SEEDS:
        raise BadSimulation(f"{seed} cannot be a seed: use a whole number from 0 to 2**64 - 1.")


def blocks(rounds: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """The blocks of a simulation: number and rounds."""
    for block, start in enumerate(range(0, rounds, size)):
        yield block, min(size, rounds - start)


def simulate(
    prepared: Prepared,
    rounds: int,
    seed: int,
    workers: int | None = None,
    watch: Watch = UNWATCHED,
) -> Tally:
    """Play this many rounds on all cores, or with ``workers`` players. Interrupted from the keyboard, or when
    ``watch`` says so, it gives the whole blocks that were played until then."""
    width = (os.cpu_count() or 1) if workers is None else workers
    if width < 1:
        raise BadSimulation(f"{workers} threads cannot play: use at least one.")
    with prepared.players(width) as pool:

        def submit(block: int, size: int) -> Future[Counts]:
            return pool.submit(prepared.run_block, seed, block, size)

        return run_blocks(submit, prepared, rounds, seed, 2 * width, watch)


def run_blocks(
    submit: Callable[[int, int], Future[Counts]],
    prepared: Prepared,
    rounds: int,
    seed: int,
    in_flight: int,
    watch: Watch = UNWATCHED,
) -> Tally:
    """Have the blocks played (``submit`` takes a block's number and rounds) and add them up. No more than ``in_flight``
    of them wait at a time."""
    check_rounds(rounds)
    check_seed(seed)
    waiting: dict[Future[Counts], int] = {}
    # Counts and rounds change in one step, so that an interruption finds them in agreement.
    so_far = np.zeros(prepared.starts[-1], np.int64), 0

    def collect(finished: set[Future[Counts]]) -> None:
        nonlocal so_far
        for future in finished:
            size = waiting.pop(future)
            so_far = so_far[0] + future.result(), so_far[1] + size
            watch.tell(so_far[1], rounds)

    left = blocks(rounds, prepared.block_rounds)
    try:
        while not watch.stops():
            for block, size in islice(left, in_flight - len(waiting)):
                waiting[submit(block, size)] = size
            if not waiting:
                break
            collect(wait(waiting, return_when=FIRST_COMPLETED).done)
    except KeyboardInterrupt:
        pass
    # What is being played is played to its end: a block is whole or not there at all.
    collect(wait({future for future in waiting if not future.cancel()}).done)
    counts, done = so_far
    return Tally(prepared.wagers, counts, done, seed)
