"""An attacker who can write to the database stores a command line there. No program runs it."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

import pytest

from cardroom.ledger import Command, CommandOutcome, NewEvent, Note, open_ledger
from cardroom.ledger.canonical_json import encode_canonical, head_digest
from cardroom.machine_config import NO_DESTINATION
from cardroom.room.site.events import SiteConfigured
from cardroom.service.chains.names import ROOM_CHAIN
from tests.cli.card_room import CliRoom
from tests.web.rooms import QUICK, serve_room


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """A file that exists as soon as the attacker's command has run."""
    return tmp_path / "it-ran"


@pytest.fixture
def attacked_room(cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch) -> CliRoom:
    """A room whose day is open, on a machine without destinations for heads."""
    (cli_room.folder / "machine.toml").write_text("", "utf-8")
    monkeypatch.setenv("CARDROOM_CONFIG", str(cli_room.folder / "machine.toml"))
    cli_room.open()
    cli_room.read_output("day", "open", "--by", "rosa")
    return cli_room


def make_settings(marker: Path) -> dict[str, str | int]:
    command = f"{sys.executable} -c \"open('{marker}', 'w')\""
    settings: dict[str, str | int] = {"name": "Main Street", "time_zone": "UTC", "day_starts": "06:00"}
    return settings | {"dealer_pays": "$500", "rounds_an_hour": 120, "heads_folder": "", "heads_command": command}


def store_in_event(cli_room: CliRoom, marker: Path) -> None:
    """Append a valid event: the hashes and the snapshot are correct."""
    payload = {"who": "rosa", "second": "lee", "why": "x", "settings": make_settings(marker)}
    with open_ledger(cli_room.database) as ledger:
        head = ledger.head(ROOM_CHAIN)
        assert head is not None
        assert isinstance(head.snapshot, dict)
        snapshot = {**head.snapshot, "settings": make_settings(marker)}
        outcome = CommandOutcome((NewEvent(ROOM_CHAIN, SiteConfigured.kind, 1, payload),), {ROOM_CHAIN: snapshot}, None)
        ledger.execute(Command("attack", (ROOM_CHAIN,), None, lambda _: outcome))


def store_in_snapshot(cli_room: CliRoom, marker: Path) -> None:
    connection = sqlite3.connect(cli_room.folder / "ledger.db")
    with connection:
        (row,) = connection.execute("SELECT sequence, hash, time, snapshot FROM heads WHERE chain = 'room'").fetchall()
        sequence, hash, time, snapshot = row
        text = encode_canonical({**json.loads(snapshot), "settings": make_settings(marker)})
        digest = head_digest("room", sequence, hash, time, text)
        update = "UPDATE heads SET snapshot = ?, seal = ? WHERE chain = 'room'"
        connection.execute(update, (text.decode(), digest))
    connection.close()


def store_in_note(cli_room: CliRoom, marker: Path) -> None:
    """Change the notes in which the room stores the state of its destinations."""
    command = make_settings(marker)["heads_command"]
    with open_ledger(cli_room.database) as ledger:
        for kind in ("command", "folder", "witness"):
            text = json.dumps({"kind": "command", "where": command, "time": 1, "done": 0, "size": 0, "error": ""})
            ledger.save_notes([Note(f"heads {kind}", 1, text)])


@pytest.mark.parametrize("attack", [store_in_event, store_in_snapshot, store_in_note])
def test_no_command_runs_a_command_line_from_the_database(attacked_room: CliRoom, marker: Path, attack: object) -> None:
    attack(attacked_room, marker)  # type: ignore[operator]
    for command in (("day", "close"), ("heads", "export"), ("heads", "verify"), ("verify",), ("room", "show")):
        by = () if command[-1] == "verify" else ("--by", "rosa")
        attacked_room.run(*command, *by)
        assert not marker.exists(), command


@pytest.mark.parametrize("attack", [store_in_event, store_in_snapshot, store_in_note])
def test_no_server_runs_a_command_line_from_the_database(attacked_room: CliRoom, marker: Path, attack: object) -> None:
    attack(attacked_room, marker)  # type: ignore[operator]
    if attack is not store_in_note:  # a server refuses to start with settings that do not exist
        with (
            pytest.raises(Exception, match="heads_folder"),
            serve_room(attacked_room.folder, QUICK, database=attacked_room.database),
        ):
            pass
    else:
        with serve_room(attacked_room.folder, QUICK, database=attacked_room.database) as room:
            assert room.context.head_exporter.destination == NO_DESTINATION
            assert room.context.head_exporter.export() is None
            room.card_room.days.close("close", "rosa")
    assert not marker.exists()
