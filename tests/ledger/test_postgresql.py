"""The ledger on a PostgreSQL server."""

from __future__ import annotations

import pytest

from tests.ledger.contract import LedgerContract


class TestPostgresql(LedgerContract):
    @pytest.fixture
    def url(self, postgresql_url: str) -> str:
        return postgresql_url

    @pytest.fixture
    def empty_url(self, empty_postgresql_url: str) -> str:
        return empty_postgresql_url
