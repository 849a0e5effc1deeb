"""An LED sign that fetches what it shows, and a monitor that follows its display."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Any, Final

import httpx

from cardroom.web.equipment_simulators.connection import DEVICE_API, FIRST_PAUSE, LONGEST_PAUSE, DeviceConnection

_SILENCE: Final = 30.0
"""Seconds without a word, after which a monitor dials again; a server says every ten that it is there."""


class SignSimulator:
    """An LED sign. It says what it shows, so that it is told only what is new."""

    def __init__(self, connection: DeviceConnection) -> None:
        self._connection, self._version = connection, ""

    def fetch(self) -> Any | None:
        """What it has to show now; None when it shows that already."""
        headers = {"if-none-match": self._version} if self._version else {}
        answer = self._connection.send_once("GET", "/sign", headers=headers)
        if answer.status == 304:
            return None
        self._version = answer.headers["etag"]
        return answer.content


class MonitorSimulator:
    """A monitor. A thread follows the server's stream, and dials again when the line breaks."""

    def __init__(self, client: httpx.Client, token: str) -> None:
        self._client, self._token = client, token
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._answer: httpx.Response | None = None
        self.pictures = 0
        """How many displays came."""
        self.latest: Any | None = None
        """What it shows: what ``GET /display`` answers."""
        self.refusal = ""
        """Why it hears nothing any more."""
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> MonitorSimulator:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stopped.set()
        if self._answer is not None:
            # The thread waits for what comes next: only the end of the line wakes it.
            with suppress(OSError, KeyError):
                self._answer.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._thread.join(1)

    def wait(self, after: int, seconds: float) -> bool:
        """Wait until more pictures came than so many; whether they did."""
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
        """Follow the stream until it ends; whether anything came."""
        headers = {"authorization": f"Bearer {self._token}"}
        with self._client.stream("GET", f"{DEVICE_API}/display/stream", headers=headers, timeout=_SILENCE) as answer:
            self._answer = answer
            if answer.status_code in (401, 403):
                self._end(json.loads(answer.read())["error"])
            if answer.status_code != 200:
                return False
            event, before = "", self.pictures
            for line in answer.iter_lines():
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
