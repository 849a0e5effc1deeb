"""The line to the house: calls that are answered, or break because the house has died.

A few lines of HTTP, because guests call by the thousand and a library would take longer for it than the house does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.crash.live.model.table import Command
from tests.deadline import LIMIT

API = "/api/v1"
OUR_FAULT, NOT_NOW = 500, 503


class ServerDied(Exception):
    """The line broke: no user knows whether the last call was heard."""


class Answer(NamedTuple):
    """What the house says."""

    status: int
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Line:
    """To one house, for one life of it."""

    def __init__(self, address: str) -> None:
        at = urlsplit(address)
        self._host, self._port = at.hostname, at.port
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._all: list[asyncio.StreamWriter] = []

    async def close(self) -> None:
        for writer in self._all:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in self._all), return_exceptions=True)

    async def call(
        self, method: str, path: str, token: str | None = None, body: Mapping[str, Any] | None = None
    ) -> Answer:
        """Ask until there is an answer; a house that is too busy is asked again."""
        letter = _letter(method, path, token, body)
        while True:
            try:
                answer = await asyncio.wait_for(self._exchange(letter), LIMIT)
            except TimeoutError:
                raise AssertionError(f"{method} {path} was not answered within {LIMIT} seconds.") from None
            except (OSError, asyncio.IncompleteReadError):
                raise ServerDied from None
            if answer.status != NOT_NOW:
                assert answer.status < OUR_FAULT, f"{method} {path} {body}: {answer}"
                return answer
            await asyncio.sleep(0.05)  # cannot fail: the house is asked again

    async def _exchange(self, letter: bytes) -> Answer:
        wire = self._idle.pop() if self._idle else await self._wire()
        reader, writer = wire
        writer.write(letter)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next(int(one.partition(":")[2]) for one in head.split("\r\n") if one.startswith("content-length:"))
        answer = Answer(int(head.split(" ", 2)[1]), await reader.readexactly(length))
        self._idle.append(wire)
        return answer

    async def _wire(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        self._all.append(writer)
        return reader, writer

    async def do(self, command: Command, token: str) -> Answer:
        """Send a command, with its id."""
        at = f"{API}/tables/{command.table}"
        match command.do:
            case "leave":
                return await self.call("DELETE", f"{at}/seat?id={command.id}", token)
            case "sit":
                return await self.call("POST", f"{at}/seat", token, {"id": command.id, **command.body})
            case "lay":
                return await self.call("POST", f"{at}/wagers", token, {"id": command.id, **command.body})
        assert command.do == "answer", command
        return await self.call("POST", f"{at}/decisions", token, {"id": command.id, **command.body})

    async def look(self, table: str, token: str | None = None) -> dict[str, Any]:
        """What a user may see of a table."""
        return await self._read(f"{API}/tables/{table}", token)

    async def me(self, token: str) -> dict[str, Any]:
        return await self._read(f"{API}/players/me", token)

    async def round(self, round_id: str, token: str | None = None) -> dict[str, Any]:
        return await self._read(f"{API}/rounds/{round_id}", token)

    async def _read(self, path: str, token: str | None = None) -> dict[str, Any]:
        answer = await self.call("GET", path, token)
        assert answer.status == 200, f"{path}: {answer}"
        found: dict[str, Any] = answer.json()
        return found


def _letter(method: str, path: str, token: str | None, body: Mapping[str, Any] | None) -> bytes:
    said = b"" if body is None else json.dumps(body).encode()
    head = [f"{method} {path} HTTP/1.1", "Host: house", f"Content-Length: {len(said)}"]
    head += [f"Authorization: Bearer {token}"] if token else []
    head += ["Content-Type: application/json"] if said else []
    return "\r\n".join([*head, "", ""]).encode() + said
