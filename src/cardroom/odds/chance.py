"""How likely chance alone is to give what was counted: tails of the chi-square, normal and Poisson distributions.

>>> round(chi_square_p(18.307, 10), 4), round(normal_p(1.96), 4)
(0.05, 0.05)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

_CLOSE: Final = 1e-15
_TINY: Final = 1e-300


def chi_square_p(statistic: float, degrees: int) -> float:
    """The probability of a chi-square of so many degrees of freedom that is this large or larger."""
    if degrees < 1:
        raise ValueError(f"A chi-square has one degree of freedom or more; {degrees} is fewer.")
    if statistic == math.inf:
        return 0.0
    return _upper_gamma(degrees / 2, statistic / 2) if statistic > 0 else 1.0


def normal_p(z: float) -> float:
    """The probability of so many standard deviations or more, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def poisson_p(count: int, mean: float) -> float:
    """The probability of a count as far from the mean as this one: twice the smaller tail, the count itself in both.

    >>> round(poisson_p(9, 4.0), 4)
    0.0427
    """
    # A count is at most c as often as a chi-square of 2(c + 1) degrees is above twice the mean.
    at_most = chi_square_p(2 * mean, 2 * (count + 1))
    at_least = 1 - chi_square_p(2 * mean, 2 * count) if count else 1.0
    return min(1.0, 2 * min(at_most, at_least))


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted probabilities: one below the level rejects, however many tests were made together.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted, highest = [0.0] * len(values), 0.0
    for done, at in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - done) * values[at]))
        adjusted[at] = highest
    return tuple(adjusted)


def _upper_gamma(a: float, x: float) -> float:
    """The upper incomplete gamma function over the whole: by its series below the middle, by its continued fraction
    above it, where each of them comes to an end soon."""
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        above = a
        while term > total * _CLOSE:
            above += 1
            term *= x / above
            total += term
        return max(0.0, 1 - front * total)
    # The continued fraction, from the front by Lentz's way.
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
