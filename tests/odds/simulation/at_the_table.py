"""Simulated rounds held against the rules: each one is laid on the table again and settled there."""

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
    """A table that offers everything, with some options and printed tables (by wager, ``_`` for ``-``)."""
    setup: TableSetup = replace(default_setup(slug), options=options or {}, decks=decks)
    wagers = dict(setup.wagers)
    for name, table in tables.items():
        wager = name.replace("_", "-")
        wagers[wager] = WagerSetup(wagers[wager].limits, table)
    return game(slug).open(replace(setup, wagers=wagers))


def prepared(table: Table, strategy: str = "best") -> PreparedTable:
    return simulator(table.facts.slug).prepare(table, strategy)


def check_against_the_rules(table: Table, ready: PreparedTable, rounds: int, seed: int = 1, block: int = 0) -> None:
    """Every wager of every round ends at the table as the simulation says."""
    places = ready.round_outcomes(seed, block, rounds)
    for turn in range(rounds):
        check_round(table, ready, seed, block, turn, places[turn])


def check_round(table: Table, ready: PreparedTable, seed: int, block: int, turn: int, places: Places) -> None:
    """Every wager of one round."""
    laid, told = ready.simulated_round(seed, block, turn), {}
    for bets in group_bets(table):
        told |= wager_results(table, replay_round(laid, table, bets))
    assert set(told) == {wager.slug for wager in ready.wagers}
    for wager, place in zip(ready.wagers, places.tolist(), strict=True):
        assert outcome_index(told[wager.slug], wager) == place, (
            f"{wager.outcomes[place]} against {told[wager.slug]}, {laid}"
        )


def check_each_ending(table: Table, ready: PreparedTable, rounds: int, seed: int, examples: int) -> None:
    """Some rounds with each ending of each wager that came up among so many."""
    places = ready.round_outcomes(seed, 0, rounds)
    for at, wager in enumerate(ready.wagers):
        for place in range(len(wager.outcomes)):
            for turn in (places[:, at] == place).nonzero()[0][:examples].tolist():
                check_round(table, ready, seed, 0, turn, places[turn])


def check_against_exact(tally: SimulationTally) -> None:
    """Every wager within four standard errors of its exact figure, every ending within five."""
    for wager in tally.wagers:
        assert wager.z is not None
        assert abs(wager.z) < 4, (wager.plan.slug, wager.z)
        assert all(line.z is None or abs(line.z) < 5 for line in wager.lines), wager.lines
