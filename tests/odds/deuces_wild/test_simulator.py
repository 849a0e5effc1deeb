"""Simulated rounds of Deuces Wild against its rules and its exact odds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from cardroom.games import Table
from cardroom.games.deuces_wild.rules import ANTE_PLAY_RAISE
from cardroom.odds.deuces_wild.pricer import PRICER
from cardroom.odds.deuces_wild.simulator import SIMULATOR, PreparedDeuces
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.rules_engine import WagerResult
from cardroom.odds.simulation.runner import BadSimulation, simulate, simulator
from cardroom.paytables import load_paytable
from tests.odds.deuces_wild import by_hand
from tests.odds.simulation.at_the_table import open_table
from tests.odds.simulation.replayed import (
    assert_close,
    assert_counts_do_not_depend_on_who_counts,
    assert_settled_alike,
    by_the_same_name,
    turns_worth_a_look,
    without,
)

SLUG = "deuces-wild"
BETS = {"ante-play-raise": 10_00, "three-card-treasure": 1_00, "five-card-fortune": 1_00, "bonus-jackpot": 1_00}


@cache
def table() -> Table:
    return open_table(SLUG)


@cache
def prepared() -> PreparedDeuces:
    return SIMULATOR.prepare(table())


@cache
def simple() -> PreparedDeuces:
    return SIMULATOR.prepare(table(), "simple")


@cache
def odd_table() -> Table:
    """A table on which the basic strategy has a cost; on printed tables it is as good as the best strategy."""
    lines = 'full-house = "9"\nstraight = "4"\nthree-of-a-kind = "push"\nflush = "2"\n'
    paytable = load_paytable(
        f'game = "{SLUG}"\nwager = "{ANTE_PLAY_RAISE}"\nname = "odd"\nbasis = "to 1"\n[lines]\n{lines}'
    )
    offered = dict(table().offers)
    offered[ANTE_PLAY_RAISE] = replace(offered[ANTE_PLAY_RAISE], paytable=paytable)
    spots = {spot: offered[one.wager.slug] for spot, one in table().spots.items()}
    return replace(table(), offers=offered, spots=spots)


@cache
def odd_simple() -> PreparedDeuces:
    return SIMULATOR.prepare(odd_table(), "simple")


def same(slug: str, ending: WagerOutcome, outcome: WagerResult) -> bool:
    if slug == ANTE_PLAY_RAISE and ending.trigger.startswith("fold"):
        stakes = {"fold after three cards": 1, "fold after four cards": 2}[ending.trigger]
        return outcome.triggers == ("fold",) * stakes
    return by_the_same_name(ending, outcome)


def test_the_game_has_a_simulator() -> None:
    assert simulator(SLUG) is SIMULATOR


def test_simulated_rounds_end_as_the_game_settles_them() -> None:
    assert_settled_alike(prepared(), table(), [BETS], 7, turns_worth_a_look(prepared(), 7, 400), same)


def test_rounds_on_another_table_end_as_the_game_settles_them() -> None:
    other = open_table(SLUG, ante_play_raise="F", three_card_treasure="C", five_card_fortune="B")
    ready = SIMULATOR.prepare(other)
    assert [wager.paytable for wager in ready.wagers][:3] == ["F", "C", "B"]
    assert_settled_alike(ready, other, [BETS], 11, range(150), same)


def test_the_seat_does_what_the_exact_values_say() -> None:
    for turn in range(60):
        laid = prepared().simulated_round(3, 0, turn)
        three, fourth, _, _ = laid.cards.values()
        for question, wager, hand in (
            ("play", "ante-play-raise", three),
            ("raise", "ante-play-raise", three + fourth),
            ("fortune", "five-card-fortune", three),
        ):
            values = dict(PRICER.hand_values(wager, table().offers[wager].paytable, {}, hand))
            assert values[laid.decisions[question]] == max(values.values())


def test_ten_million_rounds_come_close_to_the_exact_odds_of_every_wager() -> None:
    assert_close(simulate(prepared(), 10_000_000, 20_260_701))


def test_counts_do_not_depend_on_threads_pieces_or_machines() -> None:
    assert_counts_do_not_depend_on_who_counts(prepared(), 2_500_000, 5)


def test_a_table_may_leave_out_wagers_and_the_cards_stay_the_same() -> None:
    ready = SIMULATOR.prepare(without(table(), "ante-play-raise", "three-card-treasure"))
    assert [wager.slug for wager in ready.wagers] == ["five-card-fortune", "bonus-jackpot"]
    assert ready.round_outcomes(1, 0, 3000).tolist() == prepared().round_outcomes(1, 0, 3000)[:, 2:].tolist()


# The basic strategy


def test_rounds_by_the_basic_strategy_end_as_the_game_settles_them() -> None:
    assert_settled_alike(odd_simple(), odd_table(), [BETS], 13, turns_worth_a_look(odd_simple(), 13, 150), same)


def test_the_basic_strategy_is_played_as_its_text_says() -> None:
    for turn in range(2000):
        laid = simple().simulated_round(3, 0, turn)
        three, fourth, _, _ = laid.cards.values()
        assert (laid.decisions["play"].verb == "play") == by_hand.plays(list(three), rows=True)
        assert (laid.decisions["raise"].verb == "raise") == by_hand.raises([*three, *fourth])
        # Wild cards, all of them; then a card that is not in a pair; then the card nearest to a nine; then the lowest.
        (chosen,) = laid.decisions["fortune"].groups
        wild = {card for card in three if by_hand.is_wild(card)}
        pairs = Counter(card.rank for card in three if card not in wild)
        natural = sorted(set(three) - wild, key=lambda card: (pairs[card.rank], abs(card.rank - 9), card.code))
        assert set(chosen) == (wild or set(natural[:1]))


def test_the_basic_strategy_returns_what_its_price_says() -> None:
    strategy = PRICER.basic_strategy(ANTE_PLAY_RAISE, odd_table().offers[ANTE_PLAY_RAISE].paytable, {})
    assert strategy.cost > Fraction(1, 100)
    tally = simulate(odd_simple(), 10_000_000, 20_260_704)
    assert_close(tally)
    main = tally.wager(ANTE_PLAY_RAISE)
    assert main.exact_mean == strategy.best_return - strategy.cost
    assert abs(float(main.mean - strategy.expected_return)) < 4 * main.standard_error
    assert abs(float(main.mean - strategy.best_return)) > 4 * main.standard_error


def test_the_basic_choice_for_five_card_fortune_returns_nearly_what_its_price_says() -> None:
    """The price averages over equal choices; the seat takes the first."""
    fortune = simulate(simple(), 1_000_000, 1).wager("five-card-fortune")
    strategy = PRICER.basic_strategy("five-card-fortune", table().offers["five-card-fortune"].paytable, {})
    assert fortune.exact_mean is not None
    assert abs(fortune.exact_mean - strategy.expected_return) < Fraction(1, 10_000)
    assert fortune.exact_mean < strategy.best_return
    assert abs(float(fortune.mean - strategy.expected_return)) < 4 * fortune.standard_error


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(BadSimulation, match="'bold'"):
        SIMULATOR.prepare(table(), "bold")
