"""A line between browser and room that can go dead: without a word, as a network does, or with one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Line:
    """Carries whatever is said, byte by byte."""

    def __init__(self, room: str) -> None:
        host, _, port = room.removeprefix("http://").rpartition(":")
        self._room = host, int(port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[tuple[socket.socket, socket.socket, threading.Event]] = []
        self._ends: list[socket.socket] = []
        self._changing = threading.Lock()
        self._whole = threading.Event()
        self._whole.set()
        self._ended = False
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._ended:
                caller, _ = self._listening.accept()
                self._ends.append(caller)
                threading.Thread(target=self._carry, args=(caller,), daemon=True).start()

    def _carry(self, caller: socket.socket) -> None:
        self._whole.wait()  # a connection that opens while the line is dead gets no response
        if self._ended:
            return
        room, alive = socket.create_connection(self._room), threading.Event()
        alive.set()
        with self._changing:
            self._ends.append(room)
            if not self._whole.is_set():
                return  # it went dead meanwhile
            self._open.append((caller, room, alive))
        for source, other in ((caller, room), (room, caller)):
            threading.Thread(target=_pump, args=(source, other, alive), daemon=True).start()

    def go_dead(self) -> None:
        """From now on nothing is transmitted and no side is notified. Open connections stay dead."""
        with self._changing:
            self._whole.clear()
            for _, _, alive in self._open:
                alive.clear()
            self._open.clear()

    def mend(self) -> None:
        """New calls go through."""
        self._whole.set()

    def cut(self) -> None:
        """Close every connection; new ones go through."""
        with self._changing:
            for caller, room, _ in self._open:
                _hang_up(caller)
                _hang_up(room)
            self._open.clear()

    def end(self) -> None:
        self._ended = True
        self._whole.set()
        _hang_up(self._listening)
        self._listening.close()
        for end in self._ends:
            _hang_up(end)
            end.close()


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def _pump(source: socket.socket, other: socket.socket, alive: threading.Event) -> None:
    with suppress(OSError):
        while said := source.recv(65_536):
            if not alive.is_set():
                return
            other.sendall(said)
        if alive.is_set():
            other.shutdown(socket.SHUT_RDWR)


@contextmanager
def open_line(room: str) -> Iterator[Line]:
    """A line, until the end."""
    line = Line(room)
    try:
        yield line
    finally:
        line.end()
