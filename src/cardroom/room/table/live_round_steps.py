"""Decisions of a live round from start to end, and the reducer of its events.

The reducer refuses an event that the state does not allow.
"""

from __future__ import annotations

from collections.abc import Collection

from cardroom.errors import BadInput
from cardroom.games.procedure import StepKind
from cardroom.room.table.events import (
    CardsTyped,
    CountMethod,
    LiveRound,
    LiveRoundCanceled,
    LiveRoundEnded,
    LiveRoundEvent,
    LiveRoundStarted,
    StepTaken,
    StepUndone,
)
from cardroom.room.table.live_payments import list_settled_stakes
from cardroom.room.table.live_procedure import (
    TypedInput,
    apply_cards_typed,
    enter_cards,
    is_complete,
    next_steps,
    require_next_step,
    require_undoable_step,
    typed_seats,
)
from cardroom.room.table.reducer import round_start_key
from cardroom.room.table.state import TableState, closed_error, round_id
from cardroom.room.table.terms import DealingMode, WrongPhase
from cardroom.room.tabulator.state import UnexpectedEvent


class BadPositions(BadInput):
    """Positions that the round cannot have."""


def require_live_table(state: TableState) -> TableState:
    """The table, if a dealer deals there."""
    if state.terms.mode is not DealingMode.LIVE:
        raise WrongPhase(f"Table {state.table} is automatic: Cardroom deals there. Choose a table with mode live.")
    return state


def require_live_round(state: TableState) -> LiveRound:
    """The current live round."""
    require_live_table(state)
    if state.live is None:
        raise WrongPhase(f"No round is in progress at {state.table}: begin one.")
    return state.live


def require_round(state: TableState, round_id: str) -> TableState:
    """The table, if its current round is the one that the dealer saw; an empty id means the current round."""
    if round_id and round_id != state.round:
        raise WrongPhase(
            f"You tapped for round {round_id}, but the table is at round {state.round}. Check, then tap again."
        )
    return state


def start_live_round(
    state: TableState, dealer: str, positions: Collection[int], linked: tuple[str, ...]
) -> LiveRoundStarted:
    """Begin the next round."""
    require_live_table(state)
    if state.closed:
        raise closed_error(state)
    if state.live is not None:
        raise WrongPhase(
            f"Round {state.round} at {state.table}, dealt by {state.live.dealer}, is in progress: end it, or void it."
        )
    if state.paused:
        raise WrongPhase(f"Table {state.table} is paused ({state.paused}): resume it to begin a round.")
    return LiveRoundStarted(
        state.table, state.number, state.opening, dealer, require_positions(state, positions), linked
    )


def require_positions(state: TableState, positions: Collection[int]) -> tuple[int, ...]:
    """The positions in play, in order."""
    seats = state.open_table.table.seats
    playing = tuple(sorted(positions))
    if not playing:
        raise BadPositions(f"No position is in play: choose positions from 1 to {seats}.")
    for position in playing:
        if not 1 <= position <= seats:
            raise BadPositions(f"{state.table} has no position {position}: its positions are 1 to {seats}.")
        if playing.count(position) > 1:
            raise BadPositions(f"Position {position} is named twice: name each position once.")
    return playing


def take_step(
    state: TableState,
    name: str,
    who: str,
    positions: Collection[int] | None,
    count_method: CountMethod = CountMethod.NOT_COUNTED,
) -> StepTaken:
    """Take a step."""
    step = require_next_step(state, require_live_round(state), name)
    if positions is not None and step.kind is not StepKind.WAGERS:
        raise BadPositions(f"Choose the positions in the wagers step, not in {name}.")
    playing = () if positions is None else require_positions(state, positions)
    if playing and (dropped_seats := sorted(typed_seats(require_live_round(state)) - set(playing))):
        raise BadPositions(f"Seat {dropped_seats[0]} has typed input: delete the input before you drop the seat.")
    return StepTaken(state.table, state.number, step.name, who, playing, count_method)


def undo_step(state: TableState, who: str) -> StepUndone:
    """Undo the last step."""
    return StepUndone(state.table, state.number, require_undoable_step(state, require_live_round(state)).name, who)


def end_live_round(state: TableState, who: str) -> LiveRoundEnded:
    """End the round, if all required steps are taken."""
    live = require_live_round(state)
    if not is_complete(state, live):
        due = " or ".join(step.name for step in next_steps(state, live))
        raise WrongPhase(f"Round {state.round} cannot end yet: the next step is {due}.")
    return LiveRoundEnded(state.table, state.number, who, list_settled_stakes(state, live))


def apply_live_event(state: TableState | None, event: LiveRoundEvent) -> TableState:
    """The table after an event of a live round."""
    if state is None or state.closed:
        raise UnexpectedEvent(f"Table {event.table} is not open: {event.kind!r} cannot happen there.")
    if event.number != state.number:
        raise UnexpectedEvent(f"Round {event.number} is not the current round of {state.table}: {state.number} is.")
    try:
        return _apply_live_event(state, event)
    except BadInput as fault:
        raise UnexpectedEvent(str(fault)) from None


def _apply_live_event(state: TableState, event: LiveRoundEvent) -> TableState:
    match event:
        case LiveRoundStarted(dealer=dealer, positions=positions, linked=linked):
            _require_same(start_live_round(state, dealer, positions, linked), event)
            return state._replace(live=LiveRound(dealer, positions, linked))
        case StepTaken():
            return state._replace(live=_with_step(state, event))
        case StepUndone(who=who):
            _require_same(undo_step(state, who), event)
            return state._replace(live=_without_step(state))
        case CardsTyped():
            live = require_live_round(state)
            _require_same(enter_cards(state, live, _typed_input(event), event.who), event)
            return state._replace(live=apply_cards_typed(live, event))
        case LiveRoundEnded():
            if not is_complete(state, require_live_round(state)):
                raise UnexpectedEvent(f"Round {event.number} of {state.table} has not ended.")
            return state.without_round(live=None)
        case LiveRoundCanceled():
            require_live_round(state)
            return state.without_round(live=None)
    raise UnexpectedEvent(f"{event.kind!r} is not an event of a live table.")


def _with_step(state: TableState, event: StepTaken) -> LiveRound:
    live = require_live_round(state)
    kind = require_next_step(state, live, event.step).kind
    if event.counted is not CountMethod.NOT_COUNTED and kind is not StepKind.TABULATE:
        raise UnexpectedEvent(f"Step {event.step} of {state.table} counts nothing.")
    _require_same(take_step(state, event.step, event.who, event.positions or None, event.counted), event)
    after = live._replace(taken=(*live.taken, event.step))
    if kind is StepKind.TABULATE:
        after = after._replace(counted=event.counted)
    return after._replace(positions=event.positions) if event.positions else after


def _without_step(state: TableState) -> LiveRound:
    live = require_live_round(state)
    return live._replace(taken=live.taken[:-1])


def _typed_input(event: CardsTyped) -> TypedInput:
    answers: dict[int, dict[str, str]] = {}
    for seat, question, answer in event.answers:
        answers.setdefault(seat, {})[question] = answer
    wagers = {int(seat): spots for seat, spots in event.wagers.items()}
    return TypedInput({place: " ".join(pile) for place, pile in event.cards.items()}, wagers, answers)


def _require_same(expected: LiveRoundEvent, event: LiveRoundEvent) -> None:
    if expected != event:
        raise UnexpectedEvent(f"The event {event.kind} at {event.table} contradicts the state.")


def live_unique_keys(event: LiveRoundEvent) -> tuple[str, ...]:
    """The unique keys of an event: the round's id for its end, and another key for its start."""
    id = round_id(event.table, event.number)
    match event:
        case LiveRoundEnded() | LiveRoundCanceled():
            return (id,)
        case LiveRoundStarted():
            return (round_start_key(id),)
    return ()
