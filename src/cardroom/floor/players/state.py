"""A player's account: what a happening makes of it, and what it means for the books."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cardroom.accounts import CENT, HOUSE, Account, AccountKind, Currency, Posting
from cardroom.floor.players.happenings import (
    ChipsBought,
    ChipsReturned,
    PaidIn,
    PaidOut,
    PlayerAdmitted,
    PrizeCredited,
)
from cardroom.jackpots import Happening
from cardroom.jackpots.references import plain_name
from cardroom.jackpots.tabulator.replay import DoesNotFollow


class PlayerState(NamedTuple):
    """A player between two happenings."""

    player: str
    money: Currency
    guest: bool
    balance: int
    """In cents; chips before a seat are not in it."""
    seats: Mapping[str, int]
    """The seat that the player has, by table."""


def player_after(state: PlayerState | None, happening: Happening) -> PlayerState:
    """The player after a happening. A balance below zero, or a second seat at one table, cannot follow."""
    if isinstance(happening, PlayerAdmitted):
        if state is not None:
            raise DoesNotFollow(f"{happening.player} was admitted before.")
        return PlayerState(happening.player, happening.money, happening.guest, happening.cents, {})
    if state is None:
        raise DoesNotFollow(f"A player begins by being admitted, not with {happening.kind!r}.")
    match happening:
        case PaidIn(cents=cents) | PrizeCredited(cents=cents):
            return _with(state, cents)
        case PaidOut(cents=cents):
            return _with(state, -cents)
        case ChipsBought(table=table, seat=seat, cents=cents):
            if state.seats.get(table, seat) != seat:
                raise DoesNotFollow(f"{state.player} has another seat at {table} already.")
            return _with(state, -cents)._replace(seats={**state.seats, table: seat})
        case ChipsReturned(table=table, seat=seat, cents=cents, gone=gone):
            if state.seats.get(table) != seat:
                raise DoesNotFollow(f"{state.player} has not seat {seat} of {table}.")
            kept = {at: one for at, one in state.seats.items() if at != table} if gone else state.seats
            return _with(state, cents)._replace(seats=kept)
    raise DoesNotFollow(f"{happening.kind!r} does not happen to a player.")


def _with(state: PlayerState, cents: int) -> PlayerState:
    balance = state.balance + cents
    if balance < 0:
        raise DoesNotFollow(f"The balance of {state.player} would be {balance} cents.")
    return state._replace(balance=balance)


def player_names(happening: Happening) -> tuple[str, ...]:
    """What the player's chain knows it by: a slip of the cage is entered once."""
    match happening:
        case PaidIn(reference=reference) | PaidOut(reference=reference):
            return (plain_name(f"slip {reference}"),)
    return ()


def balance_account(player: str, money: Currency) -> Account:
    return Account(AccountKind.PLAYER, player, money)


def seat_account(table: str, seat: int, money: Currency) -> Account:
    return Account(AccountKind.SEAT, f"{table}/{seat}", money)


def player_postings(_: PlayerState | None, after: PlayerState, happening: Happening) -> tuple[Posting, ...]:
    """What a happening of a player moves: between the house and the balance, or between the balance and a seat."""
    money = after.money
    balance = balance_account(after.player, money)
    match happening:
        case PlayerAdmitted(cents=cents) | PrizeCredited(cents=cents):
            debit, credit = Account(AccountKind.ISSUED, HOUSE, money), balance
        case PaidIn(cents=cents):
            debit, credit = Account(AccountKind.HOUSE_CASH, HOUSE, money), balance
        case PaidOut(cents=cents):
            debit, credit = balance, Account(AccountKind.HOUSE_CASH, HOUSE, money)
        case ChipsBought(table=table, seat=seat, cents=cents):
            debit, credit = balance, seat_account(table, seat, money)
        case ChipsReturned(table=table, seat=seat, cents=cents):
            debit, credit = seat_account(table, seat, money), balance
        case _:
            return ()
    return (Posting(debit, credit, cents * CENT),) if cents else ()
