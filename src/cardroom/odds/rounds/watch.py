"""Who looks on while rounds are played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

OnBlock: TypeAlias = Callable[[int, int], None]
"""Told how many rounds, sessions or runs are done and how many were asked for."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Told how far it has come, and asked whether to stop: what has been played until then counts.

    >>> done = []
    >>> watch = Watch(lambda some, _: done.append(some), lambda: len(done) == 2)
    >>> while not watch.stops():
    ...     watch.tell(len(done) + 1, 10)
    >>> done
    [1, 2]
    """

    told: OnBlock | None = None
    stopped: Callable[[], bool] | None = None

    def tell(self, done: int, asked: int) -> None:
        if self.told is not None:
            self.told(done, asked)

    def stops(self) -> bool:
        return self.stopped is not None and self.stopped()


UNWATCHED: Final = Watch()
