"""Decides which tables this server runs when several servers share one database.

Every server answers every page and every command. But the clock, the bots, and the absence timer act at a table only on
the server that has its lease. The lease manager asks for a lease of every table that has something to run, reports
twice a second that this server is alive, and takes over the tables of a server that has stopped.

A practice table belongs to its owner alone: the server that handled its last command runs it, with no handover.

The database listener forwards the notifications of PostgreSQL, so that all servers see each commit at once. SQLite has
no notifications, so the change feed polls often. With notifications it polls seldom, and often while the listener is
disconnected.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Final, ParamSpec, TypeVar

from cardroom.ledger import Lease, LedgerDamaged, LedgerUnavailable, Notification
from cardroom.ledger.errors import format_error
from cardroom.ledger.leases import HEARTBEAT_SECONDS
from cardroom.ledger.store import Store
from cardroom.service import SharedTableView, TablePhase
from cardroom.service.chains.names import parse_table_chain, table_chain
from cardroom.web.services.change_feed import ChangeFeed

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

SHARE_SECONDS: Final = 2.0
"""Seconds between two checks whether another server has fewer tables."""
IDLE_SECONDS: Final = 60.0
"""Seconds without activity until a practice table needs no server."""
BATCH_SECONDS: Final = 0.01
"""Seconds in which lease requests are collected."""


class LeaseManager:
    """The leases of this server."""

    def __init__(self, store: Store, change_feed: ChangeFeed) -> None:
        self._lease_book, self._change_feed = store.lease_registry(f"{socket.gethostname()}/{os.getpid()}"), change_feed
        self._executor = ThreadPoolExecutor(1, "lease-manager")
        self._leases: Mapping[str, Lease] = {}
        self._tables: frozenset[str] = frozenset()
        self._requested: frozenset[str] = frozenset()
        self._extra_chains: tuple[str, ...] = ()
        """Chains other than tables that one server handles."""
        self._active_at: dict[str, float] = {}
        """The last activity of each practice table."""
        self._shared_at = 0.0
        self.renewal_count = 0
        """The number of renewals."""
        self.fault: Exception | None = None
        """The error of the last renewal; None if it succeeded."""
        self._wake = asyncio.Event()
        self._ended = threading.Event()
        self._leaving: Future[None] = Future()
        change_feed.add_table_listener(self.on_table_change)
        change_feed.local_tables = self.tables

    @property
    def name(self) -> str:
        """The name of this server process."""
        return self._lease_book.name

    def set_label(self, label: str) -> None:
        """Set the label of this server for people."""
        self._lease_book.label = label

    def __len__(self) -> int:
        return len(self._tables)

    def add_chain(self, chain: str) -> None:
        """Request the lease of a chain other than a table."""
        self._extra_chains = (*self._extra_chains, chain)

    def lease_of(self, chain: str) -> Lease | None:
        """The lease of a chain, if this server has it."""
        return self._leases.get(chain)

    def tables(self) -> frozenset[str]:
        """The tables that this server runs."""
        return self._tables

    def _set_leases(self, leases: Mapping[str, Lease]) -> None:
        self._leases, self._tables = leases, frozenset(filter(None, map(parse_table_chain, leases)))

    def lease(self, table: str) -> Lease | None:
        """The lease under which this server acts at a table, if it runs it."""
        return self._leases.get(table_chain(table))

    def drop_lease(self, lease: Lease) -> None:
        """Forget a lease that the database no longer accepts."""
        if self._leases.get(lease.chain) == lease:
            self._set_leases({chain: held_lease for chain, held_lease in self._leases.items() if chain != lease.chain})

    def on_table_change(self, snapshot: SharedTableView) -> None:
        """Request a lease at once if a changed table needs one."""
        table = snapshot.state.table
        if snapshot.state.terms.owner:
            self._active_at[table] = time.monotonic()
        if table_chain(table) not in self._requested and self._is_wanted(snapshot):
            self._wake.set()

    def wake(self) -> None:
        """Renew now, because leases have changed."""
        self._wake.set()

    async def begin(self) -> None:
        """Take free leases."""
        await self._renew()

    async def run(self) -> None:
        """Renew the leases repeatedly."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._wake.wait()
                    await asyncio.sleep(BATCH_SECONDS)
            self._wake.clear()
            try:
                await self._renew()
                await self._share()
                self.fault = None
            except (LedgerUnavailable, LedgerDamaged) as fault:
                self.fault = fault
                log.warning("leases cannot be renewed", extra={"fault": format_error(fault)})
                await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _renew(self) -> None:
        if self._ended.is_set():
            return
        chains = [*self._extra_chains, *self._wanted_chains()]
        self._requested = frozenset(chains)
        leases = await self._run(self._lease_book.renew, chains)
        if self._ended.is_set():
            return
        new = [chain for chain in leases if self._leases.get(chain) != leases[chain]]
        self._set_leases(leases)
        for table in filter(None, map(parse_table_chain, new)):
            self._change_feed.notify_table(table)  # so that timers and bots check what is due
        self.renewal_count += 1

    async def _share(self) -> None:
        if self._ended.is_set() or time.monotonic() - self._shared_at < SHARE_SECONDS:
            return
        self._shared_at = time.monotonic()
        released = await self._run(
            self._lease_book.rebalance,
            [chain for chain in self._wanted_chains(include_private=False) if chain in self._leases],
        )
        if released:
            log.info("tables were released to another server", extra={"tables": len(released)})
            self._set_leases({chain: lease for chain, lease in self._leases.items() if chain not in released})

    def _wanted_chains(self, *, include_private: bool = True) -> list[str]:
        """The chains of all tables with something to run. Idle tables come last, because they are released first."""
        now = time.monotonic()
        self._active_at = {table: at for table, at in self._active_at.items() if now - at < IDLE_SECONDS}
        snapshots = sorted(filter(self._is_wanted, self._change_feed.tables()), key=_is_idle)
        return [
            table_chain(snapshot.state.table)
            for snapshot in snapshots
            if include_private or not snapshot.state.terms.owner
        ]

    def _is_wanted(self, snapshot: SharedTableView) -> bool:
        state = snapshot.state
        if state.terms.owner and (
            state.table not in self._active_at or not any(occupant.is_bot for occupant in state.seats)
        ):
            return False
        return not state.closed and bool(state.seats)

    async def _run(self, operation: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._executor, lambda: operation(*args, **kwargs))

    def leave(self) -> None:
        """Go: other servers take over as soon as the books know of it."""
        if not self._ended.is_set():
            self._ended.set()
            self._set_leases({})
            self._leaving = self._executor.submit(self._lease_book.leave)

    async def end(self) -> None:
        """Be gone."""
        self.leave()
        with suppress(LedgerUnavailable, LedgerDamaged):
            await asyncio.wrap_future(self._leaving)
        await asyncio.to_thread(self._executor.shutdown)
        self._lease_book.close()


def _is_idle(snapshot: SharedTableView) -> bool:
    return snapshot.state.phase is not TablePhase.PLAYING and not snapshot.state.seat_wagers


RECONNECT_SECONDS: Final = 0.5
"""Seconds until a lost connection is retried."""


class DatabaseListener:
    """Forwards database notifications."""

    def __init__(self, store: Store, change_feed: ChangeFeed, lease_manager: LeaseManager) -> None:
        self._store, self._change_feed, self._lease_manager = store, change_feed, lease_manager

    async def run(self) -> None:
        """Forward notifications until the connection is lost. The caller runs it again."""
        notifications = self._store.notifications()
        if notifications is None:
            await asyncio.Event().wait()
            return
        try:
            async with aclosing(notifications):
                async for notification in notifications:
                    await self._forward(notification)
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning("database notifications are unavailable", extra={"fault": format_error(fault)})
        finally:
            self._change_feed.is_notified = False
        await asyncio.sleep(RECONNECT_SECONDS)

    async def _forward(self, notification: Notification) -> None:
        if notification.has_gap:
            self._change_feed.is_notified = True
            await self._change_feed.poll()
            self._lease_manager.wake()
        if notification.chain_lengths:
            self._change_feed.on_versions(notification.chain_lengths)
        if notification.leases_changed:
            self._lease_manager.wake()
