"""The felt after a happening, from its content alone: what does not follow from the felt as it stood is refused.

What a felt's chain knows its happenings by for ever: rounds by their ids, openings by their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from hashlib import sha256
from typing import Any, Final

from cardroom.room.event_types import DomainEvent
from cardroom.room.table.events import (
    AbsenceEnded,
    AbsenceWarned,
    DecisionMade,
    RoundCanceled,
    RoundPlayed,
    RoundStarted,
    SealRenewed,
    SeatAmount,
    SeatLeft,
    SeatStakes,
    SeatTaken,
    TableClosed,
    TableOpened,
    TablePaused,
    TableResumed,
    WagersPlaced,
)
from cardroom.room.table.state import (
    AbsenceWarning,
    Occupant,
    SeatDecision,
    TablePhase,
    TableState,
    round_id,
    setup_text,
)
from cardroom.room.tabulator.state import UnexpectedEvent


def apply_table_event(state: TableState | None, event: DomainEvent) -> TableState:
    """The felt after a happening; the first one opens it."""
    if isinstance(event, TableOpened):
        return _apply_opened(state, event)
    if state is None:
        raise UnexpectedEvent(f"A felt begins by being opened, not with {event.kind!r}.")
    if state.closed:
        raise UnexpectedEvent(f"Felt {state.table} is closed: nothing happens there.")
    # The two that come most often are not looked up.
    if isinstance(event, DecisionMade):
        return _apply_decision(state, event)
    if isinstance(event, WagersPlaced):
        return _apply_wagers_placed(state, event)
    return _apply_event(event, state)


def _apply_opened(state: TableState | None, opening: TableOpened) -> TableState:
    if state is not None and not state.closed:
        raise UnexpectedEvent(f"Felt {opening.table} is open already.")
    times, number = (state.opening, state.number) if state else (0, 1)
    if opening.opening != times + 1:
        raise UnexpectedEvent(f"Felt {opening.table} was opened {times} times, not {opening.opening - 1}.")
    if state is not None and opening.terms.money is not state.terms.money:
        # Its chips, and what the house has won there, are of that money.
        raise UnexpectedEvent(
            f"Table {opening.table} deals for {state.terms.money.label}, whatever else is changed: open another one "
            "for "
            f"{opening.terms.money.label}."
        )
    rack = state.rack if state else 0
    return TableState(
        opening.table,
        setup_text(opening),
        opening.terms,
        opening.opening,
        "",
        (),
        rack,
        number,
        opening.seal,
        False,
        (),
        0,
        tabulated=opening.tabulated,
        rounds=state.rounds if state else 0,
        last=state.last if state else 0,
    )


@singledispatch
def _apply_event(event: DomainEvent, _: TableState) -> TableState:
    raise UnexpectedEvent(f"{event.kind!r} does not happen at a felt.")


@_apply_event.register
def _(event: TablePaused, state: TableState) -> TableState:
    if state.playing:
        return state._replace(paused=event.why)
    seats = [_move_chips(seat_, seat_.wagered) for seat_ in state.seats]
    return state.with_seats(*seats, paused=event.why, seat_wagers=(), deadline=0)


@_apply_event.register
def _(_: TableResumed, state: TableState) -> TableState:
    if not state.paused:
        raise UnexpectedEvent(f"Felt {state.table} is not paused.")
    return state._replace(paused="")


@_apply_event.register
def _(event: TableClosed, state: TableState) -> TableState:
    if state.phase is TablePhase.PLAYING or state.seats:
        raise UnexpectedEvent(f"Felt {state.table} cannot close while somebody sits there.")
    # The number of the round that never came is not given again: its key is known now.
    return state._replace(closed=event.why, number=state.number + 1, seal="", seat_wagers=(), deadline=0, paused="")


@_apply_event.register
def _(event: SeatTaken, state: TableState) -> TableState:
    before = state.occupant(event.seat)
    if before is None:
        return state.with_seats(Occupant(event.seat, event.player, event.cents, 0, event.is_bot, False, event.at))
    if (before.player, before.is_bot, before.leaving) != (event.player, event.is_bot, False):
        raise UnexpectedEvent(f"Seat {event.seat} of {state.table} is not free.")
    return _clear_warning(state, event.seat).with_seats(
        before._replace(chips=before.chips + event.cents, since=event.at)
    )


@_apply_event.register
def _(event: AbsenceWarned, state: TableState) -> TableState:
    before = _require_seat(state, event.seat)
    if (before.player, before.is_bot, before.leaving) != (event.player, False, False):
        raise UnexpectedEvent(f"{event.player} cannot be called at seat {event.seat} of {state.table}.")
    if state.phase is not TablePhase.BETTING or not state.seat_wagers or state.wagers_at(event.seat):
        raise UnexpectedEvent(f"Nobody waits for seat {event.seat} of {state.table}.")
    if state.warning_at(event.seat):
        raise UnexpectedEvent(f"Seat {event.seat} of {state.table} is called already.")
    return state._replace(warnings=tuple(sorted((*state.warnings, AbsenceWarning(event.seat, event.until)))))


@_apply_event.register
def _(event: AbsenceEnded, state: TableState) -> TableState:
    if not state.warning_at(event.seat) or _require_seat(state, event.seat).player != event.player:
        raise UnexpectedEvent(f"{event.player} was not called at seat {event.seat} of {state.table}.")
    return _clear_warning(state, event.seat)


def _clear_warning(state: TableState, seat: int) -> TableState:
    """Whoever does something at a seat has answered."""
    return (
        state._replace(warnings=tuple(warning for warning in state.warnings if warning.seat != seat))
        if state.warnings
        else state
    )


@_apply_event.register
def _(event: SeatLeft, state: TableState) -> TableState:
    before = _require_seat(state, event.seat)
    who = (event.player, event.is_bot)
    if (before.player, before.is_bot) != who or (event.has_wagers and (before.leaving or not state.playing)):
        raise UnexpectedEvent(f"{event.player} cannot leave seat {event.seat} of {state.table}.")
    if event.was_absent and (state.playing or not state.warning_at(event.seat)):
        raise UnexpectedEvent(f"{event.player} cannot be led away from seat {event.seat} of {state.table}.")
    state = _clear_warning(state, event.seat)
    if event.has_wagers:
        if before.chips != event.cents:
            raise UnexpectedEvent(
                f"{before.chips} cents lie before seat {event.seat} of {state.table}, not {event.cents}."
            )
        return state.with_seats(before._replace(chips=0, leaving=True))
    if before.chips + before.wagered != event.cents or (state.playing and before.wagered):
        raise UnexpectedEvent(f"Seat {event.seat} of {state.table} does not give back {event.cents} cents.")
    seat_wagers = tuple(seat_ for seat_ in state.seat_wagers if seat_.seat != event.seat)
    deadline = state.deadline if seat_wagers or state.playing else 0
    return state.with_seats(freed_seat=event.seat, seat_wagers=seat_wagers, deadline=deadline)


def _apply_wagers_placed(state: TableState, event: WagersPlaced) -> TableState:
    seat_wagers = event.seat_wagers
    before = _require_seat(state, seat_wagers.seat)
    if state.phase is not TablePhase.BETTING or before.leaving:
        raise UnexpectedEvent(f"No wagers are taken at {state.table} now.")
    other_wagers = [other for other in state.seat_wagers if other.seat != seat_wagers.seat]
    all_laid = sorted([*other_wagers, seat_wagers] if seat_wagers.spots else other_wagers)
    occupant = _move_chips(before, before.wagered - event.cents, event.at)
    return _clear_warning(state, seat_wagers.seat).with_seats(
        occupant, seat_wagers=tuple(all_laid), deadline=event.deadline
    )


@_apply_event.register
def _(event: RoundStarted, state: TableState) -> TableState:
    if state.phase is not TablePhase.BETTING or event.number != state.number or not event.wagers:
        raise UnexpectedEvent(f"Round {event.number} cannot begin at {state.table}.")
    if (event.opening, event.seal) != (state.opening, state.seal):
        raise UnexpectedEvent(f"Round {event.number} of {state.table} begins under another seal than was shown.")
    if event.wagers != _remove_wagers(state.seat_wagers, event.returned_wagers):
        raise UnexpectedEvent(f"Other wagers lie on {state.table} than round {event.number} begins with.")
    players = {seat_.seat: seat_.player for seat_ in event.players}
    if players != {seat_.seat: _require_seat(state, seat_.seat).player for seat_ in event.wagers}:
        raise UnexpectedEvent(f"Others sit at {state.table} than round {event.number} says.")
    table = state.open_table.table
    refunds = [
        _move_chips(
            _require_seat(state, seat_.seat),
            sum(table.spots[spot].wager.stakes * cents for spot, cents in seat_.spots.items()),
        )
        for seat_ in event.returned_wagers
    ]
    return state.with_seats(
        *refunds,
        playing=True,
        seat_wagers=event.wagers,
        deciding_seat=event.deciding_seat,
        deadline=event.deadline,
        decisions=(),
        linked=event.linked,
    )


def _remove_wagers(placed: Iterable[SeatStakes], returned: Iterable[SeatStakes]) -> tuple[SeatStakes, ...]:
    """The wagers without those that go back."""
    returned_spots = {seat_wagers.seat: seat_wagers.spots for seat_wagers in returned}
    remaining = [
        seat_wagers._replace(
            spots={
                spot: cents
                for spot, cents in seat_wagers.spots.items()
                if spot not in returned_spots.get(seat_wagers.seat, ())
            }
        )
        for seat_wagers in placed
    ]
    return tuple(seat_wagers for seat_wagers in remaining if seat_wagers.spots)


def _apply_decision(state: TableState, event: DecisionMade) -> TableState:
    if not state.playing or event.seat != state.deciding_seat:
        raise UnexpectedEvent(f"Seat {event.seat} of {state.table} was not asked.")
    decision = SeatDecision(event.seat, event.question, event.answer, event.by)
    changes: dict[str, Any] = {
        "decisions": (*state.decisions, decision),
        "deciding_seat": event.deciding_seat,
        "deadline": event.deadline,
    }
    if not event.cents:
        return state._replace(**changes)
    return state.with_seats(_move_chips(_require_seat(state, event.seat), -event.cents), **changes)


@_apply_event.register
def _(event: RoundPlayed, state: TableState) -> TableState:
    if not state.playing or state.deciding_seat or event.number != state.number:
        raise UnexpectedEvent(f"Round {event.number} of {state.table} cannot end now.")
    down = sum(seat_.wagered for seat_ in state.seats)
    paid = sum(seat_.cents for seat_ in event.returned)
    rack = state.rack + event.filled + down - paid
    if rack < 0 or (event.filled and rack):
        raise UnexpectedEvent(f"The house brought {event.filled} cents for round {event.number} of {state.table}.")
    return _end_round(state, event.returned, event.seal, rack)


@_apply_event.register
def _(off: RoundCanceled, state: TableState) -> TableState:
    if not state.playing or off.number != state.number:
        raise UnexpectedEvent(f"Round {off.number} of {state.table} is not played now.")
    return _end_round(state, [SeatAmount(seat_.seat, seat_.wagered) for seat_ in state.seats], off.seal, state.rack)


@_apply_event.register
def _(event: SealRenewed, state: TableState) -> TableState:
    if not state.seal or event.number != state.number + state.playing or event.seal == state.seal:
        raise UnexpectedEvent(f"Round {event.number} of {state.table} cannot get another key now.")
    if state.playing:
        if not event.second:
            raise UnexpectedEvent(f"Two people void round {state.number} of {state.table}.")
        return _end_round(
            state, [SeatAmount(seat_.seat, seat_.wagered) for seat_ in state.seats], event.seal, state.rack
        )
    seats = [_move_chips(seat_, seat_.wagered) for seat_ in state.seats]
    return state.with_seats(*seats, seal=event.seal, seat_wagers=(), deadline=0)


def _end_round(state: TableState, returned: Iterable[SeatAmount], seal: str, rack: int) -> TableState:
    """The layout is empty, and the next round can come."""
    cents_by_seat = {amount.seat: amount.cents for amount in returned}
    if not cents_by_seat.keys() <= {amount.seat for amount in state.seats}:
        raise UnexpectedEvent(f"Somebody is paid at {state.table} who does not sit there.")
    return state.without_round(
        seats=tuple(
            [
                _with_chips(amount, amount.chips + cents_by_seat.get(amount.seat, 0), 0, amount.since)
                for amount in state.seats
            ]
        ),
        rack=rack,
        seal=seal,
        playing=False,
        seat_wagers=(),
        decisions=(),
        linked=(),
        deciding_seat=0,
        deadline=0,
    )


def _require_seat(state: TableState, seat: int) -> Occupant:
    occupant = state.occupant(seat)
    if occupant is None:
        raise UnexpectedEvent(f"Nobody sits at seat {seat} of {state.table}.")
    return occupant


def _move_chips(occupant: Occupant, cents: int, active_since: int | None = None) -> Occupant:
    """Chips from the layout to the seat, or the other way when below zero."""
    if occupant.chips + cents < 0 or occupant.wagered - cents < 0:
        raise UnexpectedEvent(
            f"{abs(cents)} cents cannot be moved at seat {occupant.seat}: {occupant.chips} and {occupant.wagered} "
            "lie there."
        )
    return _with_chips(
        occupant,
        occupant.chips + cents,
        occupant.wagered - cents,
        occupant.since if active_since is None else active_since,
    )


def _with_chips(occupant: Occupant, chips: int, down: int, active_since: int) -> Occupant:
    """The seat with so many chips before it and on the layout. Written out, because a replay comes here for every
    wager and answer, and ``_replace`` takes three times as long."""
    return Occupant(occupant.seat, occupant.player, chips, down, occupant.is_bot, occupant.leaving, active_since)


def round_start_key(id: str) -> str:
    """
    >>> round_start_key("prime-1.17")
    'prime-1.17 begun'
    """
    return f"{id} begun"


def table_opening_key(opening: int) -> str:
    return f"opening {opening}"


def revealed_key_key(key: str) -> str:
    """What a chain knows a revealed key by: a key that has a name deals no other round.

    >>> revealed_key_key("00" * 32)[:20]
    'key 1d1b656f5a410176'
    """
    return f"key {sha256(b'cardroom revealed key 1' + bytes.fromhex(key)).hexdigest()[:32]}"


def table_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """The end of a round has the round's id; its beginning is found beside it."""
    match event:
        case RoundPlayed(table=table, number=number, key=key) | RoundCanceled(table=table, number=number, key=key):
            return tuple(sorted((round_id(table, number), revealed_key_key(key))))
        case TableClosed(key=key) if key:
            return (revealed_key_key(key),)
        case RoundStarted(table=table, number=number):
            return (round_start_key(round_id(table, number)),)
        case TableOpened(opening=opening):
            return (table_opening_key(opening),)
    return ()


PRACTICE_PREFIX: Final = "practice-"
"""How the names of private tables begin, and no others: there may be very many, and a room that opens passes them."""


def practice_prefix(player: str) -> str:
    """How the names of a player's own practice tables begin.

    >>> practice_prefix("guest-1")
    'practice-d39150c85b98-'
    """
    return f"{PRACTICE_PREFIX}{sha256(player.encode()).hexdigest()[:12]}-"


def practice_name(player: str, id: str) -> str:
    """The name of a practice table: it follows from the command that opens it, which may be sent again.

    >>> practice_name("guest-1", "first")
    'practice-d39150c85b98-067bae28d7a1'
    """
    return practice_prefix(player) + sha256(f"{player}/{id}".encode()).hexdigest()[:12]
