"""Wrong passwords by address: an address that guesses has to wait, whatever logins it tries.

A password is counted before it is compared, and given back when it was the right one.

>>> now = 0.0
>>> attempts = Attempts(Rate(1 / 6, 3), lambda: now)
>>> [attempts.begin("192.0.2.7") for _ in range(4)], attempts.begin("192.0.2.8")
([0.0, 0.0, 0.0, 6.0], 0.0)
>>> attempts.give_back("192.0.2.7")
>>> attempts.begin("192.0.2.7")
0.0
"""

from __future__ import annotations

import time
from typing import Final

from cardroom.floor.people.places import place_of
from cardroom.web.doors.buckets import Buckets, Rate, Seconds

TEN_A_MINUTE: Final = Rate(10 / 60, 10)


class Attempts:
    """Ten wrong passwords a minute from one address; then one every six seconds."""

    def __init__(self, rate: Rate = TEN_A_MINUTE, clock: Seconds = time.monotonic) -> None:
        self._typed = Buckets(rate, clock)

    def begin(self, address: str) -> float:
        """Count a password; otherwise the seconds to wait until one may be typed at an address."""
        return self._typed.take(place_of(address))

    def give_back(self, address: str) -> None:
        """It was the right one, or it was never compared."""
        self._typed.give_back(place_of(address))
