"""Simulated progressives against their exact expectation."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pytest

from cardroom.errors import BadInput
from cardroom.odds.simulation.meter_winners import (
    MeterPrize,
    RoundWins,
    WinCombination,
    exclusive_wins,
    single_seat_wins,
)
from cardroom.odds.simulation.progressive import (
    PlayPace,
    Progressive,
    build_progressive,
    compute_bounds,
    compute_expectation,
    simulate_progressive,
)
from cardroom.odds.simulation.runner import ProgressMonitor
from tests.odds.simulation.at_the_table import open_table, prepared

PACE = PlayPace(rounds_an_hour=40, hours_a_day=12, seats=5, tables=5)
ONE_TABLE = PlayPace(rounds_an_hour=40, hours_a_day=12, seats=5)
TOP = MeterPrize("royal", Fraction(1), Fraction(1, 20_000))
PART = MeterPrize("straight-flush", Fraction(1, 10), Fraction(1, 1500))
METER = Progressive((TOP, PART), seed_cents=5_000_00, contribution=Fraction(28))
ALONE = single_seat_wins(METER.prizes)


def step_by_step(meter: Progressive, wagers: int) -> tuple[float, float]:
    """The mean of the meter and of the payments, wager by wager."""
    mean, paid = float(meter.seed_cents), 0.0
    added, taken, reset = float(meter.contribution), float(ALONE.mean_taken), float(ALONE.reset_probability)
    for _ in range(wagers):
        mean += added
        paid += mean * taken
        mean += -mean * taken + reset * meter.seed_cents
    return mean, paid


def test_the_exact_expectation_is_that_of_going_wager_by_wager() -> None:
    exact, wagers = compute_expectation(METER, PACE, 30, ALONE), PACE.wagers_a_day * 30
    mean, paid = step_by_step(METER, wagers)
    assert wagers == 30 * 40 * 12 * 5
    assert exact.meter == pytest.approx(mean)
    assert exact.paid == pytest.approx(paid)
    assert exact.days_to_the_top == pytest.approx(20_000 / 2400)
    assert exact.hits == pytest.approx(wagers * (1 / 20_000 + 1 / 1500))


def test_the_runs_agree_with_the_exact_expectation() -> None:
    years = simulate_progressive(METER, PACE, days=2 * 365, runs=3000, seed=20261116)
    assert all(abs(z) < 4 for z in years.z_scores().values()), years.z_scores()
    assert set(years.z_scores()) == {"hits", "top_hits", "paid", "meter"}
    assert years.exact is not None
    error = years.first_hit.std() / len(years.first_hit) ** 0.5
    assert abs(years.first_hit.mean() - years.exact.first_hit) < 4 * error


def test_no_cent_is_lost_between_players_house_and_meter() -> None:
    years = simulate_progressive(METER, PACE, days=365, runs=200, seed=3)
    went_in = years.cost + int(years.contributions)
    assert (np.abs(went_in - years.paid - years.final_meters) <= 1).all()


def test_the_time_to_the_first_hit_is_geometric() -> None:
    meter = Progressive((TOP,), 0, Fraction(1))
    years = simulate_progressive(meter, PACE, days=30, runs=20_000, seed=1)
    later = float((years.first_hit >= 10).mean())
    exact = exp(-10 * 2400 / 20_000)
    assert abs(later - exact) < 4 * (exact * (1 - exact) / 20_000) ** 0.5
    assert (years.hits == years.top_hits).all()


def test_a_meter_that_is_never_hit_grows_by_what_is_wagered() -> None:
    years = simulate_progressive(
        Progressive((MeterPrize("royal", Fraction(1), Fraction(1, 10**15)),), 100, Fraction(1, 3)), PACE, 10, 3, 1
    )
    assert years.final_meters.tolist() == [100 + 24_000 // 3] * 3
    assert years.fan((50,))[50][0] == 100
    assert years.first_hit.tolist() == [10.0] * 3
    assert years.highest_meters.tolist() == years.final_meters.tolist()


def test_the_chances_of_a_jackpot_wager_come_from_its_exact_odds() -> None:
    wager = prepared(open_table("three-card-prime")).wagers[4]
    meter = build_progressive(wager, 1_000_00, Fraction(20))
    assert [prize.trigger for prize in meter.prizes] == [
        outcome.trigger for outcome in wager.outcomes if outcome.percent
    ]
    assert meter.prizes[0].share == 1
    assert Fraction(1, 2_000_000) < single_seat_wins(meter.prizes).reset_probability < Fraction(1, 200_000)


def test_the_same_seed_gives_the_same_years() -> None:
    one, same, other = (simulate_progressive(METER, PACE, 60, 20, seed).paths for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_a_wager_without_a_meter_is_refused() -> None:
    wager = prepared(open_table("three-card-prime")).wagers[1]
    with pytest.raises(BadInput, match=r"prime.*PRW-1"):
        build_progressive(wager, 100, Fraction(1))


@pytest.mark.parametrize(
    ("pace", "days", "runs", "detail"),
    [
        (PlayPace(0, 12, 5), 10, 1, "0 rounds an hour"),
        (PlayPace(40, 25, 5), 10, 1, "25"),
        (PlayPace(40, 12, 5, 0), 10, 1, "0 tables"),
        (PlayPace(40, 12, 5, 2), 10, 1, "5 seats.* 2 tables"),
        (PACE, 0, 1, "0 days"),
        (PACE, 10, 0, "0 runs"),
        (PACE, 10, 10**9, "1000000000 runs"),
        (PACE, 10**7, 10**5, "100000 runs"),
    ],
)
def test_a_progressive_that_cannot_be_simulated_is_refused(pace: PlayPace, days: int, runs: int, detail: str) -> None:
    with pytest.raises(BadInput, match=detail):
        simulate_progressive(METER, pace, days, runs, seed=1)


def test_a_simulation_that_is_stopped_returns_the_complete_runs() -> None:
    done: list[int] = []
    monitor = ProgressMonitor(lambda count, _: done.append(count), lambda: len(done) == 7)
    stopped = simulate_progressive(METER, PACE, 30, 1000, 5, monitor)
    whole = simulate_progressive(METER, PACE, 30, 7, 5)
    assert done == [1, 2, 3, 4, 5, 6, 7]
    assert (stopped.paths == whole.paths).all()
    assert (stopped.paid == whole.paid).all()
    with pytest.raises(BadInput):
        simulate_progressive(METER, PACE, 30, 1000, 5, monitor=ProgressMonitor(should_stop=lambda: True))


# Seats that share a round

# Two seats and a board of two sides. Each seat draws one of four cards: with the first it wins the whole meter if the
# board is heads, with the second a tenth of the meter. All 32 deals are equally likely.
BOARD_TOP = MeterPrize("royal", Fraction(1), Fraction(1, 8))
BOARD_PART = MeterPrize("straight-flush", Fraction(1, 10), Fraction(1, 4))
BOARD = Progressive((BOARD_TOP, BOARD_PART), seed_cents=1000, contribution=Fraction(7))
DEALS = list(product((True, False), range(4), range(4)))
THREE_ROUNDS = PlayPace(rounds_an_hour=1, hours_a_day=1, seats=2)


def lines_won(deal: tuple[bool, int, int]) -> tuple[MeterPrize, ...]:
    board, *cards = deal
    top, part = board and 0 in cards, 1 in cards
    return (BOARD_TOP,) * top + (BOARD_PART,) * part


def counted() -> RoundWins:
    ways = Counter(map(lines_won, DEALS))
    return RoundWins(
        tuple(WinCombination(lines, Fraction(count, len(DEALS))) for lines, count in ways.items() if lines)
    )


def test_winners_of_one_line_share_one_prize_and_cause_one_reset() -> None:
    wins = counted()
    assert wins.reset_probability == Fraction(
        7, 32
    )  # not the 8 of two independent seats with a probability of 1/8 each
    assert wins.mean_prizes == Fraction(7, 32) + Fraction(7, 16)
    assert (
        single_seat_wins(BOARD.prizes).reset_probability
        < wins.reset_probability
        < exclusive_wins(BOARD.prizes, 2).reset_probability
    )


def test_the_expectation_of_a_shared_board_is_that_of_every_deal() -> None:
    deals, days = len(DEALS) ** 3, 3
    left = paid = hits = resets = first = Fraction(0)
    for game in product(map(lines_won, DEALS), repeat=days):
        meter, found = Fraction(BOARD.seed_cents), None
        for day, lines in enumerate(game):
            meter += 2 * BOARD.contribution
            hits += len(lines)
            paid += sum((line.share * meter for line in lines), Fraction(0))  # each of the displayed meter (BJ-8)
            found = day + 1 if lines and found is None else found
            if BOARD_TOP in lines:
                meter, resets = Fraction(BOARD.seed_cents), resets + 1
            elif lines:
                meter -= meter / 10
        left += meter
        first += found or days
    exact = compute_expectation(BOARD, THREE_ROUNDS, days, counted())
    assert exact.meter == pytest.approx(float(left / deals))
    assert exact.paid == pytest.approx(float(paid / deals))
    assert exact.hits == pytest.approx(float(hits / deals))
    assert exact.top_hits == pytest.approx(float(resets / deals))
    assert exact.first_hit == pytest.approx(float(first / deals))
    assert exact.cost == pytest.approx(1000 * (1 + float(resets / deals)))


@pytest.mark.parametrize("days", [1, 3, 20, 1000])
def test_the_bounds_hold_for_a_shared_board(days: int) -> None:
    exact, between = (
        compute_expectation(BOARD, THREE_ROUNDS, days, counted()),
        compute_bounds(BOARD, THREE_ROUNDS, days),
    )
    for name in ("hits", "top_hits", "first_hit", "meter", "cost"):
        least, most = getattr(between, name)
        assert least <= getattr(exact, name) <= most, name
        assert least < most or (days == 1 and name == "first_hit")


def test_small_lines_that_together_take_a_whole_meter_reset_it() -> None:
    half, other = (MeterPrize(name, Fraction(1, 2), Fraction(1, 8)) for name in ("red", "black"))
    meter = Progressive((half, other), 1000, Fraction(7))
    wins = RoundWins((WinCombination((half, other), Fraction(1, 4)),))  # one seat is red if the other is black
    assert wins.reset_probability == wins.mean_taken == Fraction(1, 4)
    between = compute_bounds(meter, THREE_ROUNDS, 30)
    exact = compute_expectation(meter, THREE_ROUNDS, 30, wins)
    assert between.top_hits.least == 0 < exact.top_hits <= between.top_hits.most
    assert between.meter.least < exact.meter < between.meter.most


def test_runs_with_a_shared_board_agree_with_the_count() -> None:
    wins = RoundWins(tuple(WinCombination(way.prizes, way.probability / 1000) for way in counted().combinations))
    years = simulate_progressive(BOARD, ONE_TABLE, 365, 2000, seed=20261116, wins=wins)
    assert years.bounds is None
    assert set(years.z_scores()) == {"hits", "top_hits", "paid", "meter"}
    assert all(abs(z) < 4 for z in years.z_scores().values()), years.z_scores()
    apart = Progressive(
        tuple(MeterPrize(prize.trigger, prize.share, prize.probability / 1000) for prize in BOARD.prizes),
        1000,
        Fraction(7),
    )
    independent = compute_expectation(apart, ONE_TABLE, 365, exclusive_wins(apart.prizes, 2))
    error = years.top_hits.std() / len(years.top_hits) ** 0.5
    assert independent.top_hits - years.top_hits.mean() > 10 * error


def test_nothing_is_exact_if_joint_wins_are_not_counted() -> None:
    shared = simulate_progressive(METER, ONE_TABLE, 365, 200, seed=1)
    assert shared.exact is None
    assert shared.z_scores() == {}
    assert shared.bounds is not None
    assert shared.bounds.hits.most == pytest.approx(5 * shared.bounds.hits.least)
    assert shared.bounds.top_hits.least < shared.top_hits.mean() < 1.1 * shared.bounds.top_hits.most
    assert shared.bounds.meter.least < shared.final_meters.mean() < shared.bounds.meter.most
    for alone in (PACE, PlayPace(40, 12, 1)):
        years = simulate_progressive(METER, alone, 30, 2, seed=1)
        assert years.exact is not None
        assert years.bounds is None


def test_seats_that_would_win_more_than_every_round_are_refused() -> None:
    with pytest.raises(BadInput, match="4 seats"):
        simulate_progressive(BOARD, PlayPace(1, 1, 4), 3, 2, seed=1)
