"""A card room whose bytes can be compared with another one's: the same keys, ids and times, but for the cards."""

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
from cardroom.service import CardRoom, PlayTerms
from cardroom.web.api.requests import PLAYER_COOKIE
from cardroom.web.app import create_app
from cardroom.web.services.app_context import AppContext, ServerOptions
from cardroom.web.services.coach import CoachService
from cardroom.web.services.workers import WorkerPool
from tests.deadline import LIMIT, wait_in_loop
from tests.service.table_scenes import HandClock, without_meters
from tests.web.hidden.evening import PLAYING, POOR, SITTING_OUT, Evening, Order

TERMS: Final = PlayTerms(betting=20, deciding=20)
NEXT_DOOR: Final = "prime-9"
SCREEN: Final = "S-1"
KIBITZER, NEIGHBOR = "kibitzer", "neighbour"
SEATS: Final = (*PLAYING, SITTING_OUT)


def player(name: str | int) -> str:
    """The player of a seat, or one who has none at the table."""
    return guest_name(f"guest/{name}")


def key(number: int) -> bytes:
    """The keys of a room, one after the other."""
    return sha256(b"key %d" % number).digest()


SECRET: Final = key(1)
"""The first key that a room needs is the secret from which its tokens are made."""
SCREEN_KEY: Final = key(2)
"""Of the second one its screen's token is made."""


class Answer(NamedTuple):
    """All that comes back over the wire."""

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


async def ask(app: ASGIApp, method: str, path: str, token: str | None = None, body: Any = None) -> Answer:
    """What the application answers a call."""
    sent = b"" if body is None else json.dumps(body).encode()
    got: list[Message] = []
    waiting = iter([{"type": "http.request", "body": sent, "more_body": False}])

    async def receive() -> Message:
        message = next(waiting, None)
        if message is None:
            await asyncio.Event().wait()  # the caller stays on the line
            raise AssertionError
        return message

    async def send(message: Message) -> None:
        got.append(message)

    await app(_scope(method, path, token, sent), receive, send)
    start, *parts = got
    whole = b"".join(one.get("body", b"") for one in parts)
    return Answer(start["status"], tuple(start["headers"]), whole)


class Stream:
    """An open stream, and what has come over it."""

    def __init__(self, app: ASGIApp, path: str, token: str | None) -> None:
        self.got: list[bytes] = []
        self._news, self._gone = asyncio.Event(), asyncio.Event()
        self._asked = [{"type": "http.request", "body": b"", "more_body": False}]
        self._task = asyncio.ensure_future(app(_scope("GET", path, token, b""), self._receive, self._send))

    async def _receive(self) -> Message:
        if self._asked:
            return self._asked.pop()
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.got.append(repr(message["headers"]).encode() if "headers" in message else message["body"])
        self._news.set()

    async def until(self, version: int) -> None:
        """Wait for the view of a version."""
        wanted = b"id: %d\n" % version
        async with asyncio.timeout(LIMIT):
            while not any(one.startswith(wanted) for one in self.got):
                self._news.clear()
                await self._news.wait()

    async def end(self) -> None:
        self._gone.set()
        await self._task


class LastingWorkers(WorkerPool):
    """Workers that the next room asks too: it takes seconds until one has loaded everything."""

    async def end(self) -> None:
        pass

    async def really_end(self) -> None:
        await super().end()


@contextmanager
def shoe(monkeypatch: pytest.MonkeyPatch, order: Order) -> Iterator[None]:
    """Let the cards come in this order, under whatever seal."""

    def shuffle(_: Seal, deck: Deck, __: Mapping[int, str] | None = None) -> tuple[Card, ...]:
        assert len(order) == deck.size
        return order

    with monkeypatch.context() as patch:
        patch.setattr(Seal, "shuffle", shuffle)
        yield


def open_room(path: Path, evening: Evening) -> None:
    """Books in which everybody sits, and no user has wagered."""
    clock, table = HandClock(), evening.shown.table
    with open_ledger(f"sqlite:///{path}", clock=clock) as ledger:
        numbers = count(1)
        card_room = CardRoom(ledger, clock, lambda: key(next(numbers)))
        assert card_room.get_room_secret() == SECRET
        shown = evening.shown
        card_room.open_jackpot("open jackpot", "Olga", shown.jackpot)
        card_room.install_tabulator("open table", "Olga", shown.setup, shown.tabulator, shown.unit)
        given = card_room.register_device("open screen", "Olga", table, SCREEN, _screen(evening))
        assert given.token == new_device_token(SCREEN, 1, SCREEN_KEY)
        card_room.add_table("open felt", "Olga", table, shown.setup, TERMS)
        card_room.add_table("open next door", "Olga", NEXT_DOOR, without_meters("three-card-prime"), TERMS)
        for name in (*SEATS, KIBITZER, NEIGHBOR):
            card_room.admit_guest(f"guest/{name}")
        for seat in SEATS:
            card_room.take_seat(f"sit {seat}", player(seat), table, seat, evening.poor if seat == POOR else None)
        card_room.take_seat("sit next door", player(NEIGHBOR), NEXT_DOOR)


def _screen(evening: Evening) -> str:
    return "monitor" if str(evening.shown.tabulator.tabulator).startswith("andromeda-3") else "led"


@dataclass
class OpenRoom:
    """A card room, and all lines to it."""

    evening: Evening
    path: Path
    app: FastAPI
    card_room: CardRoom
    clock: HandClock
    """The card room's: by that it decides whether a user is late."""
    on_the_wall: HandClock
    """The timekeeper's, which may go after it: so there is a moment when time is up and nothing has followed yet."""

    @property
    def table(self) -> str:
        return self.evening.shown.table

    @property
    def house(self) -> AppContext:
        house: AppContext = self.app.state.context
        return house

    def token(self, name: str | int | None) -> str | None:
        return None if name is None else self.house.tokens.issue(player(name))

    @property
    def screen(self) -> tuple[str, str]:
        """Where the table's screen fetches what it shows, and its token."""
        path = "/api/v1/devices/display" if _screen(self.evening) == "monitor" else "/api/v1/devices/sign"
        return path, new_device_token(SCREEN, 1, SCREEN_KEY)

    async def call(self, name: str | int | None, method: str, path: str, body: Any = None) -> Answer:
        """What a user is answered, under ``/api/v1``."""
        return await ask(self.app, method, f"/api/v1{path}", self.token(name), body)

    async def time_passes(self) -> None:
        """The timekeeper hears that time is up."""
        version = self.card_room.read_table_version(self.table)
        self.on_the_wall.now = self.clock.now
        self.house.change_feed.notify_table(self.table)
        await wait_in_loop(lambda: self.card_room.read_table_version(self.table) != version)


@asynccontextmanager
async def opened(books: Path, copy: Path, evening: Evening, workers: WorkerPool) -> AsyncIterator[OpenRoom]:
    """A room on a copy of the books."""
    shutil.copyfile(books, copy)
    clock, on_the_wall, numbers = HandClock(), HandClock(), count(100)
    with open_ledger(f"sqlite:///{copy}", clock=clock) as ledger:
        ledger.store.name = "the server"  # the same in every room that is held against another
        card_room = CardRoom(ledger, clock, lambda: key(next(numbers)))
        app = create_app(card_room, ServerOptions(guests=True, coach=False, edges=False, heartbeat=3_600), on_the_wall)
        app.state.context.coach = CoachService(workers)
        async with app.router.lifespan_context(app):
            yield OpenRoom(evening, copy, app, card_room, clock, on_the_wall)


PROOFS: Final = {"seal", "previous", "hash", "body"}
"""Columns that prove what stands in the others."""


def written(path: Path) -> dict[str, list[dict[str, Any]]]:
    """All that stands in the books but for what is kept secret, by table; and but for notes beside them and which
    servers are there, which no card has a part in, and the machine's clock has."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        besides = "('secrets', 'notes', 'servers', 'leases')"
        named = connection.execute(f"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN {besides}")
        tables = [str(row[0]) for row in named.fetchall()]
        return {one: [dict(row) for row in connection.execute(f"SELECT * FROM {one}")] for one in tables}
    finally:
        connection.close()
