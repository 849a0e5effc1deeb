"""Players and pages that find another server when theirs is gone."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from tests.deadline import LIMIT, Deadline
from tests.web.servers.pair import Pair


@dataclass
class Sent:
    """A command, and what it was answered."""

    path: str
    body: Mapping[str, Any]
    token: str
    result: Mapping[str, Any]


@dataclass
class Traveller:
    """A user who sends each command until it is answered, to whichever server is there, always with the same id."""

    pair: Pair
    player: str
    token: str
    table: str
    seed: int
    acknowledged: list[Sent] = field(default_factory=list)
    refused: int = 0
    moved: int = 0
    """How often a server did not answer, and another one was asked."""

    def __post_init__(self) -> None:
        self._chance, self._number = random.Random(self.seed), 0
        self._at = ""
        self._client = httpx.Client(
            timeout=8,  # cannot fail: the next server is asked
            headers={"Authorization": f"Bearer {self.token}"},
        )

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> httpx.Response:
        """What some server answers; one that cannot is left for another."""
        deadline = Deadline()
        while True:
            deadline.check(f"an answer to {method} {path}")
            urls = self.pair.urls()
            if self._at not in urls and urls:
                self._at = self._chance.choice(urls)
            try:
                answer = self._client.request(method, f"{self._at}/api/v1{path}", json=body)
                if answer.status_code < 500:
                    return answer
            except httpx.HTTPError:
                pass
            self.moved += 1
            self._at = self._chance.choice([url for url in urls if url != self._at] or urls or [""])
            time.sleep(0.05)  # cannot fail: the next server is asked

    def send(self, what: str, **body: Any) -> None:
        self._number += 1
        path = f"/tables/{self.table}/{what}"
        said = {"id": f"{what}-{self._number}", **body}
        answer = self.ask("POST", path, said)
        if answer.status_code == 200:
            self.acknowledged.append(Sent(path, said, self.token, answer.json()))
        else:
            assert answer.status_code in (409, 422), answer.text
            self.refused += 1

    def play(self, stopped: threading.Event) -> None:
        """Wager, and answer or leave it to the clock."""
        try:
            while not stopped.is_set():
                view = self.ask("GET", f"/tables/{self.table}").json()
                turn = view["round"]["view"]["turn"] if view["round"] else None
                if turn is None and str(view["seat"]) not in view["laid"]:
                    self.send("wagers", wagers={"ante-play": 10_00})
                elif turn and turn.get("seat") == view["seat"] and self._chance.random() < 0.6:
                    self.send("decisions", answer=self._chance.choice(turn["options"]))
                stopped.wait(0.1 + self._chance.random() / 5)
        finally:
            self._client.close()


class Follower:
    """Something that is open in a browser: it reads until the line breaks, and opens it again elsewhere."""

    def __init__(self, pair: Pair, read: Callable[[str, Follower], None]) -> None:
        self._pair, self._read = pair, read
        self.stopped = threading.Event()
        self.seen: Any = None
        self.opened = 0
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        while not self.stopped.is_set():
            for url in self._pair.urls():
                self.opened += 1
                self._read(url, self)
                if self.stopped.wait(0.1):
                    return

    def end(self) -> None:
        self.stopped.set()
        self._thread.join(LIMIT)
        assert not self._thread.is_alive()


def follow_stream(table: str) -> Callable[[str, Follower], None]:
    """The stream of a table, as far as it comes; what is seen is the version."""

    def read(url: str, follower: Follower) -> None:
        silent = httpx.Timeout(10, read=1)
        try:
            with httpx.stream("GET", f"{url}/api/v1/tables/{table}/stream", timeout=silent) as answer:
                for line in answer.iter_lines():
                    if line.startswith("data: "):
                        follower.seen = json.loads(line[6:])["version"]
                    if follower.stopped.is_set():
                        return
        except httpx.HTTPError:
            pass

    return read


def follow_page(path: str) -> Callable[[str, Follower], None]:
    """An open page; what is seen is what it was shown to show last. One that hears nothing takes its line for dead."""

    def read(url: str, follower: Follower) -> None:
        try:
            with connect(
                f"{url.replace('http', 'ws')}/live?page={path}",
                origin=url,  # type: ignore[arg-type]
                open_timeout=5,  # cannot fail: the page is opened again
            ) as line:
                while not follower.stopped.is_set():
                    follower.seen = line.recv(2.5) or follower.seen
        except (ConnectionClosed, InvalidHandshake, TimeoutError, OSError):
            pass

    return read
