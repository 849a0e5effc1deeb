"""Leases in one file: several processes of one machine, and one clock."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from cardroom.ledger.clock import Clock, system_clock
from cardroom.ledger.leases import MICROSECONDS, SERVER_EXPIRY, SERVER_TIMEOUT, LeaseRegistry

_LIVE_SERVERS: Final = "SELECT name FROM servers WHERE until > ?"
_RENEW_SERVER: Final = """
    INSERT INTO servers (name, label, until) VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET label = excluded.label, until = excluded.until
"""
_TAKE_LEASE: Final = f"""
    INSERT INTO leases (chain, holder, epoch) VALUES (?, ?, 1)
    ON CONFLICT (chain) DO UPDATE SET holder = excluded.holder, epoch = epoch + 1
    WHERE holder NOT IN ({_LIVE_SERVERS})
"""  # noqa: S608
_TRANSFER_LEASE: Final = "UPDATE leases SET holder = ?, epoch = epoch + 1 WHERE holder = ? AND chain = ?"


class SqliteLeases(LeaseRegistry):
    """The leases of one server, on a connection of their own that does not wait for the disk."""

    def __init__(
        self,
        name: str,
        label: str,
        connect: Callable[[], sqlite3.Connection],
        translated_errors: Callable[[], AbstractContextManager[None]],
        check: Callable[[sqlite3.Connection], None],
        clock: Clock = system_clock,
    ) -> None:
        self.name, self.label, self._connect, self._translated_errors, self._clock = (
            name,
            label,
            connect,
            translated_errors,
            clock,
        )
        self._check = check
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def _write_transaction(self) -> Iterator[sqlite3.Connection]:
        with self._translated_errors():
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
                self.close()  # This rolls back the transaction; a full or read-only disk is ignored.
                raise

    def _renew(self, chains: Sequence[str]) -> dict[str, int]:
        with self._write_transaction() as connection:
            # A server that cannot write must not keep tables: the others take them over.
            self._check(connection)
            now = self._clock()
            connection.execute(_RENEW_SERVER, (self.name, self.label, now + round(SERVER_TIMEOUT * MICROSECONDS)))
            connection.execute("DELETE FROM servers WHERE until < ?", (now - round(SERVER_EXPIRY * MICROSECONDS),))
            epochs = self._held_epochs(connection)
            new_leases = [(chain, self.name, now) for chain in chains if chain not in epochs]
            if new_leases:
                connection.executemany(_TAKE_LEASE, new_leases)
                epochs = self._held_epochs(connection)
            return epochs

    def _held_epochs(self, connection: sqlite3.Connection) -> dict[str, int]:
        return dict(connection.execute("SELECT chain, epoch FROM leases WHERE holder = ?", (self.name,)).fetchall())

    def _lease_counts(self) -> dict[str, int]:
        with self._write_transaction() as connection:
            live_servers = connection.execute(_LIVE_SERVERS, (self._clock(),)).fetchall()
            count = "SELECT count(*) FROM leases WHERE holder = ?"
            return {name: connection.execute(count, (name,)).fetchone()[0] for (name,) in live_servers}

    def _transfer(self, chains: Sequence[str], server: str) -> None:
        with self._write_transaction() as connection:
            connection.executemany(_TRANSFER_LEASE, [(server, self.name, chain) for chain in chains])

    def leave(self) -> None:
        with self._write_transaction() as connection:
            connection.execute("DELETE FROM servers WHERE name = ?", (self.name,))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
