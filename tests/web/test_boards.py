"""The line of an open page is never silent for long: not in a quiet room, nor where news change nothing it shows."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cardroom.web.pages import seat
from cardroom.web.room.boards import EVERY
from tests.floor.scenes import all_seven, new_id, open_room
from tests.web.rooms import QUICK, Served, served

DEAD = 2.5
"""Seconds of silence after which a page takes its line for dead."""


@contextmanager
def page(room: Served, path: str) -> Iterator[ClientConnection]:
    """An open page that has been drawn."""
    address = f"{room.url.replace('http', 'ws')}/live?page={path}"
    with connect(address, origin=room.url) as socket:  # type: ignore[arg-type]
        yield socket


def silences(socket: ClientConnection, seconds: float) -> tuple[list[str], float]:
    """What is heard in some time, and the longest silence."""
    said, longest, end = list[str](), 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        said.append(str(socket.recv(10)))
        longest = max(longest, time.monotonic() - began)
    return said, longest


def test_a_page_hears_every_second_that_its_line_is_alive(folder: Path) -> None:
    with served(folder) as room:
        room.open_table("quiet")
        with page(room, "/tables/quiet") as socket:
            said, longest = silences(socket, 4 * EVERY)
    assert "Three Card Prime" in said[0]
    assert set(said[1:]) == {""}
    assert longest < DEAD


def test_news_that_change_nothing_do_not_silence_the_line(folder: Path) -> None:
    with served(folder, replace(QUICK, every=0.05)) as room:
        open_room(room.floor)
        room.floor.open_jackpot(new_id(), "Olga", all_seven())
        over = threading.Event()

        def much_ado() -> None:
            while not over.is_set():
                room.floor.disable(new_id(), "Olga", "all-seven", "It flickers")
                room.floor.enable(new_id(), "Olga", "all-seven")

        busy = threading.Thread(target=much_ado)
        with page(room, "/displays/prime-1/monitor") as socket:
            socket.recv(10)
            busy.start()
            try:
                said, longest = silences(socket, 4)
            finally:
                over.set()
                busy.join()
    assert set(said) == {""}
    assert longest < DEAD


def test_a_drawing_that_takes_long_does_not_silence_the_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(folder) as room:
        room.open_table("slow")
        drawn = seat.fragment
        monkeypatch.setattr(seat, "fragment", lambda *told, **more: time.sleep(3 * EVERY) or drawn(*told, **more))
        with page(room, "/tables/slow") as socket:
            said, longest = silences(socket, 3.5 * EVERY)
    assert "Three Card Prime" in said[-1] or "Three Card Prime" in said[-2]
    assert said[:2] == ["", ""]
    assert longest < DEAD


def test_a_page_that_is_not_there_is_told_so(folder: Path) -> None:
    with served(folder) as room, page(room, "/lab/three-card-prime/simulation/gone") as socket:
        with pytest.raises(ConnectionClosed) as ended:
            socket.recv(10)
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 4404
