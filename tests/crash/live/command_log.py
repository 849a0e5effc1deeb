"""What the guests have sent: what was acknowledged, what was refused, and what no user knows until it is sent again."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from random import Random
from typing import Any

from tests.crash.live.model.room import Acknowledged
from tests.crash.live.model.table import Command

LAST = 12


class CommandLog:
    """Of all guests together."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()
        self.unknown: dict[str, Command] = {}
        """Sent, and never answered: the house died. By the player who sent it."""
        self._new: list[Acknowledged] = []
        self._all: list[Acknowledged] = []
        self._last: deque[str] = deque(maxlen=LAST)

    def acknowledged(self, command: Command, answer: Mapping[str, Any]) -> None:
        one = Acknowledged(command, answer)
        self._new.append(one)
        self._all.append(one)
        self._last.append(str(one))
        self.unknown.pop(command.player, None)
        self.met[command.do] += 1

    def refused(self, command: Command, status: int) -> None:
        self.unknown.pop(command.player, None)
        self.met[f"refused {status}"] += 1

    def lost(self, command: Command) -> None:
        self.unknown[command.player] = command
        self.met["lost"] += 1

    def news(self) -> dict[str, list[Acknowledged]]:
        """What was acknowledged since the last time, by table."""
        found: dict[str, list[Acknowledged]] = {}
        for one in self._new:
            found.setdefault(one.command.table, []).append(one)
        self._new = []
        return found

    def some(self, random: Random, many: int) -> list[Acknowledged]:
        """Some of all that was ever acknowledged; the last one among them."""
        return [*self._all[-1:], *random.sample(self._all, min(many, len(self._all)))]

    @property
    def last(self) -> str:
        """The last that was acknowledged, for the user who has to find out what went wrong."""
        return "\n".join([*self._last, *(f"{command} -> unknown" for command in self.unknown.values())])
