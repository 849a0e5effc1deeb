"""What happens to a player's account. Amounts are cents.

A player's account: what a happening makes of it, and what it means for the books.

Who may have an account, and what goes in and out of it.

What happens to a player's account, in sentences: every kind has its words here and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from cardroom.accounts import CENT, HOUSE, Account, AccountKind, Currency, Posting
from cardroom.errors import BadInput, quote
from cardroom.games.money import format_cents
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.event_types import DomainEvent, event_type
from cardroom.room.payments import normalize_reference
from cardroom.room.tabulator.state import UnexpectedEvent


@dataclass(frozen=True, slots=True)
class PlayerAccountEvent(DomainEvent):
    """What happens to a player stands on the player's own chain."""

    player: str


@event_type("player-account-opened")
class PlayerAccountOpened(PlayerAccountEvent):
    """A player gets an account. A guest gets play money with it, out of nobody's pocket but the house's."""

    money: Currency
    guest: bool
    cents: int
    who: str
    """Who admitted the player; a guest comes in alone."""


@event_type("balance-paid-in")
class BalancePaidIn(PlayerAccountEvent):
    """Money over the counter of the cage, onto the balance: one takes it, another one has seen it."""

    cents: int
    who: str
    second: str
    reference: str


@event_type("balance-paid-out")
class BalancePaidOut(PlayerAccountEvent):
    """Money off the balance, over the counter of the cage. One counts it out, another one agrees."""

    cents: int
    who: str
    second: str
    reference: str


@event_type("chips-bought")
class ChipsBought(PlayerAccountEvent):
    """Off the balance onto a seat."""

    table: str
    seat: int
    cents: int
    round: int
    """The number of the round that was to come, or was played, at the table."""


@event_type("chips-returned")
class ChipsReturned(PlayerAccountEvent):
    """From a seat back to the balance."""

    table: str
    seat: int
    cents: int
    round: int
    left_table: bool
    """Whether the seat is free now; wagers of a round that is played keep it."""


@event_type("prize-credited")
class PrizeCredited(PlayerAccountEvent):
    """A jackpot's prize that two people have verified."""

    jackpot: str
    claim: str
    seat: int
    cents: int


class PlayerAccount(NamedTuple):
    """A player between two happenings."""

    player: str
    money: Currency
    guest: bool
    balance: int
    """In cents; chips before a seat are not in it."""
    seats: Mapping[str, int]
    """The seat that the player has, by table."""


def apply_player_event(state: PlayerAccount | None, event: DomainEvent) -> PlayerAccount:
    """The player after a happening. A balance below zero, or a second seat at one table, cannot follow."""
    if isinstance(event, PlayerAccountOpened):
        if state is not None:
            raise UnexpectedEvent(f"{event.player} was admitted before.")
        return PlayerAccount(event.player, event.money, event.guest, event.cents, {})
    if state is None:
        raise UnexpectedEvent(f"A player begins by being admitted, not with {event.kind!r}.")
    match event:
        case BalancePaidIn(cents=cents) | PrizeCredited(cents=cents):
            return _with_balance_change(state, cents)
        case BalancePaidOut(cents=cents):
            return _with_balance_change(state, -cents)
        case ChipsBought(table=table, seat=seat, cents=cents):
            if state.seats.get(table, seat) != seat:
                raise UnexpectedEvent(f"{state.player} has another seat at {table} already.")
            return _with_balance_change(state, -cents)._replace(seats={**state.seats, table: seat})
        case ChipsReturned(table=table, seat=seat, cents=cents, left_table=left_table):
            if state.seats.get(table) != seat:
                raise UnexpectedEvent(f"{state.player} has not seat {seat} of {table}.")
            remaining_seats = (
                {seat_table: seat_number for seat_table, seat_number in state.seats.items() if seat_table != table}
                if left_table
                else state.seats
            )
            return _with_balance_change(state, cents)._replace(seats=remaining_seats)
    raise UnexpectedEvent(f"{event.kind!r} does not happen to a player.")


def _with_balance_change(state: PlayerAccount, cents: int) -> PlayerAccount:
    balance = state.balance + cents
    if balance < 0:
        raise UnexpectedEvent(f"The balance of {state.player} would be {balance} cents.")
    return state._replace(balance=balance)


def player_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """What the player's chain knows it by: a slip of the cage is entered once."""
    match event:
        case BalancePaidIn(reference=reference) | BalancePaidOut(reference=reference):
            return (normalize_reference(f"slip {reference}"),)
    return ()


def balance_account(player: str, money: Currency) -> Account:
    return Account(AccountKind.PLAYER, player, money)


def seat_account(table: str, seat: int, money: Currency) -> Account:
    return Account(AccountKind.SEAT, f"{table}/{seat}", money)


def player_postings(_: PlayerAccount | None, after: PlayerAccount, event: DomainEvent) -> tuple[Posting, ...]:
    """What a happening of a player moves: between the house and the balance, or between the balance and a seat."""
    money = after.money
    balance = balance_account(after.player, money)
    match event:
        case PlayerAccountOpened(cents=cents) | PrizeCredited(cents=cents):
            debit, credit = Account(AccountKind.ISSUED, HOUSE, money), balance
        case BalancePaidIn(cents=cents):
            debit, credit = Account(AccountKind.HOUSE_CASH, HOUSE, money), balance
        case BalancePaidOut(cents=cents):
            debit, credit = balance, Account(AccountKind.HOUSE_CASH, HOUSE, money)
        case ChipsBought(table=table, seat=seat, cents=cents):
            debit, credit = balance, seat_account(table, seat, money)
        case ChipsReturned(table=table, seat=seat, cents=cents):
            debit, credit = seat_account(table, seat, money), balance
        case _:
            return ()
    return (Posting(debit, credit, cents * CENT),) if cents else ()


GUEST_CENTS: Final = 1_000_00
"""Play money that a guest comes in with, in cents."""
RESERVED_NAMES: Final = frozenset({"clock", "left", "bot", "demo", "guest", "secret"})
"""Who answers at a felt when nobody does, and whom the house's own commands are named after: no player is called so."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class BadPlayerAccount(BadInput):
    """A name that no account can have, or an amount that it cannot move."""


def guest_name(id: str) -> str:
    """The name under which the sender of a command comes in as a guest: the same for the same command.

    >>> guest_name("first-visit")
    'guest-eb37ec54b77e'
    """
    return f"guest-{sha256(id.encode()).hexdigest()[:12]}"


def is_valid_player_name(text: str) -> bool:
    """Whether a player may be called so, or whoever answers where no player does.

    >>> is_valid_player_name("ann-lee"), is_valid_player_name("Ada")
    (True, False)
    """
    return _NAME.fullmatch(text) is not None


def open_guest_account(player: str) -> tuple[PlayerAccountOpened, ...]:
    """A guest, with play money."""
    return (PlayerAccountOpened(player, Currency.PLAY, True, GUEST_CENTS, player),)


def open_account(player: str, currency: Currency, who: str) -> tuple[PlayerAccountOpened, ...]:
    """A named player, whose balance begins with nothing."""
    if not is_valid_player_name(player) or player.startswith("guest-"):
        raise BadPlayerAccount(
            f"{quote(player)} cannot be a player's name: use 1 to 60 small letters, digits and dashes, beginning with "
            'a letter or digit, and not with "guest-".'
        )
    if player in RESERVED_NAMES:
        raise BadPlayerAccount(f"{quote(player)} is a name of the house's own: give this player another one.")
    return (
        PlayerAccountOpened(player, currency, False, 0, require_text(who, "name of the person who admits the player")),
    )


def pay_in(
    state: PlayerAccount, cents: int, *, who: str, second: str | None, reference: str
) -> tuple[BalancePaidIn, ...]:
    """The cage takes money for the balance; two people do."""
    _refuse_zero(cents)
    first_name, second_name = require_two_people(who, second, "a payment onto a balance")
    return (BalancePaidIn(state.player, cents, first_name, second_name, require_text(reference, "number of the slip")),)


def pay_out(
    state: PlayerAccount, cents: int, *, who: str, second: str | None, reference: str
) -> tuple[BalancePaidOut, ...]:
    """The cage pays money from the balance; two people do."""
    _refuse_zero(cents)
    first_name, second_name = require_two_people(who, second, "a payment from a balance")
    if cents > state.balance:
        raise BadPlayerAccount(
            f"The balance of {state.player} is {format_cents(state.balance)}: {format_cents(cents)} cannot be paid out."
        )
    return (
        BalancePaidOut(state.player, cents, first_name, second_name, require_text(reference, "number of the slip")),
    )


def _refuse_zero(cents: int) -> None:
    if cents <= 0:
        raise BadPlayerAccount(f"{format_cents(cents)} cannot be paid: give an amount above zero.")


def describe_player_event(event: DomainEvent) -> str:
    """What happened, in a sentence.

    >>> describe_player_event(BalancePaidOut("ann-lee", 50_00, "Carl", "Vera", "slip 2"))
    'Carl and Vera paid $50 out at the cage, slip 2.'
    """
    match event:
        case PlayerAccountOpened(guest=True, cents=cents, money=currency):
            return f"Came in as a guest with {format_cents(cents)} of {currency.label}."
        case PlayerAccountOpened(who=who, money=currency):
            return f"{who} admitted the player, whose balance is of {currency.label}."
        case BalancePaidIn(cents=cents, who=who, second=second, reference=reference):
            return f"{who} and {second} took {format_cents(cents)} in at the cage, {reference}."
        case BalancePaidOut(cents=cents, who=who, second=second, reference=reference):
            return f"{who} and {second} paid {format_cents(cents)} out at the cage, {reference}."
        case ChipsBought(table=table, seat=seat, cents=cents, round=number):
            return f"Bought {format_cents(cents)} in chips at seat {seat} of {table}, round {number}."
        case ChipsReturned(table=table, seat=seat, cents=cents, round=number, left_table=left_table):
            wagers_text = "" if left_table else " The wagers of the round that was played stayed."
            return f"Got {format_cents(cents)} in chips back from seat {seat} of {table}, round {number}.{wagers_text}"
        case PrizeCredited(jackpot=jackpot, claim=claim, seat=seat, cents=cents):
            return f"Got the prize of {format_cents(cents)} of jackpot {jackpot}, claim {claim}, seat {seat}."
    raise TypeError(f"{event.kind} does not happen to a player.")
