"""The limit on a player's fourth wager (GEN-1): it looks at what one player puts down, not at the layout."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.games import BadBet, Table, default_setup, game
from cardroom.games.setup import WagerLimits

PRIME = game("three-card-prime")
DEUCES = game("deuces-wild")


def wide(slug: str, jurisdiction: str = "washington") -> Table:
    """A table that takes up to a hundred dollars on every spot whose amount is not fixed."""
    setup = default_setup(slug, jurisdiction=jurisdiction)
    wagers = {
        name: one if game(slug).facts.wager(name).jackpot else replace(one, limits=WagerLimits(1_00, 100_00, 1_00))
        for name, one in setup.wagers.items()
    }
    return game(slug).open(replace(setup, wagers=wagers))


def test_a_table_may_offer_every_spot_up_to_its_own_limit() -> None:
    table = wide("three-card-prime")
    assert table.offers["all-six"].limits.maximum == 100_00
    bets = {"ante-play": 10_00, "pair-bonus": 1_00, "all-six": 100_00}
    assert PRIME.begin(table, {1: bets}).bets[1]["all-six"] == 100_00


@pytest.mark.parametrize("small", ["pair-bonus", "prime", "all-six"])
def test_the_smallest_optional_wager_of_four_is_the_fourth_wherever_it_stands(small: str) -> None:
    table = wide("three-card-prime")
    four = {"ante-play": 50_00, "pair-bonus": 50_00, "prime": 50_00, "all-six": 50_00}
    assert PRIME.begin(table, {1: {**four, small: 5_00}}).bets[1][small] == 5_00
    with pytest.raises(BadBet, match=r"\$6"):
        PRIME.begin(table, {1: {**four, small: 6_00}})


def test_a_wager_that_a_player_must_make_is_never_the_fourth() -> None:
    table = wide("three-card-prime")
    four = {"ante-play": 5_00, "pair-bonus": 50_00, "prime": 50_00, "all-six": 50_00}
    with pytest.raises(BadBet, match=r"\$50"):
        PRIME.begin(table, {1: four})


def test_where_no_wager_must_be_made_the_smallest_of_all_four_counts() -> None:
    bets = {"ante-play-raise": 5_00, "three-card-treasure": 50_00, "five-card-fortune": 50_00, "bonus-jackpot": 6_00}
    setup = default_setup("deuces-wild")
    spots = {slug: replace(one, limits=WagerLimits(1_00, 100_00, 1_00)) for slug, one in setup.wagers.items()}
    jackpot = replace(setup.wagers["bonus-jackpot"], limits=WagerLimits(6_00, 6_00, 6_00))
    table = DEUCES.open(replace(setup, wagers={**spots, "bonus-jackpot": jackpot}))
    assert DEUCES.begin(table, {1: bets})
    with pytest.raises(BadBet, match=r"\$6"):
        DEUCES.begin(table, {1: {**bets, "ante-play-raise": 7_00}})


def test_the_limit_is_each_players_own() -> None:
    three = {"ante-play": 50_00, "pair-bonus": 50_00, "prime": 50_00}
    assert PRIME.begin(wide("three-card-prime"), {1: three, 2: {**three, "all-six": 1_00}, 3: three})


def test_the_law_of_tribal_casinos_has_no_such_limit() -> None:
    four = {"ante-play": 50_00, "pair-bonus": 50_00, "prime": 50_00, "all-six": 50_00}
    assert PRIME.begin(wide("three-card-prime", "tribal"), {1: four})


def test_of_more_than_four_wagers_each_beyond_the_third_is_limited() -> None:
    table = replace(wide("three-card-prime"), spots_per_player=None)
    five = {"ante-play": 50_00, "pair-bonus": 50_00, "prime": 50_00, "all-six": 5_00, "final-four": 1_00}
    assert PRIME.begin(table, {1: five})
    with pytest.raises(BadBet, match=r"\$6"):
        PRIME.begin(table, {1: {**five, "all-six": 6_00}})
