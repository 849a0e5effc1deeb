"""Card rooms that are really served, for the tests: a server in a thread, players who call it, streams to read."""

from __future__ import annotations

import json
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from cardroom.ledger import Clock, open_ledger, system_clock
from cardroom.service import CardRoom, PlayTerms
from cardroom.web.app import create_app
from cardroom.web.middleware.listener_options import PLAIN_HTTP, ListenerOptions
from cardroom.web.middleware.rate_limits import DEFAULT_LIMITS, Rate
from cardroom.web.server import CardroomServer, listen
from cardroom.web.services.app_context import AppContext, ServerOptions
from cardroom.web.services.practice_tables import default_practice_setup
from tests.deadline import LIMIT, Deadline, wait_until
from tests.ledger.empty import empty_ledger

GAMES = ("deuces-wild", "three-card-prime", "texas-shootout", "dueling-for-dollars", "three-card-double-play")
MAIN = dict(zip(GAMES, ("ante-play-raise", "ante-play", "shootout", "player", "high-low"), strict=True))
WITHOUT_CLOCK = PlayTerms(betting=0, deciding=0)
FREE = Rate(1e6, 1e6)
UNLIMITED = DEFAULT_LIMITS._replace(calls=FREE, calls_without_token=FREE)
"""Tests call in seconds as often as a whole room does in hours: the faster the machine, the sooner a limit is met."""
QUICK = ServerOptions(guests=True, coach=False, edges=False, bot_pause=lambda: 0.0, limits=UNLIMITED)
RICH = 1_000_000_00
_numbers = count(1)


def an_id() -> str:
    return f"id-{next(_numbers)}"


@dataclass
class Served:
    """A room with its doors open."""

    url: str
    card_room: CardRoom
    house: AppContext
    server: CardroomServer
    thread: threading.Thread
    players: list[Player] = field(default_factory=list)
    visitors: list[httpx.Client] = field(default_factory=list)
    """People of the house at their browsers."""

    def open_table(self, table: str, game: str = "three-card-prime", terms: PlayTerms = WITHOUT_CLOCK) -> str:
        """A table that everybody sees; opened on the card room, as another program would."""
        self.card_room.add_table(an_id(), "Olga", table, default_practice_setup(game), terms)
        return table

    def guest(self) -> Player:
        """A user who has come in."""
        player = Player(httpx.Client(base_url=f"{self.url}/api/v1"))
        result = player.post("/guests", id=an_id()).json()
        player.name, player.token = result["player"], result["token"]
        player.client.cookies.clear()
        player.client.headers["Authorization"] = f"Bearer {player.token}"
        self.players.append(player)
        return player

    def make_rich(self, player: Player) -> int:
        """Enough for as many rounds as it takes until something happens that is rare; in cents."""
        self.card_room.pay_in(an_id(), "Olga", player.name, RICH, "for a long night", second="Carl")
        return RICH

    def settle(self, table: str) -> None:
        """Wait until the server has seen the newest version of a table, and company has done there what it had to."""
        newest = self.card_room.read_table_version(table)
        wait_until(lambda: newest <= self._seen().get(table, 0), f"a look at version {newest} of {table}")
        httpx.get(f"{self.url}/healthz")  # answered after everybody who listens to the watch has heard of it
        wait_until(lambda: not self.house.bots.is_busy, "the end of what company does")

    def _seen(self) -> dict[str, int]:
        return {look.state.table: look.version for look in self.house.change_feed.tables()}

    def stop(self) -> None:
        for one in (*(player.client for player in self.players), *self.visitors):
            one.close()
        self.server.should_exit = True
        self.thread.join(LIMIT)
        assert not self.thread.is_alive()


@dataclass
class Player:
    """A user who calls."""

    client: httpx.Client
    name: str = ""
    token: str = ""

    def get(self, path: str, **how: Any) -> httpx.Response:
        return self.client.get(path, **how)

    def post(self, path: str, **said: Any) -> httpx.Response:
        return self.client.post(path, json=said)

    def sit(self, table: str, **said: Any) -> dict[str, Any]:
        return done(self.post(f"/tables/{table}/seat", **{"id": an_id(), **said}))

    def wager(self, table: str, **wagers: int) -> dict[str, Any]:
        spots = {spot.replace("_", "-"): cents for spot, cents in wagers.items()}
        return done(self.post(f"/tables/{table}/wagers", id=an_id(), wagers=spots))

    def answer(self, table: str, answer: str) -> dict[str, Any]:
        return done(self.post(f"/tables/{table}/decisions", id=an_id(), answer=answer))

    def look(self, table: str) -> dict[str, Any]:
        return done(self.get(f"/tables/{table}"))

    @contextmanager
    def stream(self, table: str) -> Iterator[Stream]:
        with Stream(self, table) as stream:
            yield stream


def done(answer: httpx.Response) -> dict[str, Any]:
    """What a call was answered that was not refused."""
    assert answer.status_code in (200, 201), answer.text
    result: dict[str, Any] = answer.json()
    return result


class Stream:
    """Reads server-sent events in a thread."""

    def __init__(self, player: Player, table: str) -> None:
        self._client = httpx.Client(
            base_url=player.client.base_url,
            headers=dict(player.client.headers),
            timeout=httpx.Timeout(LIMIT, read=None),
        )
        self._path = f"/tables/{table}/stream"
        self._events: queue.Queue[dict[str, str] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._line: socket.socket | None = None
        self.comments = 0

    def __enter__(self) -> Stream:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)  # wakes the user who reads from it
        self._thread.join(LIMIT)
        self._client.close()

    def _read(self) -> None:
        try:
            with self._client.stream("GET", self._path) as answer:
                self._line = answer.extensions["network_stream"].get_extra_info("socket")
                assert answer.status_code == 200
                assert answer.headers["content-type"].startswith("text/event-stream")
                event: dict[str, str] = {}
                for line in answer.iter_lines():
                    if line.startswith(":"):
                        self.comments += 1
                    elif line:
                        name, _, value = line.partition(": ")
                        event[name] = value
                    elif event:
                        self._events.put(event)
                        event = {}
        except (httpx.HTTPError, RuntimeError):
            pass
        finally:
            self._events.put(None)

    def event(self) -> dict[str, str] | None:
        """The next event as it was sent; None when the stream has ended."""
        return self._events.get(timeout=LIMIT)

    def view(self) -> dict[str, Any]:
        """The next view."""
        event = self.event()
        assert event is not None, "the stream has ended"
        seen: dict[str, Any] = json.loads(event["data"])
        assert event == {"id": str(seen["version"]), "event": "view", "data": event["data"]}
        return seen

    def until(self, version: int) -> dict[str, Any]:
        """The first view that is at least as new."""
        deadline = Deadline()
        while (seen := self.view())["version"] < version:
            deadline.check(f"version {version}")
        return seen


@contextmanager
def served(
    folder: Path,
    rules: ServerOptions = QUICK,
    clock: Clock = system_clock,
    database: str = "",
    line: ListenerOptions = PLAIN_HTTP,
) -> Iterator[Served]:
    """A room on a new file, or on the one that is there, or on a database elsewhere; served until the end."""
    ready: queue.Queue[str] = queue.Queue()
    file = folder / "room.db"
    books = database or (f"sqlite:///{file}" if file.exists() else empty_ledger(file))
    with open_ledger(books, clock) as ledger, listen("127.0.0.1", 0) as bound:
        card_room = CardRoom(ledger, clock)
        room = create_app(card_room, rules, clock)
        server = CardroomServer(room, bound, ready.put, line)
        thread = threading.Thread(target=server.serve_until_stopped)
        thread.start()
        one = Served(ready.get(timeout=LIMIT), card_room, room.state.context, server, thread)
        try:
            yield one
        finally:
            one.stop()
