"""Whether this server can carry out commands: its database is there and takes what is written, and its clock is right.

The balancer asks, and so does the server itself every second, so that the log says when something is wrong although
nothing happens in the room. It says so once, and once more when all is well again.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from cardroom.ledger import ConnectionLost, Ledger, LedgerDamaged, LedgerUnavailable
from cardroom.ledger.errors import format_error
from cardroom.web.room.clerks import Clerks
from cardroom.web.room.rota import Rota

log = logging.getLogger(__name__)

EVERY: Final = 1.0
"""Seconds between two checks of the server's own."""
LONGEST: Final = 2.0
"""Seconds after which a database that does not answer counts as away."""
AWAY: Final = "The books of this room are not to be reached."


class Health:
    """Knows whether commands can be carried out."""

    def __init__(self, ledger: Ledger, rota: Rota, clerks: Clerks) -> None:
        self._ledger, self._rota, self._clerks = ledger, rota, clerks
        self._clerk = ThreadPoolExecutor(1, "health")
        self._checking: asyncio.Future[Exception | None] | None = None
        self._wrong = ""

    async def check(self) -> str:
        """What is wrong, in a sentence for anyone; empty when nothing is. Calls that come at the same time share one
        check."""
        if self._checking is None or self._checking.done():
            self._checking = asyncio.get_running_loop().run_in_executor(self._clerk, self._look)
        try:
            async with asyncio.timeout(LONGEST):
                fault = await asyncio.shield(self._checking)
        except TimeoutError:
            fault = ConnectionLost(AWAY, f"no answer in {LONGEST:g} seconds")
        sentence = _sentence(fault)
        if fault is not None and sentence != self._wrong:
            log.error("the database takes no commands", extra={"fault": format_error(fault)})
        elif self._wrong and not sentence:
            log.info("the database takes commands again")
        self._wrong = sentence
        return sentence

    def _look(self) -> Exception | None:
        try:
            self._ledger.head("room")
            self._ledger.check_clock()
            if self._ledger.last_error is not None or self._rota.fault is not None:
                self._ledger.probe()
        except (LedgerUnavailable, LedgerDamaged) as fault:
            return fault
        return self._clerks.refusal

    async def run(self) -> None:
        """Check again and again."""
        while True:
            await self.check()
            await asyncio.sleep(EVERY)

    def close(self) -> None:
        """No more checks."""
        self._clerk.shutdown(cancel_futures=True)


def _sentence(fault: Exception | None) -> str:
    match fault:
        case None:
            return ""
        case ConnectionLost() | LedgerDamaged():
            return AWAY
    return str(fault)
