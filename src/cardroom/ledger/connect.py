"""Opens a ledger by its address, and refuses one with an unfinished restore.

The transaction that copies the backup stores the mark of an unfinished restore. The transaction in which two people
confirm what was restored removes it. Until then the database cannot be opened for anything else: its sessions and its
rounds in progress are those of the backup.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from cardroom.ledger import schema
from cardroom.ledger.clock import Clock, ClockGuard, UptimeClock, machine_uptime, system_clock
from cardroom.ledger.errors import BadLedger, RestoreUnfinished
from cardroom.ledger.ledger import Ledger
from cardroom.ledger.sqlite import SqliteStore
from cardroom.ledger.store import LedgerReader, Store
from cardroom.ledger.types import UniqueKey

UNFINISHED_RESTORE: Final = UniqueKey("room", "restore-unfinished")
"""A row beside the secrets of the room's chain: the command that confirms the restore deletes it like any secret."""


def refuse_unfinished_restore(reader: LedgerReader, address: str) -> None:
    """Refuse a database in which a restore was interrupted."""
    if any(reader.rows(schema.secrets, {"chain": UNFINISHED_RESTORE.chain, "name": UNFINISHED_RESTORE.key})):
        raise RestoreUnfinished(
            f"{address} contains an unfinished restore and cannot be used: restore the backup again into a new, "
            "empty database, then delete this one."
        )


LOCK_TIMEOUT: Final = 10.0
"""Seconds to wait for another program that holds a lock."""


def open_ledger(
    url: str,
    clock: Clock = system_clock,
    lock_timeout: float = LOCK_TIMEOUT,
    *,
    may_create: bool = True,
    uptime: UptimeClock | None = None,
    is_restore: bool = False,
) -> Ledger:
    """Open the ledger at sqlite:///path/to/file.db or postgresql://user@host/database; an empty database is set up,
    unless a new ledger is not allowed. A database with an unfinished restore is refused, except to the restore itself
    (``is_restore``).

    The machine's clock is checked: with a file against the time that has passed, with a server against the server's
    clock. A clock from the caller is accepted, unless ``uptime`` says how much time passes on it."""
    uses_system_clock = clock is system_clock
    store = open_store(url, lock_timeout, may_create=may_create, compares_clock=uses_system_clock)
    if not is_restore:
        _check_store(store)
    uptime_clock = machine_uptime if uptime is None and uses_system_clock else uptime
    guard = (
        ClockGuard(store, clock, uptime_clock) if uptime_clock is not None and isinstance(store, SqliteStore) else None
    )
    return Ledger(store, clock, guard)


def _check_store(store: Store) -> None:
    try:
        with store.read() as reader:
            refuse_unfinished_restore(reader, store.address)
    except BaseException:
        store.close()
        raise


def open_store(
    url: str, lock_timeout: float = LOCK_TIMEOUT, *, may_create: bool = True, compares_clock: bool = False
) -> Store:
    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):
        raise BadLedger(_BAD_URL.format(url)) from None
    match parts.get_backend_name():
        case "sqlite":
            return SqliteStore(_database_file(parts.database), lock_timeout, may_create=may_create)
        case "postgresql" | "postgres":
            # The driver takes longer to load than SQLite, and most card rooms never need it.
            from cardroom.ledger.postgresql import PostgresqlStore

            address = parts.set(drivername="postgresql")
            return PostgresqlStore(address, lock_timeout, may_create=may_create, compares_clock=compares_clock)
    raise BadLedger(_BAD_URL.format(parts.render_as_string(hide_password=True)))


_BAD_URL: Final = "{} is not the address of a ledger: use sqlite:///path/to/file.db or postgresql://user@host/database."


def _database_file(name: str | None) -> Path:
    if not name or name == ":memory:":
        raise BadLedger("A ledger must outlive the program: give its file a name, sqlite:///path/to/file.db.")
    path = Path(name)
    if path.is_dir():
        raise BadLedger(f"{path} is a folder: name a file in it, sqlite:///{path}/cardroom.db.")
    if not path.parent.is_dir():
        raise BadLedger(f"There is no folder {path.parent} for the ledger: create it first.")
    return path
