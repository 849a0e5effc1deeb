"""Simulated rounds of 3 Card Double Play Poker against its rules and its exact odds."""

from __future__ import annotations

import pickle
from functools import cache

import pytest

from cardroom.games import Decision, Table
from cardroom.games.three_card_double_play.divisions import divisions
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.rules_engine import WagerResult
from cardroom.odds.simulation.runner import BadSimulation, simulate, simulator
from cardroom.odds.three_card_double_play.best_strategy import DEALER_EVENT, HIGH_ALONE_EVENT, MAIN
from cardroom.odds.three_card_double_play.simulator import SIMULATOR, PreparedDoublePlay
from tests.odds.simulation.at_the_table import open_table
from tests.odds.simulation.replayed import (
    assert_close,
    assert_counts_do_not_depend_on_who_counts,
    assert_settled_alike,
    by_the_same_name,
    turns_worth_a_look,
    without,
)
from tests.odds.three_card_double_play.by_hand import PRICER
from tests.odds.three_card_double_play.in_words import Reader, hand

SLUG = "three-card-double-play"
# A player may use four of the five spots.
BETS = (
    {"high-low": 10_00, "pick-3": 1_00, "pick-5": 1_00, "super-3s": 1_00},
    {"high-low": 10_00, "super-six": 1_00},
)


@cache
def table() -> Table:
    return open_table(SLUG)


@cache
def prepared() -> PreparedDoublePlay:
    return SIMULATOR.prepare(table())


@cache
def simple() -> PreparedDoublePlay:
    return SIMULATOR.prepare(table(), "simple")


def same(slug: str, ending: WagerOutcome, outcome: WagerResult) -> bool:
    if slug == MAIN:
        won = {
            HIGH_ALONE_EVENT: {"win-or-copy", "dealer-wins"},
            DEALER_EVENT: {"dealer-wins"},
        }.get(ending.trigger, {"win-or-copy", ending.trigger})
        return set(outcome.triggers) == won
    return by_the_same_name(ending, outcome)


def test_the_game_has_a_simulator() -> None:
    assert simulator(SLUG) is SIMULATOR


def test_simulated_rounds_end_as_the_game_settles_them() -> None:
    assert_settled_alike(prepared(), table(), BETS, 7, turns_worth_a_look(prepared(), 7, 300), same)


def test_rounds_on_another_table_end_as_the_game_settles_them() -> None:
    other = open_table(SLUG, high_low="LWB6", pick_3="P3-10")
    ready = SIMULATOR.prepare(other)
    assert ready.wagers[0].paytable == "LWB6"
    assert_settled_alike(ready, other, BETS, 11, range(150), same)


def test_the_seat_sets_and_doubles_as_the_exact_values_say() -> None:
    for turn in range(20):
        laid = prepared().simulated_round(3, 0, turn)
        hand = next(iter(laid.cards.values()))
        values = PRICER.hand_values(MAIN, table().offers[MAIN].paytable, {}, hand)
        set_as = laid.decisions["set"].groups
        played = Decision(laid.decisions["double"].verb, set_as)
        assert dict(values)[played] == values[0][1]


def test_ten_million_rounds_come_close_to_the_exact_odds_of_every_wager() -> None:
    assert_close(simulate(prepared(), 10_000_000, 20_260_702))


def test_counts_do_not_depend_on_threads_pieces_or_machines() -> None:
    assert_counts_do_not_depend_on_who_counts(prepared(), 2_500_000, 5)


def test_the_table_of_all_hands_is_not_sent_to_another_machine() -> None:
    prepared().run_block(1, 0, 10)
    assert len(pickle.dumps(prepared())) < 3_000_000


def test_a_table_may_leave_out_wagers_and_the_cards_stay_the_same() -> None:
    ready = SIMULATOR.prepare(without(table(), "pick-3", "super-six"))
    assert ready.round_outcomes(1, 0, 3000).tolist() == prepared().round_outcomes(1, 0, 3000)[:, [0, 2, 3]].tolist()


# The basic strategy


def test_rounds_by_the_basic_strategy_end_as_the_game_settles_them() -> None:
    assert_settled_alike(simple(), table(), BETS, 13, turns_worth_a_look(simple(), 13, 150), same)


def test_the_basic_strategy_is_played_as_its_text_says() -> None:
    words = [rule.text for rule in PRICER.basic_strategy(MAIN, table().offers[MAIN].paytable, {}).rules]
    reader, verbs = Reader(words), set()
    for turn in range(400):
        laid = simple().simulated_round(3, 0, turn)
        six = next(iter(laid.cards.values()))
        played = next(one for one in divisions(six) if one.decision == laid.decisions["set"])
        both = [hand([card.code for card in one.cards]) for one in (played.high, played.low)]
        doubled = laid.decisions["double"].verb == "double"
        assert (*both, doubled) == reader.played([card.code for card in six])
        verbs.add(doubled)
    assert len(verbs) == 2


@pytest.mark.parametrize("paytable", ["LWB1", "LWB6"])
def test_the_basic_strategy_returns_what_its_price_says(paytable: str) -> None:
    ready = SIMULATOR.prepare(open_table(SLUG, high_low=paytable), "simple")
    strategy = PRICER.basic_strategy(MAIN, ready.wagers[0].request.table, {})
    tally = simulate(ready, 10_000_000, 20_260_704)
    assert_close(tally)
    main = tally.wager(MAIN)
    assert main.exact_mean == strategy.best_return - strategy.cost
    assert abs(float(main.mean - strategy.expected_return)) < 4 * main.standard_error


def test_the_bonus_wagers_do_not_depend_on_the_strategy() -> None:
    assert simple().wagers[1:] == prepared().wagers[1:]
    assert (simple().round_outcomes(1, 0, 3000)[:, 1:] == prepared().round_outcomes(1, 0, 3000)[:, 1:]).all()


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(BadSimulation, match="'bold'"):
        SIMULATOR.prepare(table(), "bold")
