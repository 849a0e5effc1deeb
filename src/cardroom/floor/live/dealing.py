"""A live round from its beginning to its end: what may happen, and what is told of it."""

from __future__ import annotations

from collections.abc import Collection

from cardroom.errors import BadInput
from cardroom.floor.felt.faults import NotNow
from cardroom.floor.felt.live_round import Counting, LiveRound
from cardroom.floor.felt.state import FeltState
from cardroom.floor.felt.terms import Mode
from cardroom.floor.live.happenings import LiveRoundBegun, LiveRoundEnded, StepTaken, StepUndone
from cardroom.floor.live.paying import shown_at_the_end
from cardroom.floor.live.steps import is_complete, step_to_take, step_to_undo, steps_due
from cardroom.floor.live.typing import typed_seats
from cardroom.games.procedure import StepKind


class BadPositions(BadInput):
    """Positions that nobody can play at."""


def dealt_live(state: FeltState) -> FeltState:
    """The felt, if a dealer deals there."""
    if state.terms.mode is not Mode.LIVE:
        raise NotNow(f"Table {state.table} is automatic: the house's program deals there. Open a table of mode live.")
    return state


def live_round(state: FeltState) -> LiveRound:
    """The round that is dealt now."""
    dealt_live(state)
    if state.live is None:
        raise NotNow(f"No round is dealt at {state.table} now: begin one.")
    return state.live


def at_round(state: FeltState, round_id: str) -> FeltState:
    """The table, if it is at the round that the dealer saw; an empty id stands for the present one."""
    if round_id and round_id != state.round:
        raise NotNow(f"That tap was for round {round_id}, and the table is at {state.round}. Check, then tap again.")
    return state


def begin(state: FeltState, dealer: str, positions: Collection[int], linked: tuple[str, ...]) -> LiveRoundBegun:
    """A dealer begins the next round."""
    dealt_live(state)
    if state.closed:
        raise NotNow(f"Table {state.table} is closed: {state.closed}.")
    if state.live is not None:
        raise NotNow(f"Round {state.round} is dealt at {state.table} by {state.live.dealer}: end it, or call it off.")
    if state.paused:
        raise NotNow(f"Table {state.table} is paused ({state.paused}): a round begins when it goes on.")
    return LiveRoundBegun(state.table, state.number, state.opening, dealer, playing_at(state, positions), linked)


def playing_at(state: FeltState, positions: Collection[int]) -> tuple[int, ...]:
    """The positions that play, in order."""
    seats = state.at.table.seats
    playing = tuple(sorted(positions))
    if not playing:
        raise BadPositions(f"Nobody plays: name the positions that do, from 1 to {seats}.")
    for position in playing:
        if not 1 <= position <= seats:
            raise BadPositions(f"There is no position {position} at {state.table}: it has 1 to {seats}.")
        if playing.count(position) > 1:
            raise BadPositions(f"Position {position} is named twice: name each position once.")
    return playing


def take(
    state: FeltState, name: str, who: str, positions: Collection[int] | None, counted: Counting = Counting.NOBODY
) -> StepTaken:
    """The dealer takes a step."""
    step = step_to_take(state, live_round(state), name)
    if positions is not None and step.kind is not StepKind.WAGERS:
        raise BadPositions(f"Who plays is said with the wagers, not with {name}.")
    playing = () if positions is None else playing_at(state, positions)
    if playing and (gone := sorted(typed_seats(live_round(state)) - set(playing))):
        raise BadPositions(f"Something was typed for seat {gone[0]}, so it plays: take that back first.")
    return StepTaken(state.table, state.number, step.name, who, playing, counted)


def undo(state: FeltState, who: str) -> StepUndone:
    """The dealer takes the last step back."""
    return StepUndone(state.table, state.number, step_to_undo(state, live_round(state)).name, who)


def end(state: FeltState, who: str) -> LiveRoundEnded:
    """The round has ended, when all steps are taken that must be."""
    live = live_round(state)
    if not is_complete(state, live):
        due = " or ".join(one.name for one in steps_due(state, live))
        raise NotNow(f"Round {state.round} has not ended: now comes {due}.")
    return LiveRoundEnded(state.table, state.number, who, shown_at_the_end(state, live))
