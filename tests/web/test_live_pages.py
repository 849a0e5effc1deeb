"""The line of an open page is never silent for long: not in a quiet room, nor where news change nothing it shows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cardroom.web.pages import seat
from cardroom.web.services import live_pages as boards
from tests.deadline import LIMIT
from tests.service.card_rooms import all_seven, new_id, open_room
from tests.web.rooms import QUICK, ServedRoom, serve_room

DEAD = 2.5
"""Seconds of silence after which a page takes its line for dead."""


@contextmanager
def page(room: ServedRoom, path: str) -> Iterator[ClientConnection]:
    """An open page that has been drawn."""
    address = f"{room.url.replace('http', 'ws')}/live?page={path}"
    with connect(address, origin=room.url) as socket:  # type: ignore[arg-type]
        yield socket


def hear(socket: ClientConnection, times: int) -> list[str]:
    """What is heard next."""
    return [str(socket.recv(LIMIT)) for _ in range(times)]


def test_a_page_hears_every_second_that_its_line_is_alive(folder: Path) -> None:
    with serve_room(folder) as room:
        room.open_table("quiet")
        with page(room, "/tables/quiet") as socket:
            drawn, *then = hear(socket, 3)
    assert "Three Card Prime" in drawn
    assert then == ["", ""]
    assert 2 * boards.HEARTBEAT_SECONDS < DEAD


def test_news_that_change_nothing_do_not_silence_the_line(folder: Path) -> None:
    with serve_room(folder, replace(QUICK, poll_seconds=0.05)) as room:
        open_room(room.card_room)
        room.card_room.jackpots.open(new_id(), "Olga", all_seven())
        over = threading.Event()

        def much_ado() -> None:
            while not over.is_set():
                room.card_room.jackpots.disable(new_id(), "Olga", "all-seven", "It flickers")
                room.card_room.jackpots.enable(new_id(), "Olga", "all-seven")

        busy = threading.Thread(target=much_ado)
        with page(room, "/displays/prime-1/monitor") as socket:
            socket.recv(LIMIT)
            busy.start()
            try:
                assert hear(socket, 3) == ["", "", ""]
            finally:
                over.set()
                busy.join()


def test_a_drawing_that_takes_long_does_not_silence_the_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_room(folder) as room:
        room.open_table("slow")
        drawn, may_draw = seat.render_fragment, threading.Event()
        monkeypatch.setattr(boards, "HEARTBEAT_SECONDS", 0.1)
        monkeypatch.setattr(
            seat, "render_fragment", lambda *args, **values: may_draw.wait(LIMIT) and drawn(*args, **values)
        )
        with page(room, "/tables/slow") as socket:
            assert hear(socket, 3) == ["", "", ""]
            may_draw.set()
            while not (said := str(socket.recv(LIMIT))):
                pass
    assert "Three Card Prime" in said


def test_a_page_that_does_not_exist_is_closed_with_a_code(folder: Path) -> None:
    with serve_room(folder) as room, page(room, "/lab/three-card-prime/simulation/gone") as socket:
        with pytest.raises(ConnectionClosed) as ended:
            socket.recv(LIMIT)
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 4404
