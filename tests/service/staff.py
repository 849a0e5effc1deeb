"""People who sign in, for tests: one of each role, with passwords that tests know and that are cheap to compare."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from cardroom.chart_of_accounts import Currency
from cardroom.ledger import open_ledger
from cardroom.room.user.passwords import Argon2id
from cardroom.room.user.permissions import PERMISSIONS, Permission, Role
from cardroom.room.user.sign_in import UserSession
from cardroom.service import CardRoom
from cardroom.service.commands.second_signature import Signature, SignatureRequest, Signer, execute_signed
from cardroom.service.commands.users import UserService

QUICK: Final = Argon2id(time_cost=1, memory_kib=8)
"""The same way of keeping passwords with the least work there is: tests sign in thousands of times."""
HERE: Final = "127.0.0.1"
FIRST: Final = "olga"
LOGINS: Final = {
    Role.OPERATOR: FIRST,
    Role.SUPERVISOR: "sam",
    Role.DEALER: "dora",
    Role.CAGE: "carl",
    Role.SURVEILLANCE: "vera",
    Role.AUDITOR: "aldo",
    Role.PLAYER: "pat",
}
"""Who has which role."""
OPERATOR: Final = LOGINS[Role.OPERATOR]
SUPERVISOR: Final = LOGINS[Role.SUPERVISOR]
DEALER: Final = LOGINS[Role.DEALER]
CAGE: Final = LOGINS[Role.CAGE]
SURVEILLANCE: Final = LOGINS[Role.SURVEILLANCE]
AUDITOR: Final = LOGINS[Role.AUDITOR]
PLAYER: Final = LOGINS[Role.PLAYER]


def hash_quickly() -> None:
    """Let every password that is chosen in this process be cheap to compare. Tests begin with this."""
    UserService.hasher = QUICK


def password_of(login: str) -> str:
    """The password that a person of the tests has chosen."""
    return f"four loud geese of {login[::-1]}"


def new_password_of(login: str) -> str:
    """The password that a person of the tests chooses next."""
    return f"seven slow herons of {login[::-1]}"


def with_first_operator(url: str) -> None:
    """Books that the real program serves: a user can sign in to them."""
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        card_room.users.hasher = QUICK
        if not card_room.users.has_users():
            card_room.users.add_first_operator("staff/first", FIRST, "Olga Ortiz", password_of(FIRST))


def open_staff(card_room: CardRoom) -> None:
    """One person of each role, each with a password of their own choice; the player has an account for play money."""
    card_room.users.add_first_operator("staff/first", FIRST, "Olga Ortiz", password_of(FIRST))
    card_room.players.admit_player("staff/player", FIRST, LOGINS[Role.PLAYER], Currency.PLAY)
    for role, login in LOGINS.items():
        if role is not Role.OPERATOR:
            hire(card_room, login, role)


def hire(card_room: CardRoom, login: str, role: Role, second: str | None = None) -> UserSession:
    """A user else, who has chosen a password."""
    beside = second or (None if login == LOGINS[Role.SUPERVISOR] else LOGINS[Role.SUPERVISOR])
    once = (
        Both(card_room).users.add(f"staff/{login}", FIRST, login, login.title(), role, second=beside).one_time_password
    )
    signed = card_room.users.sign_in(login, once, HERE).session
    card_room.users.choose_password(signed, once, password_of(login), HERE)
    return signed


class Both:
    """A card room whose commands are signed with the password by everybody whom they name beside the first person."""

    def __init__(self, card_room: CardRoom, right: Permission | None = None, service: object = None) -> None:
        self._card_room, self._right, self._service = card_room, right, service or card_room

    def __getattr__(self, name: str) -> Any:
        command = getattr(self._service, name)
        if not callable(command):
            return Both(self._card_room, self._right, command)

        def do(*args: Any, **result: Any) -> Any:
            return execute_signed(partial(command, *args, **result), self._sign)

        return do

    def _sign(self, to_sign: SignatureRequest) -> Signature:
        role = self._card_room.user(to_sign.login).role
        right = self._right or next(right for right, allowed in PERMISSIONS.items() if role in allowed.countersigners)
        return self._card_room.users.countersign(to_sign, password_of(to_sign.login), permission=right, address=HERE)


def two_who_deal(card_room: CardRoom) -> None:
    """The first operator, a supervisor and a dealer: what a live table needs."""
    card_room.users.add_first_operator("staff/first", FIRST, "Olga Ortiz", password_of(FIRST))
    for role in (Role.SUPERVISOR, Role.DEALER):
        hire(card_room, LOGINS[role], role)


def signing(card_room: CardRoom, right: Permission) -> Signer:
    """How a second person signs whose password tests know."""
    return lambda to_sign: card_room.users.countersign(
        to_sign, password_of(to_sign.login), permission=right, address=HERE
    )


def signed_in(card_room: CardRoom, login: str) -> str:
    """The token of a new session."""
    return card_room.users.sign_in(login, password_of(login), HERE).token


def staffed(card_room: CardRoom) -> CardRoom:
    """A card room with one person of each role."""
    if not card_room.users.has_users():
        open_staff(card_room)
    return card_room
