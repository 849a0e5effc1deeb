"""The queue of those who type a password: bounded, and fair between addresses.

To compare a password takes a core for a fifth of a second and 64 MB. Two are compared at a time, one for each address.
Addresses where a person has signed in before wait in one line, all others in another: the two lines take turns, and
each has its own places, so that strangers neither fill the first line nor hold it up, from however many addresses they
come. Within a line addresses take turns: a flood from one address delays that address. When a line is full, the address
that has the most waiting there gives up its newest, so that another address gets in, as long as one has two waiting.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager
from typing import Final

from cardroom.errors import BadInput
from cardroom.web.middleware.rejections import RateLimited

MAX_CONCURRENT: Final = 2
MAX_WAITING: Final = 64
"""In each of the two lines."""
MAX_PER_ADDRESS: Final = 16
"""Waiting from one address."""
_WAIT: Final = 5.0
"""Seconds after which a caller who was refused may try again."""


class QueueFull(BadInput):
    """More people sign in at the same moment than the server can check."""

    def __init__(self) -> None:
        super().__init__("Too many people are signing in right now: wait a few seconds, and try again.")
        self.wait = _WAIT


class _AddressQueue:
    """Addresses that take turns; the one that had its turn longest ago is first."""

    def __init__(self, max_waiting: int, max_per_address: int) -> None:
        self._max_waiting, self._max_per_address = max_waiting, max_per_address
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def enter(self, place: str) -> asyncio.Future[None]:
        """Wait here: the result is set when it is the caller's turn."""
        own_count = len(self._waiting.get(place, ()))
        if own_count >= self._max_per_address:
            raise RateLimited(
                "Too many sign-ins from your address are waiting: wait a few seconds, and try again.", _WAIT
            )
        if len(self) >= self._max_waiting:
            self._make_room(own_count)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(place, deque()).append(turn)
        return turn

    def _make_room(self, own_count: int) -> None:
        longest = max(self._waiting, key=lambda place: len(self._waiting[place]))
        if len(self._waiting[longest]) <= own_count + 1:
            raise QueueFull
        newest = self._waiting[longest].pop()
        if not newest.done():
            newest.set_exception(QueueFull())

    def next_address(self, running: Container[str]) -> str | None:
        """Give the next address its turn, unless one of its passwords is being compared; None where there is none."""
        for place in list(self._waiting):
            turns = self._waiting[place]
            while turns and turns[0].done():  # a caller who has gone
                turns.popleft()
            is_called = bool(turns) and place not in running
            if is_called:
                turns.popleft().set_result(None)
                self._waiting.move_to_end(place)
            if not turns:
                del self._waiting[place]
            if is_called:
                return place
        return None

    def leave(self, place: str, turn: asyncio.Future[None]) -> bool:
        """The caller has gone; whether it was still waiting."""
        if turn not in self._waiting.get(place, ()):
            return False
        self._waiting[place].remove(turn)
        if not self._waiting[place]:
            del self._waiting[place]
        return True


class SignInQueue:
    """Who is being checked, and who waits."""

    def __init__(
        self,
        max_concurrent: int = MAX_CONCURRENT,
        max_waiting: int = MAX_WAITING,
        max_per_address: int = MAX_PER_ADDRESS,
    ) -> None:
        self._max_concurrent = max_concurrent
        self._running: set[str] = set()
        self._unknown_addresses, self._known_addresses = (
            _AddressQueue(max_waiting, max_per_address),
            _AddressQueue(max_waiting, max_per_address),
        )
        self._queues = deque((self._known_addresses, self._unknown_addresses))
        """The one whose turn it is first."""

    def __len__(self) -> int:
        return sum(map(len, self._queues))

    @asynccontextmanager
    async def turn(self, place: str, *, is_known: bool = False) -> AsyncIterator[None]:
        """Wait for a turn, and have it; ``is_known`` is a place where a person has signed in before."""
        line = self._known_addresses if is_known else self._unknown_addresses
        turn = line.enter(place)
        self._next()
        try:
            await turn
        except asyncio.CancelledError:
            if not line.leave(place, turn) and not turn.cancelled() and turn.exception() is None:
                self._end(place)  # the turn came just when the caller went
            raise
        try:
            yield
        finally:
            self._end(place)

    def _end(self, place: str) -> None:
        self._running.discard(place)
        self._next()

    def _next(self) -> None:
        """Whose turn it is now: the lines take turns."""
        while len(self._running) < self._max_concurrent:
            for line in tuple(self._queues):
                if (place := line.next_address(self._running)) is not None:
                    self._running.add(place)
                    self._queues.remove(line)
                    self._queues.append(line)
                    break
            else:
                return
