"""How long a bankroll lasts: many sessions of one player, each with its own cards.

All wagers of a round use the same cards, so their results are correlated as at the table. A session ends after a number
of rounds, when the player reaches a target, or in ruin: when the bankroll does not cover the most that the next round
can cost, every raise included.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.games import BadBet, Table, game
from cardroom.games.money import format_cents
from cardroom.games.round import find_bet_fault
from cardroom.kernels import kernel
from cardroom.odds.simulation.deals import Cents, Counts, Places
from cardroom.odds.simulation.runner import NO_MONITOR, BadSimulation, PreparedTable, ProgressMonitor, check_seed
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.paytables import Dollars

STAGE_ROUNDS: Final = 4096
"""Rounds of a session dealt at a time."""
FIRST_BLOCK: Final = 2**31
"""Sessions use the blocks from this number on, so they never use the cards of a plain simulation with the same seed."""
CHECKPOINTS: Final = 100
MAX_ROUNDS: Final = 10**6
MAX_SESSIONS: Final = 10**6
_SESSIONS_PER_TASK: Final = 64
"""Sessions per task of a thread."""
_NO_TARGET: Final = 2**62


class MissingMeter(BadSimulation):
    """The wager's results depend on a meter that is not given."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"The result of {slug} depends on a meter: give it with --meter DOLLARS.")


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """A player's plan for a session."""

    bankroll: int
    """In cents."""
    bets: Mapping[str, int]
    """By spot, in cents; the same in every round."""
    max_rounds: int
    target: int | None = None
    """The bankroll, in cents, at which the player leaves; None: never."""


@dataclass(frozen=True)
class SimulatedSessions:
    """The results of many sessions."""

    plan: SessionPlan
    max_round_cost: int
    """The most that a round can cost, in cents; with less the player is ruined."""
    final_bankrolls: Cents
    """The bankroll at the end of each session, in cents."""
    rounds: Counts
    """The number of rounds of each session."""
    checkpoints: Counts
    """Numbers of rounds, from 0 to the maximum."""
    paths: Cents
    """The bankroll, a row per session and a column per checkpoint; after its end a session keeps its last bankroll."""
    mean_round_result: Fraction | None
    """The exact mean result of a round in cents; None if it is not known for the strategy."""

    @cached_property
    def is_ruined(self) -> NDArray[np.bool_]:
        return np.less(self.final_bankrolls, self.max_round_cost)

    @cached_property
    def has_reached_target(self) -> NDArray[np.bool_]:
        """The sessions that reached the target."""
        return np.greater_equal(self.final_bankrolls, _NO_TARGET if self.plan.target is None else self.plan.target)

    @property
    def risk_of_ruin(self) -> float:
        return float(self.is_ruined.mean())

    @property
    def risk_error(self) -> float:
        """The standard error of the risk of ruin."""
        return sqrt(self.risk_of_ruin * (1 - self.risk_of_ruin) / len(self.final_bankrolls))

    @property
    def results(self) -> NDArray[np.int64]:
        """What each session won or lost, in cents."""
        return np.subtract(self.final_bankrolls, self.plan.bankroll)

    @property
    def mean_result(self) -> float:
        return float(self.results.mean())

    @property
    def mean_rounds(self) -> float:
        """The rounds played."""
        return float(self.rounds.mean())

    def result_percentiles(self, percents: Sequence[float]) -> list[int]:
        """The results, in cents, that these percentages of sessions did not exceed."""
        return _percentiles(self.results, percents)

    def rounds_percentiles(self, percents: Sequence[float]) -> list[int]:
        """The rounds that these percentages of sessions did not exceed."""
        return _percentiles(self.rounds, percents)

    def fan(self, percents: Sequence[float] = (5, 25, 50, 75, 95)) -> dict[float, list[int]]:
        """For a fan chart: percentiles of the bankroll at each checkpoint, in cents."""
        by_percent = np.percentile(self.paths, list(percents), axis=0, method="inverted_cdf")
        return {percent: row.astype(np.int64).tolist() for percent, row in zip(percents, by_percent, strict=True)}


def _percentiles(values: NDArray[np.int64], percents: Sequence[float]) -> list[int]:
    percentiles: list[int] = np.percentile(values, list(percents), method="inverted_cdf").astype(np.int64).tolist()
    return percentiles


def bets_by_wager(table: Table, plan: SessionPlan) -> Mapping[str, int]:
    """The player's amount on each wager of a table that takes these bets."""
    fault = find_bet_fault(game(table.facts.slug), table, 1, plan.bets)
    if fault is not None:
        raise BadBet(fault)
    return {table.spots[spot].wager.slug: cents for spot, cents in plan.bets.items()}


def play_sessions(
    prepared: PreparedTable,
    plan: SessionPlan,
    wager_cents: Mapping[str, int],
    sessions: int,
    seed: int,
    meters: Mapping[str, int] | None = None,
    workers: int | None = None,
    monitor: ProgressMonitor = NO_MONITOR,
) -> SimulatedSessions:
    """Simulate sessions at a prepared table, with wagers by slug, in cents. ``meters`` has the meters in cents by
    wager; they do not change. If stopped early, it returns the complete sessions."""
    max_round_cost = sum(_most_wagered(wager) * wager_cents.get(wager.slug, 0) for wager in prepared.wagers)
    _check(plan, sessions, int(max_round_cost))
    check_seed(seed)
    nets = net_cents(prepared, wager_cents, meters or {})
    checkpoints = np.unique(np.linspace(0, plan.max_rounds, CHECKPOINTS + 1).round().astype(np.int64))
    play = partial(_play_batch, prepared, nets, plan, int(max_round_cost), seed, checkpoints)
    parts = [
        range(start, min(start + _SESSIONS_PER_TASK, sessions)) for start in range(0, sessions, _SESSIONS_PER_TASK)
    ]
    batches: list[_SessionBatch] = []
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        try:
            for batch in pool.map(lambda numbers: None if monitor.is_stopped() else play(numbers), parts):
                if batch is None:
                    break
                batches.append(batch)
                monitor.notify(min(len(batches) * _SESSIONS_PER_TASK, sessions), sessions)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    if not batches:
        raise BadSimulation("The simulation stopped before a session was complete, so it has no figures.")
    return SimulatedSessions(
        plan=plan,
        max_round_cost=int(max_round_cost),
        final_bankrolls=np.concatenate([batch.final_bankrolls for batch in batches]),
        rounds=np.concatenate([batch.rounds for batch in batches]),
        checkpoints=checkpoints,
        paths=np.concatenate([batch.paths for batch in batches]),
        mean_round_result=_mean(prepared, nets),
    )


def _check(plan: SessionPlan, sessions: int, max_round_cost: int) -> None:
    if not 0 < sessions <= MAX_SESSIONS:
        raise BadSimulation(f"{sessions} sessions cannot be played: choose 1 to {MAX_SESSIONS}.")
    if not 0 < plan.max_rounds <= MAX_ROUNDS:
        raise BadSimulation(f"A session of {plan.max_rounds} rounds cannot be played: choose 1 to {MAX_ROUNDS}.")
    if plan.bankroll < max_round_cost:
        raise BadSimulation(
            f"A bankroll of {format_cents(plan.bankroll)} does not cover one round: with raises a round can cost "
            f"{format_cents(max_round_cost)}."
        )
    if plan.target is not None and plan.target <= plan.bankroll:
        raise BadSimulation(
            f"The target of {format_cents(plan.target)} is reached before the first round: it must be above the "
            "bankroll of "
            f"{format_cents(plan.bankroll)}."
        )


# The result of a round


def _most_wagered(wager: WagerPlan) -> Fraction:
    return max(outcome.wagered for outcome in wager.outcomes)


def net_cents(prepared: PreparedTable, wager_cents: Mapping[str, int], meters: Mapping[str, int]) -> NDArray[np.int64]:
    """The net result in cents, a row per wager and a column per outcome; 0 if the wager is not made."""
    for wager in prepared.wagers:
        if (
            wager.slug in wager_cents
            and wager.slug not in meters
            and any(outcome.percent for outcome in wager.outcomes)
        ):
            raise MissingMeter(wager.slug)
    nets = np.zeros((len(prepared.wagers), max(len(wager_plan.outcomes) for wager_plan in prepared.wagers)), np.int64)
    for row, wager in enumerate(prepared.wagers):
        for column in range(len(wager.outcomes)):
            if cents := wager_cents.get(wager.slug, 0):
                nets[row, column] = _net(wager, column, cents, meters.get(wager.slug, 0))
    return nets


def _net(wager: WagerPlan, place: int, cents: int, meter: int) -> int:
    """The net result in cents for a wager of this many cents. The figures are for a wager of one dollar: a dollar prize
    that does not grow with the wager is removed from them and counted as it is."""
    outcome, table = wager.outcomes[place], wager.request.table
    facts = game(wager.request.game).facts.wager(wager.slug)
    pay = next((line.pay for line in table.lines if line.trigger == outcome.trigger), None)
    prize = pay.cents if isinstance(pay, Dollars) and not (facts.jackpot and facts.jackpot.has_scaled_prizes) else 0
    return round((outcome.net - Fraction(prize, 100)) * cents) + prize + int(outcome.percent * meter)


def _mean(prepared: PreparedTable, nets: NDArray[np.int64]) -> Fraction | None:
    total = Fraction(0)
    for row, wager in enumerate(prepared.wagers):
        if wager.probabilities is None:
            if nets[row].any():
                return None
            continue
        total += sum((chance * int(nets[row, index]) for index, chance in enumerate(wager.probabilities)), Fraction(0))
    return total


# The rounds


@dataclass(frozen=True, slots=True)
class _SessionBatch:
    """Sessions of one task."""

    final_bankrolls: NDArray[np.int64]
    rounds: NDArray[np.int64]
    paths: NDArray[np.int64]


@kernel
def _play_stage(
    places: Places,
    nets: NDArray[np.int64],
    bankroll: int,
    max_round_cost: int,
    target: int,
    start: int,
    path: NDArray[np.int64],
) -> int:
    """Play rounds until the session ends, and store the bankroll after each. Returns the number of rounds."""
    for turn in range(len(places)):
        if bankroll < max_round_cost or bankroll >= target:
            return turn
        for wager in range(len(nets)):
            bankroll += nets[wager, places[turn, wager]]
        path[start + turn + 1] = bankroll
    return len(places)


def _play_batch(
    prepared: PreparedTable,
    nets: NDArray[np.int64],
    plan: SessionPlan,
    max_round_cost: int,
    seed: int,
    checkpoints: NDArray[np.int64],
    numbers: range,
) -> _SessionBatch:
    stages = -(-plan.max_rounds // STAGE_ROUNDS)
    target = _NO_TARGET if plan.target is None else plan.target
    path = np.empty(plan.max_rounds + 1, np.int64)
    batch = _SessionBatch(
        *(np.empty(shape, np.int64) for shape in (len(numbers), len(numbers), (len(numbers), len(checkpoints))))
    )
    for index, number in enumerate(numbers):
        path[0], rounds = plan.bankroll, 0
        for stage in range(stages):
            dealt_rounds = min(STAGE_ROUNDS, plan.max_rounds - stage * STAGE_ROUNDS)
            places = prepared.round_outcomes(seed, FIRST_BLOCK + number * stages + stage, dealt_rounds)
            played_rounds = _play_stage(places, nets, path[rounds], max_round_cost, target, rounds, path)
            rounds += played_rounds
            if played_rounds < dealt_rounds:
                break
        batch.final_bankrolls[index], batch.rounds[index] = path[rounds], rounds
        batch.paths[index] = path[np.minimum(checkpoints, rounds)]
    return batch
