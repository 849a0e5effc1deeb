"""How often somebody may do something: a bucket of tokens each, which fills up again at a steady rate.

Of a bucket only the moment is kept at which it will be full again; one that is full is as good as one that nobody has
ever seen, and is forgotten. So the memory is bounded, and a call costs one look into a dictionary.

Wrong passwords by address: an address that guesses has to wait, whatever logins it tries.

A password is counted before it is compared, and given back when it was the right one.

>>> now = 0.0
>>> attempts = PasswordAttempts(Rate(1 / 6, 3), lambda: now)
>>> [attempts.begin("192.0.2.7") for _ in range(4)], attempts.begin("192.0.2.8")
([0.0, 0.0, 0.0, 6.0], 0.0)
>>> attempts.give_back("192.0.2.7")
>>> attempts.begin("192.0.2.7")
0.0

How often, how many and how much: the limits that nobody who plays ever meets.

A program at a practice table plays some 50 rounds a second, with some five calls a round. Whoever has no token shares a
limit with everybody at the same address: a whole room of people behind one router, who look on.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from cardroom.room.user.state import sign_in_place

Seconds = Callable[[], float]
"""A clock that nobody sets."""

MAX_BUCKETS: Final = 50_000


class Rate(NamedTuple):
    """So many a second for ever, and so many at once."""

    per_second: float
    burst: int


class TokenBuckets:
    """One bucket for each name.

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
        """Take a token: 0, or the seconds until there is one. What is refused costs nothing."""
        now = self._clock()
        full = max(self._full_again.get(name, now), now) + self._each
        late = full - now - self._room
        if late > 1e-9:
            return late
        self._keep(name, full, now)
        return 0.0

    def give_back(self, name: str) -> None:
        """Put a token back that was taken."""
        full = self._full_again.get(name)
        if full is not None:
            self._full_again[name] = full - self._each

    def _keep(self, name: str, full: float, now: float) -> None:
        if len(self._full_again) >= self._max_keys and name not in self._full_again:
            self._full_again = {key: until for key, until in self._full_again.items() if until > now}
            if len(self._full_again) >= self._max_keys // 2:  # more callers than anybody can count: all begin anew
                self._full_again.clear()
        self._full_again[name] = full


class ConnectionCounts:
    """How many lines somebody keeps open.

    >>> lines = ConnectionCounts(2)
    >>> [lines.take("ann") for _ in range(3)], lines.give_back("ann"), lines.take("ann")
    ([True, True, False], None, True)
    """

    def __init__(self, max_per_key: int) -> None:
        self._max_per_key = max_per_key
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def take(self, name: str) -> bool:
        """Take one more; whether there was one left."""
        if self._open[name] >= self._max_per_key:
            return False
        self._open[name] += 1
        return True

    def give_back(self, name: str) -> None:
        """One less; who has none is forgotten."""
        self._open[name] -= 1
        if self._open[name] <= 0:
            del self._open[name]


TEN_PER_MINUTE: Final = Rate(10 / 60, 10)


class PasswordAttempts:
    """Ten wrong passwords a minute from one address; then one every six seconds."""

    def __init__(self, rate: Rate = TEN_PER_MINUTE, clock: Seconds = time.monotonic) -> None:
        self._buckets = TokenBuckets(rate, clock)

    def begin(self, address: str) -> float:
        """Count a password; otherwise the seconds to wait until one may be typed at an address."""
        return self._buckets.take(sign_in_place(address))

    def give_back(self, address: str) -> None:
        """It was the right one, or it was never compared."""
        self._buckets.give_back(sign_in_place(address))


DEVICES: Final = "/api/v1/devices/"


class RequestLimits(NamedTuple):
    """What an operator may set otherwise."""

    calls: Rate = Rate(500, 2_000)
    """Of a player or a device."""
    calls_without_token: Rate = Rate(200, 1_000)
    """From one address."""
    guests: Rate = Rate(0.5, 30)
    """Admitted from one address. The demonstration room is reached from its own machine only, and there it is a program
    that lets many come in; so the machine itself has no such limit."""
    connections: int = 400
    """Pages and streams that a player or a device keeps open."""
    connections_without_token: int = 500
    """The same of everybody at one address who has no token."""
    body: int = 64 * 1024
    """Bytes; a table's set-up, the longest that anybody sends, has some thousand."""
    body_of_device: int = 1 << 20
    """Bytes; a data logger that was away sends all its records at once."""
    address: int = 8 * 1024
    """Bytes of an address with its question."""
    head: int = 32 * 1024
    """Bytes of all headers."""

    def body_at(self, path: str) -> int:
        """How long a body may be that is sent to an address."""
        return self.body_of_device if path.startswith(DEVICES) else self.body


DEFAULT_LIMITS: Final = RequestLimits()
