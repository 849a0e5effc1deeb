"""People who sign in, for tests: one of each role, with passwords that tests know and that are cheap to compare."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from cardroom.accounts import Currency
from cardroom.floor import Floor
from cardroom.floor.desks.people import PeopleDesk
from cardroom.floor.desks.signatures import Sign, Signature, ToSign, carry_out_signed
from cardroom.floor.people.passwords import Argon2id
from cardroom.floor.people.permissions import PERMISSIONS, Right
from cardroom.floor.people.roles import Role
from cardroom.floor.people.signing import Session
from cardroom.ledger import open_ledger

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
    PeopleDesk.hasher = QUICK


def password_of(login: str) -> str:
    """The password that a person of the tests has chosen."""
    return f"four loud geese of {login[::-1]}"


def new_password_of(login: str) -> str:
    """The password that a person of the tests chooses next."""
    return f"seven slow herons of {login[::-1]}"


def with_first_operator(url: str) -> None:
    """Books that the real program serves: somebody can sign in to them."""
    with open_ledger(url) as ledger:
        floor = Floor(ledger)
        floor.hasher = QUICK
        if not floor.has_people():
            floor.register_first_operator("staff/first", FIRST, "Olga Ortiz", password_of(FIRST))


def open_staff(floor: Floor) -> None:
    """One person of each role, each with a password of their own choice; the player has an account for play money."""
    floor.register_first_operator("staff/first", FIRST, "Olga Ortiz", password_of(FIRST))
    floor.admit_player("staff/player", FIRST, LOGINS[Role.PLAYER], Currency.PLAY)
    for role, login in LOGINS.items():
        if role is not Role.OPERATOR:
            hire(floor, login, role)


def hire(floor: Floor, login: str, role: Role, second: str | None = None) -> Session:
    """Somebody else, who has chosen a password."""
    beside = second or (None if login == LOGINS[Role.SUPERVISOR] else LOGINS[Role.SUPERVISOR])
    once = Both(floor).register_person(f"staff/{login}", FIRST, login, login.title(), role, second=beside).once
    signed = floor.sign_in(login, once, HERE).session
    floor.choose_password(signed, once, password_of(login), HERE)
    return signed


class Both:
    """A floor whose commands are signed with the password by everybody whom they name beside the first person."""

    def __init__(self, floor: Floor, right: Right | None = None) -> None:
        self._floor, self._right = floor, right

    def __getattr__(self, command: str) -> Callable[..., Any]:
        def do(*args: Any, **told: Any) -> Any:
            return carry_out_signed(partial(getattr(self._floor, command), *args, **told), self._sign)

        return do

    def _sign(self, to_sign: ToSign) -> Signature:
        role = self._floor.person(to_sign.login).role
        right = self._right or next(right for right, allowed in PERMISSIONS.items() if role in allowed.beside)
        return self._floor.sign(to_sign, password_of(to_sign.login), right=right, address=HERE)


def two_who_deal(floor: Floor) -> None:
    """The first operator, a supervisor and a dealer: what a live table needs."""
    floor.register_first_operator("staff/first", FIRST, "Olga Ortiz", password_of(FIRST))
    for role in (Role.SUPERVISOR, Role.DEALER):
        hire(floor, LOGINS[role], role)


def signing(floor: Floor, right: Right) -> Sign:
    """How a second person signs whose password tests know."""
    return lambda to_sign: floor.sign(to_sign, password_of(to_sign.login), right=right, address=HERE)


def signed_in(floor: Floor, login: str) -> str:
    """The token of a new session."""
    return floor.sign_in(login, password_of(login), HERE).token


def staffed(floor: Floor) -> Floor:
    """A floor with one person of each role."""
    if not floor.has_people():
        open_staff(floor)
    return floor
