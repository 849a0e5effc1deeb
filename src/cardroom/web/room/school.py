"""The school: where company learns the strategy to remember, in another process, because that can take a minute."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from cardroom.errors import BadInput
from cardroom.odds.pricer import BestAdvice, Policy
from cardroom.web.room.thoughts import learn, table_of
from cardroom.web.room.workers import Stumbled, Workers

log = logging.getLogger(__name__)

LONGEST_LESSON: Final = 1_800.0
"""Seconds."""
NICE: Final = 15


class School:
    """Keeps what was learned, by the set-up of the table."""

    def __init__(self, workers: Workers | None = None) -> None:
        self._workers = workers or Workers(1, waiting=1_000, patience=LONGEST_LESSON, nice=NICE)
        self._learned: dict[str, Policy] = {}
        self._lessons: dict[str, asyncio.Task[None]] = {}

    def teach(self, setup: str) -> None:
        """Begin to learn how to play at such a table, so that it is known when it is needed."""
        if setup not in self._lessons:
            self._lessons[setup] = asyncio.ensure_future(self._learn(setup))

    def play_at(self, setup: str) -> Policy:
        """The strategy to remember at such a table; the coach's best advice until it is learned."""
        return self._learned.get(setup) or BestAdvice(table_of(setup))

    async def _learn(self, setup: str) -> None:
        try:
            self._learned[setup] = await self._workers.ask(learn, setup)
        except (BadInput, Stumbled) as fault:
            log.warning("company cannot learn a game", extra={"fault": str(fault)})

    async def end(self) -> None:
        for lesson in self._lessons.values():
            lesson.cancel()
        await self._workers.end()
