"""Verification of the ledger in another process during play, and the regular export of signed heads.

Of several servers with one database, the one with the lease exports the heads.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.ledger import Clock, Ledger, LedgerDamaged, LedgerUnavailable, open_ledger, system_clock
from cardroom.machine_config import NO_DESTINATION, HeadsDestination
from cardroom.room.setup.calendar import open_calendar
from cardroom.service import CardRoom
from cardroom.service.chains.names import HEADS_CHAIN
from cardroom.service.commands.heads import HeadsExportResult
from cardroom.service.queries.heads import ExportedHeads
from cardroom.service.verification.report import describe_contradictions, describe_exported_heads, describe_verification
from cardroom.service.verification.run import verify_card_room
from cardroom.web.services.lease_manager import LeaseManager

VERIFICATION_NICE: Final = 10
_INTERRUPTED: Final = "The verification was interrupted. Start it again."


class VerificationProgress(NamedTuple):
    """The progress or result of a verification."""

    running: bool = False
    done: int = 0
    """The number of checked events."""
    total: int = 0
    sentence: str = ""
    """The result; empty until the end."""
    is_intact: bool = False
    ended: int = 0
    """The time of its end."""


class VerificationJob:
    """Runs one verification at a time and keeps the last result."""

    def __init__(self, url: str, clock: Any, heads: HeadsDestination = NO_DESTINATION) -> None:
        self._url, self._clock, self._heads = url, clock, heads
        self._lock = threading.Lock()
        self._process: Any = None
        self._number = 0
        self.progress = VerificationProgress()

    def begin(self) -> None:
        """Start a verification, unless one is running."""
        with self._lock:
            if self.progress.running:
                return
            spawn = multiprocessing.get_context("spawn")
            ours, theirs = spawn.Pipe(duplex=False)
            self._process = spawn.Process(target=_run_verification, args=(self._url, theirs, self._heads), daemon=True)
            self._process.start()
            theirs.close()
            self._number += 1
            self.progress = VerificationProgress(running=True)
            threading.Thread(target=self._receive, args=(self._number, ours), daemon=True).start()

    def cancel(self) -> None:
        """Cancel the verification."""
        with self._lock:
            if self.progress.running:
                self._process.kill()
                self._number += 1
                self.progress = VerificationProgress(
                    sentence="The verification was canceled without a result.", ended=self._clock()
                )

    def _receive(self, number: int, connection: Connection) -> None:
        with suppress(EOFError, OSError):
            while True:
                progress: VerificationProgress = connection.recv()
                self._record(number, progress)
        with self._lock:
            if self._number == number and self.progress.running:
                self.progress = VerificationProgress(sentence=_INTERRUPTED, ended=self._clock())

    def _record(self, number: int, progress: VerificationProgress) -> None:
        with self._lock:
            if self._number == number:
                self.progress = progress if progress.running else progress._replace(ended=self._clock())


def _run_verification(url: str, connection: Connection, heads: HeadsDestination) -> None:
    """Verify in the other process. It ignores Ctrl-C and ends when its connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.nice(VERIFICATION_NICE)
    try:
        with open_ledger(url, may_create=False) as ledger:
            total = sum(ledger.chain_lengths().values())

            def report_progress(done_count: int) -> None:
                connection.send(VerificationProgress(True, min(done_count, total), total))

            report_progress(0)
            started_at = perf_counter()
            report = verify_card_room(ledger, report_progress)
            exported = _exported_heads(ledger, heads)
            sentence = describe_verification(
                report, perf_counter() - started_at, tuple(describe_contradictions(exported))
            )
            calendar = CardRoom(ledger).calendar if exported.known else open_calendar()
            sentence = " ".join([sentence, *describe_exported_heads(exported, system_clock(), calendar)])
    except LedgerUnavailable as fault:
        connection.send(VerificationProgress(sentence=str(fault)))
        return
    connection.send(
        VerificationProgress(False, total, total, sentence, report.is_consistent and exported.is_consistent)
    )


def _exported_heads(ledger: Ledger, heads: HeadsDestination) -> ExportedHeads:
    """Exported heads compared with the database; a damaged database cannot say which heads it signed."""
    try:
        return CardRoom(ledger).heads.check_exported(heads)
    except (BadInput, LedgerDamaged):
        return ExportedHeads(known=False)


log = logging.getLogger(__name__)

MINUTE: Final = 60_000_000
"""A minute in microseconds."""


class HeadExporter:
    """Exports heads. A destination that fails never stops play: the next export sends what it lacks."""

    def __init__(
        self,
        card_room: CardRoom,
        lease_manager: LeaseManager,
        destination: HeadsDestination,
        clock: Clock,
        interval: float,
        notify: Callable[[Collection[str]], None],
    ) -> None:
        self._card_room, self._lease_manager, self._clock, self._interval, self._notify = (
            card_room,
            lease_manager,
            clock,
            interval,
            notify,
        )
        self.destination = destination
        self._due_at = 0
        self.export_count = 0
        """The number of checks."""
        if destination:
            lease_manager.add_chain(HEADS_CHAIN)

    async def run(self) -> None:
        """Export when it is due, as long as this server has the lease."""
        while True:
            if (
                self.destination
                and self._clock() >= self._due_at
                and self._lease_manager.lease_of(HEADS_CHAIN) is not None
            ):
                self._due_at = self._clock() + self.destination.every_minutes * MINUTE
                await asyncio.to_thread(self.export)
                self._notify((HEADS_CHAIN,))
            self.export_count += 1
            await asyncio.sleep(self._interval)

    def export(self) -> HeadsExportResult | None:
        """Export once, under this server's lease; None where the database or the key does not allow it now."""
        lease = self._lease_manager.lease_of(HEADS_CHAIN)
        if lease is None:
            return None
        try:
            exported = self._card_room.heads.export(self.destination, lease=lease)
        except (LedgerUnavailable, LedgerDamaged, BadInput) as fault:
            log.warning("heads were not exported", extra={"fault": str(fault)})
            return None
        for sentence in exported.errors:
            log.warning("a destination of heads is late", extra={"fault": sentence})
        return exported
