"""An attacker who can write to the database stores a command line there. Nothing runs it."""

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
from tests.cli.card_room import House
from tests.web.rooms import QUICK, served


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """A file that exists as soon as the attacker's command has run."""
    return tmp_path / "it-ran"


@pytest.fixture
def attacked(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A room whose day is open, on a machine without destinations for heads."""
    (house.folder / "machine.toml").write_text("", "utf-8")
    monkeypatch.setenv("CARDROOM_CONFIG", str(house.folder / "machine.toml"))
    house.open()
    house.said("day", "open", "--by", "rosa")
    return house


def stored_settings(marker: Path) -> dict[str, str | int]:
    command = f"{sys.executable} -c \"open('{marker}', 'w')\""
    settings: dict[str, str | int] = {"name": "Main Street", "time_zone": "UTC", "day_starts": "06:00"}
    return settings | {"dealer_pays": "$500", "rounds_an_hour": 120, "heads_folder": "", "heads_command": command}


def in_an_event(house: House, marker: Path) -> None:
    """The chain goes on as it should: hashes, snapshot and all."""
    payload = {"who": "rosa", "second": "lee", "why": "x", "settings": stored_settings(marker)}
    with open_ledger(house.database) as ledger:
        head = ledger.head(ROOM_CHAIN)
        assert head is not None
        assert isinstance(head.snapshot, dict)
        snapshot = {**head.snapshot, "settings": stored_settings(marker)}
        made = CommandOutcome((NewEvent(ROOM_CHAIN, SiteConfigured.kind, 1, payload),), {ROOM_CHAIN: snapshot}, None)
        ledger.execute(Command("attack", (ROOM_CHAIN,), None, lambda _: made))


def in_the_snapshot(house: House, marker: Path) -> None:
    connection = sqlite3.connect(house.folder / "books.db")
    with connection:
        (row,) = connection.execute("SELECT sequence, hash, time, snapshot FROM heads WHERE chain = 'room'").fetchall()
        sequence, hash, time, snapshot = row
        text = encode_canonical({**json.loads(snapshot), "settings": stored_settings(marker)})
        seal = head_digest("room", sequence, hash, time, text)
        update = "UPDATE heads SET snapshot = ?, seal = ? WHERE chain = 'room'"
        connection.execute(update, (text.decode(), seal))
    connection.close()


def in_a_note(house: House, marker: Path) -> None:
    """Where the state of destinations is kept."""
    command = stored_settings(marker)["heads_command"]
    with open_ledger(house.database) as ledger:
        for kind in ("command", "folder", "witness"):
            text = json.dumps({"kind": "command", "where": command, "time": 1, "done": 0, "size": 0, "error": ""})
            ledger.save_notes([Note(f"heads {kind}", 1, text)])


@pytest.mark.parametrize("attack", [in_an_event, in_the_snapshot, in_a_note])
def test_a_command_in_the_database_is_run_by_no_command(attacked: House, marker: Path, attack: object) -> None:
    attack(attacked, marker)  # type: ignore[operator]
    for command in (("day", "close"), ("heads", "export"), ("heads", "verify"), ("verify",), ("room", "show")):
        by = () if command[-1] == "verify" else ("--by", "rosa")
        attacked.run(*command, *by)
        assert not marker.exists(), command


@pytest.mark.parametrize("attack", [in_an_event, in_the_snapshot, in_a_note])
def test_a_command_in_the_database_is_run_by_no_server(attacked: House, marker: Path, attack: object) -> None:
    attack(attacked, marker)  # type: ignore[operator]
    if attack is not in_a_note:  # a room with settings that it never had cannot be served at all
        with pytest.raises(Exception, match="heads_folder"), served(attacked.folder, QUICK, database=attacked.database):
            pass
    else:
        with served(attacked.folder, QUICK, database=attacked.database) as room:
            assert room.house.head_exporter.destination == NO_DESTINATION
            assert room.house.head_exporter.export() is None
            room.card_room.close_day("close", "rosa")
    assert not marker.exists()
