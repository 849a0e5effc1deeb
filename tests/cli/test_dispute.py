"""`cardroom settle` in a dispute: unknown cards, the table's own file, a note, and sentences that name the place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardroom.games import read_setup
from cardroom.games.example_rounds import example_json, example_round
from cardroom.games.setup import setup_to_toml
from tests.cli.test_commands import read_output, read_refusal, run

PRIME = "three-card-prime"


def build_prime_round(**changes: Any) -> dict[str, Any]:
    return {**json.loads(example_json(PRIME)), **changes}


def build_prime_round_with_cards(**changes: list[str]) -> dict[str, Any]:
    cards = build_prime_round()["cards"] | {place.replace("_", " "): pile for place, pile in changes.items()}
    return build_prime_round(cards=cards)


def test_an_unknown_card_that_no_wager_needs_leaves_the_payments_as_they_are() -> None:
    settled = json.loads(read_output("settle", "-", "--json", typed=json.dumps(build_prime_round())))
    settled_without_burn = json.loads(
        read_output("settle", "-", "--json", typed=json.dumps(build_prime_round_with_cards(burn=["?"])))
    )
    assert settled_without_burn.pop("certain") is True
    assert settled_without_burn.pop("unknown") == {"burn": 1}
    assert all(payment.pop("certain") for payment in settled_without_burn["payments"])
    assert settled_without_burn == settled
    page = " ".join(read_output("settle", "-", typed=json.dumps(build_prime_round_with_cards(burn=["?"]))).split())
    assert "1 card is unknown: 1 at burn. They cannot change the payouts." in page


def test_an_unknown_card_that_decides_shows_the_possible_payments_and_exits_with_one() -> None:
    entry = json.dumps(build_prime_round_with_cards(dealer=["?", "6d", "Tc"]))
    result = run("settle", "-", typed=entry)
    assert result.exit_code == 1
    page = " ".join(result.stdout.split())
    assert "unknown cards decide: $0 to $20 goes back" in page
    assert "$0 with 6♣ at dealer: king high, K-8-3; loses to the dealer's pair of sixes, ten kicker" in page
    assert "5 stakes depend on them; all others are certain." in page
    assert "The card room" not in page
    assert json.loads(run("settle", "-", "--json", typed=entry).stdout)["house"] is None


def test_the_page_shows_both_hands_and_the_line_of_the_house_way() -> None:
    page = " ".join(read_output("settle", "-", typed=example_json("texas-shootout")).split())
    assert "by line 6, Ten – Jack or Better Suited: no other two meet an earlier line." in page
    assert "loses to the dealer's three of a kind, queens" in page
    assert "Q♥ Q♣ A♦ 9♥ 6♣ vs. Q♠ Q♥ Q♣ A♦ 10♠" in page


def test_the_order_in_which_the_dealers_cards_are_typed_is_the_order_of_the_deal() -> None:
    entry = json.loads(example_json("texas-shootout"))
    for typed, plays in (("10♠ 10♥ 4♦ 10♣", "10♠ 10♥"), ("10♣ 10♥ 4♦ 10♠", "10♥ 10♣")):
        entry["cards"]["dealer"] = typed.split()
        page = " ".join(read_output("settle", "-", typed=json.dumps(entry)).split())
        assert f"The dealer: Of {typed} the house way plays {plays} by line 1, Highest Pair, 8’s or Better: " in page
        assert "of 3 equal choices the cards dealt first." in page
    help_text = " ".join(read_output("settle", "--help").split())
    assert "the order of the dealer's four cards matters" in help_text


def test_a_note_is_in_the_text_and_in_the_json() -> None:
    note = "Seat 3 says that the dealer's king was a queen – table 4, 21:15."
    entry = json.dumps(build_prime_round(note=note))
    assert f"Note: {note}" in " ".join(read_output("settle", "-", typed=entry).split())
    assert json.loads(read_output("settle", "-", "--json", typed=entry))["note"] == note


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\n", "\t", "\x7f", "\x9b", "\u202e", "\u2028"])
def test_a_note_with_a_control_character_is_refused(sign: str) -> None:
    assert f"U+{ord(sign):04X}" in read_refusal(
        "settle", "-", typed=json.dumps(build_prime_round(note=f"king{sign}queen"))
    )


def test_a_note_that_is_too_long_or_not_a_text_is_refused() -> None:
    assert "1,001 characters: write 1,000" in read_refusal(
        "settle", "-", typed=json.dumps(build_prime_round(note="x" * 1_001))
    )
    assert "'note' must be a text" in read_refusal("settle", "-", typed=json.dumps(build_prime_round(note=["x"])))


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    """The operator's setup file of the example's table, with the table's name in it."""
    file = tmp_path / "tables" / "prime-1.toml"
    file.parent.mkdir()
    text = setup_to_toml(example_round(PRIME).table.setup, {"table": "prime-1"})
    read_setup(text.split("\n", 1)[1])
    file.write_text(text, "utf-8")
    return file


def test_a_record_may_name_the_tables_file_relative_to_the_record(table_file: Path, tmp_path: Path) -> None:
    record = tmp_path / "round.json"
    record.write_text(json.dumps(build_prime_round(table="tables/prime-1.toml")), "utf-8")
    assert read_output("settle", str(record), "--json") == read_output(
        "settle", "-", "--json", typed=example_json(PRIME)
    )
    assert table_file.exists()


def test_a_record_on_standard_input_names_the_tables_file_relative_to_the_current_folder(
    table_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table_file.parent)
    settled = read_output("settle", "-", "--json", typed=example_json(PRIME))
    assert read_output("settle", "-", "--json", typed=json.dumps(build_prime_round(table="prime-1.toml"))) == settled


def test_a_tables_file_that_is_missing_or_wrong_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refusal = read_refusal("settle", "-", typed=json.dumps(build_prime_round(table="none.toml")))
    assert refusal.startswith("The record's 'table' names a file: none.toml cannot be read: No such file")
    (tmp_path / "bad.toml").write_text("game =", "utf-8")
    assert read_refusal("settle", "-", typed=json.dumps(build_prime_round(table="bad.toml"))).startswith(
        "bad.toml is not TOML"
    )
    for no_file in ("", "-"):
        assert "is neither" in read_refusal("settle", "-", typed=json.dumps(build_prime_round(table=no_file)))


def test_the_example_option_is_refused_together_with_any_other() -> None:
    assert read_refusal("settle", "round.json", "--example", PRIME) == (
        "--example only prints a round: leave round.json out, or --example."
    )
    assert "leave --json out" in read_refusal("settle", "--example", PRIME, "--json")


def test_a_card_that_occurs_twice_is_refused_with_its_places() -> None:
    cards = build_prime_round()["cards"]
    twice = build_prime_round_with_cards(dealer=[cards["seat 1 hand"][0], *cards["dealer"][1:]])
    refusal = read_refusal("settle", "-", typed=json.dumps(twice))
    assert refusal == "8h is there twice but one deck has only one: look at 'dealer' and 'seat 1 hand'."
    burnt = build_prime_round_with_cards(burn=[cards["dealer"][0]], seat_2_fourth=[cards["dealer"][0]])
    assert "is there 3 times" in read_refusal("settle", "-", typed=json.dumps(burnt))


def test_a_missing_card_names_its_place_first() -> None:
    assert read_refusal("settle", "-", typed=json.dumps(build_prime_round_with_cards(burn=[]))).startswith(
        "At 'burn' a card is missing"
    )
    short = build_prime_round_with_cards(dealer=["Kd", "6d"])
    refusal = read_refusal("settle", "-", typed=json.dumps(short))
    assert refusal.startswith(
        "At 'dealer' a card is missing: write it, or '?' if it is unknown. After it the record has "
    )
    stopped = short | {"decisions": [], "steps": ["tabulate"]}
    assert read_refusal("settle", "-", typed=json.dumps(stopped)) == (
        "At 'dealer' a card is missing, and the round is not over: write it, or '?' if it is unknown."
    )


def test_a_refusal_names_standard_input_or_the_file(tmp_path: Path) -> None:
    assert read_refusal("settle", "-", typed="[").startswith("Standard input is not JSON")
    assert read_refusal("settle", "-", typed=b"\xff") == "Standard input is not text in UTF-8."
    record = tmp_path / "round.json"
    record.write_text("[", "utf-8")
    assert read_refusal("settle", str(record)).startswith(f"{record} is not JSON")


def test_the_refusal_of_an_exported_round_points_to_its_record() -> None:
    refusal = read_refusal("settle", "-", typed=json.dumps({"round": "prime-1.1", "record": build_prime_round()}))
    assert refusal.startswith("This is an exported round: settle the value of its 'record'")


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    settled = read_output("settle", "-", "--json", typed=example_json(PRIME))
    record = tmp_path / "round.json"
    record.write_text(example_json(PRIME), "utf-8-sig")
    assert read_output("settle", str(record), "--json") == settled
    assert run("settle", "-", "--json", typed=record.read_bytes()).stdout == settled
