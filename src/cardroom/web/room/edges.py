"""The edges of paytables: counted one after the other in another process, and remembered. Nobody waits for them."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from cardroom.faults import BadInput
from cardroom.web.room.pricing import Choice, edge_words
from cardroom.web.room.workers import Stumbled, TooBusy, Workers

log = logging.getLogger(__name__)

PATIENCE: Final = 1_800.0
"""Seconds. Some games are counted in milliseconds, and the first time on a machine some take minutes."""
MOST_WAITING: Final = 500
NICE: Final = 10


class Edges:
    """What is known, and what is being counted."""

    def __init__(self, workers: Workers | None = None) -> None:
        self._workers = workers or Workers(1, waiting=MOST_WAITING, patience=PATIENCE, nice=NICE)
        self._known: dict[Choice, str] = {}
        self._counting: dict[Choice, asyncio.Task[None]] = {}

    def told(self, choice: Choice) -> str | None:
        """The edge in words; None while it is being counted, which begins when it is first asked for."""
        if choice not in self._known and choice not in self._counting:
            self._counting[choice] = asyncio.get_running_loop().create_task(self._count(choice))
        return self._known.get(choice)

    async def _count(self, choice: Choice) -> None:
        try:
            self._known[choice] = await self._workers.ask(edge_words, choice)
        except (TooBusy, Stumbled) as fault:
            log.warning("an edge was not counted", extra={"choice": str(choice), "fault": str(fault)})
        except BadInput as fault:
            self._known[choice] = str(fault)
        finally:
            del self._counting[choice]

    async def end(self) -> None:
        """Give up what is being counted."""
        await self._workers.end()
        await asyncio.gather(*self._counting.values(), return_exceptions=True)
