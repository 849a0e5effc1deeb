"""Card rooms on a real server for the tests: a server in a thread, players who call it, and streams."""

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
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup
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
"""Tests make as many calls in seconds as a room makes in hours, so no limit applies to them."""
QUICK = ServerOptions(guests=True, edges=False, bot_pause=lambda: 0.0, limits=UNLIMITED)
RICH = 1_000_000_00
_numbers = count(1)


def new_id() -> str:
    return f"id-{next(_numbers)}"


@dataclass
class ServedRoom:
    """A card room and the server that runs it."""

    url: str
    card_room: CardRoom
    context: AppContext
    server: CardroomServer
    thread: threading.Thread
    players: list[Player] = field(default_factory=list)
    visitors: list[httpx.Client] = field(default_factory=list)
    """Staff at their browsers."""

    def open_table(self, table: str, game: str = "three-card-prime", terms: PlayTerms = WITHOUT_CLOCK) -> str:
        """Open a table for all players through the card room, as another program would."""
        self.card_room.add_table(new_id(), "Olga", RoomTableSetup(table, default_practice_setup(game), terms))
        return table

    def admit_guest(self) -> Player:
        """Admit a guest."""
        player = Player(httpx.Client(base_url=f"{self.url}/api/v1"))
        admission = player.post("/guests", id=new_id()).json()
        player.name, player.token = admission["player"], admission["token"]
        player.client.cookies.clear()
        player.client.headers["Authorization"] = f"Bearer {player.token}"
        self.players.append(player)
        return player

    def make_rich(self, player: Player) -> int:
        """Pay a player enough for any number of rounds; return the amount in cents."""
        self.card_room.players.pay_in(new_id(), "Olga", player.name, RICH, "for a long night", second="Carl")
        return RICH

    def wait_for_server(self, table: str) -> None:
        """Wait until the server knows the newest version of a table and its bots have acted."""
        newest = self.card_room.read_table_version(table)
        wait_until(lambda: newest <= self._known_versions().get(table, 0), f"version {newest} of {table} at the server")
        httpx.get(f"{self.url}/healthz")  # responds after every subscriber of the change feed is notified
        wait_until(lambda: not self.context.bots.is_busy, "the bots")

    def _known_versions(self) -> dict[str, int]:
        return {view.state.table: view.version for view in self.context.change_feed.tables()}

    def stop(self) -> None:
        for client in (*(player.client for player in self.players), *self.visitors):
            client.close()
        self.server.should_exit = True
        self.thread.join(LIMIT)
        assert not self.thread.is_alive()


@dataclass
class Player:
    """A player who makes calls."""

    client: httpx.Client
    name: str = ""
    token: str = ""

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(path, **options)

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.client.post(path, json=body)

    def sit(self, table: str, **body: Any) -> dict[str, Any]:
        return expect_success(self.post(f"/tables/{table}/seat", **{"id": new_id(), **body}))

    def wager(self, table: str, **wagers: int) -> dict[str, Any]:
        spots = {spot.replace("_", "-"): cents for spot, cents in wagers.items()}
        return expect_success(self.post(f"/tables/{table}/wagers", id=new_id(), wagers=spots))

    def decide(self, table: str, decision: str) -> dict[str, Any]:
        return expect_success(self.post(f"/tables/{table}/decisions", id=new_id(), answer=decision))

    def view(self, table: str) -> dict[str, Any]:
        return expect_success(self.get(f"/tables/{table}"))

    @contextmanager
    def stream(self, table: str) -> Iterator[Stream]:
        with Stream(self, table) as stream:
            yield stream


def expect_success(response: httpx.Response) -> dict[str, Any]:
    """Return the body of a response that is not a refusal."""
    assert response.status_code in (200, 201), response.text
    body: dict[str, Any] = response.json()
    return body


class Stream:
    """A stream of server-sent events, which a thread reads."""

    def __init__(self, player: Player, table: str) -> None:
        self._client = httpx.Client(
            base_url=player.client.base_url,
            headers=dict(player.client.headers),
            timeout=httpx.Timeout(LIMIT, read=None),
        )
        self._path = f"/tables/{table}/stream"
        self._events: queue.Queue[dict[str, str] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._socket: socket.socket | None = None
        self.comments = 0

    def __enter__(self) -> Stream:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads from it
        self._thread.join(LIMIT)
        self._client.close()

    def _read(self) -> None:
        try:
            with self._client.stream("GET", self._path) as response:
                self._socket = response.extensions["network_stream"].get_extra_info("socket")
                assert response.status_code == 200
                assert response.headers["content-type"].startswith("text/event-stream")
                event: dict[str, str] = {}
                for line in response.iter_lines():
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

    def next_event(self) -> dict[str, str] | None:
        """Return the next event as it was sent; None when the stream has ended."""
        return self._events.get(timeout=LIMIT)

    def next_view(self) -> dict[str, Any]:
        """Return the next view."""
        event = self.next_event()
        assert event is not None, "the stream has ended"
        next_view: dict[str, Any] = json.loads(event["data"])
        assert event == {"id": str(next_view["version"]), "event": "view", "data": event["data"]}
        return next_view

    def wait_for(self, version: int) -> dict[str, Any]:
        """Wait for a view of this version or a newer one, and return it."""
        deadline = Deadline()
        while (view := self.next_view())["version"] < version:
            deadline.check(f"version {version}")
        return view


@contextmanager
def serve_room(
    folder: Path,
    options: ServerOptions = QUICK,
    clock: Clock = system_clock,
    database: str = "",
    line: ListenerOptions = PLAIN_HTTP,
) -> Iterator[ServedRoom]:
    """Serve a room on a new file, an existing file, or another database, until the end of the block."""
    ready: queue.Queue[str] = queue.Queue()
    file = folder / "room.db"
    url = database or (f"sqlite:///{file}" if file.exists() else empty_ledger(file))
    with open_ledger(url, clock) as ledger, listen("127.0.0.1", 0) as bound:
        card_room = CardRoom(ledger, clock)
        app = create_app(card_room, options, clock)
        server = CardroomServer(app, bound, ready.put, line)
        thread = threading.Thread(target=server.serve_until_stopped)
        thread.start()
        room = ServedRoom(ready.get(timeout=LIMIT), card_room, app.state.context, server, thread)
        try:
            yield room
        finally:
            room.stop()
