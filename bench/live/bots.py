"""Bots that play over HTTP: each has a seat, watches its table, wagers, and decides, and records latencies."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.live.http_client import Connection, views


@dataclass(frozen=True)
class Seat:
    """A bot's seat, with its token."""

    table: str
    seat: int
    token: str


@dataclass(frozen=True)
class Pace:
    """The pace of play: seconds between rounds and of thinking; zeros play as fast as possible."""

    every: float = 0.0
    thought: float = 0.0


@dataclass
class LoadResult:
    """The measurements of all bots."""

    acknowledged: list[float] = field(default_factory=list)
    """Seconds from sending a command to its response."""
    seen: list[float] = field(default_factory=list)
    """Seconds from sending a command to the view at another seat."""
    refused: int = 0
    rounds: int = 0
    since: float = 0.0
    """The start of the measurement: all bots are connected by then."""
    until: float = 0.0
    """Its end: then all bots leave."""
    sent: dict[str, dict[int, tuple[float, int]]] = field(default_factory=lambda: defaultdict(dict))
    """The time and the seat of the command that caused each version, by table and version."""


class Player:
    """One bot at one seat."""

    def __init__(self, at: tuple[str, int], seat: Seat, wagers: dict[str, int], pace: Pace, result: LoadResult) -> None:
        self._at, self._seat, self._wagers, self._pace, self._result = at, seat, wagers, pace, result
        self._connection = Connection(*at, seat.token)
        self._path = f"/api/v1/tables/{seat.table}"
        self._random = random.Random(f"{seat.table}/{seat.seat}")
        self._commands = 0
        self._laid = ""
        """The round for which the bot placed its wagers."""
        self._next = 0.0
        self._doing: asyncio.Task[None] | None = None

    async def play(self) -> None:
        """Play until the time is up."""
        # Each table has its own beginning, and its players wager at about the same time, as at real tables.
        self._next = time.perf_counter() + random.Random(self._seat.table).random() * self._pace.every
        try:
            async with asyncio.timeout(max(self._result.until - time.perf_counter(), 0)):
                async for version, view in views(*self._at, self._seat.token, self._seat.table):
                    self._arrived(version)
                    self._consider(view)
        except TimeoutError:
            if self._doing is not None:
                await self._doing
        finally:
            self._connection.close()

    def _arrived(self, version: int) -> None:
        now, sent = time.perf_counter(), self._result.sent[self._seat.table]
        for one in [one for one in sent if one <= version]:
            began, by = sent[one]
            if by != self._seat.seat:
                if began >= self._result.since:
                    self._result.seen.append(now - began)
                del sent[one]

    def _consider(self, seen: bytes) -> None:
        """Act if it is the seat's turn, or the time to wager."""
        view = json.loads(seen)
        running, mine = view["round"], self._seat.seat
        if running is None:
            coming = view["coming"]["round"]
            if self._laid != coming and str(mine) not in view["laid"]:
                self._laid = coming
                self._do(self._lay())
            return
        turn = running["view"]["turn"]
        if turn["who"] == "seat" and turn["seat"] == mine:
            self._do(self._answer(turn["options"]))

    def _do(self, command: Coroutine[Any, Any, None]) -> None:
        self._doing = asyncio.ensure_future(self._after(self._doing, command))

    @staticmethod
    async def _after(before: asyncio.Task[None] | None, command: Coroutine[Any, Any, None]) -> None:
        """Send commands one after the other: a view can arrive before the response to the command that caused it."""
        if before is not None:
            await before
        await command

    async def _lay(self) -> None:
        wait = self._next - time.perf_counter()
        self._next += self._pace.every
        if self._pace.every:
            wait = max(wait, 0) + self._random.random() * self._pace.thought
            await asyncio.sleep(min(wait, self._result.until - time.perf_counter()))
        began = time.perf_counter()
        if began >= self._result.until:
            return
        if await self._send("wagers", {"wagers": self._wagers}) and self._seat.seat == 1:
            self._result.rounds += began >= self._result.since

    async def _answer(self, options: Sequence[str]) -> None:
        if self._pace.thought:
            await asyncio.sleep(self._random.random() * self._pace.thought)
        await self._send("decisions", {"answer": self._random.choice(options)})

    async def _send(self, what: str, body: dict[str, Any]) -> bool:
        self._commands += 1
        began = time.perf_counter()
        status, answer = await self._connection.post(
            f"{self._path}/{what}", {"id": f"{began}-{self._commands}", **body}
        )
        if began >= self._result.since:
            self._result.acknowledged.append(time.perf_counter() - began)
        if status != 200:
            self._result.refused += 1
            return False
        self._result.sent[self._seat.table][answer["version"]] = began, self._seat.seat
        return True


async def crowd(
    at: tuple[str, int],
    seats: Sequence[Seat],
    wagers: dict[str, int],
    pace: Pace,
    seconds: float,
    result: LoadResult,
    *,
    coming_in: float = 0.0,
) -> None:
    """Let all bots play for some seconds after they have connected."""
    result.since = time.perf_counter() + coming_in
    result.until = result.since + seconds
    await asyncio.gather(*(Player(at, seat, wagers, pace, result).play() for seat in seats))
