"""Two `cardroom serve` on one PostgreSQL, each a process of its own that can be killed, frozen or silenced."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from cardroom.ledger.leases import SERVER_TIMEOUT
from tests.deadline import wait_until
from tests.web.processes import CARDROOM, ServerProcess, start_server


class Pair:
    """Two servers; where one has died another one is begun."""

    def __init__(self, folder: Path, books: str) -> None:
        self._folder, self._books = folder, books
        self._stack = ExitStack()
        self._begun = 0
        self.servers: list[ServerProcess] = []

    def begin(self) -> None:
        """One more."""
        self._begun += 1
        folder = self._folder / f"server-{self._begun}"
        folder.mkdir()
        options = ("--database", self._books, "--log-level", "warning")
        self.servers.append(self._stack.enter_context(start_server(folder, *options, program=CARDROOM)))

    def end(self) -> None:
        self._stack.close()

    def urls(self) -> list[str]:
        return [server.url for server in self.servers]

    def holder(self, table: str) -> ServerProcess | None:
        """The server that runs a table, if one of ours does."""
        asked = "SELECT label FROM leases JOIN servers ON holder = name WHERE chain = %s"
        with psycopg.connect(self._books) as books:
            for (label,) in books.execute(asked, (f"table:{table}",)):
                return next((server for server in self.servers if label.endswith(f"/{server.process.pid}")), None)
        return None

    # What may happen to a server.

    def kill(self, server: ServerProcess) -> None:
        """It dies at once, and says nothing to anybody."""
        self.servers.remove(server)
        server.process.kill()
        server.process.wait()

    def freeze(self, server: ServerProcess, seconds: float = SERVER_TIMEOUT + 1) -> None:
        """It stands still for a while, and then goes on as if nothing had been."""
        server.process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(seconds)  # cannot fail: however long it lasts, what the server did is judged by the witness
        finally:
            server.process.send_signal(signal.SIGCONT)

    def silence(self, server: ServerProcess, seconds: float = SERVER_TIMEOUT + 2) -> None:
        """It works on, but cannot say that it is there: others take it for gone."""
        with psycopg.connect(self._books) as books:
            books.execute("SELECT FROM servers WHERE label LIKE %s FOR UPDATE", (f"%/{server.process.pid}",))
            time.sleep(seconds)  # cannot fail: however long it lasts, what the server did is judged by the witness

    def trouble(self, seed: int, kills: int, note: list[str], got_on: Callable[[int], bool], pause: float = 0) -> None:
        """Again and again one of the two is killed, and another one begun; in between one is held up, and before each
        kill the players must have got on."""
        chance = random.Random(seed)
        for turn in range(1, kills + 1):
            server = chance.choice(self.servers)
            if turn % 2:
                note.append("silenced")
                self.silence(server)
            elif pause > 2 * SERVER_TIMEOUT:
                note.append("frozen")
                self.freeze(server)
            time.sleep(pause)  # cannot fail: only spreads the kills
            wait_until(lambda turn=turn: got_on(turn), "play")  # type: ignore[misc]
            note.append("killed")
            self.kill(chance.choice(self.servers))
            self.begin()


@contextmanager
def start_pair(folder: Path, books: str) -> Iterator[Pair]:
    both = Pair(folder, books)
    try:
        both.begin()
        both.begin()
        yield both
    finally:
        both.end()
