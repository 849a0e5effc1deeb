"""Simulated rounds of Three Card Prime against the rules and against the exact figures."""

import pytest

from cardroom.games import TableSetup, WagerLimits, WagerSetup, game
from cardroom.odds import pricer
from cardroom.odds.simulation.runner import simulate
from tests.odds.simulation.at_the_table import (
    check_against_exact,
    check_against_the_rules,
    check_each_ending,
    open_table,
    prepared,
)

SLUG = "three-card-prime"


def test_every_wager_has_the_same_outcome_at_the_table_as_in_the_simulation() -> None:
    table = open_table(SLUG)
    check_against_the_rules(table, prepared(table), 500)


def test_the_basic_strategy_is_played_as_its_text_says() -> None:
    table = open_table(SLUG, ante_play="PW/BB 3")
    check_against_the_rules(table, prepared(table, "simple"), 300, seed=2)


def test_rare_outcomes_are_those_of_the_table_too() -> None:
    table = open_table(SLUG, all_six="A6-2", final_four="F4P-2", all_seven="A7P-3", pair_bonus="PB 2+PB/LD 3")
    check_each_ending(table, prepared(table), 1_000_000, seed=11, examples=5)


def test_a_table_with_fewer_wagers_plays_the_same_cards() -> None:
    everything = open_table(SLUG)
    few = TableSetup(
        SLUG,
        {
            "ante-play": everything.setup.wagers["ante-play"],
            "all-seven": everything.setup.wagers["all-seven"],
            "prime": WagerSetup(WagerLimits(1_00, 5_00, 1_00), "PRW-1"),
        },
    )
    all_six, three = prepared(everything), prepared(game(SLUG).open(few))
    assert [wager.slug for wager in three.wagers] == ["ante-play", "all-seven", "prime"]
    assert (all_six.round_outcomes(1, 0, 5000)[:, [0, 5, 1]] == three.round_outcomes(1, 0, 5000)).all()


@pytest.mark.parametrize("strategy", ["best", "simple"])
def test_ten_million_rounds_agree_with_the_exact_figures(strategy: str) -> None:
    check_against_exact(simulate(prepared(open_table(SLUG), strategy), 10**7, seed=20260101))


def test_the_basic_strategy_returns_what_its_price_says() -> None:
    table = open_table(SLUG)
    best, simple = (prepared(table, strategy).wagers[0] for strategy in ("best", "simple"))
    strategy = pricer(SLUG).basic_strategy("ante-play", best.request.table, {})
    for wager, returns in ((best, strategy.best_return), (simple, strategy.expected_return)):
        assert wager.probabilities is not None
        mean = sum(chance * ending.net for chance, ending in zip(wager.probabilities, wager.outcomes, strict=True))
        assert mean == returns
