"""What a cashier types about a payout: the player, how it was paid, and the number; for one winner or by seat.

>>> by_seat(["Ann Lee"], (3,), "--player")
{3: 'Ann Lee'}
>>> by_seat(["3=Ann Lee", "5=declined"], (3, 5), "--player")
{3: 'Ann Lee', 5: 'declined'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cardroom.errors import BadInput, quote
from cardroom.jackpots.payouts import PlayerPaid
from cardroom.jackpots.references import PaidBy

_AT_A_SEAT: Final = re.compile(r"(\d{1,2})\s*=\s*(.*)", re.ASCII | re.DOTALL)

_BY_HAND: Final = {str(one): one for one in PaidBy if one is not PaidBy.BALANCE}
"""How people are paid. What goes to a balance is told otherwise: nobody types who sat at an automatic table."""


class BadPayout(BadInput):
    """A payout that is not told in full."""


def payouts_told(
    seats: Sequence[int], players: Iterable[str], payments: Iterable[str], references: Iterable[str]
) -> dict[int, PlayerPaid]:
    """Who is paid at each winning seat, and how. All may be paid in one way."""
    who = by_seat(players, seats, "--player")
    how = {seat: _paid_by(typed) for seat, typed in by_seat(payments, seats, "--payment", for_all=True).items()}
    numbers = by_seat(references, seats, "--reference")
    return {seat: PlayerPaid(who[seat], how[seat], numbers[seat]) for seat in seats}


def by_seat(typed: Iterable[str], seats: Sequence[int], option: str, *, for_all: bool = False) -> dict[int, str]:
    """A value for every winning seat: as it stands where there is one, else behind the seat's number."""
    found: dict[int, str] = {}
    for text in typed:
        if not seats:
            raise BadPayout(f"Every winner of the claim is paid to a balance: leave {option} out.")
        at = _AT_A_SEAT.fullmatch(text)
        chosen = (int(at[1]),) if at else tuple(seats) if for_all or len(seats) == 1 else ()
        for seat in chosen:
            if seat not in seats:
                raise BadPayout(f"{option} {text}: the claim pays seat {_listed(seats)}, not {seat}.")
            if seat in found:
                raise BadPayout(f"{option} is given twice for seat {seat}: give it once.")
            found[seat] = at[2] if at else text
        if not chosen:
            raise BadPayout(f"The claim pays seat {_listed(seats)}: write {option} {seats[0]}={text} for one of them.")
    for seat in seats:
        if seat not in found:
            value = option if len(seats) == 1 else f"{option} {seat}=…"
            raise BadPayout(
                f"The payout at seat {seat} is not told in full: {value} is missing. A payout has --player NAME (or "
                f"declined), --payment {'|'.join(_BY_HAND)} and --reference NUMBER."
            )
    return found


def _paid_by(typed: str) -> PaidBy:
    try:
        return _BY_HAND[typed.strip().lower()]
    except KeyError:
        raise BadPayout(f"{quote(typed)} is no way to pay: write --payment {', '.join(_BY_HAND)}.") from None


def _listed(seats: Sequence[int]) -> str:
    return " and ".join(map(str, seats))
