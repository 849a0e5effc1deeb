"""Full disks, locks, lost connections: a clear sentence, nothing half done, and it goes on by itself afterwards."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from cardroom.ledger import (
    Command,
    CommandOutcome,
    CommandResult,
    ConnectionLost,
    Head,
    Ledger,
    LedgerFull,
    LedgerLocked,
    LedgerUnavailable,
    open_ledger,
    postgresql_keepalive,
    verify_chains,
)
from cardroom.ledger.sqlite import SqliteStore
from tests.deadline import LIMIT, LIMIT_MS
from tests.ledger.play_commands import GROWTH, JACKPOT, fill, note, wager
from tests.ledger.proxy import Wire, wire


class TestFile:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "ledger.db"

    @pytest.fixture
    def ledger(self, path: Path) -> Iterator[Ledger]:
        with open_ledger(f"sqlite:///{path}", lock_timeout=0.2) as ledger:  # cannot fail: the lock is held on purpose
            fill(ledger)
            yield ledger

    def test_a_full_disk_stores_nothing_and_goes_on_when_there_is_room(self, ledger: Ledger) -> None:
        assert isinstance(ledger.store, SqliteStore)
        before = list(ledger.events()), ledger.balances()
        limit_pages(ledger.store, to_what_there_is=True)
        notes = (ledger.execute(note(f"{number}", text="x" * 3000)) for number in range(1000))
        with pytest.raises(LedgerFull):
            list(notes)
        stored = sum(1 for _ in ledger.events("house")) - 1
        assert (verify_chains(ledger).is_intact, ledger.find_result(f"{stored}")) == (True, None)
        assert list(ledger.events("tabulator:1")) == [event for event in before[0] if event.chain == "tabulator:1"]
        limit_pages(ledger.store, to_what_there_is=False)
        assert not ledger.execute(note(f"{stored}", text="x" * 3000)).is_repeat
        assert verify_chains(ledger).is_intact

    def test_a_file_that_another_program_keeps_locked_is_waited_for_then_explained(
        self, ledger: Ledger, path: Path
    ) -> None:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerLocked, match=r"0\.2 seconds"):
            ledger.execute(wager("a"))
        assert ledger.head(JACKPOT) is not None
        other.execute("ROLLBACK")
        other.close()
        assert not ledger.execute(wager("a")).is_repeat
        assert verify_chains(ledger).is_intact

    @pytest.mark.parametrize("table", ["events", "entries", "names", "commands"])
    def test_nothing_that_was_written_can_be_changed(self, ledger: Ledger, path: Path, table: str) -> None:
        other = sqlite3.connect(path, isolation_level=None)
        columns = [row[1] for row in other.execute(f"PRAGMA table_info({table})")]
        attempts = [f"UPDATE {table} SET {column} = {column}" for column in columns]
        attempts += [f"DELETE FROM {table}", f"REPLACE INTO {table} SELECT * FROM {table}"]
        for attempt in attempts:
            with pytest.raises(sqlite3.IntegrityError, match=table):
                other.execute(attempt)
        other.close()
        assert verify_chains(ledger).is_intact

    def test_every_commit_waits_for_the_disk(self, ledger: Ledger) -> None:
        assert isinstance(ledger.store, SqliteStore)
        writer = ledger.store._writer
        assert writer is not None
        asked = ("journal_mode", "synchronous", "foreign_keys")
        assert [writer.execute(f"PRAGMA {name}").fetchone()[0] for name in asked] == ["wal", 2, 1]

    def test_a_bug_in_a_decision_leaves_the_ledger_usable(self, ledger: Ledger) -> None:
        def decide(_: Mapping[str, Head | None]) -> CommandOutcome:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            ledger.execute(Command("a", (JACKPOT,), {}, decide))
        assert not ledger.execute(wager("a")).is_repeat

    def test_a_closed_ledger_opens_again_by_itself(self, ledger: Ledger) -> None:
        ledger.close()
        assert not ledger.execute(wager("a")).is_repeat


def limit_pages(store: SqliteStore, to_what_there_is: bool) -> None:
    """The file cannot grow any more: for SQLite the same as a disk without room."""
    assert store._writer is not None
    pages = store._writer.execute("PRAGMA page_count").fetchone()[0] + 3 if to_what_there_is else 1 << 30
    store._writer.execute(f"PRAGMA max_page_count = {pages}")


class TestServer:
    @pytest.fixture
    def ledger(self, postgresql_url: str) -> Iterator[Ledger]:
        with open_ledger(postgresql_url, lock_timeout=0.2) as ledger:  # cannot fail: the lock is held on purpose
            fill(ledger)
            yield ledger

    @pytest.fixture
    def other(self, postgresql_url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
        with psycopg.connect(postgresql_url, autocommit=True) as connection:
            yield connection

    def test_a_chain_that_another_program_keeps_locked_is_waited_for_then_explained(
        self, ledger: Ledger, other: psycopg.Connection[tuple[object, ...]]
    ) -> None:
        with other.transaction():
            other.execute("SELECT * FROM heads WHERE chain = %s FOR UPDATE", (JACKPOT,))
            with pytest.raises(LedgerLocked, match=r"0\.2 seconds"):
                ledger.execute(wager("a"))
            assert not ledger.execute(note("b")).is_repeat
        assert not ledger.execute(wager("a")).is_repeat
        assert verify_chains(ledger).is_intact

    def test_a_connection_that_broke_while_idle_is_made_again(
        self, ledger: Ledger, other: psycopg.Connection[tuple[object, ...]]
    ) -> None:
        list(ledger.events())
        end_all_others(other)
        assert ledger.execute(wager("a")) == CommandResult(
            {"meter": 21 * GROWTH + GROWTH}, ("a/1", "a/2"), is_repeat=False
        )
        assert len(list(ledger.events(JACKPOT))) == 11

    def test_a_connection_that_breaks_in_the_middle_of_a_command_is_made_again(
        self, ledger: Ledger, other: psycopg.Connection[tuple[object, ...]]
    ) -> None:
        asked = []
        plain = wager("a")

        def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
            asked.append(heads)
            if len(asked) == 1:
                end_all_others(other)
            return plain.decide(heads)

        assert not ledger.execute(replace(plain, decide=decide)).is_repeat
        assert len(asked) == 2
        assert asked[0] == asked[1]
        assert verify_chains(ledger).is_intact

    @pytest.mark.parametrize("table", ["events", "entries", "names", "commands"])
    def test_nothing_that_was_written_can_be_changed(
        self, ledger: Ledger, other: psycopg.Connection[tuple[object, ...]], table: str
    ) -> None:
        columns = [column.name for column in other.execute(f"SELECT * FROM {table} LIMIT 0").description or ()]
        attempts = [f"UPDATE {table} SET {column} = {column}" for column in columns]
        attempts += [f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"]
        for attempt in attempts:
            with pytest.raises(psycopg.errors.RaiseException):
                other.execute(attempt)
        assert verify_chains(ledger).is_intact

    def test_every_commit_waits_for_the_disk(self, postgresql_url: str) -> None:
        name = postgresql_url.split("?")[0].rpartition("/")[2]
        with psycopg.connect(postgresql_url, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        with open_ledger(postgresql_url) as ledger:
            ledger.execute(note("a"))
            writer = ledger.store._writer  # type: ignore[attr-defined]
            assert writer.execute("SHOW synchronous_commit").fetchone() == ("on",)

    def test_a_server_that_may_only_be_read_is_explained(
        self, ledger: Ledger, other: psycopg.Connection[tuple[object, ...]], postgresql_url: str
    ) -> None:
        name = postgresql_url.split("?")[0].rpartition("/")[2]
        other.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        end_all_others(other)
        with pytest.raises(LedgerUnavailable):
            ledger.execute(wager("a"))
        other.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        end_all_others(other)
        assert not ledger.execute(wager("a")).is_repeat


def end_all_others(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """The server lets go of every other connection to the database, and has done so when this returns."""
    connection.execute(
        f"SELECT pg_terminate_backend(pid, {LIMIT_MS:.0f}) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )


class TestWire:
    @pytest.fixture
    def line(self, postgresql_url: str) -> Iterator[tuple[Wire, str]]:
        # Addresses of sockets are short.
        with tempfile.TemporaryDirectory(prefix="wire-") as folder, wire(Path(folder) / "w", postgresql_url) as line:
            yield line

    def test_a_commit_whose_acknowledgement_was_lost_counts_once(
        self, line: tuple[Wire, str], postgresql_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # No sign of life comes between the decision and the commit.
        monkeypatch.setattr(postgresql_keepalive, "KEEPALIVE_SECONDS", LIMIT)
        cut, url = line
        with open_ledger(url) as ledger:
            fill(ledger)
            plain = wager("a")

            def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
                # What is sent next is all that is to be written, and the commit.
                cut.swallow_next_answer = True
                return plain.decide(heads)

            carried = ledger.execute(replace(plain, decide=decide))
        assert cut.swallowed == 1
        assert carried == CommandResult({"meter": 22 * GROWTH}, ("a/1", "a/2"), is_repeat=True)
        with open_ledger(postgresql_url) as ledger:
            assert len(list(ledger.events(JACKPOT))) == 11
            assert verify_chains(ledger).is_intact

    def test_a_server_that_is_away_is_explained_and_found_again(self, line: tuple[Wire, str]) -> None:
        cut, url = line
        with open_ledger(url) as ledger:
            fill(ledger)
            cut.close()
            with pytest.raises(ConnectionLost):
                ledger.execute(wager("a"))
            with pytest.raises(ConnectionLost):
                ledger.head(JACKPOT)
            cut.open()
            assert not ledger.execute(wager("a")).is_repeat
            assert verify_chains(ledger).is_intact
