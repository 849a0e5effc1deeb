"""A card room whose equipment speaks over HTTP, on real books and a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.ledger.empty import empty_ledger
from tests.web.devices.equipped import Equipped, open_equipped
from tests.web.devices.server import in_a_thread


@pytest.fixture
def tokens() -> dict[str, str]:
    """Of every device that the floor has."""
    return {}


@pytest.fixture
def floor(tmp_path: Path, tokens: dict[str, str]) -> Iterator[CardRoom]:
    with open_ledger(empty_ledger(tmp_path / "floor.db")) as ledger:
        floor = CardRoom(ledger)
        tokens.update(open_equipped(floor))
        yield floor


@pytest.fixture
def room(floor: CardRoom, tokens: dict[str, str]) -> Iterator[Equipped]:
    """Three tables, their devices, and a server."""
    with in_a_thread(floor) as address, httpx.Client(base_url=f"{address}/api/v1/devices") as client:
        yield Equipped(floor, address, client, tokens)
