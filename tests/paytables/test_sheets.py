"""Every transcribed cell against copies of the sheets' tables.

The copies in `sheets/` were taken straight from the rule sheets, not from the data files. They read them as the
rulings do: without the repeated seventh column (DW-1), with the lost D (DW-2), and with the one "Loss" that
Pick-3 prints across all columns in each of them.
"""

from pathlib import Path

import pytest

from cardroom.paytables import Basis, PaytableColumn, games, paytable, paytable_columns
from cardroom.paytables.sheets import printed_columns

COPIES = Path(__file__).with_name("sheets")


def copied_tables(game: str) -> list[list[str]]:
    return [block.splitlines() for block in (COPIES / f"{game}.txt").read_text().split("\n\n")]


def cells_of(row: str) -> list[str]:
    return [cell.strip() for cell in row.split("|")]


def copied_columns(game: str) -> list[tuple[str, str, str, str, list[tuple[str, str]]]]:
    """Appendix, wager, feature, name, and the label and cell of each line that is not blank."""
    found = []
    for heading, names, *rows in copied_tables(game):
        appendix, _, subject = heading.removeprefix("Appendix ").partition(": ")
        wager, _, feature = subject.partition(", ")
        for position, name in enumerate(cells_of(names)):
            if position:
                lines = [(cells_of(row)[0], cells_of(row)[position]) for row in rows]
                kept = [(label, cell) for label, cell in lines if cell not in ("", "n/a")]
                found.append((appendix, wager, feature, name, kept))
    return found


def as_copied(column: PaytableColumn) -> tuple[str, str, str, str, list[tuple[str, str]]]:
    lines = [(line.label, line.cell) for line in column.lines]
    return column.appendix, column.wager, column.feature or "", column.name, lines


@pytest.mark.parametrize("game", games())
def test_every_column_has_the_labels_and_cells_of_its_sheet_in_their_order(game: str) -> None:
    assert [as_copied(column) for column in printed_columns(game)] == copied_columns(game)


@pytest.mark.parametrize(
    ("game", "sheet", "count"),
    [
        ("deuces-wild", "000_dd23eaa82a64918a.txt", 16),
        ("three-card-prime", "001_b6ce4e329872a5a6.txt", 26),
        ("texas-shootout", "002_72ac2168740745d4.txt", 31),
        ("dueling-for-dollars", "003_54870c484c2261cd.txt", 13),
        ("three-card-double-play", "004_4b2de51e1fa4e07f.txt", 40),
    ],
)
def test_a_game_has_all_its_named_columns_from_one_sheet(game: str, sheet: str, count: int) -> None:
    assert len(paytable_columns(game)) == count
    assert {column.sheet for column in paytable_columns(game)} == {sheet}
    assert {column.game for column in paytable_columns(game)} == {game}


def test_there_are_126_named_columns() -> None:
    assert len(paytable_columns()) == 126
    assert len({(column.game, column.wager, column.name) for column in paytable_columns()}) == 126


@pytest.mark.parametrize("column", paytable_columns(), ids=lambda column: f"{column.game} {column.wager} {column.name}")
def test_an_event_stands_on_one_line_of_a_column_only(column: PaytableColumn) -> None:
    events = [line.trigger for line in column.lines]
    assert events
    assert len(set(events)) == len(events)
    assert all(event == event.lower() and event.replace("-", "").isalpha() for event in events)


@pytest.mark.parametrize("game", games())
def test_a_label_has_the_same_event_all_over_a_wager(game: str) -> None:
    seen: dict[tuple[str, str], str] = {}
    for column in printed_columns(game):
        for line in column.lines:
            assert seen.setdefault((column.wager, line.label), line.trigger) == line.trigger


FOR_ONE = {
    "bonus-jackpot",
    "final-four",
    "all-seven",
    "jackpot",
    "tie-after-tie",
    "two-plus-two",
    "super-3s",
    "super-six",
}


def test_jackpots_and_features_pay_for_1_and_everything_else_pays_to_1() -> None:
    for column in paytable_columns():
        expected = Basis.FOR_ONE if column.wager in FOR_ONE or column.feature else Basis.TO_ONE
        assert column.basis is expected, column.name


def test_only_tie_plus_is_limited_to_numbers_of_decks() -> None:
    limited = {column.name: column.decks for column in paytable_columns() if column.decks}
    assert limited == {
        "PT-FLT-DFD-TP-01": (5, 6, 8),
        "PT-FLT-DFD-TP-02": (6, 8),
        "PT-FLT-DFD-TP-03": (6,),
    }
    assert paytable("dueling-for-dollars", "tie-plus", "PT-FLT-DFD-TP-02").decks == (6, 8)


def test_every_column_carries_notes() -> None:
    assert all(column.notes for column in paytable_columns())
