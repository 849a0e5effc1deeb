"""The felt after a happening, from its content alone: what does not follow from the felt as it stood is refused."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from cardroom.floor.felt.happenings import (
    Answered,
    CallAnswered,
    Cents,
    FeltClosed,
    FeltOpened,
    FeltPaused,
    FeltResumed,
    Laid,
    RoundBegun,
    RoundCalledOff,
    RoundPlayed,
    SealRenewed,
    SeatCalled,
    SeatLeft,
    SeatTaken,
    WagersLaid,
)
from cardroom.floor.felt.state import Called, FeltState, Phase, Said, Seated, set_up_text
from cardroom.jackpots import Happening
from cardroom.jackpots.tabulator.replay import DoesNotFollow


def felt_after(state: FeltState | None, happening: Happening) -> FeltState:
    """The felt after a happening; the first one opens it."""
    if isinstance(happening, FeltOpened):
        return _opened(state, happening)
    if state is None:
        raise DoesNotFollow(f"A felt begins by being opened, not with {happening.kind!r}.")
    if state.closed:
        raise DoesNotFollow(f"Felt {state.table} is closed: nothing happens there.")
    # The two that come most often are not looked up.
    if isinstance(happening, Answered):
        return _answered(state, happening)
    if isinstance(happening, WagersLaid):
        return _laid(state, happening)
    return _after(happening, state)


def _opened(state: FeltState | None, opened: FeltOpened) -> FeltState:
    if state is not None and not state.closed:
        raise DoesNotFollow(f"Felt {opened.table} is open already.")
    times, number = (state.opening, state.number) if state else (0, 1)
    if opened.opening != times + 1:
        raise DoesNotFollow(f"Felt {opened.table} was opened {times} times, not {opened.opening - 1}.")
    if state is not None and opened.terms.money is not state.terms.money:
        # Its chips, and what the house has won there, are of that money.
        raise DoesNotFollow(
            f"Table {opened.table} deals for {state.terms.money.label}, whatever else is changed: open another one for "
            f"{opened.terms.money.label}."
        )
    rack = state.rack if state else 0
    return FeltState(
        opened.table,
        set_up_text(opened),
        opened.terms,
        opened.opening,
        "",
        (),
        rack,
        number,
        opened.seal,
        False,
        (),
        0,
        tabulated=opened.tabulated,
        rounds=state.rounds if state else 0,
        last=state.last if state else 0,
    )


@singledispatch
def _after(happening: Happening, _: FeltState) -> FeltState:
    raise DoesNotFollow(f"{happening.kind!r} does not happen at a felt.")


@_after.register
def _(paused: FeltPaused, state: FeltState) -> FeltState:
    if state.playing:
        return state._replace(paused=paused.why)
    seats = [_moved(one, one.down) for one in state.seats]
    return state.with_seats(*seats, paused=paused.why, laid=(), deadline=0)


@_after.register
def _(_: FeltResumed, state: FeltState) -> FeltState:
    if not state.paused:
        raise DoesNotFollow(f"Felt {state.table} is not paused.")
    return state._replace(paused="")


@_after.register
def _(closed: FeltClosed, state: FeltState) -> FeltState:
    if state.phase is Phase.PLAYING or state.seats:
        raise DoesNotFollow(f"Felt {state.table} cannot close while somebody sits there.")
    # The number of the round that never came is not given again: its key is known now.
    return state._replace(closed=closed.why, number=state.number + 1, seal="", laid=(), deadline=0, paused="")


@_after.register
def _(taken: SeatTaken, state: FeltState) -> FeltState:
    before = state.seated(taken.seat)
    if before is None:
        return state.with_seats(Seated(taken.seat, taken.player, taken.cents, 0, taken.company, False, taken.at))
    if (before.player, before.company, before.leaving) != (taken.player, taken.company, False):
        raise DoesNotFollow(f"Seat {taken.seat} of {state.table} is not free.")
    return _there(state, taken.seat).with_seats(before._replace(chips=before.chips + taken.cents, since=taken.at))


@_after.register
def _(called: SeatCalled, state: FeltState) -> FeltState:
    before = _seated(state, called.seat)
    if (before.player, before.company, before.leaving) != (called.player, False, False):
        raise DoesNotFollow(f"{called.player} cannot be called at seat {called.seat} of {state.table}.")
    if state.phase is not Phase.BETTING or not state.laid or state.laid_at(called.seat):
        raise DoesNotFollow(f"Nobody waits for seat {called.seat} of {state.table}.")
    if state.called_at(called.seat):
        raise DoesNotFollow(f"Seat {called.seat} of {state.table} is called already.")
    return state._replace(called=tuple(sorted((*state.called, Called(called.seat, called.until)))))


@_after.register
def _(answered: CallAnswered, state: FeltState) -> FeltState:
    if not state.called_at(answered.seat) or _seated(state, answered.seat).player != answered.player:
        raise DoesNotFollow(f"{answered.player} was not called at seat {answered.seat} of {state.table}.")
    return _there(state, answered.seat)


def _there(state: FeltState, seat: int) -> FeltState:
    """Whoever does something at a seat has answered."""
    return state._replace(called=tuple(one for one in state.called if one.seat != seat)) if state.called else state


@_after.register
def _(left: SeatLeft, state: FeltState) -> FeltState:
    before = _seated(state, left.seat)
    who = (left.player, left.company)
    if (before.player, before.company) != who or (left.stays and (before.leaving or not state.playing)):
        raise DoesNotFollow(f"{left.player} cannot leave seat {left.seat} of {state.table}.")
    if left.away and (state.playing or not state.called_at(left.seat)):
        raise DoesNotFollow(f"{left.player} cannot be led away from seat {left.seat} of {state.table}.")
    state = _there(state, left.seat)
    if left.stays:
        if before.chips != left.cents:
            raise DoesNotFollow(f"{before.chips} cents lie before seat {left.seat} of {state.table}, not {left.cents}.")
        return state.with_seats(before._replace(chips=0, leaving=True))
    if before.chips + before.down != left.cents or (state.playing and before.down):
        raise DoesNotFollow(f"Seat {left.seat} of {state.table} does not give back {left.cents} cents.")
    laid = tuple(one for one in state.laid if one.seat != left.seat)
    deadline = state.deadline if laid or state.playing else 0
    return state.with_seats(gone=left.seat, laid=laid, deadline=deadline)


def _laid(state: FeltState, happened: WagersLaid) -> FeltState:
    laid = happened.laid
    before = _seated(state, laid.seat)
    if state.phase is not Phase.BETTING or before.leaving:
        raise DoesNotFollow(f"No wagers are taken at {state.table} now.")
    others = [one for one in state.laid if one.seat != laid.seat]
    all_laid = sorted([*others, laid] if laid.spots else others)
    here = _moved(before, before.down - happened.cents, happened.at)
    return _there(state, laid.seat).with_seats(here, laid=tuple(all_laid), deadline=happened.deadline)


@_after.register
def _(begun: RoundBegun, state: FeltState) -> FeltState:
    if state.phase is not Phase.BETTING or begun.number != state.number or not begun.wagers:
        raise DoesNotFollow(f"Round {begun.number} cannot begin at {state.table}.")
    if (begun.opening, begun.seal) != (state.opening, state.seal):
        raise DoesNotFollow(f"Round {begun.number} of {state.table} begins under another seal than was shown.")
    if begun.wagers != _without(state.laid, begun.back):
        raise DoesNotFollow(f"Other wagers lie on {state.table} than round {begun.number} begins with.")
    players = {one.seat: one.player for one in begun.players}
    if players != {one.seat: _seated(state, one.seat).player for one in begun.wagers}:
        raise DoesNotFollow(f"Others sit at {state.table} than round {begun.number} says.")
    table = state.at.table
    back = [
        _moved(_seated(state, one.seat), sum(table.spots[spot].wager.stakes * of for spot, of in one.spots.items()))
        for one in begun.back
    ]
    return state.with_seats(
        *back,
        playing=True,
        laid=begun.wagers,
        asked=begun.asked,
        deadline=begun.deadline,
        answers=(),
        linked=begun.linked,
    )


def _without(laid: Iterable[Laid], back: Iterable[Laid]) -> tuple[Laid, ...]:
    """The wagers without those that go back."""
    gone = {one.seat: one.spots for one in back}
    kept = [
        one._replace(spots={spot: of for spot, of in one.spots.items() if spot not in gone.get(one.seat, ())})
        for one in laid
    ]
    return tuple(one for one in kept if one.spots)


def _answered(state: FeltState, answered: Answered) -> FeltState:
    if not state.playing or answered.seat != state.asked:
        raise DoesNotFollow(f"Seat {answered.seat} of {state.table} was not asked.")
    said = Said(answered.seat, answered.question, answered.answer, answered.by)
    now: dict[str, Any] = {"answers": (*state.answers, said), "asked": answered.asked, "deadline": answered.deadline}
    if not answered.cents:
        return state._replace(**now)
    return state.with_seats(_moved(_seated(state, answered.seat), -answered.cents), **now)


@_after.register
def _(played: RoundPlayed, state: FeltState) -> FeltState:
    if not state.playing or state.asked or played.number != state.number:
        raise DoesNotFollow(f"Round {played.number} of {state.table} cannot end now.")
    down = sum(one.down for one in state.seats)
    paid = sum(one.cents for one in played.returned)
    rack = state.rack + played.filled + down - paid
    if rack < 0 or (played.filled and rack):
        raise DoesNotFollow(f"The house brought {played.filled} cents for round {played.number} of {state.table}.")
    return _ended(state, played.returned, played.seal, rack)


@_after.register
def _(off: RoundCalledOff, state: FeltState) -> FeltState:
    if not state.playing or off.number != state.number:
        raise DoesNotFollow(f"Round {off.number} of {state.table} is not played now.")
    return _ended(state, [Cents(one.seat, one.down) for one in state.seats], off.seal, state.rack)


@_after.register
def _(renewed: SealRenewed, state: FeltState) -> FeltState:
    if not state.seal or renewed.number != state.number + state.playing or renewed.seal == state.seal:
        raise DoesNotFollow(f"Round {renewed.number} of {state.table} cannot get another key now.")
    if state.playing:
        if not renewed.second:
            raise DoesNotFollow(f"Two people void round {state.number} of {state.table}.")
        return _ended(state, [Cents(one.seat, one.down) for one in state.seats], renewed.seal, state.rack)
    seats = [_moved(one, one.down) for one in state.seats]
    return state.with_seats(*seats, seal=renewed.seal, laid=(), deadline=0)


def _ended(state: FeltState, returned: Iterable[Cents], seal: str, rack: int) -> FeltState:
    """The layout is empty, and the next round can come."""
    back = {one.seat: one.cents for one in returned}
    if not back.keys() <= {one.seat for one in state.seats}:
        raise DoesNotFollow(f"Somebody is paid at {state.table} who does not sit there.")
    return state.after_round(
        seats=tuple([_lying(one, one.chips + back.get(one.seat, 0), 0, one.since) for one in state.seats]),
        rack=rack,
        seal=seal,
        playing=False,
        laid=(),
        answers=(),
        linked=(),
        asked=0,
        deadline=0,
    )


def _seated(state: FeltState, seat: int) -> Seated:
    one = state.seated(seat)
    if one is None:
        raise DoesNotFollow(f"Nobody sits at seat {seat} of {state.table}.")
    return one


def _moved(one: Seated, cents: int, since: int | None = None) -> Seated:
    """Chips from the layout to the seat, or the other way when below zero."""
    if one.chips + cents < 0 or one.down - cents < 0:
        raise DoesNotFollow(
            f"{abs(cents)} cents cannot be moved at seat {one.seat}: {one.chips} and {one.down} lie there."
        )
    return _lying(one, one.chips + cents, one.down - cents, one.since if since is None else since)


def _lying(one: Seated, chips: int, down: int, since: int) -> Seated:
    """The seat with so many chips before it and on the layout. Written out, because a replay comes here for every
    wager and answer, and ``_replace`` takes three times as long."""
    return Seated(one.seat, one.player, chips, down, one.company, one.leaving, since)
