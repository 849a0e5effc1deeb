"""The presence of players: those with an open page or stream, or with a recent request."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Coroutine
from typing import Any, Final, TypeVar

from fastapi import Request

from cardroom.ledger import Clock, system_clock

SECOND: Final = 1_000_000
_MAX_PLAYERS: Final = 10_000
"""The limit of remembered players."""
_EXPIRY_SECONDS: Final = 600
"""Seconds until the last contact of a player no longer matters."""


class Presence:
    """The players whom this server has seen."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock, self._opened = clock, clock()
        self._connections = Counter[str]()
        self._last_seen: dict[str, int] = {}

    def record(self, player: str | None) -> None:
        """Record a contact of a player, here or at another server."""
        if player is not None:
            self._last_seen[player] = self._clock()
            if len(self._last_seen) > _MAX_PLAYERS:
                since = self._clock() - _EXPIRY_SECONDS * SECOND
                self._last_seen = {player_name: at for player_name, at in self._last_seen.items() if at > since}

    @property
    def connected_players(self) -> Collection[str]:
        """The players with an open page or stream."""
        return self._connections.keys()

    def connect(self, player: str | None) -> None:
        """Count an opened page or stream."""
        if player is not None:
            self._connections[player] += 1

    def disconnect(self, player: str | None) -> None:
        """Count a closed page or stream."""
        if player is not None:
            self.record(player)
            self._connections[player] -= 1
            if not self._connections[player]:
                del self._connections[player]

    def is_present(self, player: str, within: float) -> bool:
        """Whether a player is present or was within some seconds."""
        return player in self._connections or self._clock() - self._last_seen.get(player, 0) < within * SECOND

    def is_gone(self, player: str, since: float) -> bool:
        """Whether a player has been absent for some seconds. After a restart, players may be reconnecting, so no player
        counts as absent before the server has been open for that time."""
        return not self.is_present(player, since) and self._clock() - self._opened >= since * SECOND


R = TypeVar("R")

CLIENT_CLOSED_REQUEST: Final = 499
"""The status for a client that has disconnected."""


async def run_while_connected(request: Request, work: Coroutine[Any, Any, R]) -> R | None:
    """The result of the work; None if the client disconnects, which cancels it."""
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
