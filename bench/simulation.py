"""Simulation: rounds per second on two cores, and the same rounds played one by one by the rules in plain Python."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import process_time
from typing import Final

import numpy as np

from bench.measure import Figure, Promise, in_turns, second_run
from bench.result_table import Sheet
from cardroom.games import Table, default_setup, game, game_slugs
from cardroom.odds.simulation.deals import fill_words
from cardroom.odds.simulation.rules_engine import Bets, WagerResult, group_bets, replay_round, wager_results
from cardroom.odds.simulation.runner import PreparedTable, SimulatedRound, simulate, simulator

SUBJECT: Final = "simulation"
CORES: Final = 2
MOST_DRAWS: Final = {
    "deuces-wild": 28.0,
    "three-card-prime": 23.0,
    "texas-shootout": 38.0,
    "dueling-for-dollars": 9.0,
    "three-card-double-play": 54.0,
}
"""The time limit of a round with every wager, in draws of four random numbers."""
ROUNDS: Final = 2**26
DRAWN, AT_A_TIME = 2**20, 2**14
PLAIN_ROUNDS: Final = 300
SEED: Final = 2024
LONG_ENOUGH: Final = 3.0
"""Seconds of measurement."""
AGAINST: Final = "of the plain round"
NOTE: Final = (
    "One player on every spot, best strategy. The plain round uses the cards and the decisions of the same rounds; it "
    f"deals, plays, and settles them by the rules. The first {PLAIN_ROUNDS} rounds are checked to pay the "
    "same both ways."
)

MEMORY_GAME: Final = "dueling-for-dollars"
FEW, MANY = 2**24, 2**28
MOST_GROWTH: Final = 1.2


class Disagreement(Exception):
    """A round has different outcomes in the simulation and at the table."""


def sheets() -> list[Sheet]:
    rates = [_rates(slug) for slug in game_slugs()]
    return [
        Sheet("Simulated rounds, two cores", tuple(simulated for simulated, _ in rates), NOTE),
        Sheet("The same rounds by the rules, in plain Python, one core", tuple(plain for _, plain in rates)),
        Sheet(f"Memory of a simulation ({game(MEMORY_GAME).facts.name})", tuple(_memory())),
    ]


def _rates(slug: str) -> tuple[Figure, Figure]:
    """The rates of the simulation and of the plain round."""
    table = _table(slug)
    prepared = simulator(slug).prepare(table)
    simulated_rounds = [prepared.simulated_round(SEED, 0, turn) for turn in range(PLAIN_ROUNDS)]
    bets = group_bets(table)
    _check(prepared, [_plain_round(table, bets, simulated_round) for simulated_round in simulated_rounds])
    plain = PLAIN_ROUNDS / second_run(
        lambda: [_plain_round(table, bets, simulated_round) for simulated_round in simulated_rounds], LONG_ENOUGH
    )
    timed = in_turns(
        lambda: simulate(prepared, ROUNDS, SEED, workers=CORES),
        lambda: draw_on_all_cores(ROUNDS),
        LONG_ENOUGH,
        process_time,
    )
    simulated = ROUNDS / timed.seconds
    promise = Promise("drawing four numbers", timed.yardsticks, MOST_DRAWS[slug], at_least=False)
    what = f"{game(slug).facts.name}, {len(prepared.wagers)} wagers"
    return (
        Figure(what, simulated, "rounds/s", promise, ratios={AGAINST: simulated / plain}),
        Figure(what, plain, "rounds/s"),
    )


def _table(slug: str) -> Table:
    """A table with every wager at one dollar: the simulation has one unit on every spot, and some rules compare the
    sizes of two wagers (TS-3)."""
    rules, setup = game(slug), default_setup(slug)
    wagers = {
        name: replace(wager, limits=replace(wager.limits, minimum=1_00, step=1_00))
        for name, wager in setup.wagers.items()
    }
    return rules.open(replace(setup, wagers=wagers))


def _plain_round(table: Table, bets: Sequence[Bets], simulated_round: SimulatedRound) -> dict[str, WagerResult]:
    """One round with every wager; if the rules do not allow all at once, in as few rounds as possible."""
    results: dict[str, WagerResult] = {}
    for together in bets:
        results |= wager_results(table, replay_round(simulated_round, table, together))
    return results


def _check(prepared: PreparedTable, settled: Sequence[dict[str, WagerResult]]) -> None:
    places = prepared.round_outcomes(SEED, 0, len(settled)).tolist()
    for turn, (round_, row) in enumerate(zip(settled, places, strict=True)):
        for wager, place in zip(prepared.wagers, row, strict=True):
            simulated, by_rules = wager.outcomes[place], round_[wager.slug]
            if (simulated.net, simulated.wagered) != (by_rules.net, by_rules.wagered):
                raise Disagreement(
                    f"{prepared.game}, round {turn}: {wager.slug} ends as {simulated} and as {by_rules}."
                )


def draw_on_all_cores(times: int) -> None:
    """The random generator of the rounds alone, on as many threads."""
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(_draw_block, range(times // DRAWN)))


def _draw_block(block: int) -> None:
    words = np.empty((4, AT_A_TIME), np.uint32)
    for first in range(0, DRAWN, AT_A_TIME):
        fill_words(words, first, block, 0, 0, np.uint64(SEED))


def _memory() -> list[Figure]:
    _peak(FEW)  # compiles all kernels
    few, many = _peak(FEW), _peak(MANY)
    return [
        Figure("peak memory, 2^24 rounds", few, "MB"),
        Figure(
            "peak memory, 2^28 rounds",
            many,
            "MB",
            Promise("that of 2^24 rounds", many / few, MOST_GROWTH, at_least=False),
        ),
    ]


def _peak(rounds: int) -> float:
    """The peak memory of a separate process."""
    words = [sys.executable, "-m", "bench.simulation_once", MEMORY_GAME, str(rounds)]
    run = subprocess.run(words, check=True, capture_output=True, text=True)
    return float(json.loads(run.stdout)["megabytes"])
