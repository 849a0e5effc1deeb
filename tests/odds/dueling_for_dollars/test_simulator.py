"""Simulated rounds of Dueling for Dollars against the rules and against the exact figures."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from cardroom.games import WagerLimits, WagerSetup, game
from cardroom.odds.simulation.runner import simulate
from tests.odds.simulation.at_the_table import (
    check_against_exact,
    check_against_the_rules,
    check_each_ending,
    open_table,
    prepared,
)

SLUG = "dueling-for-dollars"


@pytest.mark.parametrize("decks", [5, 6, 8])
@pytest.mark.parametrize(
    "options",
    [
        {"duel_spots": "player-dealer", "tie_after_tie_bonus": False, "burn": True},
        {"duel_spots": "play", "tie_after_tie_bonus": True, "burn": False},
    ],
)
def test_wagers_have_the_same_outcome_at_the_table_as_in_the_simulation(
    options: Mapping[str, str | bool], decks: int
) -> None:
    table = open_table(SLUG, options, decks)
    check_against_the_rules(table, prepared(table), 500)


def test_rare_outcomes_are_those_of_the_table_too() -> None:
    table = open_table(SLUG, {"tie_after_tie_bonus": True}, two_plus_two="PT-BJS-DFD-22-02")
    check_each_ending(table, prepared(table), 1_000_000, seed=8, examples=8)


def test_without_two_plus_two_no_cards_are_added_and_the_rest_is_unchanged() -> None:
    everything = open_table(SLUG)
    wagers = {slug: wager for slug, wager in everything.setup.wagers.items() if slug != "two-plus-two"}
    fewer = game(SLUG).open(replace(everything.setup, wagers=wagers))
    assert (
        prepared(everything).round_outcomes(1, 0, 20_000)[:, :4] == prepared(fewer).round_outcomes(1, 0, 20_000)
    ).all()


def test_jackpot_prizes_that_grow_with_the_wager_have_the_figures_for_one_dollar() -> None:
    table = open_table(SLUG)
    wagers = dict(table.setup.wagers)
    wagers["two-plus-two"] = WagerSetup(WagerLimits(5_00, 5_00, 5_00), wagers["two-plus-two"].paytable)
    dearer = game(SLUG).open(replace(table.setup, wagers=wagers))
    assert prepared(dearer).wagers[4].outcomes == prepared(table).wagers[4].outcomes
    check_against_the_rules(dearer, prepared(dearer), 200)


def test_the_basic_strategy_goes_to_war_like_the_best_play() -> None:
    table = open_table(SLUG)
    best, simple = prepared(table), prepared(table, "simple")
    assert best.wagers == simple.wagers
    assert (best.round_outcomes(1, 0, 10_000) == simple.round_outcomes(1, 0, 10_000)).all()


def test_ten_million_rounds_agree_with_the_exact_figures() -> None:
    check_against_exact(simulate(prepared(open_table(SLUG)), 10**7, seed=20260101))
