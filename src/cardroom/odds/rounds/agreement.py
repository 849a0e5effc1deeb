"""Whether simulated rounds agree with the figures: the mean by its z, the endings by chi-square.

>>> sides = Ending("heads", "1 to 1", 1, Fraction(1)), Ending("tails", "loss", 1, Fraction(-1))
>>> found = agreement(Odds("toss", "heads", "", {}, sides), (5_100, 4_900))
>>> round(found.z, 6), found.chi_square, found.degrees, round(found.p, 4)
(2.0, 4.0, 1, 0.0455)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt
from typing import Final

from cardroom.odds.chance import chi_square_p, holm, normal_p
from cardroom.odds.result import Ending, Odds

FEWEST_EXPECTED: Final = 5
"""In a cell: endings that are rarer are counted together, because chi-square is an approximation for many."""
LEVEL: Final = 0.01
"""Of all tests together: 99 % confidence, as GLI-19 asks."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """One wager, simulated and held against its figures."""

    rounds: int
    mean: Fraction
    """What a round won on average, in base units; of an empty meter where none was given."""
    z: float | None
    """By how many standard errors that differs from the expected return; None where nothing can vary."""
    chi_square: float
    cells: int

    @property
    def degrees(self) -> int:
        """Of freedom."""
        return self.cells - 1

    @property
    def p(self) -> float | None:
        """The chance of a chi-square as large or larger when the figures are right; None for a single cell."""
        return chi_square_p(self.chi_square, self.degrees) if self.degrees else None

    @property
    def p_values(self) -> tuple[float, ...]:
        """Of both tests, as far as they can be made: the mean by its z, the endings by chi-square."""
        of_mean = None if self.z is None else normal_p(self.z)
        return tuple(p for p in (of_mean, self.p) if p is not None)


def differing(found: Sequence[Agreement | None]) -> tuple[bool | None, ...]:
    """Which wagers differ from their figures at ``LEVEL``, all tests judged together by Holm's method; None where
    nothing was tested."""
    adjusted = iter(holm([p for one in found if one for p in one.p_values]))
    judged: list[bool | None] = []
    for one in found:
        values = [next(adjusted) for _ in one.p_values] if one else []
        judged.append(any(p < LEVEL for p in values) if values else None)
    return tuple(judged)


def agreement(odds: Odds, counts: Sequence[int]) -> Agreement:
    """Hold counts of endings against odds whose return is known. Odds that were simulated themselves have an error too:
    it widens every standard error, and rounds with a prize that they did not see are not compared."""
    exact, variance, rounds = odds.expected_return, odds.variance, sum(counts)
    assert exact is not None
    assert variance is not None
    nets = (ending.net + ending.percent * (odds.meter or 0) for ending in odds.endings)
    mean = sum((count * net for count, net in zip(counts, nets, strict=True)), Fraction(0)) / rounds
    priced, compared = priced_mean(odds, counts)
    wider = 1 + Fraction(compared, odds.simulated_rounds) if odds.simulated_rounds else Fraction(1)
    error = sqrt(variance * wider / compared) if compared else 0.0
    cells = list(_cells(odds, counts, compared))
    return Agreement(
        rounds=rounds,
        mean=mean,
        z=float(priced - exact) / error if error else None,
        chi_square=inf if _impossible(odds, counts) else _chi_square(cells, wider),
        cells=len(cells),
    )


def priced_mean(odds: Odds, counts: Sequence[int]) -> tuple[Fraction, int]:
    """What the rounds won on average that can be compared with the odds, and how many they are: all, but for those with
    a prize that the rounds of simulated odds did not win."""
    meter = odds.meter or Fraction(0)
    known = [(ending, count) for ending, count in zip(odds.endings, counts, strict=True) if _is_priced(odds, ending)]
    rounds = sum(count for _, count in known)
    won = sum((count * (ending.net + ending.percent * meter) for ending, count in known), Fraction(0))
    return (won / rounds if rounds else Fraction(0)), rounds


def _is_priced(odds: Odds, ending: Ending) -> bool:
    return bool(ending.combinations) or not odds.simulated_rounds


def _cells(odds: Odds, counts: Sequence[int], rounds: int) -> Iterator[tuple[Fraction, int]]:
    """Expected and found: an ending each, the rare ones together."""
    each = [
        (Fraction(rounds * ending.combinations, odds.combinations), count)
        for ending, count in zip(odds.endings, counts, strict=True)
        if _is_priced(odds, ending)
    ]
    often = sorted(cell for cell in each if cell[0] >= FEWEST_EXPECTED)
    rare = [cell for cell in each if cell[0] < FEWEST_EXPECTED]
    together = sum((cell[0] for cell in rare), Fraction(0)), sum(cell[1] for cell in rare)
    if rare and together[0] < FEWEST_EXPECTED and often:
        smallest = often.pop(0)
        together = together[0] + smallest[0], together[1] + smallest[1]
    if rare:
        yield together
    yield from often


def _impossible(odds: Odds, counts: Sequence[int]) -> bool:
    """Whether something happened that cannot happen. Odds that were simulated may have missed what is rare."""
    never = (not ending.combinations and not odds.simulated_rounds for ending in odds.endings)
    return any(count and missing for count, missing in zip(counts, never, strict=True))


def _chi_square(cells: Sequence[tuple[Fraction, int]], wider: Fraction) -> float:
    apart = sum(((found - expected) ** 2 / expected for expected, found in cells if expected), Fraction(0))
    return float(apart / wider)
