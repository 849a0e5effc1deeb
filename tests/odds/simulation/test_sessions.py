"""Sessions against exact results."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from cardroom.errors import BadInput
from cardroom.games import game
from cardroom.odds.prices import PriceRequest
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.deals import Places, fill_words
from cardroom.odds.simulation.runner import PreparedTable, SimulatedRound
from cardroom.odds.simulation.sessions import (
    FIRST_BLOCK,
    STAGE_ROUNDS,
    SessionPlan,
    SimulatedSessions,
    bets_by_wager,
    net_cents,
    play_sessions,
)
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.paytables import Basis, Paytable
from tests.odds.simulation.at_the_table import open_table, prepared

WAGER = "duel"


@dataclass(frozen=True)
class Coin(PreparedTable):
    """Even money, with a probability in units of 2**-32."""

    wagers: tuple[WagerPlan, ...]
    heads: int

    def run_block(self, seed: int, block: int, rounds: int) -> np.ndarray:
        return np.bincount(self.round_outcomes(seed, block, rounds)[:, 0], minlength=2)

    def round_outcomes(self, seed: int, block: int, rounds: int) -> Places:
        words = np.empty((4, rounds), np.uint32)
        fill_words(words, 0, block, 0, 0, np.uint64(seed))
        return (self.heads <= words[:1].T).astype(np.int16)

    def simulated_round(self, seed: int, block: int, turn: int) -> SimulatedRound:  # noqa: ARG002
        raise AssertionError("a coin has no cards")


def coin(chance: Fraction) -> Coin:
    request = PriceRequest("dueling-for-dollars", WAGER, Paytable("", "", "", Basis.TO_ONE, ()), {})
    endings = WagerOutcome("heads", "1 to 1", 0, Fraction(1)), WagerOutcome("tails", "loss", 0, Fraction(-1))
    return Coin((WagerPlan(request, endings, (chance, 1 - chance)),), int(chance * 2**32))


def sessions(
    chance: Fraction, plan: SessionPlan, number: int = 20_000, workers: int | None = None
) -> SimulatedSessions:
    return play_sessions(coin(chance), plan, {WAGER: plan.bets["play"]}, number, 20261116, workers=workers)


def test_the_risk_of_ruin_is_that_of_the_gamblers_ruin() -> None:
    chance, units, goal = Fraction(48, 100), 10, 20
    played = sessions(chance, SessionPlan(10_00, {"play": 1_00}, max_rounds=10_000, target=20_00))
    odds = (1 - chance) / chance
    ruin = float((odds**units - odds**goal) / (1 - odds**goal))
    assert abs(played.risk_of_ruin - ruin) < 4 * played.risk_error
    assert played.risk_of_ruin + played.has_reached_target.mean() == 1
    # Each round costs a fortieth of the wager, so the mean result gives the mean number of rounds (Wald).
    mean_rounds = (goal * (1 - ruin) - units) / float(2 * chance - 1)
    assert played.mean_rounds == pytest.approx(mean_rounds, rel=0.03)


def test_a_fair_game_ruins_half_of_the_players_with_a_target_of_twice_the_bankroll() -> None:
    played = sessions(Fraction(1, 2), SessionPlan(5_00, {"play": 1_00}, max_rounds=10_000, target=10_00))
    assert abs(played.risk_of_ruin - 0.5) < 4 * played.risk_error
    assert played.mean_rounds == pytest.approx(25, rel=0.04)  # bankroll times distance to the target


def test_results_after_a_few_rounds_are_binomial() -> None:
    rounds = 10
    played = sessions(Fraction(1, 2), SessionPlan(100_00, {"play": 1_00}, max_rounds=rounds))
    assert played.risk_of_ruin == 0
    assert set(played.rounds.tolist()) == {rounds}
    wins = np.bincount((played.results // 1_00 + rounds) // 2, minlength=rounds + 1) / len(played.results)
    for won, share in enumerate(wins):
        exact = comb(rounds, won) / 2**rounds
        assert abs(share - exact) < 4.5 * (exact * (1 - exact) / len(played.results)) ** 0.5
    assert played.result_percentiles([50]) == [0]


def test_a_player_with_less_than_a_round_can_cost_is_ruined() -> None:
    played = sessions(Fraction(0), SessionPlan(10_50, {"play": 1_00}, max_rounds=1000), 3)
    assert played.final_bankrolls.tolist() == [50] * 3
    assert played.rounds.tolist() == [10] * 3
    assert played.risk_of_ruin == 1


def test_the_fan_begins_with_the_bankroll_and_ends_with_the_results() -> None:
    played = sessions(Fraction(49, 100), SessionPlan(20_00, {"play": 1_00}, max_rounds=500), 2000)
    fan = played.fan((10, 50, 90))
    assert all(row[0] == 20_00 for row in fan.values())
    assert played.checkpoints[[0, -1]].tolist() == [0, 500]
    assert len(played.checkpoints) == 101
    assert [row[-1] - 20_00 for row in fan.values()] == played.result_percentiles([10, 50, 90])
    assert all(low <= high for low, high in zip(fan[10], fan[90], strict=True))


def test_any_number_of_threads_plays_the_same_sessions() -> None:
    plan = SessionPlan(20_00, {"play": 1_00}, max_rounds=5000)
    one, three = (sessions(Fraction(49, 100), plan, 300, workers) for workers in (1, 3))
    assert (one.paths == three.paths).all()
    assert (one.rounds == three.rounds).all()


PRIME = open_table("three-card-prime")
BETS = {"ante-play": 10_00, "prime": 5_00, "all-six": 2_00, "final-four": 1_00}
EMPTY = {"final-four": 0}


def test_all_wagers_of_a_round_are_won_and_lost_on_the_same_cards() -> None:
    ready = prepared(PRIME)
    plan = SessionPlan(100_000_00, BETS, max_rounds=5000)
    played = play_sessions(ready, plan, bets_by_wager(PRIME, plan), 20, seed=5, meters=EMPTY)
    assert played.max_round_cost == 2 * 10_00 + 5_00 + 2_00 + 1_00
    places = [
        ready.round_outcomes(5, FIRST_BLOCK + 2 * 3 + stage, rounds) for stage, rounds in enumerate((STAGE_ROUNDS, 904))
    ]
    together = np.concatenate(places)
    total = 0
    for at, wager in enumerate(ready.wagers):
        cents = BETS.get(wager.slug, 0)
        for place, count in enumerate(np.bincount(together[:, at])):
            total += int(count) * int(wager.outcomes[place].net * cents)
    assert played.results[3] == total


def test_the_mean_of_many_sessions_agrees_with_the_exact_figures() -> None:
    ready = prepared(PRIME)
    plan = SessionPlan(100_000_00, BETS, max_rounds=1000)
    played = play_sessions(ready, plan, bets_by_wager(PRIME, plan), 3000, seed=6, meters=EMPTY)
    assert played.mean_round_result is not None
    exact = sum(
        float(chance * ending.net) * BETS.get(wager.slug, 0)
        for wager in ready.wagers
        for chance, ending in zip(wager.probabilities or (), wager.outcomes, strict=True)
    )
    assert float(played.mean_round_result) == pytest.approx(exact)
    error = float(played.results.std()) / len(played.results) ** 0.5
    assert abs(played.mean_result - 1000 * exact) < 4 * error


def test_a_meter_pays_its_part_on_a_hit() -> None:
    ready = prepared(PRIME)
    plan = SessionPlan(100_000_00, BETS, max_rounds=1000)
    empty, full = (
        play_sessions(ready, plan, bets_by_wager(PRIME, plan), 2, seed=6, meters={"final-four": cents})
        for cents in (0, 10_000_00)
    )
    assert empty.mean_round_result is not None
    assert full.mean_round_result is not None
    part = sum(
        chance * ending.percent
        for chance, ending in zip(ready.wagers[4].probabilities or (), ready.wagers[4].outcomes, strict=True)
    )
    assert full.mean_round_result - empty.mean_round_result == pytest.approx(part * 10_000_00, rel=1e-6)


def test_a_wager_that_depends_on_a_meter_is_not_played_without_one() -> None:
    plan = SessionPlan(100_000_00, BETS, max_rounds=1000)
    with pytest.raises(BadInput, match="final-four"):
        play_sessions(prepared(PRIME), plan, bets_by_wager(PRIME, plan), 2, seed=6)


def test_a_prize_in_dollars_does_not_grow_with_the_wager() -> None:
    setup = PRIME.setup
    wagers = dict(setup.wagers)
    bonuses = {"same-color-player-and-dealer": "$40", "same-color-player": "3", "other": "loss"}
    wagers["prime"] = replace(wagers["prime"], paytable="PRW-2", bonuses=bonuses)
    table = game("three-card-prime").open(replace(setup, wagers=wagers))
    nets = net_cents(prepared(table), {"prime": 5_00}, {})
    assert nets[1][:3].tolist() == [40_00, 15_00, -5_00]


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"bankroll": 5_00}, r"\$5 .*\$28"),
        ({"target": 50_00}, r"\$50"),
        ({"max_rounds": 0}, "0 rounds"),
        ({"bets": {"ante-play": 3_00}}, r"\$3 on ante-play"),
        ({"bets": {"prime": 1_00}}, "Ante and Play"),
    ],
)
def test_a_session_that_cannot_be_played_is_refused(change: dict[str, object], detail: str) -> None:
    plan = replace(SessionPlan(100_00, BETS, max_rounds=10), **change)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=detail):
        play_sessions(prepared(PRIME), plan, bets_by_wager(PRIME, plan), 10, seed=1)


@pytest.mark.parametrize("number", [0, -1])
def test_a_number_of_sessions_that_cannot_be_played_is_refused(number: int) -> None:
    plan = SessionPlan(100_00, BETS, 10)
    with pytest.raises(BadInput, match=f"{number} sessions"):
        play_sessions(prepared(PRIME), plan, bets_by_wager(PRIME, plan), number, seed=1)
