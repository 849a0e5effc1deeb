"""Rooms for the web tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.rooms import ServedRoom, serve_room


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    """A room that the tests of one file share; each opens tables of its own."""
    with serve_room(tmp_path_factory.mktemp("room")) as room:
        yield room


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a room of the test's own."""
    return tmp_path
