"""How long a bankroll lasts: many sessions of one player, each with its own cards.

All wagers of a round come from the same cards, so what belongs together is won and lost together. A session ends after
so many rounds, when the player has reached a target, or in ruin: when what is left does not cover the most that the
next round can call for, every raise included.
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
from cardroom.games.bets import bet_fault
from cardroom.games.money import money
from cardroom.kernels import kernel
from cardroom.odds.rounds.deals import Cents, Counts
from cardroom.odds.rounds.simulation import BadSimulation, Places, Prepared, WagerPlan, check_seed
from cardroom.odds.rounds.watch import UNWATCHED, Watch
from cardroom.paytables import Dollars

STAGE: Final = 4096
"""Rounds of a session that are dealt at a time."""
FIRST_BLOCK: Final = 2**31
"""Sessions have the blocks from here on, so they never see the cards of a plain simulation with the same seed."""
CHECKPOINTS: Final = 100
MOST_ROUNDS: Final = 10**6
MOST_SESSIONS: Final = 10**6
_TOGETHER: Final = 64
"""Sessions that a thread takes at a time."""
_NO_TARGET: Final = 2**62


class MeterNotGiven(BadSimulation):
    """A wager whose results nobody knows while nobody says what its meter shows."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"What {slug} wins hangs on a meter: --meter DOLLARS says what it shows.")


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """How somebody means to play."""

    bankroll: int
    """In cents."""
    bets: Mapping[str, int]
    """By spot, in cents; the same in every round."""
    most_rounds: int
    target: int | None = None
    """The bankroll, in cents, at which the player leaves; None for: never."""


@dataclass(frozen=True)
class Sessions:
    """What became of many sessions."""

    plan: SessionPlan
    call: int
    """The most that a round can call for, in cents; with less the player is ruined."""
    ends: Cents
    """Each session's bankroll at its end, in cents."""
    rounds: Counts
    """How many rounds each session lasted."""
    checkpoints: Counts
    """Numbers of rounds, from 0 to the most."""
    paths: Cents
    """A row a session, a column a checkpoint: the bankroll then; after its end a session keeps what it ended with."""
    mean_a_round: Fraction | None
    """What a round wins or loses on average, exactly and in cents; None when nobody knows it for the strategy."""

    @cached_property
    def ruined(self) -> NDArray[np.bool_]:
        return np.less(self.ends, self.call)

    @cached_property
    def reached(self) -> NDArray[np.bool_]:
        """Which sessions came to the target."""
        return np.greater_equal(self.ends, _NO_TARGET if self.plan.target is None else self.plan.target)

    @property
    def risk_of_ruin(self) -> float:
        return float(self.ruined.mean())

    @property
    def risk_error(self) -> float:
        """The standard error of the risk of ruin."""
        return sqrt(self.risk_of_ruin * (1 - self.risk_of_ruin) / len(self.ends))

    @property
    def results(self) -> NDArray[np.int64]:
        """What each session won or lost, in cents."""
        return np.subtract(self.ends, self.plan.bankroll)

    @property
    def mean_result(self) -> float:
        return float(self.results.mean())

    @property
    def mean_rounds(self) -> float:
        """Time on the table."""
        return float(self.rounds.mean())

    def result_percentiles(self, percents: Sequence[float]) -> list[int]:
        """What so many percent of the sessions did not exceed, in cents."""
        return _percentiles(self.results, percents)

    def rounds_percentiles(self, percents: Sequence[float]) -> list[int]:
        """How many rounds so many percent of the sessions did not outlast."""
        return _percentiles(self.rounds, percents)

    def fan(self, percents: Sequence[float] = (5, 25, 50, 75, 95)) -> dict[float, list[int]]:
        """For a fan chart: percentiles of the bankroll at each checkpoint, in cents."""
        by_percent = np.percentile(self.paths, list(percents), axis=0, method="inverted_cdf")
        return {percent: row.astype(np.int64).tolist() for percent, row in zip(percents, by_percent, strict=True)}


def _percentiles(values: NDArray[np.int64], percents: Sequence[float]) -> list[int]:
    found: list[int] = np.percentile(values, list(percents), method="inverted_cdf").astype(np.int64).tolist()
    return found


def bets_by_wager(table: Table, plan: SessionPlan) -> Mapping[str, int]:
    """What the player puts on each wager of a table that takes these bets."""
    fault = bet_fault(game(table.facts.slug), table, 1, plan.bets)
    if fault is not None:
        raise BadBet(fault)
    return {table.spots[spot].wager.slug: cents for spot, cents in plan.bets.items()}


def play_sessions(
    prepared: Prepared,
    plan: SessionPlan,
    by_wager: Mapping[str, int],
    sessions: int,
    seed: int,
    meters: Mapping[str, int] | None = None,
    workers: int | None = None,
    watch: Watch = UNWATCHED,
) -> Sessions:
    """Sessions at a table that was prepared for simulation, with wagers by their slugs, in cents. ``meters`` gives what
    the meters show, in cents by wager; they stay as they are. Stopped early, it gives the sessions that were played
    until then."""
    call = sum(_most_wagered(one) * by_wager.get(one.slug, 0) for one in prepared.wagers)
    _check(plan, sessions, int(call))
    check_seed(seed)
    nets = net_cents(prepared, by_wager, meters or {})
    checkpoints = np.unique(np.linspace(0, plan.most_rounds, CHECKPOINTS + 1).round().astype(np.int64))
    play = partial(_play_some, prepared, nets, plan, int(call), seed, checkpoints)
    parts = [range(start, min(start + _TOGETHER, sessions)) for start in range(0, sessions, _TOGETHER)]
    found: list[_Some] = []
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        try:
            for some in pool.map(lambda part: None if watch.stops() else play(part), parts):
                if some is None:
                    break
                found.append(some)
                watch.tell(min(len(found) * _TOGETHER, sessions), sessions)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    if not found:
        raise BadSimulation("It was stopped before a session was over: there is nothing to tell.")
    return Sessions(
        plan=plan,
        call=int(call),
        ends=np.concatenate([some.ends for some in found]),
        rounds=np.concatenate([some.rounds for some in found]),
        checkpoints=checkpoints,
        paths=np.concatenate([some.paths for some in found]),
        mean_a_round=_mean(prepared, nets),
    )


def _check(plan: SessionPlan, sessions: int, call: int) -> None:
    if not 0 < sessions <= MOST_SESSIONS:
        raise BadSimulation(f"{sessions} sessions cannot be played: ask for 1 to {MOST_SESSIONS}.")
    if not 0 < plan.most_rounds <= MOST_ROUNDS:
        raise BadSimulation(f"A session of {plan.most_rounds} rounds cannot be played: ask for 1 to {MOST_ROUNDS}.")
    if plan.bankroll < call:
        raise BadSimulation(
            f"A bankroll of {money(plan.bankroll)} does not cover one round: with raises it can call for {money(call)}."
        )
    if plan.target is not None and plan.target <= plan.bankroll:
        raise BadSimulation(
            f"The target of {money(plan.target)} is reached before the first round: it must be above the bankroll of "
            f"{money(plan.bankroll)}."
        )


# What a round wins or loses


def _most_wagered(wager: WagerPlan) -> Fraction:
    return max(ending.wagered for ending in wager.endings)


def net_cents(prepared: Prepared, by_wager: Mapping[str, int], meters: Mapping[str, int]) -> NDArray[np.int64]:
    """A row a wager, a column an ending: what it wins or loses, in cents; nothing where no wager is made."""
    for wager in prepared.wagers:
        if wager.slug in by_wager and wager.slug not in meters and any(ending.percent for ending in wager.endings):
            raise MeterNotGiven(wager.slug)
    nets = np.zeros((len(prepared.wagers), max(len(one.endings) for one in prepared.wagers)), np.int64)
    for row, wager in enumerate(prepared.wagers):
        for column in range(len(wager.endings)):
            if cents := by_wager.get(wager.slug, 0):
                nets[row, column] = _net(wager, column, cents, meters.get(wager.slug, 0))
    return nets


def _net(wager: WagerPlan, place: int, cents: int, meter: int) -> int:
    """In cents for a wager of so many cents. Figures are given for a wager of one dollar: a prize in dollars that does
    not grow with the wager is taken out of them and counted as it is."""
    ending, table = wager.endings[place], wager.question.table
    facts = game(wager.question.game).facts.wager(wager.slug)
    pay = next((line.pay for line in table.lines if line.event == ending.event), None)
    prize = pay.cents if isinstance(pay, Dollars) and not (facts.jackpot and facts.jackpot.scales) else 0
    return round((ending.net - Fraction(prize, 100)) * cents) + prize + int(ending.percent * meter)


def _mean(prepared: Prepared, nets: NDArray[np.int64]) -> Fraction | None:
    total = Fraction(0)
    for row, wager in enumerate(prepared.wagers):
        if wager.exact is None:
            if nets[row].any():
                return None
            continue
        total += sum((chance * int(nets[row, at]) for at, chance in enumerate(wager.exact)), Fraction(0))
    return total


# Playing


@dataclass(frozen=True, slots=True)
class _Some:
    """Sessions that were played together."""

    ends: NDArray[np.int64]
    rounds: NDArray[np.int64]
    paths: NDArray[np.int64]


@kernel
def _play_stage(
    places: Places, nets: NDArray[np.int64], bankroll: int, call: int, target: int, begun: int, path: NDArray[np.int64]
) -> int:
    """Play rounds until the session is over, and write the bankroll after each; how many were played."""
    for turn in range(len(places)):
        if bankroll < call or bankroll >= target:
            return turn
        for wager in range(len(nets)):
            bankroll += nets[wager, places[turn, wager]]
        path[begun + turn + 1] = bankroll
    return len(places)


def _play_some(
    prepared: Prepared,
    nets: NDArray[np.int64],
    plan: SessionPlan,
    call: int,
    seed: int,
    checkpoints: NDArray[np.int64],
    numbers: range,
) -> _Some:
    stages = -(-plan.most_rounds // STAGE)
    target = _NO_TARGET if plan.target is None else plan.target
    path = np.empty(plan.most_rounds + 1, np.int64)
    some = _Some(
        *(np.empty(shape, np.int64) for shape in (len(numbers), len(numbers), (len(numbers), len(checkpoints))))
    )
    for at, number in enumerate(numbers):
        path[0], rounds = plan.bankroll, 0
        for stage in range(stages):
            dealt = min(STAGE, plan.most_rounds - stage * STAGE)
            places = prepared.each_round(seed, FIRST_BLOCK + number * stages + stage, dealt)
            played = _play_stage(places, nets, path[rounds], call, target, rounds, path)
            rounds += played
            if played < dealt:
                break
        some.ends[at], some.rounds[at] = path[rounds], rounds
        some.paths[at] = path[np.minimum(checkpoints, rounds)]
    return some
