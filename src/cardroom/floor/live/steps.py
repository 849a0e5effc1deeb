"""The steps of a live table: which come next, which may be passed over, which can be undone."""

from __future__ import annotations

from functools import lru_cache

from cardroom.floor.felt.faults import NotNow
from cardroom.floor.felt.live_round import Counting, LiveRound
from cardroom.floor.felt.state import FeltState, opened
from cardroom.games.procedure import Procedure, ProcedureStep, StepKind


def steps_of(state: FeltState) -> Procedure:
    """The procedure of the table; without a tabulator nothing is tabulated."""
    return _steps(state.setup, state.tabulated)


@lru_cache(maxsize=256)
def _steps(setup: str, tabulated: bool) -> Procedure:
    at = opened(setup)
    procedure = at.game.procedure(at.table)
    return procedure if tabulated else tuple(one for one in procedure if one.kind is not StepKind.TABULATE)


def steps_due(state: FeltState, live: LiveRound) -> Procedure:
    """The steps that can be taken now: the next one, and those behind steps that have a condition."""
    steps = steps_of(state)
    behind = steps[_place(steps, live.taken[-1]) + 1 :] if live.taken else steps
    due = list[ProcedureStep]()
    for one in behind:
        due.append(one)
        if not one.condition:
            break
    return tuple(due)


def _place(steps: Procedure, name: str) -> int:
    return next(at for at, one in enumerate(steps) if one.name == name)


def is_complete(state: FeltState, live: LiveRound) -> bool:
    """Whether nothing is left that must be done."""
    return all(one.condition for one in steps_due(state, live))


def step_to_take(state: FeltState, live: LiveRound, name: str) -> ProcedureStep:
    """The step of this name, if it can be taken now."""
    due = steps_due(state, live)
    found = next((one for one in due if one.name == name), None)
    if found is not None:
        return found
    steps = steps_of(state)
    if name not in {one.name for one in steps}:
        names = ", ".join(one.name for one in steps)
        raise NotNow(f"There is no step {name!r} at {state.table}: its steps are {names}.")
    if not due:
        raise NotNow(f"All steps of round {state.round} are taken: end it.")
    if name in live.taken:
        raise NotNow(f"Step {name} of round {state.round} was taken already: {_told(due)}.")
    if live.taken and _place(steps, name) < _place(steps, live.taken[-1]):
        raise NotNow(
            f"Step {name} of round {state.round} was passed over: undo {live.taken[-1]} to take it, or go on; "
            f"{_told(due)}."
        )
    raise NotNow(f"Step {name} of round {state.round} is not due yet: {_told(due)}.")


def _told(due: Procedure) -> str:
    names = " or ".join(one.name for one in due)
    return f"now comes {names}"


def step_to_undo(state: FeltState, live: LiveRound) -> ProcedureStep:
    """The last step, if it can be taken back: what was counted is counted."""
    if not live.taken:
        raise NotNow(f"No step of round {state.round} was taken yet: there is nothing to undo.")
    steps = steps_of(state)
    last = steps[_place(steps, live.taken[-1])]
    if last.kind is StepKind.TABULATE and live.counted is not Counting.NOBODY:
        raise NotNow(
            f"Step {last.name} of round {state.round} has counted the jackpot wagers: it cannot be undone. A round "
            "that is void is called off by two people."
        )
    return last
