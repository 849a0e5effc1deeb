"""A ledger in one file: SQLite with a write-ahead log that is on disk before a command returns."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any, Final

from sqlalchemy import NullPool, StaticPool, Table, create_engine
from sqlalchemy.exc import DBAPIError

from cardroom.ledger.errors import (
    BadLedger,
    DatabaseMoved,
    DatabaseReadOnly,
    LedgerDamaged,
    LedgerFull,
    LedgerLocked,
    LedgerUnavailable,
)
from cardroom.ledger.leases import LeaseRegistry
from cardroom.ledger.schema import (
    SINCE,
    SQLITE,
    VERSION,
    VERSION_SQL,
    VERSION_TABLE,
    Trigger,
    TriggerCheck,
    TriggerKey,
    balances,
    column_names,
    commands,
    compile_sql,
    entries,
    events,
    heads,
    insert_sql,
    key_column_names,
    leases,
    normalize_whitespace,
    secrets,
    select_sql,
    sqlite_triggers,
    unique_keys,
    upsert_note_sql,
)
from cardroom.ledger.schema_version import is_compatible, migrate, refuse_newer, stored_version, unknown_version_error
from cardroom.ledger.sqlite_leases import SqliteLeases
from cardroom.ledger.store import (
    CHAIN_LENGTHS,
    ConnectedStore,
    LedgerReader,
    LockedState,
    NoteRow,
    RowQuery,
    WriteBatch,
    name_ranges,
)
from cardroom.ledger.types import Finding, KeyedEvent, Lease, UniqueKey
from cardroom.private_files import create_private_file

OLDEST_SQLITE: Final = (3, 37, 0)
"""The first SQLite whose tables refuse values of the wrong type."""

MAX_ROWS_PER_STATEMENT: Final = 64
_VALUES: Final = re.compile(r"(?<=VALUES )(\([^)]*\))")
_HEADS = f"{select_sql(heads)} WHERE chain IN (VALUES (?))"
_CHAIN_LENGTHS = compile_sql(CHAIN_LENGTHS, SQLITE)
_COMMANDS = f"{select_sql(commands)} WHERE id IN (VALUES (?))"
_KEYED_EVENT = "SELECT sequence, id, time FROM names JOIN events USING (chain, sequence) WHERE chain = ? AND name = ?"
_NEWEST = "SELECT coalesce(max(time), 0) FROM heads"
_LEASES = f"{select_sql(leases)} WHERE chain IN (VALUES (?))"
_STORE_COMMAND, _STORE_EVENT, _STORE_ENTRY, _STORE_UNIQUE_KEY = (
    insert_sql(table, SQLITE) for table in (commands, events, entries, unique_keys)
)
_STORE_HEAD = insert_sql(heads, SQLITE, prefix="OR REPLACE")
_STORE_SECRET = insert_sql(secrets, SQLITE, prefix="OR IGNORE")
_REENCRYPT = "UPDATE secrets SET value = ? WHERE chain = ? AND name = ?"
_ENCRYPTED = "SELECT value FROM secrets WHERE substr(value, 1, ?) = ? ORDER BY chain, name LIMIT 1"
_NOTE = upsert_note_sql(SQLITE)
_DELETE_SECRET = "DELETE FROM secrets WHERE chain = ? AND name = ?"  # noqa: S105
_ADD_BALANCE = (
    f"{insert_sql(balances, SQLITE)} ON CONFLICT (account) DO UPDATE "
    "SET debits = debits + excluded.debits, credits = credits + excluded.credits"
)


class SqliteStore(ConnectedStore[sqlite3.Connection]):
    """A ledger in one file."""

    def __init__(self, path: Path, lock_timeout: float, *, may_create: bool = True) -> None:
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise BadLedger(
                f"This Python has SQLite {sqlite3.sqlite_version}; a ledger needs 3.37 or later. Use a newer Python, "
                "or PostgreSQL."
            )
        self.path, self.address, self._lock_timeout = path, str(path), lock_timeout
        self.url = f"sqlite:///{path.absolute()}"
        self._file_identity: tuple[int, int] | None = None
        """The device and the inode of the file, once it is open."""
        super().__init__()
        with self._translated_errors():
            self._writer = self._open_database(may_create=may_create)
            self._file_identity = self._identify_file()

    def _open_database(self, *, may_create: bool) -> sqlite3.Connection:
        """A connection to a ledger's file, a new one if necessary. A file that is no ledger is not touched."""
        connection = self._open_connection()
        try:
            if _is_up_to_date(connection):
                return self._make_durable(connection)
            engine = create_engine("sqlite://", creator=lambda: connection, poolclass=NullPool)
            with engine.connect() as schema:
                # Two programs that create the same file meet here; the second waits and finds it done.
                connection.execute("BEGIN IMMEDIATE")
                self.migrated_from = migrate(schema, self.address, may_create=may_create)
                schema.commit()
        except BaseException:
            connection.close()
            raise
        connection.close()
        return self._connect()

    def _open_connection(self) -> sqlite3.Connection:
        """A connection; only the first one may create the file."""
        create = "rwc" if self._file_identity is None else "rw"
        if self._file_identity is None:
            create_private_file(self.path)  # SQLite gives its log and its index the mode of the file
        return sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={create}",
            uri=True,
            timeout=self._lock_timeout,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=128,
        )

    def _identify_file(self) -> tuple[int, int] | None:
        """The file that has the name of the database now."""
        try:
            file_status = os.stat(self.path)
        except OSError:
            return None
        return file_status.st_dev, file_status.st_ino

    def _refuse_if_moved(self) -> None:
        """SQLite continues to write to a file that was moved, deleted, or replaced. Those writes would be lost, so
        nothing is written until the file is back."""
        if self._file_identity is not None and self._identify_file() != self._file_identity:
            raise DatabaseMoved(
                "The file of the database was moved, deleted, or replaced: nothing was stored. Put it back, or stop "
                "the server and start it with the right file.",
                self.address,
            )

    def _refuse_newer(self, connection: sqlite3.Connection) -> None:
        refuse_newer(connection.execute(SINCE).fetchone()[0], self.address)

    def _connect(self) -> sqlite3.Connection:
        self._refuse_if_moved()
        return self._make_durable(self._open_connection())

    def _make_durable(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        """The same connection, on which a commit is on disk when it returns."""
        try:
            self._enable_wal(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _enable_wal(self, connection: sqlite3.Connection) -> None:
        """Turn the write-ahead log on. SQLite does not wait by itself while another program does the same."""
        deadline = time.monotonic() + self._lock_timeout
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL").fetchone()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return

    def begin(
        self,
        chains: Sequence[str],
        commands: Sequence[str],
        unique_keys: Sequence[UniqueKey],
        leases: Sequence[str] = (),
    ) -> LockedState:
        with self._translated_write_errors():
            if self._writer is None:
                self._writer = self._connect()
            execute = self._writer.execute
            execute("BEGIN IMMEDIATE")
            self._refuse_newer(self._writer)
            keyed_rows = ((unique_key, execute(_KEYED_EVENT, unique_key).fetchone()) for unique_key in unique_keys)
            return LockedState(
                heads={row[0]: row for row in self._select_rows(_HEADS, chains)},
                commands={row[0]: row for row in self._select_rows(_COMMANDS, commands)},
                keyed_events={unique_key: KeyedEvent(*row) for unique_key, row in keyed_rows if row},
                leases={row[0]: Lease(*row) for row in self._select_rows(_LEASES, leases)},
            )

    def _select_rows(self, sql: str, keys: Sequence[str]) -> Iterator[Any]:
        """The rows with these keys, with few statements (see ``_insert_rows``)."""
        assert self._writer is not None
        for start, count in _split(len(keys)):
            yield from self._writer.execute(_repeat_values(sql, count), keys[start : start + count])

    def encrypted_secret(self, prefix: bytes) -> bytes:
        with self._translated_write_errors():
            assert self._writer is not None
            row = self._writer.execute(_ENCRYPTED, (len(prefix), prefix)).fetchone()
            return b"" if row is None else bytes(row[0])

    def commit(self, batch: WriteBatch) -> None:
        with self._translated_write_errors():
            assert self._writer is not None
            _write_batch(self._writer, batch)
            self._writer.execute("COMMIT")

    def roll_back(self) -> None:
        try:
            if self._writer is not None and self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except sqlite3.Error:
            self._drop_writer()

    def save_notes(self, notes: Sequence[NoteRow]) -> None:
        with self._translated_write_errors():
            if self._writer is None:
                self._writer = self._connect()
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany(_NOTE, notes)
            self._writer.execute("COMMIT")

    @contextmanager
    def read(self) -> Iterator[LedgerReader]:
        with self._translated_errors():
            connection = self._reader_pool.take() or self._connect()
            try:
                connection.execute("BEGIN")
                yield SqliteReader(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._reader_pool.put(connection)

    @contextmanager
    def fill(self, tables: Mapping[Table, Iterable[Any]]) -> Iterator[LedgerReader]:
        with self._translated_errors():
            connection = self._connect()
            try:
                connection.execute("BEGIN IMMEDIATE")
                for table, rows in tables.items():
                    connection.executemany(insert_sql(table, SQLITE), rows)
                yield SqliteReader(connection)
                connection.execute("COMMIT")
            finally:
                connection.close()

    def lease_registry(self, label: str) -> LeaseRegistry:
        return SqliteLeases(self.name, label, self._connect, self._translated_lease_errors, self._refuse_newer)

    def remove_wal(self) -> None:
        """Make a file without a log beside it, which can be copied and read on any machine."""
        with self._translated_errors():
            connection = sqlite3.connect(self.path, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = DELETE")
            finally:
                connection.close()

    @contextmanager
    def _translated_write_errors(self) -> Iterator[None]:
        """After an error of the file or the disk the next command begins with a new connection."""
        self._refuse_if_moved()
        try:
            with self._translated_errors():
                yield
        except LedgerUnavailable as error:
            if not isinstance(error, (LedgerLocked, LedgerFull)):
                self._drop_writer()
            raise

    @contextmanager
    def _translated_lease_errors(self) -> Iterator[None]:
        self._refuse_if_moved()
        with self._translated_errors():
            yield

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, DBAPIError) as error:
            translated = _translate_error(error, self.address, self._lock_timeout)
            if (
                isinstance(translated, BadLedger) and self._file_identity is not None
            ):  # it was a ledger when it was opened
                translated = LedgerDamaged(Finding("file", "pages", _DAMAGED.format(error)))
            raise translated from error


_DAMAGED: Final = "The file of the database is damaged ({}): restore the last backup."


def _is_up_to_date(connection: sqlite3.Connection) -> bool:
    sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    if connection.execute(sql, (VERSION_TABLE,)).fetchone() is None:
        return False
    return bool(connection.execute(VERSION_SQL).fetchone() == (VERSION,))


def _translate_error(error: Exception, address: str, lock_timeout: float) -> Exception:
    if isinstance(error, DBAPIError) and error.orig is not None:
        return _translate_error(error.orig, address, lock_timeout)
    code = getattr(error, "sqlite_errorcode", 0)
    # The lowest byte is the kind of error, the rest its details. On a full disk even the log's index has no space.
    detail = f"{address}: {error}"
    match sqlite3.SQLITE_FULL if code == sqlite3.SQLITE_IOERR_SHMSIZE else code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LedgerLocked(
                f"Another program has kept the database locked for more than {lock_timeout:g} seconds: nothing was "
                "stored. Send the command again.",
                detail,
            )
        case sqlite3.SQLITE_FULL:
            return LedgerFull(
                "The disk of the database is full: nothing was stored. Free some space and send the command again.",
                detail,
            )
        case sqlite3.SQLITE_NOTADB:
            return BadLedger(f"{address} is not a ledger, or its first page is damaged.")
        case sqlite3.SQLITE_CORRUPT:
            return LedgerDamaged(Finding("file", "pages", _DAMAGED.format(error)))
        case sqlite3.SQLITE_CANTOPEN:
            return LedgerUnavailable(
                "The file of the database cannot be opened: check that its folder exists and that this program "
                "may write to it.",
                detail,
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return DatabaseReadOnly(
                "The database is read-only: nothing was stored. Let this program write to it.", detail
            )
    return LedgerUnavailable(
        "The database failed. Send the command again with the same id; it is carried out once.", detail
    )


def _write_batch(connection: sqlite3.Connection, batch: WriteBatch) -> None:
    _insert_rows(connection, _STORE_COMMAND, batch.commands)
    _insert_rows(connection, _STORE_EVENT, batch.events)
    _insert_rows(connection, _STORE_ENTRY, batch.entries)
    _insert_rows(connection, _STORE_UNIQUE_KEY, batch.unique_keys)
    _insert_rows(connection, _STORE_HEAD, batch.heads)
    _insert_rows(connection, _ADD_BALANCE, batch.balances)
    connection.executemany(_DELETE_SECRET, batch.deleted_secrets)
    _insert_rows(connection, _STORE_SECRET, batch.secrets)
    connection.executemany(_REENCRYPT, [(value, chain, name) for chain, name, value in batch.reencrypted_secrets])


def _insert_rows(connection: sqlite3.Connection, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows with few statements: at each one Python lets another thread run, and then waits for its turn."""
    for start, count in _split(len(rows)):
        values = [value for row in rows[start : start + count] for value in row]
        connection.execute(_repeat_values(sql, count), values)


def _split(count: int) -> Iterator[tuple[int, int]]:
    """The start and the length of each part of so many rows. The lengths are powers of two: few different statements.

    >>> list(_split(7))
    [(0, 4), (4, 2), (6, 1)]
    """
    start = 0
    while start < count:
        length = min(MAX_ROWS_PER_STATEMENT, 1 << (count - start).bit_length() - 1)
        yield start, length
        start += length


@lru_cache
def _repeat_values(sql: str, count: int) -> str:
    """A statement for one row or key as a statement for several.

    >>> _repeat_values("INSERT INTO leases (chain, owner) VALUES (?, ?)", 2)
    'INSERT INTO leases (chain, owner) VALUES (?, ?), (?, ?)'
    >>> _repeat_values("SELECT owner FROM leases WHERE chain IN (VALUES (?))", 2)
    'SELECT owner FROM leases WHERE chain IN (VALUES (?), (?))'
    """
    before, values, after = _VALUES.split(sql)
    return before + ", ".join([values] * count) + after


@contextmanager
def read_file(path: Path) -> Iterator[LedgerReader]:
    """Read a file without changing it: a file of an older version is copied and the copy migrated."""
    with _read_only_connection(path) as connection:
        engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        with engine.connect() as schema:
            version = stored_version(schema, str(path))
            usable = version is not None and is_compatible(schema, version)
        if usable:
            connection.execute("BEGIN")
            yield SqliteReader(connection)
            return
    if version is None:
        raise BadLedger(f"{path} is empty: it is not a backup.")
    if version > VERSION:
        raise unknown_version_error(str(path), version)
    with TemporaryDirectory(prefix="cardroom-") as folder:
        copy = Path(folder) / path.name
        create_private_file(copy)
        copyfile(path, copy)
        SqliteStore(copy, lock_timeout=0).close()
        with _read_only_connection(copy) as connection:
            connection.execute("BEGIN")
            yield SqliteReader(connection)


@contextmanager
def _read_only_connection(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()
    except (sqlite3.Error, DBAPIError) as error:
        raise _translate_error(error, str(path), 0) from error


class SqliteReader(LedgerReader):
    """A reader of one connection within its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run_query(self, query: RowQuery) -> Iterator[Any]:
        limit = -1 if query.limit is None else query.limit
        return self._connection.execute(query.sql(SQLITE), (*query.values, limit))

    def chain_lengths(self, prefix: str, excluded_prefix: str = "") -> Iterator[tuple[str, int]]:
        for name_range in name_ranges(prefix, excluded_prefix):
            yield from self._connection.execute(_CHAIN_LENGTHS, name_range)

    def newest_event_time(self) -> int:
        return int(self._connection.execute(_NEWEST).fetchone()[0])

    def check_triggers(self) -> TriggerCheck:
        sql = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = {
            TriggerKey(table, name): Trigger(normalize_whitespace(text))
            for name, table, text in self._connection.execute(sql)
        }
        return TriggerCheck(sqlite_triggers(), triggers)

    def find_unreadable(self, table: Table) -> tuple[tuple[Any, ...], str] | None:
        names = column_names(table)
        cursor = self._connection.cursor()
        self._connection.text_factory = bytes
        try:
            for row in cursor.execute(select_sql(table)):
                for name, value in zip(names, row, strict=True):
                    try:
                        if isinstance(value, bytes) and name not in _BINARY_COLUMNS:
                            value.decode()
                    except UnicodeDecodeError:
                        values = dict(zip(names, row, strict=True))
                        return tuple(_decode_lossy(values[column]) for column in key_column_names(table)), name
        finally:
            self._connection.text_factory = str
        return None


_BINARY_COLUMNS: Final = frozenset({"seal", "previous", "hash", "body", "value"})


def _decode_lossy(value: object) -> object:
    return value.decode(errors="replace") if isinstance(value, bytes) else value
