"""The disk is full, the file is gone, the database is only read: nothing is lost or half done, it is in the log and in
the health, and what a stranger is shown names no path and no address."""

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
from tests.web.rooms import QUICK, Player, Served, an_id, done, served

ADDRESS = re.compile(r"/|\\|\.db|sqlite|postgres|127\.0\.0\.1|host=|room\.")


@pytest.fixture
def room(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Served]:
    caplog.set_level(logging.INFO, "cardroom.web.services.monitoring")
    with served(tmp_path, QUICK) as room:
        yield room


@contextmanager
def full_disk(room: Served) -> Iterator[None]:
    """The file may not grow."""
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
def moved(room: Served) -> Iterator[None]:
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
def replaced(room: Served) -> Iterator[None]:
    """Another ledger is put in the place of the file."""
    with moved(room):
        store = room.card_room.ledger.store
        assert isinstance(store, SqliteStore)
        open_ledger(f"sqlite:///{store.path}").close()
        try:
            yield
        finally:
            store.path.unlink()


@contextmanager
def only_read(room: Served) -> Iterator[None]:
    """Every connection is one that may only read, as on a disk that is mounted so."""

    def plain(self: SqliteStore) -> sqlite3.Connection:
        uri = f"{self.path.as_uri()}?mode=ro"
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteStore, "_open_connection", plain)
        # Each connection is closed where no other thread uses it: SQLite would crash the process.
        room.card_room.ledger.close()
        room.house.lease_manager._executor.submit(room.house.lease_manager._lease_book.close).result()
        yield


CONDITIONS = {"full disk": full_disk, "moved file": moved, "another file": replaced, "read-only file": only_read}


def sits_until_refused(ann: Player, table: str) -> httpx.Response:
    """Commands until one is refused; a file that may not grow has room for some."""
    for _ in range(400):
        answer = ann.post(f"/tables/{table}/seat", id=an_id(), buy_in_cents=10_00)
        if answer.status_code != 200:
            return answer
    raise AssertionError("nothing was refused")


def in_trouble(room: Served) -> httpx.Response | None:
    """What the server says of its health, once that is bad."""
    health = httpx.get(f"{room.url}/healthz")
    return health if health.status_code == 503 else None


@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_cannot_be_stored_is_refused_logged_and_in_the_health_and_passes_without_a_restart(
    room: Served, condition: str, caplog: pytest.LogCaptureFixture
) -> None:
    table, ann = room.open_table("one"), room.guest()
    assert httpx.get(f"{room.url}/healthz").status_code == 200
    with CONDITIONS[condition](room):
        refused = sits_until_refused(ann, table)
        assert refused.status_code == 503
        health = wait_until(lambda: in_trouble(room))  # a check that began before shares its answer
        assert health is not None
        for output in (refused, health):
            assert not ADDRESS.search(output.json()["error"]), output.json()
        wait_until(lambda: "the database accepts no commands" in caplog.text)
    wait_until(lambda: httpx.get(f"{room.url}/healthz").status_code == 200)
    assert done(ann.post(f"/tables/{table}/seat", id=an_id(), buy_in_cents=10_00))["seat"]
    wait_until(lambda: "the database accepts commands again" in caplog.text)
    assert verify_card_room(room.card_room.ledger).discrepancy is None


def test_a_server_in_which_nothing_happens_finds_out_by_itself(room: Served, caplog: pytest.LogCaptureFixture) -> None:
    with only_read(room):
        wait_until(lambda: "the database accepts no commands" in caplog.text)
        wait_until(lambda: in_trouble(room))


def test_a_key_that_was_rotated_under_a_frozen_server_is_shown_without_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The servers' lease has run out, so the key can be rotated; then the server goes on with the old one."""
    monkeypatch.delenv("CARDROOM_KEY")
    with served(tmp_path, QUICK) as room:
        table, ann = room.open_table("one"), room.guest()
        ann.sit(table)
        monkeypatch.setattr(RoomKeyCommands, "refuse_running_servers", lambda *_: None)
        with open_ledger(room.card_room.ledger.store.url) as other:
            rotate_key(CardRoom(other), "rotate", "Olga", "now", second="Sam", key_file=tmp_path / "new.key")
        begun = ann.post(f"/tables/{table}/wagers", id=an_id(), wagers={"ante-play": 10_00})
        assert begun.status_code == 200, begun.text
        refused = ann.post(f"/tables/{table}/decisions", id=an_id(), answer="fold")  # the next round needs a new key
        assert refused.status_code == 503, refused.text
        assert not ADDRESS.search(refused.json()["error"]), refused.json()
        assert "operator" in refused.json()["error"]
    assert "the card room's key cannot be used" in caplog.text
    output = [getattr(record, "fault", "") for record in caplog.records]
    assert any("encrypted under key" in one for one in output)


def test_nothing_is_written_to_a_file_that_was_deleted_and_no_new_one_begins(tmp_path: Path) -> None:
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


def test_a_database_server_that_only_reads_is_explained_and_found_again(postgresql_url: str) -> None:
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


def test_a_database_that_is_dropped_under_a_server_is_shown_without_its_address(postgresql_url: str) -> None:
    with open_ledger(postgresql_url) as ledger:
        ledger.execute(wager("first"))
        with psycopg.connect(postgresql_url.replace(_name(postgresql_url), "postgres"), autocommit=True) as other:
            other.execute(f"DROP DATABASE {_name(postgresql_url)} WITH (FORCE)")
            for command in (lambda: ledger.execute(wager("second")), lambda: ledger.head("room")):
                with pytest.raises(LedgerUnavailable) as caught:
                    command()
                assert not ADDRESS.search(str(caught.value))
            other.execute(f"CREATE DATABASE {_name(postgresql_url)}")


def _name(url: str) -> str:
    return url.rpartition("/")[0] and url.split("?")[0].rpartition("/")[2]
