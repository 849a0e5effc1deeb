"""A ledger in one file: SQLite with a write-ahead log that reaches the disk before a command is answered."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any, Final

from sqlalchemy import NullPool, StaticPool, Table, create_engine
from sqlalchemy.exc import DBAPIError

from cardroom.ledger.faults import (
    BadLedger,
    DatabaseMoved,
    DatabaseReadOnly,
    LedgerDamaged,
    LedgerFull,
    LedgerLocked,
    LedgerUnavailable,
)
from cardroom.ledger.guards import Guards, Place, Trigger, of_sqlite, plain
from cardroom.ledger.leases import LeaseBook
from cardroom.ledger.migrate import another_version, may_use, migrate, refuse_newer, stored_version
from cardroom.ledger.records import Lease, Name, Named
from cardroom.ledger.report import Finding
from cardroom.ledger.schema import (
    SINCE,
    VERSION,
    VERSION_TABLE,
    balances,
    columns,
    commands,
    entries,
    events,
    heads,
    insert,
    key,
    leases,
    names,
    note,
    secrets,
    select,
)
from cardroom.ledger.sqlite_leases import SqliteLeases
from cardroom.ledger.store import Batch, ConnectedStore, Look, NoteRow, Reading, Standing, places_asked, places_between
from cardroom.private_files import create_private

OLDEST: Final = (3, 37, 0)
"""The first SQLite whose tables refuse values of the wrong type."""

_HEAD = f"{select(heads)} WHERE chain = ?"
_PLACES = places_asked("?")
_COMMAND = f"{select(commands)} WHERE id = ?"
_NAMED = "SELECT sequence, id, time FROM names JOIN events USING (chain, sequence) WHERE chain = ? AND name = ?"
_NEWEST = "SELECT coalesce(max(time), 0) FROM heads"
_LEASE = f"{select(leases)} WHERE chain = ?"
_STORE_COMMAND, _STORE_EVENT, _STORE_ENTRY, _STORE_NAME = (
    insert(table, "?") for table in (commands, events, entries, names)
)
_STORE_HEAD = insert(heads, "?").replace("INSERT", "INSERT OR REPLACE", 1)
_HIDE = insert(secrets, "?").replace("INSERT", "INSERT OR IGNORE", 1)
_REENCRYPT = "UPDATE secrets SET value = ? WHERE chain = ? AND name = ?"
_ENCRYPTED = "SELECT value FROM secrets WHERE substr(value, 1, ?) = ? ORDER BY chain, name LIMIT 1"
_NOTE = note("?")
_LET_GO = "DELETE FROM secrets WHERE chain = ? AND name = ?"
_ADD_BALANCE = (
    f"{insert(balances, '?')} ON CONFLICT (account) DO UPDATE "
    "SET debits = debits + excluded.debits, credits = credits + excluded.credits"
)


class SqliteStore(ConnectedStore[sqlite3.Connection]):
    """A ledger in one file."""

    def __init__(self, path: Path, patience: float, *, may_begin: bool = True) -> None:
        if sqlite3.sqlite_version_info < OLDEST:
            raise BadLedger(
                f"This Python comes with SQLite {sqlite3.sqlite_version}; a ledger needs 3.37 or later. "
                "Use a newer Python, or PostgreSQL."
            )
        self.path, self.address, self._patience = path, str(path), patience
        self.url = f"sqlite:///{path.absolute()}"
        self._file: tuple[int, int] | None = None
        """The device and the inode of the file, once it is open."""
        super().__init__()
        with self._faults():
            self._writer = self._prepared(may_begin=may_begin)
            self._file = self._found()

    def _prepared(self, *, may_begin: bool) -> sqlite3.Connection:
        """A connection to a file that is a ledger, if need be a new one. A file that is none is not touched."""
        connection = self._plain()
        try:
            if _is_up_to_date(connection):
                return self._durable(connection)
            engine = create_engine("sqlite://", creator=lambda: connection, poolclass=NullPool)
            with engine.connect() as schema:
                # Two programs that create the same file meet here; the second waits and finds it done.
                connection.execute("BEGIN IMMEDIATE")
                self.came_from = migrate(schema, self.address, may_begin=may_begin)
                schema.commit()
        except BaseException:
            connection.close()
            raise
        connection.close()
        return self._connect()

    def _plain(self) -> sqlite3.Connection:
        """A connection; only the first one may create the file."""
        create = "rwc" if self._file is None else "rw"
        if self._file is None:
            create_private(self.path)  # SQLite gives its log and its index the mode of the file
        return sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={create}",
            uri=True,
            timeout=self._patience,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=64,
        )

    def _found(self) -> tuple[int, int] | None:
        """The file that has the name of the database now."""
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _refuse_if_moved(self) -> None:
        """SQLite goes on writing to a file that was moved, deleted, or replaced. Nothing of that would be found again,
        so nothing is written until the file is back."""
        if self._file is not None and self._found() != self._file:
            raise DatabaseMoved(
                "The file of the database was moved, deleted, or replaced: nothing was stored. Put it back, or stop "
                "the server and start it with the file that is right.",
                self.address,
            )

    def _refuse_newer(self, connection: sqlite3.Connection) -> None:
        refuse_newer(connection.execute(SINCE).fetchone()[0], self.address)

    def _connect(self) -> sqlite3.Connection:
        self._refuse_if_moved()
        return self._durable(self._plain())

    def _durable(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        """The same connection, on which a commit has reached the disk."""
        try:
            self._keep_a_log(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _keep_a_log(self, connection: sqlite3.Connection) -> None:
        """Turn the write-ahead log on. SQLite does not wait by itself while another program does the same."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL").fetchone()
            except sqlite3.OperationalError as fault:
                if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return

    def begin(
        self, chains: Sequence[str], commands: Sequence[str], names: Sequence[Name], leases: Sequence[str] = ()
    ) -> Standing:
        with self._writing_faults():
            if self._writer is None:
                self._writer = self._connect()
            ask = self._writer.execute
            ask("BEGIN IMMEDIATE")
            self._refuse_newer(self._writer)
            known = (ask(_COMMAND, (id,)).fetchone() for id in commands)
            found = (ask(_HEAD, (chain,)).fetchone() for chain in chains)
            given = ((name, ask(_NAMED, name).fetchone()) for name in names)
            held = (ask(_LEASE, (chain,)).fetchone() for chain in leases)
            return Standing(
                heads={row[0]: row for row in found if row},
                commands={row[0]: row for row in known if row},
                names={name: Named(*row) for name, row in given if row},
                leases={row[0]: Lease(*row) for row in held if row},
            )

    def encrypted_secret(self, mark: bytes) -> bytes:
        with self._writing_faults():
            assert self._writer is not None
            found = self._writer.execute(_ENCRYPTED, (len(mark), mark)).fetchone()
            return b"" if found is None else bytes(found[0])

    def store(self, batch: Batch) -> None:
        with self._writing_faults():
            assert self._writer is not None
            _write(self._writer, batch)
            self._writer.execute("COMMIT")

    def give_up(self) -> None:
        try:
            if self._writer is not None and self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except sqlite3.Error:
            self._drop_writer()

    def note(self, notes: Sequence[NoteRow]) -> None:
        with self._writing_faults():
            if self._writer is None:
                self._writer = self._connect()
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany(_NOTE, notes)
            self._writer.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        with self._faults():
            connection = self._idle.take() or self._connect()
            try:
                connection.execute("BEGIN")
                yield SqliteReading(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._idle.give_back(connection)

    @contextmanager
    def fill(self, tables: Mapping[Table, Iterable[Any]]) -> Iterator[Reading]:
        with self._faults():
            connection = self._connect()
            try:
                connection.execute("BEGIN IMMEDIATE")
                for table, rows in tables.items():
                    connection.executemany(insert(table, "?"), rows)
                yield SqliteReading(connection)
                connection.execute("COMMIT")
            finally:
                connection.close()

    def lease_book(self, label: str) -> LeaseBook:
        return SqliteLeases(self.name, label, self._connect, self._lease_faults, self._refuse_newer)

    def leave_in_one_piece(self) -> None:
        """A file without a log beside it, that can be copied and read anywhere."""
        with self._faults():
            connection = sqlite3.connect(self.path, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = DELETE")
            finally:
                connection.close()

    @contextmanager
    def _writing_faults(self) -> Iterator[None]:
        """After a fault of the file or the disk the next command begins with a new connection."""
        self._refuse_if_moved()
        try:
            with self._faults():
                yield
        except LedgerUnavailable as fault:
            if not isinstance(fault, (LedgerLocked, LedgerFull)):
                self._drop_writer()
            raise

    @contextmanager
    def _lease_faults(self) -> Iterator[None]:
        self._refuse_if_moved()
        with self._faults():
            yield

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, DBAPIError) as fault:
            told = _in_words(fault, self.address, self._patience)
            if isinstance(told, BadLedger) and self._file is not None:  # it was a ledger when it was opened
                told = LedgerDamaged(Finding("file", "pages", _DAMAGED.format(fault)))
            raise told from fault


_DAMAGED: Final = "The file of the database is damaged ({}): restore the last backup."


def _is_up_to_date(connection: sqlite3.Connection) -> bool:
    there = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    if connection.execute(there, (VERSION_TABLE,)).fetchone() is None:
        return False
    return bool(connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone() == (VERSION,))  # noqa: S608


def _in_words(fault: Exception, address: str, patience: float) -> Exception:
    if isinstance(fault, DBAPIError) and fault.orig is not None:
        return _in_words(fault.orig, address, patience)
    code = getattr(fault, "sqlite_errorcode", 0)
    # The lowest byte is the kind of fault, the rest its particulars. On a full disk even the log's index has no room.
    detail = f"{address}: {fault}"
    match sqlite3.SQLITE_FULL if code == sqlite3.SQLITE_IOERR_SHMSIZE else code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LedgerLocked(
                f"Another program has kept the database locked for more than {patience:g} seconds: nothing was stored. "
                "Send the command again.",
                detail,
            )
        case sqlite3.SQLITE_FULL:
            return LedgerFull(
                "There is no room left on the disk of the database: nothing was stored. Make room and send the command "
                "again.",
                detail,
            )
        case sqlite3.SQLITE_NOTADB:
            return BadLedger(f"{address} is not a ledger, or its first page is damaged.")
        case sqlite3.SQLITE_CORRUPT:
            return LedgerDamaged(Finding("file", "pages", _DAMAGED.format(fault)))
        case sqlite3.SQLITE_CANTOPEN:
            return LedgerUnavailable(
                "The file of the database cannot be opened: check that its folder is there and may be written to.",
                detail,
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return DatabaseReadOnly("The database may only be read: nothing was stored.", detail)
    return LedgerUnavailable("The database could not be used: nothing is half done.", detail)


def _write(connection: sqlite3.Connection, batch: Batch) -> None:
    many = connection.executemany
    many(_STORE_COMMAND, batch.commands)
    many(_STORE_EVENT, batch.events)
    many(_STORE_ENTRY, batch.entries)
    many(_STORE_NAME, batch.names)
    many(_STORE_HEAD, batch.heads)
    many(_ADD_BALANCE, batch.balances)
    many(_LET_GO, batch.told)
    many(_HIDE, batch.secrets)
    many(_REENCRYPT, [(value, chain, name) for chain, name, value in batch.reencrypted])


@contextmanager
def reading_file(path: Path) -> Iterator[Reading]:
    """A look at a file that nobody writes to, without touching it: of an older one a copy is brought up to date."""
    with _untouched(path) as connection:
        engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        with engine.connect() as schema:
            version = stored_version(schema, str(path))
            usable = version is not None and may_use(schema, version)
        if usable:
            connection.execute("BEGIN")
            yield SqliteReading(connection)
            return
    if version is None:
        raise BadLedger(f"{path} is empty: it is no backup.")
    if version > VERSION:
        raise another_version(str(path), version)
    with TemporaryDirectory(prefix="cardroom-") as folder:
        copy = Path(folder) / path.name
        create_private(copy)
        copyfile(path, copy)
        SqliteStore(copy, patience=0).close()
        with _untouched(copy) as connection:
            connection.execute("BEGIN")
            yield SqliteReading(connection)


@contextmanager
def _untouched(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that only reads."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()
    except (sqlite3.Error, DBAPIError) as fault:
        raise _in_words(fault, str(path), 0) from fault


class SqliteReading(Reading):
    """What one connection sees within its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def look(self, look: Look) -> Iterator[Any]:
        limit = -1 if look.limit is None else look.limit
        return self._connection.execute(look.asked("?"), (*look.values, limit))

    def places(self, beginning: str, besides: str = "") -> Iterator[tuple[str, int]]:
        for between in places_between(beginning, besides):
            yield from self._connection.execute(_PLACES, between)

    def newest(self) -> int:
        return int(self._connection.execute(_NEWEST).fetchone()[0])

    def guards(self) -> Guards:
        asked = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"
        there = {Place(table, name): Trigger(plain(text)) for name, table, text in self._connection.execute(asked)}
        return Guards(of_sqlite(), there)

    def unreadable(self, table: Table) -> tuple[tuple[Any, ...], str] | None:
        names = columns(table)
        raw = self._connection.cursor()
        self._connection.text_factory = bytes
        try:
            for row in raw.execute(select(table)):
                for name, value in zip(names, row, strict=True):
                    try:
                        if isinstance(value, bytes) and name not in _BYTES:
                            value.decode()
                    except UnicodeDecodeError:
                        found = dict(zip(names, row, strict=True))
                        return tuple(_readable(found[one]) for one in key(table)), name
        finally:
            self._connection.text_factory = str
        return None


_BYTES: Final = frozenset({"seal", "previous", "hash", "body", "value"})


def _readable(value: object) -> object:
    return value.decode(errors="replace") if isinstance(value, bytes) else value
