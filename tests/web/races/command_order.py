"""Lines to a server, over which several calls arrive at the same instant.

Each call is sent but for its last byte; the last bytes then go out together. The server cannot begin with any of them
before, so that no user is quicker because of what comes before a call.
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


class Said(NamedTuple):
    """What the server answered."""

    status: int
    body: Any

    @property
    def done(self) -> bool:
        return self.status < 300

    @property
    def sentence(self) -> str:
        """Of a refusal."""
        assert set(self.body) == {"error"}, self.body
        return str(self.body["error"])


class Call(NamedTuple):
    """Something that a user wants of the server."""

    method: str
    path: str
    token: str | None = None
    body: Any = None

    def written(self) -> bytes:
        sent = b"" if self.body is None else json.dumps(self.body).encode()
        lines = [f"{self.method} /api/v1{self.path} HTTP/1.1", "Host: cardroom"]
        lines += [f"Authorization: Bearer {self.token}"] if self.token else []
        lines += ["Content-Type: application/json", f"Content-Length: {len(sent)}"]
        return "\r\n".join([*lines, "", ""]).encode() + sent


class Line(AbstractContextManager["Line"]):
    """A connection that stays open."""

    def __init__(self, address: str) -> None:
        at = urlsplit(address)
        assert at.hostname is not None
        self._socket = socket.create_connection((at.hostname, at.port or 80), timeout=LIMIT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._last = b""
        self._read = self._socket.makefile("rb")

    def prepare(self, call: Call) -> None:
        """Send all of it but the last byte."""
        written = call.written()
        self._last = written[-1:]
        self._socket.sendall(written[:-1])

    def go(self) -> None:
        """Send the last byte."""
        self._socket.sendall(self._last)

    def answer(self) -> Said:
        status = int(self._read.readline().split()[1])
        length = 0
        while (line := self._read.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = self._read.read(length)
        return Said(status, json.loads(body) if body else None)

    def say(self, call: Call) -> Said:
        self.prepare(call)
        self.go()
        return self.answer()

    def lines(self) -> Iterator[bytes]:
        """What comes, line by line, until the line is cut."""
        with suppress(OSError, ValueError):
            yield from self._read

    def cut(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._read.close()
        self._socket.close()


class Lines:
    """As many lines as are needed at the same time."""

    def __init__(self, address: str, seed: int = 1) -> None:
        self._address, self._chance = address, random.Random(seed)
        self._lines: list[Line] = []

    def say(self, call: Call) -> Said:
        return self._some(1)[0].say(call)

    def together(self, *calls: Call, within: float = 0.002) -> list[Said]:
        """What several calls are answered that arrive within a moment, in whatever order."""
        lines = self._prepared(calls)
        order = self._chance.sample(lines, len(lines))
        for number, line in enumerate(order):
            if number and self._chance.random() < 0.5:
                time.sleep(self._chance.random() * within)  # cannot fail: any order will do
            line.go()
        return [line.answer() for line in lines]

    def at(self, calls: Sequence[tuple[int, Call]]) -> list[Said]:
        """What calls are answered that arrive at some instants, in microseconds since 1970."""
        lines = self._prepared([call for _, call in calls])
        for (instant, _), line in sorted(zip(calls, lines, strict=True), key=lambda one: one[0][0]):
            time.sleep(max(0.0, instant / 1_000_000 - time.time()))  # cannot fail: late calls are judged as late
            line.go()
        return [line.answer() for line in lines]

    def _prepared(self, calls: Sequence[Call]) -> Sequence[Line]:
        lines = self._some(len(calls))
        for line, call in zip(lines, calls, strict=True):
            line.prepare(call)
        return lines

    def _some(self, number: int) -> Sequence[Line]:
        while len(self._lines) < number:
            self._lines.append(Line(self._address))
        return self._lines[:number]

    def close(self) -> None:
        for line in self._lines:
            line.__exit__(None, None, None)


class View(NamedTuple):
    """A message of a stream."""

    version: int
    data: str


class Stream(AbstractContextManager["Stream"]):
    """An open stream, which a thread reads."""

    def __init__(self, address: str, path: str, token: str | None) -> None:
        self.views: list[View] = []
        self._line = Line(address)
        self._line.prepare(Call("GET", path, token))
        self._line.go()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        version = 0
        for line in self._line.lines():
            name, _, value = line.decode().rstrip().partition(": ")
            if name == "id":
                version = int(value)
            elif name == "data":
                self.views.append(View(version, value))

    def until(self, version: int) -> None:
        """Wait for the view of a version."""
        wait_until(lambda: bool(self.views) and self.views[-1].version >= version, f"version {version}")

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._line.cut()
        self._thread.join()
        self._line.__exit__(kind, fault, trace)
