"""Simulated rounds played again through the game's own rules, for the tests."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from cardroom.games import Table, game
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.rules_engine import WagerResult, replay_round, wager_results
from cardroom.odds.simulation.runner import BLOCK_ROUNDS, PreparedTable, simulate
from cardroom.odds.simulation.tally import SimulationTally

Same = Callable[[str, WagerOutcome, WagerResult], bool]
"""Whether a wager's outcome has the name that the settlement uses."""


def without(table: Table, *slugs: str) -> Table:
    """The table without some wagers."""
    wagers = {slug: wager for slug, wager in table.setup.wagers.items() if slug not in slugs}
    return game(table.facts.slug).open(replace(table.setup, wagers=wagers))


def by_the_same_name(ending: WagerOutcome, outcome: WagerResult) -> bool:
    """For wagers that a paytable alone decides; an event that no line pays is "other" in the list of outcomes."""
    return ending.trigger in (*outcome.triggers, "other")


def turns_worth_a_look(prepared: PreparedTable, seed: int, plain: int) -> list[int]:
    """The first rounds of a block, and one round of every outcome in the whole block."""
    places = prepared.round_outcomes(seed, 0, BLOCK_ROUNDS)
    found = set(range(plain))
    for column in places.T:
        found.update(np.unique(column, return_index=True)[1].tolist())
    return sorted(found)


def assert_settled_alike(
    prepared: PreparedTable,
    table: Table,
    bets: Sequence[Mapping[str, int]],
    seed: int,
    turns: Iterable[int],
    same: Same,
) -> None:
    """Every simulated round ends as the game settles it, wager by wager. ``bets`` are the wagers to play together."""
    chosen = list(turns)
    places = prepared.round_outcomes(seed, 0, max(chosen) + 1)
    for turn in chosen:
        laid = prepared.simulated_round(seed, 0, turn)
        settled: dict[str, WagerResult] = {}
        for together in bets:
            settled |= wager_results(table, replay_round(laid, table, together))
        assert settled.keys() == {wager.slug for wager in prepared.wagers}
        for wager, place in zip(prepared.wagers, places[turn].tolist(), strict=True):
            ending, outcome = wager.outcomes[place], settled[wager.slug]
            assert (ending.net, ending.wagered) == (outcome.net, outcome.wagered), (turn, laid, ending, outcome)
            assert same(wager.slug, ending, outcome), (turn, laid, ending, outcome)


def assert_close(tally: SimulationTally, errors: float = 4.0) -> None:
    """Every wager's mean is within this many standard errors of the exact one, and every outcome's frequency nearly so.
    Rare outcomes, for which the normal distribution does not apply, are not much too frequent."""
    for wager in tally.wagers:
        assert wager.z is not None
        assert abs(wager.z) < errors, (wager.plan.slug, wager.z)
        assert sum(wager.counts) == tally.rounds
        for line in wager.lines:
            assert line.exact is not None
            expected = line.exact * tally.rounds
            if expected > 25:
                assert line.z is not None
                assert abs(line.z) < errors + 1, (wager.plan.slug, line)
            else:
                assert line.count < expected + 6 * sqrt(expected) + 6, (wager.plan.slug, line)


def assert_counts_do_not_depend_on_who_counts(prepared: PreparedTable, rounds: int, seed: int) -> None:
    """The counts are the same on one thread or several, in one piece or several, and after pickling."""
    one, several = (simulate(prepared, rounds, seed, workers=workers) for workers in (1, 3))
    assert one.counts.tolist() == several.counts.tolist()
    sent: PreparedTable = pickle.loads(pickle.dumps(prepared))
    assert sent.run_block(seed, 1, 2000).tolist() == prepared.run_block(seed, 1, 2000).tolist()
    places = prepared.round_outcomes(seed, 1, 2000)
    counted = [
        np.bincount(column, minlength=len(wager.outcomes))
        for column, wager in zip(places.T, prepared.wagers, strict=True)
    ]
    assert np.concatenate(counted).tolist() == prepared.run_block(seed, 1, 2000).tolist()
    assert prepared.round_outcomes(seed, 1, 700).tolist() == places[:700].tolist()
    assert prepared.round_outcomes(seed + 1, 1, 700).tolist() != places[:700].tolist()
    assert prepared.round_outcomes(seed, 2, 700).tolist() != places[:700].tolist()
