"""A simulated LED sign that fetches its text, and a simulated monitor that follows its display."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Any, Final

import httpx

from cardroom_equipment_simulators.connection import DEVICE_API, FIRST_PAUSE, LONGEST_PAUSE, DeviceConnection

_SILENCE: Final = 30.0
"""Seconds without data until a monitor reconnects. The server sends a comment every ten seconds."""


class SignSimulator:
    """An LED sign. It sends its current version, so it receives only changes."""

    def __init__(self, connection: DeviceConnection) -> None:
        self._connection, self._version = connection, ""

    def fetch(self) -> Any | None:
        """The new content; None if it has not changed."""
        headers = {"if-none-match": self._version} if self._version else {}
        response = self._connection.send_once("GET", "/sign", headers=headers)
        if response.status == 304:
            return None
        self._version = response.headers["etag"]
        return response.content


class MonitorSimulator:
    """A monitor. A thread follows the server's stream and reconnects after an error."""

    def __init__(self, client: httpx.Client, token: str) -> None:
        self._client, self._token = client, token
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._response: httpx.Response | None = None
        self.pictures = 0
        """The number of received displays."""
        self.latest: Any | None = None
        """The current content, as ``GET /display`` returns it."""
        self.refusal = ""
        """Why the stream has ended."""
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> MonitorSimulator:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stopped.set()
        if self._response is not None:
            # The thread waits for data; only closing the connection wakes it.
            with suppress(OSError, KeyError):
                self._response.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._thread.join(1)

    def wait(self, after: int, seconds: float) -> bool:
        """Wait for more than ``after`` displays. Return whether they came."""
        with self._changed:
            self._changed.wait_for(lambda: self.pictures > after or self.refusal, seconds)
            return self.pictures > after

    def _follow(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopped.is_set() and not self.refusal:
            try:
                if self._listen():
                    pause = FIRST_PAUSE
            except httpx.HTTPError:
                pass
            self._stopped.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _listen(self) -> bool:
        """Follow the stream until it ends. Return whether anything came."""
        headers = {"authorization": f"Bearer {self._token}"}
        with self._client.stream("GET", f"{DEVICE_API}/display/stream", headers=headers, timeout=_SILENCE) as response:
            self._response = response
            if response.status_code in (401, 403):
                self._end(json.loads(response.read())["error"])
            if response.status_code != 200:
                return False
            event, before = "", self.pictures
            for line in response.iter_lines():
                name, _, value = line.partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    self._receive(event, json.loads(value))
            return self.pictures > before

    def _receive(self, event: str, content: Any) -> None:
        if event == "farewell":
            self._end(content["error"])
        elif event == "display":
            with self._changed:
                self.latest, self.pictures = content, self.pictures + 1
                self._changed.notify_all()

    def _end(self, reason: str) -> None:
        with self._changed:
            self.refusal = reason
            self._changed.notify_all()
