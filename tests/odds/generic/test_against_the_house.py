"""The generic pricer against the built-in pricers: two computations of the same figures."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest

from cardroom.games import SeatTurn, default_setup, game, round_from_json, view
from cardroom.games.setup import setup_to_json
from cardroom.odds import Odds, advise, pricer
from cardroom.odds.generic.pricer import GenericPricer
from cardroom.odds.generic.pricing_table import build_pricing_table
from cardroom.odds.generic.search import SearchTooLarge, price_exactly
from cardroom.odds.generic.trained_policy import SimulationJob, play_blocks, price_by_simulation
from cardroom.odds.pricer import Settings
from cardroom.paytables import paytable

DUELS = game("dueling-for-dollars")
ANY = GenericPricer(DUELS)
HOUSE = pricer("dueling-for-dollars")
SIDES = [("tie-plus", "PT-FLT-DFD-TP-01"), ("combo", "PT-FLT-DFD-CB-02")]


def assert_equal(wager: str, name: str, settings: Settings) -> None:
    table = paytable("dueling-for-dollars", wager, name)
    mine, others = (
        Odds("dueling-for-dollars", wager, name, settings, one.price(wager, table, settings).outcomes)
        for one in (ANY, HOUSE)
    )
    assert mine.simulated_rounds is None
    for figure in ("expected_return", "variance", "hit_frequency", "average_wager"):
        assert getattr(mine, figure) == getattr(others, figure), figure
    assert probabilities(mine) == probabilities(others)


def probabilities(odds: Odds) -> dict[tuple[Fraction, Fraction], Fraction]:
    found: dict[tuple[Fraction, Fraction], Fraction] = defaultdict(Fraction)
    for outcome in odds.distribution:
        found[outcome.net, outcome.wagered] += Fraction(outcome.combinations, odds.combinations)
    return found


def test_only_options_that_change_a_figure_are_asked_about() -> None:
    # Cards burned unseen and the choice of spots change nothing (DD-3).
    assert sorted(map(repr, ANY.settings("duel"))) == sorted(map(repr, HOUSE.settings("duel")))


@pytest.mark.parametrize("settings", HOUSE.settings("duel"), ids=str)
def test_the_duel_is_worth_the_same_to_the_last_deal(settings: Settings) -> None:
    assert_equal("duel", "", settings)


@pytest.mark.parametrize(("wager", "name"), SIDES)
def test_side_wagers_are_worth_the_same_with_six_decks(wager: str, name: str) -> None:
    assert_equal(wager, name, {"decks": 6})


@pytest.mark.long
@pytest.mark.parametrize("decks", [5, 8])
@pytest.mark.parametrize(("wager", "name"), SIDES)
def test_side_wagers_are_worth_the_same_with_any_shoe(wager: str, name: str, decks: int) -> None:
    assert_equal(wager, name, {"decks": decks})


def test_both_pricers_give_the_same_advice_on_a_tie() -> None:
    setup = default_setup("dueling-for-dollars")
    position = round_from_json(
        {
            "table": setup_to_json(setup),
            "wagers": {"1": {"player": 1000}, "2": {"player": 1000}},
            "cards": {"seat 1 hand": ["8c"], "seat 2 hand": ["Kd"], "community": ["8d"]},
        }
    )
    assert isinstance(position.turn, SeatTurn)
    table, seen = DUELS.open(setup), view(position, 1)
    assert ANY.advise(table, seen, 1, {}) == advise(table, seen)


def test_a_search_with_too_many_situations_stops_early() -> None:
    parts: list[float] = []
    table = paytable("three-card-prime", "ante-play", "PW/BB 1")
    where = build_pricing_table(game("three-card-prime"), "ante-play", table, {})
    with pytest.raises(SearchTooLarge):
        price_exactly(where, lambda _, part: parts.append(part), budget=20_000)
    assert parts
    assert max(parts) < 0.01


def test_a_game_that_is_too_large_is_simulated_with_an_error() -> None:
    rules, table = game("three-card-prime"), paytable("three-card-prime", "prime", "PRW-1")
    job = SimulationJob(rules, "prime", table, {})
    simulated = price_by_simulation(
        build_pricing_table(rules, "prime", table, {}), job, processes=1, training_rounds=100, rounds=2000
    )
    odds = Odds("three-card-prime", "prime", "PRW-1", {}, simulated.outcomes, simulated_rounds=simulated.rounds)
    outcomes = Odds(
        "three-card-prime", "prime", "PRW-1", {}, pricer("three-card-prime").price("prime", table, {}).outcomes
    )
    assert odds.expected_return is not None
    assert outcomes.expected_return is not None
    assert odds.standard_error is not None
    assert 0 < abs(odds.expected_return - outcomes.expected_return) < 4 * odds.standard_error


def test_any_number_of_processes_plays_the_same_rounds() -> None:
    job = SimulationJob(game("three-card-prime"), "prime", paytable("three-card-prime", "prime", "PRW-1"), {})
    one, two = (play_blocks(job, 7, 1500, processes) for processes in (1, 2))
    assert one.results == two.results
    assert one.experience == two.experience
    assert sum(one.results.values()) == 1500


def test_a_coach_without_a_full_search_tries_each_decision_and_states_its_error() -> None:
    rules, setup = game("three-card-prime"), default_setup("three-card-prime")
    position = round_from_json(
        {
            "table": setup_to_json(setup),
            "wagers": {"1": {"ante-play": 1000}},
            "cards": {
                "seat 1 hand": ["Ah", "Ad", "4c"],
                "seat 1 fourth": ["2s"],
                "burn": ["9c"],
                "dealer": ["Kd", "8c", "5h"],
            },
        }
    )
    first, second = GenericPricer(rules).advise(rules.open(setup), view(position, 1), 1, {})
    assert (str(first.decision), str(second.decision)) == ("play", "fold")
    assert first.standard_error is not None
    options = next(
        option for option in advise(rules.open(setup), view(position, 1)) if option.decision == first.decision
    )
    assert abs(float(first.value - options.value)) < 4 * first.standard_error
    assert (second.value, second.standard_error) == (-1000, 0)
