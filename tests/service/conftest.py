"""What every test of the card room may ask for: a card room on each of the two databases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.ledger.empty import empty_ledger
from tests.ledger.server import fresh_database, postgresql_server
from tests.service.table_scenes import HandClock

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One PostgreSQL server for all tests of a worker."""
    with postgresql_server() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty ledger."""
    if request.param == "sqlite":
        yield empty_ledger(tmp_path / "room.db")
        return
    with fresh_database(request.getfixturevalue("server"), f"floor_{next(_numbers)}") as address:
        yield address


@pytest.fixture
def card_room(url: str) -> Iterator[CardRoom]:
    """A card room on which nothing has happened, on either database."""
    with open_ledger(url) as ledger:
        yield CardRoom(ledger)


@pytest.fixture
def in_a_file(tmp_path: Path) -> Iterator[CardRoom]:
    """A card room on which nothing has happened, in a file: for what does not depend on the database."""
    with open_ledger(empty_ledger(tmp_path / "room.db")) as ledger:
        yield CardRoom(ledger)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def timed(tmp_path: Path, clock: HandClock) -> Iterator[CardRoom]:
    with open_ledger(empty_ledger(tmp_path / "timed.db"), clock=clock) as ledger:
        yield CardRoom(ledger, clock)
