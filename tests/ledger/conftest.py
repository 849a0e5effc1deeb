"""What every ledger test may ask for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.ledger.server import fresh_database, postgresql_server

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One PostgreSQL server for all tests of a worker."""
    with postgresql_server() as address:
        yield address


@pytest.fixture
def postgresql_url(server: str) -> Iterator[str]:
    """A PostgreSQL database with an empty ledger."""
    with fresh_database(server, f"test_{next(_numbers)}") as url:
        yield url


@pytest.fixture
def empty_postgresql_url(server: str) -> Iterator[str]:
    """A PostgreSQL database with nothing in it."""
    with fresh_database(server, f"test_{next(_numbers)}", "template0") as url:
        yield url
