"""A player account as an aggregate: its events, state, postings, decisions, and descriptions. Amounts are cents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import CENT, HOUSE, Account, AccountKind, Currency, Posting
from cardroom.errors import BadInput, quote
from cardroom.games.money import format_cents
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.event_types import DomainEvent, event_type
from cardroom.room.payment_references import normalize_reference
from cardroom.room.tabulator.state import UnexpectedEvent


@dataclass(frozen=True, slots=True)
class PlayerAccountEvent(DomainEvent):
    """An event on the chain of a player account."""

    player: str


@event_type("player-account-opened")
class PlayerAccountOpened(PlayerAccountEvent):
    """A player account is opened. A guest's account starts with play money from the house."""

    money: Currency
    guest: bool
    cents: int
    who: str
    """The person who opened the account; for a guest, the guest."""


@event_type("balance-paid-in")
class BalancePaidIn(PlayerAccountEvent):
    """The cage takes money for the balance: one person takes it, a second person counts it."""

    cents: int
    who: str
    second: str
    reference: str


@event_type("balance-paid-out")
class BalancePaidOut(PlayerAccountEvent):
    """The cage pays money from the balance: one person pays it, a second person counts it."""

    cents: int
    who: str
    second: str
    reference: str


@event_type("chips-bought")
class ChipsBought(PlayerAccountEvent):
    """Money moves from the balance to chips at a seat."""

    table: str
    seat: int
    cents: int
    round: int
    """The number of the table's current or next round."""


@event_type("chips-returned")
class ChipsReturned(PlayerAccountEvent):
    """Chips at a seat move back to the balance."""

    table: str
    seat: int
    cents: int
    round: int
    left_table: bool
    """Whether the seat is free now; wagers in the current round keep it taken."""


@event_type("prize-credited")
class PrizeCredited(PlayerAccountEvent):
    """A jackpot prize that two people verified."""

    jackpot: str
    claim: str
    seat: int
    cents: int


class PlayerAccount(NamedTuple):
    """A player account after its latest event."""

    player: str
    money: Currency
    guest: bool
    balance: int
    """In cents, without chips at seats."""
    seats: Mapping[str, int]
    """The player's seat, by table."""


def apply_player_event(state: PlayerAccount | None, event: DomainEvent) -> PlayerAccount:
    """The player account after an event. An event may not make the balance negative or take a second seat at a
    table."""
    if isinstance(event, PlayerAccountOpened):
        if state is not None:
            raise UnexpectedEvent(f"{event.player} already has an account.")
        return PlayerAccount(event.player, event.money, event.guest, event.cents, {})
    if state is None:
        raise UnexpectedEvent(f"A player account begins with its opening, not with {event.kind!r}.")
    match event:
        case BalancePaidIn(cents=cents) | PrizeCredited(cents=cents):
            return _with_balance_change(state, cents)
        case BalancePaidOut(cents=cents):
            return _with_balance_change(state, -cents)
        case ChipsBought(table=table, seat=seat, cents=cents):
            if state.seats.get(table, seat) != seat:
                raise UnexpectedEvent(f"{state.player} already has another seat at {table}.")
            return _with_balance_change(state, -cents)._replace(seats={**state.seats, table: seat})
        case ChipsReturned(table=table, seat=seat, cents=cents, left_table=left_table):
            if state.seats.get(table) != seat:
                raise UnexpectedEvent(f"{state.player} does not have seat {seat} of {table}.")
            remaining_seats = (
                {seat_table: seat_number for seat_table, seat_number in state.seats.items() if seat_table != table}
                if left_table
                else state.seats
            )
            return _with_balance_change(state, cents)._replace(seats=remaining_seats)
    raise UnexpectedEvent(f"{event.kind!r} is not an event of a player account.")


def _with_balance_change(state: PlayerAccount, cents: int) -> PlayerAccount:
    balance = state.balance + cents
    if balance < 0:
        raise UnexpectedEvent(f"The balance of {state.player} would be {balance} cents.")
    return state._replace(balance=balance)


def player_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """The unique keys of an event on the player's chain: each cage slip is entered once."""
    match event:
        case BalancePaidIn(reference=reference) | BalancePaidOut(reference=reference):
            return (normalize_reference(f"slip {reference}"),)
    return ()


def balance_account(player: str, money: Currency) -> Account:
    return Account(AccountKind.PLAYER, player, money)


def seat_account(table: str, seat: int, money: Currency) -> Account:
    return Account(AccountKind.SEAT, f"{table}/{seat}", money)


def player_postings(_: PlayerAccount | None, after: PlayerAccount, event: DomainEvent) -> tuple[Posting, ...]:
    """The postings of a player event: between the house and the balance, or between the balance and a seat."""
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
"""The play money of a new guest, in cents."""
RESERVED_NAMES: Final = frozenset({"clock", "left", "bot", "demo", "guest", "secret"})
"""Names that Cardroom uses for its own decisions and commands: no player account may have one."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class BadPlayerAccount(BadInput):
    """A name that no player account can have, or an amount that cannot be paid."""


def guest_name(id: str) -> str:
    """The name of the guest account that a command opens: the same for the same command.

    >>> guest_name("first-visit")
    'guest-eb37ec54b77e'
    """
    return f"guest-{sha256(id.encode()).hexdigest()[:12]}"


def is_valid_player_name(text: str) -> bool:
    """Whether a text is a valid name of a player, or of the program's own decisions.

    >>> is_valid_player_name("ann-lee"), is_valid_player_name("Ada")
    (True, False)
    """
    return _NAME.fullmatch(text) is not None


def open_guest_account(player: str) -> tuple[PlayerAccountOpened, ...]:
    """Open a guest account with play money."""
    return (PlayerAccountOpened(player, Currency.PLAY, True, GUEST_CENTS, player),)


def open_account(player: str, currency: Currency, who: str) -> tuple[PlayerAccountOpened, ...]:
    """Open a player account with an empty balance."""
    if not is_valid_player_name(player) or player.startswith("guest-"):
        raise BadPlayerAccount(
            f"{quote(player)} cannot be a player's name: use 1 to 60 lowercase letters, digits, and hyphens. Begin "
            'with a letter or digit, but not with "guest-".'
        )
    if player in RESERVED_NAMES:
        raise BadPlayerAccount(f"{quote(player)} is a reserved name: choose another one.")
    return (
        PlayerAccountOpened(player, currency, False, 0, require_text(who, "name of the person who opens the account")),
    )


def pay_in(
    state: PlayerAccount, cents: int, *, who: str, second: str | None, reference: str
) -> tuple[BalancePaidIn, ...]:
    """Take money at the cage for the balance; two people sign."""
    _refuse_zero(cents)
    first_name, second_name = require_two_people(who, second, "a payment to a balance")
    return (BalancePaidIn(state.player, cents, first_name, second_name, require_text(reference, "number of the slip")),)


def pay_out(
    state: PlayerAccount, cents: int, *, who: str, second: str | None, reference: str
) -> tuple[BalancePaidOut, ...]:
    """Pay money from the balance at the cage; two people sign."""
    _refuse_zero(cents)
    first_name, second_name = require_two_people(who, second, "a payment from a balance")
    if cents > state.balance:
        raise BadPlayerAccount(
            f"The balance of {state.player} is {format_cents(state.balance)}: you cannot pay out {format_cents(cents)}."
        )
    return (
        BalancePaidOut(state.player, cents, first_name, second_name, require_text(reference, "number of the slip")),
    )


def _refuse_zero(cents: int) -> None:
    if cents <= 0:
        raise BadPlayerAccount(f"{format_cents(cents)} cannot be paid: enter an amount above zero.")


def describe_player_event(event: DomainEvent) -> str:
    """The description of an event, in a sentence.

    >>> describe_player_event(BalancePaidOut("ann-lee", 50_00, "Carl", "Vera", "slip 2"))
    'Carl and Vera paid $50 out at the cage, slip 2.'
    """
    match event:
        case PlayerAccountOpened(guest=True, cents=cents, money=currency):
            return f"Opened a guest account with {format_cents(cents)} of {currency.label}."
        case PlayerAccountOpened(who=who, money=currency):
            return f"{who} opened the account for {currency.label}."
        case BalancePaidIn(cents=cents, who=who, second=second, reference=reference):
            return f"{who} and {second} took {format_cents(cents)} in at the cage, {reference}."
        case BalancePaidOut(cents=cents, who=who, second=second, reference=reference):
            return f"{who} and {second} paid {format_cents(cents)} out at the cage, {reference}."
        case ChipsBought(table=table, seat=seat, cents=cents, round=number):
            return f"Bought {format_cents(cents)} in chips at seat {seat} of {table}, round {number}."
        case ChipsReturned(table=table, seat=seat, cents=cents, round=number, left_table=left_table):
            wagers_text = "" if left_table else " The wagers in the current round stayed."
            return f"Returned {format_cents(cents)} in chips from seat {seat} of {table}, round {number}.{wagers_text}"
        case PrizeCredited(jackpot=jackpot, claim=claim, seat=seat, cents=cents):
            return f"Received a prize of {format_cents(cents)} of jackpot {jackpot}, claim {claim}, seat {seat}."
    raise TypeError(f"{event.kind} is not an event of a player account.")
