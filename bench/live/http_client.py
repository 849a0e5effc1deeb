"""A minimal HTTP client for calls and streams: the load shares the machine with the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

JSON = Mapping[str, Any]


class Connection:
    """One persistent connection for consecutive calls."""

    def __init__(self, host: str, port: int, token: str) -> None:
        self._host, self._port, self._token = host, port, token
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def post(self, path: str, body: JSON) -> tuple[int, dict[str, Any]]:
        """Send a command. Returns its status and response. After a lost connection it sends the command again, which
        the server carries out once."""
        try:
            return await self._post(path, body)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.close()
            return await self._post(path, body)

    async def _post(self, path: str, body: JSON) -> tuple[int, dict[str, Any]]:
        if self._writer is None or self._reader is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        sent = json.dumps(body, separators=(",", ":")).encode()
        request_head = (
            f"POST {path} HTTP/1.1\r\nhost: {self._host}\r\nauthorization: Bearer {self._token}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(sent)}\r\n\r\n"
        )
        self._writer.write(request_head.encode() + sent)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = int(_header(head, b"content-length"))
        return int(head[9:12]), json.loads(await self._reader.readexactly(length))

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def _header(head: bytes, name: bytes) -> bytes:
    at = head.lower().index(name + b":")
    return head[at + len(name) + 1 : head.index(b"\r\n", at)].strip()


async def views(host: str, port: int, token: str, table: str) -> AsyncIterator[tuple[int, bytes]]:
    """The views of a table as they arrive: the version, and the view as JSON."""
    reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
    try:
        path = f"/api/v1/tables/{table}/stream"
        writer.write(f"GET {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head[9:12] == b"200", head
        version = 0
        while line := await reader.readline():
            if line.startswith(b"id: "):
                version = int(line[4:])
            elif line.startswith(b"data: "):
                yield version, line[6:]
    finally:
        writer.close()
