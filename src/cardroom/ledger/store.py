"""The interface between the ledger and a database, and its rows.

A store is one database. It has one connection for writing, which the ledger uses for one batch of commands at a time,
and as many for reading as there are readers at the same time.
"""

from __future__ import annotations

import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from sqlalchemy import Dialect, Table, bindparam, literal_column, select

from cardroom.ledger.leases import LeaseRegistry
from cardroom.ledger.notifications import Notification
from cardroom.ledger.schema import TriggerCheck, compile_sql, heads, order_columns
from cardroom.ledger.types import KeyedEvent, Lease, Time, UniqueKey

EventRow: TypeAlias = tuple[str, int, str, str, int, int, str, bytes, bytes, bytes]
"""chain, sequence, id, kind, version, time, payload, seal, previous, hash"""
EntryRow: TypeAlias = tuple[str, int, int, str, str, int]
"""chain, sequence, line, debit, credit, amount"""
UniqueKeyRow: TypeAlias = tuple[str, str, int]
"""chain, name, sequence"""
CommandRow: TypeAlias = tuple[str, bytes, str, int, bytes]
"""id, body, answer, events, seal"""
HeadRow: TypeAlias = tuple[str, int, bytes, int, str, bytes]
"""chain, sequence, hash, time, snapshot, seal"""
BalanceRow: TypeAlias = tuple[str, int, int]
"""account, debits, credits"""
SecretRow: TypeAlias = tuple[str, str, bytes]
"""chain, name, value"""
NoteRow: TypeAlias = tuple[str, int, str]
"""about, time, text"""


C = TypeVar("C", bound="Closable")


class RetryTransaction(Exception):
    """Two transactions met so that the database rolled back one of them; it can be repeated."""


@dataclass(slots=True)
class LockedState:
    """What the database has for the locked chains, and for the requested commands and unique keys."""

    heads: dict[str, HeadRow]
    commands: dict[str, CommandRow]
    keyed_events: dict[UniqueKey, KeyedEvent]
    leases: dict[str, Lease] = field(default_factory=dict)
    """The leases under which commands are carried out, as they are held now: no server takes them over before
    `commit`."""


@dataclass(slots=True)
class WriteBatch:
    """All rows that one transaction writes. Balances are amounts to add."""

    commands: list[CommandRow] = field(default_factory=list)
    events: list[EventRow] = field(default_factory=list)
    entries: list[EntryRow] = field(default_factory=list)
    unique_keys: list[UniqueKeyRow] = field(default_factory=list)
    heads: list[HeadRow] = field(default_factory=list)
    balances: list[BalanceRow] = field(default_factory=list)
    deleted_secrets: list[UniqueKey] = field(default_factory=list)
    """Revealed secrets, to delete."""
    secrets: list[SecretRow] = field(default_factory=list)
    """New secrets. An existing one stays as it is."""
    reencrypted_secrets: list[SecretRow] = field(default_factory=list)
    """Existing secrets, encrypted under another key."""


class RowQuery(NamedTuple):
    """A query for rows of a table."""

    table: Table
    where: Mapping[str, Any]
    after: Mapping[str, Any]
    limit: int | None

    def sql(self, dialect: Dialect) -> str:
        """The SQL, with a placeholder for each value and one for the limit."""
        return _row_query_sql(self.table, tuple(self.where), tuple(self.after), dialect)

    @property
    def values(self) -> tuple[Any, ...]:
        return (*self.where.values(), *self.after.values())


@cache
def _row_query_sql(table: Table, where: tuple[str, ...], after: tuple[str, ...], dialect: Dialect) -> str:
    conditions = [table.c[name] == bindparam(None) for name in where]
    conditions += [table.c[name] > bindparam(None) for name in after]
    order = [table.c[name] for name in order_columns(table)]
    return compile_sql(select(table).where(*conditions).order_by(*order).limit(bindparam(None)), dialect)


LAST_CHARACTER: Final = "\U0010ffff"

CHAIN_LENGTHS: Final = (
    select(heads.c.chain, heads.c.sequence)
    .where(heads.c.chain >= bindparam(None), heads.c.chain < bindparam(None), heads.c.sequence > literal_column("0"))
    .order_by(heads.c.chain)
)
"""The number of events of the chains between two names; it reads nothing else of their heads."""


def name_ranges(prefix: str, excluded_prefix: str) -> list[tuple[str, str]]:
    """The ranges of names that begin with a prefix, without those that begin with the longer ``excluded_prefix``.

    >>> name_ranges("table:", "table:practice-") == [
    ...     ("table:", "table:practice-"),
    ...     ("table:practice-" + LAST_CHARACTER, "table:" + LAST_CHARACTER),
    ... ]
    True
    """
    end = prefix + LAST_CHARACTER
    return [(prefix, excluded_prefix), (excluded_prefix + LAST_CHARACTER, end)] if excluded_prefix else [(prefix, end)]


class Closable(Protocol):
    """A connection to a database."""

    def close(self) -> None: ...


class ConnectionPool(Generic[C]):
    """Idle connections for reading."""

    def __init__(self) -> None:
        self._connections: list[C] = []
        self._lock = threading.Lock()

    def take(self) -> C | None:
        """One of them, if there is one."""
        with self._lock:
            return self._connections.pop() if self._connections else None

    def put(self, connection: C) -> None:
        with self._lock:
            self._connections.append(connection)

    def close(self) -> None:
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()


class LedgerReader(ABC):
    """A snapshot of the database at one moment, whatever others write meanwhile."""

    def rows(
        self,
        table: Table,
        where: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
        limit: int | None = None,
    ) -> Iterator[Any]:
        """Rows in the order of the table, a few at a time: columns equal to `where` and greater than `after`."""
        return self.run_query(RowQuery(table, where or {}, after or {}, limit))

    @abstractmethod
    def run_query(self, query: RowQuery) -> Iterator[Any]:
        """The rows of a query."""

    @abstractmethod
    def chain_lengths(self, prefix: str, excluded_prefix: str = "") -> Iterator[tuple[str, int]]:
        """The lengths of the chains whose names begin with a prefix and that have events; those with
        ``excluded_prefix`` are not read at all."""

    @abstractmethod
    def newest_event_time(self) -> Time:
        """When the last event of all chains happened; 0 when there is none."""

    @abstractmethod
    def check_triggers(self) -> TriggerCheck:
        """The triggers that protect history, those that should exist and those that do."""

    @abstractmethod
    def find_unreadable(self, table: Table) -> tuple[tuple[Any, ...], str] | None:
        """The key and the column of the first value that should be text and is not."""


class Store(ABC):
    """One database."""

    address: str
    """For sentences; never with a password."""
    url: str
    """The URL with which another process opens it again; it may contain a password, and is never shown."""
    migrated_from: str | None = None
    """The older version of its tables before it was opened now."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        """The id of this opening, which no other program has."""

    @abstractmethod
    def begin(
        self,
        chains: Sequence[str],
        commands: Sequence[str],
        unique_keys: Sequence[UniqueKey],
        leases: Sequence[str] = (),
    ) -> LockedState:
        """Begin a transaction: lock the chains, which come sorted, so that no other transaction changes them until
        `commit`; then lock the leases of the chains under which a command acts, so that no server takes them over."""

    def lock_secrets(self) -> None:  # noqa: B027
        """Within the transaction: no other program adds or deletes a secret until `commit`. Where one program writes at
        a time, there is nothing to lock."""

    @abstractmethod
    def encrypted_secret(self, prefix: bytes) -> bytes:
        """Within the transaction: a stored value that begins with the mark of an encrypted secret; empty where there is
        none. No other program encrypts it under another key until `commit`."""

    @abstractmethod
    def commit(self, batch: WriteBatch) -> None:
        """Write everything; it is on disk when this returns."""

    def check_clock(self) -> None:
        """Refuse to write where the database has a clock of its own, and this server's differs from it."""
        return

    @abstractmethod
    def roll_back(self) -> None:
        """Roll back the transaction. It never fails: a connection that cannot roll back is closed, with the same
        effect."""

    @abstractmethod
    def save_notes(self, notes: Sequence[NoteRow]) -> None:
        """Write notes beside the events."""

    @abstractmethod
    def read(self) -> AbstractContextManager[LedgerReader]:
        """A snapshot for reading."""

    @abstractmethod
    def fill(self, tables: Mapping[Table, Iterable[Any]]) -> AbstractContextManager[LedgerReader]:
        """Fill an empty database. The rows can be read inside the block, and stay if it ends without an error."""

    @abstractmethod
    def lease_registry(self, label: str) -> LeaseRegistry:
        """The leases of this server, under its own id; the label is for people."""

    def notifications(self) -> AsyncGenerator[Notification, None] | None:
        """Notifications of new events of every program; none where the database has no notifications."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Close the database."""


class ConnectedStore(Store, Generic[C]):
    """A database with one connection for writing, opened on first use, and idle ones for reading."""

    def __init__(self) -> None:
        super().__init__()
        self._reader_pool: ConnectionPool[C] = ConnectionPool()
        self._writer: C | None = None

    def _drop_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def close(self) -> None:
        self._reader_pool.close()
        self._drop_writer()
