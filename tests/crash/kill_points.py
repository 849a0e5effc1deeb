"""How a driver dies. Every way but the clock's is counted, not timed, so that the same seed dies at the same place.

None of it is known to the program: the driver watches its own database calls and function calls from outside.
"""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any

from tests.crash.kill_report import Sheet

LOG_HEADER = 32
LOGGED_PAGE = 24 + 4096
FARTHEST = 8
"""Commands that a driver gets ahead of a kill from outside."""


class Way(StrEnum):
    """Where death strikes."""

    CALL = "call"
    """At a function call, any one, counted from the beginning of a command."""
    STATEMENT = "statement"
    """Before a call of the database."""
    ANSWERED = "decision-made"
    """After a call of the database."""
    COMMIT = "commit"
    """A few microseconds into the commit."""
    TORN = "torn"
    """In the middle of a write to the log of a SQLite file: the system takes a part of it only."""
    UNACKNOWLEDGED = "unacknowledged"
    """When all is stored, and before anybody is shown."""
    CLOCK = "clock"
    """From outside, so long after the beginning of a command."""


WATCHED = (Way.STATEMENT, Way.ANSWERED, Way.COMMIT, Way.TORN)
"""What is counted in calls of the database."""


@dataclass(frozen=True)
class KillPoint:
    """How, and in which command of a life; the opening of the ledger is number 0."""

    way: Way
    command: int
    number: int
    """Of the call; or microseconds; or bytes."""

    def entry(self) -> dict[str, Any]:
        return asdict(self)


def draw(random: Random, is_file: bool, within: int = 8) -> KillPoint:
    """A death; mostly soon, so that an evening has many: in one of so many commands."""
    ways = [one for one in Way if is_file or one is not Way.TORN]
    way = random.choice([*ways, Way.CALL, Way.COMMIT])
    numbers = {
        # A command makes a few hundred calls, a claim some thousands.
        Way.CALL: lambda: int(random.expovariate(1 / 400)),
        Way.STATEMENT: lambda: random.randint(1, 12),
        Way.ANSWERED: lambda: random.randint(1, 12),
        Way.COMMIT: lambda: random.randint(0, 2_500),
        Way.TORN: lambda: random.randint(0, 40_000),
        Way.UNACKNOWLEDGED: lambda: 0,
        Way.CLOCK: lambda: random.randint(0, 9_000),
    }
    is_opening = way in (Way.CALL, Way.STATEMENT, Way.ANSWERED) and random.random() < 0.1
    command = 0 if is_opening else random.randint(1, within)
    return KillPoint(way, command, numbers[way]())


class Killer:
    """Watches a driver, notes the transactions it is in, and ends it where its doom says."""

    def __init__(self, kill_point: KillPoint | None, database: str, sheet: Sheet | None = None) -> None:
        self.kill_point, self.database, self.sheet = kill_point, database, sheet
        self.count = 0
        self.is_near = False
        self._writing: set[int] = set()
        """Connections with a transaction that writes."""
        if kill_point is not None and kill_point.way is Way.TORN:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        if sheet is not None or (kill_point is not None and kill_point.way in WATCHED):
            self._watch_the_database()

    def begins(self, command: int) -> None:
        """A command begins."""
        if self.kill_point is None or command < self.kill_point.command:
            return
        if self.kill_point.way is Way.CLOCK and command > self.kill_point.command + FARTHEST:
            signal.pause()  # a busy machine is late with the kill, and the script has an end
        if command != self.kill_point.command:
            return
        self.is_near = True
        if self.kill_point.way is Way.CALL:
            sys.setprofile(lambda *_: self._count())

    def stored(self) -> None:
        """A command has its answer, and is about to be acknowledged."""
        if self.is_near and self.kill_point is not None and self.kill_point.way is Way.UNACKNOWLEDGED:
            self._die()

    def settled(self) -> None:
        """Everything that was stored is acknowledged."""
        if self.sheet is not None:
            self.sheet.begin()

    def _die(self) -> None:
        sys.setprofile(None)
        self.note(struck=1)
        os.kill(os.getpid(), signal.SIGKILL)

    def note(self, **more: int) -> None:
        if self.sheet is not None:
            self.sheet.note(**more)

    def _count(self) -> None:
        self.count += 1
        if self.kill_point is not None and self.count >= self.kill_point.number:
            self._die()

    def _database_call(self, connection: object, call: Callable[..., Any], *result: Any) -> Any:
        """A call with its text; one that sends several statements begins or ends with what matters here."""
        text = result[0] if result else ""
        near = self.kill_point.way if self.is_near and self.kill_point is not None else None
        if near is Way.STATEMENT:
            self._count()
        is_commit = text[-6:] in ("COMMIT", b"COMMIT")
        if text[:6] in ("BEGIN ", b"BEGIN;") and "READ ONLY" not in str(text):
            self._writing.add(id(connection))
            self.note(writing=1)
        if is_commit:
            self.note(committing=1)
            if near is not None:
                self._committing()
        answer = call(*result)
        if is_commit or text == "ROLLBACK":
            self._ended(connection, is_commit)
        if near is Way.ANSWERED:
            self._count()
        return answer

    def _ended(self, connection: object, is_commit: bool) -> None:
        if id(connection) in self._writing:
            self._writing.discard(id(connection))
            self.note(writing=-1, committing=-int(is_commit), stored=int(is_commit))

    def _die_after(self, delay: float) -> None:
        time.sleep(delay)  # cannot fail: at whatever moment the kill comes, nothing may be lost
        self._die()

    def _committing(self) -> None:
        assert self.kill_point is not None
        if self.kill_point.way is Way.COMMIT:
            delay = self.kill_point.number / 1e6
            threading.Thread(target=self._die_after, args=(delay,), daemon=True).start()
        elif self.kill_point.way is Way.TORN:
            # Should the commit be shorter than that, the next one has less room.
            room = self.kill_point.number >> self.count
            self.count += 1
            resource.setrlimit(resource.RLIMIT_FSIZE, (self._end_of_the_log() + room, resource.RLIM_INFINITY))

    def _end_of_the_log(self) -> int:
        """Where SQLite writes next: after the pages that bear the salt of the log's beginning. The index beside the log
        would tell it sooner, but to open and close that file would take SQLite's own locks on it away."""
        file = Path(f"{self.database.removeprefix('sqlite:///')}-wal")
        log = file.read_bytes() if file.exists() else b""
        at, salt = LOG_HEADER, log[16:24]
        while salt and log[at + 8 : at + 16] == salt:
            at += LOGGED_PAGE
        return at

    def _watch_the_database(self) -> None:
        if self.database.startswith("sqlite"):
            self._watch_sqlite()
        else:
            self._watch_psycopg()

    def _watch_sqlite(self) -> None:
        killer, connect = self, sqlite3.connect

        class Watched(sqlite3.Connection):
            def execute(self, *result: Any) -> Any:
                return killer._database_call(self, super().execute, *result)

            def executemany(self, *result: Any) -> Any:
                return killer._database_call(self, super().executemany, *result)

            def commit(self) -> None:
                commit = super().commit
                killer._database_call(self, lambda _: commit(), "COMMIT")

        sqlite3.connect = lambda *result, **more: connect(*result, factory=Watched, **more)  # type: ignore[misc]

    def _watch_psycopg(self) -> None:
        import psycopg

        killer, execute = self, psycopg.Connection.execute

        def watched(connection: Any, *result: Any, **more: Any) -> Any:
            return killer._database_call(connection, lambda *result: execute(connection, *result, **more), *result)

        psycopg.Connection.execute = watched  # type: ignore[method-assign]
