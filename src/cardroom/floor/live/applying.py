"""A live table after a happening, from its content alone: what does not follow from how it stood is refused."""

from __future__ import annotations

from cardroom.errors import BadInput
from cardroom.floor.felt.live_round import Counting, LiveRound
from cardroom.floor.felt.naming import begun_name
from cardroom.floor.felt.state import FeltState, round_id
from cardroom.floor.live.dealing import begin, live_round, take, undo
from cardroom.floor.live.happenings import (
    CardsTyped,
    LiveRoundBegun,
    LiveRoundCalledOff,
    LiveRoundEnded,
    OfALiveRound,
    StepTaken,
    StepUndone,
)
from cardroom.floor.live.steps import is_complete, step_to_take
from cardroom.floor.live.typing import Typed, type_in, typed_after
from cardroom.games.procedure import StepKind
from cardroom.jackpots.tabulator.replay import DoesNotFollow


def live_after(state: FeltState | None, happening: OfALiveRound) -> FeltState:
    """The felt after something happened in a live round."""
    if state is None or state.closed:
        raise DoesNotFollow(f"Table {happening.table} is not open: {happening.kind!r} does not happen there.")
    if happening.number != state.number:
        raise DoesNotFollow(f"Round {happening.number} is not dealt at {state.table}: {state.number} is.")
    try:
        return _after(state, happening)
    except BadInput as fault:
        raise DoesNotFollow(str(fault)) from None


def _after(state: FeltState, happening: OfALiveRound) -> FeltState:
    match happening:
        case LiveRoundBegun(dealer=dealer, positions=positions, linked=linked):
            _same(begin(state, dealer, positions, linked), happening)
            return state._replace(live=LiveRound(dealer, positions, linked))
        case StepTaken():
            return state._replace(live=_with_step(state, happening))
        case StepUndone(who=who):
            _same(undo(state, who), happening)
            return state._replace(live=_without_step(state))
        case CardsTyped():
            live = live_round(state)
            _same(type_in(state, live, _as_typed(happening), happening.who), happening)
            return state._replace(live=typed_after(live, happening))
        case LiveRoundEnded():
            if not is_complete(state, live_round(state)):
                raise DoesNotFollow(f"Round {happening.number} of {state.table} has not ended.")
            return state.after_round(live=None)
        case LiveRoundCalledOff():
            live_round(state)
            return state.after_round(live=None)
    raise DoesNotFollow(f"{happening.kind!r} does not happen at a live table.")


def _with_step(state: FeltState, taken: StepTaken) -> LiveRound:
    live = live_round(state)
    kind = step_to_take(state, live, taken.step).kind
    if taken.counted is not Counting.NOBODY and kind is not StepKind.TABULATE:
        raise DoesNotFollow(f"Step {taken.step} of {state.table} counts nothing.")
    _same(take(state, taken.step, taken.who, taken.positions or None, taken.counted), taken)
    after = live._replace(taken=(*live.taken, taken.step))
    if kind is StepKind.TABULATE:
        after = after._replace(counted=taken.counted)
    return after._replace(positions=taken.positions) if taken.positions else after


def _without_step(state: FeltState) -> LiveRound:
    live = live_round(state)
    return live._replace(taken=live.taken[:-1])


def _as_typed(told: CardsTyped) -> Typed:
    answers: dict[int, dict[str, str]] = {}
    for seat, question, answer in told.answers:
        answers.setdefault(seat, {})[question] = answer
    wagers = {int(seat): spots for seat, spots in told.wagers.items()}
    return Typed({place: " ".join(pile) for place, pile in told.cards.items()}, wagers, answers)


def _same(follows: OfALiveRound, told: OfALiveRound) -> None:
    if follows != told:
        raise DoesNotFollow(f"Something else follows at {told.table} than is told ({told.kind}).")


def live_names(happening: OfALiveRound) -> tuple[str, ...]:
    """What the chain knows it by: the end of a round by the round's id, its beginning beside it."""
    id = round_id(happening.table, happening.number)
    match happening:
        case LiveRoundEnded() | LiveRoundCalledOff():
            return (id,)
        case LiveRoundBegun():
            return (begun_name(id),)
    return ()
