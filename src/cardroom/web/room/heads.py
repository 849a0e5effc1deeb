"""Signed heads leave the room every few minutes. Of several servers on one database, the one with the lease does it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final

from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.desks.heads import Exported
from cardroom.floor.kept.chains import HEADS
from cardroom.ledger import Clock, LedgerDamaged, LedgerUnavailable
from cardroom.machine_config import HeadsDestination
from cardroom.web.room.rota import Rota

log = logging.getLogger(__name__)

MINUTE: Final = 60_000_000
"""In microseconds, as clocks count."""


class HeadsExport:
    """Exports heads. A destination that fails never stops play: the next export sends what it lacks."""

    def __init__(
        self,
        floor: Floor,
        rota: Rota,
        to: HeadsDestination,
        clock: Clock,
        every: float,
        notify: Callable[[Collection[str]], None],
    ) -> None:
        self._floor, self._rota, self._clock, self._every, self._notify = floor, rota, clock, every, notify
        self.to = to
        self._due = 0
        self.looks = 0
        """How often it has looked at the clock and exported what was due."""
        if to:
            rota.also(HEADS)

    async def run(self) -> None:
        """Export when it is due, as long as this server has the lease."""
        while True:
            if self.to and self._clock() >= self._due and self._rota.lease_of(HEADS) is not None:
                self._due = self._clock() + self.to.every_minutes * MINUTE
                await asyncio.to_thread(self.export)
                self._notify((HEADS,))
            self.looks += 1
            await asyncio.sleep(self._every)

    def export(self) -> Exported | None:
        """Export once, under this server's lease; None where the database or the key does not allow it now."""
        lease = self._rota.lease_of(HEADS)
        if lease is None:
            return None
        try:
            exported = self._floor.export_heads(self.to, under=lease)
        except (LedgerUnavailable, LedgerDamaged, BadInput) as fault:
            log.warning("heads were not exported", extra={"fault": str(fault)})
            return None
        for sentence in exported.stayed:
            log.warning("a destination of heads is late", extra={"fault": sentence})
        return exported
