"""A room with a day behind it, and destinations for its heads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardroom.heads.witness import Witness, WitnessServer
from cardroom.ledger import system_clock
from cardroom.machine_config import HeadsDestination
from cardroom.service import CardRoom
from tests.service.card_rooms import new_id, open_room, play


def close_a_day(card_room: CardRoom) -> None:
    open_room(card_room, tables=1)
    card_room.days.open(new_id(), "Olga")
    play(card_room)
    card_room.days.close(new_id(), "Olga")


def to_folder(folder: Path, **more: object) -> HeadsDestination:
    """A folder beside the books, and a key beside the folder."""
    folder.mkdir(exist_ok=True)
    return HeadsDestination(folder=folder, signing_key=folder.parent / "heads.key", **more)  # type: ignore[arg-type]


def to_witness(folder: Path, address: str) -> HeadsDestination:
    return HeadsDestination(witness=address, signing_key=folder / "heads.key")


def to_command(folder: Path, script: str) -> HeadsDestination:
    return HeadsDestination(command=(sys.executable, "-c", script), signing_key=folder / "heads.key")


@contextmanager
def serving_witness(folder: Path, port: int = 0, room_key: str = "") -> Iterator[WitnessServer]:
    """A real witness behind a real address."""
    witness = Witness(folder, system_clock, room_key)
    try:
        with WitnessServer(witness, "127.0.0.1", port) as server:
            server.RequestHandlerClass.log_message = lambda *_: None  # type: ignore[method-assign,assignment]
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
            thread.start()
            try:
                yield server
            finally:
                server.shutdown()
                thread.join()
    finally:
        witness.close()
