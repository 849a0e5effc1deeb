"""Leases, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardroom.ledger import Ledger, open_ledger
from tests.ledger.lease_contract import LeaseContract


class TestOfAFile(LeaseContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/books.db"

    @pytest.fixture
    def ledgers(self, url: str) -> Iterator[tuple[Ledger, Ledger]]:
        with (
            open_ledger(url) as one,
            open_ledger(url, lock_timeout=0.2) as other,  # cannot fail: locks are held on purpose
        ):
            yield one, other


class TestOfAServer(LeaseContract):
    @pytest.fixture
    def url(self, postgresql_url: str) -> str:
        return postgresql_url
