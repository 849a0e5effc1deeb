"""Every command of the lab refuses an option that has no effect instead of ignoring it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer

from cardroom.cli.app import app
from tests.cli.test_commands import read_refusal

PRIME = "three-card-prime"
KEY = "5a" * 32
GENEROUS = """
game = "three-card-prime"
wager = "prime"
name = "Generous"
basis = "to 1"
lines = { same-color-player = "4", other = "loss" }
"""
COLOR = """
game = "texas-shootout"
wager = "shootout-bonus"
feature = "color"
name = "Bright"
basis = "for 1"
lines = { seven-cards-same-color = "$40" }
"""
DUEL = """
game = "dueling-for-dollars"
decks = 6
[options]
tie_after_tie_bonus = true
[wagers.duel]
limits = { min = "$5", max = "$100" }
"""
IDLE: dict[str, dict[str, list[tuple[str, ...]]]] = {
    "games": {},
    "paytables": {
        "--wager": [("dueling", "--wager", "pick-3"), ("--table", "generous.toml", "--wager", "all-six")],
        "--table": [("--table", "duel.toml"), ("deuces", "--table", "generous.toml")],
    },
    "odds": {
        "--wager": [("--table", "generous.toml", "--wager", "pair-bonus")],
        "--paytable": [
            ("--table", "generous.toml", "--paytable", "PRW-1"),
            ("--table", "duel.toml", "--paytable", ""),
        ],
        "--decks": [
            ("prime", "--decks", "1"),
            ("deuces", "--wager", "three-card-treasure", "--decks", "1"),
            ("--table", "duel.toml", "--decks", "8"),
            ("dueling", "--decks", "6", "--option", "decks=6"),
        ],
        "--option": [
            ("prime", "--option", "ties=push"),
            ("texas", "--wager", "quick-draw", "--option", "ties=push"),
            ("dueling", "--wager", "combo", "--option", "tie_after_tie_bonus=true"),
            ("--option", "frob=1"),
            ("--table", "duel.toml", "--option", "tie_after_tie_bonus=false"),
        ],
        "--meter": [
            ("prime", "--wager", "prime", "--meter", "5000"),
            ("--table", "generous.toml", "--meter", "5000"),
            ("--table", "duel.toml", "--meter", "5000"),
        ],
        "--bonus": [
            ("prime", "--wager", "prime", "--paytable", "PRW-1", "--bonus", "other=loss"),
            ("prime", "--wager", "prime", "--bonus", "same-color-player=3"),
            ("prime", "--bonus", "royal=3"),
            ("--table", "generous.toml", "--bonus", "other=loss"),
            ("--table", "duel.toml", "--bonus", "other=loss"),
        ],
        "--table": [("deuces", "--table", "generous.toml"), ("--table", "color.toml")],
        "--all": [
            ("prime", "--wager", "prime", "--paytable", "PRW-1", "--all"),
            ("--table", "generous.toml", "--all"),
            ("--table", "duel.toml", "--all"),
        ],
        "--chart": [("prime", "--chart", "x.svg")],
    },
    "strategy": {
        "--wager": [("--table", "generous.toml", "--wager", "ante-play")],
        "--paytable": [("--table", "duel.toml", "--paytable", "x")],
        "--hand": [("prime", "--wager", "prime", "--hand", "Qh 6d 4c")],
        "--decks": [("prime", "--decks", "1"), ("--table", "duel.toml", "--decks", "8")],
        "--option": [("prime", "--option", "burn=true"), ("--table", "duel.toml", "--option", "burn=true")],
        "--bonus": [
            ("prime", "--bonus", "other=loss"),
            ("deuces", "--wager", "five-card-fortune", "--bonus", "frob=3"),
            ("--table", "duel.toml", "--bonus", "other=loss"),
        ],
        "--table": [("deuces", "--table", "duel.toml"), ("--table", "generous.toml", "--table", "generous.toml")],
        "--card": [("prime", "--card", "--hand", "Qh 6d 4c"), ("prime", "--wager", "prime", "--card")],
        "--output": [("prime", "-o", "x.pdf", "--output", "x.pdf")],
    },
    "simulate": {
        "--rounds": [("prime", "--sessions", "5", "--bankroll", "500", "--rounds", "9")],
        "--wager": [("prime", "--sessions", "5", "--bankroll", "500", "--wager", "prime")],
        "--cluster": [("prime", "--sessions", "5", "--bankroll", "500", "--cluster", "tcp://10.0.0.1:8786")],
        "--sessions": [("prime", "--rounds", "9", "--sessions", "5")],
        "--bankroll": [("prime", "--rounds", "9", "--bankroll", "500")],
        "--bets": [("prime", "--rounds", "9", "--bets", "ante-play=10")],
        "--hours": [
            ("prime", "--rounds", "9", "--hours", "4"),
            ("prime", "--sessions", "5", "--bankroll", "500", "--rounds-per-session", "9", "--hours", "4"),
        ],
        "--rounds-per-session": [("prime", "--rounds", "9", "--rounds-per-session", "9")],
        "--target": [("prime", "--rounds", "9", "--target", "900")],
        "--progressive": [("prime", "--rounds", "9", "--progressive", "final-four")],
        "--seed-money": [("prime", "--rounds", "9", "--seed-money", "900")],
        "--contribution": [("prime", "--rounds", "9", "--contribution", "9%")],
        "--years": [("prime", "--rounds", "9", "--years", "9")],
        "--runs": [("prime", "--rounds", "9", "--runs", "9")],
        "--hours-a-day": [("prime", "--rounds", "9", "--hours-a-day", "9")],
        "--seats": [("prime", "--rounds", "9", "--seats", "3")],
        "--tables": [("prime", "--rounds", "9", "--tables", "3")],
        "--pace": [("prime", "--rounds", "9", "--pace", "50"), ("prime", "--rounds", "9", "--pace", "")],
        "--table": [
            ("deuces", "--rounds", "9", "--table", "generous.toml"),
            ("--rounds", "9", "--table", "color.toml"),
        ],
        "--paytable": [("--rounds", "9", "--table", "generous.toml", "--paytable", "prime=PRW-1")],
        "--decks": [
            ("prime", "--rounds", "9", "--decks", "1"),
            ("--rounds", "9", "--table", "duel.toml", "--decks", "8"),
        ],
        "--option": [
            ("prime", "--rounds", "9", "--option", "burn=true"),
            ("--rounds", "9", "--table", "duel.toml", "--option", "tie_after_tie_bonus=false"),
        ],
        "--strategy": [("prime", "--sessions", "5", "--bankroll", "500", "--strategy", "mine.py")],
        "--meter": [
            ("prime", "--rounds", "9", "--wager", "prime", "--meter", "5000"),
            ("prime", "--sessions", "9", "--bankroll", "500", "--meter", "5000"),
        ],
        "--threads": [
            ("prime", "--rounds", "9", "--cluster", "tcp://10.0.0.1:8786", "--threads", "2"),
        ],
        "--chart": [("prime", "--rounds", "9", "--chart", "x.svg")],
    },
    "par": {
        "--output": [("--check", "x.pdf", "--output", "y.pdf")],
        "--table": [("--check", "x.pdf", "--table", "duel.toml"), ("deuces", "--table", "generous.toml")],
        "--date": [("--check", "x.pdf", "--date", "2026-03-02")],
        "--check": [("prime", "--check", "x.pdf")],
        "--no-cache": [("--check", "x.pdf", "--no-cache")],
        "--jackpot": [("--check", "x.pdf", "--jackpot", "duel.toml"), ("prime", "--jackpot", "meter.toml")],
        "--confirm": [("--check", "x.pdf", "--confirm", "9")],
        "--seed": [("--check", "x.pdf", "--seed", "9"), ("prime", "--confirm", "0", "--seed", "9")],
    },
    "rng stream": {"--bytes": [("--bytes", "0")]},
    "rng test": {"--decks": [("--deck", "prime", "--decks", "6")]},
    "rng check-seal": {
        "--key": [("round.json", "--key", KEY)],
        "--round": [("round.json", "--round", "prime-1.1")],
        "--seal": [("round.json", "--seal", KEY)],
        "--player-seed": [("round.json", "--player-seed", "1=x")],
        "--deck": [("round.json", "--deck", "prime")],
        "--decks": [("round.json", "--decks", "1"), ("--key", KEY, "--round", "r", "--deck", "prime", "--decks", "6")],
    },
    "tablebase build": {
        "--threads": [("new.counts", "--cluster", "tcp://10.0.0.1:8786", "--threads", "2")],
        "--cluster": [("new.counts", "--threads", "2", "--cluster", "tcp://10.0.0.1:8786")],
    },
    "tablebase check": {
        "--hands": [("--all", "--hands", "3")],
        "--all": [("--seed", "3", "--all")],
        "--seed": [("--hands", "0", "--seed", "3")],
    },
    "play": {
        "--table": [("deuces", "--table", "generous.toml")],
        "--seats": [("prime", "--seats", "99")],
        "--coach": [("prime", "--coach")],
    },
}
"""By command and option: arguments with which the option has no effect."""
EFFECTIVE = {
    "games": {"--json"},
    "paytables": {"--json"},
    "odds": {"--json", "--no-cache"},
    "strategy": {"--json"},
    "simulate": {"--json", "--seed"},
    "par": {"--json"},
    "rng stream": {"--seed"},
    "rng test": {"--json", "--seed", "--shuffles", "--deck"},
    "rng check-seal": {"--json"},
    "tablebase build": {"--json"},
    "tablebase check": {"--json"},
    "play": {"--seed", "--balance"},
}
"""Options that always change the result or how it is shown."""


@pytest.fixture(autouse=True)
def write_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("generous", GENEROUS), ("duel", DUEL), ("color", COLOR)):
        (tmp_path / f"{name}.toml").write_text(text)
    (tmp_path / "mine.py").write_text("def decide(view):\n    return view.turn.options[0]\n")


def list_options(command: str) -> set[str]:
    """Return the longest name of each option of a command."""
    command_object: Any = typer.main.get_command(app)
    for word in command.split():
        command_object = command_object.get_command(None, word)
    return {
        max(parameter.opts, key=len) for parameter in command_object.params if parameter.param_type_name == "option"
    }


@pytest.mark.parametrize("command", IDLE)
def test_every_option_of_the_lab_is_listed_here(command: str) -> None:
    assert list_options(command) - {"--help"} == set(IDLE[command]) | EFFECTIVE[command]


CASES = [
    (command, option, words)
    for command, by_option in IDLE.items()
    for option, cases in by_option.items()
    for words in cases
]


@pytest.mark.parametrize(("command", "option", "words"), CASES)
def test_an_option_without_effect_is_refused(command: str, option: str, words: tuple[str, ...], tmp_path: Path) -> None:
    assert option in words
    before = sorted(tmp_path.iterdir())
    assert "\n" not in read_refusal(*command.split(), *words).replace(
        "The table cannot open: its setup has one fault.\n", ""
    )
    assert sorted(tmp_path.iterdir()) == before
