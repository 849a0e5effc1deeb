"""The queue of password checks: bounded, and fair between addresses.

A password check uses a core for a fifth of a second and 64 MB. Two run at a time, one for each address. Addresses from
which a user has signed in before wait in one queue, all others in a second one. The two queues take turns and have
separate limits, so unknown addresses cannot fill or delay the first queue. Within a queue, addresses take turns, so a
flood from one address delays only that address. If a queue is full, the address with the most waiting checks loses its
newest one to another address, as long as it has at least two.
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
"""Waiting checks in each of the two queues."""
MAX_PER_ADDRESS: Final = 16
"""Waiting checks from one address."""
_WAIT: Final = 5.0
"""Seconds until a refused caller may try again."""


class QueueFull(BadInput):
    """More users sign in at once than the server can check."""

    def __init__(self) -> None:
        super().__init__("Too many users are signing in. Wait a few seconds and try again.")
        self.wait = _WAIT


class _AddressQueue:
    """Addresses that take turns; the one whose last turn was longest ago is first."""

    def __init__(self, max_waiting: int, max_per_address: int) -> None:
        self._max_waiting, self._max_per_address = max_waiting, max_per_address
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def enter(self, place: str) -> asyncio.Future[None]:
        """Join the queue. The result is set when it is the caller's turn."""
        own_count = len(self._waiting.get(place, ()))
        if own_count >= self._max_per_address:
            raise RateLimited(
                "Too many sign-ins from your address are waiting. Wait a few seconds and try again.", _WAIT
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
        """Give the next address its turn, unless one of its passwords is being checked; None if there is none."""
        for place in list(self._waiting):
            turns = self._waiting[place]
            while turns and turns[0].done():  # the caller has disconnected
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
        """Remove a caller who has disconnected. Return whether it was still waiting."""
        if turn not in self._waiting.get(place, ()):
            return False
        self._waiting[place].remove(turn)
        if not self._waiting[place]:
            del self._waiting[place]
        return True


class SignInQueue:
    """The running and waiting password checks."""

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
        """The queue with the next turn is first."""

    def __len__(self) -> int:
        return sum(map(len, self._queues))

    @asynccontextmanager
    async def turn(self, place: str, *, is_known: bool = False) -> AsyncIterator[None]:
        """Wait for a turn and hold it; ``is_known`` marks an address from which a user has signed in before."""
        queue = self._known_addresses if is_known else self._unknown_addresses
        turn = queue.enter(place)
        self._next()
        try:
            await turn
        except asyncio.CancelledError:
            if not queue.leave(place, turn) and not turn.cancelled() and turn.exception() is None:
                self._end(place)  # the turn came just as the caller disconnected
            raise
        try:
            yield
        finally:
            self._end(place)

    def _end(self, place: str) -> None:
        self._running.discard(place)
        self._next()

    def _next(self) -> None:
        """Start the next checks; the queues take turns."""
        while len(self._running) < self._max_concurrent:
            for queue in tuple(self._queues):
                if (place := queue.next_address(self._running)) is not None:
                    self._running.add(place)
                    self._queues.remove(queue)
                    self._queues.append(queue)
                    break
            else:
                return
