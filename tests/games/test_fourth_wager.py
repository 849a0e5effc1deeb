"""The limit on a player's fourth wager (GEN-1) depends on the wagers of the player, not on the layout."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.games import BadBet, Table, default_setup, game
from cardroom.games.setup import WagerLimits

PRIME = game("three-card-prime")
DEUCES = game("deuces-wild")


def open_table_with_high_limits(slug: str, jurisdiction: str = "washington") -> Table:
    """Open a table that accepts up to a hundred dollars on every spot without a fixed amount."""
    setup = default_setup(slug, jurisdiction=jurisdiction)
    wagers = {
        name: wager if game(slug).facts.wager(name).jackpot else replace(wager, limits=WagerLimits(1_00, 100_00, 1_00))
        for name, wager in setup.wagers.items()
    }
    return game(slug).open(replace(setup, wagers=wagers))


def test_a_table_may_offer_every_spot_up_to_its_own_limit() -> None:
    table = open_table_with_high_limits("three-card-prime")
    assert table.offers["all-six"].limits.maximum == 100_00
    bets = {"ante-play": 10_00, "pair-bonus": 1_00, "all-six": 100_00}
    assert PRIME.begin(table, {1: bets}).bets[1]["all-six"] == 100_00


@pytest.mark.parametrize("small", ["pair-bonus", "prime", "all-six"])
def test_the_fourth_wager_is_the_smallest_optional_one_on_any_spot(small: str) -> None:
    table = open_table_with_high_limits("three-card-prime")
    four = {"ante-play": 50_00, "pair-bonus": 50_00, "prime": 50_00, "all-six": 50_00}
    assert PRIME.begin(table, {1: {**four, small: 5_00}}).bets[1][small] == 5_00
    with pytest.raises(BadBet, match=r"\$6"):
        PRIME.begin(table, {1: {**four, small: 6_00}})


def test_a_wager_that_a_player_must_make_is_never_the_fourth() -> None:
    table = open_table_with_high_limits("three-card-prime")
    four = {"ante-play": 5_00, "pair-bonus": 50_00, "prime": 50_00, "all-six": 50_00}
    with pytest.raises(BadBet, match=r"\$50"):
        PRIME.begin(table, {1: four})


def test_without_a_required_wager_the_fourth_is_the_smallest_of_all() -> None:
    bets = {"ante-play-raise": 5_00, "three-card-treasure": 50_00, "five-card-fortune": 50_00, "bonus-jackpot": 6_00}
    setup = default_setup("deuces-wild")
    spots = {slug: replace(wager, limits=WagerLimits(1_00, 100_00, 1_00)) for slug, wager in setup.wagers.items()}
    jackpot = replace(setup.wagers["bonus-jackpot"], limits=WagerLimits(6_00, 6_00, 6_00))
    table = DEUCES.open(replace(setup, wagers={**spots, "bonus-jackpot": jackpot}))
    assert DEUCES.begin(table, {1: bets})
    with pytest.raises(BadBet, match=r"\$6"):
        DEUCES.begin(table, {1: {**bets, "ante-play-raise": 7_00}})


def test_the_limit_applies_to_each_player_separately() -> None:
    three = {"ante-play": 50_00, "pair-bonus": 50_00, "prime": 50_00}
    assert PRIME.begin(
        open_table_with_high_limits("three-card-prime"), {1: three, 2: {**three, "all-six": 1_00}, 3: three}
    )


def test_tribal_casinos_have_no_limit_on_the_fourth_wager() -> None:
    four = {"ante-play": 50_00, "pair-bonus": 50_00, "prime": 50_00, "all-six": 50_00}
    assert PRIME.begin(open_table_with_high_limits("three-card-prime", "tribal"), {1: four})


def test_of_more_than_four_wagers_each_beyond_the_third_is_limited() -> None:
    table = replace(open_table_with_high_limits("three-card-prime"), spots_per_player=None)
    five = {"ante-play": 50_00, "pair-bonus": 50_00, "prime": 50_00, "all-six": 5_00, "final-four": 1_00}
    assert PRIME.begin(table, {1: five})
    with pytest.raises(BadBet, match=r"\$6"):
        PRIME.begin(table, {1: {**five, "all-six": 6_00}})
