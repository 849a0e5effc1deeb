"""The coach: the expected value of each option at a seat's turn, computed in another process.

It receives only what the seat may see. No command ever waits for it.
"""

from __future__ import annotations

from typing import Any

from cardroom.games import SeatTurn, view
from cardroom.odds import Advice
from cardroom.service import SharedTableView, WrongPhase
from cardroom.web.services.jobs import Jobs, Lane
from cardroom.web.services.worker_computations import compute_advice


async def advise(jobs: Jobs, snapshot: SharedTableView, player: str) -> dict[str, Any]:
    """Every option of the turn of a player's seat with its value."""
    occupant = snapshot.state.seat_of(player)
    if occupant is None:
        raise WrongPhase(f"You have no seat at {snapshot.state.table}. Advice is for the seat whose turn it is.")
    if snapshot.position is None or snapshot.position.deciding_seat != occupant.seat:
        raise WrongPhase(f"It is not the turn of seat {occupant.seat} at {snapshot.state.table}.")
    seat_view = view(snapshot.position.round, occupant.seat)
    assert isinstance(seat_view.turn, SeatTurn)
    advice = await jobs.run(Lane.ADVICE, compute_advice, snapshot.state.setup, seat_view, dict(snapshot.meters))
    return {
        "table": snapshot.state.table,
        "version": snapshot.version,
        "round": snapshot.state.round,
        "seat": occupant.seat,
        "question": seat_view.turn.question,
        "options": [_advice_json(option) for option in advice],
    }


def _advice_json(advice: Advice) -> dict[str, Any]:
    return {
        "answer": str(advice.decision),
        "value_cents": float(advice.value),
        "fraction": str(advice.value),
        "standard_error": advice.standard_error,
    }
