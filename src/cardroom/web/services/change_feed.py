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

from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.ledger.errors import format_error
from cardroom.room.table.reducer import PRACTICE_PREFIX
from cardroom.service import CardRoom, SharedTableView
from cardroom.service.chains.names import parse_jackpot_chain, parse_table_chain, table_chain
from cardroom.web.services.event_hub import EventFrame, EventHub, encode_frame
from cardroom.web.services.executors import Executors

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.5
"""Seconds between two questions what others have done."""
NOTIFIED_POLL_SECONDS: Final = 5.0
"""The same where the database tells what is done."""
REMOTE_READ_SECONDS: Final = 2.0
"""Seconds between two looks at what happens at felts that other servers run, where nobody here looks on."""
_LATEST_VERSION: Final = sys.maxsize
"""Whatever the version is now."""
_POLL_TIME_SHARE: Final = 20
"""Where the question takes long, it is asked so much less often that it takes no more than this part of the time."""

TableListener: TypeAlias = Callable[[SharedTableView], None]
ChainListener: TypeAlias = Callable[[Collection[str]], None]


class ChangeFeed:
    """Knows every felt. What it knows holds all cards, and never leaves the server."""

    def __init__(
        self, floor: CardRoom, executors: Executors, event_hub: EventHub, interval: float = POLL_SECONDS
    ) -> None:
        self._floor, self._executors, self._event_hub, self._interval = floor, executors, event_hub, interval
        self._snapshots: dict[str, SharedTableView] = {}
        self._versions: dict[str, int] = {}
        self._room_versions: dict[str, int] = {}
        self._chain_listeners: list[ChainListener] = []
        self._reading: set[str] = set()
        self._pending_versions: dict[str, int] = {}
        """Of felts that are looked at, the newest version that somebody has rung for meanwhile."""
        self._meters: set[str] = set()
        """Chains of jackpots that have moved since everybody was told."""
        self._deferred: dict[str, int] = {}
        """Felts that other servers run, with versions that need not be seen at once."""
        self._remote_read_at = 0.0
        self._is_incomplete = False
        self.is_notified = False
        """Whether the database tells what is done."""
        self.local_tables: Callable[[], Collection[str]] = tuple
        """The felts at which this server has something to do, whoever looks on."""
        self._table_listeners: list[TableListener] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def tables(self) -> list[SharedTableView]:
        """All that are watched, by name, as they were when they were looked at last."""
        return [self._snapshots[table] for table in sorted(self._snapshots)]

    def add_table_listener(self, listener: TableListener) -> None:
        """Be told of every felt at which something has happened."""
        self._table_listeners.append(listener)

    def add_chain_listener(self, listener: ChainListener) -> None:
        """Be told of every chain on which something has happened: a felt's, a jackpot's, a table's, the room's."""
        self._chain_listeners.append(listener)

    def notify_chains(self, *chains: str) -> None:
        """Something has happened on these chains."""
        for hearer in self._chain_listeners:
            hearer(chains)

    def notify_table(self, table: str, version: int = _LATEST_VERSION) -> None:
        """Something has happened at a felt. Whoever knows which version it has since says so: a felt that was seen like
        that is not looked at again."""
        if self._versions.get(table, 0) >= version:
            return
        if table in self._reading:
            # Once more when the look that is under way has ended, unless it has seen that.
            self._pending_versions[table] = max(version, self._pending_versions.get(table, 0))
            return
        self._reading.add(table)
        task = asyncio.get_running_loop().create_task(self._read_table(table))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_table(self, table: str) -> None:
        try:
            while True:
                self._pending_versions.pop(table, None)
                snapshot, frames = await self._executors.query(self._read_frames, table, self._event_hub.viewers(table))
                self._store(snapshot)
                self._event_hub.publish(table, frames)
                for listener in self._table_listeners:
                    listener(snapshot)
                self.notify_chains(table_chain(table))
                if self._pending_versions.get(table, 0) <= snapshot.version:
                    return
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning("a felt cannot be read", extra={"table": table, "fault": format_error(fault)})
            self._versions.pop(table, None)  # so that the next question what others have done finds it
            self._is_incomplete = True
        finally:
            self._reading.discard(table)

    def _store(self, snapshot: SharedTableView) -> None:
        table = snapshot.state.table
        self._versions[table] = snapshot.version
        if snapshot.state.closed and snapshot.state.terms.owner:
            self._snapshots.pop(table, None)
        else:
            self._snapshots[table] = snapshot

    def _read_frames(
        self, table: str, viewers: frozenset[str | None]
    ) -> tuple[SharedTableView, dict[str | None, EventFrame]]:
        snapshot = self._floor.view_table(table)
        return snapshot, {player: encode_frame(snapshot.to_json(player)) for player in viewers}

    async def begin(self) -> None:
        """Look at every felt that there is."""
        await self.poll()
        await asyncio.gather(*self._tasks)

    async def run(self) -> None:
        """Tell of the meters again and again, and ask what others have done."""
        took, polled_at = 0.0, time.monotonic()
        while True:
            await asyncio.sleep(self._interval)
            self._notify_meters()
            self._read_remote_tables()
            seldom = NOTIFIED_POLL_SECONDS if self.is_notified and not self._is_incomplete else 0.0
            if time.monotonic() - polled_at < max(took * _POLL_TIME_SHARE, seldom):
                continue
            self._is_incomplete, polled_at = False, time.monotonic()
            try:
                await self.poll()
            except (LedgerUnavailable, LedgerDamaged) as fault:
                log.warning("the books cannot be read", extra={"fault": format_error(fault)})
            took = time.monotonic() - polled_at

    def on_versions(self, moved: Mapping[str, int]) -> None:
        """Something has happened on these chains, here or elsewhere: so many events do they have by now."""
        other_chains = set[str]()
        for chain, version in moved.items():
            table = parse_table_chain(chain)
            if table is None and self._room_versions.get(chain, 0) < version:
                self._room_versions[chain] = version
                (other_chains if parse_jackpot_chain(chain) is None else self._meters).add(chain)
            elif table is not None and (table in self._versions or not table.startswith(PRACTICE_PREFIX)):
                if self._is_needed(table):
                    self.notify_table(table, version)
                elif self._versions.get(table, 0) < version:
                    self._deferred[table] = version
                    other_chains.add(chain)
        if other_chains:
            self.notify_chains(*other_chains)

    def _is_needed(self, table: str) -> bool:
        """Whether somebody here waits for what happens at a felt: whoever streams it, or acts there for the house. One
        that was never seen is news to everybody."""
        return table not in self._versions or self._event_hub.is_watched(table) or table in self.local_tables()

    def _read_remote_tables(self) -> None:
        """At the felts that other servers run and nobody watches here. Whoever is called there may be in the room."""
        if time.monotonic() - self._remote_read_at >= REMOTE_READ_SECONDS:
            self._remote_read_at = time.monotonic()
            later, self._deferred = self._deferred, {}
            for table, version in later.items():
                self.notify_table(table, version)

    def _notify_meters(self) -> None:
        moved, self._meters = self._meters, set()
        if not moved:
            return
        jackpots = {id for chain in moved if (id := parse_jackpot_chain(chain)) is not None}
        for table, snapshot in self._snapshots.items():
            if snapshot.jackpots & jackpots:
                self.notify_table(table)
        self.notify_chains(*moved)

    def follow_table(self, table: str) -> None:
        """Somebody looks on from now on."""
        if table not in self._versions:
            self.notify_table(table)

    async def poll(self) -> None:
        """Find what others have done."""
        watched = [
            table for table in {*self._event_hub.tables(), *self.local_tables()} if table.startswith(PRACTICE_PREFIX)
        ]
        versions, room_versions = await self._executors.query(self._read_versions, watched)
        moved = {chain for chain, version in room_versions.items() if self._room_versions.get(chain, 0) < version}
        self._room_versions = room_versions
        for table, version in versions.items():
            self.notify_table(table, version)
        meters = {chain for chain in moved if parse_jackpot_chain(chain) is not None}
        self._meters |= meters
        self._notify_meters()
        if other_chains := moved - meters:
            self.notify_chains(*other_chains)

    def _read_versions(self, watched: list[str]) -> tuple[dict[str, int], dict[str, int]]:
        versions = self._floor.read_table_versions(excluded_prefix=PRACTICE_PREFIX)
        versions |= {table: self._floor.read_table_version(table) for table in watched}
        return versions, self._floor.read_house_versions()
