"""The timekeeper: when the clock of a felt has run out, the floor is told to decide.

A deadline is an instant that is stored, so a restart gives nobody more time: what ran out while nobody was there is
decided at once. The instant is one of the wall's clock, which may be set; the timekeeper therefore never sleeps for
long without a look at the clock. Of several servers the one decides that runs the table.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from cardroom.errors import BadInput
from cardroom.floor import FeltLook, Floor
from cardroom.ledger import Clock, LeaseLost, LedgerDamaged, LedgerUnavailable, system_clock
from cardroom.web.room.clerks import Clerks
from cardroom.web.room.rota import Rota
from cardroom.web.room.watch import Watch

log = logging.getLogger(__name__)

SECOND: Final = 1_000_000
LONGEST_NAP: Final = 1.0
"""Seconds; the clock may have been set meanwhile."""
AGAIN: Final = 0.25
LONGEST_PAUSE: Final = 30.0
"""Seconds until a felt is tried again whose clock has run out and that could not be decided: first and at most."""


class Timekeeper:
    """Keeps the deadline of every felt."""

    def __init__(self, floor: Floor, clerks: Clerks, watch: Watch, rota: Rota, clock: Clock = system_clock) -> None:
        self._floor, self._clerks, self._watch, self._rota, self._clock = floor, clerks, watch, rota, clock
        self._deadlines: dict[str, int] = {}
        self._deciding: dict[str, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        self.looks = 0
        """How often it has looked at the clock and had decided what was due."""
        watch.listen(self.note)

    def note(self, look: FeltLook) -> None:
        """A felt has this deadline now, or none."""
        if look.state.deadline:
            self._deadlines[look.state.table] = look.state.deadline
        else:
            self._deadlines.pop(look.state.table, None)
        self._changed.set()

    async def run(self) -> None:
        """Have decided whatever is due, and sleep until the next deadline."""
        try:
            while True:
                now = self._clock()
                mine = {table: one for table, one in self._deadlines.items() if self._rota.lease(table) is not None}
                for table, deadline in mine.items():
                    if deadline < now and table not in self._deciding:
                        self._deciding[table] = asyncio.create_task(self._decide(table))
                self.looks += 1
                waiting = [one for table, one in mine.items() if table not in self._deciding]
                self._changed.clear()
                with suppress(TimeoutError):
                    # A deadline has passed when the clock stands after it, not on it.
                    nap = (min(waiting, default=now + SECOND) + 1 - now) / SECOND
                    async with asyncio.timeout(min(max(nap, 0.0), LONGEST_NAP)):
                        await self._changed.wait()
        finally:
            for task in self._deciding.values():
                task.cancel()

    async def _decide(self, table: str) -> None:
        """Until the floor has done it, the felt has another deadline because somebody was quicker, or another server
        runs it."""
        pause = AGAIN
        try:
            while self._deadlines.get(table, self._clock()) < self._clock():
                lease = self._rota.lease(table)
                if lease is None:
                    return
                try:
                    if await self._clerks.do(self._floor.let_the_clock_decide, table, under=lease) is not None:
                        self._deadlines.pop(table, None)  # somebody may have looked before this answer was here
                        return
                except LeaseLost:
                    self._rota.lost(lease)
                    return
                except (LedgerUnavailable, LedgerDamaged, BadInput) as fault:
                    # Without the sentence: it may name cards, and a log is read by others.
                    log.warning("the clock cannot decide", extra={"table": table, "fault": type(fault).__name__})
                self._watch.ring(table)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            self._watch.ring(table)
            del self._deciding[table]
            self._changed.set()
