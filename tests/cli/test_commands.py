"""Commands in scripts: exit codes, one JSON document on standard output, and sentences on standard error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from cardroom import __version__
from cardroom.cli.app import app
from cardroom.games import game_slugs
from cardroom.games.example_rounds import example_json


def run(*arguments: str, typed: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, arguments, input=typed)


def read_output(*arguments: str, typed: str | None = None) -> str:
    result = run(*arguments, typed=typed)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def read_refusal(*arguments: str, typed: str | bytes | None = None) -> str:
    """Run a command that is refused, and return the sentence on standard error."""
    result = run(*arguments, typed=typed)
    assert result.exit_code == 2, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr.strip()


def test_the_version_option_prints_the_version() -> None:
    assert read_output("--version") == f"cardroom {__version__}\n"


@pytest.mark.parametrize("command", ["games", "paytables", "settle", "play", "odds", "strategy"])
def test_each_help_has_examples(command: str) -> None:
    assert f"cardroom {command}" in read_output(command, "--help").partition("Examples")[2]


def test_an_unknown_command_is_refused() -> None:
    assert "There is no command 'cardroom dealt'" in read_refusal("dealt")


# games


def test_games_lists_the_five_games_with_their_wagers_and_options() -> None:
    listed = {entry["slug"]: entry for entry in json.loads(read_output("games", "--json"))}
    assert tuple(listed) == game_slugs()
    assert [wager["slug"] for wager in listed["dueling-for-dollars"]["wagers"]] == [
        "duel", "tie-plus", "combo", "tie-after-tie", "two-plus-two",
    ]  # fmt: skip
    assert [deck["decks"] for deck in listed["dueling-for-dollars"]["decks"]] == [6, 5, 8]
    assert listed["dueling-for-dollars"]["options"][0]["default"] == "player-dealer"
    assert listed["deuces-wild"]["decks"][0]["jokers"] == 1
    assert all(entry["sheet"].endswith(".txt") for entry in listed.values())


def test_the_list_of_games_names_each_slug() -> None:
    text = read_output("games")
    for entry in json.loads(read_output("games", "--json")):
        assert entry["slug"] in text
        assert all(wager["slug"] in text for wager in entry["wagers"])


# paytables


def test_paytables_prints_all_126_columns() -> None:
    assert len(json.loads(read_output("paytables", "--json"))) == 126


def test_paytables_can_be_narrowed_to_a_game_and_a_wager() -> None:
    shown = json.loads(read_output("paytables", "three-card-prime", "--wager", "prime", "--json"))
    assert [paytable["name"] for paytable in shown] == ["PRW-1", "PRW-2"]
    assert "PRW-2" in read_output("paytables", "three-card-prime", "--wager", "prime")


def test_paytables_of_an_unknown_game_are_refused() -> None:
    assert "deuces-wild" in read_refusal("paytables", "poker")
    assert "choose one of" in read_refusal("paytables", "deuces-wild", "--wager", "prime", "--json")


# settle


@pytest.mark.parametrize("slug", game_slugs())
def test_the_example_settles_without_changes(slug: str, tmp_path: Path) -> None:
    example = read_output("settle", "--example", slug)
    settled = json.loads(read_output("settle", "-", "--json", typed=example))
    assert set(settled) - {"dealer"} == {"game", "payments", "seats", "house"}
    assert settled["payments"][0].keys() - {"compared"} == {
        "seat", "spot", "stake", "event", "words", "cards", "pays", "wagered", "returned", "net", "meter",
    }  # fmt: skip
    file = tmp_path / "round.json"
    file.write_text(example, "utf-8")
    assert "The card room" in read_output("settle", str(file))


def write_prime_round(**changes: Any) -> str:
    return json.dumps(json.loads(example_json("three-card-prime")) | changes)


def write_prime_round_with_cards(**changes: Any) -> str:
    cards = json.loads(example_json("three-card-prime"))["cards"]
    return write_prime_round(cards=cards | {name.replace("_", " "): pile for name, pile in changes.items()})


def test_input_that_is_not_json_is_refused() -> None:
    assert read_refusal("settle", "-", typed="{cards") == (
        "Standard input is not JSON: Expecting property name enclosed in double quotes in line 1, column 2."
    )
    assert read_refusal("settle", "-", typed=b"\xff\xfd") == "Standard input is not text in UTF-8."


def test_an_unknown_card_is_refused() -> None:
    assert read_refusal("settle", "-", typed=write_prime_round_with_cards(dealer=["1z", "2c", "3c"])).startswith(
        "'1z' is not a card"
    )


def test_a_card_that_occurs_twice_is_refused() -> None:
    cards = json.loads(write_prime_round())["cards"]["seat 1 hand"]
    assert "twice but one deck has only one" in read_refusal(
        "settle", "-", typed=write_prime_round_with_cards(dealer=cards)
    )


def test_a_decision_out_of_turn_is_refused() -> None:
    decisions = [{"seat": 1, "question": "raise", "answer": "raise"}]
    assert "not due: raise by seat 1" in read_refusal("settle", "-", typed=write_prime_round(decisions=decisions))


def test_a_decision_that_the_rules_do_not_have_is_refused() -> None:
    decisions = [{"seat": 1, "question": "play", "answer": "double"}]
    assert (
        read_refusal("settle", "-", typed=write_prime_round(decisions=decisions))
        == "Seat 1 cannot double now. Its options: fold or play."
    )


def test_an_unfinished_round_says_what_is_due() -> None:
    assert read_refusal("settle", "-", "--json", typed=write_prime_round(decisions=[], steps=["tabulate"])).startswith(
        "The round is not over: seat 1 decides: fold or play"
    )


def test_a_file_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    assert "No such file" in read_refusal("settle", str(tmp_path / "nothing.json"))
    assert "cannot be read" in read_refusal("settle", str(tmp_path))
    assert read_refusal("settle").startswith("Name a file with a finished round")
    assert "There is no game 'poker'" in read_refusal("settle", "--example", "poker")


_any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_corrupted_record_is_settled_or_refused_without_a_crash(data: st.DataObject) -> None:
    entry: Any = json.loads(example_json("three-card-prime"))
    place = entry
    while True:  # walk to a random place in the record and put another value there
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not place[key] or not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(_any_json)
    result = run("settle", "-", "--json", typed=json.dumps(entry))
    assert result.exit_code in (0, 2), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


# play


def test_without_a_terminal_a_round_of_each_game_is_shown() -> None:
    text = read_output("play", "--seed", "3")
    for name in (
        "Deuces Wild",
        "Three Card Prime",
        "Texas Shootout",
        "Dueling for Dollars",
        "3 Card Double Play Poker",
    ):
        assert name in text
    assert text.count("This round:") == 5
    assert text == read_output("play", "--seed", "3")


def test_without_a_terminal_and_seed_one_game_is_shown_with_fresh_cards() -> None:
    first, second = (
        read_output("play", "texas-shootout", "--seats", "3"),
        read_output("play", "texas-shootout", "--seats", "3"),
    )
    assert first.count("This round:") == second.count("This round:") == 1
    assert first != second


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("poker",), "There is no game 'poker'"),
        (("deuces-wild", "--balance", "much"), "'much' is not an amount"),
        (("deuces-wild", "--seats", "9"), "9 seats cannot play: this table has 1 to 6 seats."),
        (("--table", "no-such-table.toml"), "no-such-table.toml cannot be read"),
    ],
)
def test_an_impossible_table_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in read_refusal("play", *arguments)


def test_a_table_file_that_breaks_rules_gets_a_sentence_for_each_error(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('game = "three-card-prime"\nseats = 99\n[wagers.prime]\nlimits = { min = "$5", max = "$900" }\n')
    refusal = read_refusal("play", "--table", str(file))
    assert "The table cannot open" in refusal
    assert "ante-play" in refusal
    assert "seats" in refusal
