"""Price requests, and the errors for unknown names."""

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
def test_every_wager_has_usual_options_and_a_request_for_each_combination(slug: str) -> None:
    for wager in game(slug).facts.wagers:
        usual = find_requests(PriceQuery(slug, wager.slug))
        every = find_requests(PriceQuery(slug, wager.slug, all_settings=True))
        assert {request.table.name for request in usual} == {request.table.name for request in every}
        assert len(every) >= len(usual)
        assert dict(usual[0].settings) == dict(pricer(slug).settings(wager.slug)[0])


@pytest.mark.parametrize("slug", game_slugs())
def test_every_numeric_table_has_a_request_and_of_open_tables_only_jackpots_with_an_open_top_line(slug: str) -> None:
    for wager in game(slug).facts.wagers:
        requests = {request.table.name for request in find_requests(PriceQuery(slug, wager.slug))}
        for table in paytables(slug, wager.slug):
            top_only = bool(wager.jackpot) and table.operator_lines == table.lines[:1]
            assert (table.name in requests) == (table.is_numeric or top_only)


def test_a_tie_plus_table_has_requests_only_for_its_printed_decks() -> None:
    requests = find_requests(PriceQuery("dueling-for-dollars", "tie-plus", all_settings=True))
    assert {(request.table.name[-2:], request.settings["decks"]) for request in requests} == {
        ("01", 5), ("01", 6), ("01", 8), ("02", 6), ("02", 8), ("03", 6),
    }  # fmt: skip


def test_open_lines_are_priced_with_the_operators_bonuses() -> None:
    bonuses = {"same-color-player": "3", "same-color-player-and-dealer": "5", "other": "loss"}
    (one,) = find_requests(PriceQuery("three-card-prime", "prime", "PRW-2", bonuses=bonuses))
    assert one.table.is_numeric
    with pytest.raises(BadPriceRequest, match="--bonus same-color-player-and-dealer=50"):
        find_requests(PriceQuery("three-card-prime", "prime", "PRW-2"))
    with pytest.raises(BadBonus, match="PRW-1"):
        find_requests(PriceQuery("three-card-prime", "prime", "PRW-1", bonuses={"other": "2"}))


def test_a_custom_paytable_can_be_priced() -> None:
    (one,) = find_requests(PriceQuery(table=load_paytable(WHAT_IF)))
    assert (one.game, one.wager, one.table.name) == ("three-card-prime", "prime", "Generous")


def test_a_meter_counts_in_wagers_of_one_dollar_and_only_for_jackpots() -> None:
    jackpot = find_requests(PriceQuery("three-card-prime", "final-four", meter_cents=25_000_00))[0]
    assert jackpot.meter == 25_000
    every = find_requests(PriceQuery("three-card-prime", meter_cents=25_000_00))
    assert {request.wager for request in every if request.meter is None} == {
        "ante-play",
        "prime",
        "pair-bonus",
        "all-six",
    }
    with pytest.raises(BadPriceRequest, match="--meter"):
        find_requests(PriceQuery("three-card-prime", "prime", meter_cents=25_000_00))


@pytest.mark.parametrize(
    ("query", "choices"),
    [
        (PriceQuery("three-card-prime", "ante"), "ante-play, prime, pair-bonus"),
        (PriceQuery(wager="ante"), "ante-play-raise"),
        (PriceQuery("three-card-prime", paytable="PW/BB 9"), "PW/BB 1, PW/BB 2"),
        (PriceQuery("dueling-for-dollars", "duel", settings={"decks": 7}), "decks: 5, 6, 8"),
        (PriceQuery("dueling-for-dollars", settings={"shoe": 6}), "decks, tie_after_tie_bonus"),
        (PriceQuery("three-card-prime", settings={"decks": 6}), "'decks'"),
    ],
)
def test_the_error_for_an_unknown_name_lists_the_choices(query: PriceQuery, choices: str) -> None:
    with pytest.raises(BadPriceRequest, match=choices):
        find_requests(query)


def test_the_error_for_an_unknown_game_or_table_lists_the_choices() -> None:
    with pytest.raises(UnknownGame, match="deuces-wild, three-card-prime"):
        find_requests(PriceQuery("blackjack"))
    with pytest.raises(UnknownPaytable, match="PW/BB 1"):
        find_requests(PriceQuery("three-card-prime", "ante-play", "PW/BB 9"))
