"""Connections to a server over which several calls arrive at the same instant.

Each call is sent without its last byte; then all last bytes go out together. The server cannot start any of the calls
before, so the work before a call gives no caller an advantage.
"""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.deadline import LIMIT, wait_until


class Response(NamedTuple):
    """The server's response."""

    status: int
    body: Any

    @property
    def succeeded(self) -> bool:
        return self.status < 300

    @property
    def sentence(self) -> str:
        """Return the sentence of a refusal."""
        assert set(self.body) == {"error"}, self.body
        return str(self.body["error"])


class Call(NamedTuple):
    """A call to the API."""

    method: str
    path: str
    token: str | None = None
    body: Any = None

    def encode(self) -> bytes:
        sent = b"" if self.body is None else json.dumps(self.body).encode()
        lines = [f"{self.method} /api/v1{self.path} HTTP/1.1", "Host: cardroom"]
        lines += [f"Authorization: Bearer {self.token}"] if self.token else []
        lines += ["Content-Type: application/json", f"Content-Length: {len(sent)}"]
        return "\r\n".join([*lines, "", ""]).encode() + sent


class Connection(AbstractContextManager["Connection"]):
    """A connection that stays open."""

    def __init__(self, address: str) -> None:
        url = urlsplit(address)
        assert url.hostname is not None
        self._socket = socket.create_connection((url.hostname, url.port or 80), timeout=LIMIT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._last = b""
        self._reader = self._socket.makefile("rb")

    def prepare(self, call: Call) -> None:
        """Send everything except the last byte."""
        request = call.encode()
        self._last = request[-1:]
        self._socket.sendall(request[:-1])

    def send_last_byte(self) -> None:
        """Send the last byte."""
        self._socket.sendall(self._last)

    def read_response(self) -> Response:
        status = int(self._reader.readline().split()[1])
        length = 0
        while (line := self._reader.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = self._reader.read(length)
        return Response(status, json.loads(body) if body else None)

    def send(self, call: Call) -> Response:
        self.prepare(call)
        self.send_last_byte()
        return self.read_response()

    def lines(self) -> Iterator[bytes]:
        """Yield the lines that arrive until the connection is closed."""
        with suppress(OSError, ValueError):
            yield from self._reader

    def cut(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reader.close()
        self._socket.close()


class Connections:
    """As many connections as are needed at the same time."""

    def __init__(self, address: str, seed: int = 1) -> None:
        self._address, self._random = address, random.Random(seed)
        self._connections: list[Connection] = []

    def send(self, call: Call) -> Response:
        return self._open(1)[0].send(call)

    def send_together(self, *calls: Call, within: float = 0.002) -> list[Response]:
        """Send several calls that arrive within a moment, in a random order; return their responses."""
        connections = self._prepare(calls)
        order = self._random.sample(connections, len(connections))
        for number, connection in enumerate(order):
            if number and self._random.random() < 0.5:
                time.sleep(self._random.random() * within)  # cannot fail: any order will do
            connection.send_last_byte()
        return [connection.read_response() for connection in connections]

    def send_at(self, calls: Sequence[tuple[int, Call]]) -> list[Response]:
        """Send calls at given instants, in microseconds since 1970; return their responses."""
        connections = self._prepare([call for _, call in calls])
        for (instant, _), connection in sorted(zip(calls, connections, strict=True), key=lambda item: item[0][0]):
            time.sleep(max(0.0, instant / 1_000_000 - time.time()))  # cannot fail: late calls are judged as late
            connection.send_last_byte()
        return [connection.read_response() for connection in connections]

    def _prepare(self, calls: Sequence[Call]) -> Sequence[Connection]:
        connections = self._open(len(calls))
        for connection, call in zip(connections, calls, strict=True):
            connection.prepare(call)
        return connections

    def _open(self, number: int) -> Sequence[Connection]:
        while len(self._connections) < number:
            self._connections.append(Connection(self._address))
        return self._connections[:number]

    def close(self) -> None:
        for connection in self._connections:
            connection.__exit__(None, None, None)


class View(NamedTuple):
    """A message of a stream."""

    version: int
    data: str


class Stream(AbstractContextManager["Stream"]):
    """An open stream, which a thread reads."""

    def __init__(self, address: str, path: str, token: str | None) -> None:
        self.views: list[View] = []
        self._connection = Connection(address)
        self._connection.prepare(Call("GET", path, token))
        self._connection.send_last_byte()
        self._thread = threading.Thread(target=self._read_events)
        self._thread.start()

    def _read_events(self) -> None:
        version = 0
        for line in self._connection.lines():
            name, _, value = line.decode().rstrip().partition(": ")
            if name == "id":
                version = int(value)
            elif name == "data":
                self.views.append(View(version, value))

    def wait_for(self, version: int) -> None:
        """Wait for the view of a version."""
        wait_until(lambda: bool(self.views) and self.views[-1].version >= version, f"version {version}")

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.cut()
        self._thread.join()
        self._connection.__exit__(kind, fault, trace)
