"""One option, `--table`, takes the set-up of a table or a paytable that no user printed, in every command alike."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cardroom.odds.result import Odds, WagerOutcome
from cardroom.terminal.pages import odds as pricing
from tests.cli.card_room import House
from tests.cli.test_commands import good, refused

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
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "generous.toml").write_text(GENEROUS)
    (tmp_path / "setup.toml").write_text(SETUP)


def output(*words: str) -> Any:
    return json.loads(good(*words, "--json"))


def test_odds_of_a_set_up_are_those_of_its_own_tables() -> None:
    by_wager = {one["wager"]: one for one in output("odds", "--table", "setup.toml")}
    assert {slug: one["paytable"] for slug, one in by_wager.items()} == {"ante-play": "PW/BB 4", "pair-bonus": "Mild"}
    (printed,) = output("odds", "prime", "--wager", "ante-play", "--paytable", "PW/BB 4")
    assert by_wager["ante-play"] == printed
    (mild,) = output("odds", "--table", "setup.toml", "--wager", "pair-bonus")
    assert [one["event"] for one in mild["outcomes"]] == ["trips", "pair", "other"]
    assert "Custom paytables, not from the sheet: Mild." in good("odds", "--table", "setup.toml")
    assert "operator's own" not in good("odds", "prime", "--wager", "prime")


def test_the_operators_own_tables_are_listed_line_by_line_and_shown_as_that() -> None:
    (mild,) = output("paytables", "--table", "setup.toml")
    assert (mild["name"], mild["sheet"], mild["appendix"], mild["title"]) == (
        "Mild",
        None,
        None,
        "the operator's own, not from the sheet",
    )
    assert [line["event"] for line in mild["lines"]] == ["trips", "pair"]
    page = good("paytables", "--table", "setup.toml", "--table", "generous.toml")
    assert "Generous  three-card-prime pair-bonus: the operator's own" in page
    assert "Anything else" in page


def test_a_set_up_and_a_paytable_for_one_of_its_wagers_go_together() -> None:
    both = output("odds", "--table", "generous.toml", "--table", "setup.toml")
    assert [one["paytable"] for one in both] == ["PW/BB 4", "Generous"]
    (alone,) = output("odds", "--table", "generous.toml")
    assert both[1] == alone


def test_options_of_a_set_up_are_in_its_odds(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_text(
        'game = "dueling-for-dollars"\ndecks = 8\n[options]\ntie_after_tie_bonus = true\n'
        '[wagers.duel]\nlimits = { min = "$5", max = "$100" }\n'
    )
    (entry,) = output("odds", "dueling", "--table", "duel.toml")
    assert entry["options"] == {"decks": 8, "tie_after_tie_bonus": True}
    assert output("strategy", "--table", "duel.toml")["options"] == entry["options"]


def test_a_meter_is_held_against_the_wager_of_the_set_up(tmp_path: Path) -> None:
    text = (
        'game = "dueling-for-dollars"\n[wagers.duel]\nlimits = { min = "$5", max = "$100" }\n'
        '[wagers.tie-after-tie]\npaytable = "PT-BJS-DFD-TAT-02"\nlimits = { min = "%s", max = "%s" }\n'
    )
    for amount, meter in (("$1", "1000"), ("$2", "2000")):
        (tmp_path / "duel.toml").write_text(text % (amount, amount))
        words = ("odds", "--table", "duel.toml", "--wager", "tie-after-tie", "--meter", meter)
        (entry,) = output(*words)
        assert "expected_return" in entry
        (tmp_path / f"{meter}.json").write_text(json.dumps(entry["expected_return"]))
    assert (tmp_path / "1000.json").read_text() == (tmp_path / "2000.json").read_text()


def test_rounds_are_simulated_with_it_and_held_against_its_exact_odds() -> None:
    words = ("simulate", "--table", "generous.toml", "--rounds", "20000", "--seed", "3")
    by_wager = {one["wager"]: one for one in output(*words)}
    assert by_wager["pair-bonus"]["paytable"] == "Generous"
    (exact,) = output("odds", "--table", "generous.toml")
    assert by_wager["pair-bonus"]["exact_return"] == exact["expected_return"]["value"]
    assert abs(by_wager["pair-bonus"]["z"]) < 5
    page = good(*words)
    assert "Custom paytables, not from the sheet: Generous." in page
    assert all(len(line) <= 80 for line in page.splitlines())


def test_a_round_is_played_with_it() -> None:
    Path("push.toml").write_text(GENEROUS.split("trips")[0] + 'other = "push"\n')
    (line,) = [
        one for one in good("play", "--table", "push.toml", "--seed", "3").splitlines() if one.startswith("Pair B")
    ]
    assert "push" in line
    assert "Prime $1" not in good("play", "--table", "setup.toml", "--table", "generous.toml", "--seed", "3")


def test_a_par_sheet_is_made_of_it_and_says_so() -> None:
    Path("duel.toml").write_text(DUEL)
    good("par", "--table", "duel.toml", "-o", "sheet.html")
    page = Path("sheet.html").read_text("utf-8")
    assert "paytable Mild is the operator" in page
    assert "not from the sheet." in page


@pytest.mark.long
def test_a_par_sheet_of_it_holds() -> None:
    good("par", "--table", "setup.toml", "-o", "sheet.html")
    assert "holds." in good("par", "--check", "sheet.html")


def test_a_round_of_it_is_settled_from_its_record() -> None:
    record = json.loads(good("settle", "--example", "prime"))
    record["table"]["wagers"]["pair-bonus"] |= {
        "paytable": "All push",
        "table": {"name": "All push", "basis": "to 1", "lines": [["other", "push"]]},
    }
    paid = json.loads(good("settle", "-", "--json", typed=json.dumps(record)))["payments"]
    assert {one["pays"] for one in paid if one["spot"] == "pair-bonus"} == {"push"}


def test_a_table_is_opened_with_it(house: House) -> None:
    file = house.folder / "table.toml"
    file.write_text(f'table = "own-1"\n{SETUP}')
    assert "use --table only for custom paytables" in house.refused("table", "add", str(file), "--table", "setup.toml")
    house.read_json("table", "add", str(file), "--table", "generous.toml")
    house.read_json("verify")
    house.read_json("table", "remove", "own-1", "--why", "x")
    house.read_json("table", "add", str(file))
    assert house.read_json("verify")["whole"]


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
def test_a_file_that_is_wrong_gets_the_same_sentence_everywhere(command: str, text: str, sentence: str) -> None:
    Path("other.toml").write_text(text)
    beside = {"simulate": ("--rounds", "9"), "par": ("-o", "x.pdf")}.get(command, ())
    if "5:3" in text and command in ("odds", "strategy"):
        return  # a question about odds asks for no money to the cent
    assert sentence in refused(command, "--table", "other.toml", *beside)
    assert not Path("x.pdf").exists()


def test_help_tells_the_two_apart() -> None:
    for command in ("odds", "strategy", "simulate", "par", "play"):
        shown = " ".join(good(command, "--help").replace("│", " ").split())
        assert "A table setup or a custom paytable" in shown, command


def test_two_set_ups_or_two_games_are_refused(tmp_path: Path) -> None:
    assert "Two of the files are table setups" in refused("odds", "--table", "setup.toml", "--table", "setup.toml")
    other = GENEROUS.replace("three-card-prime", "deuces-wild").replace("pair-bonus", "three-card-treasure")
    (tmp_path / "deuces.toml").write_text(other.split("[lines]")[0] + '[lines]\nother = "push"\n')
    said = refused("odds", "--table", "generous.toml", "--table", "deuces.toml")
    assert said == "The files are for three-card-prime and deuces-wild: name files of one game."


def test_nothing_of_the_odds_is_cut_at_80_columns() -> None:
    ending = WagerOutcome("seven-cards-of-one-color-and-more", "1,000,000 for 1", 10**29, Fraction(1))
    lost = WagerOutcome("other", "loss", 10**30, Fraction(-1))
    found = [
        Odds("texas-shootout", "shootout-bonus", name, {"ties": "push"}, (ending, lost), simulated_rounds=rounds)
        for name, rounds in (("TS/SB 1", 10_000), ("An operator's own name of forty letters", None))
    ]
    console = Console(width=80, highlight=False, record=True, quiet=True)
    console.quiet = False
    with console.capture() as capture:
        console.print(pricing.summary(found))
        console.print(pricing.detail(found[0]))
    page = capture.get()
    assert all(len(line) <= 80 for line in page.splitlines())
    assert "…" not in page
    assert page.count("9.09%") == 3, "the last column of each line"
    letters = "".join(page.split())
    assert "-0.90909091" in letters
    assert f"{10**30:,}"[:12] in letters


@pytest.mark.parametrize(
    "words", [("games",), ("paytables", "texas"), ("paytables", "double-play"), ("odds", "dueling", "--all")]
)
def test_nothing_of_the_laboratorys_pages_is_cut_at_80_columns(words: tuple[str, ...]) -> None:
    page = good(*words)
    assert all(len(line) <= 80 for line in page.splitlines())
    assert "…" not in page
