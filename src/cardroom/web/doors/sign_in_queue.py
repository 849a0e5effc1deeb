"""The queue of those who type a password: bounded, and fair between addresses.

To compare a password takes a core for a fifth of a second and 64 MB. Two are compared at a time, one for each address,
and addresses take turns: a flood from one address delays that address. When the queue is full, the address that has the
most waiting gives up its newest, so that another address always gets in.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from cardroom.faults import BadInput
from cardroom.web.doors.faults import TooOften

AT_ONCE: Final = 2
MOST_WAITING: Final = 64
MOST_OF_ONE: Final = 16
"""Waiting from one address."""
_WAIT: Final = 5.0
"""Seconds after which a caller who was refused may try again."""


class QueueFull(BadInput):
    """More people sign in at the same moment than the server can check."""

    def __init__(self) -> None:
        super().__init__("Too many people are signing in right now: wait a few seconds, and try again.")
        self.wait = _WAIT


class SignInQueue:
    """Who is being checked, and who waits."""

    def __init__(self, at_once: int = AT_ONCE, most: int = MOST_WAITING, most_of_one: int = MOST_OF_ONE) -> None:
        self._at_once, self._most, self._most_of_one = at_once, most, most_of_one
        self._running: set[str] = set()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, place: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it."""
        await self._wait(place)
        try:
            yield
        finally:
            self._running.discard(place)
            self._next()

    async def _wait(self, place: str) -> None:
        mine = len(self._waiting.get(place, ()))
        if mine >= self._most_of_one:
            raise TooOften("Too many sign-ins from your address are waiting: wait a few seconds, and try again.", _WAIT)
        if len(self) >= self._most:
            self._make_room(mine)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(place, deque()).append(turn)
        self._next()
        try:
            await turn
        except asyncio.CancelledError:
            self._leave(place, turn)
            raise

    def _make_room(self, mine: int) -> None:
        longest = max(self._waiting, key=lambda place: len(self._waiting[place]))
        if len(self._waiting[longest]) <= mine + 1:
            raise QueueFull
        newest = self._waiting[longest].pop()
        if not newest.done():
            newest.set_exception(QueueFull())

    def _next(self) -> None:
        """Whose turn it is now: one of each address, the address that had its turn longest ago first."""
        for place in list(self._waiting):
            if len(self._running) >= self._at_once:
                return
            turns = self._waiting[place]
            while turns and turns[0].done():  # a caller who has gone
                turns.popleft()
            if turns and place not in self._running:
                self._running.add(place)
                turns.popleft().set_result(None)
                self._waiting.move_to_end(place)
            if not turns:
                del self._waiting[place]

    def _leave(self, place: str, turn: asyncio.Future[None]) -> None:
        """The caller has gone while waiting, or just when the turn came."""
        if place in self._waiting and turn in self._waiting[place]:
            self._waiting[place].remove(turn)
            if not self._waiting[place]:
                del self._waiting[place]
        elif turn.done() and not turn.cancelled() and turn.exception() is None:
            self._running.discard(place)
            self._next()
