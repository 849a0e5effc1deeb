"""Who is in the room: whoever has a page or a stream open, or has called a moment ago."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

from cardroom.ledger import Clock, system_clock

SECOND: Final = 1_000_000
_MOST: Final = 10_000
"""Players who are remembered though they have gone."""
_LONG_AGO: Final = 600
"""Seconds after which it makes no difference any more when somebody was heard last."""


class Presence:
    """Knows whom this house has seen."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock, self._opened = clock, clock()
        self._lines = Counter[str]()
        self._heard: dict[str, int] = {}

    def heard(self, player: str | None) -> None:
        """Somebody has called, or was seen elsewhere."""
        if player is not None:
            self._heard[player] = self._clock()
            if len(self._heard) > _MOST:
                since = self._clock() - _LONG_AGO * SECOND
                self._heard = {one: at for one, at in self._heard.items() if at > since}

    @property
    def lines(self) -> Collection[str]:
        """Everybody who has a page or a stream open."""
        return self._lines.keys()

    def come(self, player: str | None) -> None:
        """A page or a stream is open from now on."""
        if player is not None:
            self._lines[player] += 1

    def go(self, player: str | None) -> None:
        """It is closed."""
        if player is not None:
            self.heard(player)
            self._lines[player] -= 1
            if not self._lines[player]:
                del self._lines[player]

    def is_here(self, player: str, within: float) -> bool:
        """Whether somebody is in the room, or was so many seconds ago."""
        return player in self._lines or self._clock() - self._heard.get(player, 0) < within * SECOND

    def is_gone(self, player: str, since: float) -> bool:
        """Whether somebody was not seen for so many seconds. Whoever was in the room before the house opened may still
        be on the way back: nobody is gone before the house has been open for as long."""
        return not self.is_here(player, since) and self._clock() - self._opened >= since * SECOND
