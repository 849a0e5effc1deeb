"""The tally of a simulation, outcome by outcome, and whether it agrees with the exact figures.

The mean is compared by its z, the outcomes by chi-square.

>>> sides = WagerOutcome("heads", "1 to 1", 1, Fraction(1)), WagerOutcome("tails", "loss", 1, Fraction(-1))
>>> agreement = measure_agreement(Odds("toss", "heads", "", {}, sides), (5_100, 4_900))
>>> round(agreement.z, 6), agreement.chi_square, agreement.degrees, round(agreement.p, 4)
(2.0, 4.0, 1, 0.0455)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf, sqrt
from typing import Any, Final

import numpy as np

from cardroom.odds.result import Odds, WagerOutcome, to_json
from cardroom.odds.simulation.deals import Counts
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.odds.statistics import adjust_p_values, chi_square_p, normal_p

MIN_EXPECTED_COUNT: Final = 5
"""The least expected count of a cell: rarer outcomes are combined, because chi-square is an approximation for large
counts."""
LEVEL: Final = 0.01
"""The significance level of all tests together: 99% confidence, as GLI-19 requires."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """One simulated wager, compared with its exact figures."""

    rounds: int
    mean: Fraction
    """The average net result of a round in base units, with an empty meter if none is given."""
    z: float | None
    """Its difference from the expected return in standard errors; None if nothing can vary."""
    chi_square: float
    cells: int

    @property
    def degrees(self) -> int:
        """Degrees of freedom."""
        return self.cells - 1

    @property
    def p(self) -> float | None:
        """The probability of a chi-square as large or larger if the figures are right; None for a single cell."""
        return chi_square_p(self.chi_square, self.degrees) if self.degrees else None

    @property
    def p_values(self) -> tuple[float, ...]:
        """The probabilities of both tests, if they can be made: the mean by its z, the outcomes by chi-square."""
        of_mean = None if self.z is None else normal_p(self.z)
        return tuple(p for p in (of_mean, self.p) if p is not None)


def find_disagreements(agreements: Sequence[Agreement | None]) -> tuple[bool | None, ...]:
    """The wagers that differ from their figures at ``LEVEL``, all tests judged together by Holm's method; None if
    nothing was tested."""
    adjusted = iter(adjust_p_values([p for agreement in agreements if agreement for p in agreement.p_values]))
    verdicts: list[bool | None] = []
    for agreement in agreements:
        values = [next(adjusted) for _ in agreement.p_values] if agreement else []
        verdicts.append(any(p < LEVEL for p in values) if values else None)
    return tuple(verdicts)


def measure_agreement(odds: Odds, counts: Sequence[int]) -> Agreement:
    """Compare counts of outcomes with odds whose return is known. Simulated odds have an error of their own: it widens
    every standard error, and rounds with a prize that the odds' rounds did not win are not compared."""
    exact, variance, rounds = odds.expected_return, odds.variance, sum(counts)
    assert exact is not None
    assert variance is not None
    nets = (outcome.net + outcome.percent * (odds.meter or 0) for outcome in odds.distribution)
    mean = sum((count * net for count, net in zip(counts, nets, strict=True)), Fraction(0)) / rounds
    priced, compared = priced_mean(odds, counts)
    variance_factor = 1 + Fraction(compared, odds.simulated_rounds) if odds.simulated_rounds else Fraction(1)
    error = sqrt(variance * variance_factor / compared) if compared else 0.0
    cells = list(_cells(odds, counts, compared))
    return Agreement(
        rounds=rounds,
        mean=mean,
        z=float(priced - exact) / error if error else None,
        chi_square=inf if _has_impossible_outcome(odds, counts) else _chi_square(cells, variance_factor),
        cells=len(cells),
    )


def priced_mean(odds: Odds, counts: Sequence[int]) -> tuple[Fraction, int]:
    """The average of the rounds that can be compared with the odds, and their number: all except those with a prize
    that the rounds of simulated odds did not win."""
    meter = odds.meter or Fraction(0)
    priced_counts = [
        (outcome, count) for outcome, count in zip(odds.distribution, counts, strict=True) if _is_priced(odds, outcome)
    ]
    rounds = sum(count for _, count in priced_counts)
    total_net = sum((count * (outcome.net + outcome.percent * meter) for outcome, count in priced_counts), Fraction(0))
    return (total_net / rounds if rounds else Fraction(0)), rounds


def _is_priced(odds: Odds, outcome: WagerOutcome) -> bool:
    return bool(outcome.combinations) or not odds.simulated_rounds


def _cells(odds: Odds, counts: Sequence[int], rounds: int) -> Iterator[tuple[Fraction, int]]:
    """Expected and observed counts by outcome, the rare ones combined."""
    all_cells = [
        (Fraction(rounds * outcome.combinations, odds.combinations), count)
        for outcome, count in zip(odds.distribution, counts, strict=True)
        if _is_priced(odds, outcome)
    ]
    common_cells = sorted(cell for cell in all_cells if cell[0] >= MIN_EXPECTED_COUNT)
    rare_cells = [cell for cell in all_cells if cell[0] < MIN_EXPECTED_COUNT]
    merged_cell = sum((cell[0] for cell in rare_cells), Fraction(0)), sum(cell[1] for cell in rare_cells)
    if rare_cells and merged_cell[0] < MIN_EXPECTED_COUNT and common_cells:
        smallest = common_cells.pop(0)
        merged_cell = merged_cell[0] + smallest[0], merged_cell[1] + smallest[1]
    if rare_cells:
        yield merged_cell
    yield from common_cells


def _has_impossible_outcome(odds: Odds, counts: Sequence[int]) -> bool:
    """Whether an impossible outcome was observed. Simulated odds may have missed a rare one."""
    is_impossible = (not outcome.combinations and not odds.simulated_rounds for outcome in odds.distribution)
    return any(count and impossible for count, impossible in zip(counts, is_impossible, strict=True))


def _chi_square(cells: Sequence[tuple[Fraction, int]], variance_factor: Fraction) -> float:
    statistic = sum(((observed - expected) ** 2 / expected for expected, observed in cells if expected), Fraction(0))
    return float(statistic / variance_factor)


@dataclass(frozen=True)
class OutcomeComparison:
    """One outcome of a wager, simulated beside exact."""

    outcome: WagerOutcome
    count: int
    frequency: float
    net: Fraction | None
    """In base units, with its part of the meter; None if the meter is not given."""
    exact: float | None
    z: float | None
    """The difference of the count from the exact probability, in standard errors."""


@dataclass(frozen=True)
class WagerTally:
    """The results of one wager."""

    plan: WagerPlan
    counts: tuple[int, ...]
    rounds: int

    @property
    def depends_on_meter(self) -> bool:
        """Whether the return depends on a meter that is not given. The figures are then those of the fixed prizes."""
        return self.plan.request.meter is None and any(outcome.percent for outcome in self.plan.outcomes)

    @cached_property
    def odds(self) -> Odds:
        """The simulated figures; a meter that is not given counts as empty."""
        return self._odds(self.counts, self.rounds)

    @cached_property
    def exact_odds(self) -> Odds | None:
        """The exact figures, if they are known."""
        if self.plan.probabilities is None:
            return None
        denominator = np.lcm.reduce([probability.denominator for probability in self.plan.probabilities], dtype=object)
        return self._odds(
            tuple(int(probability * denominator) for probability in self.plan.probabilities), self.plan.priced_rounds
        )

    def _odds(self, counts: Sequence[int], rounds: int | None) -> Odds:
        request = self.plan.request
        outcomes = tuple(
            replace(outcome, combinations=count) for outcome, count in zip(self.plan.outcomes, counts, strict=True)
        )
        return Odds(
            game=request.game,
            wager=request.wager,
            paytable=request.table.name,
            options=dict(request.settings),
            distribution=outcomes,
            initial_wager=self.plan.initial_wager,
            meter=request.meter or Fraction(0),
            is_jackpot=request.is_jackpot,
            simulated_rounds=rounds,
            policy=self.plan.policy,
            exclusions=request.exclusions,
        )

    @property
    def mean(self) -> Fraction:
        """Base units won or lost per round, without the prizes of a meter that is not given."""
        assert self.odds.expected_return is not None
        return self.odds.expected_return

    @property
    def exact_mean(self) -> Fraction | None:
        """The limit of the mean; None if it is not known."""
        return self.exact_odds.expected_return if self.exact_odds else None

    @property
    def standard_error(self) -> float:
        """Of the mean, from the simulated rounds."""
        assert self.odds.standard_error is not None
        return self.odds.standard_error

    @property
    def hit_frequency(self) -> Fraction:
        """The share of simulated rounds that won."""
        return self.odds.hit_frequency

    @property
    def z(self) -> float | None:
        """The difference of the mean from the exact one, in exact standard errors: the error of the simulated rounds is
        too small until the rarest prizes are hit. A simulated price does not include prizes that its own rounds did not
        win: rounds that won such a prize are not compared."""
        exact = self.exact_odds
        if exact is None or exact.variance is None or exact.expected_return is None:
            return None
        mean, rounds = priced_mean(exact, self.counts)
        error = _error(float(exact.variance), rounds, self.plan.priced_rounds) if rounds else 0.0
        return float(mean - exact.expected_return) / error if error else None

    @property
    def unpriced_rounds(self) -> int:
        """Rounds that won a prize that no round of a simulated price won."""
        return self.rounds - priced_mean(self.exact_odds, self.counts)[1] if self.exact_odds else 0

    @cached_property
    def lines(self) -> tuple[OutcomeComparison, ...]:
        """Every outcome in the order of the exact figures."""
        probabilities = self.plan.probabilities or (None,) * len(self.counts)
        return tuple(
            self._line(outcome, count, exact)
            for outcome, count, exact in zip(self.plan.outcomes, self.counts, probabilities, strict=True)
        )

    def _line(self, outcome: WagerOutcome, count: int, exact: Fraction | None) -> OutcomeComparison:
        frequency, z = count / self.rounds, None
        if exact is not None:
            error = _error(float(exact * (1 - exact)), self.rounds, self.plan.priced_rounds)
            z = (frequency - float(exact)) / error if error else None
        meter = self.plan.request.meter
        net = None if outcome.percent and meter is None else outcome.net + outcome.percent * (meter or 0)
        return OutcomeComparison(outcome, count, frequency, net, None if exact is None else float(exact), z)


def _error(variance: float, rounds: int, priced_rounds: int | None) -> float:
    """The standard error of a difference; a simulated price has an error of its own."""
    return sqrt(variance / rounds + (variance / priced_rounds if priced_rounds else 0.0))


@dataclass(frozen=True)
class SimulationTally:
    """The result of a simulation."""

    plans: tuple[WagerPlan, ...]
    counts: Counts
    """The count of each outcome of each wager, the wagers one after the other."""
    rounds: int
    """The number of rounds played; fewer than requested if the simulation was stopped."""
    seed: int

    @cached_property
    def wagers(self) -> tuple[WagerTally, ...]:
        """Each wager, in the order of the layout; empty if no block was finished."""
        if not self.rounds:
            return ()
        ends = np.cumsum([0, *(len(plan.outcomes) for plan in self.plans)]).tolist()
        return tuple(
            WagerTally(plan, tuple(self.counts[start:end].tolist()), self.rounds)
            for plan, (start, end) in zip(self.plans, pairwise(ends), strict=True)
        )

    def wager(self, slug: str) -> WagerTally:
        """One wager."""
        return next(wager_tally for wager_tally in self.wagers if wager_tally.plan.slug == slug)


def tally_to_json(tally: SimulationTally) -> list[dict[str, Any]]:
    """The list that ``cardroom simulate --json`` prints: as for exact odds, with the exact figures added."""
    return [_wager_to_json(wager_tally) for wager_tally in tally.wagers]


def _wager_to_json(wager: WagerTally) -> dict[str, Any]:
    # A meter that is not given counts as empty, and the JSON says so: its "meter" is 0.
    entry = to_json(wager.odds)
    if wager.exact_mean is not None:
        entry["exact_return"] = float(wager.exact_mean)
        entry["z"] = wager.z
        if wager.plan.priced_rounds:
            entry["unpriced_rounds"] = wager.unpriced_rounds
    entry["lines"] = [
        {
            "event": line.outcome.trigger,
            "pays": line.outcome.pays,
            "net": float(line.outcome.net if line.net is None else line.net),
            "count": line.count,
            "frequency": line.frequency,
            "exact": line.exact,
            "z": line.z,
        }
        for line in wager.lines
    ]
    return entry
