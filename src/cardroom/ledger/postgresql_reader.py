"""Reads a ledger on a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Table

from cardroom.ledger.postgresql_statements import CHAIN_LENGTHS, TABLE_NAMES, TRIGGERS, Connection
from cardroom.ledger.schema import (
    POSTGRESQL,
    Trigger,
    TriggerCheck,
    TriggerKey,
    key_column_names,
    normalize_whitespace,
    postgresql_triggers,
)
from cardroom.ledger.store import LedgerReader, RowQuery, name_ranges

FETCH_ROWS: Final = 2_000
"""Rows that are fetched at once."""


class PostgresqlReader(LedgerReader):
    """A reader of one connection within its transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._cursors = 0

    def run_query(self, query: RowQuery) -> Iterator[Any]:
        sql, values = query.sql(POSTGRESQL), (*query.values, query.limit)
        if set(key_column_names(query.table)) <= set(query.where):
            return iter(self._connection.execute(sql, values, binary=True))
        return self._fetch_in_chunks(sql, values)

    def _fetch_in_chunks(self, sql: str, values: Sequence[Any]) -> Iterator[Any]:
        """Read with a cursor on the server, so that a ledger of any size needs little memory."""
        self._cursors += 1
        with self._connection.cursor(f"rows_{self._cursors}", binary=True) as cursor:
            cursor.execute(sql, values)
            while rows := cursor.fetchmany(FETCH_ROWS):
                yield from rows

    def chain_lengths(self, prefix: str, excluded_prefix: str = "") -> Iterator[tuple[str, int]]:
        for name_range in name_ranges(prefix, excluded_prefix):
            yield from self._fetch_in_chunks(CHAIN_LENGTHS, name_range)

    def newest_event_time(self) -> int:
        row = self._connection.execute("SELECT coalesce(max(time), 0) FROM heads").fetchone()
        return int(row[0]) if row else 0

    def check_triggers(self) -> TriggerCheck:
        triggers = {
            TriggerKey(table, name): Trigger(
                normalize_whitespace(f"{trigger_type} {'always' if unconditional else 'at times'} {function_body}"),
                is_enabled,
            )
            for name, table, trigger_type, unconditional, is_enabled, function_body in self._connection.execute(
                TRIGGERS, TABLE_NAMES
            )
        }
        return TriggerCheck(postgresql_triggers(), triggers)

    def find_unreadable(self, table: Table) -> None:
        """The server refuses text that is not valid."""
