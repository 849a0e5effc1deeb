"""The coach: what each answer is worth to the seat that is asked, worked out in another process.

It is told what the seat may see and nothing else. No command ever waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import suppress
from typing import Any, Final

from cardroom.floor import FeltLook, NotNow
from cardroom.games import SeatTurn, view
from cardroom.odds import Advice
from cardroom.web.room.thoughts import advice_for, ready
from cardroom.web.room.workers import Stumbled, TooBusy, Workers

log = logging.getLogger(__name__)

PATIENCE: Final = 60.0
"""Seconds. Advice takes some milliseconds, but the first of all compiles what it needs, once on a machine: given up too
early, that would begin anew every time."""
MOST_WAITING: Final = 64
NICE: Final = 5


class Coach:
    """Gives advice to seats that are asked."""

    def __init__(self, workers: Workers | None = None) -> None:
        self._workers = workers or Workers(
            max(2, (os.cpu_count() or 2) // 2), waiting=MOST_WAITING, patience=PATIENCE, nice=NICE, warm=ready
        )

    async def advise(self, look: FeltLook, player: str) -> dict[str, Any]:
        """Every option of the seat's turn with its value."""
        here = look.state.seat_of(player)
        if here is None:
            raise NotNow(f"You have no seat at {look.state.table}: advice is for the seat that is asked.")
        if look.position is None or look.position.asked != here.seat:
            raise NotNow(f"Seat {here.seat} of {look.state.table} is not asked anything now.")
        seen = view(look.position.round, here.seat)
        assert isinstance(seen.turn, SeatTurn)
        try:
            advice = await self._workers.ask(advice_for, look.state.setup, seen, dict(look.meters))
        except Stumbled as fault:
            log.error("the coach has stumbled", extra={"table": look.state.table, "fault": str(fault)})
            raise TooBusy("The coach has lost the thread: ask again.") from None
        return {
            "table": look.state.table,
            "version": look.version,
            "round": look.state.round,
            "seat": here.seat,
            "question": seen.turn.question,
            "options": [_entry(one) for one in advice],
        }

    async def warm_up(self) -> None:
        """Have the workers load what they need before the first player asks."""
        with suppress(TooBusy, Stumbled):
            await asyncio.gather(*(self._workers.ask(ready) for _ in range(self._workers.many)))

    async def end(self) -> None:
        await self._workers.end()


def _entry(one: Advice) -> dict[str, Any]:
    return {
        "answer": str(one.decision),
        "value_cents": float(one.value),
        "fraction": str(one.value),
        "standard_error": one.standard_error,
    }
