"""Blocks of simulated rounds and their tally."""

import pickle
import signal
import threading
from collections.abc import Callable

import numpy as np
import pytest

from cardroom.errors import BadInput
from cardroom.games import UnknownGame
from cardroom.odds.simulation import runner as simulation
from cardroom.odds.simulation.runner import BLOCK_ROUNDS, PreparedTable, ProgressMonitor, simulate, simulator
from cardroom.odds.simulation.tally import SimulationTally, WagerTally, tally_to_json
from tests.odds.simulation.at_the_table import open_table, prepared

GAMES = ["three-card-prime", "dueling-for-dollars"]


@pytest.fixture(scope="module", params=GAMES)
def ready(request: pytest.FixtureRequest) -> PreparedTable:
    return prepared(open_table(request.param))


ROUNDS = 3 * BLOCK_ROUNDS + 12345


def test_any_number_of_threads_gives_the_same_tally(ready: PreparedTable) -> None:
    tallies = [simulate(ready, ROUNDS, seed=5, workers=workers) for workers in (1, 2, 3)]
    assert [tally.rounds for tally in tallies] == [ROUNDS] * 3
    assert all((tally.counts == tallies[0].counts).all() for tally in tallies)


def test_blocks_add_up_in_any_order(ready: PreparedTable) -> None:
    tally = simulate(ready, ROUNDS, seed=5)
    backwards = sum(ready.run_block(5, block, size) for block, size in reversed(list(simulation.split_blocks(ROUNDS))))
    assert (tally.counts == backwards).all()


def test_the_same_seed_gives_the_same_rounds_and_another_one_others(ready: PreparedTable) -> None:
    counts = [ready.run_block(seed, 0, 100_000).tolist() for seed in (1, 1, 2)]
    assert counts[0] == counts[1] != counts[2]
    assert ready.run_block(1, 1, 100_000).tolist() != counts[0]


def test_a_longer_block_begins_with_the_rounds_of_a_shorter_one(ready: PreparedTable) -> None:
    assert (ready.round_outcomes(3, 7, 2000)[:777] == ready.round_outcomes(3, 7, 777)).all()


def test_counts_are_those_of_the_rounds_one_by_one(ready: PreparedTable) -> None:
    places, counts = ready.round_outcomes(2**64 - 1, 4, 50_001), ready.run_block(2**64 - 1, 4, 50_001)
    for at, (start, end) in enumerate(zip(ready.starts, ready.starts[1:], strict=False)):
        assert np.bincount(places[:, at], minlength=end - start).tolist() == counts[start:end].tolist()


def test_a_prepared_table_can_be_sent_to_another_machine(ready: PreparedTable) -> None:
    sent = pickle.loads(pickle.dumps(ready))
    assert (sent.run_block(1, 2, 5000) == ready.run_block(1, 2, 5000)).all()
    assert sent.wagers == ready.wagers


def stopped(
    ready: PreparedTable, how: Callable[[int], None], stop: Callable[[], bool] | None = None
) -> SimulationTally:
    return simulate(
        ready, 10_000 * BLOCK_ROUNDS, 9, workers=2, monitor=ProgressMonitor(lambda done, _: how(done), stop)
    )


def check_whole_blocks(ready: PreparedTable, tally: SimulationTally) -> None:
    assert 3 * BLOCK_ROUNDS <= tally.rounds < 100 * BLOCK_ROUNDS
    assert tally.rounds % BLOCK_ROUNDS == 0
    assert tally.wagers[0].odds.combinations == tally.rounds
    for wager in tally.wagers:
        assert sum(wager.counts) == tally.rounds


def test_a_stopped_simulation_returns_the_complete_blocks(ready: PreparedTable) -> None:
    enough = threading.Event()
    tally = stopped(ready, lambda done: enough.set() if done >= 3 * BLOCK_ROUNDS else None, enough.is_set)
    check_whole_blocks(ready, tally)


def test_an_interruption_from_the_keyboard_loses_no_complete_block(ready: PreparedTable) -> None:
    def interrupt(done: int) -> None:
        if done == 3 * BLOCK_ROUNDS:
            signal.raise_signal(signal.SIGINT)

    check_whole_blocks(ready, stopped(ready, interrupt))


def test_a_simulation_stopped_at_once_is_empty(ready: PreparedTable) -> None:
    tally = simulate(ready, BLOCK_ROUNDS, 1, monitor=ProgressMonitor(should_stop=lambda: True))
    assert tally.rounds == 0
    assert tally.wagers == ()


def test_progress_is_reported_up_to_the_last_round(ready: PreparedTable) -> None:
    reports: list[tuple[int, int]] = []
    simulate(ready, ROUNDS, 1, monitor=ProgressMonitor(lambda done, total: reports.append((done, total))))
    assert reports[-1] == (ROUNDS, ROUNDS)
    assert len(reports) == 4
    assert sorted(reports) == reports


@pytest.mark.parametrize("rounds", [0, -1, 2**60])
def test_a_number_of_rounds_that_cannot_be_played_is_refused(ready: PreparedTable, rounds: int) -> None:
    with pytest.raises(BadInput, match=f"^{rounds} rounds"):
        simulate(ready, rounds, 1)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_that_the_generator_cannot_take_is_refused(ready: PreparedTable, seed: int) -> None:
    with pytest.raises(BadInput, match=f"{seed}"):
        simulate(ready, 1, seed)


def test_a_simulation_without_threads_is_refused(ready: PreparedTable) -> None:
    with pytest.raises(BadInput, match="0 threads"):
        simulate(ready, 1, 1, workers=0)


@pytest.mark.parametrize("slug", GAMES)
def test_an_unknown_strategy_is_refused(slug: str) -> None:
    with pytest.raises(BadInput, match="'lucky'"):
        prepared(open_table(slug), "lucky")


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame, match="'snap'"):
        simulator("snap")


def test_the_json_has_simulated_and_exact_figures_side_by_side(ready: PreparedTable) -> None:
    tally = simulate(ready, 100_000, 3)
    entries = tally_to_json(tally)
    assert [entry["wager"] for entry in entries] == [wager.slug for wager in ready.wagers]
    for entry, wager in zip(entries, tally.wagers, strict=True):
        assert (entry["method"], entry["rounds"]) == ("simulated", 100_000)
        assert wager.exact_mean is not None
        assert entry["standard_error"] == wager.standard_error
        assert entry["z"] == pytest.approx(float(wager.mean - wager.exact_mean) / exact_error(wager, 100_000))
        assert entry["expected_return"]["value"] == float(wager.mean)
        assert entry["exact_return"] == float(wager.exact_mean)
        assert sum(line["count"] for line in entry["lines"]) == 100_000
        assert sum(line["exact"] for line in entry["lines"]) == pytest.approx(1)


def exact_error(wager: WagerTally, rounds: int) -> float:
    exact = wager.exact_odds
    assert exact is not None
    assert exact.standard_deviation is not None
    return exact.standard_deviation / rounds**0.5
