"""Decisions about users: register, recover, change the role, deactivate.

A person who could register users alone could invent a second person and sign twice. So two people make these
decisions; one person registers only the first users of a card room, while no second person exists.
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
"""How long a one-time password is valid."""
HELPER_PERIOD: Final = 7 * 24 * HOUR
"""How long after the last sign-in an operator counts as able to help."""
_LOGIN: Final = re.compile(r"[a-z][a-z0-9-]{1,39}")
_USER_DECISIONS: Final = "a decision about users"


class BadUser(BadInput):
    """A login that is not allowed, or a change of a user that is not allowed."""


class UsersExist(BadInput):
    """A first operator for a card room that already has users."""


def refuse_another_first(has_users: bool) -> None:
    """Refuse a second first operator."""
    if has_users:
        raise UsersExist("This card room already has its first operator: sign in, or ask an operator for a login.")


def require_good_login(login: str, other_logins: Collection[str]) -> str:
    """The login; refuse one that is taken or that looks like another one.

    >>> require_good_login("rosa-d", ["carl"])
    'rosa-d'
    >>> require_good_login("rosad", ["rosa-d"])
    Traceback (most recent call last):
    ...
    cardroom.room.user.registration.BadUser: 'rosad' looks like rosa-d, who already has a login: choose another one.
    """
    if not _LOGIN.fullmatch(login) or login in RESERVED_NAMES or login.startswith("guest-"):
        raise BadUser(
            f"{quote(login)} cannot be a login: use 2 to 40 lowercase letters, digits, and hyphens. Begin with a "
            'letter, but not with a reserved name such as "guest-".'
        )
    for other_login in other_logins:
        if is_same_person(login, other_login):
            raise BadUser(f"{quote(login)} looks like {other_login}, who already has a login: choose another one.")
    return login


def can_countersign(user: UserState) -> bool:
    """Whether a user could be the second person for a decision about users."""
    return user.is_active and user.has_own_password and user.role in PERMISSIONS[Permission.KEEP_PEOPLE].countersigners


def list_countersigners(who: str, users: Collection[UserState]) -> list[str]:
    """The users who could be the second person for a decision about users."""
    return [user.login for user in users if user.login != who and can_countersign(user)]


def require_countersigner(who: str, second: str | None, users: Collection[UserState]) -> str:
    """The second person for a decision about users; empty only while no user could be one."""
    if not second and not list_countersigners(who, users):
        return ""
    return require_two_people(who, second, _USER_DECISIONS)[1]


def register_first_operator(login: str, name: str, password: str) -> tuple[UserRegistered, ...]:
    """Register the first operator, without a second person."""
    return (UserRegistered(login, require_text(name, "name"), Role.OPERATOR, password, login, "", 0),)


def register_user(
    login: str, name: str, role: Role, password: str, *, who: str, second: str, now: int
) -> tuple[UserRegistered, ...]:
    """Register a user with a one-time password."""
    return (
        UserRegistered(
            login, require_text(name, "name"), role, password, who, second, now + ONE_TIME_PASSWORD_LIFETIME
        ),
    )


def recover_user(state: UserState, password: str, *, who: str, second: str, now: int) -> tuple[UserRecovered, ...]:
    """Give a one-time password to a user who is locked out or forgot the password."""
    _refuse_inactive(state)
    _refuse_own_account(state, who, second, "recover themselves")
    return (UserRecovered(state.login, password, who, second, now + ONE_TIME_PASSWORD_LIFETIME),)


def recover_user_at_machine(
    state: UserState, password: str, *, first: str, second: str, now: int
) -> tuple[UserRecoveredAtMachine, ...]:
    """Give a one-time password to an operator who lost the password, by two people at the machine."""
    _refuse_inactive(state)
    if state.role is not Role.OPERATOR:
        raise BadUser(
            f"{state.login} is {role_with_article(state.role)}, and only an operator can be recovered at the machine: "
            f"ask an operator and a second person to recover {state.login}."
        )
    return (UserRecoveredAtMachine(state.login, password, first, second, now + ONE_TIME_PASSWORD_LIFETIME),)


def refuse_while_operator_can_help(login: str, operator: str) -> None:
    """Refuse a recovery at the machine while another operator, who signs in with a password, can help."""
    raise BadUser(
        f"The operator {operator} signed in during the last 7 days and can help: ask {operator} and a second person "
        f"to recover {login}."
    )


def assign_role(state: UserState, role: Role, *, who: str, second: str) -> tuple[RoleAssigned, ...]:
    """Change a user's role."""
    _refuse_inactive(state)
    _refuse_own_account(state, who, second, "change their own role")
    if state.role is role:
        raise BadUser(f"The role of {state.login} is already {role}.")
    if not (role.is_staff and state.role.is_staff):
        raise BadUser("A user cannot change between player and staff: register another login.")
    return (RoleAssigned(state.login, role, who, second),)


def deactivate_user(state: UserState, *, who: str, second: str, why: str) -> tuple[UserDeactivated, ...]:
    """Deactivate a user, who may no longer sign in."""
    _refuse_inactive(state)
    _refuse_own_account(state, who, second, "deactivate themselves")
    return (UserDeactivated(state.login, who, second, require_text(why, "reason")),)


def _refuse_inactive(state: UserState) -> None:
    if state.deactivation_reason:
        raise BadUser(f"{state.login} was deactivated ({state.deactivation_reason}): register another login.")


def _refuse_own_account(state: UserState, who: str, second: str, action: str) -> None:
    if state.login in (who, second):
        raise BadUser(f"Users cannot {action}: two other people must decide about {state.login}.")
