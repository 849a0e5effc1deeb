"""Verification of all books in another process, while the room plays on: how far it is, and what it came to."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.kept.exported_heads import Outside
from cardroom.floor.verification.heads_text import against_words, outside_words
from cardroom.floor.verification.telling import verified
from cardroom.floor.verification.whole import verify_floor
from cardroom.jackpots.setup.calendar import open_calendar
from cardroom.ledger import Ledger, LedgerDamaged, LedgerUnavailable, open_ledger, system_clock
from cardroom.machine_config import NO_DESTINATION, HeadsDestination

NICE: Final = 10
_FELL: Final = "The verification ended before it was through: begin it again."


class Progress(NamedTuple):
    """A verification as it stands."""

    running: bool = False
    done: int = 0
    """Events that were read."""
    total: int = 0
    sentence: str = ""
    """What it came to; empty until then."""
    whole: bool = False
    ended: int = 0
    """When it ended, by the room's clock."""


class Verification:
    """One at a time; the last one is remembered."""

    def __init__(self, url: str, clock: Any, heads: HeadsDestination = NO_DESTINATION) -> None:
        self._url, self._clock, self._heads = url, clock, heads
        self._lock = threading.Lock()
        self._process: Any = None
        self._number = 0
        self.progress = Progress()

    def begin(self) -> None:
        """Begin, unless one is under way."""
        with self._lock:
            if self.progress.running:
                return
            spawn = multiprocessing.get_context("spawn")
            ours, theirs = spawn.Pipe(duplex=False)
            self._process = spawn.Process(target=_verify, args=(self._url, theirs, self._heads), daemon=True)
            self._process.start()
            theirs.close()
            self._number += 1
            self.progress = Progress(running=True)
            threading.Thread(target=self._hear, args=(self._number, ours), daemon=True).start()

    def cancel(self) -> None:
        """Give it up."""
        with self._lock:
            if self.progress.running:
                self._process.kill()
                self._number += 1
                self.progress = Progress(sentence="It was given up: nothing was found out.", ended=self._clock())

    def _hear(self, number: int, line: Connection) -> None:
        with suppress(EOFError, OSError):
            while True:
                told: Progress = line.recv()
                self._note(number, told)
        with self._lock:
            if self._number == number and self.progress.running:
                self.progress = Progress(sentence=_FELL, ended=self._clock())

    def _note(self, number: int, told: Progress) -> None:
        with self._lock:
            if self._number == number:
                self.progress = told if told.running else told._replace(ended=self._clock())


def _verify(url: str, line: Connection, heads: HeadsDestination) -> None:
    """In the other process. Ctrl-C is for the server: this one goes when the line is cut."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.nice(NICE)
    try:
        with open_ledger(url, may_create=False) as ledger:
            total = sum(ledger.chain_lengths().values())

            def tell(done: int) -> None:
                line.send(Progress(True, min(done, total), total))

            tell(0)
            begun = perf_counter()
            report = verify_floor(ledger, tell)
            outside = _outside(ledger, heads)
            sentence = verified(report, perf_counter() - begun, tuple(against_words(outside)))
            calendar = Floor(ledger).calendar if outside.known else open_calendar()
            sentence = " ".join([sentence, *outside_words(outside, system_clock(), calendar)])
    except LedgerUnavailable as fault:
        line.send(Progress(sentence=str(fault)))
        return
    line.send(Progress(False, total, total, sentence, report.is_whole and outside.holds))


def _outside(ledger: Ledger, heads: HeadsDestination) -> Outside:
    """Exported heads compared with the database; a damaged database cannot say which heads it signed."""
    try:
        return Floor(ledger).outside_heads(heads)
    except (BadInput, LedgerDamaged):
        return Outside(known=False)
