"""Who is in the room: whoever has a page or a stream open, or has called a moment ago.

Waiting for an answer on behalf of somebody who may go away.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Coroutine
from typing import Any, Final, TypeVar

from fastapi import Request

from cardroom.ledger import Clock, system_clock

SECOND: Final = 1_000_000
_MAX_PLAYERS: Final = 10_000
"""Players who are remembered though they have gone."""
_EXPIRY_SECONDS: Final = 600
"""Seconds after which it makes no difference any more when somebody was heard last."""


class Presence:
    """Knows whom this house has seen."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock, self._opened = clock, clock()
        self._connections = Counter[str]()
        self._last_seen: dict[str, int] = {}

    def record(self, player: str | None) -> None:
        """Somebody has called, or was seen elsewhere."""
        if player is not None:
            self._last_seen[player] = self._clock()
            if len(self._last_seen) > _MAX_PLAYERS:
                since = self._clock() - _EXPIRY_SECONDS * SECOND
                self._last_seen = {player_name: at for player_name, at in self._last_seen.items() if at > since}

    @property
    def connected_players(self) -> Collection[str]:
        """Everybody who has a page or a stream open."""
        return self._connections.keys()

    def connect(self, player: str | None) -> None:
        """A page or a stream is open from now on."""
        if player is not None:
            self._connections[player] += 1

    def disconnect(self, player: str | None) -> None:
        """It is closed."""
        if player is not None:
            self.record(player)
            self._connections[player] -= 1
            if not self._connections[player]:
                del self._connections[player]

    def is_present(self, player: str, within: float) -> bool:
        """Whether somebody is in the room, or was so many seconds ago."""
        return player in self._connections or self._clock() - self._last_seen.get(player, 0) < within * SECOND

    def is_gone(self, player: str, since: float) -> bool:
        """Whether somebody was not seen for so many seconds. Whoever was in the room before the house opened may still
        be on the way back: nobody is gone before the house has been open for as long."""
        return not self.is_present(player, since) and self._clock() - self._opened >= since * SECOND


R = TypeVar("R")

CLIENT_CLOSED_REQUEST: Final = 499
"""The status of an answer to a caller who has gone."""


async def run_while_connected(request: Request, work: Coroutine[Any, Any, R]) -> R | None:
    """What comes of the work; None when the caller has gone, and then it is given up."""
    working = asyncio.ensure_future(work)
    disconnect = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait((working, disconnect), return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        working.cancel()
        disconnect.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
