"""Figures of a wager by rounds through the rules, where the exact walk is too long: on all cores, with their error.

The rounds are played in blocks by several processes. What a block is dealt follows from the seed and its number, and
what is kept of it are counts, so the figures are the same however many processes there are.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from multiprocessing import current_process, get_context
from typing import Final, NamedTuple

from cardroom.games import Decision, Game, SeatTurn, View
from cardroom.odds.any.ending import End, end_of, endings, with_unhit
from cardroom.odds.any.exact import worth
from cardroom.odds.any.layout import Layout, layout
from cardroom.odds.any.learned import Experience, Kind, LearnedPlay, kinds_of
from cardroom.odds.pricer import Progress, Settings, silent
from cardroom.odds.result import Ending
from cardroom.odds.rounds.by_the_rules import Numbers, Strategy, dealt_shoe, played
from cardroom.paytables import Paytable

LESSONS: Final = 20_000
"""Rounds from which a play is learned."""
ROUNDS: Final = 40_000
"""Rounds under the play that was learned."""
BLOCK: Final = 1_000
FEW_BLOCKS: Final = 2
_LESSON_SEED, _SEED = 1, 2


@dataclass(frozen=True)
class Job:
    """What the rounds are played for; small enough to send to another process."""

    rules: Game
    wager: str
    paytable: Paytable
    settings: Settings
    strategy: LearnedPlay | Constant | None = None
    """None for answers at random."""


@dataclass(frozen=True)
class Constant:
    """One kind of answer to everything, or else the first that is allowed."""

    verb: str

    def __call__(self, seen: View) -> Decision:
        assert isinstance(seen.turn, SeatTurn)
        return next((one for one in seen.turn.options if one.verb == self.verb), seen.turn.options[0])


@dataclass
class Rounds:
    """What came of some rounds."""

    ends: Counter[End] = field(default_factory=Counter)
    experience: Experience = field(default_factory=Experience)

    def add(self, other: Rounds) -> None:
        self.ends.update(other.ends)
        self.experience.add(other.experience)


def play_block(job: Job, seed: int, block: int, rounds: int) -> Rounds:
    """The rounds of one block."""
    where = layout(job.rules, job.wager, job.paytable, job.settings)
    found = Rounds()
    for turn in range(block * BLOCK, block * BLOCK + rounds):
        numbers = Numbers(seed, turn)
        shoe = dealt_shoe(where.table, numbers)
        seat = _Seat(job.strategy or _AtRandom(numbers), learns=job.strategy is None)
        end = end_of(where, played(where.rules, where.table, where.bets, shoe, seat))
        found.ends[end] += 1
        for kind, decision in seat.answers:
            found.experience.note(kind, decision, int(worth(where, end)[0]))
    return found


class _AtRandom:
    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers

    def __call__(self, seen: View) -> Decision:
        assert isinstance(seen.turn, SeatTurn)
        return seen.turn.options[self._numbers.below(len(seen.turn.options))]


class _Seat:
    """Plays a strategy and remembers what it answered."""

    def __init__(self, strategy: Strategy, learns: bool) -> None:
        self._strategy, self._learns = strategy, learns
        self.answers: list[tuple[Kind, Decision]] = []

    def __call__(self, seen: View) -> Decision | str:
        answer = self._strategy(seen)
        if self._learns and isinstance(answer, Decision):
            self.answers += [(kind, answer) for kind in kinds_of(seen)]
        return answer


def play(job: Job, seed: int, rounds: int, processes: int | None = None, progress: Progress = silent) -> Rounds:
    """All blocks, on as many processes as there are cores. A server's worker may start none, and plays them itself; so
    does anyone with no more than a few blocks, which take less time than to start processes."""
    found, done = Rounds(), 0
    if current_process().daemon or (processes is None and rounds <= FEW_BLOCKS * BLOCK):
        processes = 1
    for block, size in enumerate(_sizes(rounds)) if processes == 1 else ():
        found.add(play_block(job, seed, block, size))
        progress(_WORDS, (done := done + size) / rounds)
    if processes == 1:
        return found
    width = processes or os.cpu_count() or 1
    # Spawned, not forked: a process that is forked while kernels run on threads may wait for them for ever.
    with ProcessPoolExecutor(width, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(play_block, job, seed, block, size) for block, size in enumerate(_sizes(rounds))]
        for future in waiting:
            part = future.result()
            found.add(part)
            progress(_WORDS, (done := done + sum(part.ends.values())) / rounds)
    return found


_WORDS: Final = "rounds through the rules"


def _sizes(rounds: int) -> Iterator[int]:
    for start in range(0, rounds, BLOCK):
        yield min(BLOCK, rounds - start)


class Simulated(NamedTuple):
    """What was found."""

    endings: tuple[Ending, ...]
    rounds: int
    seed: int
    lessons: int
    """Rounds from which the play was learned."""
    asked: bool
    """Whether the player was ever asked anything."""
    constant: str | None
    """The one answer that did best when it was always given."""
    strategy: LearnedPlay

    @property
    def expected_return(self) -> Fraction:
        return sum((one.combinations * one.net for one in self.endings), Fraction(0)) / self.rounds

    @property
    def standard_error(self) -> float:
        squares = sum((one.combinations * one.net**2 for one in self.endings), Fraction(0)) / self.rounds
        return sqrt((squares - self.expected_return**2) / self.rounds)


def simulated(
    where: Layout,
    job: Job,
    progress: Progress = silent,
    processes: int | None = None,
    lessons: int = LESSONS,
    rounds: int = ROUNDS,
) -> Simulated:
    """Learn how to play, and then play that way."""
    learned_from = play(job, _LESSON_SEED, lessons, processes, progress)
    learned = LearnedPlay(learned_from.experience)
    found = play(replace(job, strategy=learned), _SEED, rounds, processes, progress)
    return Simulated(
        endings=with_unhit(where, endings(where, found.ends)),
        rounds=rounds,
        seed=_SEED,
        lessons=lessons,
        asked=bool(learned_from.experience.tries),
        constant=_best_constant(learned_from),
        strategy=learned,
    )


def _best_constant(lessons: Rounds) -> str | None:
    """Judged by the lessons, over all hands."""
    tries, won = lessons.experience.tries, lessons.experience.won
    whole = [one for one in tries if len(one.kind) == 1 and len(one.answer) == 1]
    if not whole:
        return None
    return str(max(whole, key=lambda one: won[one] / tries[one]).answer[0])
