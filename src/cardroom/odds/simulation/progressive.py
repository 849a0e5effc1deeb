"""A progressive: its expectation, and its meter simulated over years.

The expectation is exact if the wins of a round are known; otherwise it has bounds. A simulation shows how high the
meter climbs, how long it takes until a hit, and what it costs the house.

Every counted wager adds to the meter. A prize of 100 percent takes the whole meter, and the house puts the seed on it
again: this is the cost of the progressive, because all the rest is the players' money (BJ-5). A smaller percentage
takes its part and leaves the rest. Rounds of linked tables come one after the other, each with its own cards.
``round_wins`` says what the seats of one round win together. If that is not counted, no figure is exact, and bounds
that apply to any cards are given instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log1p, sqrt
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel
from cardroom.odds.simulation.deals import Cents, philox
from cardroom.odds.simulation.meter_winners import MeterPrize, RoundWins, exclusive_wins, single_seat_wins
from cardroom.odds.simulation.runner import NO_MONITOR, BadSimulation, ProgressMonitor, check_seed
from cardroom.odds.simulation.wager_plan import WagerPlan


class PlayPace(NamedTuple):
    """How busy the tables of one meter are."""

    rounds_an_hour: int
    hours_a_day: int
    seats: int
    """Seats that make the wager in each round, at all tables together."""
    tables: int = 1
    """Tables with an equal number of these seats."""

    @property
    def seats_at_a_table(self) -> int:
        return self.seats // self.tables

    @property
    def rounds_a_day(self) -> int:
        """At all tables together."""
        return self.rounds_an_hour * self.hours_a_day * self.tables

    @property
    def wagers_a_day(self) -> int:
        return self.rounds_a_day * self.seats_at_a_table


@dataclass(frozen=True, slots=True)
class Progressive:
    """A meter with its seed and contribution."""

    prizes: tuple[MeterPrize, ...]
    seed_cents: int
    """What the house puts on the meter at the start and after each hit of the whole meter."""
    contribution: Fraction
    """What each wager adds, in cents."""


def build_progressive(wager: WagerPlan, seed_cents: int, contribution: Fraction) -> Progressive:
    """The meter of a jackpot wager, with its exact probabilities."""
    if wager.probabilities is None:
        raise BadSimulation(
            f"The probabilities of {wager.slug} are not known under this strategy: simulate the best strategy."
        )
    prizes = tuple(
        MeterPrize(outcome.trigger, outcome.percent, chance)
        for outcome, chance in zip(wager.outcomes, wager.probabilities, strict=True)
        if outcome.percent and chance
    )
    if not prizes:
        table = f"table {wager.paytable}" if wager.paytable else "it"
        raise BadSimulation(f"The {wager.slug} wager has no meter: {table} pays no percentage of one.")
    return Progressive(prizes, seed_cents, contribution)


@dataclass(frozen=True, slots=True)
class ProgressiveExpectation:
    """The exact expectation over the whole time; money is in cents."""

    hits: float
    """Prizes; a shared prize counts once."""
    top_hits: float
    """Prizes that took the whole meter."""
    first_hit: float
    """Days until the first prize; the whole time if there was none."""
    days_to_a_hit: float
    """The probability of any prize."""
    days_to_the_top: float | None
    meter: float
    """At the end."""
    paid: float
    """Paid to players for prizes that are a part of the meter."""
    cost: float
    """Seeds that the house put on the meter: the first one, and one for each hit of the whole meter."""


def compute_expectation(meter: Progressive, pace: PlayPace, days: int, wins: RoundWins) -> ProgressiveExpectation:
    """The mean of the meter after some rounds. A round adds its contributions and takes on average a fixed part of the
    meter, so each round is one linear step of the mean; after n steps, the distance to the limit has shrunk by the n-th
    power of a factor."""
    rounds, reset_rate = pace.rounds_a_day * days, float(wins.reset_probability)
    final_meter = _mean_meter(meter, pace, days, float(wins.mean_taken), reset_rate)
    cost = meter.seed_cents * (1 + rounds * reset_rate)
    removed = cost + contributions(meter, pace, days) - final_meter  # what went in and is no longer on the meter
    return ProgressiveExpectation(
        hits=rounds * float(wins.mean_prizes),
        top_hits=rounds * reset_rate,
        first_hit=_first_hit(pace, days, float(wins.hit_probability)),
        days_to_a_hit=1 / float(wins.hit_probability) / pace.rounds_a_day,
        days_to_the_top=1 / reset_rate / pace.rounds_a_day if reset_rate else None,
        meter=final_meter,
        paid=removed * float(wins.mean_paid / wins.mean_taken),
        cost=cost,
    )


def contributions(meter: Progressive, pace: PlayPace, days: int) -> float:
    """By the players, in cents."""
    return float(meter.contribution) * pace.wagers_a_day * days


def _mean_meter(meter: Progressive, pace: PlayPace, days: int, taken: float, top: float) -> float:
    # m becomes (m + added) * (1 - taken) + top * seed.
    added = float(meter.contribution) * pace.seats_at_a_table
    limit = (added * (1 - taken) + top * meter.seed_cents) / taken
    decay = np.exp(pace.rounds_a_day * days * log1p(-taken))
    return float(limit + (meter.seed_cents - limit) * decay)


def _first_hit(pace: PlayPace, days: int, hit: float) -> float:
    """In days; the whole time if there was none, as in a run."""
    rounds = pace.rounds_a_day * days
    return -float(np.expm1(rounds * log1p(-hit))) / hit / pace.rounds_a_day


class Interval(NamedTuple):
    """The bounds of a mean that is not known."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class ExpectationBounds:
    """Bounds of the expectation for any joint wins of the seats of a round; money is in cents."""

    hits: Interval
    top_hits: Interval
    first_hit: Interval
    meter: Interval
    cost: Interval


def compute_bounds(meter: Progressive, pace: PlayPace, days: int) -> ExpectationBounds:
    """The bounds of every figure. A line is won at least as often as one seat wins it, and at most as often as all
    seats win it if no two of them win in one round. This bounds every figure that only rises or only falls with the
    wins. The meter falls with what is taken and rises with the seeds, so each of its bounds combines the least of one
    with the most of the other."""
    rounds = pace.rounds_a_day * days
    low, high = single_seat_wins(meter.prizes), exclusive_wins(meter.prizes, pace.seats_at_a_table)
    parts = sum((prize.share for prize in meter.prizes if prize.share < 1), Fraction(0))
    # Smaller lines that together take a whole meter reset it too, but no more often than the part that they take on
    # average.
    top = Interval(float(low.reset_probability), float(high.reset_probability if parts < 1 else high.mean_taken))
    return ExpectationBounds(
        hits=Interval(rounds * float(low.mean_prizes), rounds * float(high.mean_prizes)),
        top_hits=Interval(rounds * top.least, rounds * top.most),
        first_hit=Interval(
            _first_hit(pace, days, float(high.hit_probability)), _first_hit(pace, days, float(low.hit_probability))
        ),
        meter=Interval(
            _mean_meter(meter, pace, days, float(high.mean_taken), top.least),
            _mean_meter(meter, pace, days, float(low.mean_taken), top.most),
        ),
        cost=Interval(meter.seed_cents * (1 + rounds * top.least), meter.seed_cents * (1 + rounds * top.most)),
    )


Days: TypeAlias = NDArray[np.float64]
Shares: TypeAlias = NDArray[np.float64]

DAYS_A_YEAR: Final = 365
CHECKPOINTS: Final = 100
MAX_RUNS: Final = 100_000
MAX_HITS: Final = 10**9
"""The most hits of all runs together: as many as play in a few minutes."""
_STREAM: Final = np.uint64(3)
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)
_ELEVEN: Final = np.uint64(11)
_UNIFORM_STEP: Final = 2.0**-53


@dataclass(frozen=True)
class ProgressiveRuns:
    """Many runs over the same time, with the exact expectation or its bounds."""

    meter: Progressive
    pace: PlayPace
    days: int
    exact: ProgressiveExpectation | None
    """None if several seats share a round and their joint wins are not counted. The runs then assume that no two of
    them win in one round."""
    bounds: ExpectationBounds | None
    """If the exact expectation is not known."""
    hits: Cents
    """The number of prizes of each run."""
    top_hits: Cents
    paid: Cents
    final_meters: Cents
    """The meter at the end of each run."""
    highest_meters: Cents
    """The highest meter of each run."""
    first_hit: Days
    """Days until the first prize; the whole time if there was none."""
    checkpoints: Days
    """In days."""
    paths: Cents
    """The meter, a row per run and a column per checkpoint."""

    @property
    def wagers(self) -> int:
        return self.pace.wagers_a_day * self.days

    @property
    def contributions(self) -> float:
        """By the players, in cents."""
        return contributions(self.meter, self.pace, self.days)

    @cached_property
    def cost(self) -> Cents:
        """The cost of each run to the house: the seeds."""
        cost: Cents = self.meter.seed_cents * (1 + self.top_hits)
        return cost

    def z_scores(self) -> dict[str, float]:
        """The difference of the runs' means from the expectation, in standard errors; empty without an exact
        expectation."""
        if self.exact is None:
            return {}
        pairs = {
            "hits": (self.hits, self.exact.hits),
            "top_hits": (self.top_hits, self.exact.top_hits),
            "paid": (self.paid, self.exact.paid),
            "meter": (self.final_meters, self.exact.meter),
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
def _uniform(high: np.uint64, low: np.uint64) -> float:
    """Above 0 and up to 1, from 53 random bits."""
    return (float(((high << _HALF) | low) >> _ELEVEN) + 1.0) * _UNIFORM_STEP


class MeterFeed(NamedTuple):
    """A meter for the kernel, and what a round may win of it, an entry for each combination of lines."""

    chances: Shares
    """The probability that a winning round wins this combination or an earlier one."""
    taken_shares: Shares
    paid_shares: Shares
    prizes: Cents
    rounds: int
    seed_cents: int
    added_cents: float
    """Added by each round."""
    log_miss: float
    """The logarithm of the probability that a round wins nothing."""


@kernel
def _run(run: int, seed: np.uint64, feed: MeterFeed, checkpoints: Cents, path: Cents, totals: Cents) -> None:
    """Simulate one run. The rounds up to the next hit are drawn at once: their number is geometric. ``totals`` receives
    the prizes, hits of the whole meter, cents paid, the highest meter, and the round of the first hit."""
    rounds, start, added, log_miss = feed.rounds, feed.seed_cents, feed.added_cents, feed.log_miss
    chances, taken, paid, prizes = feed.chances, feed.taken_shares, feed.paid_shares, feed.prizes
    meter, fed_rounds, round_number, checkpoint = float(start), 0, 0, 0
    highest = float(start)
    totals[:] = 0
    totals[4] = rounds
    counter = np.uint64(0)
    while True:
        w, x, y, z = philox(counter & _LOW, np.uint64(run), _STREAM, counter >> _HALF, seed & _LOW, seed >> _HALF)
        counter += np.uint64(1)
        gap = np.log(_uniform(w, x)) / log_miss
        hit_at = rounds + 1 if gap >= rounds else round_number + 1 + int(gap)
        while checkpoint < len(checkpoints) and checkpoints[checkpoint] < min(hit_at, rounds + 1):
            path[checkpoint] = int(meter + (checkpoints[checkpoint] - fed_rounds) * added)
            checkpoint += 1
        if hit_at > rounds:
            break
        meter += (hit_at - fed_rounds) * added
        fed_rounds = round_number = hit_at
        highest = max(highest, meter)
        combination, chance = 0, _uniform(y, z)
        while combination < len(chances) - 1 and chance > chances[combination]:
            combination += 1
        if totals[0] == 0:
            totals[4] = hit_at
        totals[0] += prizes[combination]
        totals[2] += int(np.floor(meter * paid[combination]))
        meter -= np.floor(meter * taken[combination])
        if taken[combination] == 1.0:
            totals[1] += 1
            meter += start  # fractions of a cent stay on the meter
    totals[3] = int(max(highest, meter + (rounds - fed_rounds) * added))


def simulate_progressive(
    meter: Progressive,
    pace: PlayPace,
    days: int,
    runs: int,
    seed: int,
    monitor: ProgressMonitor = NO_MONITOR,
    wins: RoundWins | None = None,
) -> ProgressiveRuns:
    """Simulate the meter for this many days, many times. If stopped early, it returns the complete runs.

    ``wins`` is what the seats at one table win together in a round, if it is counted. For one seat it is known; for
    more seats without a count there are bounds, and the runs assume that no two seats win in one round.
    """
    _check(meter, pace, days, runs)
    check_seed(seed)
    if wins is None and pace.seats_at_a_table == 1:
        wins = single_seat_wins(meter.prizes)
    round_wins = exclusive_wins(meter.prizes, pace.seats_at_a_table) if wins is None else wins
    if round_wins.hit_probability >= 1:
        raise BadSimulation(f"{pace.seats_at_a_table} seats win too often for one meter: use fewer at a table.")
    rounds = pace.rounds_a_day * days
    if rounds * round_wins.hit_probability * runs > MAX_HITS:
        hits = float(rounds * round_wins.hit_probability)
        raise BadSimulation(f"{runs} runs with {hits:,.0f} hits each take too long: choose fewer runs or days.")
    checkpoints = np.unique(np.linspace(0, rounds, CHECKPOINTS + 1).round().astype(np.int64))
    paths, totals = np.zeros((runs, len(checkpoints)), np.int64), np.zeros((runs, 5), np.int64)
    feed = MeterFeed(
        rounds=rounds,
        seed_cents=meter.seed_cents,
        added_cents=float(meter.contribution * pace.seats_at_a_table),
        log_miss=log1p(-float(round_wins.hit_probability)),
        chances=np.cumsum(
            [float(combination.probability / round_wins.hit_probability) for combination in round_wins.combinations]
        ),
        taken_shares=np.array([float(combination.taken_share) for combination in round_wins.combinations]),
        paid_shares=np.array([float(combination.paid_share) for combination in round_wins.combinations]),
        prizes=np.array([len(combination.prizes) for combination in round_wins.combinations], np.int64),
    )
    run_count = 0
    for run in range(runs):
        if monitor.is_stopped():
            break
        _run(run, np.uint64(seed), feed, checkpoints, paths[run], totals[run])
        run_count = run + 1
        monitor.notify(run_count, runs)
    if run_count < min(runs, 2):
        raise BadSimulation("The simulation stopped before two runs were complete, so it has no figures.")
    paths, totals = paths[:run_count], totals[:run_count]
    return ProgressiveRuns(
        meter=meter,
        pace=pace,
        days=days,
        exact=None if wins is None else compute_expectation(meter, pace, days, wins),
        bounds=compute_bounds(meter, pace, days) if wins is None else None,
        hits=totals[:, 0],
        top_hits=totals[:, 1],
        paid=totals[:, 2],
        final_meters=paths[:, -1],
        highest_meters=totals[:, 3],
        first_hit=totals[:, 4] / pace.rounds_a_day,
        checkpoints=checkpoints / pace.rounds_a_day,
        paths=paths,
    )


def _check(meter: Progressive, pace: PlayPace, days: int, runs: int) -> None:
    counts = {
        "rounds an hour": pace.rounds_an_hour,
        "hours a day": pace.hours_a_day,
        "seats": pace.seats,
        "tables": pace.tables,
        "days": days,
        "runs": runs,
    }
    for name, value in counts.items():
        if value < 1:
            raise BadSimulation(f"A progressive cannot have {value} {name}: use at least one.")
    if pace.seats % pace.tables:
        raise BadSimulation(
            f"{pace.seats} seats cannot be spread evenly over {pace.tables} tables: change one of them."
        )
    if pace.hours_a_day > 24:
        raise BadSimulation(f"A day has 24 hours, not {pace.hours_a_day}.")
    if runs > MAX_RUNS:
        raise BadSimulation(f"{runs} runs cannot be simulated: choose 1 to {MAX_RUNS}.")
    if meter.seed_cents < 0 or meter.contribution < 0:
        raise BadSimulation("The seed and the contribution of a meter cannot be below zero.")
