"""The counting room: figures that take a while, worked out in other processes, once for each question.

Whoever draws a page asks for what is known. What is not known yet is begun; when it is, the pages that show it are
told. Nothing ever waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Hashable
from typing import Any, Final, NamedTuple, TypeVar

from cardroom.errors import BadInput
from cardroom.web.room.workers import Stumbled, Told, Workers

log = logging.getLogger(__name__)
R = TypeVar("R")

CHAIN: Final = "counted"
"""What pages follow that show figures from here."""
ON_THE_WAY: Final = "counting"
"""What pages follow that show how far a count is."""
LONGEST_COUNT: Final = 1_800.0
"""Seconds. The best play of a game can take minutes to find, once on a machine."""
NICE: Final = 15
MOST_KEPT: Final = 2_000


class Counted(NamedTuple):
    """A figure that is known, or the sentence why nobody can know it."""

    value: Any
    refusal: str = ""


class CountingRoom:
    """Keeps what was counted, by what was asked."""

    def __init__(self, tell: Callable[[Collection[str]], None], many: int = 1) -> None:
        self._workers = Workers(many, waiting=MOST_KEPT, patience=LONGEST_COUNT, nice=NICE)
        self._tell = tell
        self._known: dict[Hashable, Counted] = {}
        self._begun: set[Hashable] = set()
        self._so_far: dict[Hashable, Told] = {}
        self._counts: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Count from now on."""
        self._loop = asyncio.get_running_loop()

    def known(self, task: Callable[..., R], *args: Hashable) -> Counted | None:
        """What was counted; None while it is being counted. May be called from any thread."""
        found = self._known.get((task, *args))
        if found is None and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._begin, task, args)
        return found

    def so_far(self, task: Callable[..., R], *args: Hashable) -> Told | None:
        """How far a count is; None when it has said nothing yet, or is done."""
        return self._so_far.get((task, *args))

    def _begin(self, task: Callable[..., R], args: tuple[Hashable, ...]) -> None:
        if (task, *args) in self._begun or self._loop is None:
            return
        if len(self._begun) >= MOST_KEPT:  # set-ups change seldom; what is forgotten is counted again
            self._known.clear()
            self._begun.clear()
        self._begun.add((task, *args))
        count = self._loop.create_task(self._count(task, args))
        self._counts.add(count)
        count.add_done_callback(self._counts.discard)

    async def _count(self, task: Callable[..., R], args: tuple[Hashable, ...]) -> None:
        loop, key = asyncio.get_running_loop(), (task, *args)

        def on_the_way(told: Told) -> None:
            self._so_far[key] = told
            loop.call_soon_threadsafe(self._tell, (ON_THE_WAY,))

        try:
            counted = Counted(await self._workers.ask(task, *args, told=on_the_way))
        except BadInput as fault:
            counted = Counted(None, str(fault))
        except Stumbled as fault:
            log.error("a count has stumbled", extra={"fault": str(fault)})
            counted = Counted(None, "It cannot be counted here: the log of the server says why.")
        self._known[key] = counted
        self._so_far.pop(key, None)
        self._tell((CHAIN,))

    async def end(self) -> None:
        """What is being counted is given up."""
        self._loop = None
        for count in self._counts:
            count.cancel()
        await self._workers.end()
