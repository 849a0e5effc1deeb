"""Fixtures for the attacks: a card room in a file, a card room at the command line, and a ledger on a server."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.cli.conftest import cli_room, staffed_ledger
from tests.ledger.server import fresh_database
from tests.service.conftest import in_a_file, server

__all__ = ["cli_room", "in_a_file", "server", "staffed_ledger"]

_numbers = count(1)


@pytest.fixture
def postgresql_url(server: str) -> Iterator[str]:
    """An empty ledger on a server."""
    with fresh_database(server, f"attack_{next(_numbers)}") as address:
        yield address
