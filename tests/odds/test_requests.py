"""What can be asked of the odds room, and what is said about names that do not exist."""

from __future__ import annotations

import pytest

from cardroom.games import UnknownGame, game, game_slugs
from cardroom.odds import BadPriceRequest, PriceQuery, find_requests, pricer
from cardroom.paytables import UnknownPaytable, load_paytable, paytables
from cardroom.paytables.table import BadBonus

WHAT_IF = """
game = "three-card-prime"
wager = "prime"
name = "Generous"
basis = "to 1"
[lines]
same-color-player-and-dealer = "5"
same-color-player = "3"
other = "loss"
"""


@pytest.mark.parametrize("slug", game_slugs())
def test_every_wager_of_every_game_has_a_usual_setting_and_is_asked_under_each(slug: str) -> None:
    for wager in game(slug).facts.wagers:
        usual = find_requests(PriceQuery(slug, wager.slug))
        every = find_requests(PriceQuery(slug, wager.slug, all_settings=True))
        assert {one.table.name for one in usual} == {one.table.name for one in every}
        assert len(every) >= len(usual)
        assert dict(usual[0].settings) == dict(pricer(slug).settings(wager.slug)[0])


@pytest.mark.parametrize("slug", game_slugs())
def test_every_numeric_table_is_asked_and_of_the_open_ones_only_jackpots_with_a_bonus_on_top(slug: str) -> None:
    for wager in game(slug).facts.wagers:
        asked = {one.table.name for one in find_requests(PriceQuery(slug, wager.slug))}
        for table in paytables(slug, wager.slug):
            top_only = bool(wager.jackpot) and table.operator_lines == table.lines[:1]
            assert (table.name in asked) == (table.is_numeric or top_only)


def test_a_tie_plus_table_is_asked_only_for_the_decks_printed_above_it() -> None:
    asked = find_requests(PriceQuery("dueling-for-dollars", "tie-plus", all_settings=True))
    assert {(one.table.name[-2:], one.settings["decks"]) for one in asked} == {
        ("01", 5), ("01", 6), ("01", 8), ("02", 6), ("02", 8), ("03", 6),
    }  # fmt: skip


def test_open_lines_are_priced_with_the_operators_bonuses() -> None:
    bonuses = {"same-color-player": "3", "same-color-player-and-dealer": "5", "other": "loss"}
    (one,) = find_requests(PriceQuery("three-card-prime", "prime", "PRW-2", bonuses=bonuses))
    assert one.table.is_numeric
    with pytest.raises(BadPriceRequest, match="--bonus same-color-player-and-dealer=50"):
        find_requests(PriceQuery("three-card-prime", "prime", "PRW-2"))
    with pytest.raises(BadBonus, match="leaves no bonus open"):
        find_requests(PriceQuery("three-card-prime", "prime", "PRW-1", bonuses={"other": "2"}))


def test_a_table_that_nobody_printed_can_be_asked_about() -> None:
    (one,) = find_requests(PriceQuery(table=load_paytable(WHAT_IF)))
    assert (one.game, one.wager, one.table.name) == ("three-card-prime", "prime", "Generous")


def test_a_meter_is_held_against_a_wager_of_one_dollar_and_only_where_there_is_one() -> None:
    jackpot = find_requests(PriceQuery("three-card-prime", "final-four", meter_cents=25_000_00))[0]
    assert jackpot.meter == 25_000
    every = find_requests(PriceQuery("three-card-prime", meter_cents=25_000_00))
    assert {one.wager for one in every if one.meter is None} == {"ante-play", "prime", "pair-bonus", "all-six"}
    with pytest.raises(BadPriceRequest, match="is a percentage of a meter: leave out --meter"):
        find_requests(PriceQuery("three-card-prime", "prime", meter_cents=25_000_00))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (PriceQuery("three-card-prime", "ante"), "it has ante-play, prime, pair-bonus"),
        (PriceQuery(wager="ante"), "choose one of ante-play-raise"),
        (PriceQuery("three-card-prime", paytable="PW/BB 9"), "choose one of PW/BB 1, PW/BB 2"),
        (PriceQuery("dueling-for-dollars", "duel", settings={"decks": 7}), "decks: 5, 6, 8"),
        (PriceQuery("dueling-for-dollars", settings={"shoe": 6}), "it has decks, tie_after_tie_bonus"),
        (PriceQuery("three-card-prime", settings={"decks": 6}), "it has none"),
    ],
)
def test_a_name_that_does_not_exist_is_answered_with_those_that_do(asked: PriceQuery, told: str) -> None:
    with pytest.raises(BadPriceRequest, match=told):
        find_requests(asked)


def test_an_unknown_game_or_table_is_answered_with_those_that_exist() -> None:
    with pytest.raises(UnknownGame, match="deuces-wild, three-card-prime"):
        find_requests(PriceQuery("blackjack"))
    with pytest.raises(UnknownPaytable, match="PW/BB 1"):
        find_requests(PriceQuery("three-card-prime", "ante-play", "PW/BB 9"))
