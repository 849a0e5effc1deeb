"""The option `--table` takes a table setup or a custom paytable, in every command."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cardroom.odds.result import Odds, WagerOutcome
from cardroom.terminal.pages import odds as pricing
from tests.cli.card_room import CliRoom
from tests.cli.test_commands import read_output, read_refusal

GENEROUS = """
game = "three-card-prime"
wager = "pair-bonus"
name = "Generous"
basis = "to 1"
[lines]
trips = "30"
straight = "6"
flush = "4"
pair = "1"
other = "push"
"""
SETUP = """
game = "three-card-prime"
[wagers.ante-play]
paytable = "PW/BB 4"
limits = { min = "$5", max = "$100" }
[wagers.pair-bonus]
limits = { min = "$2", max = "$20" }
[wagers.pair-bonus.table]
name = "Mild"
basis = "to 1"
lines = { trips = "20", pair = "2" }
"""
DUEL = """
game = "dueling-for-dollars"
[wagers.duel]
limits = { min = "$5", max = "$100" }
[wagers.combo]
limits = { min = "$2", max = "$20" }
table = { name = "Mild", basis = "to 1", lines = { pair = "3", other = "loss" } }
"""


@pytest.fixture(autouse=True)
def write_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "generous.toml").write_text(GENEROUS)
    (tmp_path / "setup.toml").write_text(SETUP)


def read_json(*words: str) -> Any:
    return json.loads(read_output(*words, "--json"))


def test_the_odds_of_a_setup_use_its_own_paytables() -> None:
    by_wager = {entry["wager"]: entry for entry in read_json("odds", "--table", "setup.toml")}
    assert {slug: entry["paytable"] for slug, entry in by_wager.items()} == {
        "ante-play": "PW/BB 4",
        "pair-bonus": "Mild",
    }
    (printed,) = read_json("odds", "prime", "--wager", "ante-play", "--paytable", "PW/BB 4")
    assert by_wager["ante-play"] == printed
    (mild,) = read_json("odds", "--table", "setup.toml", "--wager", "pair-bonus")
    assert [outcome["event"] for outcome in mild["outcomes"]] == ["trips", "pair", "other"]
    assert "Custom paytables, not from the sheet: Mild." in read_output("odds", "--table", "setup.toml")
    assert "operator's own" not in read_output("odds", "prime", "--wager", "prime")


def test_custom_paytables_are_listed_line_by_line_and_named_as_the_operators_own() -> None:
    (mild,) = read_json("paytables", "--table", "setup.toml")
    assert (mild["name"], mild["sheet"], mild["appendix"], mild["title"]) == (
        "Mild",
        None,
        None,
        "the operator's own, not from the sheet",
    )
    assert [line["event"] for line in mild["lines"]] == ["trips", "pair"]
    page = read_output("paytables", "--table", "setup.toml", "--table", "generous.toml")
    assert "Generous  three-card-prime pair-bonus: the operator's own" in page
    assert "Anything else" in page


def test_a_paytable_file_replaces_the_paytable_of_one_wager_of_a_setup() -> None:
    both = read_json("odds", "--table", "generous.toml", "--table", "setup.toml")
    assert [entry["paytable"] for entry in both] == ["PW/BB 4", "Generous"]
    (alone,) = read_json("odds", "--table", "generous.toml")
    assert both[1] == alone


def test_the_odds_of_a_setup_use_its_options(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_text(
        'game = "dueling-for-dollars"\ndecks = 8\n[options]\ntie_after_tie_bonus = true\n'
        '[wagers.duel]\nlimits = { min = "$5", max = "$100" }\n'
    )
    (entry,) = read_json("odds", "dueling", "--table", "duel.toml")
    assert entry["options"] == {"decks": 8, "tie_after_tie_bonus": True}
    assert read_json("strategy", "--table", "duel.toml")["options"] == entry["options"]


def test_the_return_at_a_meter_depends_on_the_wager_of_the_setup(tmp_path: Path) -> None:
    text = (
        'game = "dueling-for-dollars"\n[wagers.duel]\nlimits = { min = "$5", max = "$100" }\n'
        '[wagers.tie-after-tie]\npaytable = "PT-BJS-DFD-TAT-02"\nlimits = { min = "%s", max = "%s" }\n'
    )
    for amount, meter in (("$1", "1000"), ("$2", "2000")):
        (tmp_path / "duel.toml").write_text(text % (amount, amount))
        words = ("odds", "--table", "duel.toml", "--wager", "tie-after-tie", "--meter", meter)
        (entry,) = read_json(*words)
        assert "expected_return" in entry
        (tmp_path / f"{meter}.json").write_text(json.dumps(entry["expected_return"]))
    assert (tmp_path / "1000.json").read_text() == (tmp_path / "2000.json").read_text()


def test_rounds_are_simulated_with_a_custom_paytable_and_compared_with_its_exact_odds() -> None:
    words = ("simulate", "--table", "generous.toml", "--rounds", "20000", "--seed", "3")
    by_wager = {entry["wager"]: entry for entry in read_json(*words)}
    assert by_wager["pair-bonus"]["paytable"] == "Generous"
    (exact,) = read_json("odds", "--table", "generous.toml")
    assert by_wager["pair-bonus"]["exact_return"] == exact["expected_return"]["value"]
    assert abs(by_wager["pair-bonus"]["z"]) < 5
    page = read_output(*words)
    assert "Custom paytables, not from the sheet: Generous." in page
    assert all(len(line) <= 80 for line in page.splitlines())


def test_a_round_is_played_with_a_custom_paytable() -> None:
    Path("push.toml").write_text(GENEROUS.split("trips")[0] + 'other = "push"\n')
    (line,) = [
        row
        for row in read_output("play", "--table", "push.toml", "--seed", "3").splitlines()
        if row.startswith("Pair B")
    ]
    assert "push" in line
    assert "Prime $1" not in read_output("play", "--table", "setup.toml", "--table", "generous.toml", "--seed", "3")


def test_a_par_sheet_of_a_custom_paytable_says_that_it_is_the_operators_own() -> None:
    Path("duel.toml").write_text(DUEL)
    read_output("par", "--table", "duel.toml", "-o", "sheet.html")
    page = Path("sheet.html").read_text("utf-8")
    assert "paytable Mild is the operator" in page
    assert "not from the sheet." in page


@pytest.mark.long
def test_a_par_sheet_of_custom_paytables_passes_its_check() -> None:
    read_output("par", "--table", "setup.toml", "-o", "sheet.html")
    assert "holds." in read_output("par", "--check", "sheet.html")


def test_a_record_with_a_custom_paytable_is_settled() -> None:
    record = json.loads(read_output("settle", "--example", "prime"))
    record["table"]["wagers"]["pair-bonus"] |= {
        "paytable": "All push",
        "table": {"name": "All push", "basis": "to 1", "lines": [["other", "push"]]},
    }
    payments = json.loads(read_output("settle", "-", "--json", typed=json.dumps(record)))["payments"]
    assert {payment["pays"] for payment in payments if payment["spot"] == "pair-bonus"} == {"push"}


def test_a_table_is_added_with_a_custom_paytable(cli_room: CliRoom) -> None:
    file = cli_room.folder / "table.toml"
    file.write_text(f'table = "own-1"\n{SETUP}')
    assert "use --table only for custom paytables" in cli_room.read_refusal(
        "table", "add", str(file), "--table", "setup.toml"
    )
    cli_room.read_json("table", "add", str(file), "--table", "generous.toml")
    cli_room.read_json("verify")
    cli_room.read_json("table", "remove", "own-1", "--why", "x")
    cli_room.read_json("table", "add", str(file))
    assert cli_room.read_json("verify")["whole"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            'game = "three-card-prime"',
            "other.toml is neither a paytable nor a table setup: name a paytable, which has [lines]",
        ),
        ("x = 1", "or a table setup, which has [wagers]"),
        (GENEROUS.replace("trips", "tripps"), "Did you mean 'trips'?"),
        (GENEROUS.replace('"30"', '"5:3"'), "A wager of $1 cannot be paid 5 to 3"),
        (SETUP.replace("[wagers.ante-play]", "[wagers.ante-pay]"), "ante-play: Every player of Three Card Prime"),
        (SETUP.replace("three-card-prime", "three-card-primo"), "There is no game 'three-card-primo'"),
    ],
)
@pytest.mark.parametrize("command", ["odds", "strategy", "simulate", "par", "play"])
def test_every_command_refuses_a_wrong_file_with_the_same_sentence(command: str, text: str, sentence: str) -> None:
    Path("other.toml").write_text(text)
    required = {"simulate": ("--rounds", "9"), "par": ("-o", "x.pdf")}.get(command, ())
    if "5:3" in text and command in ("odds", "strategy"):
        return  # odds need no amounts in cents
    assert sentence in read_refusal(command, "--table", "other.toml", *required)
    assert not Path("x.pdf").exists()


def test_help_names_the_two_kinds_of_file() -> None:
    for command in ("odds", "strategy", "simulate", "par", "play"):
        shown = " ".join(read_output(command, "--help").replace("│", " ").split())
        assert "A table setup or a custom paytable" in shown, command


def test_two_setups_or_two_games_are_refused(tmp_path: Path) -> None:
    assert "Two of the files are table setups" in read_refusal("odds", "--table", "setup.toml", "--table", "setup.toml")
    other = GENEROUS.replace("three-card-prime", "deuces-wild").replace("pair-bonus", "three-card-treasure")
    (tmp_path / "deuces.toml").write_text(other.split("[lines]")[0] + '[lines]\nother = "push"\n')
    refusal = read_refusal("odds", "--table", "generous.toml", "--table", "deuces.toml")
    assert refusal == "The files are for three-card-prime and deuces-wild: name files of one game."


def test_the_odds_tables_fit_80_columns_and_truncate_nothing() -> None:
    win = WagerOutcome("seven-cards-of-one-color-and-more", "1,000,000 for 1", 10**29, Fraction(1))
    loss = WagerOutcome("other", "loss", 10**30, Fraction(-1))
    priced = [
        Odds("texas-shootout", "shootout-bonus", name, {"ties": "push"}, (win, loss), simulated_rounds=rounds)
        for name, rounds in (("TS/SB 1", 10_000), ("An operator's own name of forty letters", None))
    ]
    console = Console(width=80, highlight=False, record=True, quiet=True)
    console.quiet = False
    with console.capture() as capture:
        console.print(pricing.summary(priced))
        console.print(pricing.detail(priced[0]))
    page = capture.get()
    assert all(len(line) <= 80 for line in page.splitlines())
    assert "…" not in page
    assert page.count("9.09%") == 3, "the last column of each line"
    text = "".join(page.split())
    assert "-0.90909091" in text
    assert f"{10**30:,}"[:12] in text


@pytest.mark.parametrize(
    "words", [("games",), ("paytables", "texas"), ("paytables", "double-play"), ("odds", "dueling", "--all")]
)
def test_the_pages_of_the_lab_fit_80_columns_and_truncate_nothing(words: tuple[str, ...]) -> None:
    page = read_output(*words)
    assert all(len(line) <= 80 for line in page.splitlines())
    assert "…" not in page
