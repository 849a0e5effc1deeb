"""A progressive over the years: how high the meter climbs, how long until it is hit, what it costs the house.

Every wager that is counted adds to the meter. A prize of 100 percent takes the whole meter, and the house fills it with
the seed again: that is what the progressive costs it, for all the rest is the players' money (BJ-5). A smaller
percentage takes its part and leaves the rest. Wagers are taken one after the other; that two of one round share a prize
(BJ-4) changes nothing on average.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log1p, sqrt
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel
from cardroom.odds.rounds.philox import philox
from cardroom.odds.rounds.simulation import BadSimulation, OnBlock, WagerPlan, check_seed

Cents: TypeAlias = NDArray[np.int64]

DAYS_A_YEAR: Final = 365
CHECKPOINTS: Final = 100
MOST_RUNS: Final = 100_000
MOST_HITS: Final = 10**9
"""Of all runs together: as many as can be played in a few minutes."""
_STREAM: Final = np.uint64(3)
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)
_ELEVEN: Final = np.uint64(11)
_ONE_IN: Final = 2.0**-53


@dataclass(frozen=True, slots=True)
class Pace:
    """How busy the tables on one meter are."""

    rounds_an_hour: int
    hours_a_day: int
    seats: int
    """That make the wager in each round, at all tables together."""

    @property
    def wagers_a_day(self) -> int:
        return self.rounds_an_hour * self.hours_a_day * self.seats


@dataclass(frozen=True, slots=True)
class Prize:
    """A line that pays a percentage of the meter."""

    event: str
    share: Fraction
    """Of the meter: 1 is all of it."""
    probability: Fraction
    """For one wager."""


@dataclass(frozen=True, slots=True)
class Progressive:
    """A meter and what it is fed with."""

    prizes: tuple[Prize, ...]
    seed_cents: int
    """What the house puts on the meter at the start and after each hit of the whole."""
    contribution: Fraction
    """What each wager adds, in cents."""

    @property
    def hit_probability(self) -> Fraction:
        """That a wager hits any of the prizes."""
        return sum((prize.probability for prize in self.prizes), Fraction(0))

    @property
    def top_probability(self) -> Fraction:
        """That a wager takes the whole meter."""
        return sum((prize.probability for prize in self.prizes if prize.share == 1), Fraction(0))

    @property
    def taken(self) -> Fraction:
        """The part of the meter that a wager takes on average."""
        return sum((prize.probability * prize.share for prize in self.prizes), Fraction(0))


def progressive(wager: WagerPlan, seed_cents: int, contribution: Fraction) -> Progressive:
    """The meter of a jackpot wager, with its exact chances."""
    if wager.exact is None:
        raise BadSimulation(f"The chances of {wager.slug} are not known under this strategy: simulate the best one.")
    prizes = tuple(
        Prize(ending.event, ending.percent, chance)
        for ending, chance in zip(wager.endings, wager.exact, strict=True)
        if ending.percent and chance
    )
    if not prizes:
        table = f"table {wager.paytable}" if wager.paytable else "it"
        raise BadSimulation(f"The {wager.slug} wager has no meter: {table} pays no percentage of one.")
    return Progressive(prizes, seed_cents, contribution)


@dataclass(frozen=True, slots=True)
class Expected:
    """The exact expectation over the whole time, in cents where it is money."""

    wagers: int
    hits: float
    top_hits: float
    days_to_a_hit: float
    """Of any prize."""
    days_to_the_top: float | None
    meter: float
    """At the end."""
    paid: float
    """Off the meter, to the players."""
    cost: float
    """Seeds that the house has put on the meter: the first one, and one for each hit of the whole."""
    contributed: float
    """By the players."""


def expected(meter: Progressive, pace: Pace, days: int) -> Expected:
    """A wager adds the contribution and takes on average a fixed part of what is there, so the mean of the meter goes
    from wager to wager by one linear step; after n of them it has come nearer to its limit by a power of n."""
    wagers = pace.wagers_a_day * days
    hit, top, taken = float(meter.hit_probability), float(meter.top_probability), float(meter.taken)
    added = float(meter.contribution)
    # m becomes (m + added) * (1 - taken) + top * seed.
    limit = (added * (1 - taken) + top * meter.seed_cents) / taken
    kept = np.exp(wagers * log1p(-taken))
    mean = limit + (meter.seed_cents - limit) * kept
    cost = meter.seed_cents * (1 + wagers * top)
    return Expected(
        wagers=wagers,
        hits=wagers * hit,
        top_hits=wagers * top,
        days_to_a_hit=1 / hit / pace.wagers_a_day,
        days_to_the_top=1 / top / pace.wagers_a_day if top else None,
        meter=float(mean),
        paid=cost + added * wagers - float(mean),  # what went in and is not there
        cost=cost,
        contributed=added * wagers,
    )


@dataclass(frozen=True)
class Years:
    """Many runs over the same time, and the exact expectation beside them."""

    meter: Progressive
    pace: Pace
    days: int
    exact: Expected
    hits: Cents
    """How many prizes each run paid."""
    top_hits: Cents
    paid: Cents
    meters: Cents
    """What the meter shows at the end of each run."""
    highest: Cents
    """What it showed at most."""
    first_hit: NDArray[np.float64]
    """Days until the first prize; the whole time where there was none."""
    checkpoints: NDArray[np.float64]
    """In days."""
    paths: Cents
    """A row a run, a column a checkpoint: what the meter shows then."""

    @cached_property
    def cost(self) -> Cents:
        """What each run cost the house: the seeds."""
        found: Cents = self.meter.seed_cents * (1 + self.top_hits)
        return found

    def z(self) -> dict[str, float]:
        """By how many standard errors the means of the runs differ from what is expected."""
        pairs = {
            "hits": (self.hits, self.exact.hits),
            "top_hits": (self.top_hits, self.exact.top_hits),
            "paid": (self.paid, self.exact.paid),
            "meter": (self.meters, self.exact.meter),
        }
        errors = {name: float(values.std(ddof=1)) / sqrt(len(values)) for name, (values, _) in pairs.items()}
        return {
            name: (float(values.mean()) - exact) / errors[name]
            for name, (values, exact) in pairs.items()
            if errors[name] > 0
        }

    def fan(self, percents: Sequence[float] = (5, 25, 50, 75, 95)) -> dict[float, list[int]]:
        """For a fan chart: percentiles of the meter at each checkpoint, in cents."""
        rows = np.percentile(self.paths, list(percents), axis=0, method="inverted_cdf").astype(np.int64)
        return {percent: row.tolist() for percent, row in zip(percents, rows, strict=True)}


@kernel
def _number(high: np.uint64, low: np.uint64) -> float:
    """Above 0 and up to 1, from 53 random bits."""
    return (float(((high << _HALF) | low) >> _ELEVEN) + 1.0) * _ONE_IN


@kernel
def _run(
    run: int,
    seed: np.uint64,
    wagers: int,
    start: int,
    added: float,
    log_miss: float,
    chances: NDArray[np.float64],
    shares: NDArray[np.float64],
    stops: Cents,
    path: Cents,
    told: Cents,
) -> None:
    """One run. The wagers up to the next hit are drawn at once: their number is geometric. ``told`` gets hits, hits of
    the whole, cents paid, the highest meter, and the wager of the first hit."""
    meter, fed, at, stop = float(start), 0, 0, 0
    highest = float(start)
    told[:] = 0
    told[4] = wagers
    counter = np.uint64(0)
    while True:
        w, x, y, z = philox(counter & _LOW, np.uint64(run), _STREAM, counter >> _HALF, seed & _LOW, seed >> _HALF)
        counter += np.uint64(1)
        gap = np.log(_number(w, x)) / log_miss
        hit_at = wagers + 1 if gap >= wagers else at + 1 + int(gap)
        while stop < len(stops) and stops[stop] < min(hit_at, wagers + 1):
            path[stop] = int(meter + (stops[stop] - fed) * added)
            stop += 1
        if hit_at > wagers:
            break
        meter += (hit_at - fed) * added
        fed = at = hit_at
        highest = max(highest, meter)
        line, chance = 0, _number(y, z)
        while line < len(chances) - 1 and chance > chances[line]:
            line += 1
        prize = np.floor(meter * shares[line])
        if told[0] == 0:
            told[4] = hit_at
        told[0] += 1
        told[2] += int(prize)
        meter -= prize
        if shares[line] == 1.0:
            told[1] += 1
            meter += start  # cents that were not whole stay on it
    told[3] = int(max(highest, meter + (wagers - fed) * added))


def over_the_years(
    meter: Progressive,
    pace: Pace,
    days: int,
    runs: int,
    seed: int,
    on_run: OnBlock | None = None,
    stop: Callable[[], bool] | None = None,
) -> Years:
    """Let the meter run for so many days, many times. Stopped early, it gives the runs that were over by then."""
    _check(meter, pace, days, runs)
    check_seed(seed)
    exact = expected(meter, pace, days)
    if exact.hits * runs > MOST_HITS:
        raise BadSimulation(f"{runs} runs with {exact.hits:,.0f} hits each take too long: ask for fewer runs or days.")
    chances = np.cumsum([float(prize.probability / meter.hit_probability) for prize in meter.prizes])
    shares = np.array([float(prize.share) for prize in meter.prizes])
    stops = np.unique(np.linspace(0, exact.wagers, CHECKPOINTS + 1).round().astype(np.int64))
    paths, told = np.zeros((runs, len(stops)), np.int64), np.zeros((runs, 5), np.int64)
    log_miss = log1p(-float(meter.hit_probability))
    done = 0
    for run in range(runs):
        if stop and stop():
            break
        _run(
            run,
            np.uint64(seed),
            exact.wagers,
            meter.seed_cents,
            float(meter.contribution),
            log_miss,
            chances,
            shares,
            stops,
            paths[run],
            told[run],
        )
        done = run + 1
        if on_run:
            on_run(done, runs)
    if done < min(runs, 2):
        raise BadSimulation("It was stopped before two runs were over: there is nothing to tell.")
    paths, told = paths[:done], told[:done]
    return Years(
        meter=meter,
        pace=pace,
        days=days,
        exact=exact,
        hits=told[:, 0],
        top_hits=told[:, 1],
        paid=told[:, 2],
        meters=paths[:, -1],
        highest=told[:, 3],
        first_hit=told[:, 4] / pace.wagers_a_day,
        checkpoints=stops / pace.wagers_a_day,
        paths=paths,
    )


def _check(meter: Progressive, pace: Pace, days: int, runs: int) -> None:
    wrong = {
        "rounds an hour": pace.rounds_an_hour,
        "hours a day": pace.hours_a_day,
        "seats": pace.seats,
        "days": days,
        "runs": runs,
    }
    for name, value in wrong.items():
        if value < 1:
            raise BadSimulation(f"{value} {name} make no progressive: use at least one.")
    if pace.hours_a_day > 24:
        raise BadSimulation(f"A day has 24 hours, not {pace.hours_a_day}.")
    if runs > MOST_RUNS:
        raise BadSimulation(f"{runs} runs are too many: ask for 1 to {MOST_RUNS}.")
    if meter.seed_cents < 0 or meter.contribution < 0:
        raise BadSimulation("The seed and the contribution of a meter cannot be below zero.")
