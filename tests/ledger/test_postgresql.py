"""The ledger on a PostgreSQL server."""

from __future__ import annotations

import pytest

from cardroom.ledger import Ledger
from cardroom.ledger.postgresql import PostgresqlStore
from tests.ledger.contract import LedgerContract
from tests.ledger.play_commands import wager


class TestPostgresql(LedgerContract):
    @pytest.fixture
    def url(self, postgresql_url: str) -> str:
        return postgresql_url

    @pytest.fixture
    def empty_url(self, empty_postgresql_url: str) -> str:
        return empty_postgresql_url

    def test_names_are_looked_up_by_their_key_however_small_the_books_were_at_first(self, ledger: Ledger) -> None:
        ledger.execute(wager("a"))
        assert isinstance(ledger.store, PostgresqlStore)
        assert ledger.store._writer is not None
        plan = ledger.store._writer.execute("EXPLAIN EXECUTE known_keys ('{a}', '{b}')").fetchall()
        ways = [line.split("->")[-1].split("  (")[0].strip() for (line,) in plan if "Scan" in line]
        by_key = [f"Index Scan using {table}_pkey on {table}" for table in ("names", "events")]
        assert ways == ["Function Scan on requested", *by_key]
