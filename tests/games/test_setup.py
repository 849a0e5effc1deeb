"""Table setups: which setups a table accepts, and the faults of the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cardroom.games import (
    BadSetup,
    FeatureSetup,
    TableSetup,
    UnknownGame,
    WagerLimits,
    WagerSetup,
    default_setup,
    game,
    game_slugs,
    read_setup,
)
from cardroom.games.setup import BadSetupFile, setup_from_json, setup_to_json

PRIME = """
game = "three-card-prime"
seats = 5
jurisdiction = "washington"

[wagers.ante-play]
paytable = "PW/BB 3"
limits = { min = "$5", max = "$200" }

[wagers.pair-bonus]
paytable = "PB 2+PB/LD 5"
limits = { min = "$1", max = "$25", step = "$1" }

[wagers.pair-bonus.bonuses]
mini-royal-with-deuce = "100"
straight-flush-with-deuce = "$500"
trips-with-deuce = "50"
straight-with-deuce = "10"
flush-with-deuce = "5"
pair-with-deuce = "push"
"""


def find_faults(setup: TableSetup) -> list[str]:
    with pytest.raises(BadSetup) as caught:
        game(setup.game).open(setup)
    return [str(fault) for fault in caught.value.faults]


def change_wager(slug: str, wager: str, **changes: Any) -> TableSetup:
    setup = default_setup(slug)
    return replace(setup, wagers={**setup.wagers, wager: replace(setup.wagers[wager], **changes)})


def find_only_fault(setup: TableSetup) -> str:
    (fault,) = find_faults(setup)
    return fault


@pytest.mark.parametrize("slug", game_slugs())
@pytest.mark.parametrize("law", ["washington", "tribal"])
def test_a_table_opens_with_the_default_setup_of_every_game(slug: str, law: str) -> None:
    assert game(slug).open(default_setup(slug, jurisdiction=law)).offers


@pytest.mark.parametrize("slug", game_slugs())
def test_a_setup_is_the_same_after_a_round_trip_through_json(slug: str) -> None:
    setup = default_setup(slug)
    assert setup_from_json(setup_to_json(setup)) == setup


def test_a_setup_is_read_from_toml_and_the_operators_bonuses_fill_the_open_lines() -> None:
    table = game("three-card-prime").open(read_setup(PRIME))
    assert table.seats == 5
    assert table.offers["ante-play"].limits == WagerLimits(500, 20000, 500)
    assert table.offers["pair-bonus"].paytable.is_numeric


def test_all_faults_are_reported_together_with_the_rules_that_they_break() -> None:
    setup = TableSetup(
        "dueling-for-dollars",
        {
            "duel": WagerSetup(WagerLimits(5, 500_00, 5)),
            "tie-plus": WagerSetup(WagerLimits(1_00, 50_00, 1_00), "PT-FLT-DFD-TP-03"),
            "combo": WagerSetup(WagerLimits(1, 50_00, 1), "PT-FLT-DFD-CB-02"),
            "tie-after-tie": WagerSetup(WagerLimits(1_00, 10_00, 1_00), "PT-BJS-DFD-TAT-02"),
        },
        decks=8,
        seats=9,
        tabulator="milky-way",
        options={"burn": "yes"},
        spots_per_player=5,
    )
    sentences = "\n".join(find_faults(setup))
    for part in (
        "is for 6 decks; the table uses 8. [DD-7]",
        "is not approved for Dueling for Dollars",
        "9 seats are not possible",
        "'burn' cannot be 'yes'",
        "The maximum of $500 is over $400. [WAC 230-15-140]",
        "cannot be divided by 2 to the cent",
        "cannot be paid 3 to 2 (Pair) to the cent",
        "The jackpot wager is one fixed amount",
        "A player may use at most 4 spots; the setup allows 5.",
    ):
        assert part in sentences


@pytest.mark.parametrize(
    ("paytable", "decks"), [("PT-FLT-DFD-TP-02", 5), ("PT-FLT-DFD-TP-03", 5), ("PT-FLT-DFD-TP-03", 8)]
)
def test_a_tie_plus_paytable_is_limited_to_its_number_of_decks(paytable: str, decks: int) -> None:
    setup = replace(change_wager("dueling-for-dollars", "tie-plus", paytable=paytable), decks=decks)
    assert "[DD-7]" in find_only_fault(setup)


def test_a_deck_count_that_the_game_is_not_played_with_is_refused() -> None:
    assert "is played with 5 or 6 or 8 decks, not 2" in find_only_fault(
        replace(default_setup("dueling-for-dollars"), decks=2)
    )


def test_a_jackpot_wager_of_two_dollars_is_refused_in_prime_and_allowed_in_shootout() -> None:
    assert "must be $1 only" in find_only_fault(
        change_wager("three-card-prime", "all-seven", limits=WagerLimits(100, 200, 100))
    )
    game("texas-shootout").open(change_wager("texas-shootout", "jackpot", limits=WagerLimits(100, 200, 100)))
    assert "must be $1 or $2 only" in find_only_fault(
        change_wager("texas-shootout", "jackpot", limits=WagerLimits(100, 300, 100))
    )


def test_the_raise_is_one_wager_so_the_ante_is_limited_to_half() -> None:
    setup = change_wager("deuces-wild", "ante-play-raise", limits=WagerLimits(500, 300_00, 500))
    assert "is over $200, because a raise of 2 times that is one wager" in find_only_fault(setup)


def test_a_missing_bonus_of_the_operator_is_reported_with_its_events() -> None:
    setup = change_wager("three-card-prime", "prime", paytable="PRW-2", bonuses={"same-color-player": "2"})
    assert "needs the operator's bonus for same-color-player-and-dealer, other" in find_only_fault(setup)


def test_a_bonus_for_a_printed_line_is_refused() -> None:
    setup = change_wager("three-card-prime", "prime", bonuses={"same-color-player": "7"})
    assert "leaves no bonus open" in find_only_fault(setup)


def test_odds_that_a_wager_cannot_pay_to_the_cent_are_refused() -> None:
    setup = change_wager("three-card-double-play", "high-low", paytable="LWB1", limits=WagerLimits(5, 100_00, 5))
    faults = find_faults(setup)
    assert all("cannot be paid 3 to 2" in fault for fault in faults)
    assert len(faults) == 2  # pair and high cards


def test_envy_and_share_the_wealth_may_not_be_on_two_wagers() -> None:
    setup = change_wager("texas-shootout", "shootout-bonus", feature=FeatureSetup("envy", "TS/BF 1", 500))
    share_the_wealth = FeatureSetup(
        "share-the-wealth", "TS/BF 3", 200, {"five-of-a-kind-suited": "$1,000", "royal-flush": "$100"}
    )
    jackpot = replace(setup.wagers["jackpot"], feature=share_the_wealth)
    assert "on one wager of the table only" in find_only_fault(
        replace(setup, wagers={**setup.wagers, "jackpot": jackpot})
    )


def test_a_feature_is_allowed_only_on_its_own_wager() -> None:
    setup = change_wager("texas-shootout", "jackpot", feature=FeatureSetup("color", "TS/CB 1", 200))
    assert "cannot have the feature 'color'" in find_only_fault(setup)
    setup = change_wager("texas-shootout", "quick-draw", feature=FeatureSetup("envy", "TS/BF 1", 200))
    assert find_only_fault(setup).endswith("it can have no feature at all. [TS-5]")
    setup = change_wager("three-card-prime", "prime", feature=FeatureSetup("envy", "TS/BF 1", 200))
    assert find_only_fault(setup).endswith("it can have no feature at all. [rules]")


def test_a_features_bonus_is_an_amount_in_dollars() -> None:
    frenzy = FeatureSetup("five-ace-frenzy", "TS/FAF 1", 200, {"five-aces": "500"})
    assert "a fixed amount in dollars" in find_only_fault(change_wager("texas-shootout", "jackpot", feature=frenzy))


def test_a_layout_with_more_than_four_wagers_must_state_that_a_player_may_use_four() -> None:
    setup = replace(default_setup("three-card-prime"), spots_notice=False)
    assert "it must say that a player may use 4 of them" in find_only_fault(setup)


def test_the_four_spot_rule_of_the_sheet_applies_to_tribal_tables_too() -> None:
    setup = replace(default_setup("three-card-prime", jurisdiction="tribal"), spots_per_player=5)
    assert "at most 4 spots" in find_only_fault(setup)


def test_a_table_has_up_to_seven_seats_and_with_andromeda_3_as_many_as_the_deck_serves() -> None:
    assert "1 to 7 positions" in find_only_fault(replace(default_setup("three-card-prime"), seats=8))
    andromeda = replace(default_setup("three-card-prime"), tabulator="andromeda-3c")
    game("three-card-prime").open(replace(andromeda, seats=12))
    assert "at most 12" in find_only_fault(replace(andromeda, seats=13))
    assert "1 to 16 positions" in find_only_fault(replace(andromeda, seats=17))


def test_a_main_wager_cannot_be_left_out() -> None:
    setup = default_setup("three-card-prime")
    without = {slug: wager for slug, wager in setup.wagers.items() if slug != "ante-play"}
    assert "so a table must offer it" in "\n".join(find_faults(replace(setup, wagers=without)))


def test_the_refusal_of_an_unknown_name_lists_the_known_names() -> None:
    assert "choose one of washington" not in find_only_fault(replace(default_setup("three-card-prime"), seats=0))
    assert "tribal, washington" in find_only_fault(replace(default_setup("three-card-prime"), jurisdiction="nevada"))
    assert "PW/BB 4" in find_only_fault(change_wager("three-card-prime", "ante-play", paytable="PW/BB 9"))
    setup = default_setup("three-card-prime")
    assert "offer ante-play, prime" in find_only_fault(
        replace(setup, wagers={**setup.wagers, "insurance": setup.wagers["prime"]})
    )
    with pytest.raises(UnknownGame):
        game("blackjack")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game = ", "is not TOML"),
        ("", "'game' is missing"),
        ('game = "three-card-prime"\ncolor = "red"', "'color' is not known"),
        ('game = "three-card-prime"\nseats = "six"', "'seats' must be a whole number"),
        ('game = "three-card-prime"\n[wagers.prime]\nlimits = { min = 5, max = 10 }', "write dollars as text"),
        ('game = "three-card-prime"\n[wagers.prime]\npaytable = "PRW-1"', "'min' is missing"),
        ('game = "three-card-prime"\nwagers = "all"', "must be a section"),
    ],
)
def test_the_refusal_of_an_unreadable_setup_says_what_is_wrong(text: str, sentence: str) -> None:
    with pytest.raises(BadSetupFile, match=sentence):
        read_setup(text)
