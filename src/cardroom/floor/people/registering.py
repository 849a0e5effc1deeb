"""Who may have a login, and what others decide about it.

Whoever can make people could make a second person out of thin air and sign twice. So two people register, recover,
dismiss and give roles, as soon as there is anybody to be the second; only the first people of a room are registered by
one.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from cardroom.errors import BadInput, quote
from cardroom.floor.people.happenings import (
    PersonDismissed,
    PersonRecovered,
    PersonRegistered,
    RecoveredAtMachine,
    RoleGiven,
)
from cardroom.floor.people.permissions import PERMISSIONS, Right, a_role
from cardroom.floor.people.roles import HOUR, Role
from cardroom.floor.people.state import PersonState
from cardroom.floor.players.admitting import RESERVED
from cardroom.jackpots.people import named, same_person, two_people

ONCE_LASTS: Final = 72 * HOUR
"""How long a password for one time can be used."""
CAN_HELP_FOR: Final = 7 * 24 * HOUR
"""How long after the last sign-in an operator is expected to sign in again: after it, the password may be lost."""
_LOGIN: Final = re.compile(r"[a-z][a-z0-9-]{1,39}")
_ANSWERED: Final = "what becomes of people's logins"


class BadPerson(BadInput):
    """A login that nobody can have, or that cannot be changed so."""


class NotTheFirst(BadInput):
    """Somebody who wants to be the first operator of a room that has people already."""


def refuse_another_first(has_people: bool) -> None:
    """A room has one first operator."""
    if has_people:
        raise NotTheFirst("This room has its first operator already: sign in, or ask an operator for a login.")


def good_login(login: str, others: Collection[str]) -> str:
    """A login that is free, and that nobody could take for another one.

    >>> good_login("rosa-d", ["carl"])
    'rosa-d'
    >>> good_login("rosad", ["rosa-d"])
    Traceback (most recent call last):
    ...
    cardroom.floor.people.registering.BadPerson: 'rosad' reads like rosa-d, who is here already: choose another login.
    """
    if not _LOGIN.fullmatch(login) or login in RESERVED or login.startswith("guest-"):
        raise BadPerson(
            f"{quote(login)} cannot be a login: use 2 to 40 small letters, digits and dashes, a letter first, and no "
            'name of the house\'s own, such as "guest-" at the beginning.'
        )
    for other in others:
        if same_person(login, other):
            raise BadPerson(f"{quote(login)} reads like {other}, who is here already: choose another login.")
    return login


def can_sign_beside(user: PersonState) -> bool:
    """Whether a user could be the second person for a decision about users."""
    return user.is_active and user.has_own_password and user.role in PERMISSIONS[Right.KEEP_PEOPLE].beside


def could_sign_beside(who: str, people: Collection[PersonState]) -> list[str]:
    """The users who could sign beside the person who decides about users."""
    return [user.login for user in people if user.login != who and can_sign_beside(user)]


def signing_beside(who: str, second: str | None, people: Collection[PersonState]) -> str:
    """The second person beside whoever decides about people; nobody, only while there is nobody who could be."""
    if not second and not could_sign_beside(who, people):
        return ""
    return two_people(who, second, _ANSWERED)[1]


def register_first(login: str, name: str, password: str) -> tuple[PersonRegistered, ...]:
    """The first operator, who answers for it alone."""
    return (PersonRegistered(login, named(name, "name"), Role.OPERATOR, password, login, "", 0),)


def register(
    login: str, name: str, role: Role, password: str, *, who: str, second: str, now: int
) -> tuple[PersonRegistered, ...]:
    """A person, with a password for one time."""
    return (PersonRegistered(login, named(name, "name"), role, password, who, second, now + ONCE_LASTS),)


def recover(state: PersonState, password: str, *, who: str, second: str, now: int) -> tuple[PersonRecovered, ...]:
    """Another password for one time, for somebody who is locked out or has forgotten it."""
    _refuse_dismissed(state)
    _refuse_oneself(state, who, second, "recovered")
    return (PersonRecovered(state.login, password, who, second, now + ONCE_LASTS),)


def recover_at_machine(
    state: PersonState, password: str, *, first: str, other: str, now: int
) -> tuple[RecoveredAtMachine, ...]:
    """A one-time password for an operator who has lost the only one, from two people at the machine."""
    _refuse_dismissed(state)
    if state.role is not Role.OPERATOR:
        raise BadPerson(
            f"{state.login} is {a_role(state.role)}: only an operator is recovered at the machine. An operator and a "
            f"second person help {state.login}: cardroom people recover {state.login}."
        )
    return (RecoveredAtMachine(state.login, password, first, other, now + ONCE_LASTS),)


def refuse_beside_operator(login: str, other: str) -> None:
    """No one is recovered at the machine while another operator can help, who signs in with a password."""
    raise BadPerson(
        f"The operator {other} signed in during the last 7 days and can help: {other} and a second person sign in, and "
        f"recover {login} (cardroom people recover {login})."
    )


def give_role(state: PersonState, role: Role, *, who: str, second: str) -> tuple[RoleGiven, ...]:
    """Another role for a person."""
    _refuse_dismissed(state)
    _refuse_oneself(state, who, second, "given another role")
    if state.role is role:
        raise BadPerson(f"The role of {state.login} is {role} already.")
    if not (role.is_staff and state.role.is_staff):
        raise BadPerson("Nobody changes between player and staff: register another login.")
    return (RoleGiven(state.login, role, who, second),)


def dismiss(state: PersonState, *, who: str, second: str, why: str) -> tuple[PersonDismissed, ...]:
    """A person may not sign in any more."""
    _refuse_dismissed(state)
    _refuse_oneself(state, who, second, "dismissed")
    return (PersonDismissed(state.login, who, second, named(why, "reason")),)


def _refuse_dismissed(state: PersonState) -> None:
    if state.dismissed:
        raise BadPerson(f"{state.login} was dismissed ({state.dismissed}): register another login.")


def _refuse_oneself(state: PersonState, who: str, second: str, what: str) -> None:
    if state.login in (who, second):
        raise BadPerson(f"Nobody is {what} by themselves: somebody else decides that about {state.login}.")
