"""The time of an event, and the guard against a wrong clock.

The times of a chain never go back. Clocks of several servers differ a little, and a corrected clock may step back a
little. Up to `MAX_CLOCK_LAG`, the event gets the time of the one before it. A clock that is wrong by more would date
money falsely, so commands are refused until it is right again.

A clock that jumps ahead is refused until an operator confirms it. One event that is dated in the future would make
every later event of its chain "earlier than the last one", so nothing could be stored until that time. A pause is not a
jump: the machine counts the time that passes, even while it sleeps, and its count agrees with the clock. The clock is
refused only where the two disagree by more than `MAX_CLOCK_LEAD`.

The machine's count starts again when the machine starts. So the guard notes beside the events what the clock and the
count showed together. After a restart there is nothing to compare with, and a pause of up to `LONGEST_PAUSE` is
accepted without confirmation.
"""

from __future__ import annotations

import json
import time as machine
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from cardroom.ledger import schema
from cardroom.ledger.errors import ClockJumped, ClockRanBackwards
from cardroom.ledger.store import Store
from cardroom.ledger.types import Note, Time

Clock: TypeAlias = Callable[[], Time]
"""The clock of a ledger: microseconds since 1970, UTC."""

MAX_CLOCK_LAG: Final = 2_000_000
"""Microseconds that a clock may be behind the last event."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def system_clock() -> Time:
    """The machine's clock in microseconds since 1970, UTC."""
    return machine.time_ns() // 1000


def format_time(time: Time) -> str:
    """
    >>> format_time(1_700_000_000_000_000)
    '2023-11-14 22:13:20 UTC'
    """
    return f"{_EPOCH + timedelta(microseconds=time):%Y-%m-%d %H:%M:%S} UTC"


def next_event_time(now: Time, last: Time, chain: str) -> Time:
    """The time for the next event of a chain whose last event has the time `last`."""
    if now >= last:
        return now
    if last - now <= MAX_CLOCK_LAG:
        return last
    raise ClockRanBackwards(
        f"The clock shows {format_time(now)}, but the last event of {chain} happened at {format_time(last)}: set the "
        "clock. Until then nothing is stored."
    )


MAX_CLOCK_LEAD: Final = 3600 * 1_000_000
"""Microseconds by which a clock may be ahead of the time that has passed."""
LONGEST_PAUSE: Final = 31 * 24 * 3600 * 1_000_000
"""Microseconds without an event that are accepted after the machine was restarted."""
_NOTE_KEY: Final = "clock"
_BOOT_ID_FILE: Final = Path("/proc/sys/kernel/random/boot_id")


class Uptime(NamedTuple):
    """How long a machine has been running."""

    boot_id: str
    """An id of the machine's start; empty where the machine gives none."""
    elapsed: Time
    """Microseconds that have passed since then, sleep included."""


UptimeClock = Callable[[], Uptime]


def machine_uptime() -> Uptime:
    """The uptime of this machine."""
    clock_id = getattr(machine, "CLOCK_BOOTTIME", None)
    elapsed = machine.monotonic_ns() if clock_id is None else machine.clock_gettime_ns(clock_id)
    return Uptime(_read_boot_id(), elapsed // 1000)


def _read_boot_id() -> str:
    try:
        return _BOOT_ID_FILE.read_text().strip()
    except OSError:
        return ""


class _ClockReading(NamedTuple):
    """A moment at which the clock was accepted."""

    time: Time
    uptime: Uptime

    def clock_lead(self, now: Time, uptime: Uptime) -> Time | None:
        """By how much the clock advanced more than the time that passed; None after a restart."""
        if not uptime.boot_id or uptime.boot_id != self.uptime.boot_id:
            return None
        return (now - self.time) - (uptime.elapsed - self.uptime.elapsed)


class ClockGuard:
    """Compares the clock with the time that has passed. It is used by one thread at a time."""

    def __init__(self, store: Store, clock: Clock, uptime: UptimeClock) -> None:
        self._store, self._clock, self._uptime = store, clock, uptime
        self._last_reading: _ClockReading | None = None
        """In this process."""
        self._first_reading: _ClockReading | None = None
        """When this process found the ledger empty."""

    def check(self) -> None:
        """Refuse a clock that has jumped ahead."""
        now, uptime = self._clock(), self._uptime()
        if self._last_reading is not None:
            lead = self._last_reading.clock_lead(now, uptime)
            if lead is not None and lead <= MAX_CLOCK_LEAD:
                return
        saved_reading = self._load_reading()
        reference = saved_reading or self._first_reading
        lead = reference.clock_lead(now, uptime) if reference else None
        is_plausible = lead is not None and lead <= MAX_CLOCK_LEAD
        if saved_reading is None or not is_plausible:
            newest = self._newest_event_time()
            if not newest:  # nothing is noted in a ledger that is never used
                self._first_reading = _ClockReading(now, uptime)
                return
            if not is_plausible and now - newest > (LONGEST_PAUSE if lead is None else MAX_CLOCK_LEAD):
                raise ClockJumped(
                    f"The clock shows {format_time(now)}, but the last event happened at {format_time(newest)}, and "
                    "the machine did not count that much time. Nothing is stored until the clock is set, or an "
                    "operator confirms the time."
                )
            self._save_reading(now, uptime)
        self._last_reading = _ClockReading(now, uptime)

    def confirm(self) -> None:
        """Accept the clock as it is now."""
        now, uptime = self._clock(), self._uptime()
        self._save_reading(now, uptime)
        self._last_reading = _ClockReading(now, uptime)

    def _newest_event_time(self) -> Time:
        with self._store.read() as reader:
            return reader.newest_event_time()

    def _load_reading(self) -> _ClockReading | None:
        with self._store.read() as reader:
            row = next(iter(reader.rows(schema.notes, {"about": _NOTE_KEY})), None)
        if row is None:
            return None
        content = json.loads(row[2])
        return _ClockReading(content["time"], Uptime(content["boot"], content["passed"]))

    def _save_reading(self, now: Time, uptime: Uptime) -> None:
        text = json.dumps({"time": now, "boot": uptime.boot_id, "passed": uptime.elapsed})
        self._store.save_notes([Note(_NOTE_KEY, now, text)])
