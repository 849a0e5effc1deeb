"""Roles and permissions: the one table that pages, the API, and commands use.

A user has one role, for separation of duties. A permission belongs to some roles. If it needs a second person, that
person signs the one action and has one of the countersigner roles.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.errors import BadInput, quote

MINUTE: Final = 60_000_000
HOUR: Final = 60 * MINUTE
"""In microseconds, as the ledger counts time."""


class UnknownRole(BadInput):
    """A role that does not exist."""


class Role(StrEnum):
    """The role of a user in the card room."""

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    CAGE = "cage"
    SURVEILLANCE = "surveillance"
    OPERATOR = "operator"
    AUDITOR = "auditor"

    @property
    def is_staff(self) -> bool:
        """Whether the user works for the card room."""
        return self is not Role.PLAYER

    @property
    def idle_limit(self) -> int:
        """The idle time after which a session locks, in microseconds; 0 for never."""
        return 5 * MINUTE if self.is_staff else 0

    @property
    def session_lifetime(self) -> int:
        """The longest duration of a session, in microseconds."""
        return 12 * HOUR if self.is_staff else 7 * 24 * HOUR


def parse_role(text: str) -> Role:
    """The role of this name.

    >>> parse_role("cage")
    <Role.CAGE: 'cage'>
    >>> parse_role("king")
    Traceback (most recent call last):
    ...
    cardroom.room.user.permissions.UnknownRole: There is no role 'king': choose player, dealer, supervisor, cage,
    surveillance, operator, or auditor.
    """
    try:
        return Role(text)
    except ValueError:
        *first_roles, last = Role
        raise UnknownRole(f"There is no role {quote(text)}: choose {', '.join(first_roles)}, or {last}.") from None


class PermissionDenied(BadInput):
    """An action that the user's role does not allow."""


class Permission(StrEnum):
    """A permission; its value follows "may" in a sentence."""

    WATCH = "watch"
    SIGN_IN = "sign in"
    OWN_ACCOUNT = "manage their own account"
    PLAY = "play"
    SEE_CONSOLES = "see dealers' consoles"
    DEAL = "deal"
    VOID_ROUNDS = "void a round"
    SEE_OFFICE = "see the office"
    SEE_PLAYERS = "see player accounts"
    SEE_ROUNDS = "see all past rounds"
    SEE_REPORTS = "read reports"
    SEE_BOOKS = "read the ledger"
    SEE_SIGN_INS = "see sign-ins"
    VERIFY = "verify the ledger"
    RUN_TABLES = "pause and resume tables"
    SET_UP_TABLES = "add, move, link, and remove tables"
    CHANGE_TABLES = "change tables"
    RUN_DAYS = "open and close gaming days"
    DECLARE_FAULTS = "report and clear faults of tabulators and lights"
    REPORT_MALFUNCTIONS = "report malfunctions"
    ADMIT_PLAYERS = "open player accounts"
    KEEP_PLAYERS_LOGINS = "manage players' logins"
    PAY_PLAYERS = "take in and pay out players' money"
    OPEN_JACKPOTS = "open jackpots"
    SWITCH_JACKPOTS = "disable and enable jackpots"
    TABULATE = "enter the counts of equipment"
    PAY_JACKPOTS = "pay or refuse a jackpot"
    CHECK_JACKPOTS = "check a large jackpot before it is paid"
    ADJUST_METERS = "adjust a meter"
    SET_RATES = "change rates, ceilings, and bonuses"
    KEEP_CUSTODY = "record bank deposits"
    RECONCILE = "reconcile bank statements"
    REIMBURSE_CAGE = "reimburse the cage from a jackpot's bank account"
    ANNOUNCE_PROMOTIONS = "start and end promotions"
    PAY_PROMOTIONS = "pay a promotion's prize"
    KEEP_DEVICES = "register, renew, and withdraw devices"
    ACCEPT_GAPS = "accept gaps in the records of equipment"
    SET_UP_ROOM = "change the settings of the card room"
    CONFIRM_CLOCK = "confirm a clock that jumped ahead"
    SEND_HEADS = "export heads"
    KEEP_PEOPLE = "register, recover, and deactivate users"
    ACKNOWLEDGE_RECOVERIES = "acknowledge a recovery at the machine"
    KEEP_KEY = "rotate, back up, or replace the card room's key"
    RESTORE = "restore the ledger"


class PermissionRule(NamedTuple):
    """The roles that have a permission."""

    roles: frozenset[Role]
    countersigners: frozenset[Role] = frozenset()
    """The roles that may be the second person; empty if none is needed."""
    is_public: bool = False
    """Whether people who have not signed in have it, too."""
    is_conditional: bool = False
    """Whether the command decides if a second person is needed; otherwise one always is."""

    @property
    def needs_two(self) -> bool:
        return bool(self.countersigners)

    @property
    def always_needs_two(self) -> bool:
        """Whether a second person is needed in every case."""
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
    # Two people change what a wager costs or pays, one person the rest.
    Permission.CHANGE_TABLES: PermissionRule(_OPERATORS, _FLOOR, is_conditional=True),
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
    # One person enters a statement; two replace one, or reopen a jackpot after a shortage.
    Permission.RECONCILE: PermissionRule(frozenset({_CAGE, _OPERATOR}), _FLOOR | {_CAGE}, is_conditional=True),
    Permission.REIMBURSE_CAGE: PermissionRule(frozenset({_CAGE, _OPERATOR}), _FLOOR | {_CAGE}),
    Permission.ANNOUNCE_PROMOTIONS: PermissionRule(_OPERATORS),
    # Up to the dealer's payout limit, one person pays.
    Permission.PAY_PROMOTIONS: PermissionRule(
        frozenset({_DEALER, _SUPERVISOR, _CAGE}), frozenset({_SUPERVISOR, _CAGE}), is_conditional=True
    ),
    Permission.KEEP_DEVICES: PermissionRule(_OPERATORS),
    Permission.ACCEPT_GAPS: PermissionRule(_FLOOR, _FLOOR | {_SURVEILLANCE}),
    Permission.SET_UP_ROOM: PermissionRule(_OPERATORS, _FLOOR),
    Permission.CONFIRM_CLOCK: PermissionRule(_OPERATORS),
    Permission.SEND_HEADS: PermissionRule(_OPERATORS | {_AUDITOR}),
    # One person registers the first users of a card room, because no second person exists.
    Permission.KEEP_PEOPLE: PermissionRule(_OPERATORS, _OFFICE, is_conditional=True),
    Permission.ACKNOWLEDGE_RECOVERIES: PermissionRule(_OPERATORS),
    Permission.KEEP_KEY: PermissionRule(_OPERATORS, _FLOOR | {_AUDITOR}),
    Permission.RESTORE: PermissionRule(_OPERATORS, _FLOOR | {_AUDITOR}),
}


def has_permission(role: Role | None, permission: Permission) -> bool:
    """Whether a role has a permission; None means a person who has not signed in.

    >>> (has_permission(Role.DEALER, Permission.DEAL), has_permission(Role.CAGE, Permission.DEAL),
    ... has_permission(None, Permission.WATCH), has_permission(None, Permission.PLAY))
    (True, False, True, False)
    """
    allowed = PERMISSIONS[permission]
    return allowed.is_public if role is None else role in allowed.roles


def permission_error(login: str, role: Role, permission: Permission) -> PermissionDenied:
    """The refusal of a user without the permission.

    >>> print(permission_error("dora", Role.DEALER, Permission.PAY_PLAYERS))
    dora is a dealer: only cage staff may take in and pay out players' money.
    """
    roles_text = _join_plurals(PERMISSIONS[permission].roles)
    return PermissionDenied(f"{login} is {role_with_article(role)}: only {roles_text} may {permission}.")


def countersign_error(login: str, role: Role, permission: Permission) -> PermissionDenied:
    """The refusal of a user who may not be the second person.

    >>> print(countersign_error("dora", Role.DEALER, Permission.PAY_PLAYERS))
    dora is a dealer: only supervisors and cage staff may sign as the second person to take in and pay out players'
    money.
    """
    roles_text = _join_plurals(PERMISSIONS[permission].countersigners)
    return PermissionDenied(
        f"{login} is {role_with_article(role)}: only {roles_text} may sign as the second person to {permission}."
    )


def role_with_article(role: Role) -> str:
    """
    >>> role_with_article(Role.OPERATOR), role_with_article(Role.CAGE), role_with_article(Role.SURVEILLANCE)
    ('an operator', 'from the cage', 'from surveillance')
    """
    if role in (Role.CAGE, Role.SURVEILLANCE):
        return f"from {'the ' * (role is Role.CAGE)}{role}"
    return f"a{'n' * (role[0] in 'ao')} {role}"


_PLURALS: Final = {Role.CAGE: "cage staff", Role.SURVEILLANCE: "surveillance officers"}


def _join_plurals(roles: frozenset[Role]) -> str:
    *first_roles, last = [_PLURALS.get(role, f"{role}s") for role in Role if role in roles]
    comma = "," * (len(first_roles) > 1)
    return f"{', '.join(first_roles)}{comma} and {last}" if first_roles else last


def join_roles(roles: frozenset[Role]) -> str:
    """Roles in their fixed order.

    >>> join_roles(frozenset({Role.OPERATOR, Role.SUPERVISOR}))
    'supervisor or operator'
    """
    *first_roles, last = [role for role in Role if role in roles]
    return f"{', '.join(first_roles)} or {last}" if first_roles else str(last)
