"""`cardroom verify`: whole or not, and what is wrong; and heads of chains that were kept elsewhere."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import pytest

from tests.cli.card_room import House


@pytest.fixture
def busy_house(house: House) -> House:
    """A house in which something has happened."""
    house.open()
    for number in range(4):
        house.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", f"r{number}", by="kim")
    royal = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad")
    house.execute("claim", "add", "final-four", "table-1", *royal, "--seat", "1", "--id", "royal", by="kim")
    return house


def tamper(house: House, change: str, *values: object) -> None:
    """Change what is stored behind the ledger's back."""
    with sqlite3.connect(house.folder / "books.db") as books:
        triggers = books.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        assert triggers
        for (name,) in triggers:
            books.execute(f'DROP TRIGGER "{name}"')
        assert books.execute(change, values).rowcount == 1
    books.close()


def test_a_verification_says_how_much_it_was(busy_house: House) -> None:
    result = busy_house.run("verify")
    assert result.exit_code == 0
    assert result.stdout.startswith("Verified: ")
    assert "14 chains" in result.stdout
    assert "events a second" in result.stdout
    assert "Replaying" in result.stderr
    found = busy_house.read_json("verify")
    assert found["whole"]
    assert (found["chains"], found["tabulators"], found["jackpots"], found["claims"]) == (14, 1, 1, 1)
    assert found["events"] > 50
    assert found["entries"] > 20


def test_a_changed_payload_is_found_and_named(busy_house: House) -> None:
    tamper(
        busy_house,
        "UPDATE events SET payload = replace(payload, 'kim', 'tim') WHERE chain = 'tabulator:table-1' AND sequence = 3",
    )
    assert "Event 3 of tabulator:table-1" in busy_house.said("verify", exit_code=1)
    found = busy_house.read_json("verify", exit_code=1)
    assert not found["whole"]
    assert (found["discrepancy"]["chain"], found["discrepancy"]["sequence"]) == ("tabulator:table-1", 3)


def test_an_event_of_the_room_that_is_no_json_any_more_is_found_and_named(busy_house: House) -> None:
    tamper(busy_house, "UPDATE events SET payload = substr(payload, 2) WHERE chain = 'room' AND sequence = 1")
    assert "Event 1 of room" in busy_house.said("verify", exit_code=1)


def test_a_changed_balance_is_found(busy_house: House) -> None:
    tamper(busy_house, "UPDATE balances SET credits = credits - 100 WHERE account = ?", "display:final-four/main")
    assert "display:final-four/main" in busy_house.said("verify", exit_code=1)


def test_a_meter_that_was_changed_stops_its_table_too(busy_house: House) -> None:
    tamper(
        busy_house, "UPDATE heads SET snapshot = replace(snapshot, '\"escrow\":0', '\"escrow\":1') WHERE chain = ?",
        "jackpot:final-four",
    )  # fmt: skip
    result = busy_house.run("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert result.exit_code == 1
    assert "was changed" in result.stderr
    assert result.stdout == ""


def test_heads_that_were_kept_elsewhere_tell_that_events_are_gone(busy_house: House) -> None:
    house, kept = busy_house, str(busy_house.folder / "heads.json")
    house.said("backup", str(house.folder / "old.db"))
    house.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    assert "SHA-256" in house.said("heads", "print", "-o", kept)
    assert "match" in house.said("heads", "verify-file", kept)
    assert house.read_json("verify", "--heads", kept)["heads"]["holds"]

    old = house.books(f"sqlite:///{house.folder / 'old.db'}")
    assert old.read_json("verify")["whole"]
    assert "History was rewritten" in old.said("heads", "verify-file", kept, exit_code=1)
    assert not old.read_json("heads", "verify-file", kept, exit_code=1)["holds"]
    found = old.read_json("verify", "--heads", kept, exit_code=1)
    assert (found["whole"], found["heads"]["holds"]) == (True, False)


def test_heads_that_were_changed_are_bad_input(busy_house: House) -> None:
    document = busy_house.read_json("heads", "print")
    document["heads"][0]["sequence"] += 1
    kept = busy_house.folder / "heads.json"
    for text in (json.dumps(document), "{}", "[]", "heads"):
        kept.write_text(text)
        assert busy_house.refused("heads", "verify-file", str(kept)).endswith(".")
        result = busy_house.run("verify", "--heads", str(kept))
        assert result.exit_code == 2
        assert result.stdout == ""
    assert "exists already" in busy_house.refused("heads", "print", "-o", str(kept))


def test_there_is_nothing_to_verify_without_books(empty_house: House) -> None:
    assert "no database" in empty_house.refused("verify")


def test_the_real_command(busy_house: House) -> None:
    program = [sys.executable, "-c", "from cardroom.cli.app import main; main()"]
    done = subprocess.run(
        [*program, "verify", "--json", "--database", busy_house.database], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["whole"]
    assert done.stderr.startswith("Replaying")
