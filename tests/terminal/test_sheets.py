from __future__ import annotations

import pytest

from cardroom.paytables import UnknownPaytable, games, paytable_columns
from cardroom.paytables.catalog import appendices
from cardroom.terminal.pages.games import print_paytables, select_columns
from tests.terminal.typist import quiet_console, shown


def printed(game: str | None = None, wager: str | None = None, width: int = 100) -> str:
    console = quiet_console(width)
    print_paytables(console, game, wager)
    return shown(console)


@pytest.mark.parametrize("width", [80, 120, 200])
def test_every_printed_column_is_shown_whole_at_every_width(width: int) -> None:
    text = printed(width=width)
    for column in paytable_columns():
        assert column.name in text
    assert "…" not in text


@pytest.mark.parametrize("game", games())
def test_the_rows_of_an_appendix_follow_the_order_of_every_column(game: str) -> None:
    for appendix in appendices(game):
        rows = list(appendix.rows)
        for column in appendix.columns:
            places = [rows.index(line.trigger) for line in column.lines]
            assert places == sorted(places)


def test_an_overruled_figure_keeps_its_print_and_names_the_ruling() -> None:
    text = printed("three-card-prime", "ante-play")
    assert text.count("1*") == 2
    assert "* printed 1, but TP-2 rules: loss." in text
    assert "Win or Copy" in text


def test_a_blank_cell_is_a_dot() -> None:
    row = next(line for line in printed("texas-shootout", "quick-draw").splitlines() if line.startswith("Any Pair"))
    assert row.split()[2:5] == ["·", "·", "·"]


def test_tie_plus_tables_say_their_decks() -> None:
    assert "5, 6, 8" in printed("dueling-for-dollars", "tie-plus")


def test_a_wager_without_a_table_says_so() -> None:
    assert printed("dueling-for-dollars", "duel").strip().endswith("the rules pay even money.")


def test_a_wager_of_several_games_is_found_in_each() -> None:
    assert {column.game for column in select_columns(None, "jackpot")} == {"texas-shootout"}
    assert len(select_columns(None, None)) == 126


def test_an_unknown_wager_or_game_is_refused() -> None:
    with pytest.raises(UnknownPaytable, match="There is no wager 'lucky'"):
        select_columns("deuces-wild", "lucky")
    with pytest.raises(UnknownPaytable, match="There is no game"):
        printed("poker")
