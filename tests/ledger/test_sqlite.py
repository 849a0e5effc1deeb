"""The ledger in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ledger.contract import LedgerContract


class TestSqlite(LedgerContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/ledger.db"

    @pytest.fixture
    def empty_url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/empty.db"
