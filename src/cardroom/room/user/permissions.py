"""The roles of a card room. A person has one: what somebody does at the table is not checked by the same somebody.

Who may do what: the one table that pages, calls of programs and commands ask.

A right is something that people of some roles may do. Where two people must agree, the second one signs in for that one
act, and has one of the roles that stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.errors import BadInput, quote

MINUTE: Final = 60_000_000
HOUR: Final = 60 * MINUTE
"""In the ledger's time, millionths of a second."""


class UnknownRole(BadInput):
    """A role that there is not."""


class Role(StrEnum):
    """Who somebody is in the room."""

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    CAGE = "cage"
    SURVEILLANCE = "surveillance"
    OPERATOR = "operator"
    AUDITOR = "auditor"

    @property
    def is_staff(self) -> bool:
        """Whether the room answers for what the person does."""
        return self is not Role.PLAYER

    @property
    def idle_limit(self) -> int:
        """How long nobody may touch a device before it locks; 0 where it never does."""
        return 5 * MINUTE if self.is_staff else 0

    @property
    def session_lifetime(self) -> int:
        """How long a session is good for, whatever is done in it."""
        return 12 * HOUR if self.is_staff else 7 * 24 * HOUR


def parse_role(text: str) -> Role:
    """The role that a text names.

    >>> parse_role("cage")
    <Role.CAGE: 'cage'>
    >>> parse_role("king")
    Traceback (most recent call last):
    ...
    cardroom.room.user.permissions.UnknownRole: There is no role 'king': choose player, dealer, supervisor, cage,
    surveillance, operator or auditor.
    """
    try:
        return Role(text)
    except ValueError:
        *first_roles, last = Role
        raise UnknownRole(f"There is no role {quote(text)}: choose {', '.join(first_roles)} or {last}.") from None


class PermissionDenied(BadInput):
    """Something that a person's role does not do."""


class Permission(StrEnum):
    """What can be allowed, as a sentence goes on after "may"."""

    WATCH = "look on"
    SIGN_IN = "come in"
    OWN_ACCOUNT = "look after the own account"
    PLAY = "play"
    SEE_CONSOLES = "look at dealers' consoles"
    DEAL = "deal"
    VOID_ROUNDS = "void a round"
    SEE_OFFICE = "look into the office"
    SEE_PLAYERS = "look at players' accounts"
    SEE_ROUNDS = "look at everybody's past rounds"
    SEE_REPORTS = "read the reports"
    SEE_BOOKS = "read the ledger"
    SEE_SIGN_INS = "read who signed in"
    VERIFY = "verify the books"
    RUN_TABLES = "pause, resume and close tables"
    SET_UP_TABLES = "set up tables and tabulators"
    RUN_DAYS = "open and close gaming days"
    DECLARE_FAULTS = "declare a tabulator broken or repaired, and its lights failed"
    REPORT_MALFUNCTIONS = "report malfunctions"
    ADMIT_PLAYERS = "admit players"
    KEEP_PLAYERS_LOGINS = "let players sign in"
    PAY_PLAYERS = "take players' money in and pay it out"
    OPEN_JACKPOTS = "open jackpots"
    SWITCH_JACKPOTS = "disable jackpots and bring them back"
    TABULATE = "tell what equipment has counted"
    PAY_JACKPOTS = "pay or refuse a jackpot"
    CHECK_JACKPOTS = "check a large jackpot before it is paid"
    ADJUST_METERS = "change what a meter shows"
    SET_RATES = "change rates, ceilings and bonuses"
    KEEP_CUSTODY = "bring money to the bank"
    RECONCILE = "compare the bank's statements with the books"
    REIMBURSE_CAGE = "pay the cage back from a jackpot's bank account"
    ANNOUNCE_PROMOTIONS = "announce and end promotions"
    PAY_PROMOTIONS = "pay a promotion's prize"
    KEEP_DEVICES = "register, renew and withdraw devices"
    ACCEPT_GAPS = "accept a gap in what equipment has told"
    SET_UP_ROOM = "change what holds in the room"
    CONFIRM_CLOCK = "confirm a clock that jumped ahead"
    SEND_HEADS = "send heads out"
    KEEP_PEOPLE = "register, recover and dismiss people"
    ACKNOWLEDGE_RECOVERIES = "acknowledge that an operator was recovered at the machine"
    KEEP_KEY = "rotate, back up or replace the room's key"
    RESTORE = "restore the books"


class PermissionRule(NamedTuple):
    """Who may."""

    roles: frozenset[Role]
    countersigners: frozenset[Role] = frozenset()
    """Who may be the second person, where there has to be one."""
    is_public: bool = False
    """Whether nobody in particular may too: people who have not signed in."""
    is_conditional: bool = False
    """Whether the floor says when the second person is needed; otherwise there always has to be one."""

    @property
    def needs_two(self) -> bool:
        return bool(self.countersigners)

    @property
    def always_needs_two(self) -> bool:
        """Whether nobody does it alone, whatever the floor would let one person do."""
        return self.needs_two and not self.is_conditional


_DEALER, _SUPERVISOR, _CAGE = Role.DEALER, Role.SUPERVISOR, Role.CAGE
_SURVEILLANCE, _OPERATOR, _AUDITOR = Role.SURVEILLANCE, Role.OPERATOR, Role.AUDITOR
_ALL_ROLES: Final = frozenset(Role)
_OFFICE: Final = frozenset({_SUPERVISOR, _CAGE, _SURVEILLANCE, _OPERATOR, _AUDITOR})
_WATCHERS: Final = frozenset({_SURVEILLANCE, _OPERATOR, _AUDITOR})
_FLOOR: Final = frozenset({_SUPERVISOR, _OPERATOR})
_OPERATORS: Final = frozenset({_OPERATOR})

PERMISSIONS: Final[Mapping[Permission, PermissionRule]] = {
    Permission.WATCH: PermissionRule(_ALL_ROLES, is_public=True),
    Permission.SIGN_IN: PermissionRule(_ALL_ROLES, is_public=True),
    Permission.OWN_ACCOUNT: PermissionRule(_ALL_ROLES),
    Permission.PLAY: PermissionRule(frozenset({Role.PLAYER})),
    Permission.SEE_CONSOLES: PermissionRule(frozenset({_DEALER, _SUPERVISOR, _SURVEILLANCE, _OPERATOR, _AUDITOR})),
    Permission.DEAL: PermissionRule(frozenset({_DEALER, _SUPERVISOR})),
    Permission.VOID_ROUNDS: PermissionRule(frozenset({_DEALER, _SUPERVISOR, _OPERATOR}), _FLOOR | {_SURVEILLANCE}),
    Permission.SEE_OFFICE: PermissionRule(_OFFICE),
    Permission.SEE_PLAYERS: PermissionRule(_OFFICE),
    Permission.SEE_ROUNDS: PermissionRule(_WATCHERS | {_SUPERVISOR}),
    Permission.SEE_REPORTS: PermissionRule(_OFFICE),
    Permission.SEE_BOOKS: PermissionRule(_WATCHERS),
    Permission.SEE_SIGN_INS: PermissionRule(_WATCHERS),
    Permission.VERIFY: PermissionRule(_WATCHERS),
    Permission.RUN_TABLES: PermissionRule(_FLOOR),
    Permission.SET_UP_TABLES: PermissionRule(_OPERATORS),
    Permission.RUN_DAYS: PermissionRule(_FLOOR),
    Permission.DECLARE_FAULTS: PermissionRule(_FLOOR | {_DEALER}),
    Permission.REPORT_MALFUNCTIONS: PermissionRule(_FLOOR),
    Permission.ADMIT_PLAYERS: PermissionRule(frozenset({_CAGE, _OPERATOR})),
    Permission.KEEP_PLAYERS_LOGINS: PermissionRule(
        frozenset({_CAGE, _OPERATOR}), frozenset({_CAGE, _SUPERVISOR, _OPERATOR})
    ),
    Permission.PAY_PLAYERS: PermissionRule(frozenset({_CAGE}), frozenset({_CAGE, _SUPERVISOR})),
    Permission.OPEN_JACKPOTS: PermissionRule(_OPERATORS),
    Permission.SWITCH_JACKPOTS: PermissionRule(_FLOOR),
    Permission.TABULATE: PermissionRule(frozenset({_DEALER, _SUPERVISOR})),
    Permission.PAY_JACKPOTS: PermissionRule(
        frozenset({_SUPERVISOR, _CAGE, _SURVEILLANCE}), frozenset({_SUPERVISOR, _CAGE, _SURVEILLANCE, _OPERATOR})
    ),
    Permission.CHECK_JACKPOTS: PermissionRule(frozenset({_SURVEILLANCE}), frozenset({_SURVEILLANCE})),
    Permission.ADJUST_METERS: PermissionRule(frozenset({_OPERATOR, _CAGE}), _FLOOR | {_CAGE}),
    Permission.SET_RATES: PermissionRule(_OPERATORS, _FLOOR),
    Permission.KEEP_CUSTODY: PermissionRule(frozenset({_CAGE, _OPERATOR})),
    # One person enters a statement; two replace one, or open a jackpot that was short.
    Permission.RECONCILE: PermissionRule(frozenset({_CAGE, _OPERATOR}), _FLOOR | {_CAGE}, is_conditional=True),
    Permission.REIMBURSE_CAGE: PermissionRule(frozenset({_CAGE, _OPERATOR}), _FLOOR | {_CAGE}),
    Permission.ANNOUNCE_PROMOTIONS: PermissionRule(_OPERATORS),
    # Up to what the room lets a dealer pay alone, one person pays.
    Permission.PAY_PROMOTIONS: PermissionRule(
        frozenset({_DEALER, _SUPERVISOR, _CAGE}), frozenset({_SUPERVISOR, _CAGE}), is_conditional=True
    ),
    Permission.KEEP_DEVICES: PermissionRule(_OPERATORS),
    Permission.ACCEPT_GAPS: PermissionRule(_FLOOR, _FLOOR | {_SURVEILLANCE}),
    Permission.SET_UP_ROOM: PermissionRule(_OPERATORS, _FLOOR),
    Permission.CONFIRM_CLOCK: PermissionRule(_OPERATORS),
    Permission.SEND_HEADS: PermissionRule(_OPERATORS | {_AUDITOR}),
    # The first people of a room are registered by one: there is nobody else.
    Permission.KEEP_PEOPLE: PermissionRule(_OPERATORS, _OFFICE, is_conditional=True),
    Permission.ACKNOWLEDGE_RECOVERIES: PermissionRule(_OPERATORS),
    Permission.KEEP_KEY: PermissionRule(_OPERATORS, _FLOOR | {_AUDITOR}),
    Permission.RESTORE: PermissionRule(_OPERATORS, _FLOOR | {_AUDITOR}),
}


def has_permission(role: Role | None, permission: Permission) -> bool:
    """Whether somebody of a role may do something; None is somebody who has not signed in.

    >>> (has_permission(Role.DEALER, Permission.DEAL), has_permission(Role.CAGE, Permission.DEAL),
    ... has_permission(None, Permission.WATCH), has_permission(None, Permission.PLAY))
    (True, False, True, False)
    """
    allowed = PERMISSIONS[permission]
    return allowed.is_public if role is None else role in allowed.roles


def permission_error(login: str, role: Role, permission: Permission) -> PermissionDenied:
    """The sentence for somebody who may not.

    >>> print(permission_error("dora", Role.DEALER, Permission.PAY_PLAYERS))
    dora is a dealer, who may not take players' money in and pay it out: that takes somebody from the cage.
    """
    *first_roles, last = [
        _role_plural(allowed_role) for allowed_role in Role if allowed_role in PERMISSIONS[permission].roles
    ]
    those = f"{', '.join(first_roles)} or {last}" if first_roles else last
    return PermissionDenied(f"{login} is {role_with_article(role)}, who may not {permission}: that takes {those}.")


def countersign_error(login: str, role: Role, permission: Permission) -> PermissionDenied:
    """The sentence for somebody who may not be the second person."""
    those = join_roles(PERMISSIONS[permission].countersigners)
    return PermissionDenied(
        f"{login} is {role_with_article(role)}: who signs beside another to {permission} is {those}."
    )


def role_with_article(role: Role) -> str:
    """
    >>> role_with_article(Role.OPERATOR), role_with_article(Role.CAGE), role_with_article(Role.SURVEILLANCE)
    ('an operator', 'from the cage', 'from surveillance')
    """
    if role in (Role.CAGE, Role.SURVEILLANCE):
        return f"from {'the ' * (role is Role.CAGE)}{role}"
    return f"a{'n' * (role[0] in 'ao')} {role}"


def _role_plural(role: Role) -> str:
    words = role_with_article(role)
    return words if words.startswith("a") else f"somebody {words}"


def join_roles(roles: frozenset[Role]) -> str:
    """Roles in the order of the house.

    >>> join_roles(frozenset({Role.OPERATOR, Role.SUPERVISOR}))
    'supervisor or operator'
    """
    *first_roles, last = [role for role in Role if role in roles]
    return f"{', '.join(first_roles)} or {last}" if first_roles else str(last)
