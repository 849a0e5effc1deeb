"""A PostgreSQL server with a room in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.ledger.server import fresh_database, postgresql_server

_numbers = count(1)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    with postgresql_server() as address:
        yield address


@pytest.fixture
def books(postgresql: str) -> Iterator[str]:
    """The address of an empty room's books."""
    with fresh_database(postgresql, f"servers_{next(_numbers)}") as address:
        yield address
