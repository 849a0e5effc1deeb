"""The time of an event.

The times of a chain never go back. Clocks of several servers differ a little, and a clock that is set right may step
back a little: as long as that is less than `HELD`, the event gets the time of the one before it. A clock that is wrong
by more would date money falsely, so commands are refused until it is right again.
"""

from __future__ import annotations

import time as machine
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from cardroom.ledger.faults import ClockRanBackwards
from cardroom.ledger.records import Time

Clock: TypeAlias = Callable[[], Time]
"""What a ledger asks for the time: microseconds since 1970, UTC."""

HELD: Final = 2_000_000
"""Microseconds that a clock may be behind the last event."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def system_clock() -> Time:
    """The machine's clock in microseconds since 1970, UTC."""
    return machine.time_ns() // 1000


def in_words(time: Time) -> str:
    """
    >>> in_words(1_700_000_000_000_000)
    '2023-11-14 22:13:20 UTC'
    """
    return f"{_EPOCH + timedelta(microseconds=time):%Y-%m-%d %H:%M:%S} UTC"


def not_before(now: Time, last: Time, chain: str) -> Time:
    """The time for the next event of a chain whose last event has the time `last`."""
    if now >= last:
        return now
    if last - now <= HELD:
        return last
    raise ClockRanBackwards(
        f"The clock says {in_words(now)}, but the last event of {chain} happened at {in_words(last)}: set the clock "
        "right. Until then nothing is stored."
    )
