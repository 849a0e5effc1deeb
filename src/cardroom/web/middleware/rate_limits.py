"""Rate limits: token buckets by key, wrong passwords by address, and the limits of requests.

A bucket is stored as the time at which it is full again. A full bucket is the same as an unknown one and is dropped, so
memory is bounded and a request costs one dictionary lookup.

Wrong passwords count by address, for any login. A password is counted before it is compared and returned if it was
right.

>>> now = 0.0
>>> attempts = PasswordAttempts(Rate(1 / 6, 3), lambda: now)
>>> [attempts.begin("192.0.2.7") for _ in range(4)], attempts.begin("192.0.2.8")
([0.0, 0.0, 0.0, 6.0], 0.0)
>>> attempts.give_back("192.0.2.7")
>>> attempts.begin("192.0.2.7")
0.0

Ordinary players never reach the limits. A program at a practice table plays about 50 rounds a second, with about five
requests a round. Callers without a token share a limit by address, which may be a room full of viewers behind one
router.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from cardroom.room.user.state import sign_in_place

Seconds = Callable[[], float]
"""A monotonic clock."""

MAX_BUCKETS: Final = 50_000


class Rate(NamedTuple):
    """A steady rate and a burst."""

    per_second: float
    burst: int


class TokenBuckets:
    """One bucket for each key.

    >>> now = 0.0
    >>> buckets = TokenBuckets(Rate(2, 3), lambda: now)
    >>> [buckets.take("ann") for _ in range(5)], buckets.take("bob")
    ([0.0, 0.0, 0.0, 0.5, 0.5], 0.0)
    >>> now = 0.5
    >>> buckets.take("ann"), buckets.take("ann"), buckets.give_back("ann"), buckets.take("ann")
    (0.0, 0.5, None, 0.0)
    """

    def __init__(self, rate: Rate, clock: Seconds = time.monotonic, max_keys: int = MAX_BUCKETS) -> None:
        self._each = 1 / rate.per_second
        self._room = rate.burst / rate.per_second
        self._clock, self._max_keys = clock, max_keys
        self._full_again: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._full_again)

    def take(self, name: str) -> float:
        """Take a token: 0, or the seconds until one is free. A refused attempt costs nothing."""
        now = self._clock()
        full = max(self._full_again.get(name, now), now) + self._each
        late = full - now - self._room
        if late > 1e-9:
            return late
        self._keep(name, full, now)
        return 0.0

    def give_back(self, name: str) -> None:
        """Return a token."""
        full = self._full_again.get(name)
        if full is not None:
            self._full_again[name] = full - self._each

    def _keep(self, name: str, full: float, now: float) -> None:
        if len(self._full_again) >= self._max_keys and name not in self._full_again:
            self._full_again = {key: until for key, until in self._full_again.items() if until > now}
            if len(self._full_again) >= self._max_keys // 2:  # too many keys: reset all buckets
                self._full_again.clear()
        self._full_again[name] = full


class ConnectionCounts:
    """The number of open connections by key.

    >>> counts = ConnectionCounts(2)
    >>> [counts.take("ann") for _ in range(3)], counts.give_back("ann"), counts.take("ann")
    ([True, True, False], None, True)
    """

    def __init__(self, max_per_key: int) -> None:
        self._max_per_key = max_per_key
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def take(self, name: str) -> bool:
        """Count one more connection; False if the limit is reached."""
        if self._open[name] >= self._max_per_key:
            return False
        self._open[name] += 1
        return True

    def give_back(self, name: str) -> None:
        """Count one connection less."""
        self._open[name] -= 1
        if self._open[name] <= 0:
            del self._open[name]


TEN_PER_MINUTE: Final = Rate(10 / 60, 10)


class PasswordAttempts:
    """Ten wrong passwords a minute from one address, then one every six seconds."""

    def __init__(self, rate: Rate = TEN_PER_MINUTE, clock: Seconds = time.monotonic) -> None:
        self._buckets = TokenBuckets(rate, clock)

    def begin(self, address: str) -> float:
        """Count a password: 0, or the seconds to wait before the next one from the address."""
        return self._buckets.take(sign_in_place(address))

    def give_back(self, address: str) -> None:
        """Return the count: the password was right or was not compared."""
        self._buckets.give_back(sign_in_place(address))


DEVICES: Final = "/api/v1/devices/"


class RequestLimits(NamedTuple):
    """The limits of requests, which an operator may change."""

    calls: Rate = Rate(500, 2_000)
    """Requests of a player or a device."""
    calls_without_token: Rate = Rate(200, 1_000)
    """Requests without a token from one address."""
    guests: Rate = Rate(0.5, 30)
    """New guests from one address. The machine itself has no limit, because programs admit many guests to a demo."""
    connections: int = 400
    """Open pages and streams of a player or a device."""
    connections_without_token: int = 500
    """Open pages and streams without a token from one address."""
    body: int = 64 * 1024
    """Bytes. A table's setup, the longest body, has a few thousand."""
    body_of_device: int = 1 << 20
    """Bytes. A data logger that was offline sends all its records at once."""
    address: int = 8 * 1024
    """Bytes of a URL with its query."""
    head: int = 32 * 1024
    """Bytes of all headers."""

    def body_at(self, path: str) -> int:
        """The size limit of a body for a path."""
        return self.body_of_device if path.startswith(DEVICES) else self.body


DEFAULT_LIMITS: Final = RequestLimits()
