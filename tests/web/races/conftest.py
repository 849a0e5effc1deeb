"""Rooms in which things happen at the same instant. Their books must be whole after every test."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.ledger.empty import empty_ledger
from tests.service.table_scenes import HandClock
from tests.web.races.served import DeadHeat, Served, served


@pytest.fixture(scope="module")
def open_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = tmp_path_factory.mktemp("races") / "room.db"
    with open_ledger(f"sqlite:///{path}") as ledger, served(CardRoom(ledger)) as room:
        yield room


@pytest.fixture
def room(open_room: Served) -> Iterator[Served]:
    """A room whose books must be whole after every test."""
    yield open_room
    open_room.adds_up()


@pytest.fixture
def dead_heat() -> Iterator[DeadHeat]:
    with ThreadPoolExecutor(1) as supervisor:
        yield DeadHeat(supervisor)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def by_hand(tmp_path: Path, clock: HandClock) -> Iterator[Served]:
    """A room whose clock is set by hand."""
    with (
        open_ledger(empty_ledger(tmp_path / "room.db"), clock=clock) as ledger,
        served(CardRoom(ledger, clock), clock) as room,
    ):
        yield room
        room.adds_up()
