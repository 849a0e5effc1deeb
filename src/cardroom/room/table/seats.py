"""Who may sit down, and what happens when somebody leaves.

Those who have gone without a word: the house calls, and who does not answer is led away from the seat.

A felt waits for everybody who sits there. The floor does not see who is in the room: whoever asks it to call has
looked, and whoever has seen the player answers for them. So it does not matter how many servers stand on the same
books: a player whom one of them sees is never led away by another.
"""

from __future__ import annotations

from cardroom.errors import quote
from cardroom.games.money import format_cents
from cardroom.room.dual_control import require_text
from cardroom.room.player.account import PlayerAccount, is_valid_player_name
from cardroom.room.table.events import AbsenceEnded, AbsenceWarned, SeatLeft, SeatTaken
from cardroom.room.table.state import Occupant, TablePhase, TableState
from cardroom.room.table.terms import SECOND_US, DealingMode, NotEnoughChips, NotYourSeat, UnknownSeat, WrongPhase


def require_open_seating(state: TableState) -> TableState:
    """The felt, if people sit down there."""
    if state.closed:
        raise WrongPhase(f"Table {state.table} is closed: {state.closed}.")
    if state.terms.mode is DealingMode.LIVE:
        raise WrongPhase(f"Table {state.table} is dealt by a dealer: sit down there in person.")
    return state


def take_seat(state: TableState, player: PlayerAccount, seat: int | None, buy_in: int | None, now: int) -> SeatTaken:
    """Sit down with chips from the balance, or buy more of them at the seat that one has."""
    require_open_seating(state)
    if player.money is not state.terms.money:
        player_currency_text, table_currency_text = (
            f"{currency} money" if currency == "play" else "the room's money"
            for currency in (player.money, state.terms.money)
        )
        raise NotYourSeat(
            f"Table {state.table} deals for {table_currency_text}, and {player.player} has {player_currency_text}: "
            "the two never meet."
        )
    occupant = state.seat_of(player.player)
    if occupant is None:
        seat_number = _find_free_seat(state, seat)
        cents = min(state.terms.buy_in, player.balance) if buy_in is None else buy_in
    else:
        seat_number, cents = _top_up(state, occupant, seat, buy_in), buy_in or 0
    if buy_in is not None and buy_in <= 0:
        raise NotEnoughChips(f"A buy-in of {format_cents(buy_in)} buys no chips: give an amount above zero.")
    if not player.balance:
        raise NotEnoughChips(f"Nothing is left on the balance of {player.player}: it buys no chips.")
    if cents > player.balance:
        raise NotEnoughChips(
            f"The balance of {player.player} is {format_cents(player.balance)}: that does not buy "
            f"{format_cents(cents)}."
        )
    return SeatTaken(state.table, seat_number, player.player, cents, now)


def find_seat_to_free(state: TableState, player: str, seat: int | None, now: int) -> tuple[SeatLeft, Occupant] | None:
    """Whose seat somebody gets who wants one where none is free: company's, or of those who have been silent for long
    the one who has been so for longest. Nobody gives way whose wagers lie there, nor at a table that is not full."""
    if state.closed or state.terms.mode is DealingMode.LIVE or state.seat_of(player):
        return None
    if len(state.seats) < state.open_table.table.seats:
        return None
    silent = now - state.terms.silence * SECOND_US if state.terms.silence else 0
    idle = [
        occupant
        for occupant in state.seats
        if not occupant.wagered and not occupant.leaving and seat in (None, occupant.seat)
    ]
    bots, silent_players = (
        [occupant for occupant in idle if occupant.is_bot],
        [occupant for occupant in idle if occupant.since < silent],
    )
    for occupant in (*bots, *sorted(silent_players, key=lambda occupant: occupant.since)):
        cents = occupant.chips
        return SeatLeft(
            state.table, occupant.seat, occupant.player, cents, is_bot=occupant.is_bot, wanted_by=player
        ), occupant
    return None


def _find_free_seat(state: TableState, seat: int | None) -> int:
    seats = state.open_table.table.seats
    free = [number for number in range(1, seats + 1) if state.occupant(number) is None]
    if seat is not None and not 1 <= seat <= seats:
        raise UnknownSeat(f"There is no seat {seat} at {state.table}: it has seats 1 to {seats}.")
    if not free:
        raise WrongPhase(
            f"All {seats} seats of {state.table} are taken: wait until one is free, or choose another table."
        )
    if seat is None:
        return free[0]
    if seat not in free:
        free_text = ", ".join(map(str, free))
        raise WrongPhase(
            f"Seat {seat} of {state.table} is taken: free {'is' if len(free) == 1 else 'are'} {free_text}."
        )
    return seat


def _top_up(state: TableState, occupant: Occupant, seat: int | None, buy_in: int | None) -> int:
    if occupant.leaving:
        raise WrongPhase(
            f"Your wagers of round {state.round} are still played at seat {occupant.seat}: sit down when it has ended."
        )
    if seat not in (None, occupant.seat):
        raise WrongPhase(f"You have seat {occupant.seat} of {state.table} already: leave it first.")
    if buy_in is None:
        raise WrongPhase(
            f"You have seat {occupant.seat} of {state.table} already: say for how much you buy more chips."
        )
    return occupant.seat


def seat_bot(state: TableState, seat: int, name: str, cents: int, now: int) -> SeatTaken:
    """Company sits down with chips of the house, or gets more of them; for play money only."""
    require_open_seating(state)
    if state.terms.money != "play":
        raise NotYourSeat(f"Table {state.table} deals for the room's money: company plays for play money only.")
    if is_valid_player_name(name):
        raise NotYourSeat(f"{quote(name)} may be a player's name: let company's begin with a capital letter.")
    occupant = state.occupant(seat)
    if occupant is None:
        return SeatTaken(
            state.table, _find_free_seat(state, seat), require_text(name, "company's name"), cents, now, is_bot=True
        )
    if not occupant.is_bot:
        raise WrongPhase(f"Seat {seat} of {state.table} is taken.")
    return SeatTaken(state.table, seat, occupant.player, cents, now, is_bot=True)


def leave_seat(state: TableState, occupant: Occupant) -> SeatLeft:
    """Leave: the chips before the seat go back at once. Wagers of a round that is played stay, and the safe answer
    counts for them; what they bring follows when it has ended. Wagers of a round that has not begun go back too."""
    if occupant.leaving:
        raise WrongPhase(f"Seat {occupant.seat} of {state.table} was left already: its wagers are still played.")
    if state.phase is TablePhase.PLAYING and state.wagers_at(occupant.seat):
        return SeatLeft(
            state.table, occupant.seat, occupant.player, occupant.chips, has_wagers=True, is_bot=occupant.is_bot
        )
    return SeatLeft(
        state.table, occupant.seat, occupant.player, occupant.chips + occupant.wagered, is_bot=occupant.is_bot
    )


def is_delaying_others(state: TableState, occupant: Occupant) -> bool:
    """Whether wagers of others lie there, and a player's seat has none."""
    others_wagered = bool(state.seat_wagers) and state.wagers_at(occupant.seat) is None
    return state.phase is TablePhase.BETTING and others_wagered and not occupant.is_bot and not occupant.leaving


def warn_absent_player(state: TableState, occupant: Occupant, now: int) -> AbsenceWarned:
    """Call a player for whom others wait."""
    if not state.terms.away:
        raise WrongPhase(f"Nobody is called at {state.table}: its terms say so.")
    if not is_delaying_others(state, occupant):
        raise WrongPhase(f"Nobody waits for seat {occupant.seat} of {state.table}.")
    if state.warning_at(occupant.seat):
        raise WrongPhase(f"Seat {occupant.seat} of {state.table} is called already.")
    return AbsenceWarned(state.table, occupant.seat, occupant.player, now + state.terms.away * SECOND_US)


def clear_absence_warning(state: TableState, occupant: Occupant) -> AbsenceEnded:
    """Whom the house called is there."""
    if not state.warning_at(occupant.seat):
        raise WrongPhase(f"Seat {occupant.seat} of {state.table} is not called.")
    return AbsenceEnded(state.table, occupant.seat, occupant.player)


def remove_absent_player(state: TableState, occupant: Occupant, now: int) -> SeatLeft:
    """The seat of somebody who has not answered in time is given up, between two rounds; the chips go back."""
    warning = state.warning_at(occupant.seat)
    if warning is None:
        raise WrongPhase(f"Seat {occupant.seat} of {state.table} is not called: call it first.")
    if now <= warning.until:
        raise WrongPhase(f"{occupant.player} still has time to answer at {state.table}.")
    if state.phase is TablePhase.PLAYING:
        raise WrongPhase(f"Round {state.round} is played: nobody is led away before it has ended.")
    return SeatLeft(state.table, occupant.seat, occupant.player, occupant.chips, was_absent=True)
