"""Programs that play: each has a seat, watches its table, wagers and answers. They note how long everything took."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.live.talk import Line, views


@dataclass(frozen=True)
class Seat:
    """Whose it is, and where."""

    table: str
    seat: int
    token: str


@dataclass(frozen=True)
class Pace:
    """How people play: a round begins every so many seconds, and a thought takes some; none plays as fast as it can."""

    every: float = 0.0
    thought: float = 0.0


@dataclass
class Noted:
    """What a crowd has noted."""

    acknowledged: list[float] = field(default_factory=list)
    """Seconds from sending a command to its answer."""
    seen: list[float] = field(default_factory=list)
    """Seconds from sending a command to the view at another seat."""
    refused: int = 0
    rounds: int = 0
    since: float = 0.0
    """From when on is noted: everybody has come in by then."""
    sent: dict[str, dict[int, tuple[float, int]]] = field(default_factory=lambda: defaultdict(dict))
    """By table and version, when the command was sent that made it, and from which seat."""


class Player:
    """One program at one seat."""

    def __init__(self, at: tuple[str, int], seat: Seat, wagers: dict[str, int], pace: Pace, noted: Noted) -> None:
        self._at, self._seat, self._wagers, self._pace, self._noted = at, seat, wagers, pace, noted
        self._line = Line(*at, seat.token)
        self._path = f"/api/v1/tables/{seat.table}"
        self._random = random.Random(f"{seat.table}/{seat.seat}")
        self._commands = 0
        self._laid = ""
        """The round for which wagers were laid."""
        self._next = 0.0
        self._doing: asyncio.Task[None] | None = None

    async def play(self, until: float) -> None:
        """Until the time is up."""
        self._next = time.perf_counter() + self._random.random() * self._pace.every
        try:
            async with asyncio.timeout(max(until - time.perf_counter(), 0)):
                async for version, view in views(*self._at, self._seat.token, self._seat.table):
                    self._arrived(version)
                    self._consider(view)
        except TimeoutError:
            if self._doing is not None:
                await self._doing
        finally:
            self._line.close()

    def _arrived(self, version: int) -> None:
        now, sent = time.perf_counter(), self._noted.sent[self._seat.table]
        for one in [one for one in sent if one <= version]:
            began, by = sent[one]
            if by != self._seat.seat:
                if began >= self._noted.since:
                    self._noted.seen.append(now - began)
                del sent[one]

    def _consider(self, seen: bytes) -> None:
        """See whether there is something to do. Only a view that concerns the seat is read."""
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

    def _do(self, deed: Coroutine[Any, Any, None]) -> None:
        self._doing = asyncio.ensure_future(self._after(self._doing, deed))

    @staticmethod
    async def _after(before: asyncio.Task[None] | None, deed: Coroutine[Any, Any, None]) -> None:
        """A view can come before the answer to the command that made it: one deed after the other."""
        if before is not None:
            await before
        await deed

    async def _lay(self) -> None:
        wait = self._next - time.perf_counter()
        self._next += self._pace.every
        if self._pace.every:
            await asyncio.sleep(max(wait, 0) + self._random.random() * self._pace.thought)
        began = time.perf_counter()
        if await self._send("wagers", {"wagers": self._wagers}) and self._seat.seat == 1:
            self._noted.rounds += began >= self._noted.since

    async def _answer(self, options: Sequence[str]) -> None:
        if self._pace.thought:
            await asyncio.sleep(self._random.random() * self._pace.thought)
        await self._send("decisions", {"answer": self._random.choice(options)})

    async def _send(self, what: str, body: dict[str, Any]) -> bool:
        self._commands += 1
        began = time.perf_counter()
        status, answer = await self._line.post(f"{self._path}/{what}", {"id": f"{began}-{self._commands}", **body})
        if began >= self._noted.since:
            self._noted.acknowledged.append(time.perf_counter() - began)
        if status != 200:
            self._noted.refused += 1
            return False
        self._noted.sent[self._seat.table][answer["version"]] = began, self._seat.seat
        return True


async def crowd(
    at: tuple[str, int],
    seats: Sequence[Seat],
    wagers: dict[str, int],
    pace: Pace,
    seconds: float,
    noted: Noted,
    *,
    coming_in: float = 0.0,
) -> None:
    """All of them, for some seconds after they have come in."""
    noted.since = time.perf_counter() + coming_in
    until = noted.since + seconds
    await asyncio.gather(*(Player(at, seat, wagers, pace, noted).play(until) for seat in seats))
