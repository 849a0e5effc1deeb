"""How far the actual return of many rounds lies from the expected one, by the normal distribution, and when that holds.

>>> from cardroom.odds.result import Ending
>>> coin = Odds("", "", "", {}, (Ending("heads", "1 to 1", 1, Fraction(1)), Ending("tails", "loss", 1, Fraction(-1))))
>>> [round(float(end), 4) for end in band(coin, 10_000, NORMAL["95%"])], skewness(coin), fair_from(coin)
([0.9804, 1.0196], 0.0, 1)
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isqrt
from typing import Final, NamedTuple

from cardroom.odds.netted import netted
from cardroom.odds.result import Odds

NORMAL: Final = {"90%": Fraction(1645, 1000), "95%": Fraction(1960, 1000), "99%": Fraction(2576, 1000)}
"""How many standard deviations on either side hold so much of a normal distribution."""
ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
COCHRAN: Final = 25
"""Cochran's rule: a mean is nearly normal from 25 times the square of the skewness on."""


class Band(NamedTuple):
    """Of the return to the player, as a part of what is wagered before the deal."""

    low: Fraction
    high: Fraction


def band(odds: Odds, rounds: int, deviations: Fraction) -> Band:
    """Within so many standard deviations of the expected return, for odds whose return is known."""
    assert odds.house_edge is not None
    assert odds.standard_deviation is not None
    middle = 1 - odds.house_edge
    half = deviations * Fraction(odds.standard_deviation) / odds.initial_wager / _root(rounds)
    return Band(middle - half, middle + half)


def _root(rounds: int) -> Fraction:
    return Fraction(isqrt(rounds * 10**24), 10**12)


def skewness(odds: Odds) -> float:
    """The third central moment of a round's net result over the cube of the deviation: far above 0 where rare large
    prizes carry the return."""
    assert odds.expected_return is not None
    assert odds.standard_deviation is not None
    meter, mean = odds.meter or Fraction(0), odds.expected_return
    third = sum((line.combinations * (line.at(meter) - mean) ** 3 for line in netted(odds)), Fraction(0))
    cube = odds.standard_deviation**3
    return float(third / odds.combinations) / cube if cube else 0.0


def fair_from(odds: Odds) -> int:
    """From how many rounds on the normal distribution is a fair approximation."""
    return max(ceil(COCHRAN * skewness(odds) ** 2), 1)
