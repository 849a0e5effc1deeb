"""A command that is typed wrong gets one sentence on standard error and exit code 2, like all bad input."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
import typer

from cardroom.cli.app import app
from tests.cli.test_commands import read_output, read_refusal, run

WRONG = [
    (("frob",), "There is no command 'cardroom frob': `cardroom --help` lists them."),
    (("od",), "Did you mean 'odds'?"),
    (("strateggy",), "Did you mean 'strategy'?"),
    (("--frob",), "cardroom has no option --frob: `cardroom --help` lists them."),
    (("-x",), "cardroom has no option -x"),
    (
        ("odds", "--metre", "3"),
        "cardroom odds has no option --metre: `cardroom odds --help` lists them. Did you mean '--meter'?",
    ),
    (("odds", "prime", "wild", "more"), "cardroom odds does not take 'wild more': leave it out"),
    (("strategy", "--hand"), "--hand needs a value."),
    (("odds", "--json=3"), "--json takes no value: leave the value out."),
    (("play", "--seats", "x"), "--seats takes a whole number, not 'x'."),
    (("serve", "--port", "70000"), "--port takes a whole number from 0 to 65535, not '70000'."),
    (("rounds", "list", "--last", "0"), "--last takes a whole number from 1, not '0'."),
    (
        ("claim", "payy"),
        "There is no command 'cardroom claim payy': `cardroom claim --help` lists them. Did you mean 'pay'?",
    ),
    (("promotion", "lsit"), "Did you mean 'list'?"),
    (("tabulator", "press"), "cardroom tabulator press needs TABLE"),
    (("table", "add"), "cardroom table add needs FILE.toml"),
    (("table", "add", "--libe"), "cardroom table add has no option --libe"),
    (("user", "frob"), "There is no command 'cardroom user frob'"),
]


@pytest.mark.parametrize(("words", "result"), WRONG)
def test_what_is_typed_wrong_gets_one_sentence(words: tuple[str, ...], result: str) -> None:
    sentence = read_refusal(*words)
    assert result in sentence
    assert "\n" not in sentence
    assert "Usage:" not in sentence


def groups(command: object, name: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every command that has commands below it."""
    below = getattr(command, "list_commands", None)
    if below is None:
        return []
    context = typer.Context(command)  # type: ignore[arg-type]
    found = [name]
    for one in below(context):
        found += groups(command.get_command(context, one), (*name, one))  # type: ignore[attr-defined]
    return found


def test_every_group_answers_an_unknown_command_so() -> None:
    every = groups(typer.main.get_command(app))
    assert {(), ("jackpot",), ("table",), ("rounds",), ("user",), ("device",)} <= set(every)
    for group in every:
        assert read_refusal(*group, "frobnicate").startswith("There is no command 'cardroom")
        assert "has no option --frobnicate" in read_refusal(*group, "--frobnicate")


def test_a_group_alone_shows_its_help() -> None:
    assert "Usage:" in run("jackpot").output


# Names


@pytest.mark.parametrize(
    ("short", "slug"),
    [
        ("dueling", "dueling-for-dollars"),
        ("prime", "three-card-prime"),
        ("texas", "texas-shootout"),
        ("deuces", "deuces-wild"),
        ("double-play", "three-card-double-play"),
        ("Double Play", "three-card-double-play"),
        ("three-card-p", "three-card-prime"),
        ("3 card double play poker", "three-card-double-play"),
    ],
)
def test_a_game_may_be_named_in_short(short: str, slug: str) -> None:
    assert read_output("paytables", short, "--json") == read_output("paytables", slug, "--json")


def test_every_command_of_a_game_takes_the_short_name(tmp_path: Path) -> None:
    for words in (("odds", "--wager", "combo"), ("strategy",), ("simulate", "--rounds", "100", "--seed", "1")):
        assert read_output(words[0], "dueling", *words[1:], "--json") == read_output(
            words[0], "dueling-for-dollars", *words[1:], "--json"
        )
    assert "three-card-prime, round 1" in read_output("play", "prime", "--seed", "1")
    assert read_output("jackpot", "print-example", "prime", "jackpot") == read_output(
        "jackpot", "print-example", "three-card-prime", "jackpot"
    )
    assert '"three-card-prime"' in read_output("settle", "--example", "prime")
    assert "says" not in read_refusal("par", "prime", "-o", str(tmp_path / "x.doc"))


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (("odds", "three"), "'three' can be three-card-prime or three-card-double-play: write more of its name."),
        (("play", "duelling"), "There is no game 'duelling': choose one of deuces-wild"),
        (("play", "duelling"), "Did you mean 'dueling'?"),
        (("odds", "roulette"), "three-card-double-play."),
        (("odds", "prime", "--wager", "pairbonus"), "Did you mean 'pair-bonus'?"),
        (("odds", "prime", "--wager", "prime", "--paytable", "PRW1"), "Did you mean 'PRW-1'?"),
        (("paytables", "prime", "--wager", "primo"), "Did you mean 'prime'?"),
        (("simulate", "prime", "--rounds", "9", "--wager", "final-for"), "Did you mean 'final-four'?"),
        (("odds", "dueling", "--option", "dekcs=6"), "Did you mean 'decks'?"),
    ],
)
def test_a_name_that_is_nearly_right_is_asked_about(words: tuple[str, ...], result: str) -> None:
    assert result in read_refusal(*words)


# Digits and files


@pytest.mark.parametrize("three", ["٣", "３", "३", "³"])
def test_digits_of_other_scripts_are_no_numbers(three: str) -> None:
    for words in (
        ("simulate", "prime", "--rounds", three),
        ("simulate", "prime", "--rounds", "9", "--seed", three),
        ("simulate", "prime", "--sessions", "9", "--bankroll", three),
        ("simulate", "prime", "--sessions", "9", "--bankroll", "500", "--bets", f"ante-play={three}0"),
        ("simulate", "dueling", "--rounds", "9", "--decks", three),
        ("odds", "dueling", "--decks", three),
        ("odds", "dueling", "--option", f"decks={three}"),
        ("odds", "texas", "--wager", "jackpot", "--meter", three),
        ("odds", "prime", "--wager", "prime", "--paytable", "PRW-2", "--bonus", f"other={three}"),
        ("play", "prime", "--seats", three),
        ("play", "prime", "--balance", f"${three}"),
        ("par", "prime", "--date", f"202{three}-01-01"),
    ):
        assert "\n" not in read_refusal(*words), words


SETUP = 'game = "three-card-prime"\n[wagers.ante-play]\npaytable = "PW/BB 1"\nlimits = { min = "$5", max = "$100" }\n'


def test_a_mark_that_an_editor_puts_before_a_text_is_read_over(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_bytes(codecs.BOM_UTF8 + SETUP.encode())
    assert "PW/BB 1" in read_output("odds", "--table", str(file))
    record = read_output("settle", "--example", "prime")
    assert read_output("settle", "-", typed="\ufeff" + record) == read_output("settle", "-", typed=record)
    file.write_bytes(SETUP.encode("utf-16"))
    assert read_refusal("odds", "--table", str(file)) == f"{file} is text in UTF-16: save it as UTF-8."


def test_standard_input_is_called_that() -> None:
    assert read_refusal("odds", "--table", "-", typed=b"\xff") == "Standard input is not text in UTF-8."
    assert read_refusal("odds", "--table", "-", typed="game").startswith("Standard input is not TOML")
    assert read_refusal("odds", "--table", "-", typed="x = 1").startswith(
        "Standard input is neither a paytable nor a table setup"
    )
    assert "PW/BB 1" in read_output("odds", "--table", "-", typed=SETUP)
