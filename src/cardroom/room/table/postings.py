"""Postings of table events: chips move between the seats, the layout, and the house's rack.

Chips that the house adds are issued, and so are the chips of bots; all others only move.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from cardroom.chart_of_accounts import CENT, HOUSE, Account, AccountKind, Currency, Posting
from cardroom.room.event_types import DomainEvent
from cardroom.room.player.account import seat_account
from cardroom.room.table.events import (
    DecisionMade,
    RoundCanceled,
    RoundPlayed,
    RoundStarted,
    SealRenewed,
    SeatLeft,
    SeatTaken,
    TableChanged,
    TablePaused,
    WagersPlaced,
)
from cardroom.room.table.state import TableState


class _Accounts(NamedTuple):
    """The accounts of a table besides those of its seats."""

    layout: Account
    rack: Account
    issued: Account


@lru_cache(4096)
def _accounts(table: str, money: Currency) -> _Accounts:
    return _Accounts(
        Account(AccountKind.LAYOUT, table, money),
        Account(AccountKind.FLOAT, table, money),
        Account(AccountKind.ISSUED, HOUSE, money),
    )


_seat_account = lru_cache(4096)(seat_account)


def table_postings(before: TableState | None, after: TableState, event: DomainEvent) -> tuple[Posting, ...]:
    """The postings of an event, from the changes of seats, layout, and rack."""
    if before is None or after.terms.mode != before.terms.mode:
        return ()
    return tuple(_post_event(before, after, event))


def _post_event(before: TableState, after: TableState, event: DomainEvent) -> Iterator[Posting]:
    table, money = after.table, after.terms.money
    layout, rack, issued = _accounts(table, money)
    match event:
        case DecisionMade(seat=seat, cents=cents):
            if cents:
                yield Posting(_seat_account(table, seat, money), layout, cents * CENT)
        case (
            WagersPlaced()
            | TablePaused()
            | TableChanged()
            | RoundStarted()
            | RoundCanceled()
            | RoundPlayed()
            | SealRenewed()
        ):
            if isinstance(event, RoundPlayed) and event.filled:
                yield Posting(issued, rack, event.filled * CENT)
            yield from _post_chip_changes(before, after, layout, rack)
        case SeatTaken(seat=seat, cents=cents, is_bot=True):
            yield Posting(issued, _seat_account(table, seat, money), cents * CENT)
        case SeatLeft(seat=seat, cents=cents):
            yield from _post_seat_left(before, event, layout, issued)


def _post_chip_changes(before: TableState, after: TableState, layout: Account, rack: Account) -> Iterator[Posting]:
    """Each seat's change goes to the layout or comes from it; the rest is the house's."""
    table, money = after.table, after.terms.money
    came, wagered_change = (
        [],
        sum(seat_before.wagered for seat_before in before.seats)
        - sum(seat_before.wagered for seat_before in after.seats),
    )
    for seat_before, seat_after in zip(before.seats, after.seats, strict=True):
        chips_change = seat_after.chips - seat_before.chips
        if chips_change < 0:
            yield Posting(_seat_account(table, seat_before.seat, money), layout, -chips_change * CENT)
            wagered_change -= chips_change
        elif chips_change:
            came.append(Posting(layout, _seat_account(table, seat_before.seat, money), chips_change * CENT))
    paid = sum(seat_before.amount for seat_before in came) // CENT
    if paid > wagered_change:
        yield Posting(rack, layout, (paid - wagered_change) * CENT)
    elif wagered_change > paid:
        yield Posting(layout, rack, (wagered_change - paid) * CENT)
    yield from came


def _post_seat_left(before: TableState, event: SeatLeft, layout: Account, issued: Account) -> Iterator[Posting]:
    """Returned wagers come off the layout first. A player's chips move to the balance by an event of the player
    account."""
    occupant = before.occupant(event.seat)
    assert occupant is not None
    seat = _seat_account(before.table, event.seat, before.terms.money)
    if occupant.wagered and not event.has_wagers:
        yield Posting(layout, seat, occupant.wagered * CENT)
    if occupant.is_bot and event.cents:
        yield Posting(seat, issued, event.cents * CENT)
