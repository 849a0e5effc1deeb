"""Back up while the card room plays on, and restore. A backup is a ledger in one SQLite file, whatever its source.

Both copy row by row from one snapshot of the source, and verify the copy before it is used. So a backup of a SQLite
ledger can be restored on PostgreSQL, and the other way round.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path

from sqlalchemy import Table

from cardroom.ledger.clock import Clock, system_clock
from cardroom.ledger.connect import UNFINISHED_RESTORE, open_store, refuse_unfinished_restore
from cardroom.ledger.errors import BadLedger
from cardroom.ledger.leases import LeaseRegistry
from cardroom.ledger.ledger import Ledger
from cardroom.ledger.schema import BACKUP_TABLES, secrets
from cardroom.ledger.sqlite import SqliteStore, read_file
from cardroom.ledger.store import LedgerReader, LockedState, RetryTransaction, SecretRow, Store
from cardroom.ledger.types import LedgerReport
from cardroom.ledger.verification import VerificationPass


def backup_ledger(ledger: Ledger, path: Path | str) -> LedgerReport:
    """Copy a ledger into a new file as of now; raises `LedgerDamaged` if verification finds a discrepancy."""
    path = Path(path)
    if path.exists():
        raise BadLedger(f"{path} exists already: a backup never overwrites a file. Name a new one.")
    if not path.parent.is_dir():
        raise BadLedger(f"There is no folder {path.parent} for the backup: create it first.")
    # Under a temporary name until it is complete, so that half a backup cannot be mistaken for one.
    partial_file = path.with_name(f"{path.name}.part")
    _remove_partial(partial_file)
    try:
        store = SqliteStore(partial_file, lock_timeout=10.0)
        with ledger.store.read() as reader:
            report = _copy_rows(reader, store)
        store.close()
        store.remove_wal()
        os.replace(partial_file, path)
        _sync_folder(path.parent)
    finally:
        _remove_partial(partial_file)
    return report


def restore_ledger(path: Path | str, url: str, excludes_chain: Callable[[str], bool] = lambda _: False) -> LedgerReport:
    """Copy a backup into an empty database; on a discrepancy, `LedgerDamaged` is raised and nothing stays there. The
    secrets of the chains that ``excludes_chain`` selects are left out. The copy has the mark of an unfinished restore:
    only the restore opens it (`open_ledger`), and the command that confirms the restore removes it."""
    path = Path(path)
    if not path.is_file():
        raise BadLedger(f"There is no backup {path}.")
    store = open_store(url)
    try:
        with read_file(path) as backup_reader, store.read() as reader:
            refuse_unfinished_restore(backup_reader, str(path))
            refuse_unfinished_restore(reader, store.address)
            _refuse_unless_empty(reader, store)
            return _copy_rows(backup_reader, store, excludes_chain, [(*UNFINISHED_RESTORE, b"")])
    except RetryTransaction:
        raise BadLedger(
            f"Another program wrote to {store.address} at the same time: nothing was restored. Stop it, and restore "
            "again."
        ) from None
    finally:
        store.close()


def open_backup(path: Path | str, clock: Clock = system_clock) -> Ledger:
    """Open a backup as a read-only ledger."""
    path = Path(path)
    if not path.is_file():
        raise BadLedger(f"There is no backup {path}.")
    store = _ReadOnlyStore(path)
    with store.read() as reader:
        refuse_unfinished_restore(reader, store.address)
    return Ledger(store, clock)


class _ReadOnlyStore(Store):
    """A read-only file."""

    def __init__(self, path: Path) -> None:
        self._path, self.address, self.url = path, str(path), f"sqlite:///{path}"

    def read(self) -> AbstractContextManager[LedgerReader]:
        return read_file(self._path)

    def begin(self, *_: object, **__: object) -> LockedState:
        raise self._read_only_error()

    def encrypted_secret(self, *_: object, **__: object) -> bytes:
        raise self._read_only_error()

    def commit(self, *_: object, **__: object) -> None:
        raise self._read_only_error()

    def fill(self, *_: object, **__: object) -> AbstractContextManager[LedgerReader]:
        raise self._read_only_error()

    def save_notes(self, *_: object, **__: object) -> None:
        raise self._read_only_error()

    def lease_registry(self, *_: object, **__: object) -> LeaseRegistry:
        raise self._read_only_error()

    def _read_only_error(self) -> BadLedger:
        return BadLedger(f"{self.address} is a backup and can only be read.")

    def roll_back(self) -> None:
        """There is no open transaction."""

    def close(self) -> None:
        """No connection stays open between two reads."""


def _copy_rows(
    source: LedgerReader,
    store: Store,
    excludes_chain: Callable[[str], bool] = lambda _: False,
    extra_secrets: Sequence[SecretRow] = (),
) -> LedgerReport:
    rows: dict[Table, object] = {table: source.rows(table) for table in BACKUP_TABLES}
    rows[secrets] = chain(extra_secrets, (row for row in source.rows(secrets) if not excludes_chain(row[0])))
    with store.fill(rows) as target_reader:  # type: ignore[arg-type]
        return VerificationPass(target_reader).run()


def _refuse_unless_empty(reader: LedgerReader, store: Store) -> None:
    if any(next(reader.rows(table, limit=1), None) is not None for table in BACKUP_TABLES):
        raise BadLedger(f"{store.address} is not empty: restore into a new database, and compare both.")


def _remove_partial(partial_file: Path) -> None:
    for name in (
        partial_file.name,
        f"{partial_file.name}-wal",
        f"{partial_file.name}-shm",
        f"{partial_file.name}-journal",
    ):
        partial_file.with_name(name).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Flush the folder, so that a new file name survives a power failure."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
