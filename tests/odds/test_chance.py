"""Tails of distributions, against values from printed tables."""

from __future__ import annotations

import math

import pytest

from cardroom.odds.statistics import adjust_p_values, chi_square_p, normal_p, poisson_p


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (9.210, 2, 0.01),
        (18.307, 10, 0.05),
        (23.209, 10, 0.01),
        (3.247, 10, 0.975),
        (124.342, 100, 0.05),
        (77.929, 100, 0.95),
        (1.145, 5, 0.95),
    ],
)
def test_a_chi_square_has_the_tail_that_tables_print(statistic: float, degrees: int, p: float) -> None:
    assert chi_square_p(statistic, degrees) == pytest.approx(p, abs=5e-5)


def test_a_chi_square_of_two_degrees_is_exponential_by_series_and_fraction() -> None:
    for statistic in (0.01, 0.5, 1, 2, 3.9, 4.1, 10, 100, 600):
        assert chi_square_p(statistic, 2) == pytest.approx(math.exp(-statistic / 2), rel=1e-12)


@pytest.mark.parametrize("z", [-3.0, -1.0, 0.0, 0.5, 2.0, 3.0])
def test_a_chi_square_of_many_degrees_is_nearly_normal(z: float) -> None:
    """By Wilson and Hilferty's cube root, which is good to some 1e-6 at so many degrees."""
    degrees = 96_721
    spread = 2 / (9 * degrees)
    statistic = degrees * (1 - spread + z * math.sqrt(spread)) ** 3
    assert chi_square_p(statistic, degrees) == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, abs=2e-6)


def test_a_chi_square_of_zero_is_certain_and_a_huge_one_impossible() -> None:
    assert chi_square_p(0, 5) == chi_square_p(-1, 5) == 1
    assert chi_square_p(5_000, 5) < 1e-300
    with pytest.raises(ValueError, match="0"):
        chi_square_p(1, 0)


def test_a_normal_has_both_of_its_tails() -> None:
    assert normal_p(0) == 1
    assert normal_p(1.959964) == pytest.approx(0.05, abs=1e-7)
    assert normal_p(-2.575829) == pytest.approx(0.01, abs=1e-7)


@pytest.mark.parametrize("mean", [0.3, 4.0, 30.75])
@pytest.mark.parametrize("count", [0, 1, 5, 31, 60])
def test_a_count_has_the_tails_that_its_terms_add_up_to(mean: float, count: int) -> None:
    terms = [math.exp(-mean + k * math.log(mean) - math.lgamma(k + 1)) for k in range(400)]
    tails = sum(terms[: count + 1]), sum(terms[count:])
    assert poisson_p(count, mean) == pytest.approx(min(1, 2 * min(tails)), rel=1e-6, abs=1e-14)


def test_many_tests_together_reject_no_sooner_than_one() -> None:
    assert adjust_p_values([0.2]) == (0.2,)
    assert adjust_p_values([0.5, 0.001, 0.5]) == (1.0, 0.003, 1.0)
    assert adjust_p_values([]) == ()
