"""Figures name what they leave out: bonus features of the table, and amounts that the operator has not named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.games import default_setup, game
from cardroom.games.setup import FeatureSetup, setup_to_toml

FEATURES = {
    "color": ("shootout-bonus", "TS/CB 1", 500, "Color Bonus"),
    "envy": ("shootout-bonus", "TS/BF 1", 500, "Envy Bonus"),
    "share-the-wealth": ("shootout-bonus", "TS/BF 1", 500, "Share the Wealth Bonus"),
    "five-ace-frenzy": ("jackpot", "TS/FAF 1", 200, "Five Ace Frenzy"),
}


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def entries(*words: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(app, [*words, "--json"])
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def a_table(folder: Path, kind: str) -> str:
    """The file of a table with a bonus feature."""
    wager, paytable, qualifying, _ = FEATURES[kind]
    usual = default_setup("texas-shootout")
    amounts = {"five-aces": "$1,000"} if kind == "five-ace-frenzy" else {}
    changed = replace(usual.wagers[wager], feature=FeatureSetup(kind, paytable, qualifying, amounts))
    setup = replace(usual, wagers={**usual.wagers, wager: changed})
    assert game("texas-shootout").open(setup)
    file = folder / f"{kind}.toml"
    file.write_text(setup_to_toml(setup))
    return str(file)


@pytest.mark.parametrize("kind", FEATURES)
def test_the_odds_of_a_table_name_the_feature_that_they_leave_out(tmp_path: Path, kind: str) -> None:
    wager, _, _, name = FEATURES[kind]
    file = a_table(tmp_path, kind)
    found = {entry["wager"]: entry.get("excludes") for entry in entries("odds", "--table", file)}
    assert found[wager] == [name]
    assert found["shootout"] is None
    assert f"Not in the figures of {wager}: {name}." in run("odds", "--table", file)


def test_simulated_rounds_sessions_and_years_name_it_too(tmp_path: Path) -> None:
    file = a_table(tmp_path, "color")
    rounds = ["simulate", "--table", file, "--rounds", "100", "--seed", "1"]
    assert {entry["wager"]: entry.get("excludes") for entry in entries(*rounds)}["shootout-bonus"] == ["Color Bonus"]
    assert "Not in the figures of shootout-bonus: Color Bonus." in run(*rounds)
    sessions = [
        "simulate",
        "--table",
        file,
        "--sessions",
        "5",
        "--bankroll",
        "500",
        "--seed",
        "1",
        "--bets",
        "shootout=10",
        "--rounds-per-session",
        "3",
    ]
    result = CliRunner().invoke(app, [*sessions, "--json"])
    assert json.loads(result.stdout)["excludes"] == ["Color Bonus on Shootout Bonus"]
    assert "Not in these figures: Color Bonus on Shootout Bonus." in run(*sessions)


def test_figures_of_a_printed_table_name_the_amounts_that_are_left_to_the_operator() -> None:
    (entry,) = entries("odds", "texas-shootout", "--wager", "jackpot", "--paytable", "TS/JP 2")
    assert len(entry["excludes"]) == 6
    assert all(payload.startswith("the operator's bonus for ") for payload in entry["excludes"])
    (entry,) = entries("odds", "three-card-prime", "--wager", "prime", "--paytable", "PRW-1")
    assert "excludes" not in entry
