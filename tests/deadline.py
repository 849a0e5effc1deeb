"""One limit for everything that a test waits for.

A test waits for a state, never for a time. The limit is so generous that only a test that fails ever reaches it: it
decides how long a failure takes, not whether there is one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

LIMIT: Final = 60.0
"""Seconds."""
LIMIT_MS: Final = 1_000 * LIMIT
_PAUSE: Final = 0.005


class Deadline:
    """The end of the limit, for a loop that reads something until it is whole."""

    def __init__(self) -> None:
        self._end = time.monotonic() + LIMIT  # cannot fail: only a failing test reaches the limit

    @property
    def left(self) -> float:
        """Seconds, and never none at all: what is there already can still be read."""
        return max(self._end - time.monotonic(), 0.01)  # cannot fail: only a failing test reaches the limit

    def check(self, missing: str) -> None:
        """Fail when the limit is reached, and name what never came.

        >>> Deadline().check("the next view")
        """
        assert time.monotonic() < self._end, f"{missing} never came"  # cannot fail: only a failing test reaches it


def wait_until(state: Callable[[], T], missing: str = "the state") -> T:
    """Ask for a state again and again until it is true, and return it.

    >>> wait_until(iter(["", "ready"]).__next__)
    'ready'
    """
    deadline = Deadline()
    while not (reached := state()):
        deadline.check(missing)
        time.sleep(_PAUSE)  # cannot fail: the state is asked for again
    return reached


async def wait_in_loop(state: Callable[[], T], missing: str = "the state") -> T:
    """``wait_until``, while the event loop goes on."""
    deadline = Deadline()
    while not (reached := state()):
        deadline.check(missing)
        await asyncio.sleep(_PAUSE)  # cannot fail: the state is asked for again
    return reached
