"""Leases in one file: several processes of one machine, and one clock."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from cardroom.ledger.clock import Clock, system_clock
from cardroom.ledger.leases import LIFE, LONG_GONE, MICROSECONDS, LeaseBook

_LIVING: Final = "SELECT name FROM servers WHERE until > ?"
_HERE: Final = """
    INSERT INTO servers (name, label, until) VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET label = excluded.label, until = excluded.until
"""
_TAKE: Final = f"""
    INSERT INTO leases (chain, holder, epoch) VALUES (?, ?, 1)
    ON CONFLICT (chain) DO UPDATE SET holder = excluded.holder, epoch = epoch + 1
    WHERE holder NOT IN ({_LIVING})
"""  # noqa: S608
_GIVE: Final = "UPDATE leases SET holder = ?, epoch = epoch + 1 WHERE holder = ? AND chain = ?"


class SqliteLeases(LeaseBook):
    """The leases of one server, on a connection of their own that does not wait for the disk."""

    def __init__(
        self,
        name: str,
        label: str,
        connect: Callable[[], sqlite3.Connection],
        faults: Callable[[], AbstractContextManager[None]],
        check: Callable[[sqlite3.Connection], None],
        clock: Clock = system_clock,
    ) -> None:
        self.name, self.label, self._connect, self._faults, self._clock = name, label, connect, faults, clock
        self._check = check
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._faults():
            if self._connection is None:
                self._connection = self._connect()
                # A commit does not wait for the disk: it gets there with the next command.
                self._connection.execute("PRAGMA synchronous = NORMAL")
                self._connection.execute("PRAGMA wal_autocheckpoint = 0")
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                self.close()  # which undoes what was begun; a full disk, or one that is only read, passes
                raise

    def _keep(self, wanted: Sequence[str]) -> dict[str, int]:
        with self._writing() as books:
            # Who cannot write must not keep tables: the others take them over.
            self._check(books)
            now = self._clock()
            books.execute(_HERE, (self.name, self.label, now + round(LIFE * MICROSECONDS)))
            books.execute("DELETE FROM servers WHERE until < ?", (now - round(LONG_GONE * MICROSECONDS),))
            held = self._held(books)
            free = [(chain, self.name, now) for chain in wanted if chain not in held]
            if free:
                books.executemany(_TAKE, free)
                held = self._held(books)
            return held

    def _held(self, books: sqlite3.Connection) -> dict[str, int]:
        return dict(books.execute("SELECT chain, epoch FROM leases WHERE holder = ?", (self.name,)).fetchall())

    def _counts(self) -> dict[str, int]:
        with self._writing() as books:
            living = books.execute(_LIVING, (self._clock(),)).fetchall()
            count = "SELECT count(*) FROM leases WHERE holder = ?"
            return {name: books.execute(count, (name,)).fetchone()[0] for (name,) in living}

    def _give(self, chains: Sequence[str], to: str) -> None:
        with self._writing() as books:
            books.executemany(_GIVE, [(to, self.name, chain) for chain in chains])

    def leave(self) -> None:
        with self._writing() as books:
            books.execute("DELETE FROM servers WHERE name = ?", (self.name,))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
