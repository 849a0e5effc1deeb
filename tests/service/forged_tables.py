"""Three players at a table with a jackpot: an hour to forge."""

from __future__ import annotations

import pytest

from cardroom.service import CardRoom
from tests.service.table_scenes import all_wager, an_id, guests, play_on, stack
from tests.service.test_table_jackpots import PLAY, WAGERS, open_room

PLAY_TABLE, TABULATOR, JACKPOT = f"table:{PLAY}", f"tabulator:{PLAY}", "jackpot:play-four"
THREE_HANDS = {
    "seat 1 hand": "Jd Qd Kd",
    "seat 1 fourth": "Ad",
    "seat 2 hand": "7c 7d 7h",
    "seat 2 fourth": "Ac",
    "seat 3 hand": "2c 5d 9h",
    "seat 3 fourth": "Jc",
}
"""Seat 1 wins all of the Final Four, seat 2 a fixed prize that is paid at once, seat 3 nothing."""


def play_an_hour(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> CardRoom:
    """Three players, two rounds with prizes, and the one who lost leaves."""
    open_room(card_room)
    players = guests(card_room, 3, PLAY)
    stack(card_room, monkeypatch, PLAY, WAGERS, THREE_HANDS, seats=3)
    for _ in range(2):
        all_wager(card_room, players, PLAY, WAGERS)
        play_on(card_room, PLAY, "play")
    card_room.leave_seat(an_id(), players[2], PLAY)
    return card_room
