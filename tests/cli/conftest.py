"""What the tests of commands on the books may ask for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.cli.card_room import House, staffed
from tests.ledger.server import fresh_database, postgresql_server

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One PostgreSQL server for all tests of a worker."""
    with postgresql_server() as address:
        yield address


@pytest.fixture(scope="session")
def books_with_staff(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Books in which nothing has happened yet but that people were registered; and the tokens of their sessions."""
    file = tmp_path_factory.mktemp("staff") / "books.db"
    return file, staffed(f"sqlite:///{file}")


@pytest.fixture
def house(tmp_path: Path, books_with_staff: tuple[Path, dict[str, str]]) -> House:
    """A card room with its people, and nothing else in its books."""
    file, sessions = books_with_staff
    shutil.copy(file, tmp_path / "books.db")
    return House(f"sqlite:///{tmp_path / 'books.db'}", tmp_path, sessions, file)


@pytest.fixture
def house_on_postgresql(server: str, tmp_path: Path) -> Iterator[House]:
    """The same on a PostgreSQL database."""
    with fresh_database(server, f"cli_{next(_numbers)}", "template0") as url:
        yield House(url, tmp_path, staffed(url))


@pytest.fixture
def empty_house(tmp_path: Path) -> House:
    """A card room with its books in a file that is not there yet."""
    return House(f"sqlite:///{tmp_path / 'books.db'}", tmp_path)


@pytest.fixture
def empty_house_on_postgresql(server: str, tmp_path: Path) -> Iterator[House]:
    """A card room with its books on an empty PostgreSQL database."""
    with fresh_database(server, f"cli_{next(_numbers)}", "template0") as url:
        yield House(url, tmp_path)


@pytest.fixture(params=["empty_house", "empty_house_on_postgresql"])
def each_empty_house(request: pytest.FixtureRequest) -> House:
    """The same on both databases."""
    chosen: House = request.getfixturevalue(request.param)
    return chosen


@pytest.fixture(params=["house", "house_on_postgresql"])
def each_house(request: pytest.FixtureRequest) -> House:
    """The same on both databases."""
    chosen: House = request.getfixturevalue(request.param)
    return chosen
