"""Fixtures of the tests that run commands on a ledger."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.cli.card_room import CliRoom, add_staff
from tests.ledger.server import fresh_database, postgresql_server

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One PostgreSQL server for all tests of a worker."""
    with postgresql_server() as address:
        yield address


@pytest.fixture(scope="session")
def staffed_ledger(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A ledger that has users and no other events, and the tokens of the users' sessions."""
    file = tmp_path_factory.mktemp("staff") / "ledger.db"
    return file, add_staff(f"sqlite:///{file}")


@pytest.fixture
def cli_room(tmp_path: Path, staffed_ledger: tuple[Path, dict[str, str]]) -> CliRoom:
    """A card room with users and no other events."""
    file, sessions = staffed_ledger
    shutil.copy(file, tmp_path / "ledger.db")
    return CliRoom(f"sqlite:///{tmp_path / 'ledger.db'}", tmp_path, sessions, file)


@pytest.fixture
def cli_room_on_postgresql(server: str, tmp_path: Path) -> Iterator[CliRoom]:
    """A card room with users and no other events, on PostgreSQL."""
    with fresh_database(server, f"cli_{next(_numbers)}", "template0") as url:
        yield CliRoom(url, tmp_path, add_staff(url))


@pytest.fixture
def empty_cli_room(tmp_path: Path) -> CliRoom:
    """A card room whose database file does not exist yet."""
    return CliRoom(f"sqlite:///{tmp_path / 'ledger.db'}", tmp_path)


@pytest.fixture
def empty_cli_room_on_postgresql(server: str, tmp_path: Path) -> Iterator[CliRoom]:
    """A card room on an empty PostgreSQL database."""
    with fresh_database(server, f"cli_{next(_numbers)}", "template0") as url:
        yield CliRoom(url, tmp_path)


@pytest.fixture(params=["empty_cli_room", "empty_cli_room_on_postgresql"])
def each_empty_cli_room(request: pytest.FixtureRequest) -> CliRoom:
    """A card room on an empty database, for SQLite and for PostgreSQL."""
    cli_room_on_database: CliRoom = request.getfixturevalue(request.param)
    return cli_room_on_database


@pytest.fixture(params=["cli_room", "cli_room_on_postgresql"])
def each_cli_room(request: pytest.FixtureRequest) -> CliRoom:
    """A card room with users and no other events, on SQLite and on PostgreSQL."""
    cli_room_on_database: CliRoom = request.getfixturevalue(request.param)
    return cli_room_on_database
