"""Reduce the events of a table, and list their unique keys. An event that the state does not allow is refused."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from hashlib import sha256
from typing import Any, Final

import orjson

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
    TableChanged,
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
    open_table,
    round_id,
    setup_text,
)
from cardroom.room.table.terms import play_terms_to_mapping, terms_that_stay
from cardroom.room.tabulator.setup_changes import SetupText, list_setup_changes, takes_two_people
from cardroom.room.tabulator.state import UnexpectedEvent


def apply_table_event(state: TableState | None, event: DomainEvent) -> TableState:
    """The table after an event; the first event opens it."""
    if isinstance(event, TableOpened) and not isinstance(event, TableChanged):
        return _apply_opened(state, event)
    if state is None:
        raise UnexpectedEvent(f"A table begins with its opening, not with {event.kind!r}.")
    if state.closed:
        raise UnexpectedEvent(f"Table {state.table} is closed: {event.kind!r} cannot happen there.")
    # The two most frequent events skip the dispatch.
    if isinstance(event, DecisionMade):
        return _apply_decision(state, event)
    if isinstance(event, WagersPlaced):
        return _apply_wagers_placed(state, event)
    return _apply_event(event, state)


def _apply_opened(state: TableState | None, opening: TableOpened) -> TableState:
    if state is not None and not state.closed:
        raise UnexpectedEvent(f"Table {opening.table} is already open.")
    times, number = (state.opening, state.number) if state else (0, 1)
    if opening.opening != times + 1:
        raise UnexpectedEvent(f"Table {opening.table} was opened {times} times, not {opening.opening - 1}.")
    if state is not None and opening.terms.money is not state.terms.money:
        # Its chips, and the house's winnings there, are in that currency.
        raise UnexpectedEvent(
            f"Table {opening.table} is for {state.terms.money.label}, which never changes: open another table for "
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
    raise UnexpectedEvent(f"{event.kind!r} is not an event of a table.")


@_apply_event.register
def _(event: TableChanged, state: TableState) -> TableState:
    if state.phase is TablePhase.PLAYING:
        raise UnexpectedEvent(f"Table {state.table} cannot change while round {state.round} is in progress.")
    if (event.opening, event.seal) != (state.opening + 1, state.seal):
        raise UnexpectedEvent(f"Setup {event.opening} of {state.table} does not follow setup {state.opening}.")
    before, setup = state.setup_texts, setup_text(event)
    after = SetupText(orjson.loads(setup), play=play_terms_to_mapping(event.terms))
    if event.changes != list_setup_changes(before, after):
        raise UnexpectedEvent(f"The event lists other changes than the setups of {state.table} show.")
    table = open_table(setup).table
    if not event.second and takes_two_people(state.open_table.table.setup, table.setup):
        raise UnexpectedEvent(f"One person changed what a wager at {state.table} costs or pays.")
    if any(occupant.seat > table.seats for occupant in state.seats):
        raise UnexpectedEvent(f"A seat of {state.table} is taken that the table no longer has.")
    if terms_that_stay(event.terms) != terms_that_stay(state.terms):
        raise UnexpectedEvent(f"The mode, the money, and the owner of {state.table} never change.")
    seats = [_move_chips(occupant, occupant.wagered) for occupant in state.seats]
    return state.with_seats(
        *seats,
        setup=setup,
        terms=event.terms,
        opening=event.opening,
        tabulated=event.tabulated,
        seat_wagers=(),
        deadline=0,
    )


@_apply_event.register
def _(event: TablePaused, state: TableState) -> TableState:
    if state.playing:
        return state._replace(paused=event.why)
    seats = [_move_chips(occupant, occupant.wagered) for occupant in state.seats]
    return state.with_seats(*seats, paused=event.why, seat_wagers=(), deadline=0)


@_apply_event.register
def _(_: TableResumed, state: TableState) -> TableState:
    if not state.paused:
        raise UnexpectedEvent(f"Table {state.table} is not paused.")
    return state._replace(paused="")


@_apply_event.register
def _(event: TableClosed, state: TableState) -> TableState:
    if state.phase is TablePhase.PLAYING or state.seats:
        raise UnexpectedEvent(f"Table {state.table} cannot close while a seat is taken.")
    # The number of the next round is not used again: its key is revealed now.
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
        raise UnexpectedEvent(f"{event.player} cannot be warned at seat {event.seat} of {state.table}.")
    if state.phase is not TablePhase.BETTING or not state.seat_wagers or state.wagers_at(event.seat):
        raise UnexpectedEvent(f"No player waits for seat {event.seat} of {state.table}.")
    if state.warning_at(event.seat):
        raise UnexpectedEvent(f"Seat {event.seat} of {state.table} is already warned.")
    return state._replace(warnings=tuple(sorted((*state.warnings, AbsenceWarning(event.seat, event.until)))))


@_apply_event.register
def _(event: AbsenceEnded, state: TableState) -> TableState:
    if not state.warning_at(event.seat) or _require_seat(state, event.seat).player != event.player:
        raise UnexpectedEvent(f"{event.player} was not warned at seat {event.seat} of {state.table}.")
    return _clear_warning(state, event.seat)


def _clear_warning(state: TableState, seat: int) -> TableState:
    """Any action at a seat clears its warning."""
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
        raise UnexpectedEvent(f"{event.player} cannot be removed from seat {event.seat} of {state.table}.")
    state = _clear_warning(state, event.seat)
    if event.has_wagers:
        if before.chips != event.cents:
            raise UnexpectedEvent(
                f"Seat {event.seat} of {state.table} has {before.chips} cents in chips, not {event.cents}."
            )
        return state.with_seats(before._replace(chips=0, leaving=True))
    if before.chips + before.wagered != event.cents or (state.playing and before.wagered):
        raise UnexpectedEvent(f"Seat {event.seat} of {state.table} does not return {event.cents} cents.")
    seat_wagers = tuple(other for other in state.seat_wagers if other.seat != event.seat)
    deadline = state.deadline if seat_wagers or state.playing else 0
    return state.with_seats(freed_seat=event.seat, seat_wagers=seat_wagers, deadline=deadline)


def _apply_wagers_placed(state: TableState, event: WagersPlaced) -> TableState:
    seat_wagers = event.seat_wagers
    before = _require_seat(state, seat_wagers.seat)
    if state.phase is not TablePhase.BETTING or before.leaving:
        raise UnexpectedEvent(f"Bets are not open at {state.table}.")
    other_wagers = [other for other in state.seat_wagers if other.seat != seat_wagers.seat]
    all_wagers = sorted([*other_wagers, seat_wagers] if seat_wagers.spots else other_wagers)
    occupant = _move_chips(before, before.wagered - event.cents, event.at)
    return _clear_warning(state, seat_wagers.seat).with_seats(
        occupant, seat_wagers=tuple(all_wagers), deadline=event.deadline
    )


@_apply_event.register
def _(event: RoundStarted, state: TableState) -> TableState:
    if state.phase is not TablePhase.BETTING or event.number != state.number or not event.wagers:
        raise UnexpectedEvent(f"Round {event.number} cannot begin at {state.table}.")
    if (event.opening, event.seal) != (state.opening, state.seal):
        raise UnexpectedEvent(f"Round {event.number} of {state.table} has another seal than the published one.")
    if event.wagers != _remove_wagers(state.seat_wagers, event.returned_wagers):
        raise UnexpectedEvent(f"Round {event.number} of {state.table} has other wagers than the layout.")
    players = {seat_player.seat: seat_player.player for seat_player in event.players}
    if players != {wagers.seat: _require_seat(state, wagers.seat).player for wagers in event.wagers}:
        raise UnexpectedEvent(f"Round {event.number} of {state.table} has other players than the seats.")
    table = state.open_table.table
    refunds = [
        _move_chips(
            _require_seat(state, wagers.seat),
            sum(table.spots[spot].wager.stakes * cents for spot, cents in wagers.spots.items()),
        )
        for wagers in event.returned_wagers
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
        raise UnexpectedEvent(f"It was not the turn of seat {event.seat} of {state.table}.")
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
    wagered = sum(occupant.wagered for occupant in state.seats)
    paid = sum(amount.cents for amount in event.returned)
    rack = state.rack + event.filled + wagered - paid
    if rack < 0 or (event.filled and rack):
        raise UnexpectedEvent(f"The house added {event.filled} cents for round {event.number} of {state.table}.")
    return _end_round(state, event.returned, event.seal, rack)


@_apply_event.register
def _(event: RoundCanceled, state: TableState) -> TableState:
    if not state.playing or event.number != state.number:
        raise UnexpectedEvent(f"Round {event.number} of {state.table} is not in progress.")
    refunds = [SeatAmount(occupant.seat, occupant.wagered) for occupant in state.seats]
    return _end_round(state, refunds, event.seal, state.rack)


@_apply_event.register
def _(event: SealRenewed, state: TableState) -> TableState:
    if not state.seal or event.number != state.number + state.playing or event.seal == state.seal:
        raise UnexpectedEvent(f"Round {event.number} of {state.table} cannot get a new key now.")
    if state.playing:
        if not event.second:
            raise UnexpectedEvent(f"Two people must void round {state.number} of {state.table}.")
        return _end_round(
            state, [SeatAmount(occupant.seat, occupant.wagered) for occupant in state.seats], event.seal, state.rack
        )
    seats = [_move_chips(occupant, occupant.wagered) for occupant in state.seats]
    return state.with_seats(*seats, seal=event.seal, seat_wagers=(), deadline=0)


def _end_round(state: TableState, returned: Iterable[SeatAmount], seal: str, rack: int) -> TableState:
    """Clear the layout for the next round."""
    cents_by_seat = {amount.seat: amount.cents for amount in returned}
    if not cents_by_seat.keys() <= {amount.seat for amount in state.seats}:
        raise UnexpectedEvent(f"The round pays an empty seat at {state.table}.")
    return state.without_round(
        seats=tuple(
            [
                _with_chips(occupant, occupant.chips + cents_by_seat.get(occupant.seat, 0), 0, occupant.since)
                for occupant in state.seats
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
        raise UnexpectedEvent(f"Seat {seat} of {state.table} is empty.")
    return occupant


def _move_chips(occupant: Occupant, cents: int, active_since: int | None = None) -> Occupant:
    """Move chips from the layout to the seat, or the other way if negative."""
    if occupant.chips + cents < 0 or occupant.wagered - cents < 0:
        raise UnexpectedEvent(
            f"{abs(cents)} cents cannot be moved at seat {occupant.seat}, which has {occupant.chips} in chips and "
            f"{occupant.wagered} in wagers."
        )
    return _with_chips(
        occupant,
        occupant.chips + cents,
        occupant.wagered - cents,
        occupant.since if active_since is None else active_since,
    )


def _with_chips(occupant: Occupant, chips: int, down: int, active_since: int) -> Occupant:
    """The occupant with other chips and wagers. Constructed directly, because a replay does this for every wager and
    decision, and ``_replace`` takes three times as long."""
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
    """The unique key of a revealed key: a revealed key never deals another round.

    >>> revealed_key_key("00" * 32)[:20]
    'key 1d1b656f5a410176'
    """
    return f"key {sha256(b'cardroom revealed key 1' + bytes.fromhex(key)).hexdigest()[:32]}"


def table_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """The unique keys of an event: the round's id for its end, and another key for its start."""
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
"""The prefix of the names of private tables, and of no others: there may be very many, and the server skips them when
it starts."""


def practice_prefix(player: str) -> str:
    """The prefix of the names of a player's practice tables.

    >>> practice_prefix("guest-1")
    'practice-d39150c85b98-'
    """
    return f"{PRACTICE_PREFIX}{sha256(player.encode()).hexdigest()[:12]}-"


def practice_name(player: str, id: str) -> str:
    """The name of a practice table, derived from the command that opens it, so that a repeated command has the same.

    >>> practice_name("guest-1", "first")
    'practice-d39150c85b98-067bae28d7a1'
    """
    return practice_prefix(player) + sha256(f"{player}/{id}".encode()).hexdigest()[:12]
