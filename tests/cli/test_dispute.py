"""`cardroom settle` in a dispute: cards that no user knows, the table's own file, a note, sentences that say where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardroom.games import read_setup
from cardroom.games.example_rounds import example_json, example_round
from cardroom.games.setup import setup_to_toml
from tests.cli.test_commands import good, refused, run

PRIME = "three-card-prime"


def prime(**changes: Any) -> dict[str, Any]:
    return {**json.loads(example_json(PRIME)), **changes}


def prime_cards(**changes: list[str]) -> dict[str, Any]:
    cards = prime()["cards"] | {place.replace("_", " "): pile for place, pile in changes.items()}
    return prime(cards=cards)


def test_what_no_user_can_know_leaves_the_answer_as_it_is_when_no_wager_looks_at_it() -> None:
    whole = json.loads(good("settle", "-", "--json", typed=json.dumps(prime())))
    without = json.loads(good("settle", "-", "--json", typed=json.dumps(prime_cards(burn=["?"]))))
    assert without.pop("certain") is True
    assert without.pop("unknown") == {"burn": 1}
    assert all(payment.pop("certain") for payment in without["payments"])
    assert without == whole
    page = " ".join(good("settle", "-", typed=json.dumps(prime_cards(burn=["?"]))).split())
    assert "1 card is unknown: 1 at burn. They cannot change the payouts." in page


def test_a_card_that_decides_is_an_answer_of_its_own_and_an_exit_code() -> None:
    entry = json.dumps(prime_cards(dealer=["?", "6d", "Tc"]))
    result = run("settle", "-", typed=entry)
    assert result.exit_code == 1
    page = " ".join(result.stdout.split())
    assert "unknown cards decide: $0 to $20 goes back" in page
    assert "$0 with 6♣ at dealer: king high, K-8-3; loses to the dealer's pair of sixes, ten kicker" in page
    assert "5 stakes depend on them; all others are certain." in page
    assert "The card room" not in page
    assert json.loads(run("settle", "-", "--json", typed=entry).stdout)["house"] is None


def test_both_hands_and_the_house_way_stand_on_the_page() -> None:
    page = " ".join(good("settle", "-", typed=example_json("texas-shootout")).split())
    assert "by line 6, Ten – Jack or Better Suited: no other two meet an earlier line." in page
    assert "loses to the dealer's three of a kind, queens" in page
    assert "Q♥ Q♣ A♦ 9♥ 6♣ vs. Q♠ Q♥ Q♣ A♦ 10♠" in page


def test_the_order_in_which_the_dealers_cards_are_typed_is_the_order_of_the_deal() -> None:
    entry = json.loads(example_json("texas-shootout"))
    for typed, plays in (("10♠ 10♥ 4♦ 10♣", "10♠ 10♥"), ("10♣ 10♥ 4♦ 10♠", "10♥ 10♣")):
        entry["cards"]["dealer"] = typed.split()
        page = " ".join(good("settle", "-", typed=json.dumps(entry)).split())
        assert f"The dealer: Of {typed} the house way plays {plays} by line 1, Highest Pair, 8’s or Better: " in page
        assert "of 3 equal choices the cards dealt first." in page
    help_page = " ".join(good("settle", "--help").split())
    assert "the order of the dealer's four cards matters" in help_page


def test_a_note_is_shown_and_kept() -> None:
    said = "Seat 3 says that the dealer's king was a queen – table 4, 21:15."
    entry = json.dumps(prime(note=said))
    assert f"Note: {said}" in " ".join(good("settle", "-", typed=entry).split())
    assert json.loads(good("settle", "-", "--json", typed=entry))["note"] == said


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\n", "\t", "\x7f", "\x9b", "\u202e", "\u2028"])
def test_a_note_with_a_control_character_is_refused(sign: str) -> None:
    assert f"U+{ord(sign):04X}" in refused("settle", "-", typed=json.dumps(prime(note=f"king{sign}queen")))


def test_a_note_without_end_or_of_another_kind_is_refused() -> None:
    assert "1,001 characters: write 1,000" in refused("settle", "-", typed=json.dumps(prime(note="x" * 1_001)))
    assert "'note' must be a text" in refused("settle", "-", typed=json.dumps(prime(note=["x"])))


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    """The set-up of the example's table as an operator keeps it, with the table's name in it."""
    file = tmp_path / "tables" / "prime-1.toml"
    file.parent.mkdir()
    text = setup_to_toml(example_round(PRIME).table.setup, {"table": "prime-1"})
    read_setup(text.split("\n", 1)[1])
    file.write_text(text, "utf-8")
    return file


def test_a_record_may_name_the_tables_file_as_seen_from_the_record(table_file: Path, tmp_path: Path) -> None:
    record = tmp_path / "round.json"
    record.write_text(json.dumps(prime(table="tables/prime-1.toml")), "utf-8")
    assert good("settle", str(record), "--json") == good("settle", "-", "--json", typed=example_json(PRIME))
    # A record that comes through a pipe sees it from the current folder.
    assert table_file.exists()


def test_from_standard_input_the_tables_file_is_seen_from_the_current_folder(
    table_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table_file.parent)
    whole = good("settle", "-", "--json", typed=example_json(PRIME))
    assert good("settle", "-", "--json", typed=json.dumps(prime(table="prime-1.toml"))) == whole


def test_a_tables_file_that_is_not_there_or_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    output = refused("settle", "-", typed=json.dumps(prime(table="none.toml")))
    assert output.startswith("The record's 'table' names a file: none.toml cannot be read: No such file")
    (tmp_path / "bad.toml").write_text("game =", "utf-8")
    assert refused("settle", "-", typed=json.dumps(prime(table="bad.toml"))).startswith("bad.toml is not TOML")
    for nothing in ("", "-"):
        assert "is neither" in refused("settle", "-", typed=json.dumps(prime(table=nothing)))


def test_example_beside_anything_is_refused() -> None:
    assert refused("settle", "round.json", "--example", PRIME) == (
        "--example only prints a round: leave round.json out, or --example."
    )
    assert "leave --json out" in refused("settle", "--example", PRIME, "--json")


def test_a_card_that_is_there_twice_is_shown_with_its_places() -> None:
    cards = prime()["cards"]
    twice = prime_cards(dealer=[cards["seat 1 hand"][0], *cards["dealer"][1:]])
    output = refused("settle", "-", typed=json.dumps(twice))
    assert output == "8h is there twice but one deck has only one: look at 'dealer' and 'seat 1 hand'."
    burnt = prime_cards(burn=[cards["dealer"][0]], seat_2_fourth=[cards["dealer"][0]])
    assert "is there 3 times" in refused("settle", "-", typed=json.dumps(burnt))


def test_a_missing_card_names_its_place_first() -> None:
    assert refused("settle", "-", typed=json.dumps(prime_cards(burn=[]))).startswith("At 'burn' a card is missing")
    short = prime_cards(dealer=["Kd", "6d"])
    output = refused("settle", "-", typed=json.dumps(short))
    assert output.startswith(
        "At 'dealer' a card is missing: write it, or '?' if it is unknown. After it the record has "
    )
    stopped = short | {"decisions": [], "steps": ["tabulate"]}
    assert refused("settle", "-", typed=json.dumps(stopped)) == (
        "At 'dealer' a card is missing, and the round is not over: write it, or '?' if it is unknown."
    )


def test_standard_input_is_called_that(tmp_path: Path) -> None:
    assert refused("settle", "-", typed="[").startswith("Standard input is not JSON")
    assert refused("settle", "-", typed=b"\xff") == "Standard input is not text in UTF-8."
    record = tmp_path / "round.json"
    record.write_text("[", "utf-8")
    assert refused("settle", str(record)).startswith(f"{record} is not JSON")


def test_an_exported_round_is_shown_from_its_record() -> None:
    output = refused("settle", "-", typed=json.dumps({"round": "prime-1.1", "record": prime()}))
    assert output.startswith("This is an exported round: settle the value of its 'record'")


def test_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    whole = good("settle", "-", "--json", typed=example_json(PRIME))
    record = tmp_path / "round.json"
    record.write_text(example_json(PRIME), "utf-8-sig")
    assert good("settle", str(record), "--json") == whole
    assert run("settle", "-", "--json", typed=record.read_bytes()).stdout == whole
