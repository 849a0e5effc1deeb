"""A line for any other event pays the same by the exact odds, by simulated rounds, and by the rules, in every game."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardroom.games import default_setup, game
from cardroom.games.setup import with_custom_paytables
from cardroom.odds import PriceQuery, compute_odds, find_requests
from cardroom.odds.simulation.own_strategy import play_rounds
from cardroom.odds.simulation.runner import simulate, simulator
from cardroom.odds.table_prices import request_at
from cardroom.paytables import OTHER, BadBonus, Loss, build_custom_paytable, paytable
from tests.games.test_custom_paytables import make_short_spec

QUICK = [
    ("deuces-wild", "three-card-treasure"),
    ("three-card-prime", "pair-bonus"),
    ("texas-shootout", "quick-draw"),
    ("dueling-for-dollars", "combo"),
    ("three-card-double-play", "pick-5"),
]


@pytest.mark.parametrize(("slug", "wager"), QUICK)
def test_an_event_without_a_line_is_a_push_in_the_odds(slug: str, wager: str) -> None:
    table = build_custom_paytable(slug, wager, make_short_spec(slug, wager))
    (request,) = find_requests(PriceQuery(slug, wager, table=table))
    odds = compute_odds(request, use_cache=False)
    by_event = {outcome.trigger: outcome for outcome in odds.distribution}
    assert by_event[OTHER].net == 0
    assert {outcome.trigger for outcome in odds.distribution} == {table.lines[0].trigger, OTHER}
    assert odds.expected_return == Fraction(2 * by_event[table.lines[0].trigger].combinations, odds.combinations)


def test_rounds_by_the_rules_and_by_kernels_pay_it_the_same() -> None:
    rules = game("three-card-prime")
    table = build_custom_paytable("three-card-prime", "pair-bonus", make_short_spec("three-card-prime", "pair-bonus"))
    setup = with_custom_paytables(default_setup("three-card-prime"), [table], rules.facts)
    opened = rules.open(setup)
    assert request_at(opened, "pair-bonus").table == table
    prepared = simulator("three-card-prime").prepare(opened, "best")
    by_kernels = simulate(prepared, 20_000, 5).wager("pair-bonus")
    by_rules = play_rounds(opened, lambda view: view.turn.options[-1], 300, 5).wager("pair-bonus")
    for tally in (by_kernels, by_rules):
        assert {line.outcome.trigger for line in tally.lines if line.count} <= {table.lines[0].trigger, OTHER}
        assert next(line.net for line in tally.lines if line.outcome.trigger == OTHER) == 0


def test_an_operator_may_state_that_any_other_event_of_an_open_table_loses() -> None:
    open_table = paytable("deuces-wild", "bonus-jackpot", "A")
    bonuses = {open_table.operator_lines[0].trigger: "$5,000"}
    assert open_table.with_bonuses({**bonuses, OTHER: "loss"}) == open_table.with_bonuses(bonuses)
    assert open_table.with_bonuses({**bonuses, OTHER: Loss()}) == open_table.with_bonuses(bonuses)
    with pytest.raises(BadBonus):
        open_table.with_bonuses({**bonuses, OTHER: "push"})
    with pytest.raises(BadBonus):
        paytable("deuces-wild", "three-card-treasure", "A").with_bonuses({OTHER: "loss"})
