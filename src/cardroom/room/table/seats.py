"""Seats: take a seat, leave it, and remove absent players.

A table waits for every seated player. An absent player is warned when others wait, and removed without a response. The
caller decides who is absent, and any server that sees the player clears the warning: with several servers on one
database, a player whom one server sees is never removed by another.
"""

from __future__ import annotations

from cardroom.chart_of_accounts import Currency
from cardroom.errors import quote
from cardroom.games.money import format_cents
from cardroom.room.dual_control import require_text
from cardroom.room.player.account import PlayerAccount, is_valid_player_name
from cardroom.room.table.events import AbsenceEnded, AbsenceWarned, SeatLeft, SeatTaken
from cardroom.room.table.state import Occupant, TablePhase, TableState, closed_error
from cardroom.room.table.terms import SECOND_US, DealingMode, NotEnoughChips, NotYourSeat, UnknownSeat, WrongPhase
from cardroom.translation import gettext


def require_open_seating(state: TableState) -> TableState:
    """The table, if players can take seats here."""
    if state.closed:
        raise closed_error(state)
    if state.terms.mode is DealingMode.LIVE:
        raise WrongPhase(
            gettext("A dealer deals at table {table}. Take a seat in the card room.").format(table=state.table)
        )
    return state


def take_seat(state: TableState, player: PlayerAccount, seat: int | None, buy_in: int | None, now: int) -> SeatTaken:
    """Take a seat with chips from the balance, or buy more chips at the player's seat."""
    require_open_seating(state)
    if player.money is not state.terms.money:
        if player.money is Currency.PLAY:
            text = gettext("Table {table} is for real money and {player} has play money. Choose a play-money table.")
        else:
            text = gettext("Table {table} is for play money and {player} has real money. Choose a real-money table.")
        raise NotYourSeat(text.format(table=state.table, player=player.player))
    occupant = state.seat_of(player.player)
    if occupant is None:
        seat_number = _find_free_seat(state, seat)
        cents = min(state.terms.buy_in, player.balance) if buy_in is None else buy_in
    else:
        seat_number, cents = _top_up(state, occupant, seat, buy_in), buy_in or 0
    if buy_in is not None and buy_in <= 0:
        text = gettext("A buy-in of {amount} buys no chips. Enter an amount above zero.")
        raise NotEnoughChips(text.format(amount=format_cents(buy_in)))
    if not player.balance:
        raise NotEnoughChips(
            gettext("The balance of {player} is empty: you cannot buy chips.").format(player=player.player)
        )
    if cents > player.balance:
        text = gettext("The balance of {player} is {balance}, less than {amount}. Buy fewer chips.")
        raise NotEnoughChips(
            text.format(player=player.player, balance=format_cents(player.balance), amount=format_cents(cents))
        )
    return SeatTaken(state.table, seat_number, player.player, cents, now)


def find_seat_to_free(state: TableState, player: str, seat: int | None, now: int) -> tuple[SeatLeft, Occupant] | None:
    """The seat to free for a player at a full table: a bot's, or that of the longest idle player. A seat with wagers
    is never freed."""
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
        text = gettext("{table} has no seat {seat}: its seats are 1 to {count}.")
        raise UnknownSeat(text.format(table=state.table, seat=seat, count=seats))
    if not free:
        text = gettext("All {count} seats of {table} are taken. Wait for a free seat, or choose another table.")
        raise WrongPhase(text.format(count=seats, table=state.table))
    if seat is None:
        return free[0]
    if seat not in free:
        free_text = ", ".join(map(str, free))
        text = gettext("Seat {seat} of {table} is taken. Free seats: {free}.")
        raise WrongPhase(text.format(seat=seat, table=state.table, free=free_text))
    return seat


def _top_up(state: TableState, occupant: Occupant, seat: int | None, buy_in: int | None) -> int:
    if occupant.leaving:
        text = gettext("Your bets in round {round} are still in play at seat {seat}. Sit down when the round ends.")
        raise WrongPhase(text.format(round=state.round, seat=occupant.seat))
    if seat not in (None, occupant.seat):
        text = gettext("You already have seat {seat} of {table}. Leave it first.")
        raise WrongPhase(text.format(seat=occupant.seat, table=state.table))
    if buy_in is None:
        text = gettext("You already have seat {seat} of {table}. To buy more chips, enter an amount.")
        raise WrongPhase(text.format(seat=occupant.seat, table=state.table))
    return occupant.seat


def seat_bot(state: TableState, seat: int, name: str, cents: int, now: int) -> SeatTaken:
    """Seat a bot with chips of the house, or give it more; for play money only."""
    require_open_seating(state)
    if state.terms.money != "play":
        raise NotYourSeat(f"Table {state.table} is for real money: bots play only for play money.")
    if is_valid_player_name(name):
        raise NotYourSeat(f"{quote(name)} could be a player's name: begin a bot's name with a capital letter.")
    occupant = state.occupant(seat)
    if occupant is None:
        return SeatTaken(
            state.table, _find_free_seat(state, seat), require_text(name, "bot's name"), cents, now, is_bot=True
        )
    if not occupant.is_bot:
        raise WrongPhase(f"Seat {seat} of {state.table} is taken.")
    return SeatTaken(state.table, seat, occupant.player, cents, now, is_bot=True)


def leave_seat(state: TableState, occupant: Occupant) -> SeatLeft:
    """Leave a seat: its chips go back at once. Wagers in the current round stay with the default action, and their
    return follows when the round ends. Wagers on the next round go back too."""
    if occupant.leaving:
        text = gettext("You have already left seat {seat} of {table}. Its bets are still in play.")
        raise WrongPhase(text.format(seat=occupant.seat, table=state.table))
    if state.phase is TablePhase.PLAYING and state.wagers_at(occupant.seat):
        return SeatLeft(
            state.table, occupant.seat, occupant.player, occupant.chips, has_wagers=True, is_bot=occupant.is_bot
        )
    return SeatLeft(
        state.table, occupant.seat, occupant.player, occupant.chips + occupant.wagered, is_bot=occupant.is_bot
    )


def is_delaying_others(state: TableState, occupant: Occupant) -> bool:
    """Whether other seats have wagers and this player's seat has none."""
    others_wagered = bool(state.seat_wagers) and state.wagers_at(occupant.seat) is None
    return state.phase is TablePhase.BETTING and others_wagered and not occupant.is_bot and not occupant.leaving


def warn_absent_player(state: TableState, occupant: Occupant, now: int) -> AbsenceWarned:
    """Warn an absent player for whom others wait."""
    if not state.terms.away:
        raise WrongPhase(f"{state.table} does not warn absent players.")
    if not is_delaying_others(state, occupant):
        raise WrongPhase(f"No player waits for seat {occupant.seat} of {state.table}.")
    if state.warning_at(occupant.seat):
        raise WrongPhase(f"Seat {occupant.seat} of {state.table} is already warned.")
    return AbsenceWarned(state.table, occupant.seat, occupant.player, now + state.terms.away * SECOND_US)


def clear_absence_warning(state: TableState, occupant: Occupant) -> AbsenceEnded:
    """Clear the warning of a player who is back."""
    if not state.warning_at(occupant.seat):
        raise WrongPhase(f"Seat {occupant.seat} of {state.table} has no warning.")
    return AbsenceEnded(state.table, occupant.seat, occupant.player)


def remove_absent_player(state: TableState, occupant: Occupant, now: int) -> SeatLeft:
    """Remove a warned player whose time is over, between two rounds; the chips go back."""
    warning = state.warning_at(occupant.seat)
    if warning is None:
        raise WrongPhase(f"Seat {occupant.seat} of {state.table} has no warning: warn the player first.")
    if now <= warning.until:
        raise WrongPhase(f"{occupant.player} still has time to come back to {state.table}.")
    if state.phase is TablePhase.PLAYING:
        raise WrongPhase(f"Round {state.round} is in progress: remove absent players when it ends.")
    return SeatLeft(state.table, occupant.seat, occupant.player, occupant.chips, was_absent=True)
