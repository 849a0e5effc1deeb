"""The ledger in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.ledger import Ledger, sqlite
from cardroom.ledger.sqlite import SqliteStore
from tests.ledger.contract import LedgerContract


class TestSqlite(LedgerContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/ledger.db"

    @pytest.fixture
    def empty_url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/empty.db"

    def test_names_are_looked_up_by_their_key(self, ledger: Ledger) -> None:
        assert isinstance(ledger.store, SqliteStore)
        assert ledger.store._writer is not None
        plan = ledger.store._writer.execute(f"EXPLAIN QUERY PLAN {sqlite._KEYED_EVENT}", ("a", "b")).fetchall()
        assert [line[3].split(" (")[0] for line in plan] == [
            f"SEARCH {table} USING PRIMARY KEY" for table in ("names", "events")
        ]
