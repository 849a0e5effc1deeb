"""The commands `odds` and `strategy`: what people and programs get, and what bad input is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.games import default_setup
from cardroom.games.setup import setup_to_toml

GENEROUS = """
game = "three-card-prime"
wager = "prime"
name = "Generous"
basis = "to 1"
[lines]
same-color-player-and-dealer = "5"
same-color-player = "3"
other = "loss"
"""


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def entries(*words: str) -> list[dict[str, Any]]:
    code, out, _ = run(*words, "--json")
    assert code == 0
    found: list[dict[str, Any]] = json.loads(out)
    return found


def test_odds_of_one_table_come_as_the_contract_says() -> None:
    (entry,) = entries("odds", "three-card-prime", "--wager", "ante-play", "--paytable", "PW/BB 1")
    assert entry["expected_return"] == {"value": -226743 / 7830200, "fraction": "-226743/7830200"}
    assert entry["initial_wager"] == 1
    assert entry["outcomes"][0]["event"] == "mini-royal"
    assert entry["outcomes"][0]["pays"] == "10 to 1"


def test_all_runs_through_decks_and_the_tie_after_tie_bonus() -> None:
    found = entries("odds", "dueling-for-dollars", "--wager", "duel", "--all")
    assert [round(entry["house_edge"] * 100, 4) for entry in found if not entry["options"]["tie_after_tie_bonus"]] == [
        2.8771,
        2.8604,
        2.8978,
    ]


def test_decks_and_options_choose_one() -> None:
    words = ("--wager", "duel", "--decks", "8", "--option", "tie_after_tie_bonus=true")
    (entry,) = entries("odds", "dueling-for-dollars", *words)
    assert entry["options"] == {"decks": 8, "tie_after_tie_bonus": True}


def test_a_meter_gives_a_jackpot_its_return() -> None:
    words = ("odds", "three-card-prime", "--wager", "final-four", "--paytable", "F4P-1")
    (without,) = entries(*words)
    assert "expected_return" not in without
    (fair,) = entries(*words, "--meter", "207207.69")
    assert abs(fair["expected_return"]["value"]) < 1e-6
    assert abs(sum(outcome["return"] for outcome in fair["outcomes"])) < 1e-6


def test_without_a_meter_a_percentage_of_it_is_shown_as_that_and_counted_as_of_an_empty_one() -> None:
    words = ("odds", "three-card-prime", "--wager", "final-four", "--paytable", "F4P-1")
    (entry,) = entries(*words)
    for outcome in entry["outcomes"]:
        if outcome["pays"].endswith("% of the meter"):
            assert outcome["return"] == -outcome["probability"]
    _, text, _ = run(*words)
    assert sum(line.split()[-1] == "meter" for line in text.splitlines() if "% of the" in line) == 2


def test_operator_bonuses_fill_the_open_lines() -> None:
    bonuses = ("same-color-player=3", "same-color-player-and-dealer=4", "other=loss")
    flags = [word for bonus in bonuses for word in ("--bonus", bonus)]
    (filled,) = entries("odds", "three-card-prime", "--wager", "prime", "--paytable", "PRW-2", *flags)
    (printed,) = entries("odds", "three-card-prime", "--wager", "prime", "--paytable", "PRW-1")
    assert filled["expected_return"] == printed["expected_return"]


def test_a_table_that_no_user_printed_is_priced(tmp_path: Path) -> None:
    file = tmp_path / "generous.toml"
    file.write_text(GENEROUS)
    (entry,) = entries("odds", "--table", str(file))
    assert (entry["paytable"], entry["wager"]) == ("Generous", "prime")
    assert entry["house_edge"] < 0.036206


def test_people_get_the_outcome_table_with_its_exact_fraction() -> None:
    code, out, _ = run("odds", "three-card-prime", "--wager", "ante-play", "--paytable", "PW/BB 1")
    assert code == 0
    assert "-226743/7830200" in out
    assert "132,210,624" in out  # the folds


def test_a_hand_is_answered_with_the_value_of_each_decision() -> None:
    code, out, _ = run("strategy", "three-card-prime", "--hand", "Qh 6d 4c", "--json")
    output = json.loads(out)
    assert code == 0
    assert [one["decision"] for one in output["decisions"]] == ["play", "fold"]
    assert output["decisions"][1]["value"] == -1


def test_a_strategy_to_remember_comes_with_its_cost() -> None:
    code, out, _ = run("strategy", "three-card-prime", "--json")
    output = json.loads(out)
    assert code == 0
    assert output["rules"][0] == "play Q-6-4 or better"
    assert 0 <= output["cost"] < 1e-6


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (("odds", "blackjack"), "choose one of deuces-wild"),
        (("odds", "three-card-prime", "--wager", "insurance"), "it has ante-play"),
        (("odds", "three-card-prime", "--paytable", "Z"), "choose one of PW/BB 1"),
        (("odds", "dueling-for-dollars", "--decks", "4"), "decks: 5, 6, 8"),
        (("odds", "three-card-prime", "--option", "ties"), "write NAME=VALUE"),
        (("odds", "three-card-prime", "--meter", "much"), "is not an amount"),
        (
            ("odds", "three-card-prime", "--wager", "prime", "--meter", "5000"),
            "None of these prizes is a percentage of a meter: leave out --meter.",
        ),
        (("odds", "--table", "/nowhere/at/all.toml"), "cannot be read"),
        (("strategy", "three-card-prime", "--hand", "Qh 6d"), "three"),
        (("strategy", "three-card-prime", "--hand", "Qh Qh 6d"), "Qh is there twice"),
        (("strategy", "three-card-prime", "--hand", "Xx 6d 4c"), "is not a card"),
        (("strategy", "three-card-prime", "--wager", "prime"), "prime"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(words: tuple[str, ...], output: str) -> None:
    code, out, err = run(*words)
    assert code == 2
    assert out == ""
    assert output in err
    assert "Traceback" not in err


def test_an_option_that_is_named_twice_is_refused() -> None:
    words = ("--option", "tie_after_tie_bonus=true", "--option", "tie_after_tie_bonus=false")
    code, out, output = run("odds", "dueling-for-dollars", "--wager", "duel", *words)
    assert (code, out) == (2, "")
    assert output == "--option names 'tie_after_tie_bonus' twice: name it once.\n"


def words_of(output: tuple[int, str, str]) -> str:
    code, out, _ = output
    assert code == 0
    return " ".join(out.split())


def test_odds_and_simulated_rounds_of_one_table_name_the_tie_rule_and_agree(tmp_path: Path) -> None:
    file = tmp_path / "texas.toml"
    file.write_text(setup_to_toml(default_setup("texas-shootout")))
    rules = {one["options"]["ties"]: one for one in entries("odds", "--table", str(file), "--wager", "shootout")}
    assert list(rules) == ["lose", "push"], "a tie pushes for a player who has a Quick Draw wager too (TS-3)"
    text = words_of(run("odds", "--table", str(file), "--wager", "shootout"))
    simulated = words_of(run("simulate", "--table", str(file), "--rounds", "200", "--seed", "1"))
    assert "shootout ties lose 2.9440%" in text
    pushing = rules["push"]["expected_return"]["value"]
    assert f"Expected return {pushing:+.10f}" in text
    assert "shootout ties push" in simulated
    assert f"{pushing:+.6f}" in simulated
    because = "A tie pushes for a player whose Quick Draw wager is at least as large"
    assert because in text
    assert because in simulated


def test_without_quick_draw_every_tie_at_a_table_loses(tmp_path: Path) -> None:
    setup = default_setup("texas-shootout")
    file = tmp_path / "texas.toml"
    file.write_text(setup_to_toml(replace(setup, wagers={"shootout": setup.wagers["shootout"]})))
    (entry,) = entries("odds", "--table", str(file))
    assert entry["options"] == {"ties": "lose"}
    simulated = words_of(run("simulate", "--table", str(file), "--rounds", "200", "--seed", "1"))
    assert "shootout ties lose" in simulated
    assert f"{entry['expected_return']['value']:+.6f}" in simulated
    assert "A tie pushes" not in simulated
