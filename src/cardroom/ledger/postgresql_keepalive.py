"""Signs of life of a server to its PostgreSQL server while it decides a command."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Final

import psycopg

from cardroom.ledger.postgresql_statements import Connection

KEEPALIVE_SECONDS: Final = 0.5
"""Seconds between two signs of life."""


class Keepalive:
    """Sends a sign of life to the database at intervals while a command is decided. A stalled server sends none, and
    the database releases its locks (`IDLE_TIMEOUT_MS`)."""

    def __init__(self) -> None:
        self._busy_connection: Connection | None = None
        self._stop_event = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, connection: Connection) -> None:
        """A command is being decided."""
        self._busy_connection = connection
        if self._thread is None:
            self._stop_event.clear()
            self._thread = threading.Thread(target=self._run, name="signs of life", daemon=True)
            self._thread.start()

    def end(self) -> None:
        """It is decided."""
        self._busy_connection = None

    def close(self) -> None:
        self._stop_event.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while not self._stop_event.wait(KEEPALIVE_SECONDS):
            connection = self._busy_connection
            if connection is not None:
                # The deciding thread finds out by itself what is wrong with the connection.
                with suppress(psycopg.Error):
                    connection.execute("SELECT")
