from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from cardroom.web.services.practice_tables import open_demo
from tests.browser.chromium import chromium
from tests.service.table_scenes import HandClock
from tests.web.rooms import ServedRoom, serve_room


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium for the tests of a file. It keeps an event loop of its own going, which would be in the way of
    other files."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    """The demonstration room, really served, for the tests of a file. Its clock does not move: at its tables no time
    for wagers or answers runs out, however long a test takes."""
    folder: Path = tmp_path_factory.mktemp("room")
    with serve_room(folder, clock=HandClock()) as room:
        open_demo(room.card_room)
        yield room
