"""What the guests share: the diary, what they have seen, and the tables at which something has just happened."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from tests.crash.live.command_log import CommandLog
from tests.crash.live.model.memory import Memory
from tests.deadline import LIMIT

LATEST = LIMIT
"""Seconds for which an open house may not notice that a clock has run out: a busy machine has much else to do."""


class PlayerGroup:
    """All guests together; ``hasty`` are the tables that have a clock."""

    def __init__(self, tables: tuple[str, ...], hasty: frozenset[str]) -> None:
        self.tables, self.hasty = tables, hasty
        self.log, self.memory = CommandLog(), Memory()
        self.tokens: dict[str, str] = {}
        """Of every player who ever came in."""
        self._bells = {table: asyncio.Event() for table in tables}
        self._dead = asyncio.Event()
        self._opened = 0.0
        self._late: dict[str, tuple[int, float, float]] = {}
        """By table, the deadline that was seen to have passed last, when, and for how long with an open house."""

    def opens(self) -> None:
        """The house is open, as far as anybody knows."""
        self._dead = asyncio.Event()
        self._opened = time.time()  # cannot fail: only compared with the limit

    def watch_the_clock(self, table: str, deadline: int) -> None:
        """What is due when a clock has run out is done soon, the user who died in between."""
        now = time.time()  # cannot fail: only compared with the limit
        if not 0 < deadline < now * 1e6:
            self._late.pop(table, None)
            return
        known, seen, late = self._late.get(table, (0, now, 0.0))
        late = late + now - max(seen, self._opened) if known == deadline else 0.0
        assert late < LATEST, f"The clock of {table} ran out, and for {late} seconds nothing was decided."
        self._late[table] = deadline, now, late

    def has_died(self) -> None:
        """A user has noticed, and everybody looks up."""
        self._dead.set()
        for table in self.tables:
            self.ring(table)

    async def pause(self, seconds: float) -> None:
        """Do nothing for a while, unless the house dies."""
        await _at_most(seconds, self._dead)

    def ring(self, table: str) -> None:
        """Everybody who waits at a table looks up."""
        self._bells[table].set()
        self._bells[table] = asyncio.Event()

    async def wait(self, table: str, seconds: float) -> None:
        """Until something happens at a table."""
        await _at_most(seconds, self._bells[table])


async def _at_most(seconds: float, event: asyncio.Event) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
