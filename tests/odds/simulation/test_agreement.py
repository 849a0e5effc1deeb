"""Simulated rounds are compared with the figures: the mean by its z, the outcomes by chi-square."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import erfc, exp, inf, sqrt

import pytest

from cardroom.odds.result import Odds, WagerOutcome
from cardroom.odds.simulation.tally import measure_agreement
from cardroom.odds.statistics import chi_square_p

DIE = Odds(
    "",
    "",
    "",
    {},
    (
        WagerOutcome("six", "5 to 1", 1_000, Fraction(5)),
        WagerOutcome("edge", "100 to 1", 1, Fraction(100)),
        WagerOutcome("corner", "200 to 1", 2, Fraction(200)),
        WagerOutcome("other", "loss", 5_000, Fraction(-1)),
    ),
)


@pytest.mark.parametrize("x", [0.01, 0.5, 1.0, 3.0, 10.0, 60.0, 300.0])
def test_the_p_value_is_the_known_one_for_one_two_and_four_degrees(x: float) -> None:
    assert chi_square_p(x, 1) == pytest.approx(erfc(sqrt(x / 2)), rel=1e-9)
    assert chi_square_p(x, 2) == pytest.approx(exp(-x / 2), rel=1e-9)
    assert chi_square_p(x, 4) == pytest.approx(exp(-x / 2) * (1 + x / 2), rel=1e-9)


def test_rare_outcomes_are_combined_until_five_are_expected() -> None:
    # In 6,003 rounds, 1 and 2 of the rare outcomes are expected: together fewer than 5, so the next rarest joins them.
    agreement = measure_agreement(DIE, (1_000, 1, 2, 5_000))
    assert (agreement.cells, agreement.degrees, agreement.chi_square) == (2, 1, 0.0)
    often = measure_agreement(DIE, (100_000, 100, 200, 500_000))
    assert (often.cells, often.chi_square, often.p) == (4, 0.0, 1.0)


def test_counts_that_are_far_off_are_detected() -> None:
    agreement = measure_agreement(DIE, (1_300, 0, 0, 4_703))
    assert agreement.p is not None
    assert agreement.p < 1e-6
    assert agreement.z is not None
    assert abs(agreement.z) > 1


def test_an_observed_impossible_outcome_has_probability_zero() -> None:
    never = replace(DIE, distribution=(*DIE.distribution, WagerOutcome("ghost", "1 to 1", 0, Fraction(1))))
    assert measure_agreement(never, (1_000_000, 1_000, 2_000, 5_000_000, 0)).p == 1.0
    haunted = measure_agreement(never, (1_000_000, 1_000, 2_000, 5_000_000, 1))
    assert (haunted.chi_square, haunted.p) == (inf, 0.0)


def test_simulated_figures_widen_both_tests() -> None:
    counts = (101_500, 100, 200, 498_500)
    exact, simulated = measure_agreement(DIE, counts), measure_agreement(replace(DIE, simulated_rounds=600_300), counts)
    assert exact.z is not None
    assert simulated.z is not None
    assert simulated.z == pytest.approx(exact.z / sqrt(2))
    assert simulated.chi_square == pytest.approx(exact.chi_square / 2)
