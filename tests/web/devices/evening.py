"""An evening on which something is wrong with almost every device, for pages that show it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from cardroom.ledger import system_clock
from tests.service.table_scenes import HandClock
from tests.web.devices.equipped import EquippedRoom, encode_lines, open_equipped, record_rounds
from tests.web.rooms import ServedRoom, serve_room


class LaterClock:
    """The system's clock, and so much more."""

    def __init__(self) -> None:
        self.more = 0

    def __call__(self) -> int:
        return system_clock() + self.more

    def wait(self, seconds: int) -> None:
        self.more += seconds * 1_000_000


@contextmanager
def open_equipment(room: ServedRoom) -> Iterator[EquippedRoom]:
    """The equipment of a room that is served as a whole."""
    with httpx.Client(base_url=f"{room.url}/api/v1/devices") as client:
        yield EquippedRoom(room.card_room, room.url, client, open_equipped(room.card_room))


@contextmanager
def open_faulty_room(folder: Path) -> Iterator[ServedRoom]:
    """A counter that jumped, a gap in a logger's file, a dark sign, a tabulator that babbles; one screen works, one
    device never spoke, and one was taken away."""
    clock = HandClock(system_clock())  # what has spoken falls silent when the clock is moved, and not before
    with serve_room(folder, clock=clock) as room, open_equipment(room) as devices:
        devices.post("S-1001", "/here")
        clock.wait(8 * 60)
        devices.post("M-3001", "/here")
        devices.refused("T-1001", "/presses", 409, id="1", covered={"1": [1]}, counter={"1": 40})
        behind = encode_lines(*record_rounds(5).waiting[3:])
        devices.post("A1-77", "/records", id="1", lines=behind, lost_up_to=3)
        for number in range(14):
            devices.refused("T-3001", "/presses", 422, **build_invalid_press(number))
        room.card_room.withdraw_device("away", "Olga", "S-77", "The glass is broken")
        yield room


def build_invalid_press(number: int) -> dict[str, Any]:
    """What no tabulator says."""
    return {"id": f"babble-{number}", "covered": [number]}
