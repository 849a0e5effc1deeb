"""Simulated rounds of Deuces Wild against its rules and its exact odds."""

from __future__ import annotations

from functools import cache

import pytest

from cardroom.games import Table
from cardroom.games.deuces_wild import ANTE_PLAY_RAISE
from cardroom.odds.deuces_wild import PRICER
from cardroom.odds.result import Ending
from cardroom.odds.simulate_deuces_wild import SIMULATOR, PreparedDeuces
from cardroom.odds.simulate_rounds import Outcome
from cardroom.odds.simulation import BadSimulation, simulate, simulator
from tests.odds.replayed_rounds import (
    assert_close,
    assert_counts_do_not_depend_on_who_counts,
    assert_settled_alike,
    by_the_same_name,
    turns_worth_a_look,
    without,
)
from tests.odds.simulated import open_table

SLUG = "deuces-wild"
BETS = {"ante-play-raise": 10_00, "three-card-treasure": 1_00, "five-card-fortune": 1_00, "bonus-jackpot": 1_00}


@cache
def table() -> Table:
    return open_table(SLUG)


@cache
def prepared() -> PreparedDeuces:
    return SIMULATOR.prepare(table())


def same(slug: str, ending: Ending, outcome: Outcome) -> bool:
    if slug == ANTE_PLAY_RAISE and ending.event.startswith("fold"):
        stakes = {"fold after three cards": 1, "fold after four cards": 2}[ending.event]
        return outcome.events == ("fold",) * stakes
    return by_the_same_name(ending, outcome)


def test_the_book_of_simulators_has_it() -> None:
    assert simulator(SLUG) is SIMULATOR


def test_simulated_rounds_end_as_the_game_settles_them() -> None:
    assert_settled_alike(prepared(), table(), [BETS], 7, turns_worth_a_look(prepared(), 7, 2000), same)


def test_rounds_on_another_table_end_as_the_game_settles_them() -> None:
    other = open_table(SLUG, ante_play_raise="F", three_card_treasure="C", five_card_fortune="B")
    ready = SIMULATOR.prepare(other)
    assert [one.paytable for one in ready.wagers][:3] == ["F", "C", "B"]
    assert_settled_alike(ready, other, [BETS], 11, range(500), same)


def test_the_seat_does_what_the_exact_values_say() -> None:
    for turn in range(60):
        laid = prepared().laid(3, 0, turn)
        three, fourth, _, _ = laid.cards.values()
        for question, wager, hand in (
            ("play", "ante-play-raise", three),
            ("raise", "ante-play-raise", three + fourth),
            ("fortune", "five-card-fortune", three),
        ):
            values = dict(PRICER.hand_values(wager, table().offered[wager].paytable, {}, hand))
            assert values[laid.decisions[question]] == max(values.values())


def test_ten_million_rounds_come_close_to_the_exact_odds_of_every_wager() -> None:
    assert_close(simulate(prepared(), 10_000_000, 20_260_701))


def test_counts_do_not_depend_on_threads_pieces_or_machines() -> None:
    assert_counts_do_not_depend_on_who_counts(prepared(), 2_500_000, 5)


def test_a_table_may_leave_out_wagers_and_the_cards_stay_the_same() -> None:
    ready = SIMULATOR.prepare(without(table(), "ante-play-raise", "three-card-treasure"))
    assert [one.slug for one in ready.wagers] == ["five-card-fortune", "bonus-jackpot"]
    assert ready.each_round(1, 0, 3000).tolist() == prepared().each_round(1, 0, 3000)[:, 2:].tolist()


def test_an_unknown_strategy_is_refused_with_a_sentence() -> None:
    with pytest.raises(BadSimulation, match="no strategy 'bold': choose best"):
        SIMULATOR.prepare(table(), "bold")
