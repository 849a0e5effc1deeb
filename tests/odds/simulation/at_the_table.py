"""Simulated rounds compared with the rules: the table plays and settles each one again."""

from __future__ import annotations

from dataclasses import replace

from cardroom.games import Table, TableSetup, default_setup, game
from cardroom.games.setup import WagerSetup
from cardroom.odds.simulation.deals import Places
from cardroom.odds.simulation.rules_engine import group_bets, outcome_index, replay_round, wager_results
from cardroom.odds.simulation.runner import PreparedTable, simulator
from cardroom.odds.simulation.tally import SimulationTally


def open_table(
    slug: str, options: dict[str, str | bool] | None = None, decks: int | None = None, **tables: str
) -> Table:
    """A table with every wager, and with these options and printed tables (by wager, ``_`` for ``-``)."""
    setup: TableSetup = replace(default_setup(slug), options=options or {}, decks=decks)
    wagers = dict(setup.wagers)
    for name, table in tables.items():
        wager = name.replace("_", "-")
        wagers[wager] = WagerSetup(wagers[wager].limits, table)
    return game(slug).open(replace(setup, wagers=wagers))


def prepared(table: Table, strategy: str = "best") -> PreparedTable:
    return simulator(table.facts.slug).prepare(table, strategy)


def check_against_the_rules(table: Table, ready: PreparedTable, rounds: int, seed: int = 1, block: int = 0) -> None:
    """Every wager of every round has the same outcome at the table as in the simulation."""
    places = ready.round_outcomes(seed, block, rounds)
    for turn in range(rounds):
        check_round(table, ready, seed, block, turn, places[turn])


def check_round(table: Table, ready: PreparedTable, seed: int, block: int, turn: int, places: Places) -> None:
    """Every wager of one round."""
    simulated_round, results = ready.simulated_round(seed, block, turn), {}
    for bets in group_bets(table):
        results |= wager_results(table, replay_round(simulated_round, table, bets))
    assert set(results) == {wager.slug for wager in ready.wagers}
    for wager, place in zip(ready.wagers, places.tolist(), strict=True):
        assert outcome_index(results[wager.slug], wager) == place, (
            f"{wager.outcomes[place]} against {results[wager.slug]}, {simulated_round}"
        )


def check_each_ending(table: Table, ready: PreparedTable, rounds: int, seed: int, examples: int) -> None:
    """Some rounds with each observed outcome of each wager among this many."""
    places = ready.round_outcomes(seed, 0, rounds)
    for at, wager in enumerate(ready.wagers):
        for place in range(len(wager.outcomes)):
            for turn in (places[:, at] == place).nonzero()[0][:examples].tolist():
                check_round(table, ready, seed, 0, turn, places[turn])


def check_against_exact(tally: SimulationTally) -> None:
    """Every wager is within four standard errors of its exact figure, every outcome within five."""
    for wager in tally.wagers:
        assert wager.z is not None
        assert abs(wager.z) < 4, (wager.plan.slug, wager.z)
        assert all(line.z is None or abs(line.z) < 5 for line in wager.lines), wager.lines
