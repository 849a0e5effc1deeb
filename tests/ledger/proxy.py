"""A wire between a ledger and its PostgreSQL server that can be cut at the worst moment."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import make_url

SOCKET = ".s.PGSQL.5432"


class Wire:
    """Passes everything on, until it is shown otherwise."""

    def __init__(self, folder: Path, server: str) -> None:
        self._server = str(Path(str(make_url(server).query["host"])) / SOCKET)
        self._path = folder / SOCKET
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self.swallow_next_answer = False
        self.swallowed = 0
        self.open()

    def open(self) -> None:
        """Take connections."""
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self._path))
        self._listening.listen()
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def close(self) -> None:
        """Cut every connection, and take no more."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._path.unlink(missing_ok=True)
        for pair in self._pairs:
            self._cut(pair)
        self._pairs.clear()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._pairs.append((client, server))
                asked = threading.Event()
                threading.Thread(target=self._pass_on, args=(client, server, asked, True), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(server, client, asked, False), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, asked: threading.Event, asking: bool) -> None:
        with suppress(OSError):
            while piece := source.recv(65536):
                if asking and self.swallow_next_answer:
                    self.swallow_next_answer = False
                    asked.set()
                if not asking and asked.is_set():
                    # The server has done what it was asked; no user hears of it.
                    self.swallowed += 1
                    break
                target.sendall(piece)
        self._cut((source, target))

    def _cut(self, pair: tuple[socket.socket, socket.socket]) -> None:
        for end in pair:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def wire(folder: Path, server: str) -> Iterator[tuple[Wire, str]]:
    """The wire, and the address at its near end."""
    folder.mkdir(mode=0o755)
    line = Wire(folder, server)
    try:
        yield line, make_url(server).update_query_dict({"host": os.fspath(folder)}).render_as_string(False)
    finally:
        line.close()
