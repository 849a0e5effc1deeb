"""Simulation: rounds a second on two cores, and the same rounds played one by one by the rules in plain Python."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bench.measure import MILLION, Figure, second_run
from bench.sheet import Sheet
from cardroom.games import Table, default_setup, game, game_slugs
from cardroom.odds.rounds.by_the_rules import Bets, Outcome, bets_together, outcomes, replayed
from cardroom.odds.rounds.simulation import Laid, Prepared, simulate, simulator

SUBJECT: Final = "simulation"
CORES: Final = 2
PROMISED: Final = {
    "texas-shootout": 20 * MILLION,
    "three-card-prime": 40 * MILLION,
    "dueling-for-dollars": 100 * MILLION,
}
ROUNDS: Final = 2**26
PLAIN_ROUNDS: Final = 300
SEED: Final = 2024
LONG_ENOUGH: Final = 3.0
"""Seconds of measuring."""
AGAINST: Final = "of the plain round"
NOTE: Final = (
    "One player on every spot, best play. The plain round gets the cards and the decisions of the same rounds; it "
    f"deals, plays and settles them by the rules. The first {PLAIN_ROUNDS} were seen to pay the same both ways."
)

MEMORY_GAME: Final = "dueling-for-dollars"
FEW, MANY = 2**24, 2**28
MOST_GROWTH: Final = 32.0


class Disagreement(Exception):
    """A round that ends one way in the simulation and another way at the table."""


def sheets() -> list[Sheet]:
    rates = [_rates(slug) for slug in game_slugs()]
    return [
        Sheet("Simulated rounds, two cores", tuple(simulated for simulated, _ in rates), NOTE),
        Sheet("The same rounds by the rules, in plain Python, one core", tuple(plain for _, plain in rates)),
        Sheet(f"Memory of a simulation ({game(MEMORY_GAME).facts.name})", tuple(_memory())),
    ]


def _rates(slug: str) -> tuple[Figure, Figure]:
    """Of the simulation and of the plain round."""
    table = _table(slug)
    prepared = simulator(slug).prepare(table)
    laid = [prepared.laid(SEED, 0, turn) for turn in range(PLAIN_ROUNDS)]
    bets = bets_together(table)
    _check(prepared, [_plain_round(table, bets, one) for one in laid])
    plain = PLAIN_ROUNDS / second_run(lambda: [_plain_round(table, bets, one) for one in laid], LONG_ENOUGH)
    simulated = ROUNDS / second_run(lambda: simulate(prepared, ROUNDS, SEED, workers=CORES), LONG_ENOUGH)
    what = f"{game(slug).facts.name}, {len(prepared.wagers)} wagers"
    return (
        Figure(what, simulated, "rounds/s", PROMISED.get(slug), ratios={AGAINST: simulated / plain}),
        Figure(what, plain, "rounds/s"),
    )


def _table(slug: str) -> Table:
    """Every wager offered, and all of them for a dollar: the simulation has one unit on every spot, and some rules ask
    which of two wagers is the bigger one (TS-3)."""
    rules, setup = game(slug), default_setup(slug)
    wagers = {
        name: replace(wager, limits=replace(wager.limits, minimum=1_00, step=1_00))
        for name, wager in setup.wagers.items()
    }
    return rules.open(replace(setup, wagers=wagers))


def _plain_round(table: Table, bets: Sequence[Bets], laid: Laid) -> dict[str, Outcome]:
    """One round with every wager; where the rules do not allow so many at once, in as few rounds as they do."""
    found: dict[str, Outcome] = {}
    for together in bets:
        found |= outcomes(table, replayed(laid, table, together))
    return found


def _check(prepared: Prepared, settled: Sequence[dict[str, Outcome]]) -> None:
    places = prepared.each_round(SEED, 0, len(settled)).tolist()
    for turn, (round_, row) in enumerate(zip(settled, places, strict=True)):
        for wager, place in zip(prepared.wagers, row, strict=True):
            ending, outcome = wager.endings[place], round_[wager.slug]
            if (ending.net, ending.wagered) != (outcome.net, outcome.wagered):
                raise Disagreement(f"{prepared.game}, round {turn}: {wager.slug} ends as {ending} and as {outcome}.")


def _memory() -> list[Figure]:
    _peak(FEW)  # compiles what is not compiled yet
    few, many = _peak(FEW), _peak(MANY)
    return [
        Figure("most memory, 2^24 rounds", few, "MB", more_is_better=False),
        Figure("most memory, 2^28 rounds", many, "MB", more_is_better=False),
        Figure("more for 16 times the rounds", many - few, "MB", MOST_GROWTH, more_is_better=False),
    ]


def _peak(rounds: int) -> float:
    """Of a process that does nothing else."""
    words = [sys.executable, "-m", "bench.simulation_once", MEMORY_GAME, str(rounds)]
    run = subprocess.run(words, check=True, capture_output=True, text=True)
    return float(json.loads(run.stdout)["megabytes"])
