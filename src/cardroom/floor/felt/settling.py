"""Take and pay: what each seat gets back when a round has ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from cardroom.floor.felt.happenings import Cents, Waiting
from cardroom.floor.felt.state import FeltState
from cardroom.games import Round


class RoundPrizes(NamedTuple):
    """What jackpots and promotions paid in a round, and what waits for two people."""

    at_once: tuple[Cents, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    meters: Mapping[str, int] = {}
    """What meters showed whose percentage was won, by spot, in cents."""


class Settled(NamedTuple):
    """What the seats get, and what the house had to bring for it."""

    returned: tuple[Cents, ...]
    filled: int


def returned_to_seats(played: Round, linked: Collection[str], prizes: Iterable[Cents]) -> dict[int, int]:
    """What each seat gets back, in cents. Prizes on wagers that a jackpot pays are the jackpot's to give: at once or
    later."""
    apart = {spot for spot, offered in played.table.spots.items() if offered.wager.slug in linked} if linked else ()
    back = dict.fromkeys(played.seats, 0)
    for payment in played.game.settle(played).payments:
        if payment.spot not in apart:
            back[payment.seat] += payment.known_return
    for prize in prizes:
        back[prize.seat] += prize.cents
    return back


def settled(state: FeltState, played: Round, prizes: RoundPrizes) -> Settled:
    """What each seat gets back, and what the house has to bring for it."""
    back = returned_to_seats(played, state.linked, prizes.at_once)
    returned = tuple(Cents(seat, cents) for seat, cents in back.items() if cents)
    down = sum(one.down for one in state.seats)
    missing = sum(one.cents for one in returned) - down - state.rack
    return Settled(returned, max(missing, 0))
