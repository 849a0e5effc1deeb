"""The comparison finds every change of a figure or a key, and accepts the names that a table lists."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.comparison.commands import ROOT
from tests.comparison.compare import BadRenames, Kind, Renames, compare_folders, figures

BOOKS: dict[str, Any] = {
    "chains": {
        "layout:prime-1": {
            "events": [
                {"type": "table-opened", "version": 1, "payload": {"remark": "Vera", "cents": 10_00, "hand": "Qd 2s"}}
            ],
            "postings": [{"debit": "seat:prime-1/1", "credit": "player:ada", "amount": 1_000_00}],
        },
        "table:prime-1": {"events": []},
    },
    "verification": {"rounds": 12, "whole": True},
    "answers": ["Ada has $1,010.50 after 3 rounds, 20% of it won."],
}
ODDS: dict[str, Any] = {"odds --json": {"remark": {"value": -0.0289574978, "fraction": "-226743/7830200"}}}
TABLE = "layout table  # the table where people play\ntable tabulator\nremark payload\nremark text\n"


def write(folder: Path, books: Any, odds: Any) -> Path:
    folder.mkdir()
    (folder / "books.json").write_text(json.dumps(books))
    (folder / "contract-odds.json").write_text(json.dumps(odds))
    return folder


def compare(folder: Path, books: Any = BOOKS, odds: Any = ODDS, renames: str = "") -> list[tuple[str, str]]:
    """The kind and the path of each difference between the record above and another one."""
    (folder / "renames").write_text(renames)
    old, new = write(folder / "before", BOOKS, ODDS), write(folder / "after", books, odds)
    return [(one.kind, one.path) for one in compare_folders(old, new, Renames.read(folder / "renames"))]


def changed(old: str, new: str, record: Any = BOOKS) -> Any:
    text = json.dumps(record)
    assert old in text
    return json.loads(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "kind", "path"),
    [
        ('"amount": 100000', '"amount": 100001', Kind.FIGURE, "/books/chains/layout:prime-1/postings/0/amount"),
        ('"rounds": 12', '"rounds": 13', Kind.FIGURE, "/books/verification/rounds"),
        ("$1,010.50", "$1,010.51", Kind.FIGURE, "/books/answers/0"),
        ("20%", "21%", Kind.FIGURE, "/books/answers/0"),
        ('"version": 1', '"version": "1"', Kind.FIGURE, "/books/chains/layout:prime-1/events/0/version"),
        ('"whole": true', '"whole": 1', Kind.FIGURE, "/books/verification/whole"),
        ('"events": []', '"events": [1]', Kind.FIGURE, "/books/chains/table:prime-1/events/length"),
        ("table-opened", "table-closed", Kind.NAME, "/books/chains/layout:prime-1/events/0/type"),
        ("Qd 2s", "Kd 2s", Kind.NAME, "/books/chains/layout:prime-1/events/0/payload/hand"),
        ("player:ada", "player:bea", Kind.NAME, "/books/chains/layout:prime-1/postings/0/credit"),
        ("Ada has", "At the end, Ada has", Kind.WORDING, "/books/answers/0"),
    ],
)
def test_every_change_of_a_value_is_found(tmp_path: Path, old: str, new: str, kind: Kind, path: str) -> None:
    assert compare(tmp_path, changed(old, new)) == [(kind, path)]


def test_a_changed_odds_figure_is_found(tmp_path: Path) -> None:
    assert compare(tmp_path, odds=changed("0.0289574978", "0.0289574979", ODDS)) == [
        (Kind.FIGURE, "/contract-odds/odds --json/remark/value")
    ]


def test_a_renamed_key_that_is_not_in_the_table_is_found_as_two_keys(tmp_path: Path) -> None:
    payload = "/books/chains/layout:prime-1/events/0/payload"
    assert compare(tmp_path, changed("remark", "name"), renames="remark payload\n") == [
        (Kind.KEY, f"{payload}/remark"),
        (Kind.KEY, f"{payload}/name"),
    ]


@pytest.mark.parametrize("name", ["payload", "text"])
def test_the_names_of_the_table_are_accepted_and_figures_under_them_compared(tmp_path: Path, name: str) -> None:
    renamed = changed("remark", name, changed("layout:", "table:", changed("table:", "tabulator:")))
    (tmp_path / "1").mkdir()
    assert compare(tmp_path / "1", renamed, renames=TABLE) == []
    (tmp_path / "2").mkdir()
    assert compare(tmp_path / "2", changed("1000,", "1001,", renamed), renames=TABLE) == [
        (Kind.FIGURE, "/books/chains/layout:prime-1/events/0/payload/cents")
    ]


def test_a_key_of_the_contract_keeps_its_name_whatever_the_table_says(tmp_path: Path) -> None:
    assert compare(tmp_path, odds=changed("remark", "text", ODDS), renames="remark text\n") == [
        (Kind.KEY, "/contract-odds/odds --json/remark"),
        (Kind.KEY, "/contract-odds/odds --json/text"),
    ]


def test_a_command_of_the_contract_or_a_file_that_is_gone_is_found(tmp_path: Path) -> None:
    assert compare(tmp_path, odds={}) == [(Kind.KEY, "/contract-odds/odds --json")]
    (tmp_path / "after" / "contract-odds.json").unlink()
    assert [one.path for one in compare_folders(tmp_path / "before", tmp_path / "after", Renames())] == [
        "/contract-odds"
    ]


def test_names_in_a_sorted_list_may_change_places_and_values_may_not() -> None:
    from tests.comparison.compare import Comparison

    comparison = Comparison(Renames({"layout": ("table",)}))
    assert list(comparison.differences(["layout", "player"], ["player", "table"])) == []
    assert len(list(comparison.differences(["layout", "player"], ["table", "table"]))) == 1
    assert len(list(comparison.differences(["2c", "3d", "Kh"], ["3d", "2c", "Kh"]))) == 2


def test_cards_in_a_sentence_are_figures_and_its_first_word_is_not() -> None:
    assert figures("chance: As to seat 2 hand") != figures("chance: Ad to seat 2 hand")
    assert figures("As the dealer says, 3 seats.") == figures("The dealer says: 3 seats.")


def test_a_line_that_is_not_a_rename_is_refused(tmp_path: Path) -> None:
    (tmp_path / "renames").write_text("layout table\nfelt\n")
    with pytest.raises(BadRenames, match="line 2"):
        Renames.read(tmp_path / "renames")


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "tests.comparison", *map(str, words))
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_command_prints_each_difference_and_its_exit_code_counts_figures_and_keys(tmp_path: Path) -> None:
    before = write(tmp_path / "before", BOOKS, ODDS)
    reworded = write(tmp_path / "reworded", changed("Ada has", "Ada now has"), ODDS)
    assert run("compare", before, before).stdout == "The records agree.\n"
    done = run("compare", before, reworded)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Differences: 1 wording.")
    done = run("compare", before, write(tmp_path / "cent", changed("100000", "100001"), ODDS))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "figure /books/chains/layout:prime-1/postings/0/amount",
        "  before: 100000",
        "  after:  100001",
        "Differences: 1 figure.",
    ]


@pytest.mark.long
def test_two_records_of_one_checkout_agree(tmp_path: Path) -> None:
    for name in ("first", "second"):
        done = run("record", tmp_path / name)
        assert done.returncode == 0, done.stdout
    done = run("compare", tmp_path / "first", tmp_path / "second")
    assert (done.returncode, done.stdout) == (0, "The records agree.\n")
