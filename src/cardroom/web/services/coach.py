"""The coach: the expected value of each option at a seat's turn, computed in another process.

It receives only what the seat may see. No command ever waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import suppress
from typing import Any, Final

from cardroom.games import SeatTurn, view
from cardroom.odds import Advice
from cardroom.service import SharedTableView, WrongPhase
from cardroom.web.services.worker_computations import compute_advice, ready
from cardroom.web.services.workers import WorkerFailed, WorkerPool, WorkersBusy

log = logging.getLogger(__name__)

COACH_TIMEOUT: Final = 60.0
"""Seconds. Advice takes milliseconds, but the first one compiles code, once on a machine. A shorter limit would restart
the compilation every time."""
COACH_MAX_WAITING: Final = 64
COACH_NICE: Final = 5


class CoachService:
    """Gives advice to the seat whose turn it is."""

    def __init__(self, workers: WorkerPool | None = None) -> None:
        self._workers = workers or WorkerPool(
            max(2, (os.cpu_count() or 2) // 2),
            max_waiting=COACH_MAX_WAITING,
            timeout=COACH_TIMEOUT,
            nice=COACH_NICE,
            warm=ready,
        )

    async def advise(self, snapshot: SharedTableView, player: str) -> dict[str, Any]:
        """Every option of the seat's turn with its value."""
        occupant = snapshot.state.seat_of(player)
        if occupant is None:
            raise WrongPhase(f"You have no seat at {snapshot.state.table}. Advice is for the seat whose turn it is.")
        if snapshot.position is None or snapshot.position.deciding_seat != occupant.seat:
            raise WrongPhase(f"It is not the turn of seat {occupant.seat} at {snapshot.state.table}.")
        seat_view = view(snapshot.position.round, occupant.seat)
        assert isinstance(seat_view.turn, SeatTurn)
        try:
            advice = await self._workers.run(compute_advice, snapshot.state.setup, seat_view, dict(snapshot.meters))
        except WorkerFailed as fault:
            log.error("the coach failed", extra={"table": snapshot.state.table, "fault": str(fault)})
            raise WorkersBusy("The coach failed. Try again.") from None
        return {
            "table": snapshot.state.table,
            "version": snapshot.version,
            "round": snapshot.state.round,
            "seat": occupant.seat,
            "question": seat_view.turn.question,
            "options": [_advice_json(option) for option in advice],
        }

    async def warm_up(self) -> None:
        """Let the workers load their code before the first request."""
        with suppress(WorkersBusy, WorkerFailed):
            await asyncio.gather(*(self._workers.run(ready) for _ in range(self._workers.worker_count)))

    async def end(self) -> None:
        await self._workers.end()


def _advice_json(advice: Advice) -> dict[str, Any]:
    return {
        "answer": str(advice.decision),
        "value_cents": float(advice.value),
        "fraction": str(advice.value),
        "standard_error": advice.standard_error,
    }
