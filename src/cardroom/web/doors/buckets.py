"""How often somebody may do something: a bucket of tokens each, which fills up again at a steady rate.

Of a bucket only the moment is kept at which it will be full again; one that is full is as good as one that nobody has
ever seen, and is forgotten. So the memory is bounded, and a call costs one look into a dictionary.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

Seconds = Callable[[], float]
"""A clock that nobody sets."""

MOST_KEPT: Final = 50_000


class Rate(NamedTuple):
    """So many a second for ever, and so many at once."""

    a_second: float
    at_once: int


class Buckets:
    """One bucket for each name.

    >>> now = 0.0
    >>> buckets = Buckets(Rate(2, 3), lambda: now)
    >>> [buckets.take("ann") for _ in range(5)], buckets.take("bob")
    ([0.0, 0.0, 0.0, 0.5, 0.5], 0.0)
    >>> now = 0.5
    >>> buckets.take("ann"), buckets.take("ann"), buckets.give_back("ann"), buckets.take("ann")
    (0.0, 0.5, None, 0.0)
    """

    def __init__(self, rate: Rate, clock: Seconds = time.monotonic, most: int = MOST_KEPT) -> None:
        self._each = 1 / rate.a_second
        self._room = rate.at_once / rate.a_second
        self._clock, self._most = clock, most
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
        if len(self._full_again) >= self._most and name not in self._full_again:
            self._full_again = {one: until for one, until in self._full_again.items() if until > now}
            if len(self._full_again) >= self._most // 2:  # more callers than anybody can count: all begin anew
                self._full_again.clear()
        self._full_again[name] = full


class Lines:
    """How many lines somebody keeps open.

    >>> lines = Lines(2)
    >>> [lines.take("ann") for _ in range(3)], lines.give_back("ann"), lines.take("ann")
    ([True, True, False], None, True)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def take(self, name: str) -> bool:
        """Take one more; whether there was one left."""
        if self._open[name] >= self._most:
            return False
        self._open[name] += 1
        return True

    def give_back(self, name: str) -> None:
        """One less; who has none is forgotten."""
        self._open[name] -= 1
        if self._open[name] <= 0:
            del self._open[name]
