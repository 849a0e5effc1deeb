"""Open a ledger by its address."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from cardroom.ledger.clock import Clock, system_clock
from cardroom.ledger.clock_guard import ClockGuard, UptimeClock, machine_uptime
from cardroom.ledger.faults import BadLedger
from cardroom.ledger.ledger import Ledger
from cardroom.ledger.sqlite import SqliteStore
from cardroom.ledger.store import Store
from cardroom.ledger.unfinished import refuse_unfinished

PATIENCE: Final = 10.0
"""Seconds to wait for another program that holds a lock."""


def open_ledger(
    url: str,
    clock: Clock = system_clock,
    patience: float = PATIENCE,
    *,
    may_begin: bool = True,
    uptime: UptimeClock | None = None,
    restoring: bool = False,
) -> Ledger:
    """Open the ledger at sqlite:///path/to/file.db or postgresql://user@host/database; an empty one is set up, unless
    none may begin. One in which a restore was interrupted is refused, except to the restore itself (``restoring``).

    The machine's clock is compared: in a file with the time that has passed, on a server with the server's clock. A
    clock that the caller brings is believed, unless ``uptime`` says how much time passes on it."""
    is_machines = clock is system_clock
    store = open_store(url, patience, may_begin=may_begin, compares_clock=is_machines)
    if not restoring:
        _refuse_unfinished(store)
    counted = machine_uptime if uptime is None and is_machines else uptime
    guard = ClockGuard(store, clock, counted) if counted is not None and isinstance(store, SqliteStore) else None
    return Ledger(store, clock, guard)


def _refuse_unfinished(store: Store) -> None:
    try:
        with store.reading() as now:
            refuse_unfinished(now, store.address)
    except BaseException:
        store.close()
        raise


def open_store(url: str, patience: float = PATIENCE, *, may_begin: bool = True, compares_clock: bool = False) -> Store:
    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):
        raise BadLedger(_USE.format(url)) from None
    match parts.get_backend_name():
        case "sqlite":
            return SqliteStore(_file(parts.database), patience, may_begin=may_begin)
        case "postgresql" | "postgres":
            # The driver takes longer to load than SQLite, and most card rooms never need it.
            from cardroom.ledger.postgresql import PostgresqlStore

            address = parts.set(drivername="postgresql")
            return PostgresqlStore(address, patience, may_begin=may_begin, compares_clock=compares_clock)
    raise BadLedger(_USE.format(parts.render_as_string(hide_password=True)))


_USE: Final = "{} is no address of a ledger: use sqlite:///path/to/file.db or postgresql://user@host/database."


def _file(name: str | None) -> Path:
    if not name or name == ":memory:":
        raise BadLedger("A ledger has to outlive the program: give its file a name, sqlite:///path/to/file.db.")
    path = Path(name)
    if path.is_dir():
        raise BadLedger(f"{path} is a folder: name a file in it, sqlite:///{path}/cardroom.db.")
    if not path.parent.is_dir():
        raise BadLedger(f"There is no folder {path.parent} to keep the ledger in: make it first.")
    return path
