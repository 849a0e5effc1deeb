"""A billion simulated rounds of each game, ten of Texas Shootout: every wager within four standard errors of its exact
figure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.games import default_setup, game, game_slugs
from cardroom.odds.simulation.runner import simulate
from tests.odds.simulation.at_the_table import open_table, prepared
from tests.odds.simulation.replayed import assert_close

ROUNDS = 10**9
SEED = 20_261_116

pytestmark = pytest.mark.long


@pytest.mark.parametrize("slug", game_slugs())
def test_a_billion_rounds_agree_with_the_odds_of_every_wager(slug: str) -> None:
    assert_close(simulate(prepared(open_table(slug)), ROUNDS, SEED))


@pytest.mark.parametrize("decks", [5, 8])
@pytest.mark.parametrize("bonus", [False, True])
def test_a_billion_duels_from_other_shoes_agree_too(decks: int, bonus: bool) -> None:
    table = open_table("dueling-for-dollars", {"tie_after_tie_bonus": bonus}, decks)
    assert_close(simulate(prepared(table), ROUNDS, SEED))


@pytest.mark.parametrize("left_out", [None, "quick-draw"])
def test_ten_billion_rounds_of_texas_shootout_agree_whether_ties_push_or_lose(left_out: str | None) -> None:
    setup = default_setup("texas-shootout")
    wagers = {slug: one for slug, one in setup.wagers.items() if slug != left_out}
    table = game("texas-shootout").open(replace(setup, wagers=wagers))
    tally = simulate(prepared(table), 10 * ROUNDS, SEED + 1)
    assert tally.rounds == 10 * ROUNDS
    assert_close(tally)
