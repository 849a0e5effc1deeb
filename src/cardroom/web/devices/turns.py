"""Whose turn it is: no device takes the time of the others, however much it sends.

Each token has a bucket that fills up with time. A call takes a little out of it, one that is refused takes more; who
finds it empty is told to wait, before anybody has looked at the books. And no token has more than a few calls under
way.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from cardroom.web.devices.tokens import Holder

_MOST_KNOWN: Final = 5_000
"""Tokens that are remembered."""


class Allowed(NamedTuple):
    """What one device may do."""

    at_once: int = 4
    """Calls that are under way at the same time."""
    streams: int = 8
    """Streams that are open: those of a line that broke are noticed later."""
    a_second: float = 50
    """Calls, as a rule."""
    saved: float = 200
    """Calls that may come together after a pause."""
    refused: float = 10
    """How many calls a refused one counts for."""


@dataclass(slots=True)
class Line:
    """The calls of one token."""

    left: float
    at: float
    under_way: int = 0
    streams: int = 0
    holder: Holder | None = None
    """The device, as it was known by this token last."""

    @property
    def is_idle(self) -> bool:
        return not self.under_way and not self.streams


class Turns:
    """All lines. They are looked at in the server's own loop only."""

    def __init__(self, allowed: Allowed | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.allowed, self._clock = allowed or Allowed(), clock
        self._lines: OrderedDict[bytes, Line] = OrderedDict()

    def line(self, credentials: str) -> Line:
        """The line of a token. It is remembered by its digest."""
        name, now = sha256(credentials.encode()).digest(), self._clock()
        line = self._lines.get(name)
        if line is None:
            line = self._lines[name] = Line(self.allowed.saved, now)
            self._forget()
        self._lines.move_to_end(name)
        line.left = min(line.left + (now - line.at) * self.allowed.a_second, self.allowed.saved)
        line.at = now
        return line

    def known(self, credentials: str) -> str | None:
        """The device that was let in with a token before; the books are not asked."""
        line = self._lines.get(sha256(credentials.encode()).digest())
        return line.holder.device if line is not None and line.holder is not None else None

    def begin(self, line: Line) -> int:
        """Seconds to wait before the next call; 0 where it may begin, and then it is under way."""
        if line.left < 1:
            return max(round((1 - line.left) / self.allowed.a_second), 1)
        if line.under_way >= self.allowed.at_once:
            return 1
        line.left -= 1
        line.under_way += 1
        return 0

    def end(self, line: Line, *, refused: bool) -> None:
        """A call has been answered."""
        line.under_way -= 1
        line.left -= self.allowed.refused if refused else 0

    @contextmanager
    def following(self, line: Line) -> Iterator[bool]:
        """As long as a stream is open; whether it may be."""
        line.streams += 1
        try:
            yield line.streams <= self.allowed.streams
        finally:
            line.streams -= 1

    def _forget(self) -> None:
        """Those who were silent for longest are strangers again."""
        while len(self._lines) > _MOST_KNOWN:
            name, line = next(iter(self._lines.items()))
            if not line.is_idle:
                self._lines.move_to_end(name)
                return
            del self._lines[name]
