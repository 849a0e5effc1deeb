"""The change feed: reads a table after each change and notifies its listeners.

A command of this server notifies its table. Changes by other processes (the command line, another server) come as
database notifications where the database supports them, and from polling the number of events of each table and
jackpot: twice a second, or less often with notifications. A moved meter notifies every table of the jackpot, at most
twice a second. A changed table is read once for all listeners: streams, timers, and bots. A table that another server
runs and that has no viewer here is read with a delay.

Practice tables have no clock and one player, so they are followed only after their owner acts or watches. The server
therefore opens as quickly with a hundred thousand practice tables as with none.
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
"""Seconds between two polls."""
NOTIFIED_POLL_SECONDS: Final = 5.0
"""Seconds between two polls with database notifications."""
REMOTE_READ_SECONDS: Final = 2.0
"""Seconds between two reads of tables that other servers run and that have no viewer here."""
_LATEST_VERSION: Final = sys.maxsize
"""Means the current version."""
_POLL_TIME_SHARE: Final = 20
"""A slow poll runs less often, so that polling takes at most this fraction (one in so many) of the time."""

TableListener: TypeAlias = Callable[[SharedTableView], None]
ChainListener: TypeAlias = Callable[[Collection[str]], None]


class ChangeFeed:
    """The current snapshots of tables. They include all cards and never leave the server."""

    def __init__(
        self, card_room: CardRoom, executors: Executors, event_hub: EventHub, interval: float = POLL_SECONDS
    ) -> None:
        self._card_room, self._executors, self._event_hub, self._interval = card_room, executors, event_hub, interval
        self._snapshots: dict[str, SharedTableView] = {}
        self._versions: dict[str, int] = {}
        self._room_versions: dict[str, int] = {}
        self._chain_listeners: list[ChainListener] = []
        self._reading: set[str] = set()
        self._pending_versions: dict[str, int] = {}
        """The newest notified version of each table that is being read."""
        self._meters: set[str] = set()
        """Chains of jackpots that have changed since the last notification."""
        self._deferred: dict[str, int] = {}
        """Tables of other servers with versions that can be read later."""
        self._remote_read_at = 0.0
        self._is_incomplete = False
        self.is_notified = False
        """Whether database notifications arrive."""
        self.local_tables: Callable[[], Collection[str]] = tuple
        """The tables that this server runs."""
        self._table_listeners: list[TableListener] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def tables(self) -> list[SharedTableView]:
        """The last snapshots of all followed tables, by name."""
        return [self._snapshots[table] for table in sorted(self._snapshots)]

    def add_table_listener(self, listener: TableListener) -> None:
        """Call a listener after each change of a table."""
        self._table_listeners.append(listener)

    def add_chain_listener(self, listener: ChainListener) -> None:
        """Call a listener after each change of a chain: of a table, tabulator, jackpot, or the card room."""
        self._chain_listeners.append(listener)

    def notify_chains(self, *chains: str) -> None:
        """Notify listeners about these chains."""
        for listener in self._chain_listeners:
            listener(chains)

    def notify_table(self, table: str, version: int = _LATEST_VERSION) -> None:
        """Read a table after a change. With a version, a table that was already read at that version is not read
        again."""
        if self._versions.get(table, 0) >= version:
            return
        if table in self._reading:
            # Read again after the current read, unless that has the version.
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
            log.warning("a table cannot be read", extra={"table": table, "fault": format_error(fault)})
            self._versions.pop(table, None)  # so that the next poll finds it
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
        snapshot = self._card_room.view_table(table)
        return snapshot, {player: encode_frame(snapshot.to_json(player)) for player in viewers}

    async def begin(self) -> None:
        """Read every table."""
        await self.poll()
        await asyncio.gather(*self._tasks)

    async def run(self) -> None:
        """Notify moved meters and poll changes by other processes, repeatedly."""
        took, polled_at = 0.0, time.monotonic()
        while True:
            await asyncio.sleep(self._interval)
            self._notify_meters()
            self._read_remote_tables()
            poll_interval = NOTIFIED_POLL_SECONDS if self.is_notified and not self._is_incomplete else 0.0
            if time.monotonic() - polled_at < max(took * _POLL_TIME_SHARE, poll_interval):
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
        """Whether this server needs a table at once: it has viewers here, this server runs it, or it is new."""
        return table not in self._versions or self._event_hub.is_watched(table) or table in self.local_tables()

    def _read_remote_tables(self) -> None:
        """Read the deferred tables of other servers. A player who is called there may be connected here."""
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
        """Follow a table for a new viewer."""
        if table not in self._versions:
            self.notify_table(table)

    async def poll(self) -> None:
        """Find changes by other processes."""
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
        versions = self._card_room.read_table_versions(excluded_prefix=PRACTICE_PREFIX)
        versions |= {table: self._card_room.read_table_version(table) for table in watched}
        return versions, self._card_room.read_house_versions()
