"""A progressive over the years: how high the meter climbs, how long until it is hit, what it costs the house.

Every wager that is counted adds to the meter. A prize of 100 percent takes the whole meter, and the house fills it with
the seed again: that is what the progressive costs it, for all the rest is the players' money (BJ-5). A smaller
percentage takes its part and leaves the rest. Rounds of linked tables come one after the other, each with its own
cards. What the seats of one round win together is told by ``round_wins``; where nobody has counted it, no figure is
called exact, and bounds that hold for any cards stand instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log1p, sqrt
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel
from cardroom.odds.rounds.deals import Cents
from cardroom.odds.rounds.means import Bounds, Expected, Pace, Progressive, bounds, contributed, expected
from cardroom.odds.rounds.philox import philox
from cardroom.odds.rounds.simulation import BadSimulation, check_seed
from cardroom.odds.rounds.watch import UNWATCHED, Watch
from cardroom.odds.rounds.wins import RoundWins, never_two, one_seat

Days: TypeAlias = NDArray[np.float64]
Shares: TypeAlias = NDArray[np.float64]

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


@dataclass(frozen=True)
class Years:
    """Many runs over the same time, and what is known of the expectation beside them."""

    meter: Progressive
    pace: Pace
    days: int
    exact: Expected | None
    """None when several seats share a round and nobody has counted what they win together. The runs then take it that
    never two of them win in one round."""
    bounds: Bounds | None
    """Where the exact expectation is not known."""
    hits: Cents
    """How many prizes each run paid."""
    top_hits: Cents
    paid: Cents
    meters: Cents
    """What the meter shows at the end of each run."""
    highest: Cents
    """What it showed at most."""
    first_hit: Days
    """Days until the first prize; the whole time where there was none."""
    checkpoints: Days
    """In days."""
    paths: Cents
    """A row a run, a column a checkpoint: what the meter shows then."""

    @property
    def wagers(self) -> int:
        return self.pace.wagers_a_day * self.days

    @property
    def contributed(self) -> float:
        """By the players, in cents."""
        return contributed(self.meter, self.pace, self.days)

    @cached_property
    def cost(self) -> Cents:
        """What each run cost the house: the seeds."""
        found: Cents = self.meter.seed_cents * (1 + self.top_hits)
        return found

    def z(self) -> dict[str, float]:
        """By how many standard errors the means of the runs differ from what is expected; nothing without that."""
        if self.exact is None:
            return {}
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


class Fed(NamedTuple):
    """A meter for the kernel, and what a round may win of it, a place for each way."""

    chances: Shares
    """Of a round that wins: that it wins this way or one before it."""
    taken: Shares
    paid: Shares
    prizes: Cents
    rounds: int
    seed_cents: int
    added: float
    """By each round."""
    log_miss: float
    """The logarithm of the chance that a round wins nothing."""


@kernel
def _run(run: int, seed: np.uint64, fed_by: Fed, stops: Cents, path: Cents, told: Cents) -> None:
    """One run. The rounds up to the next hit are drawn at once: their number is geometric. ``told`` gets prizes, hits
    of the whole, cents paid, the highest meter, and the round of the first hit."""
    rounds, start, added, log_miss = fed_by.rounds, fed_by.seed_cents, fed_by.added, fed_by.log_miss
    chances, taken, paid, prizes = fed_by.chances, fed_by.taken, fed_by.paid, fed_by.prizes
    meter, fed, at, stop = float(start), 0, 0, 0
    highest = float(start)
    told[:] = 0
    told[4] = rounds
    counter = np.uint64(0)
    while True:
        w, x, y, z = philox(counter & _LOW, np.uint64(run), _STREAM, counter >> _HALF, seed & _LOW, seed >> _HALF)
        counter += np.uint64(1)
        gap = np.log(_number(w, x)) / log_miss
        hit_at = rounds + 1 if gap >= rounds else at + 1 + int(gap)
        while stop < len(stops) and stops[stop] < min(hit_at, rounds + 1):
            path[stop] = int(meter + (stops[stop] - fed) * added)
            stop += 1
        if hit_at > rounds:
            break
        meter += (hit_at - fed) * added
        fed = at = hit_at
        highest = max(highest, meter)
        way, chance = 0, _number(y, z)
        while way < len(chances) - 1 and chance > chances[way]:
            way += 1
        if told[0] == 0:
            told[4] = hit_at
        told[0] += prizes[way]
        told[2] += int(np.floor(meter * paid[way]))
        meter -= np.floor(meter * taken[way])
        if taken[way] == 1.0:
            told[1] += 1
            meter += start  # cents that were not whole stay on it
    told[3] = int(max(highest, meter + (rounds - fed) * added))


def over_the_years(
    meter: Progressive,
    pace: Pace,
    days: int,
    runs: int,
    seed: int,
    watch: Watch = UNWATCHED,
    wins: RoundWins | None = None,
) -> Years:
    """Let the meter run for so many days, many times. Stopped early, it gives the runs that were over by then.

    ``wins`` is what the seats at one table win together in a round, where somebody has counted it. For one seat it is
    known; for more that nobody has counted there are bounds, and the runs take it that never two win in one round.
    """
    _check(meter, pace, days, runs)
    check_seed(seed)
    if wins is None and pace.seats_at_a_table == 1:
        wins = one_seat(meter.prizes)
    drawn = never_two(meter.prizes, pace.seats_at_a_table) if wins is None else wins
    if drawn.hit >= 1:
        raise BadSimulation(f"{pace.seats_at_a_table} seats win too often for one meter: use fewer at a table.")
    rounds = pace.rounds_a_day * days
    if rounds * drawn.hit * runs > MOST_HITS:
        hits = float(rounds * drawn.hit)
        raise BadSimulation(f"{runs} runs with {hits:,.0f} hits each take too long: ask for fewer runs or days.")
    stops = np.unique(np.linspace(0, rounds, CHECKPOINTS + 1).round().astype(np.int64))
    paths, told = np.zeros((runs, len(stops)), np.int64), np.zeros((runs, 5), np.int64)
    fed_by = Fed(
        rounds=rounds,
        seed_cents=meter.seed_cents,
        added=float(meter.contribution * pace.seats_at_a_table),
        log_miss=log1p(-float(drawn.hit)),
        chances=np.cumsum([float(way.probability / drawn.hit) for way in drawn.ways]),
        taken=np.array([float(way.taken) for way in drawn.ways]),
        paid=np.array([float(way.paid) for way in drawn.ways]),
        prizes=np.array([len(way.prizes) for way in drawn.ways], np.int64),
    )
    done = 0
    for run in range(runs):
        if watch.stops():
            break
        _run(run, np.uint64(seed), fed_by, stops, paths[run], told[run])
        done = run + 1
        watch.tell(done, runs)
    if done < min(runs, 2):
        raise BadSimulation("It was stopped before two runs were over: there is nothing to tell.")
    paths, told = paths[:done], told[:done]
    return Years(
        meter=meter,
        pace=pace,
        days=days,
        exact=None if wins is None else expected(meter, pace, days, wins),
        bounds=bounds(meter, pace, days) if wins is None else None,
        hits=told[:, 0],
        top_hits=told[:, 1],
        paid=told[:, 2],
        meters=paths[:, -1],
        highest=told[:, 3],
        first_hit=told[:, 4] / pace.rounds_a_day,
        checkpoints=stops / pace.rounds_a_day,
        paths=paths,
    )


def _check(meter: Progressive, pace: Pace, days: int, runs: int) -> None:
    wrong = {
        "rounds an hour": pace.rounds_an_hour,
        "hours a day": pace.hours_a_day,
        "seats": pace.seats,
        "tables": pace.tables,
        "days": days,
        "runs": runs,
    }
    for name, value in wrong.items():
        if value < 1:
            raise BadSimulation(f"{value} {name} make no progressive: use at least one.")
    if pace.seats % pace.tables:
        raise BadSimulation(
            f"{pace.seats} seats cannot be spread evenly over {pace.tables} tables: change one of them."
        )
    if pace.hours_a_day > 24:
        raise BadSimulation(f"A day has 24 hours, not {pace.hours_a_day}.")
    if runs > MOST_RUNS:
        raise BadSimulation(f"{runs} runs are too many: ask for 1 to {MOST_RUNS}.")
    if meter.seed_cents < 0 or meter.contribution < 0:
        raise BadSimulation("The seed and the contribution of a meter cannot be below zero.")
