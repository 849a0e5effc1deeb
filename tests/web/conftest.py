"""Rooms for the tests of the web."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.rooms import Served, served


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A room that the tests of one file share; each opens tables of its own."""
    with served(tmp_path_factory.mktemp("room")) as one:
        yield one


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a room of one's own lies."""
    return tmp_path
