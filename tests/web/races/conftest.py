"""Rooms in which commands arrive at the same instant. Their ledger must be consistent after every test."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.ledger.empty import empty_ledger
from tests.service.table_scenes import HandClock
from tests.web.races.served import DeadHeat, RaceRoom, serve_races


@pytest.fixture(scope="module")
def shared_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RaceRoom]:
    path = tmp_path_factory.mktemp("races") / "room.db"
    with open_ledger(f"sqlite:///{path}") as ledger, serve_races(CardRoom(ledger)) as room:
        yield room


@pytest.fixture
def room(shared_room: RaceRoom) -> Iterator[RaceRoom]:
    """A room whose ledger must be consistent after every test."""
    yield shared_room
    shared_room.assert_consistent()


@pytest.fixture
def dead_heat() -> Iterator[DeadHeat]:
    with ThreadPoolExecutor(1) as supervisor:
        yield DeadHeat(supervisor)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def timed_room(tmp_path: Path, clock: HandClock) -> Iterator[RaceRoom]:
    """A room whose clock the test sets."""
    with (
        open_ledger(empty_ledger(tmp_path / "room.db"), clock=clock) as ledger,
        serve_races(CardRoom(ledger, clock), clock) as room,
    ):
        yield room
        room.assert_consistent()
