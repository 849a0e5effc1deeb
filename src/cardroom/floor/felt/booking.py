"""What a happening at a felt means for the books: chips go between the seats, the layout and the house's rack.

Chips that the house brings are issued, and so are company's; everything else only changes hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from cardroom.accounts import CENT, HOUSE, Account, AccountKind, Currency, Posting
from cardroom.floor.felt.happenings import (
    Answered,
    FeltPaused,
    RoundBegun,
    RoundCalledOff,
    RoundPlayed,
    SealRenewed,
    SeatLeft,
    SeatTaken,
    WagersLaid,
)
from cardroom.floor.felt.state import FeltState
from cardroom.floor.players.state import seat_account
from cardroom.jackpots import Happening


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


_seat = lru_cache(4096)(seat_account)


def felt_postings(before: FeltState | None, after: FeltState, happening: Happening) -> tuple[Posting, ...]:
    """The entries of a happening: what changed between the seats, the layout and the rack."""
    if before is None or after.terms.mode != before.terms.mode:
        return ()
    return tuple(_posted(before, after, happening))


def _posted(before: FeltState, after: FeltState, happening: Happening) -> Iterator[Posting]:
    table, money = after.table, after.terms.money
    layout, rack, issued = _accounts(table, money)
    match happening:
        case Answered(seat=seat, cents=cents):
            if cents:
                yield Posting(_seat(table, seat, money), layout, cents * CENT)
        case WagersLaid() | FeltPaused() | RoundBegun() | RoundCalledOff() | RoundPlayed() | SealRenewed():
            if isinstance(happening, RoundPlayed) and happening.filled:
                yield Posting(issued, rack, happening.filled * CENT)
            yield from _changed_hands(before, after, layout, rack)
        case SeatTaken(seat=seat, cents=cents, company=True):
            yield Posting(issued, _seat(table, seat, money), cents * CENT)
        case SeatLeft(seat=seat, cents=cents):
            yield from _left(before, happening, layout, issued)


def _changed_hands(before: FeltState, after: FeltState, layout: Account, rack: Account) -> Iterator[Posting]:
    """What each seat has more or less than before goes to the layout or comes from it; the rest is the house's."""
    table, money = after.table, after.terms.money
    came, lying = [], sum(one.down for one in before.seats) - sum(one.down for one in after.seats)
    for one, other in zip(before.seats, after.seats, strict=True):
        more = other.chips - one.chips
        if more < 0:
            yield Posting(_seat(table, one.seat, money), layout, -more * CENT)
            lying -= more
        elif more:
            came.append(Posting(layout, _seat(table, one.seat, money), more * CENT))
    paid = sum(one.amount for one in came) // CENT
    if paid > lying:
        yield Posting(rack, layout, (paid - lying) * CENT)
    elif lying > paid:
        yield Posting(layout, rack, (lying - paid) * CENT)
    yield from came


def _left(before: FeltState, left: SeatLeft, layout: Account, issued: Account) -> Iterator[Posting]:
    """Wagers that go back come off the layout first. A player's chips go on to the balance on the player's chain."""
    one = before.seated(left.seat)
    assert one is not None
    seat = _seat(before.table, left.seat, before.terms.money)
    if one.down and not left.stays:
        yield Posting(layout, seat, one.down * CENT)
    if one.company and left.cents:
        yield Posting(seat, issued, left.cents * CENT)
