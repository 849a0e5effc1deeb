"""Backup while the card room plays on, and restore. A backup is a ledger in one SQLite file, whatever it came from.

Both copy row by row what one look at the source shows, and verify the copy before it counts. So a backup of a SQLite
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
from cardroom.ledger.faults import BadLedger
from cardroom.ledger.leases import LeaseBook
from cardroom.ledger.ledger import Ledger
from cardroom.ledger.opening import open_store
from cardroom.ledger.report import Report
from cardroom.ledger.schema import KEPT, secrets
from cardroom.ledger.sqlite import SqliteStore, reading_file
from cardroom.ledger.store import Reading, SecretRow, Standing, Store, TryAgain
from cardroom.ledger.unfinished import UNFINISHED, refuse_unfinished
from cardroom.ledger.verification import Walk


def backup_ledger(ledger: Ledger, path: Path | str) -> Report:
    """Copy a ledger into a new file as it stands now; raises `LedgerDamaged` if it is not whole."""
    path = Path(path)
    if path.exists():
        raise BadLedger(f"{path} is there already: a backup never writes over another.")
    if not path.parent.is_dir():
        raise BadLedger(f"There is no folder {path.parent} for the backup: make it first.")
    # Under another name until it is whole, so that nobody takes half a backup for one.
    part = path.with_name(f"{path.name}.part")
    _remove(part)
    try:
        store = SqliteStore(part, patience=10.0)
        with ledger.store.reading() as now:
            report = _copy(now, store)
        store.close()
        store.leave_in_one_piece()
        os.replace(part, path)
        _reach_the_disk(path.parent)
    finally:
        _remove(part)
    return report


def restore_ledger(path: Path | str, url: str, without: Callable[[str], bool] = lambda _: False) -> Report:
    """Copy a backup into an empty database; if it is not whole, `LedgerDamaged` is raised and nothing is left there.
    The secrets of the chains that ``without`` names are left out. The copy has the mark of an unfinished restore: only
    the restore opens it (`open_ledger`), and what confirms the restore removes it."""
    path = Path(path)
    if not path.is_file():
        raise BadLedger(f"There is no backup {path}.")
    store = open_store(url)
    try:
        with reading_file(path) as then, store.reading() as now:
            refuse_unfinished(then, str(path))
            refuse_unfinished(now, store.address)
            _refuse_unless_empty(now, store)
            return _copy(then, store, without, [(*UNFINISHED, b"")])
    except TryAgain:
        raise BadLedger(f"Somebody else wrote to {store.address} at the same time: nothing was restored.") from None
    finally:
        store.close()


def look_into_backup(path: Path | str, clock: Clock = system_clock) -> Ledger:
    """A backup as a ledger that is only read: nothing is written into it, whatever is asked of it."""
    path = Path(path)
    if not path.is_file():
        raise BadLedger(f"There is no backup {path}.")
    store = _OnlyRead(path)
    with store.reading() as now:
        refuse_unfinished(now, store.address)
    return Ledger(store, clock)


class _OnlyRead(Store):
    """A file that nobody may write to."""

    def __init__(self, path: Path) -> None:
        self._path, self.address, self.url = path, str(path), f"sqlite:///{path}"

    def reading(self) -> AbstractContextManager[Reading]:
        return reading_file(self._path)

    def begin(self, *_: object, **__: object) -> Standing:
        raise self._refused()

    def encrypted_secret(self, *_: object, **__: object) -> bytes:
        raise self._refused()

    def store(self, *_: object, **__: object) -> None:
        raise self._refused()

    def fill(self, *_: object, **__: object) -> AbstractContextManager[Reading]:
        raise self._refused()

    def note(self, *_: object, **__: object) -> None:
        raise self._refused()

    def lease_book(self, *_: object, **__: object) -> LeaseBook:
        raise self._refused()

    def _refused(self) -> BadLedger:
        return BadLedger(f"{self.address} is only read: nothing is written into a backup.")

    def give_up(self) -> None:
        """Nothing was begun."""

    def close(self) -> None:
        """Nothing is held between two looks."""


def _copy(
    source: Reading,
    store: Store,
    without: Callable[[str], bool] = lambda _: False,
    marks: Sequence[SecretRow] = (),
) -> Report:
    rows: dict[Table, object] = {table: source.rows(table) for table in KEPT}
    rows[secrets] = chain(marks, (row for row in source.rows(secrets) if not without(row[0])))
    with store.fill(rows) as filled:  # type: ignore[arg-type]
        return Walk(filled).whole()


def _refuse_unless_empty(now: Reading, store: Store) -> None:
    if any(next(now.rows(table, limit=1), None) is not None for table in KEPT):
        raise BadLedger(f"{store.address} is not empty: restore into a new database, and look at both.")


def _remove(part: Path) -> None:
    for name in (part.name, f"{part.name}-wal", f"{part.name}-shm", f"{part.name}-journal"):
        part.with_name(name).unlink(missing_ok=True)


def _reach_the_disk(folder: Path) -> None:
    """A new name is safe when its folder has reached the disk."""
    if hasattr(os, "O_DIRECTORY"):
        at = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(at)
        finally:
            os.close(at)
