"""A room with something to see in the office: a jackpot that an automatic table has really won, and some history."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import pytest

from cardroom.cards.shuffle import key_from_seed
from cardroom.machine_config import HeadsDestination
from cardroom.room.setup.example import jackpot_example
from cardroom.web.services.practice_tables import open_demo_table
from cardroom.web.services.verification import VerificationProgress
from tests.service.staff import staffed
from tests.web.rooms import ServedRoom, expect_success, new_id, serve_room

TABLE: Final = "play-1"
JACKPOT: Final = "play-1-final-four"
ROYAL: Final = key_from_seed("royal 57502")
"""A key that really deals the first seat of the first round the king, queen, jack and ace of spades."""
BANKED: Final = "final-four"
"""A jackpot of the room's own money, whose seed waits for the bank."""
CLAIM: Final = "play-1.1"


def verify_forever(_url: str, line: Connection, _heads: HeadsDestination) -> None:
    """A verification, in its process, that goes on until it is given up."""
    line.send(VerificationProgress(True, 0, 1))
    signal.pause()


@contextmanager
def open_office_room(folder: Path) -> Iterator[ServedRoom]:
    """One table of Three Card Prime whose first round wins a part of the meter."""
    with serve_room(folder) as room:
        with pytest.MonkeyPatch.context() as patch:
            # A server draws new keys for tables that another program has opened, so the key is drawn by this one.
            patch.setattr(room.card_room, "_generate_key", lambda: ROYAL)
            open_demo_table(room.card_room, "three-card-prime", TABLE)
        room.card_room.jackpots.open(new_id(), "Olga", jackpot_example("three-card-prime").jackpot_setup(BANKED))
        staffed(room.card_room)
        winner = room.players.admit_guest()
        winner.sit(TABLE)
        winner.wager(TABLE, ante_play=10_00, final_four=1_00)
        expect_success(winner.post(f"/tables/{TABLE}/decisions", id=new_id(), answer="play"))
        assert room.card_room.jackpot(JACKPOT).claims, "the royal was not claimed"
        yield room
