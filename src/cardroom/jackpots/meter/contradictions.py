"""What contradicts the state of a jackpot is refused, so that a replay finds what does not add up."""

from __future__ import annotations

from cardroom.errors import BadInput
from cardroom.jackpots.meter.state import JackpotState


class Contradiction(BadInput):
    """A happening that cannot have happened in this state."""


def holds(true: bool, what: str) -> None:
    if not true:
        raise Contradiction(f"The books do not agree: {what}.")


def spent(state: JackpotState, escrow: int, undeposited: int) -> JackpotState:
    """What left the bank account and the cage; the two together cover what is owed, always."""
    state = state._replace(escrow=state.escrow - escrow).with_cage(-undeposited)
    holds(state.escrow >= 0, "more left the bank account than was there")
    holds(state.owed == state.covered, "what is owed to the players is not what covers it")
    return state
