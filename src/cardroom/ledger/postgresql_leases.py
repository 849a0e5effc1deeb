"""Leases on a PostgreSQL server. Each operation is one statement, so a stalled server blocks no other server, and none
of them waits for the disk: what a power failure loses would have expired within seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

from cardroom.ledger.errors import LedgerLocked
from cardroom.ledger.leases import MICROSECONDS, SERVER_EXPIRY, SERVER_TIMEOUT, LeaseRegistry
from cardroom.ledger.postgresql_statements import Connection
from cardroom.ledger.store import RetryTransaction

CHANNEL: Final = "cardroom_leases"
"""The channel for notifications that leases were released or transferred."""

_NOW: Final = f"(extract(epoch FROM clock_timestamp()) * {MICROSECONDS})::bigint"
# Rows that another server has locked are left for the next heartbeat: waiting for one lease must not lose the others.
_RENEW: Final = f"""
    WITH now AS MATERIALIZED (SELECT {_NOW} AS at),
    heartbeat AS (INSERT INTO servers (name, label, until) SELECT %(name)s, %(label)s, at + %(life)s FROM now
             ON CONFLICT (name) DO UPDATE SET label = excluded.label, until = excluded.until),
    expired AS (DELETE FROM servers WHERE name IN (
        SELECT name FROM servers, now WHERE until < at - %(long_gone)s AND name <> %(name)s FOR UPDATE SKIP LOCKED)),
    living AS MATERIALIZED (SELECT name FROM servers, now WHERE until > at UNION SELECT %(name)s),
    free AS (SELECT chain FROM leases WHERE chain = ANY(%(wanted)s) AND holder NOT IN (SELECT name FROM living)
             ORDER BY chain FOR UPDATE SKIP LOCKED),
    taken AS (UPDATE leases SET holder = %(name)s, epoch = epoch + 1 FROM free WHERE leases.chain = free.chain
              RETURNING leases.chain, leases.epoch),
    begun AS (INSERT INTO leases (chain, holder, epoch)
              SELECT chain, %(name)s, 1 FROM unnest(%(wanted)s) AS wanted (chain)
              WHERE NOT EXISTS (SELECT FROM leases WHERE leases.chain = wanted.chain) ORDER BY chain
              ON CONFLICT (chain) DO NOTHING RETURNING chain, epoch)
    SELECT chain, epoch FROM leases WHERE holder = %(name)s
    UNION ALL SELECT chain, epoch FROM taken UNION ALL SELECT chain, epoch FROM begun
"""  # noqa: S608
_COUNTS: Final = f"""
    SELECT name, (SELECT count(*) FROM leases WHERE holder = servers.name) FROM servers WHERE until > {_NOW}
"""  # noqa: S608
_TRANSFER: Final = f"""
    WITH released AS (
        UPDATE leases SET holder = %s, epoch = epoch + 1 WHERE holder = %s AND chain = ANY(%s) RETURNING 1)
    SELECT pg_notify('{CHANNEL}', '') WHERE EXISTS (SELECT FROM released)
"""  # noqa: S608
_LEAVE: Final = f"""
    WITH gone AS (DELETE FROM servers WHERE name = %s) SELECT pg_notify('{CHANNEL}', '')
"""  # noqa: S608


class PostgresqlLeases(LeaseRegistry):
    """The leases of one server, on a connection of their own."""

    def __init__(
        self,
        name: str,
        label: str,
        connect: Callable[[], Connection],
        translated_errors: Callable[[], AbstractContextManager[None]],
        compare_clock: Callable[[Connection], None],
    ) -> None:
        self.name, self.label, self._connect, self._translated_errors = name, label, connect, translated_errors
        self._compare_clock = compare_clock
        self._connection: Connection | None = None

    def _execute(self, statement: str, values: Any) -> list[tuple[Any, ...]]:
        try:
            with self._translated_errors():
                if self._connection is None or self._connection.closed:
                    self._connection = self._connect()
                    self._connection.execute("SET synchronous_commit = off")
                if statement is _RENEW:
                    # A server that cannot write because of its clock must not keep tables: the others take them over.
                    self._compare_clock(self._connection)
                return self._connection.execute(statement, values).fetchall()
        except RetryTransaction:
            raise LedgerLocked("Another server requested the same leases at the same moment.") from None

    def _renew(self, chains: Sequence[str]) -> dict[str, int]:
        values = {
            "name": self.name,
            "label": self.label,
            "life": round(SERVER_TIMEOUT * MICROSECONDS),
            "long_gone": round(SERVER_EXPIRY * MICROSECONDS),
            "wanted": list(chains),
        }
        return {str(chain): int(epoch) for chain, epoch in self._execute(_RENEW, values)}

    def _lease_counts(self) -> dict[str, int]:
        return {str(name): int(count) for name, count in self._execute(_COUNTS, ())}

    def _transfer(self, chains: Sequence[str], server: str) -> None:
        self._execute(_TRANSFER, (server, self.name, list(chains)))

    def leave(self) -> None:
        self._execute(_LEAVE, (self.name,))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
