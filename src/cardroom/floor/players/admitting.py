"""Who may have an account, and what goes in and out of it."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from cardroom.accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.floor.players.happenings import PaidIn, PaidOut, PlayerAdmitted
from cardroom.floor.players.state import PlayerState
from cardroom.games.money import format_cents
from cardroom.jackpots.people import named, two_people

GUESTS_MONEY: Final = 1_000_00
"""Play money that a guest comes in with, in cents."""
RESERVED: Final = frozenset({"clock", "left", "company", "demo", "guest", "secret"})
"""Who answers at a felt when nobody does, and whom the house's own commands are named after: no player is called so."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class BadPlayer(BadInput):
    """A name that no account can have, or an amount that it cannot move."""


def guest_name(id: str) -> str:
    """The name under which the sender of a command comes in as a guest: the same for the same command.

    >>> guest_name("first-visit")
    'guest-eb37ec54b77e'
    """
    return f"guest-{sha256(id.encode()).hexdigest()[:12]}"


def is_players_name(text: str) -> bool:
    """Whether a player may be called so, or whoever answers where no player does.

    >>> is_players_name("ann-lee"), is_players_name("Ada")
    (True, False)
    """
    return _NAME.fullmatch(text) is not None


def admit_guest(player: str) -> tuple[PlayerAdmitted, ...]:
    """A guest, with play money."""
    return (PlayerAdmitted(player, Currency.PLAY, True, GUESTS_MONEY, player),)


def admit(player: str, of: Currency, who: str) -> tuple[PlayerAdmitted, ...]:
    """A named player, whose balance begins with nothing."""
    if not is_players_name(player) or player.startswith("guest-"):
        raise BadPlayer(
            f"{quote(player)} cannot be a player's name: use 1 to 60 small letters, digits and dashes, beginning with "
            'a letter or digit, and not with "guest-".'
        )
    if player in RESERVED:
        raise BadPlayer(f"{quote(player)} is a name of the house's own: give this player another one.")
    return (PlayerAdmitted(player, of, False, 0, named(who, "name of the person who admits the player")),)


def pay_in(state: PlayerState, cents: int, *, who: str, second: str | None, reference: str) -> tuple[PaidIn, ...]:
    """The cage takes money for the balance; two people do."""
    _refuse_nothing(cents)
    by, other = two_people(who, second, "a payment onto a balance")
    return (PaidIn(state.player, cents, by, other, named(reference, "number of the slip")),)


def pay_out(state: PlayerState, cents: int, *, who: str, second: str | None, reference: str) -> tuple[PaidOut, ...]:
    """The cage pays money from the balance; two people do."""
    _refuse_nothing(cents)
    by, other = two_people(who, second, "a payment from a balance")
    if cents > state.balance:
        raise BadPlayer(
            f"The balance of {state.player} is {format_cents(state.balance)}: {format_cents(cents)} cannot be paid out."
        )
    return (PaidOut(state.player, cents, by, other, named(reference, "number of the slip")),)


def _refuse_nothing(cents: int) -> None:
    if cents <= 0:
        raise BadPlayer(f"{format_cents(cents)} cannot be paid: give an amount above zero.")
