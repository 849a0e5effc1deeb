"""The rota: which tables this server runs, of several on the same books.

Anybody serves any page and any command. But the clock, the company and the usher act at a table only on the server
that has its lease: the rota wants one for every felt at which there is something to run, says twice a second that this
server is there, and takes over what another server has left behind.

A practice table is its owner's alone. It is run where something happened last, and nobody hands it over.
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
from contextlib import suppress
from typing import Final, ParamSpec, TypeVar

from cardroom.floor import FeltLook, Phase
from cardroom.floor.kept.chains import felt_chain, felt_of
from cardroom.ledger import Lease, LedgerDamaged, LedgerUnavailable
from cardroom.ledger.errors import format_error
from cardroom.ledger.leases import HEARTBEAT_SECONDS
from cardroom.ledger.store import Store
from cardroom.web.room.watch import Watch

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

BETWEEN_SHARING: Final = 2.0
"""Seconds between two looks whether another server has less to do."""
QUIET: Final = 60.0
"""Seconds after which a practice table at which nothing has happened is nobody's."""
GATHERING: Final = 0.01
"""Seconds in which those who want a lease are gathered."""


class Rota:
    """Knows which tables are this server's."""

    def __init__(self, store: Store, watch: Watch) -> None:
        self._book, self._watch = store.lease_registry(f"{socket.gethostname()}/{os.getpid()}"), watch
        self._clerk = ThreadPoolExecutor(1, "rota")
        self._held: Mapping[str, Lease] = {}
        self._tables: frozenset[str] = frozenset()
        self._asked: frozenset[str] = frozenset()
        self._also: tuple[str, ...] = ()
        """Chains that are no tables, and for which one server acts."""
        self._stirred: dict[str, float] = {}
        """When something happened last at a practice table."""
        self._shared = 0.0
        self.looks = 0
        """How often it has asked for leases, and taken what was free."""
        self.fault: Exception | None = None
        """Why the last lease could not be kept; None when it was."""
        self._hurry = asyncio.Event()
        self._ended = threading.Event()
        self._leaving: Future[None] = Future()
        watch.listen(self.note)
        watch.run_here = self.tables

    @property
    def name(self) -> str:
        """This server's, of this run."""
        return self._book.name

    def call_it(self, label: str) -> None:
        """By which people know this server."""
        self._book.label = label

    def __len__(self) -> int:
        return len(self._tables)

    def also(self, chain: str) -> None:
        """Want the lease of a chain that is no table's."""
        self._also = (*self._also, chain)

    def lease_of(self, chain: str) -> Lease | None:
        """The lease of a chain, if this server has it."""
        return self._held.get(chain)

    def tables(self) -> frozenset[str]:
        """Those that this server runs."""
        return self._tables

    def _hold(self, held: Mapping[str, Lease]) -> None:
        self._held, self._tables = held, frozenset(filter(None, map(felt_of, held)))

    def lease(self, table: str) -> Lease | None:
        """The lease under which this server acts at a table, if it runs it."""
        return self._held.get(felt_chain(table))

    def lost(self, lease: Lease) -> None:
        """The books have refused something that was done under it."""
        if self._held.get(lease.chain) == lease:
            self._hold({chain: one for chain, one in self._held.items() if chain != lease.chain})

    def note(self, look: FeltLook) -> None:
        """Something has happened at a felt; where something is to be run from now on, a lease is asked for at once."""
        table = look.state.table
        if look.state.terms.owner:
            self._stirred[table] = time.monotonic()
        if felt_chain(table) not in self._asked and self._is_wanted(look):
            self._hurry.set()

    def hurry(self) -> None:
        """Leases have gone from one to another."""
        self._hurry.set()

    async def begin(self) -> None:
        """Take what is free."""
        await self._keep()

    async def run(self) -> None:
        """Say again and again that this server is there."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._hurry.wait()
                    await asyncio.sleep(GATHERING)
            self._hurry.clear()
            try:
                await self._keep()
                await self._share()
                self.fault = None
            except (LedgerUnavailable, LedgerDamaged) as fault:
                self.fault = fault
                log.warning("no leases are to be had", extra={"fault": format_error(fault)})
                await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _keep(self) -> None:
        if self._ended.is_set():
            return
        wanted = [*self._also, *self._wanted()]
        self._asked = frozenset(wanted)
        held = await self._do(self._book.renew, wanted)
        if self._ended.is_set():
            return
        new = [one for one in held if self._held.get(one) != held[one]]
        self._hold(held)
        for table in filter(None, map(felt_of, new)):
            self._watch.ring(table)  # whoever acts there looks what is due
        self.looks += 1

    async def _share(self) -> None:
        if self._ended.is_set() or time.monotonic() - self._shared < BETWEEN_SHARING:
            return
        self._shared = time.monotonic()
        gone = await self._do(self._book.rebalance, [chain for chain in self._wanted(own=False) if chain in self._held])
        if gone:
            log.info("tables go to another server", extra={"tables": len(gone)})
            self._hold({chain: one for chain, one in self._held.items() if chain not in gone})

    def _wanted(self, *, own: bool = True) -> list[str]:
        """The chains of all felts with something to run, also of those that are somebody's own; last those at which
        nothing lies, to be handed over first."""
        now = time.monotonic()
        self._stirred = {table: at for table, at in self._stirred.items() if now - at < QUIET}
        looks = sorted(filter(self._is_wanted, self._watch.felts()), key=_is_idle)
        return [felt_chain(one.state.table) for one in looks if own or not one.state.terms.owner]

    def _is_wanted(self, look: FeltLook) -> bool:
        state = look.state
        if state.terms.owner and (state.table not in self._stirred or not any(one.company for one in state.seats)):
            return False
        return not state.closed and bool(state.seats)

    async def _do(self, deed: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._clerk, lambda: deed(*args, **kwargs))

    def leave(self) -> None:
        """Go: other servers take over as soon as the books know of it."""
        if not self._ended.is_set():
            self._ended.set()
            self._hold({})
            self._leaving = self._clerk.submit(self._book.leave)

    async def end(self) -> None:
        """Be gone."""
        self.leave()
        with suppress(LedgerUnavailable, LedgerDamaged):
            await asyncio.wrap_future(self._leaving)
        await asyncio.to_thread(self._clerk.shutdown)
        self._book.close()


def _is_idle(look: FeltLook) -> bool:
    return look.state.phase is not Phase.PLAYING and not look.state.laid
