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
from cardroom.room.dual_control import is_same_person, require_text, require_two_people
from cardroom.room.player.account import RESERVED_NAMES
from cardroom.room.user.events import (
    RoleAssigned,
    UserDeactivated,
    UserRecovered,
    UserRecoveredAtMachine,
    UserRegistered,
)
from cardroom.room.user.permissions import HOUR, PERMISSIONS, Permission, Role, role_with_article
from cardroom.room.user.state import UserState

ONE_TIME_PASSWORD_LIFETIME: Final = 72 * HOUR
"""How long a password for one time can be used."""
HELPER_PERIOD: Final = 7 * 24 * HOUR
"""How long after the last sign-in an operator is expected to sign in again: after it, the password may be lost."""
_LOGIN: Final = re.compile(r"[a-z][a-z0-9-]{1,39}")
_USER_DECISIONS: Final = "what becomes of people's logins"


class BadUser(BadInput):
    """A login that nobody can have, or that cannot be changed so."""


class UsersExist(BadInput):
    """Somebody who wants to be the first operator of a room that has people already."""


def refuse_another_first(has_users: bool) -> None:
    """A room has one first operator."""
    if has_users:
        raise UsersExist("This room has its first operator already: sign in, or ask an operator for a login.")


def require_good_login(login: str, other_logins: Collection[str]) -> str:
    """A login that is free, and that nobody could take for another one.

    >>> require_good_login("rosa-d", ["carl"])
    'rosa-d'
    >>> require_good_login("rosad", ["rosa-d"])
    Traceback (most recent call last):
    ...
    cardroom.room.user.registration.BadUser: 'rosad' reads like rosa-d, who is here already: choose another login.
    """
    if not _LOGIN.fullmatch(login) or login in RESERVED_NAMES or login.startswith("guest-"):
        raise BadUser(
            f"{quote(login)} cannot be a login: use 2 to 40 small letters, digits and dashes, a letter first, and no "
            'name of the house\'s own, such as "guest-" at the beginning.'
        )
    for other_login in other_logins:
        if is_same_person(login, other_login):
            raise BadUser(f"{quote(login)} reads like {other_login}, who is here already: choose another login.")
    return login


def can_countersign(user: UserState) -> bool:
    """Whether a user could be the second person for a decision about users."""
    return user.is_active and user.has_own_password and user.role in PERMISSIONS[Permission.KEEP_PEOPLE].countersigners


def list_countersigners(who: str, users: Collection[UserState]) -> list[str]:
    """The users who could sign beside the person who decides about users."""
    return [user.login for user in users if user.login != who and can_countersign(user)]


def require_countersigner(who: str, second: str | None, users: Collection[UserState]) -> str:
    """The second person beside whoever decides about people; nobody, only while there is nobody who could be."""
    if not second and not list_countersigners(who, users):
        return ""
    return require_two_people(who, second, _USER_DECISIONS)[1]


def register_first_operator(login: str, name: str, password: str) -> tuple[UserRegistered, ...]:
    """The first operator, who answers for it alone."""
    return (UserRegistered(login, require_text(name, "name"), Role.OPERATOR, password, login, "", 0),)


def register_user(
    login: str, name: str, role: Role, password: str, *, who: str, second: str, now: int
) -> tuple[UserRegistered, ...]:
    """A person, with a password for one time."""
    return (
        UserRegistered(
            login, require_text(name, "name"), role, password, who, second, now + ONE_TIME_PASSWORD_LIFETIME
        ),
    )


def recover_user(state: UserState, password: str, *, who: str, second: str, now: int) -> tuple[UserRecovered, ...]:
    """Another password for one time, for somebody who is locked out or has forgotten it."""
    _refuse_inactive(state)
    _refuse_own_account(state, who, second, "recovered")
    return (UserRecovered(state.login, password, who, second, now + ONE_TIME_PASSWORD_LIFETIME),)


def recover_user_at_machine(
    state: UserState, password: str, *, first: str, second: str, now: int
) -> tuple[UserRecoveredAtMachine, ...]:
    """A one-time password for an operator who has lost the only one, from two people at the machine."""
    _refuse_inactive(state)
    if state.role is not Role.OPERATOR:
        raise BadUser(
            f"{state.login} is {role_with_article(state.role)}: only an operator is recovered at the machine. An "
            "operator and a "
            f"second person help {state.login}: cardroom user recover {state.login}."
        )
    return (UserRecoveredAtMachine(state.login, password, first, second, now + ONE_TIME_PASSWORD_LIFETIME),)


def refuse_while_operator_can_help(login: str, operator: str) -> None:
    """No one is recovered at the machine while another operator can help, who signs in with a password."""
    raise BadUser(
        f"The operator {operator} signed in during the last 7 days and can help: {operator} and a second person sign "
        "in, and "
        f"recover {login} (cardroom user recover {login})."
    )


def assign_role(state: UserState, role: Role, *, who: str, second: str) -> tuple[RoleAssigned, ...]:
    """Another role for a person."""
    _refuse_inactive(state)
    _refuse_own_account(state, who, second, "given another role")
    if state.role is role:
        raise BadUser(f"The role of {state.login} is {role} already.")
    if not (role.is_staff and state.role.is_staff):
        raise BadUser("Nobody changes between player and staff: register another login.")
    return (RoleAssigned(state.login, role, who, second),)


def deactivate_user(state: UserState, *, who: str, second: str, why: str) -> tuple[UserDeactivated, ...]:
    """A person may not sign in any more."""
    _refuse_inactive(state)
    _refuse_own_account(state, who, second, "dismissed")
    return (UserDeactivated(state.login, who, second, require_text(why, "reason")),)


def _refuse_inactive(state: UserState) -> None:
    if state.deactivation_reason:
        raise BadUser(f"{state.login} was dismissed ({state.deactivation_reason}): register another login.")


def _refuse_own_account(state: UserState, who: str, second: str, action: str) -> None:
    if state.login in (who, second):
        raise BadUser(f"Nobody is {action} by themselves: somebody else decides that about {state.login}.")
