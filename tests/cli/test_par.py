"""The command `par`: a sheet that is made, a sheet that is checked, and what bad input is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cardroom.cli.app import app
from cardroom.reports.documents.html import extract_content
from cardroom.reports.documents.program_version import current_program
from cardroom.reports.par.content import EmbeddedContent, content_digest

DUEL = """
game = "dueling-for-dollars"
decks = 8
[wagers.duel]
limits = { min = "$5", max = "$100", step = "$5" }
"""


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, ["par", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.stderr
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a set-up and the sheets that were made from it."""
    folder = tmp_path_factory.mktemp("par")
    (folder / "table.toml").write_text(DUEL)
    for name in ("duel.html", "duel.pdf"):
        made = run("--table", str(folder / "table.toml"), "-o", str(folder / name), "--date", "2026-03-02")
        assert made.exit_code == 0, made.output
        assert made.stderr.strip() == ""
        assert made.stdout.startswith(f"{folder / name}: PAR sheet of Dueling for Dollars, prepared 2026-03-02 by")
    return folder


@pytest.fixture
def page(folder: Path, tmp_path: Path) -> Path:
    """A copy to tamper with."""
    copy = tmp_path / "duel.html"
    copy.write_bytes((folder / "duel.html").read_bytes())
    return copy


def test_the_sheet_is_of_the_operators_table(folder: Path) -> None:
    text = (folder / "duel.html").read_text("utf-8")
    assert "8 decks, 416 cards" in text
    assert "$5 to $100 by $5" in text
    assert "the operator&#x27;s" in text


def test_the_game_may_be_named_beside_its_set_up_and_the_answer_be_json(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "again.html"
    words = ("--table", str(folder / "table.toml"), "-o", str(file), "--date", "2026-03-02")
    made = run("dueling-for-dollars", *words, "--json")
    entry = json.loads(made.stdout)
    inside = extract_content(file.read_text("utf-8"))
    assert inside is not None
    assert entry == {
        "path": str(file),
        "game": "dueling-for-dollars",
        "prepared": "2026-03-02",
        "digest": EmbeddedContent.from_json(inside).digest,
        "program": current_program().to_json(),
    }
    assert file.read_bytes() == (folder / "duel.html").read_bytes()


def test_without_a_name_the_file_is_a_pdf_named_after_the_game(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = run("--table", str(folder / "table.toml"), "--date", "2026-03-02")
    assert made.stdout.startswith("dueling-for-dollars-par.pdf: PAR sheet of Dueling for Dollars")
    assert [one.name for one in tmp_path.iterdir()] == ["dueling-for-dollars-par.pdf"]
    assert (tmp_path / "dueling-for-dollars-par.pdf").read_bytes() == (folder / "duel.pdf").read_bytes()


@pytest.mark.parametrize("name", ["duel.html", "duel.pdf"])
def test_an_untouched_sheet_holds(folder: Path, name: str) -> None:
    checked = run("--check", str(folder / name))
    assert checked.exit_code == 0
    assert checked.stdout.startswith(f"{folder / name} holds.")


def test_a_changed_digit_is_named(page: Path) -> None:
    text = page.read_text("utf-8")
    assert "2.8978%" in text
    page.write_text(text.replace("2.8978%", "2.8878%", 1), "utf-8")
    checked = run("--check", str(page))
    assert checked.exit_code == 1
    assert "The content inside the file is unchanged, but its pages were changed." in checked.stdout
    assert 'the page has "Duel even money 2.8878% ' in checked.stdout
    assert 'it should be "Duel even money 2.8978% ' in checked.stdout


def test_a_figure_that_was_forged_with_its_digest_is_named(page: Path) -> None:
    text = page.read_text("utf-8")
    inside = extract_content(text)
    assert inside is not None
    content = EmbeddedContent.from_json(inside).content
    content["wagers"][0]["combinations"] += 1
    page.write_text(text.replace(inside, EmbeddedContent(content_digest(content), content).to_json()), "utf-8")
    checked = run("--check", str(page), "--json")
    entry = json.loads(checked.stdout)
    assert checked.exit_code == 1
    assert (entry["holds"], entry["verdict"], entry["path"]) == (False, "changed content", str(page))
    (place,) = entry["differences"]
    assert place.startswith("wagers, Duel, combinations: the file has ")


def test_a_sheet_of_another_build_does_not_hold_here(page: Path) -> None:
    text = page.read_text("utf-8")
    inside = extract_content(text)
    assert inside is not None
    content = EmbeddedContent.from_json(inside).content
    content["program"]["build"] = "0123456789abcdef"
    page.write_text(text.replace(inside, EmbeddedContent(content_digest(content), content).to_json()), "utf-8")
    checked = run("--check", str(page))
    assert checked.exit_code == 1
    assert "check it with the version that made it" in checked.stdout


@pytest.mark.parametrize(
    ("words", "payload"),
    [
        ((), "Name a game"),
        (("baccarat",), "There is no game 'baccarat'"),
        (("texas-shootout", "-o", "sheet.doc"), "ends with '.doc'"),
        (("texas-shootout", "-o", "sheet"), "ends with nothing"),
        (("texas-shootout", "-o", "nowhere/sheet.pdf"), "There is no folder nowhere"),
        (("texas-shootout", "-o", "folder.pdf"), "folder.pdf is a folder"),
        (("texas-shootout", "-o", f"{'long' * 99}.pdf"), "cannot be written: File name too long"),
        (("texas-shootout", "--date", "March"), "'March' is not a date: write it as YYYY-MM-DD"),
        (("texas-shootout", "--date", "20260302"), "is not a date"),
        (("texas-shootout", "--table", "nothing.toml"), "nothing.toml cannot be read"),
        (("texas-shootout", "--table", "duel.toml"), "The table file is for dueling-for-dollars, not"),
        (("--table", "broken.toml"), "broken.toml is not TOML"),
        (("--table", "faulty.toml"), "The table cannot open"),
        (("--check", "nothing.pdf"), "nothing.pdf cannot be read"),
        (("--check", "letter.pdf"), "letter"),
        (("--check", "letter.html"), "letter"),
        (("--check", "duel.toml"), "ends with '.toml'"),
        (("--check", "letter.html", "texas-shootout"), "A check takes a file and nothing else"),
        (("--check", "letter.html", "-o", "other.pdf"), "A check takes a file and nothing else"),
    ],
)
def test_bad_input_gets_a_sentence_and_nothing_is_written(
    words: tuple[str, ...], payload: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "duel.toml").write_text(DUEL)
    (tmp_path / "broken.toml").write_text("game = ")
    (tmp_path / "faulty.toml").write_text(DUEL.replace("decks = 8", "decks = 7"))
    (tmp_path / "letter.pdf").write_bytes(b"Dear Sir")
    (tmp_path / "letter.html").write_bytes(b"<p>Dear Sir</p>")
    before = sorted(tmp_path.rglob("*"))
    refused = run(*words)
    assert refused.exit_code == 2
    assert refused.stdout == ""
    assert payload in refused.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_the_help_has_examples() -> None:
    assert "cardroom par" in run("--help").stdout.partition("Examples")[2]


# Jackpots and confirmation


def made(tmp_path: Path, *words: str) -> dict[str, object]:
    file = tmp_path / "made.html"
    result = run(*words, "-o", str(file), "--date", "2026-03-02")
    assert result.exit_code == 0, result.output
    assert "SHA-256 of the content: " in result.stdout
    inside = extract_content(file.read_text("utf-8"))
    assert inside is not None
    return EmbeddedContent.from_json(inside).content


def test_rounds_and_seed_of_the_confirmation_are_the_askers(folder: Path, tmp_path: Path) -> None:
    table = ("--table", str(folder / "table.toml"))
    played = made(tmp_path, *table, "--confirm", "1000", "--seed", "7")["confirmation"]
    assert isinstance(played, dict)
    assert (played["rounds"], played["seed"]) == (1_000, 7)
    assert made(tmp_path, *table, "--confirm", "0")["confirmation"] is None


JACKPOT = """
id = "two-plus-two"
name = "2 + 2 Progressive"
kind = "progressive"
location = "Lakewood"
wager = "$1"
[[offers]]
game = "dueling-for-dollars"
wager = "two-plus-two"
paytable = "PT-BJS-DFD-22-03"
[[levels]]
name = "main"
pays = ["royal-flush", "four-card-straight-flush"]
contribution = "15%"
seed = "$2,000"
"""
WITH_JACKPOT = """
[wagers.two-plus-two]
limits = { min = "$1", max = "$1", step = "$1" }
paytable = "PT-BJS-DFD-22-03"
"""


def test_a_jackpot_that_was_given_travels_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(DUEL + WITH_JACKPOT)
    (tmp_path / "jackpot.toml").write_text(JACKPOT)
    words = ("--table", str(tmp_path / "table.toml"), "--jackpot", str(tmp_path / "jackpot.toml"), "--confirm", "0")
    (jackpot,) = made(tmp_path, *words)["jackpots"]  # type: ignore[misc, attr-defined]
    assert jackpot["levels"][0]["seed"] == "$2,000"
    assert "15.00% of each wager goes to the meter" in (tmp_path / "made.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "payload"),
    [
        (("--confirm", "-1"), "--confirm takes a whole number from 0, not '-1'."),
        (("--confirm", "0", "--seed", "3"), "--confirm 0 plays no rounds"),
        (("--seed", "-3"), "--seed takes a whole number from 0, not '-3'."),
        (("--confirm", str(2**53)), "rounds cannot be played"),
    ],
)
def test_rounds_and_seeds_that_cannot_be_are_refused(tmp_path: Path, words: tuple[str, ...], payload: str) -> None:
    refused = run("dueling-for-dollars", "-o", str(tmp_path / "par.html"), *words)
    assert refused.exit_code == 2
    assert payload in " ".join(refused.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_a_jackpot_of_another_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / "jackpot.toml").write_text(JACKPOT)
    refused = run("three-card-prime", "--jackpot", str(tmp_path / "jackpot.toml"), "-o", str(tmp_path / "par.html"))
    assert refused.exit_code == 2
    assert "is for dueling-for-dollars, not for three-card-prime" in " ".join(refused.stderr.split())


def test_a_check_takes_neither_jackpot_nor_rounds(page: Path) -> None:
    for words in (("--confirm", "5"), ("--seed", "5"), ("--jackpot", "x.toml")):
        refused = run("--check", str(page), *words)
        assert refused.exit_code == 2
        assert "A check takes a file and nothing else" in refused.stderr
