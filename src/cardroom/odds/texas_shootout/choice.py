"""The best choice for every four-card hand of Texas Shootout, found by a race.

All choices of a hand play the same simulated rounds against the dealer. After each lap it is estimated what a wrong
choice could still cost; hands where that is worth more rounds run on, the others have been decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands import SIX_DECK
from cardroom.hands.tables import tables
from cardroom.odds.pricer import Progress, silent
from cardroom.odds.texas_shootout.hands import (
    CHOICE_COUNT,
    KEEPS,
    PAIRS_OF,
    HandClasses,
    hand_classes,
    suit_exchanges,
)
from cardroom.odds.texas_shootout.race import JOINT, Stream, looked_up, race_blocks
from cardroom.odds.texas_shootout.results import RESULTS, TIES, ended

RACE_SEED: Final = 20_020_414
FIRST_LAP: Final = 1 << 12
MOST_ROUNDS: Final = 1 << 19
WORTH_A_ROUND: Final = 1e-14
"""A hand runs on while another round with it may save this much of a unit a dealt round."""

_ROWS: Final = 2048
"""Hands that are raced between two reports of progress."""

Floats = NDArray[np.float64]


@cache
def joint_values(ties: str) -> NDArray[np.int64]:
    """By joint result of the six pairs: what each choice wins, in units of the Texas Shootout wager."""
    kept = np.array([ended((result,), ties).net for result in range(RESULTS)], np.int64)
    split = np.array([[ended((one, other), ties).net for other in range(RESULTS)] for one in range(RESULTS)], np.int64)
    results = np.arange(JOINT)[:, None] // RESULTS ** np.arange(KEEPS) % RESULTS
    splits = [split[results[:, one], results[:, other]] for one, other in PAIRS_OF[KEEPS:]]
    return np.column_stack([kept[results], *splits])


@dataclass(frozen=True)
class Estimate:
    """What each choice of some hands wins on average, as simulated."""

    mean: Floats
    """By hand and choice, in units."""
    loss: Floats
    """By hand: what it is expected to cost that the best choice was perhaps not found."""
    best: NDArray[np.uint8]


def estimate(joint: NDArray[np.int32], ties: str, different: NDArray[np.bool_]) -> Estimate:
    """Judge the choices from the joint results of their rounds."""
    values = joint_values(ties)
    rounds = joint.sum(axis=1, dtype=np.int64)
    played = joint.astype(np.float64)
    sums = played @ values.astype(np.float64)  # whole numbers below 2**53, so exact in any order
    mean = sums / rounds[:, None]
    best = np.where(different, mean, -np.inf).argmax(axis=1)
    loss = np.zeros(len(joint))
    for leader in range(CHOICE_COUNT):
        led = np.flatnonzero(best == leader)
        behind = values[:, leader, None] - values
        squares = played[led] @ (behind * behind).astype(np.float64)
        gap = mean[led, leader, None] - mean[led]
        error = np.sqrt(np.maximum(squares / rounds[led, None] - gap**2, 0) / rounds[led, None])
        loss[led] = np.where(different[led], _expected_loss(gap, error), 0).sum(axis=1)
    return Estimate(mean, loss, best.astype(np.uint8))


def _expected_loss(gap: Floats, error: Floats) -> Floats:
    """The mean of what a choice that is ``gap`` behind is in truth ahead, when the gap has this standard error."""
    apart = gap / np.maximum(error, 1e-12)
    density = np.exp(-(apart**2) / 2) / np.sqrt(2 * np.pi)
    lost: Floats = error * np.maximum(density - apart * _tail(apart), 0)
    return lost


def _tail(apart: Floats) -> Floats:
    """The upper tail of the normal distribution, to the seventh digit (Abramowitz and Stegun 26.2.17)."""
    t = 1 / (1 + 0.2316419 * apart)
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail: Floats = series * np.exp(-(apart**2) / 2) / np.sqrt(2 * np.pi)
    return tail


@dataclass(frozen=True)
class Race:
    """The finished race: for each class of hands the joint results of its rounds."""

    classes: HandClasses
    joint: NDArray[np.int32]
    by_ties: Mapping[str, Estimate]

    @property
    def rounds(self) -> int:
        """Rounds that were simulated in all."""
        return int(self.joint.sum(dtype=np.int64))

    def expected_loss(self, ties: str) -> float:
        """What wrong choices are expected to cost, in units a dealt round."""
        return float(self.by_ties[ties].loss @ self.classes.ways / comb(312, 4))

    def choices(self, ties: str) -> NDArray[np.uint8]:
        """By class of hands: the best choice."""
        return self.by_ties[ties].best


def run_race(
    progress: Progress = silent,
    *,
    first_lap: int = FIRST_LAP,
    most: int = MOST_ROUNDS,
    worth_a_round: float = WORTH_A_ROUND,
    seed: int = RACE_SEED,
) -> Race:
    """Race the choices of every class of hands."""
    classes = hand_classes()
    joint = np.zeros((len(classes), JOINT), np.int32)
    share = classes.ways / comb(312, 4)
    running, rounds, lap = np.arange(len(classes)), first_lap, 0
    while True:
        _run(_Lap(lap, rounds, running), classes, joint, seed, progress)
        loss = sum(estimate(joint[running], ties, classes.different[running]).loss for ties in TIES)
        done = rounds if lap == 0 else 2 * rounds
        running = running[share[running] * loss > worth_a_round * done]
        if not len(running) or done >= most:
            break
        # Everybody still running has run equally far, and runs as far again.
        rounds, lap = done, lap + 1
    return Race(classes, joint, {ties: estimate(joint, ties, classes.different) for ties in TIES})


class _Lap(NamedTuple):
    """One lap of the classes that are running."""

    number: int
    rounds: int
    running: NDArray[np.int64]


def _run(lap: _Lap, classes: HandClasses, joint: NDArray[np.int32], seed: int, progress: Progress) -> None:
    running, orders = lap.running, len(suit_exchanges())
    what = f"finding the best choice for {len(classes):,} hands, lap {lap.number + 1} with {len(running):,} of them"
    for start in range(0, len(running), _ROWS):
        progress(what, start / len(running))
        some = running[start : start + _ROWS]
        found = np.zeros((len(some), JOINT), np.int32)
        stream = Stream(seed, 0, lap.number, lap.rounds)
        race_blocks(stream, classes.hands[some], some, found, looked_up(orders), tables(SIX_DECK))
        joint[some] += found
    progress(what, 1.0)
