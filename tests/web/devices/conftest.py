"""A card room whose equipment speaks over HTTP, on real books and a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.ledger.empty import empty_ledger
from tests.web.devices.equipped import EquippedRoom, open_equipped
from tests.web.devices.server import serve_devices


@pytest.fixture
def tokens() -> dict[str, str]:
    """Of every device that the card room has."""
    return {}


@pytest.fixture
def card_room(tmp_path: Path, tokens: dict[str, str]) -> Iterator[CardRoom]:
    with open_ledger(empty_ledger(tmp_path / "room.db")) as ledger:
        card_room = CardRoom(ledger)
        tokens.update(open_equipped(card_room))
        yield card_room


@pytest.fixture
def room(card_room: CardRoom, tokens: dict[str, str]) -> Iterator[EquippedRoom]:
    """Three tables, their devices, and a server."""
    with serve_devices(card_room) as address, httpx.Client(base_url=f"{address}/api/v1/devices") as client:
        yield EquippedRoom(card_room, address, client, tokens)
