"""Those who have gone without a word: the house calls, and who does not answer is led away from the seat.

A felt waits for everybody who sits there. The floor does not see who is in the room: whoever asks it to call has
looked, and whoever has seen the player answers for them. So it does not matter how many servers stand on the same
books: a player whom one of them sees is never led away by another.
"""

from __future__ import annotations

from cardroom.floor.felt.faults import NotNow
from cardroom.floor.felt.happenings import CallAnswered, SeatCalled, SeatLeft
from cardroom.floor.felt.state import FeltState, Phase, Seated
from cardroom.floor.felt.terms import SECOND


def is_waited_for(state: FeltState, here: Seated) -> bool:
    """Whether wagers of others lie there, and a player's seat has none."""
    others = bool(state.laid) and state.laid_at(here.seat) is None
    return state.phase is Phase.BETTING and others and not here.company and not here.leaving


def call(state: FeltState, here: Seated, now: int) -> SeatCalled:
    """Call a player for whom others wait."""
    if not state.terms.away:
        raise NotNow(f"Nobody is called at {state.table}: its terms say so.")
    if not is_waited_for(state, here):
        raise NotNow(f"Nobody waits for seat {here.seat} of {state.table}.")
    if state.called_at(here.seat):
        raise NotNow(f"Seat {here.seat} of {state.table} is called already.")
    return SeatCalled(state.table, here.seat, here.player, now + state.terms.away * SECOND)


def answer_call(state: FeltState, here: Seated) -> CallAnswered:
    """Whom the house called is there."""
    if not state.called_at(here.seat):
        raise NotNow(f"Seat {here.seat} of {state.table} is not called.")
    return CallAnswered(state.table, here.seat, here.player)


def lead_away(state: FeltState, here: Seated, now: int) -> SeatLeft:
    """The seat of somebody who has not answered in time is given up, between two rounds; the chips go back."""
    called = state.called_at(here.seat)
    if called is None:
        raise NotNow(f"Seat {here.seat} of {state.table} is not called: call it first.")
    if now <= called.until:
        raise NotNow(f"{here.player} still has time to answer at {state.table}.")
    if state.phase is Phase.PLAYING:
        raise NotNow(f"Round {state.round} is played: nobody is led away before it has ended.")
    return SeatLeft(state.table, here.seat, here.player, here.chips, away=True)
