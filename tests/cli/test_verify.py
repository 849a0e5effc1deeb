"""`cardroom verify`: whole or not, and what is wrong; and heads of chains that were kept elsewhere."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import pytest

from tests.cli.card_room import CliRoom


@pytest.fixture
def busy_cli_room(cli_room: CliRoom) -> CliRoom:
    """A house in which something has happened."""
    cli_room.open()
    for number in range(4):
        cli_room.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", f"r{number}", by="kim")
    royal = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad")
    cli_room.execute("claim", "add", "final-four", "table-1", *royal, "--seat", "1", "--id", "royal", by="kim")
    return cli_room


def tamper(cli_room: CliRoom, change: str, *values: object) -> None:
    """Change what is stored behind the ledger's back."""
    with sqlite3.connect(cli_room.folder / "ledger.db") as books:
        triggers = books.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        assert triggers
        for (name,) in triggers:
            books.execute(f'DROP TRIGGER "{name}"')
        assert books.execute(change, values).rowcount == 1
    books.close()


def test_a_verification_says_how_much_it_was(busy_cli_room: CliRoom) -> None:
    result = busy_cli_room.run("verify")
    assert result.exit_code == 0
    assert result.stdout.startswith("Verified: ")
    assert "14 chains" in result.stdout
    assert "events a second" in result.stdout
    assert "Replaying" in result.stderr
    found = busy_cli_room.read_json("verify")
    assert found["whole"]
    assert (found["chains"], found["tabulators"], found["jackpots"], found["claims"]) == (14, 1, 1, 1)
    assert found["events"] > 50
    assert found["entries"] > 20


def test_a_changed_payload_is_found_and_named(busy_cli_room: CliRoom) -> None:
    tamper(
        busy_cli_room,
        "UPDATE events SET payload = replace(payload, 'kim', 'tim') WHERE chain = 'tabulator:table-1' AND sequence = 3",
    )
    assert "Event 3 of tabulator:table-1" in busy_cli_room.read_output("verify", exit_code=1)
    found = busy_cli_room.read_json("verify", exit_code=1)
    assert not found["whole"]
    assert (found["discrepancy"]["chain"], found["discrepancy"]["sequence"]) == ("tabulator:table-1", 3)


def test_an_event_of_the_room_that_is_no_json_any_more_is_found_and_named(busy_cli_room: CliRoom) -> None:
    tamper(busy_cli_room, "UPDATE events SET payload = substr(payload, 2) WHERE chain = 'room' AND sequence = 1")
    assert "Event 1 of room" in busy_cli_room.read_output("verify", exit_code=1)


def test_a_changed_balance_is_found(busy_cli_room: CliRoom) -> None:
    tamper(busy_cli_room, "UPDATE balances SET credits = credits - 100 WHERE account = ?", "display:final-four/main")
    assert "display:final-four/main" in busy_cli_room.read_output("verify", exit_code=1)


def test_a_meter_that_was_changed_stops_its_table_too(busy_cli_room: CliRoom) -> None:
    tamper(
        busy_cli_room, "UPDATE heads SET snapshot = replace(snapshot, '\"escrow\":0', '\"escrow\":1') WHERE chain = ?",
        "jackpot:final-four",
    )  # fmt: skip
    result = busy_cli_room.run("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert result.exit_code == 1
    assert "was changed" in result.stderr
    assert result.stdout == ""


def test_heads_that_were_kept_elsewhere_tell_that_events_are_gone(busy_cli_room: CliRoom) -> None:
    cli_room, kept = busy_cli_room, str(busy_cli_room.folder / "heads.json")
    cli_room.read_output("backup", str(cli_room.folder / "old.db"))
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    assert "SHA-256" in cli_room.read_output("heads", "print", "-o", kept)
    assert "match" in cli_room.read_output("heads", "verify-file", kept)
    assert cli_room.read_json("verify", "--heads", kept)["heads"]["holds"]

    old = cli_room.with_database(f"sqlite:///{cli_room.folder / 'old.db'}")
    assert old.read_json("verify")["whole"]
    assert "History was rewritten" in old.read_output("heads", "verify-file", kept, exit_code=1)
    assert not old.read_json("heads", "verify-file", kept, exit_code=1)["holds"]
    found = old.read_json("verify", "--heads", kept, exit_code=1)
    assert (found["whole"], found["heads"]["holds"]) == (True, False)


def test_heads_that_were_changed_are_bad_input(busy_cli_room: CliRoom) -> None:
    document = busy_cli_room.read_json("heads", "print")
    document["heads"][0]["sequence"] += 1
    kept = busy_cli_room.folder / "heads.json"
    for text in (json.dumps(document), "{}", "[]", "heads"):
        kept.write_text(text)
        assert busy_cli_room.read_refusal("heads", "verify-file", str(kept)).endswith(".")
        result = busy_cli_room.run("verify", "--heads", str(kept))
        assert result.exit_code == 2
        assert result.stdout == ""
    assert "exists already" in busy_cli_room.read_refusal("heads", "print", "-o", str(kept))


def test_there_is_nothing_to_verify_without_books(empty_cli_room: CliRoom) -> None:
    assert "no database" in empty_cli_room.read_refusal("verify")


def test_the_real_command(busy_cli_room: CliRoom) -> None:
    program = [sys.executable, "-c", "from cardroom.cli.app import main; main()"]
    done = subprocess.run(
        [*program, "verify", "--json", "--database", busy_cli_room.database], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["whole"]
    assert done.stderr.startswith("Replaying")
