"""The version after this one, which the tests invent: the current program continues to work while the schema allows it,
the new program reads what is stored, and stored events do not change.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT
from cardroom.ledger import BadLedger, DatabaseNewer, open_ledger
from cardroom.ledger.schema import VERSION_TABLE
from cardroom.room.event_types import EVENT_TYPES, DomainEvent, UnknownEventType, decode_event, event_type
from cardroom.service import CardRoom, create_backup, verify_card_room
from tests.ledger.test_opening import written
from tests.service.card_rooms import new_id, open_room, play
from tests.service.next_version import write_migrations

READ = ["cleaning", "further notice"]
"""How the new program reads the event that the current program stored."""


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.service.next_version", str(folder), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def read_result(newer: subprocess.Popen[str]) -> dict[str, Any]:
    """The result that the new program prints when it ends."""
    output, errors = newer.communicate()
    assert newer.returncode == 0, errors
    result: dict[str, Any] = json.loads(output)
    return result


def open_and_disable(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, rounds=3)
    card_room.jackpots.disable(new_id(), "Olga", "final-four", "cleaning")
    card_room.jackpots.enable(new_id(), "Olga", "final-four")


def test_the_current_program_works_next_to_a_newer_one_until_a_migration_excludes_it(url: str, tmp_path: Path) -> None:
    compatible, incompatible = write_migrations(tmp_path / "0002", "0002"), write_migrations(tmp_path / "0003", "0003")
    with open_ledger(url) as ledger:
        card_room, leases = CardRoom(ledger), ledger.store.lease_registry("current")
        open_and_disable(card_room)
        slips = 0
        with start(compatible, "work", url, "inventory") as newer:
            while newer.poll() is None:
                slips += 1
                card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 1, f"{slips}")
            newer_result = read_result(newer)
        assert card_room.jackpot("final-four").escrow == slips * CENT > 0
        assert newer_result["came_from"] == "0001"
        assert newer_result["read"] == [READ, ["inventory", "noon"]]
        assert newer_result["found"] == "None"

        # Both continue, and the current program can be started again.
        play(card_room)
        assert leases.renew(["table:prime-1"])
        with open_ledger(url) as second_ledger:
            play(CardRoom(second_ledger), "prime-2")
        later_result = read_result(start(compatible, "work", url, "audit"))
        assert (later_result["came_from"], later_result["found"]) == (None, "None")
        version_1, version_2 = ["jackpot", "who", "why"], ["jackpot", "until", "who", "why"]
        assert later_result["stored"] == [[1, version_1], [2, version_2], [2, version_2]]

        # Verification names what only the newer program can read.
        discrepancy = verify_card_room(ledger).discrepancy
        assert discrepancy is not None
        assert "Version 2 of 'jackpot-disabled' is not known (this program reads version 1)" in str(discrepancy)

        counted = card_room.tabulator("prime-1").tabulator.counters
        assert read_result(start(incompatible, "work", url, "new signs"))["found"] == "None"
        for write in (lambda: play(card_room), lambda: card_room.jackpots.enable(new_id(), "Olga", "final-four")):
            with pytest.raises(DatabaseNewer):
                write()
        with pytest.raises(DatabaseNewer):
            leases.renew(["table:prime-1"])
        assert isinstance(ledger.last_error, DatabaseNewer)
        assert card_room.tabulator("prime-1").tabulator.counters == counted
        leases.close()
    with pytest.raises(BadLedger, match="0003"):
        open_ledger(url)
    assert read_result(start(incompatible, "work", url, "last"))["found"] == "None"


def test_a_command_of_the_newer_program_reports_that_it_migrated_the_database(url: str, tmp_path: Path) -> None:
    with open_ledger(url) as ledger:
        open_and_disable(CardRoom(ledger))
    compatible = write_migrations(tmp_path / "0002", "0002")
    for migrated in (True, False):
        newer = start(compatible, "cardroom", "verify", "--database", url)
        output, errors = newer.communicate()
        assert (newer.returncode, output[:10]) == (0, "Verified: "), errors
        assert ("migrated from schema version 0001 to 0002." in errors) == migrated


def test_a_version_number_that_was_set_back_is_refused(url: str, tmp_path: Path) -> None:
    with open_ledger(url) as ledger:
        open_and_disable(CardRoom(ledger))
    compatible = write_migrations(tmp_path / "0002", "0002")
    assert read_result(start(compatible, "work", url, "inventory"))["found"] == "None"
    written(url, f"UPDATE {VERSION_TABLE} SET version_num = '0001'")
    refusal = read_result(start(compatible, "work", url, "again"))["refused"]
    assert "says that its tables have version 0001, but they have 0002" in refusal


def test_the_newer_program_restores_a_backup_of_the_current_one_and_does_not_change_it(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    open_and_disable(in_a_file)
    create_backup(in_a_file.ledger, tmp_path / "current.db")
    before = (tmp_path / "current.db").read_bytes()
    compatible, url = write_migrations(tmp_path / "0002", "0002"), f"sqlite:///{tmp_path}/restored.db"
    assert read_result(start(compatible, "restore", str(tmp_path / "current.db"), url))["found"] == "None"
    assert (tmp_path / "current.db").read_bytes() == before
    assert read_result(start(compatible, "work", url, "inventory"))["read"][0] == READ


@pytest.fixture
def lamp_event() -> Iterator[type[DomainEvent]]:
    """An event in its third version."""

    @event_type("tests-lamp-lit")
    class LampLit(DomainEvent):
        version = 3
        color: str
        watts: int

        @staticmethod
        def upcast_v1_v2(payload: dict[str, Any]) -> dict[str, Any]:
            return {"color": payload["paint"]}

        @staticmethod
        def upcast_v2_v3(payload: dict[str, Any]) -> dict[str, Any]:
            return payload | {"watts": len(payload["color"])}

    yield LampLit
    del EVENT_TYPES[LampLit.kind]


def test_an_old_event_is_read_through_every_later_version(lamp_event: type[DomainEvent]) -> None:
    stored = {"paint": "red"}
    newest = decode_event(lamp_event.kind, 1, stored)
    assert newest.payload == {"color": "red", "watts": 3}
    assert stored == {"paint": "red"}
    assert (
        decode_event(lamp_event.kind, 2, {"color": "red"}) == newest == decode_event(lamp_event.kind, 3, newest.payload)
    )
    for unknown in (0, 4):
        with pytest.raises(UnknownEventType, match=str(unknown)):
            decode_event(lamp_event.kind, unknown, stored)


def test_a_version_without_its_upcaster_cannot_be_declared() -> None:
    with pytest.raises(AssertionError, match="needs upcast_v1_v2"):

        @event_type("tests-lamp-out")
        class LampOut(DomainEvent):
            version = 2
