"""A card room whose output can be compared byte by byte with another one: the same keys, ids, and times, but other
cards."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from fastapi import FastAPI
from starlette.types import ASGIApp, Message

from cardroom.cards import Card, Deck, Seal
from cardroom.ledger import open_ledger
from cardroom.room.player.account import guest_name
from cardroom.room.site.device import new_device_token
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup, UnitSetup
from cardroom.web.api.requests import PLAYER_COOKIE
from cardroom.web.app import create_app
from cardroom.web.services.app_context import AppContext, ServerOptions
from cardroom.web.services.jobs import Jobs
from tests.deadline import LIMIT, wait_in_loop
from tests.service.table_scenes import HandClock, without_meters
from tests.web.hidden.evening import PLAYING, POOR, SITTING_OUT, Evening, Order

TERMS: Final = PlayTerms(betting=20, deciding=20)
NEXT_DOOR: Final = "prime-9"
SCREEN: Final = "S-1"
ONLOOKER, NEIGHBOR = "onlooker", "neighbor"
SEATS: Final = (*PLAYING, SITTING_OUT)


def player_name(name: str | int) -> str:
    """Return the player of a seat, or a player with no seat at the table."""
    return guest_name(f"guest/{name}")


def make_key(number: int) -> bytes:
    """Return the keys of a room in their order."""
    return sha256(b"key %d" % number).digest()


SECRET: Final = make_key(1)
"""The first key of a room is the secret from which it makes tokens."""
SCREEN_KEY: Final = make_key(3)
"""The token of the room's screen is made from the third key, after that of the table's first round."""


class Response(NamedTuple):
    """A complete response."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


def _scope(method: str, path: str, token: str | None, sent: bytes) -> dict[str, Any]:
    path, _, query = path.partition("?")
    headers = [(b"host", b"cardroom"), (b"content-type", b"application/json")]
    headers += [(b"content-length", str(len(sent)).encode())] if sent else []
    headers += [(b"authorization", f"Bearer {token}".encode())] if token else []
    headers += [(b"cookie", f"{PLAYER_COOKIE}={token}".encode())] if token else []
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("cardroom", 80),
    }


async def send_request(app: ASGIApp, method: str, path: str, token: str | None = None, body: Any = None) -> Response:
    """Return the application's response to a call."""
    sent = b"" if body is None else json.dumps(body).encode()
    messages: list[Message] = []
    requests = iter([{"type": "http.request", "body": sent, "more_body": False}])

    async def receive() -> Message:
        message = next(requests, None)
        if message is None:
            await asyncio.Event().wait()  # the caller stays connected
            raise AssertionError
        return message

    async def send(message: Message) -> None:
        messages.append(message)

    await app(_scope(method, path, token, sent), receive, send)
    start, *parts = messages
    content = b"".join(part.get("body", b"") for part in parts)
    return Response(start["status"], tuple(start["headers"]), content)


class Stream:
    """An open stream and its chunks."""

    def __init__(self, app: ASGIApp, path: str, token: str | None) -> None:
        self.chunks: list[bytes] = []
        self._received, self._disconnected = asyncio.Event(), asyncio.Event()
        self._requests = [{"type": "http.request", "body": b"", "more_body": False}]
        self._task = asyncio.ensure_future(app(_scope("GET", path, token, b""), self._receive, self._send))

    async def _receive(self) -> Message:
        if self._requests:
            return self._requests.pop()
        await self._disconnected.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.chunks.append(repr(message["headers"]).encode() if "headers" in message else message["body"])
        self._received.set()

    async def wait_for(self, version: int) -> None:
        """Wait for the view of a version."""
        start = b"id: %d\n" % version
        async with asyncio.timeout(LIMIT):
            while not any(chunk.startswith(start) for chunk in self.chunks):
                self._received.clear()
                await self._received.wait()

    async def end(self) -> None:
        self._disconnected.set()
        await self._task


class LastingJobs(Jobs):
    """Jobs with workers that the next room uses too, because a worker needs seconds to load everything."""

    async def end(self) -> None:
        pass

    async def end_finally(self) -> None:
        await super().end()


@contextmanager
def rig_shoe(monkeypatch: pytest.MonkeyPatch, order: Order) -> Iterator[None]:
    """Deal the cards in this order under any seal."""

    def shuffle(_: Seal, deck: Deck, __: Mapping[int, str] | None = None) -> tuple[Card, ...]:
        assert len(order) == deck.size
        return order

    with monkeypatch.context() as patch:
        patch.setattr(Seal, "shuffle", shuffle)
        yield


def open_room(path: Path, evening: Evening) -> None:
    """Create a ledger in which every player sits and no player has wagered."""
    clock, table = HandClock(), evening.demo.table
    with open_ledger(f"sqlite:///{path}", clock=clock) as ledger:
        numbers = count(1)
        card_room = CardRoom(ledger, clock, lambda: make_key(next(numbers)))
        assert card_room.get_room_secret() == SECRET
        demo = evening.demo
        card_room.jackpots.open("open jackpot", "Olga", demo.jackpot)
        unit = UnitSetup(demo.tabulator, demo.unit)
        card_room.add_table("open table", "Olga", RoomTableSetup(table, demo.setup, TERMS, unit))
        registration = card_room.register_device("open screen", "Olga", table, SCREEN, _screen(evening))
        assert registration.token == new_device_token(SCREEN, 1, SCREEN_KEY)
        card_room.add_table(
            "open next door", "Olga", RoomTableSetup(NEXT_DOOR, without_meters("three-card-prime"), TERMS)
        )
        for name in (*SEATS, ONLOOKER, NEIGHBOR):
            card_room.players.admit_guest(f"guest/{name}")
        for seat in SEATS:
            card_room.take_seat(f"sit {seat}", player_name(seat), table, seat, evening.poor if seat == POOR else None)
        card_room.take_seat("sit next door", player_name(NEIGHBOR), NEXT_DOOR)


def _screen(evening: Evening) -> str:
    return "monitor" if str(evening.demo.tabulator.tabulator).startswith("andromeda-3") else "led"


@dataclass
class OpenRoom:
    """A card room and its application."""

    evening: Evening
    path: Path
    app: FastAPI
    card_room: CardRoom
    clock: HandClock
    """The card room's clock, which decides whether a player is late."""
    wall_clock: HandClock
    """The timekeeper's clock. It may be behind, so there is a moment when the time is up and the timekeeper has not
    acted."""

    @property
    def table(self) -> str:
        return self.evening.demo.table

    @property
    def context(self) -> AppContext:
        context: AppContext = self.app.state.context
        return context

    def token(self, name: str | int | None) -> str | None:
        return None if name is None else self.context.tokens.issue(player_name(name))

    @property
    def screen(self) -> tuple[str, str]:
        """Return the address from which the table's screen fetches its content, and the screen's token."""
        path = "/api/v1/devices/display" if _screen(self.evening) == "monitor" else "/api/v1/devices/sign"
        return path, new_device_token(SCREEN, 1, SCREEN_KEY)

    async def call(self, name: str | int | None, method: str, path: str, body: Any = None) -> Response:
        """Return the response to a user's call below ``/api/v1``."""
        return await send_request(self.app, method, f"/api/v1{path}", self.token(name), body)

    async def let_time_pass(self) -> None:
        """Let the timekeeper notice that the time is up."""
        version = self.card_room.read_table_version(self.table)
        self.wall_clock.now = self.clock.now
        self.context.change_feed.notify_table(self.table)
        await wait_in_loop(lambda: self.card_room.read_table_version(self.table) != version)


@asynccontextmanager
async def open_copy(source: Path, copy: Path, evening: Evening, jobs: LastingJobs) -> AsyncIterator[OpenRoom]:
    """Open a room on a copy of the ledger."""
    shutil.copyfile(source, copy)
    clock, wall_clock, numbers = HandClock(), HandClock(), count(100)
    with open_ledger(f"sqlite:///{copy}", clock=clock) as ledger:
        ledger.store.name = "the server"  # the same in every compared room
        card_room = CardRoom(ledger, clock, lambda: make_key(next(numbers)))
        app = create_app(card_room, ServerOptions(guests=True, edges=False, heartbeat=3_600), wall_clock)
        app.state.context.jobs = jobs
        async with app.router.lifespan_context(app):
            yield OpenRoom(evening, copy, app, card_room, clock, wall_clock)


PROOFS: Final = {"seal", "previous", "hash", "body"}
"""Columns that prove the content of the others."""


def read_rows(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of the ledger by table. Secrets are left out, and so are the notes, servers, and leases, which
    depend on the machine's clock and on no card."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        excluded = "('secrets', 'notes', 'servers', 'leases')"
        rows = connection.execute(f"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN {excluded}")
        tables = [str(row[0]) for row in rows.fetchall()]
        return {table: [dict(row) for row in connection.execute(f"SELECT * FROM {table}")] for table in tables}
    finally:
        connection.close()
