"""Statistics of wagers: tails of distributions, outcomes by net result, and the spread of the actual return.

The tails of the chi-square, normal, and Poisson distributions give the probability that chance alone produces the
observed counts.

>>> round(chi_square_p(18.307, 10), 4), round(normal_p(1.96), 4)
(0.05, 0.05)

Outcomes that pay the same on one table may still differ in the net result of the round, because of a raise or a second
hand. Outcomes grouped by net result are enough to compute return, deviation, and hit frequency.

>>> from cardroom.odds.result import WagerOutcome
>>> won = WagerOutcome("pair", "1 to 1", 2, Fraction(1)), WagerOutcome("flush", "1 to 1", 1, Fraction(1))
>>> ends = *won, WagerOutcome("other", "loss", 5, Fraction(-1))
>>> [(str(line.net), line.combinations, line.hit) for line in group_by_net(Odds("", "", "", {}, ends))]
[('1', 3, True), ('-1', 5, False)]

The confidence band of the actual return of many rounds, by the normal distribution, and the rounds from which it
applies.

>>> from cardroom.odds.result import WagerOutcome
>>> sides = WagerOutcome("heads", "1 to 1", 1, Fraction(1)), WagerOutcome("tails", "loss", 1, Fraction(-1))
>>> coin = Odds("", "", "", {}, sides)
>>> [round(float(end), 4) for end in confidence_band(coin, 10_000, Z_SCORES["95%"])]
[0.9804, 1.0196]
>>> skewness(coin), rounds_until_normal(coin)
(0.0, 1)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt
from typing import Final, NamedTuple

from cardroom.odds.result import Odds

_CLOSE: Final = 1e-15
_TINY: Final = 1e-300


def chi_square_p(statistic: float, degrees: int) -> float:
    """The probability of a chi-square this large or larger with these degrees of freedom."""
    if degrees < 1:
        raise ValueError(f"A chi-square has at least one degree of freedom, not {degrees}.")
    if statistic == math.inf:
        return 0.0
    return _upper_gamma(degrees / 2, statistic / 2) if statistic > 0 else 1.0


def normal_p(z: float) -> float:
    """The probability of a value this many standard deviations or more from the mean, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def poisson_p(count: int, mean: float) -> float:
    """The probability of a count as far from the mean as this one: twice the smaller tail. Each tail includes the
    count.

    >>> round(poisson_p(9, 4.0), 4)
    0.0427
    """
    # P(count <= c) = P(chi-square with 2(c + 1) degrees of freedom > twice the mean).
    at_most = chi_square_p(2 * mean, 2 * (count + 1))
    at_least = 1 - chi_square_p(2 * mean, 2 * count) if count else 1.0
    return min(1.0, 2 * min(at_most, at_least))


def adjust_p_values(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted probabilities. A value below the level rejects, for any number of tests made together.

    >>> adjust_p_values([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return tuple(adjusted)


def _upper_gamma(a: float, x: float) -> float:
    """The regularized upper incomplete gamma function: by its series below the middle, by its continued fraction above
    it, where each converges fast."""
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        above = a
        while term > total * _CLOSE:
            above += 1
            term *= x / above
            total += term
        return max(0.0, 1 - front * total)
    # The continued fraction, from the front, by Lentz's method.
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    fraction, step = d, 0
    while True:
        step += 1
        top = -step * (step - a)
        b += 2
        d = 1 / (top * d + b or _TINY)
        c = b + top / c or _TINY
        fraction *= c * d
        if abs(c * d - 1) < _CLOSE:
            return min(1.0, front * fraction)


@dataclass(frozen=True, slots=True)
class NetOutcome:
    """All outcomes with one net result, in units of the base wager."""

    net: Fraction
    """Without what comes off a meter."""
    percent: Fraction
    """The part of the meter that it wins."""
    wagered: Fraction
    """By the end of the round, raises included."""
    hit: bool
    """Whether it counts toward the hit frequency."""
    combinations: int

    def net_at(self, meter: Fraction) -> Fraction:
        """The net result with this meter, in wagers."""
        return self.net + self.percent * meter


def group_by_net(odds: Odds) -> tuple[NetOutcome, ...]:
    """Every possible net result, the best first."""
    counts: dict[tuple[Fraction, Fraction, Fraction, bool], int] = {}
    for outcome in odds.distribution:
        if outcome.combinations:
            key = outcome.percent, outcome.net, outcome.wagered, outcome.is_hit or bool(outcome.percent)
            counts[key] = counts.get(key, 0) + outcome.combinations
    return tuple(
        NetOutcome(net, percent, wagered, hit, counts[percent, net, wagered, hit])
        for percent, net, wagered, hit in sorted(counts, reverse=True)
    )


Z_SCORES: Final = {"90%": Fraction(1645, 1000), "95%": Fraction(1960, 1000), "99%": Fraction(2576, 1000)}
"""The standard deviations on either side that contain this part of a normal distribution."""
BAND_ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
COCHRAN_FACTOR: Final = 25
"""Cochran's rule: the mean of at least 25 times the square of the skewness is nearly normal."""


class ConfidenceBand(NamedTuple):
    """An interval of the return to the player, as a part of the wager before the deal."""

    low: Fraction
    high: Fraction


def confidence_band(odds: Odds, rounds: int, deviations: Fraction) -> ConfidenceBand:
    """The interval within this many standard deviations of the expected return, for odds with a known return."""
    assert odds.house_edge is not None
    assert odds.standard_deviation is not None
    middle = 1 - odds.house_edge
    half = deviations * Fraction(odds.standard_deviation) / odds.initial_wager / _root(rounds)
    return ConfidenceBand(middle - half, middle + half)


def _root(rounds: int) -> Fraction:
    return Fraction(isqrt(rounds * 10**24), 10**12)


def skewness(odds: Odds) -> float:
    """The third central moment of a round's net result over the cube of the deviation. It is far above 0 if rare large
    prizes make up the return."""
    assert odds.expected_return is not None
    assert odds.standard_deviation is not None
    meter, mean = odds.meter or Fraction(0), odds.expected_return
    third = sum((line.combinations * (line.net_at(meter) - mean) ** 3 for line in group_by_net(odds)), Fraction(0))
    cube = odds.standard_deviation**3
    return float(third / odds.combinations) / cube if cube else 0.0


def rounds_until_normal(odds: Odds) -> int:
    """The number of rounds from which the normal distribution is a fair approximation."""
    return max(ceil(COCHRAN_FACTOR * skewness(odds) ** 2), 1)
