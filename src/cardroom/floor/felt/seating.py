"""Who may sit down, and what happens when somebody leaves."""

from __future__ import annotations

from cardroom.errors import quote
from cardroom.floor.felt.faults import NoSuchSeat, NotEnough, NotNow, NotYours
from cardroom.floor.felt.happenings import SeatLeft, SeatTaken
from cardroom.floor.felt.state import FeltState, Phase, Seated
from cardroom.floor.felt.terms import SECOND, Mode
from cardroom.floor.players.admitting import is_players_name
from cardroom.floor.players.state import PlayerState
from cardroom.games.money import format_cents
from cardroom.jackpots.people import named


def open_to_seats(state: FeltState) -> FeltState:
    """The felt, if people sit down there."""
    if state.closed:
        raise NotNow(f"Table {state.table} is closed: {state.closed}.")
    if state.terms.mode is Mode.LIVE:
        raise NotNow(f"Table {state.table} is dealt by a dealer: sit down there in person.")
    return state


def take(state: FeltState, player: PlayerState, seat: int | None, buy_in: int | None, now: int) -> SeatTaken:
    """Sit down with chips from the balance, or buy more of them at the seat that one has."""
    open_to_seats(state)
    if player.money is not state.terms.money:
        theirs, wanted = (
            f"{one} money" if one == "play" else "the room's money" for one in (player.money, state.terms.money)
        )
        raise NotYours(f"Table {state.table} deals for {wanted}, and {player.player} has {theirs}: the two never meet.")
    here = state.seat_of(player.player)
    if here is None:
        at = _free(state, seat)
        cents = min(state.terms.buy_in, player.balance) if buy_in is None else buy_in
    else:
        at, cents = _more(state, here, seat, buy_in), buy_in or 0
    if buy_in is not None and buy_in <= 0:
        raise NotEnough(f"A buy-in of {format_cents(buy_in)} buys no chips: give an amount above zero.")
    if not player.balance:
        raise NotEnough(f"Nothing is left on the balance of {player.player}: it buys no chips.")
    if cents > player.balance:
        raise NotEnough(
            f"The balance of {player.player} is {format_cents(player.balance)}: that does not buy "
            f"{format_cents(cents)}."
        )
    return SeatTaken(state.table, at, player.player, cents, now)


def give_way(state: FeltState, wanted: str, seat: int | None, now: int) -> tuple[SeatLeft, Seated] | None:
    """Whose seat somebody gets who wants one where none is free: company's, or of those who have been silent for long
    the one who has been so for longest. Nobody gives way whose wagers lie there, nor at a table that is not full."""
    if state.closed or state.terms.mode is Mode.LIVE or state.seat_of(wanted):
        return None
    if len(state.seats) < state.at.table.seats:
        return None
    silent = now - state.terms.silence * SECOND if state.terms.silence else 0
    idle = [one for one in state.seats if not one.down and not one.leaving and seat in (None, one.seat)]
    company, others = [one for one in idle if one.company], [one for one in idle if one.since < silent]
    for one in (*company, *sorted(others, key=lambda one: one.since)):
        cents = one.chips
        return SeatLeft(state.table, one.seat, one.player, cents, company=one.company, wanted=wanted), one
    return None


def _free(state: FeltState, seat: int | None) -> int:
    seats = state.at.table.seats
    free = [one for one in range(1, seats + 1) if state.seated(one) is None]
    if seat is not None and not 1 <= seat <= seats:
        raise NoSuchSeat(f"There is no seat {seat} at {state.table}: it has seats 1 to {seats}.")
    if not free:
        raise NotNow(f"All {seats} seats of {state.table} are taken: wait until one is free, or choose another table.")
    if seat is None:
        return free[0]
    if seat not in free:
        others = ", ".join(map(str, free))
        raise NotNow(f"Seat {seat} of {state.table} is taken: free {'is' if len(free) == 1 else 'are'} {others}.")
    return seat


def _more(state: FeltState, here: Seated, seat: int | None, buy_in: int | None) -> int:
    if here.leaving:
        raise NotNow(
            f"Your wagers of round {state.round} are still played at seat {here.seat}: sit down when it has ended."
        )
    if seat not in (None, here.seat):
        raise NotNow(f"You have seat {here.seat} of {state.table} already: leave it first.")
    if buy_in is None:
        raise NotNow(f"You have seat {here.seat} of {state.table} already: say for how much you buy more chips.")
    return here.seat


def take_company(state: FeltState, seat: int, name: str, cents: int, now: int) -> SeatTaken:
    """Company sits down with chips of the house, or gets more of them; for play money only."""
    open_to_seats(state)
    if state.terms.money != "play":
        raise NotYours(f"Table {state.table} deals for the room's money: company plays for play money only.")
    if is_players_name(name):
        raise NotYours(f"{quote(name)} may be a player's name: let company's begin with a capital letter.")
    here = state.seated(seat)
    if here is None:
        return SeatTaken(state.table, _free(state, seat), named(name, "company's name"), cents, now, company=True)
    if not here.company:
        raise NotNow(f"Seat {seat} of {state.table} is taken.")
    return SeatTaken(state.table, seat, here.player, cents, now, company=True)


def leave(state: FeltState, here: Seated) -> SeatLeft:
    """Leave: the chips before the seat go back at once. Wagers of a round that is played stay, and the safe answer
    counts for them; what they bring follows when it has ended. Wagers of a round that has not begun go back too."""
    if here.leaving:
        raise NotNow(f"Seat {here.seat} of {state.table} was left already: its wagers are still played.")
    if state.phase is Phase.PLAYING and state.laid_at(here.seat):
        return SeatLeft(state.table, here.seat, here.player, here.chips, stays=True, company=here.company)
    return SeatLeft(state.table, here.seat, here.player, here.chips + here.down, company=here.company)
