"""A clock that jumps ahead is not believed before an operator has confirmed it.

One event that is dated in the future makes every later event of its chain "earlier than the last one", so that nothing
can be stored until that time has come. A pause is no jump: the machine counts the time that passes, also while it
sleeps, and says the same as the clock. Only where the two disagree by more than `MOST_AHEAD` is the clock refused.

The machine's count begins again when it starts. So the guard notes beside the books what the clock and the count said
together. After a restart there is nothing to compare with, and a pause of `LONGEST_PAUSE` is believed without a
question.
"""

from __future__ import annotations

import json
import time as machine
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from cardroom.ledger import schema
from cardroom.ledger.clock import Clock, in_words
from cardroom.ledger.faults import ClockJumped
from cardroom.ledger.records import Note, Time
from cardroom.ledger.store import Store

MOST_AHEAD: Final = 3600 * 1_000_000
"""Microseconds by which a clock may be ahead of the time that has passed."""
LONGEST_PAUSE: Final = 31 * 24 * 3600 * 1_000_000
"""Microseconds without an event that are believed after the machine was restarted."""
_ABOUT: Final = "clock"
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


class Uptime(NamedTuple):
    """How long a machine has been running."""

    boot: str
    """The start of the machine, by a name of its own; empty where the machine gives none."""
    passed: Time
    """Microseconds that have passed since then, sleep included."""


UptimeClock = Callable[[], Uptime]


def machine_uptime() -> Uptime:
    """How long this machine has been running."""
    counted = getattr(machine, "CLOCK_BOOTTIME", None)
    passed = machine.monotonic_ns() if counted is None else machine.clock_gettime_ns(counted)
    return Uptime(_boot(), passed // 1000)


def _boot() -> str:
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""


class _Agreed(NamedTuple):
    """A moment at which the clock was believed."""

    time: Time
    uptime: Uptime

    def ahead(self, now: Time, uptime: Uptime) -> Time | None:
        """By how much the clock went on more than the time that passed; None after a restart."""
        if not uptime.boot or uptime.boot != self.uptime.boot:
            return None
        return (now - self.time) - (uptime.passed - self.uptime.passed)


class ClockGuard:
    """Compares the clock with the time that has passed. It is used by one thread at a time."""

    def __init__(self, store: Store, clock: Clock, uptime: UptimeClock) -> None:
        self._store, self._clock, self._uptime = store, clock, uptime
        self._agreed: _Agreed | None = None
        """In this process."""
        self._began: _Agreed | None = None
        """When this process found the books empty."""

    def check(self) -> None:
        """Refuse a clock that has jumped ahead."""
        now, uptime = self._clock(), self._uptime()
        if self._agreed is not None:
            ahead = self._agreed.ahead(now, uptime)
            if ahead is not None and ahead <= MOST_AHEAD:
                return
        noted = self._noted()
        known = noted or self._began
        ahead = known.ahead(now, uptime) if known else None
        agrees = ahead is not None and ahead <= MOST_AHEAD
        if noted is None or not agrees:
            newest = self._newest()
            if not newest:  # nothing is noted in books that are never used
                self._began = _Agreed(now, uptime)
                return
            if not agrees and now - newest > (LONGEST_PAUSE if ahead is None else MOST_AHEAD):
                raise ClockJumped(
                    f"The clock says {in_words(now)}, but the last event happened at {in_words(newest)}, and the "
                    "machine did not count that much time. Nothing is stored until the clock is set right, or an "
                    "operator confirms the time."
                )
            self._note(now, uptime)
        self._agreed = _Agreed(now, uptime)

    def confirm(self) -> None:
        """Believe the clock as it is now."""
        now, uptime = self._clock(), self._uptime()
        self._note(now, uptime)
        self._agreed = _Agreed(now, uptime)

    def _newest(self) -> Time:
        with self._store.reading() as now:
            return now.newest()

    def _noted(self) -> _Agreed | None:
        with self._store.reading() as now:
            row = next(iter(now.rows(schema.notes, {"about": _ABOUT})), None)
        if row is None:
            return None
        told = json.loads(row[2])
        return _Agreed(told["time"], Uptime(told["boot"], told["passed"]))

    def _note(self, now: Time, uptime: Uptime) -> None:
        text = json.dumps({"time": now, "boot": uptime.boot, "passed": uptime.passed})
        self._store.note([Note(_ABOUT, now, text)])
