"""What the guests have sent: what was acknowledged, what was refused, and what nobody knows until it is sent again."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from random import Random
from typing import Any

from tests.crash.live.model.felt import Deed
from tests.crash.live.model.room import Acknowledged

LAST = 12


class Diary:
    """Of all guests together."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()
        self.unknown: dict[str, Deed] = {}
        """Sent, and never answered: the house died. By the player who sent it."""
        self._new: list[Acknowledged] = []
        self._all: list[Acknowledged] = []
        self._last: deque[str] = deque(maxlen=LAST)

    def acknowledged(self, deed: Deed, answer: Mapping[str, Any]) -> None:
        one = Acknowledged(deed, answer)
        self._new.append(one)
        self._all.append(one)
        self._last.append(str(one))
        self.unknown.pop(deed.player, None)
        self.met[deed.do] += 1

    def refused(self, deed: Deed, status: int) -> None:
        self.unknown.pop(deed.player, None)
        self.met[f"refused {status}"] += 1

    def lost(self, deed: Deed) -> None:
        self.unknown[deed.player] = deed
        self.met["lost"] += 1

    def news(self) -> dict[str, list[Acknowledged]]:
        """What was acknowledged since the last time, by table."""
        found: dict[str, list[Acknowledged]] = {}
        for one in self._new:
            found.setdefault(one.deed.table, []).append(one)
        self._new = []
        return found

    def some(self, random: Random, many: int) -> list[Acknowledged]:
        """Some of all that was ever acknowledged; the last one among them."""
        return [*self._all[-1:], *random.sample(self._all, min(many, len(self._all)))]

    @property
    def last(self) -> str:
        """The last that was acknowledged, for whoever has to find out what went wrong."""
        return "\n".join([*self._last, *(f"{deed} -> unknown" for deed in self.unknown.values())])
