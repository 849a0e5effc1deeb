"""`cardroom report …`: text, files, JSON, and refusals of bad input."""

from __future__ import annotations

import csv
import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cardroom.cli.app import app
from tests.reports.card_room import record_an_evening


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('report')}/room.db"
    record_an_evening(url).ledger.close()
    return url


def run(database: str, *words: str) -> Result:
    result = CliRunner().invoke(app, ["report", *words, "--database", database], env={"COLUMNS": "200"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.stderr
    return result


@pytest.mark.parametrize(
    ("words", "output"),
    [
        ("history final-four", "Prize claimed and locked: prize won."),
        ("meters", "Seed owed"),
        ("deposits ties", "LATE. ties: a deposit of $500.00 is overdue"),
        ("reconciliation", "SHORT by $5.00: the jackpot is closed"),
        ("master-games prime-1", "Three Card Prime"),
        ("activity duel-1", "1 in 75.0"),
        ("events final-four", "hand Jd Qd Kd. Wagers: seat 1"),
        ("events prime-1 --last 3", "Counted by the tabulator"),
    ],
)
def test_every_report_is_shown_in_the_terminal(database: str, words: str, output: str) -> None:
    shown = run(database, *words.split())
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert output in shown.stdout
    assert "Ledger chains read for this report" in shown.stdout


def test_a_report_is_written_as_csv_json_and_pdf(database: str, tmp_path: Path) -> None:
    words = ("history", "final-four", "--from", "2026-03-02", "--to", "2026-03-08")
    for suffix in ("csv", "json", "pdf"):
        file = tmp_path / f"week.{suffix}"
        result = run(database, *words, "-o", str(file))
        assert result.exit_code == 0
        assert result.stdout == f"{file}: Jackpot history, Final Four Progressive, 2026-03-02 to 2026-03-08.\n"
    assert {file.name for file in tmp_path.iterdir()} == {"week.csv", "week.json", "week.pdf"}
    with (tmp_path / "week.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    entry = json.loads((tmp_path / "week.json").read_text("utf-8"))
    assert len(rows) == sum(len(part["lines"]) for part in entry["parts"])
    assert (tmp_path / "week.pdf").read_bytes().startswith(b"%PDF")


def test_the_path_of_a_written_report_can_be_printed_as_json(database: str, tmp_path: Path) -> None:
    file = tmp_path / "meters.csv"
    output = json.loads(run(database, "meters", "-o", str(file), "--json").stdout)
    assert output == {"path": str(file), "report": "jackpot-meters", "subject": "All jackpots", "faults": []}


def test_a_report_on_a_ledger_that_contradicts_itself_exits_with_one(database: str, tmp_path: Path) -> None:
    forged = tmp_path / "forged.db"
    original, copy = sqlite3.connect(database.removeprefix("sqlite:///")), sqlite3.connect(forged)
    original.backup(copy)
    for (trigger,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        copy.execute(f"DROP TRIGGER {trigger}")
    copy.execute(
        "UPDATE events SET payload = replace(payload, '[50000000,', '[50000001,') WHERE chain = 'jackpot:final-four'"
    )
    copy.commit()
    for connection in (original, copy):
        connection.close()
    failed = run(f"sqlite:///{forged}", "history", "final-four", "-o", str(tmp_path / "history.csv"))
    assert failed.exit_code == 1
    assert "Event 4 of jackpot:final-four" in failed.stderr
    assert "contradicts the earlier events" in failed.stderr
    assert [file.name for file in tmp_path.glob("*history*")] == []


def test_a_report_as_json_is_one_document_and_nothing_else(database: str) -> None:
    entry = json.loads(run(database, "master-games", "--json", "--timezone", "UTC", "--day-starts", "00:00").stdout)
    assert (entry["report"], entry["timezone"], entry["day_starts"]) == ("master-games-report", "UTC", "00:00")
    tables = entry["parts"][0]
    assert tables["total"]["drop"] == sum(line["drop"] for line in tables["lines"]) == 466_0000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("history final-four --from tomorrow", "'tomorrow' is not a date: write YYYY-MM-DD"),
        ("history final-four --from 2026-03-08 --to 2026-03-02", "swap the days"),
        ("history nothing", "There is no jackpot 'nothing'"),
        ("master-games nowhere", "There is no table 'nowhere'"),
        ("events nothing", "There is no table or jackpot 'nothing'. Choose one of: duel-1,"),
        ("events prime-1 --last 0", "0 events cannot be recalled"),
        ("activity nothing", "There is no table or jackpot 'nothing'"),
        ("meters --timezone Mars", "There is no time zone 'Mars'"),
        ("meters --day-starts noon", "'noon' is not a time"),
        ("meters -o meters.doc", "'meters.doc' ends with '.doc'"),
        ("meters -o no/such/folder/meters.csv", "There is no folder no/such/folder"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(database: str, words: str, sentence: str) -> None:
    refused = run(database, *words.split())
    assert refused.exit_code == 2
    assert sentence in refused.stderr
    assert refused.stdout == ""


def test_a_report_does_not_create_a_missing_database(tmp_path: Path) -> None:
    refused = run(f"sqlite:///{tmp_path}/none.db", "meters")
    assert refused.exit_code == 2
    assert "There is no database" in refused.stderr
    assert not list(tmp_path.iterdir())
