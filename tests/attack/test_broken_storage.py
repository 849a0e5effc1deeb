"""The disk is full, the file is missing, or the database is read-only. The server loses nothing and leaves nothing half
done. The log and the health check show the fault, and no message to a stranger names a path or an address."""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from cardroom.ledger import DatabaseMoved, DatabaseReadOnly, LedgerUnavailable, open_ledger, verify_chains
from cardroom.ledger.sqlite import SqliteStore
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.backup import rotate_key
from cardroom.service.commands.room_keys import RoomKeyCommands
from tests.deadline import wait_until
from tests.ledger.play_commands import note, wager
from tests.web.rooms import QUICK, Player, ServedRoom, expect_success, new_id, serve_room

ADDRESS = re.compile(r"/|\\|\.db|sqlite|postgres|127\.0\.0\.1|host=|room\.")


@pytest.fixture
def room(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[ServedRoom]:
    caplog.set_level(logging.INFO, "cardroom.web.services.monitoring")
    with serve_room(tmp_path, QUICK) as room:
        yield room


@contextmanager
def full_disk(room: ServedRoom) -> Iterator[None]:
    """The file cannot grow."""
    store = room.card_room.ledger.store
    assert isinstance(store, SqliteStore)
    assert store._writer is not None
    (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
    store._writer.execute(f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        store._writer.execute("PRAGMA max_page_count = 1000000")


@contextmanager
def moved_file(room: ServedRoom) -> Iterator[None]:
    """The file is renamed under the server, with its log."""
    store = room.card_room.ledger.store
    assert isinstance(store, SqliteStore)
    elsewhere = store.path.parent / "elsewhere"
    elsewhere.mkdir()
    for file in store.path.parent.glob(f"{store.path.name}*"):
        os.rename(file, elsewhere / file.name)
    try:
        yield
    finally:
        for file in elsewhere.iterdir():
            os.rename(file, store.path.parent / file.name)


@contextmanager
def replaced_file(room: ServedRoom) -> Iterator[None]:
    """Another ledger replaces the file."""
    with moved_file(room):
        store = room.card_room.ledger.store
        assert isinstance(store, SqliteStore)
        open_ledger(f"sqlite:///{store.path}").close()
        try:
            yield
        finally:
            store.path.unlink()


@contextmanager
def read_only_file(room: ServedRoom) -> Iterator[None]:
    """Every connection can only read, as on a disk that is mounted read-only."""

    def open_read_only(self: SqliteStore) -> sqlite3.Connection:
        uri = f"{self.path.as_uri()}?mode=ro"
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteStore, "_open_connection", open_read_only)
        # Close each connection where no other thread uses it. Otherwise SQLite crashes the process.
        room.card_room.ledger.close()
        room.context.lease_manager._executor.submit(room.context.lease_manager._lease_book.close).result()
        yield


CONDITIONS = {
    "full disk": full_disk,
    "moved file": moved_file,
    "another file": replaced_file,
    "read-only file": read_only_file,
}


def sit_until_refused(ann: Player, table: str) -> httpx.Response:
    """Send commands until the server refuses one. A file that cannot grow has space for some."""
    for _ in range(400):
        response = ann.post(f"/tables/{table}/seat", id=new_id(), buy_in_cents=10_00)
        if response.status_code != 200:
            return response
    raise AssertionError("the server refused no command")


def find_fault(room: ServedRoom) -> httpx.Response | None:
    """The response of the health check if it reports a fault."""
    health = httpx.get(f"{room.url}/healthz")
    return health if health.status_code == 503 else None


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_storage_fault_is_refused_logged_and_shown_in_the_health_check_and_ends_without_a_restart(
    room: ServedRoom, condition: str, caplog: pytest.LogCaptureFixture
) -> None:
    table, ann = room.open_table("one"), room.players.admit_guest()
    assert httpx.get(f"{room.url}/healthz").status_code == 200
    with CONDITIONS[condition](room):
        refused = sit_until_refused(ann, table)
        assert refused.status_code == 503
        health = wait_until(lambda: find_fault(room))  # a check that began earlier shares its result
        assert health is not None
        for response in (refused, health):
            assert not ADDRESS.search(response.json()["error"]), response.json()
        wait_until(lambda: "the database accepts no commands" in caplog.text)
    wait_until(lambda: httpx.get(f"{room.url}/healthz").status_code == 200)
    assert expect_success(ann.post(f"/tables/{table}/seat", id=new_id(), buy_in_cents=10_00))["seat"]
    wait_until(lambda: "the database accepts commands again" in caplog.text)
    assert verify_card_room(room.card_room.ledger).discrepancy is None


def test_an_idle_server_detects_a_storage_fault_by_itself(room: ServedRoom, caplog: pytest.LogCaptureFixture) -> None:
    with read_only_file(room):
        wait_until(lambda: "the database accepts no commands" in caplog.text)
        wait_until(lambda: find_fault(room))


def test_a_key_that_was_rotated_under_a_frozen_server_is_reported_without_the_path_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The leases of the server have expired, so two people can rotate the key. Then the server continues with the old
    key."""
    monkeypatch.delenv("CARDROOM_KEY")
    with serve_room(tmp_path, QUICK) as room:
        table, ann = room.open_table("one"), room.players.admit_guest()
        ann.sit(table)
        monkeypatch.setattr(RoomKeyCommands, "refuse_running_servers", lambda *_: None)
        with open_ledger(room.card_room.ledger.store.url) as other:
            rotate_key(CardRoom(other), "rotate", "Olga", "now", second="Sam", key_file=tmp_path / "new.key")
        accepted = ann.post(f"/tables/{table}/wagers", id=new_id(), wagers={"ante-play": 10_00})
        assert accepted.status_code == 200, accepted.text
        refused = ann.post(f"/tables/{table}/decisions", id=new_id(), answer="fold")  # the next round needs a new key
        assert refused.status_code == 503, refused.text
        assert not ADDRESS.search(refused.json()["error"]), refused.json()
        assert "operator" in refused.json()["error"]
    assert "the card room's key cannot be used" in caplog.text
    faults = [getattr(record, "fault", "") for record in caplog.records]
    assert any("encrypted under key" in fault for fault in faults)


def test_the_ledger_writes_nothing_to_a_deleted_file_and_creates_no_new_file(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    with open_ledger(f"sqlite:///{file}") as ledger:
        ledger.execute(wager("first"))
        file.unlink()
        with pytest.raises(DatabaseMoved):
            ledger.execute(wager("second"))
        assert ledger.find_result("second") is None
        ledger.close()
        with pytest.raises(LedgerUnavailable):
            ledger.execute(wager("second"))
        assert not file.exists()


def test_a_read_only_database_server_is_refused_with_a_sentence_until_it_accepts_writes(postgresql_url: str) -> None:
    with open_ledger(postgresql_url) as ledger, psycopg.connect(postgresql_url, autocommit=True) as other:
        ledger.execute(wager("first"))
        name = other.info.dbname
        for read_only in ("on", "off"):
            other.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {read_only}")
            ledger.close()
            if read_only == "on":
                with pytest.raises(DatabaseReadOnly) as caught:
                    ledger.execute(note("second"))
                assert not ADDRESS.search(str(caught.value))
                assert name in caught.value.detail
                with pytest.raises(DatabaseReadOnly):
                    ledger.probe()
        assert not ledger.execute(note("second")).is_repeat
        assert verify_chains(ledger).is_intact


def test_a_database_that_is_dropped_under_a_server_is_reported_without_its_address(postgresql_url: str) -> None:
    with open_ledger(postgresql_url) as ledger:
        ledger.execute(wager("first"))
        with psycopg.connect(
            postgresql_url.replace(database_name(postgresql_url), "postgres"), autocommit=True
        ) as other:
            other.execute(f"DROP DATABASE {database_name(postgresql_url)} WITH (FORCE)")
            for command in (lambda: ledger.execute(wager("second")), lambda: ledger.head("room")):
                with pytest.raises(LedgerUnavailable) as caught:
                    command()
                assert not ADDRESS.search(str(caught.value))
            other.execute(f"CREATE DATABASE {database_name(postgresql_url)}")


def database_name(url: str) -> str:
    return url.rpartition("/")[0] and url.split("?")[0].rpartition("/")[2]
