"""The watch: what lies on each felt, as soon as it lies there.

A command of this server rings for its table. What other programs do on the same books (a supervisor's command line,
another server) is found by asking twice a second how many events each felt and each jackpot has; a meter that another
table has moved is news at every table that plays for it. Either way the felt is read once, and everybody who listens is
told: the streams, the timekeeper, the company.

Practice tables have no clock and nobody but their owner: they are watched from when the owner does something there or
looks on, so that a room opens as quickly with a hundred thousand of them in its books as with none.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from cardroom.floor import FeltLook, Floor
from cardroom.floor.felt.naming import PRACTICE
from cardroom.floor.kept.chains import felt_chain, jackpot_of
from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.web.room.clerks import Clerks
from cardroom.web.room.hub import Frame, Hub, framed

log = logging.getLogger(__name__)

EVERY: Final = 0.5
"""Seconds between two questions what others have done."""
_SHARE: Final = 20
"""Where the question takes long, it is asked so much less often that it takes no more than this part of the time."""

Listener: TypeAlias = Callable[[FeltLook], None]
Hearer: TypeAlias = Callable[[Collection[str]], None]


class Watch:
    """Knows every felt. What it knows holds all cards, and never leaves the server."""

    def __init__(self, floor: Floor, clerks: Clerks, hub: Hub, every: float = EVERY) -> None:
        self._floor, self._clerks, self._hub, self._every = floor, clerks, hub, every
        self._seen: dict[str, FeltLook] = {}
        self._versions: dict[str, int] = {}
        self._house: dict[str, int] = {}
        self._hearers: list[Hearer] = []
        self._looking: set[str] = set()
        self._rung: set[str] = set()
        self._listeners: list[Listener] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def felts(self) -> list[FeltLook]:
        """All that are watched, by name, as they were when they were looked at last."""
        return [self._seen[table] for table in sorted(self._seen)]

    def listen(self, listener: Listener) -> None:
        """Be told of every felt at which something has happened."""
        self._listeners.append(listener)

    def hear(self, hearer: Hearer) -> None:
        """Be told of every chain on which something has happened: a felt's, a jackpot's, a table's, the room's."""
        self._hearers.append(hearer)

    def tell(self, *chains: str) -> None:
        """Something has happened on these chains."""
        for hearer in self._hearers:
            hearer(chains)

    def ring(self, table: str) -> None:
        """Something has happened at a felt."""
        if table in self._looking:
            self._rung.add(table)  # once more when the look that is under way has ended
            return
        self._looking.add(table)
        task = asyncio.get_running_loop().create_task(self._look(table))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self, table: str) -> None:
        try:
            while True:
                self._rung.discard(table)
                look, frames = await self._clerks.look(self._read, table, self._hub.viewers(table))
                self._note(look)
                self._hub.publish(table, frames)
                for listener in self._listeners:
                    listener(look)
                self.tell(felt_chain(table))
                if table not in self._rung:
                    return
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning("a felt cannot be read", extra={"table": table, "fault": str(fault)})
            self._versions.pop(table, None)  # so that the next question what others have done finds it
        finally:
            self._looking.discard(table)

    def _note(self, look: FeltLook) -> None:
        table = look.state.table
        self._versions[table] = look.version
        if look.state.closed and look.state.terms.owner:
            self._seen.pop(table, None)
        else:
            self._seen[table] = look

    def _read(self, table: str, viewers: frozenset[str | None]) -> tuple[FeltLook, dict[str | None, Frame]]:
        look = self._floor.felt_look(table)
        return look, {player: framed(look.entry(player)) for player in viewers}

    async def begin(self) -> None:
        """Look at every felt that there is."""
        await self._ask()
        await asyncio.gather(*self._tasks)

    async def run(self) -> None:
        """Ask again and again what others have done."""
        took = 0.0
        while True:
            await asyncio.sleep(max(self._every, took * _SHARE))
            began = time.monotonic()
            try:
                await self._ask()
            except (LedgerUnavailable, LedgerDamaged) as fault:
                log.warning("the books cannot be read", extra={"fault": str(fault)})
            took = time.monotonic() - began

    def look_on(self, table: str) -> None:
        """Somebody looks on from now on."""
        if table not in self._versions:
            self.ring(table)

    async def _ask(self) -> None:
        watched = [table for table in self._hub.tables() if table.startswith(PRACTICE)]
        versions, house = await self._clerks.look(self._ask_floor, watched)
        moved = {chain for chain, version in house.items() if self._house.get(chain, 0) < version}
        self._house = house
        jackpots = {id for chain in moved if (id := jackpot_of(chain)) is not None}
        for table, version in versions.items():
            seen = self._seen.get(table)
            if self._versions.get(table, 0) < version or (seen is not None and seen.jackpots & jackpots):
                self.ring(table)
        if moved:
            self.tell(*moved)

    def _ask_floor(self, watched: list[str]) -> tuple[dict[str, int], dict[str, int]]:
        versions = self._floor.felt_versions(besides=PRACTICE)
        versions |= {table: self._floor.felt_version(table) for table in watched}
        return versions, self._floor.house_versions()
