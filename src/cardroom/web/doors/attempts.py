"""Failed logins by address: who guesses is made to wait, whatever name is tried.

>>> now = 0.0
>>> attempts = Attempts(Rate(1 / 6, 3), lambda: now)
>>> for _ in range(3): attempts.failed("192.0.2.7")
>>> attempts.allows("192.0.2.7"), attempts.allows("192.0.2.8")
(6.0, 0.0)
>>> now = 6.0
>>> attempts.allows("192.0.2.7")
0.0
"""

from __future__ import annotations

import time
from typing import Final

from cardroom.web.doors.buckets import Buckets, Rate, Seconds
from cardroom.web.doors.callers import household_of

TEN_A_MINUTE: Final = Rate(10 / 60, 10)


class Attempts:
    """Ten failures a minute from one address; whoever has used them up waits for the next."""

    def __init__(self, rate: Rate = TEN_A_MINUTE, clock: Seconds = time.monotonic) -> None:
        self._failures = Buckets(rate, clock)

    def allows(self, address: str) -> float:
        """The seconds to wait until somebody at an address may try; 0 for now."""
        return self._failures.wait(household_of(address))

    def failed(self, address: str) -> None:
        """Somebody at an address has failed."""
        self._failures.take(household_of(address))
