"""A progressive, and what is to be expected of it: exactly where it is known what a round wins, else between bounds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log1p
from typing import NamedTuple

import numpy as np

from cardroom.odds.rounds.simulation import BadSimulation, WagerPlan
from cardroom.odds.rounds.wins import Prize, RoundWins, never_two, one_seat


class Pace(NamedTuple):
    """How busy the tables on one meter are."""

    rounds_an_hour: int
    hours_a_day: int
    seats: int
    """That make the wager in each round, at all tables together."""
    tables: int = 1
    """That they are spread over, as many at each."""

    @property
    def seats_at_a_table(self) -> int:
        return self.seats // self.tables

    @property
    def rounds_a_day(self) -> int:
        """Of all tables together."""
        return self.rounds_an_hour * self.hours_a_day * self.tables

    @property
    def wagers_a_day(self) -> int:
        return self.rounds_a_day * self.seats_at_a_table


@dataclass(frozen=True, slots=True)
class Progressive:
    """A meter and what it is fed with."""

    prizes: tuple[Prize, ...]
    seed_cents: int
    """What the house puts on the meter at the start and after each hit of the whole."""
    contribution: Fraction
    """What each wager adds, in cents."""


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

    hits: float
    """Prizes; one that seats share counts once."""
    top_hits: float
    """Times that the whole meter was taken."""
    first_hit: float
    """Days until the first prize; the whole time where there was none."""
    days_to_a_hit: float
    """Of any prize."""
    days_to_the_top: float | None
    meter: float
    """At the end."""
    paid: float
    """To the players, for prizes that are a part of the meter."""
    cost: float
    """Seeds that the house has put on the meter: the first one, and one for each time that the whole was taken."""


def expected(meter: Progressive, pace: Pace, days: int, wins: RoundWins) -> Expected:
    """A round adds its contributions and takes on average a fixed part of what is there, so the mean of the meter goes
    from round to round by one linear step; after n of them it has come nearer to its limit by a power of n."""
    rounds, top = pace.rounds_a_day * days, float(wins.reset)
    left = _mean_meter(meter, pace, days, float(wins.taken), top)
    cost = meter.seed_cents * (1 + rounds * top)
    taken = cost + contributed(meter, pace, days) - left  # what went in and is not there
    return Expected(
        hits=rounds * float(wins.prizes),
        top_hits=rounds * top,
        first_hit=_first_hit(pace, days, float(wins.hit)),
        days_to_a_hit=1 / float(wins.hit) / pace.rounds_a_day,
        days_to_the_top=1 / top / pace.rounds_a_day if top else None,
        meter=left,
        paid=taken * float(wins.paid / wins.taken),
        cost=cost,
    )


def contributed(meter: Progressive, pace: Pace, days: int) -> float:
    """By the players, in cents."""
    return float(meter.contribution) * pace.wagers_a_day * days


def _mean_meter(meter: Progressive, pace: Pace, days: int, taken: float, top: float) -> float:
    # m becomes (m + added) * (1 - taken) + top * seed.
    added = float(meter.contribution) * pace.seats_at_a_table
    limit = (added * (1 - taken) + top * meter.seed_cents) / taken
    kept = np.exp(pace.rounds_a_day * days * log1p(-taken))
    return float(limit + (meter.seed_cents - limit) * kept)


def _first_hit(pace: Pace, days: int, hit: float) -> float:
    """In days; the whole time where there was none, as in a run."""
    rounds = pace.rounds_a_day * days
    return -float(np.expm1(rounds * log1p(-hit))) / hit / pace.rounds_a_day


class Between(NamedTuple):
    """A mean that is not known, and what it cannot be below or above."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of the expectation, for whatever the seats of a round win together; in cents where it is money."""

    hits: Between
    top_hits: Between
    first_hit: Between
    meter: Between
    cost: Between


def bounds(meter: Progressive, pace: Pace, days: int) -> Bounds:
    """A line is won at least as often as one seat wins it, and at most as often as all seats do if never two of them
    win in one round. So much for every figure that goes one way with it; the meter falls with what is taken and rises
    with the seeds, so each of its bounds takes the one at its least and the other at its most."""
    rounds = pace.rounds_a_day * days
    least, most = one_seat(meter.prizes), never_two(meter.prizes, pace.seats_at_a_table)
    parts = sum((prize.share for prize in meter.prizes if prize.share < 1), Fraction(0))
    # Smaller lines that may make up a whole meter reset it too, but not more often than they take of it on average.
    top = Between(float(least.reset), float(most.reset if parts < 1 else most.taken))
    return Bounds(
        hits=Between(rounds * float(least.prizes), rounds * float(most.prizes)),
        top_hits=Between(rounds * top.least, rounds * top.most),
        first_hit=Between(_first_hit(pace, days, float(most.hit)), _first_hit(pace, days, float(least.hit))),
        meter=Between(
            _mean_meter(meter, pace, days, float(most.taken), top.least),
            _mean_meter(meter, pace, days, float(least.taken), top.most),
        ),
        cost=Between(meter.seed_cents * (1 + rounds * top.least), meter.seed_cents * (1 + rounds * top.most)),
    )
