"""What happens when the version after this one comes, which the tests invent: the program of today works on while it
may, the new one reads what is stored, and nothing that is stored changes.
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
"""How the new program reads what this one has stored."""


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.service.next_version", str(folder), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(newer: subprocess.Popen[str]) -> dict[str, Any]:
    """What the new program says when it has ended."""
    said, faults = newer.communicate()
    assert newer.returncode == 0, faults
    answer: dict[str, Any] = json.loads(said)
    return answer


def open_and_disable(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, rounds=3)
    card_room.disable_jackpot(new_id(), "Olga", "final-four", "cleaning")
    card_room.enable_jackpot(new_id(), "Olga", "final-four")


def test_the_program_of_today_works_on_beside_a_newer_one_until_that_one_ends_it(url: str, tmp_path: Path) -> None:
    adds, ends = write_migrations(tmp_path / "0002", "0002"), write_migrations(tmp_path / "0003", "0003")
    with open_ledger(url) as ledger:
        card_room, leases = CardRoom(ledger), ledger.store.lease_registry("today")
        open_and_disable(card_room)
        slips = 0
        with started(adds, "work", url, "inventory") as newer:
            while newer.poll() is None:
                slips += 1
                card_room.deposit_to_bank(new_id(), "Carl", "final-four", 1, f"{slips}")
            now = result(newer)
        assert card_room.jackpot("final-four").escrow == slips * CENT > 0
        assert now["came_from"] == "0001"
        assert now["read"] == [READ, ["inventory", "noon"]]
        assert now["found"] == "None"

        # Both go on, and this one can be started again.
        play(card_room)
        assert leases.renew(["felt:prime-1"])
        with open_ledger(url) as again:
            play(CardRoom(again), "prime-2")
        later = result(started(adds, "work", url, "audit"))
        assert (later["came_from"], later["found"]) == (None, "None")
        one, two = ["jackpot", "who", "why"], ["jackpot", "until", "who", "why"]
        assert later["stored"] == [[1, one], [2, two], [2, two]]

        # What only the newer program can read is named.
        found = verify_card_room(ledger).discrepancy
        assert found is not None
        assert "Version 2 of 'jackpot-disabled' is not known (this program reads version 1)" in str(found)

        counted = card_room.tabulator("prime-1").tabulator.counters
        assert result(started(ends, "work", url, "new signs"))["found"] == "None"
        for write in (lambda: play(card_room), lambda: card_room.enable_jackpot(new_id(), "Olga", "final-four")):
            with pytest.raises(DatabaseNewer):
                write()
        with pytest.raises(DatabaseNewer):
            leases.renew(["felt:prime-1"])
        assert isinstance(ledger.last_error, DatabaseNewer)
        assert card_room.tabulator("prime-1").tabulator.counters == counted
        leases.close()
    with pytest.raises(BadLedger, match="0003"):
        open_ledger(url)
    assert result(started(ends, "work", url, "last"))["found"] == "None"


def test_a_command_of_the_newer_program_says_that_it_migrated_the_database(url: str, tmp_path: Path) -> None:
    with open_ledger(url) as ledger:
        open_and_disable(CardRoom(ledger))
    adds = write_migrations(tmp_path / "0002", "0002")
    for brought in (True, False):
        newer = started(adds, "cardroom", "verify", "--database", url)
        said, faults = newer.communicate()
        assert (newer.returncode, said[:10]) == (0, "Verified: "), faults
        assert ("migrated from schema version 0001 to 0002." in faults) == brought


def test_a_version_that_was_set_back_is_named(url: str, tmp_path: Path) -> None:
    with open_ledger(url) as ledger:
        open_and_disable(CardRoom(ledger))
    adds = write_migrations(tmp_path / "0002", "0002")
    assert result(started(adds, "work", url, "inventory"))["found"] == "None"
    written(url, f"UPDATE {VERSION_TABLE} SET version_num = '0001'")
    said = result(started(adds, "work", url, "again"))["refused"]
    assert "says that its tables have version 0001, but they have 0002" in said


def test_a_backup_of_today_is_restored_by_the_newer_program_and_stays_as_it_was(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    open_and_disable(in_a_file)
    create_backup(in_a_file.ledger, tmp_path / "today.db")
    before = (tmp_path / "today.db").read_bytes()
    adds, url = write_migrations(tmp_path / "0002", "0002"), f"sqlite:///{tmp_path}/restored.db"
    assert result(started(adds, "restore", str(tmp_path / "today.db"), url))["found"] == "None"
    assert (tmp_path / "today.db").read_bytes() == before
    assert result(started(adds, "work", url, "inventory"))["read"][0] == READ


@pytest.fixture
def lit() -> Iterator[type[DomainEvent]]:
    """An event that has its third version."""

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


def test_an_event_is_read_through_every_version_that_came_after_it(lit: type[DomainEvent]) -> None:
    stored = {"paint": "red"}
    newest = decode_event(lit.kind, 1, stored)
    assert newest.payload == {"color": "red", "watts": 3}
    assert stored == {"paint": "red"}
    assert decode_event(lit.kind, 2, {"color": "red"}) == newest == decode_event(lit.kind, 3, newest.payload)
    for unknown in (0, 4):
        with pytest.raises(UnknownEventType, match=str(unknown)):
            decode_event(lit.kind, unknown, stored)


def test_a_version_without_its_upcaster_is_not_declared() -> None:
    with pytest.raises(AssertionError, match="needs upcast_v1_v2"):

        @event_type("tests-lamp-out")
        class LampOut(DomainEvent):
            version = 2
