"""The watch: what lies on each felt, as soon as it lies there.

A command of this server rings for its table. What other programs do on the same books (a supervisor's command line,
another server) is told by the database where it can tell, and found by asking how many events each felt and each
jackpot has: twice a second, or now and then where it is told too. A meter that another table has moved is news at every
table that plays for it, twice a second at most. Either way the felt is read once, and everybody who listens is told:
the streams, the timekeeper, the company. A felt that another server runs, and nobody watches here, can wait a little.

Practice tables have no clock and nobody but their owner: they are watched from when the owner does something there or
looks on, so that a room opens as quickly with a hundred thousand of them in its books as with none.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Collection, Mapping
from typing import Final, TypeAlias

from cardroom.floor import FeltLook, Floor
from cardroom.floor.felt.naming import PRACTICE
from cardroom.floor.kept.chains import felt_chain, felt_of, jackpot_of
from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.ledger.errors import format_error
from cardroom.web.room.clerks import Clerks
from cardroom.web.room.hub import Frame, Hub, framed

log = logging.getLogger(__name__)

EVERY: Final = 0.5
"""Seconds between two questions what others have done."""
SELDOM: Final = 5.0
"""The same where the database tells what is done."""
IDLY: Final = 2.0
"""Seconds between two looks at what happens at felts that other servers run, where nobody here looks on."""
_NEWEST: Final = sys.maxsize
"""Whatever the version is now."""
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
        self._rung: dict[str, int] = {}
        """Of felts that are looked at, the newest version that somebody has rung for meanwhile."""
        self._meters: set[str] = set()
        """Chains of jackpots that have moved since everybody was told."""
        self._later: dict[str, int] = {}
        """Felts that other servers run, with versions that need not be seen at once."""
        self._looked = 0.0
        self._unread = False
        self.is_told = False
        """Whether the database tells what is done."""
        self.run_here: Callable[[], Collection[str]] = tuple
        """The felts at which this server has something to do, whoever looks on."""
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

    def ring(self, table: str, version: int = _NEWEST) -> None:
        """Something has happened at a felt. Whoever knows which version it has since says so: a felt that was seen like
        that is not looked at again."""
        if self._versions.get(table, 0) >= version:
            return
        if table in self._looking:
            # Once more when the look that is under way has ended, unless it has seen that.
            self._rung[table] = max(version, self._rung.get(table, 0))
            return
        self._looking.add(table)
        task = asyncio.get_running_loop().create_task(self._look(table))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self, table: str) -> None:
        try:
            while True:
                self._rung.pop(table, None)
                look, frames = await self._clerks.look(self._read, table, self._hub.viewers(table))
                self._note(look)
                self._hub.publish(table, frames)
                for listener in self._listeners:
                    listener(look)
                self.tell(felt_chain(table))
                if self._rung.get(table, 0) <= look.version:
                    return
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning("a felt cannot be read", extra={"table": table, "fault": format_error(fault)})
            self._versions.pop(table, None)  # so that the next question what others have done finds it
            self._unread = True
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
        await self.ask()
        await asyncio.gather(*self._tasks)

    async def run(self) -> None:
        """Tell of the meters again and again, and ask what others have done."""
        took, asked = 0.0, time.monotonic()
        while True:
            await asyncio.sleep(self._every)
            self._tell_of_meters()
            self._look_at_the_others()
            seldom = SELDOM if self.is_told and not self._unread else 0.0
            if time.monotonic() - asked < max(took * _SHARE, seldom):
                continue
            self._unread, asked = False, time.monotonic()
            try:
                await self.ask()
            except (LedgerUnavailable, LedgerDamaged) as fault:
                log.warning("the books cannot be read", extra={"fault": format_error(fault)})
            took = time.monotonic() - asked

    def told(self, moved: Mapping[str, int]) -> None:
        """Something has happened on these chains, here or elsewhere: so many events do they have by now."""
        others = set[str]()
        for chain, version in moved.items():
            table = felt_of(chain)
            if table is None and self._house.get(chain, 0) < version:
                self._house[chain] = version
                (others if jackpot_of(chain) is None else self._meters).add(chain)
            elif table is not None and (table in self._versions or not table.startswith(PRACTICE)):
                if self._is_needed(table):
                    self.ring(table, version)
                elif self._versions.get(table, 0) < version:
                    self._later[table] = version
                    others.add(chain)
        if others:
            self.tell(*others)

    def _is_needed(self, table: str) -> bool:
        """Whether somebody here waits for what happens at a felt: whoever streams it, or acts there for the house. One
        that was never seen is news to everybody."""
        return table not in self._versions or self._hub.is_watched(table) or table in self.run_here()

    def _look_at_the_others(self) -> None:
        """At the felts that other servers run and nobody watches here. Whoever is called there may be in the room."""
        if time.monotonic() - self._looked >= IDLY:
            self._looked = time.monotonic()
            later, self._later = self._later, {}
            for table, version in later.items():
                self.ring(table, version)

    def _tell_of_meters(self) -> None:
        moved, self._meters = self._meters, set()
        if not moved:
            return
        jackpots = {id for chain in moved if (id := jackpot_of(chain)) is not None}
        for table, seen in self._seen.items():
            if seen.jackpots & jackpots:
                self.ring(table)
        self.tell(*moved)

    def look_on(self, table: str) -> None:
        """Somebody looks on from now on."""
        if table not in self._versions:
            self.ring(table)

    async def ask(self) -> None:
        """Find what others have done."""
        watched = [table for table in {*self._hub.tables(), *self.run_here()} if table.startswith(PRACTICE)]
        versions, house = await self._clerks.look(self._ask_floor, watched)
        moved = {chain for chain, version in house.items() if self._house.get(chain, 0) < version}
        self._house = house
        for table, version in versions.items():
            self.ring(table, version)
        meters = {chain for chain in moved if jackpot_of(chain) is not None}
        self._meters |= meters
        self._tell_of_meters()
        if others := moved - meters:
            self.tell(*others)

    def _ask_floor(self, watched: list[str]) -> tuple[dict[str, int], dict[str, int]]:
        versions = self._floor.felt_versions(besides=PRACTICE)
        versions |= {table: self._floor.felt_version(table) for table in watched}
        return versions, self._floor.house_versions()
