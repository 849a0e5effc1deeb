"""`cardroom odds --chart`: the drawing that fits the question, or a sentence why there is none."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cardroom.cli.app import app

DUEL = ("dueling-for-dollars", "--wager", "duel")
TIE_PLUS = ("dueling-for-dollars", "--wager", "tie-plus")
JACKPOT = ("dueling-for-dollars", "--wager", "two-plus-two")


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, ["odds", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.stderr
    return result


def words_of(file: Path) -> str:
    return " ".join(text.strip() for text in ET.fromstring(file.read_text("utf-8")).itertext() if text.strip())


def drawn(file: Path, *words: str) -> str:
    """The words of the chart that answers a question."""
    result = run(*words, "--chart", str(file))
    assert result.exit_code == 0, result.output
    assert f"{file}: " in result.stdout
    return words_of(file)


def test_several_tables_of_a_wager_are_drawn_by_their_edge(tmp_path: Path) -> None:
    payload = drawn(tmp_path / "edges.svg", "dueling-for-dollars", "--wager", "combo")
    assert "Combo Bet: the house edge runs from 2.572% to 7.395%" in payload
    assert "house edge, percent of the initial wager" in payload
    for table in ("PT-FLT-DFD-CB-01", "PT-FLT-DFD-CB-05"):
        assert table in payload


def test_options_of_a_wager_without_tables_are_drawn_too(tmp_path: Path) -> None:
    payload = drawn(tmp_path / "edges.svg", *DUEL, "--all")
    assert "8 decks, with tie after tie bonus" in payload
    assert "5 decks, no tie after tie bonus" in payload


def test_one_table_is_drawn_by_its_outcomes(tmp_path: Path) -> None:
    payload = drawn(tmp_path / "outcomes.svg", *DUEL)
    assert "Duel: the house keeps 2.877%." in payload
    assert "contribution to the expected return, units per round" in payload
    for outcome in ("War win", "War tie", "−0.46302"):
        assert outcome in payload


@pytest.mark.parametrize("meter", [(), ("--meter", "25000")])
def test_a_jackpot_is_drawn_against_its_meter(tmp_path: Path, meter: tuple[str, ...]) -> None:
    payload = drawn(tmp_path / "meter.svg", *JACKPOT, "--paytable", "PT-BJS-DFD-22-03", *meter)
    assert "2 + 2 Jackpot, table PT-BJS-DFD-22-03" in payload
    assert "breaks even at a meter of $36,645.13" in payload
    assert "meter, dollars" in payload


def test_a_png_is_drawn_and_json_stays_alone_on_standard_output(tmp_path: Path) -> None:
    file = tmp_path / "edges.png"
    result = run(*TIE_PLUS, "--chart", str(file), "--json")
    assert result.exit_code == 0
    assert {entry["wager"] for entry in json.loads(result.stdout)} == {"tie-plus"}
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "file", "payload"),
    [
        (("texas-shootout",), "edges.svg", "A chart shows one wager, and these are 4"),
        ((), "edges.svg", "name a game and a --wager"),
        (("texas-shootout", "--wager", "shootout"), "edges.gif", ".svg or .png"),
        (("texas-shootout", "--wager", "shootout"), "edges", "ends with nothing"),
        (("texas-shootout", "--wager", "shootout"), "nowhere/edges.svg", "There is no folder nowhere"),
        (("texas-shootout", "--wager", "shootout"), ".", "ends with nothing"),
        (JACKPOT, "edges.svg", "give the meter"),
        (("baccarat",), "edges.svg", "There is no game 'baccarat'"),
    ],
)
def test_what_cannot_be_drawn_gets_a_sentence_and_no_file(
    words: tuple[str, ...], file: str, payload: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run(*words, "--chart", file)
    assert refused.exit_code == 2
    assert refused.stdout == ""
    assert payload in refused.stderr
    assert list(tmp_path.iterdir()) == []
