"""Every report and every page of the books reads in a terminal of a hundred columns: nothing is cut off."""

from __future__ import annotations

import re

import pytest
from rich.console import Console

from cardroom.terminal.pages.columns import ColumnAlign, ColumnHeading, TextColumns
from tests.cli.card_room import CliRoom
from tests.reports.card_room import record_an_evening

WIDTH = 100
JACKPOTS, TABLES = ("all-seven", "final-four", "ties"), ("duel-1", "prime-1", "prime-2")
PAGES = [
    ("jackpot", "list"),
    *(("jackpot", what, jackpot) for what in ("show", "history") for jackpot in JACKPOTS),
    *(("jackpot", "history", jackpot, "--rounds") for jackpot in JACKPOTS),
    *((*command, table) for command in (("tabulator", "history"), ("display", "show")) for table in TABLES),
    ("promotion", "list"),
    ("room", "show"),
    *(
        ("report", what, jackpot)
        for what in ("history", "meters", "deposits", "reconciliation", "events")
        for jackpot in JACKPOTS
    ),
    *(("report", "events", table) for table in TABLES),
    ("report", "master-games"),
    ("report", "activity"),
    ("report", "activity", "--expected"),
]
AMOUNT = re.compile(r"[+\-−]?\$?\d{1,3}(?:,\d{3})*\.\d{4}\b|[+\-−]?\$\d{1,3}(?:,\d{3})*\.\d{2}\b")
HASH = re.compile(r"\b[0-9a-f]{64}\b")
TIME = re.compile(r"^ {0,2}\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})?\b", re.MULTILINE)


@pytest.fixture(scope="module")
def cli_room(tmp_path_factory: pytest.TempPathFactory) -> CliRoom:
    folder = tmp_path_factory.mktemp("evening")
    room = record_an_evening(f"sqlite:///{folder}/ledger.db")
    room.ledger.close()
    return CliRoom(f"sqlite:///{folder}/ledger.db", folder)


def printed(cli_room: CliRoom, page: tuple[str, ...], width: int) -> str:
    result = cli_room.run(*page, COLUMNS=str(width))
    assert result.exit_code in (0, 1), result.output
    return result.stdout


@pytest.mark.parametrize("page", PAGES, ids=" ".join)
def test_a_page_has_the_same_amounts_times_and_hashes_as_on_a_wide_screen(
    cli_room: CliRoom, page: tuple[str, ...]
) -> None:
    """What is broken over two lines, or cut off, is not found any more."""
    wide, narrow = printed(cli_room, page, 1_000), printed(cli_room, page, WIDTH)
    assert max(map(len, narrow.splitlines())) <= WIDTH
    assert "…" not in narrow
    prepared = re.compile("Prepared .*")
    wide, narrow = prepared.sub("", wide), prepared.sub("", narrow)
    found = 0
    for kind in (AMOUNT, HASH, TIME):
        there = sorted(map(str.strip, kind.findall(narrow)))
        assert there == sorted(map(str.strip, kind.findall(wide)))
        found += len(there)
    assert found > 0 or page[1] in ("display", "recall") or page[0] == "room"


SHOWN = [("jackpot", "list"), *(("jackpot", "show", jackpot) for jackpot in JACKPOTS)]


@pytest.mark.parametrize("page", SHOWN, ids=" ".join)
def test_where_everything_stands_is_whole_in_eighty_columns(cli_room: CliRoom, page: tuple[str, ...]) -> None:
    wide, narrow = printed(cli_room, page, 1_000), printed(cli_room, page, 80)
    assert max(map(len, narrow.splitlines())) <= 80
    assert "…" not in narrow
    assert _words(narrow) == _words(wide)
    assert len(_words(narrow)) > 40


def _words(page: str) -> list[str]:
    """Every word and every amount, apart from the clock of a report."""
    return sorted(word for word in page.split() if re.search(r"[A-Za-z$%/]", word) and word not in ("h", "min"))


def test_words_are_broken_between_words_and_numbers_never() -> None:
    headings = [
        ColumnHeading("Table"),
        ColumnHeading("Why", ColumnAlign.SENTENCE),
        ColumnHeading("Not yet deposited", ColumnAlign.RIGHT),
    ]
    rows = [("prime-1", "the shuffler jammed and the floor was called " * 3, "12,345,678.9012")]
    for width in range(44, 140, 7):
        console = Console(width=width)
        with console.capture() as caught:
            console.print(TextColumns(headings, rows))
        lines = caught.get().splitlines()
        assert max(map(len, lines)) <= width
        assert any("12,345,678.9012" in line for line in lines)
        words = " ".join(caught.get().split())
        assert words.count("shuffler") == 3
        assert words.count("jammed") == 3


def test_what_does_not_fit_beside_the_others_goes_on_in_the_next_line() -> None:
    headings = [ColumnHeading(f"Column {number}", ColumnAlign.RIGHT) for number in range(12)]
    rows = [tuple(f"{number}23,456.7890" for number in range(12))]
    console = Console(width=60)
    with console.capture() as caught:
        console.print(TextColumns(headings, rows))
    assert [number in caught.get() for number in rows[0]] == [True] * 12
    assert max(map(len, caught.get().splitlines())) <= 60
