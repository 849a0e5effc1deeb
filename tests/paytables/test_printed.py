import subprocess
import sys

import pytest

from cardroom.paytables import Basis, UnknownPaytable, games, paytable, paytable_columns, paytables, wagers


def test_the_games_come_in_the_order_of_their_sheets() -> None:
    assert games() == (
        "deuces-wild",
        "three-card-prime",
        "texas-shootout",
        "dueling-for-dollars",
        "three-card-double-play",
    )


def test_every_wager_of_every_game_has_a_table_to_choose() -> None:
    assert {game: len(wagers(game)) for game in games()} == {
        "deuces-wild": 4,
        "three-card-prime": 6,
        "texas-shootout": 4,
        "dueling-for-dollars": 5,
        "three-card-double-play": 5,
    }
    assert all(paytables(game, wager) for game in games() for wager in wagers(game))


@pytest.mark.parametrize(("game", "wager"), [("texas-shootout", "shootout"), ("dueling-for-dollars", "duel")])
def test_an_even_money_wager_has_one_table_without_name_or_lines(game: str, wager: str) -> None:
    (table,) = paytables(game, wager)
    assert (table.name, table.lines, table.basis, table.columns) == ("", (), Basis.TO_ONE, ())
    assert table.is_numeric
    assert paytable(game, wager, "") == table


@pytest.mark.parametrize(
    ("wager", "feature", "names"),
    [
        ("shootout-bonus", None, [f"TS/SB {n}" for n in range(1, 9)]),
        ("shootout-bonus", "envy-or-share", ["TS/BF 1", "TS/BF 2"]),
        ("shootout-bonus", "color", [f"TS/CB {n}" for n in range(1, 5)]),
        ("jackpot", None, [f"TS/JP {n}" for n in range(1, 7)]),
        ("jackpot", "envy-or-share", ["TS/BF 3"]),
        ("jackpot", "five-ace-frenzy", ["TS/FAF 1"]),
    ],
)
def test_a_feature_has_tables_of_its_own(wager: str, feature: str | None, names: list[str]) -> None:
    tables = paytables("texas-shootout", wager, feature)
    assert [table.name for table in tables] == names
    assert {table.feature for table in tables} == {feature}


def test_every_named_column_is_part_of_a_table_that_can_be_chosen() -> None:
    for column in paytable_columns():
        choice = paytables(column.game, column.wager, column.feature)
        assert any(column in table.columns for table in choice), column.name


def test_an_event_stands_on_one_line_of_a_table_only() -> None:
    for game in games():
        for wager in wagers(game):
            for table in paytables(game, wager):
                events = [line.trigger for line in table.lines]
                assert len(set(events)) == len(events), table.name


def test_a_table_can_be_looked_up_by_a_program_again_and_again() -> None:
    assert paytables("deuces-wild", "bonus-jackpot") is paytables("deuces-wild", "bonus-jackpot")
    assert len({hash(table) for table in paytables("deuces-wild", "bonus-jackpot")}) == 4


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (("poker", "ante", "A"), 'no game "poker"; the games are "deuces-wild", '),
        (("../deuces-wild", "ante", "A"), "no game "),
        (("three-card-prime", "ante", "A"), 'no wager "ante"; its wagers are "ante-play", "prime", '),
        (("three-card-prime", "prime", "A"), 'no table "A"; its tables are "PRW-1", "PRW-2".'),
        (("three-card-prime", "pair-bonus", "PB 1"), 'no table "PB 1"; its tables are "PB 1.PB/LD 1", '),
        (("three-card-prime", "ante-play", "Win or Copy"), 'its tables are "PW/BB 1", '),
        (("texas-shootout", "shootout", "A"), 'no table "A"; its tables are "".'),
        (("texas-shootout", "jackpot", "TS/JP 1", "color"), 'its features are "envy-or-share", "five-ace-frenzy".'),
        (("texas-shootout", "quick-draw", "TS/QD 1", "color"), 'no feature "color"; its features are none.'),
        (("texas-shootout", "shootout", "", "color"), 'no feature "color"; its features are none.'),
        (("texas-shootout", "jackpot", "TS/BF 1", "envy-or-share"), 'envy-or-share has no table "TS/BF 1"; '),
    ],
)
def test_an_unknown_table_gets_a_sentence_that_lists_the_known_ones(question: tuple[str, ...], answer: str) -> None:
    with pytest.raises(UnknownPaytable, match=answer):
        paytable(*question)


def test_the_columns_of_an_unknown_game_are_refused() -> None:
    with pytest.raises(UnknownPaytable):
        paytable_columns("poker")


def test_the_room_needs_the_standard_library_only() -> None:
    asked = (
        "import sys, cardroom.paytables as p; p.paytable_columns(); "
        "print('numpy' in sys.modules, 'numba' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "False"]
