"""Three tables with equipment: a Milky Way, an Andromeda-1 and an Andromeda-3d, each device with its token. A dealer
deals at the last one, and has a console."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor
from cardroom.room.tabulator.data_logger import DataLogger, LoggerRecord, new_logger, write_record
from cardroom.room.tabulator.logger_lines import record_line
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup
from tests.service.card_rooms import (
    all_seven,
    deuces_sensors,
    deuces_table,
    final_four,
    five_wild,
    play_fast,
    prime_sensors,
    prime_table,
)
from tests.service.live_scenes import LIVE

MILKY_WAY, ANDROMEDA_1, ANDROMEDA_3 = "way-1", "wild-1", "prime-1"
DEVICES = {
    "T-1001": (MILKY_WAY, "tabulator"),
    "S-1001": (MILKY_WAY, "led"),
    "A1-77": (ANDROMEDA_1, "data-logger"),
    "S-77": (ANDROMEDA_1, "led"),
    "T-3001": (ANDROMEDA_3, "tabulator"),
    "M-3001": (ANDROMEDA_3, "monitor"),
    "C-3001": (ANDROMEDA_3, "console"),
}


def open_equipped(card_room: CardRoom) -> dict[str, str]:
    """The Milky Way and the Andromeda-3 play for one Final Four. Gives the tokens of all devices. Units are played as
    fast as they can here: the room takes a table for one that plays a round a second."""
    play_fast(card_room)
    for number, jackpot in enumerate((final_four(), all_seven(), five_wild())):
        card_room.jackpots.open(f"jackpot {number}", "Olga", jackpot)
    sensor = WagerSensor("final-four", "F4P-1", "final-four", "progressive", 100)
    way = TabulatorSetup(MILKY_WAY, "three-card-prime", "Lakewood", "milky-way", 6, (sensor,))
    card_room.add_table("table 1", "Olga", RoomTableSetup(way.table, prime_table(), tabulator=UnitSetup(way, "T-1001")))
    card_room.add_table(
        "table 2",
        "Olga",
        RoomTableSetup(ANDROMEDA_1, deuces_table(), tabulator=UnitSetup(deuces_sensors(ANDROMEDA_1), "A1-77")),
    )
    both = prime_sensors(ANDROMEDA_3, "final-four", "all-seven")
    card_room.add_table("table 3", "Olga", RoomTableSetup(ANDROMEDA_3, prime_table(), LIVE, UnitSetup(both, "T-3001")))
    return {device: register_device(card_room, table, device, kind) for device, (table, kind) in DEVICES.items()}


def register_device(card_room: CardRoom, table: str, device: str, kind: str) -> str:
    """The token of a new device."""
    given = card_room.register_device(f"register {device} {uuid4().hex}", "Olga", table, device, kind)
    assert given.token is not None
    return given.token


@dataclass(frozen=True)
class EquippedRoom:
    """The room, and the line to its server."""

    card_room: CardRoom
    address: str
    client: httpx.Client
    tokens: dict[str, str]

    def token(self, device: str) -> str:
        return self.tokens[device]

    def ask(self, device: str, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """What the server answers a device."""
        return self.client.request(
            method, path, json=body, headers={"authorization": f"Bearer {self.token(device)}", **headers}
        )

    def post(self, device: str, path: str, **body: Any) -> Any:
        """What a call that is not refused answers."""
        answer = self.ask(device, "POST", path, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, device: str, path: str, status: int, **body: Any) -> str:
        """The sentence of a refusal."""
        answer = self.ask(device, "POST", path, body)
        assert answer.status_code == status, answer.text
        assert set(answer.json()) == {"error"}
        return str(answer.json()["error"])

    def press(self, id: str, *positions: int, device: str = "T-1001", **more: Any) -> Any:
        return self.post(device, "/presses", id=id, covered={"1": list(positions)}, **more)


def record_rounds(rounds: int, seats: int = 3, times: Sequence[int] = ()) -> DataLogger:
    """What the logger of the Andromeda-1 holds after some rounds."""
    logger = new_logger("A1-77")
    for number in range(1, rounds + 1):
        positions, counter = range(1, seats + 1), number * seats
        time = times[number - 1] if times else number
        logger = write_record(logger, f"round-{number}", positions, time=time, dealer="Kim", counter=counter)
    return logger


def encode_lines(*records: LoggerRecord) -> list[str]:
    return [record_line(record).decode() for record in records]
