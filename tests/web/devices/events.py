"""Server-sent events, read as they come."""

from __future__ import annotations

import json
import queue
import socket
import threading
from types import TracebackType
from typing import Any, NamedTuple

import httpx

from tests.deadline import LIMIT
from tests.web.devices.equipped import EquippedRoom


class Heard(NamedTuple):
    """One event, or a comment."""

    event: str
    id: str
    content: Any


class Listener:
    """A connection to a stream, which a thread reads."""

    def __init__(self, room: EquippedRoom, device: str, path: str = "/display/stream") -> None:
        self._heard = queue.Queue[Heard | None]()
        self._client = httpx.Client(base_url=f"{room.address}/api/v1/devices")
        request = self._client.build_request("GET", path, headers={"authorization": f"Bearer {room.token(device)}"})
        self.answer = self._client.send(request, stream=True)
        self.cut = False
        self._thread = threading.Thread(target=self._read)

    def _read(self) -> None:
        event = id = ""
        try:
            for line in self.answer.iter_lines():
                name, _, value = line.partition(": ")
                if name == "event":
                    event = value
                elif name == "id":
                    id = value
                elif name == "data":
                    self._heard.put(Heard(event, id, json.loads(value)))
                elif line.startswith(":"):
                    self._heard.put(Heard("comment", "", value))
        except httpx.HTTPError:
            self.cut = True
        self._heard.put(None)

    def hear(self) -> Heard | None:
        """The next event; None when the line has ended."""
        return self._heard.get(timeout=LIMIT)

    def __enter__(self) -> Listener:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        # The thread waits for what comes next: only the end of the line wakes it.
        self.answer.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self.answer.close()
        self._client.close()
