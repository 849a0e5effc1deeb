"""What the house counts of its own work, for whoever watches over it: no names, no money, plain numbers in memory.

Everything is counted by the server's own thread, so a count is an addition and nothing more.

>>> spread = Spread()
>>> for seconds in (0.001, 0.03, 0.03, 60.0): spread.add(seconds)
>>> spread.up_to()
[('0.002', 1), ('0.005', 1), ('0.01', 1), ('0.025', 1), ('0.05', 3), ('0.1', 3), ('0.25', 3), ('0.5', 3), ('1.0', 3), \
('2.5', 3), ('10.0', 3), ('+Inf', 4)]
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from cardroom.floor.felt.naming import PRACTICE

if TYPE_CHECKING:
    from cardroom.floor import FeltLook

BOUNDS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds."""


class Spread:
    """How long something took, how often."""

    __slots__ = ("_counts", "total")

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def up_to(self) -> list[tuple[str, float]]:
        """How many took no longer than each bound."""
        return list(zip((*map(str, BOUNDS), "+Inf"), accumulate(self._counts), strict=True))


class Tallies:
    """Counted since the server was started."""

    def __init__(self) -> None:
        self.calls: dict[tuple[str, str, int], Spread] = {}
        """By method, described address and status."""
        self.commands = Spread()
        """From when a command was handed to a clerk until it was in the books, or refused."""
        self.failed_logins = 0
        self.rounds: Counter[tuple[str, str]] = Counter()
        """Settled at tables that this server watches, by the kind of table and the game."""
        self._seen: dict[str, int] = {}
        """By table, how many rounds it had at the last look."""

    def called(self, method: str, path: str, status: int, seconds: float) -> None:
        """A call has been answered."""
        key = method, path, status
        spread = self.calls.get(key)
        if spread is None:
            spread = self.calls[key] = Spread()
        spread.add(seconds)

    def login_failed(self) -> None:
        self.failed_logins += 1

    def looked(self, look: FeltLook) -> None:
        """A felt was looked at: rounds that have ended since the last look are settled."""
        state = look.state
        before = self._seen.get(state.table)
        if state.closed:
            self._seen.pop(state.table, None)
        else:
            self._seen[state.table] = state.rounds
        if before is not None and state.rounds > before:
            kind = "practice" if state.table.startswith(PRACTICE) else str(state.terms.mode)
            self.rounds[kind, state.game.facts.slug] += state.rounds - before
