"""Progressives over the years against their exact expectation."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from cardroom.faults import BadInput
from cardroom.odds.rounds.progressives import Pace, Prize, Progressive, expected, over_the_years, progressive
from tests.odds.simulated import open_table, prepared

PACE = Pace(rounds_an_hour=40, hours_a_day=12, seats=5)
TOP = Prize("royal", Fraction(1), Fraction(1, 20_000))
PART = Prize("straight-flush", Fraction(1, 10), Fraction(1, 1500))
METER = Progressive((TOP, PART), seed_cents=5_000_00, contribution=Fraction(28))


def step_by_step(meter: Progressive, wagers: int) -> tuple[float, float]:
    """The mean of the meter and of what was paid, wager by wager."""
    mean, paid = float(meter.seed_cents), 0.0
    for _ in range(wagers):
        mean += float(meter.contribution)
        paid += mean * float(meter.taken)
        mean += -mean * float(meter.taken) + float(meter.top_probability) * meter.seed_cents
    return mean, paid


def test_the_exact_expectation_is_that_of_going_wager_by_wager() -> None:
    exact = expected(METER, PACE, days=30)
    mean, paid = step_by_step(METER, exact.wagers)
    assert exact.wagers == 30 * 40 * 12 * 5
    assert exact.meter == pytest.approx(mean)
    assert exact.paid == pytest.approx(paid)
    assert exact.days_to_the_top == pytest.approx(20_000 / 2400)
    assert exact.hits == pytest.approx(exact.wagers * (1 / 20_000 + 1 / 1500))


def test_the_runs_agree_with_the_exact_expectation() -> None:
    years = over_the_years(METER, PACE, days=2 * 365, runs=3000, seed=20261116)
    assert all(abs(z) < 4 for z in years.z().values()), years.z()
    assert set(years.z()) == {"hits", "top_hits", "paid", "meter"}
    error = years.first_hit.std() / len(years.first_hit) ** 0.5
    assert abs(years.first_hit.mean() - years.exact.days_to_a_hit) < 4 * error


def test_no_cent_is_lost_between_players_house_and_meter() -> None:
    years = over_the_years(METER, PACE, days=365, runs=200, seed=3)
    went_in = years.cost + int(years.exact.contributed)
    assert (np.abs(went_in - years.paid - years.meters) <= 1).all()


def test_the_time_to_the_first_hit_is_geometric() -> None:
    meter = Progressive((TOP,), 0, Fraction(1))
    years = over_the_years(meter, PACE, days=30, runs=20_000, seed=1)
    later = float((years.first_hit >= 10).mean())
    exact = exp(-10 * 2400 / 20_000)
    assert abs(later - exact) < 4 * (exact * (1 - exact) / 20_000) ** 0.5
    assert (years.hits == years.top_hits).all()


def test_a_meter_that_is_never_hit_grows_by_what_is_wagered() -> None:
    years = over_the_years(
        Progressive((Prize("royal", Fraction(1), Fraction(1, 10**15)),), 100, Fraction(1, 3)), PACE, 10, 3, 1
    )
    assert years.meters.tolist() == [100 + 24_000 // 3] * 3
    assert years.fan((50,))[50][0] == 100
    assert years.first_hit.tolist() == [10.0] * 3
    assert years.highest.tolist() == years.meters.tolist()


def test_the_chances_of_a_jackpot_wager_come_from_its_exact_odds() -> None:
    wager = prepared(open_table("three-card-prime")).wagers[4]
    meter = progressive(wager, 1_000_00, Fraction(20))
    assert [prize.event for prize in meter.prizes] == [ending.event for ending in wager.endings if ending.percent]
    assert meter.prizes[0].share == 1
    assert Fraction(1, 2_000_000) < meter.top_probability < Fraction(1, 200_000)


def test_the_same_seed_gives_the_same_years() -> None:
    one, same, other = (over_the_years(METER, PACE, 60, 20, seed).paths for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_a_wager_without_a_meter_is_refused() -> None:
    wager = prepared(open_table("three-card-prime")).wagers[1]
    with pytest.raises(BadInput, match="The prime wager has no meter: table PRW-1 pays no percentage"):
        progressive(wager, 100, Fraction(1))


@pytest.mark.parametrize(
    ("pace", "days", "runs", "sentence"),
    [
        (Pace(0, 12, 5), 10, 1, "0 rounds an hour make no progressive"),
        (Pace(40, 25, 5), 10, 1, "A day has 24 hours, not 25"),
        (PACE, 0, 1, "0 days make no progressive"),
        (PACE, 10, 0, "0 runs make no progressive"),
        (PACE, 10, 10**9, "1000000000 runs are too many"),
        (PACE, 10**7, 10**5, "hits each take too long"),
    ],
)
def test_years_that_cannot_be_simulated_are_refused(pace: Pace, days: int, runs: int, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        over_the_years(METER, pace, days, runs, seed=1)


def test_stopped_early_it_gives_the_runs_that_were_over() -> None:
    done: list[int] = []
    stopped = over_the_years(METER, PACE, 30, 1000, 5, lambda so_far, _: done.append(so_far), lambda: len(done) == 7)
    whole = over_the_years(METER, PACE, 30, 7, 5)
    assert done == [1, 2, 3, 4, 5, 6, 7]
    assert (stopped.paths == whole.paths).all()
    assert (stopped.paid == whole.paid).all()
    with pytest.raises(BadInput, match="nothing to tell"):
        over_the_years(METER, PACE, 30, 1000, 5, stop=lambda: True)
