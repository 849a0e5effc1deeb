"""Who may do what: the one table that pages, calls of programs and commands ask.

A right is something that people of some roles may do. Where two people must agree, the second one signs in for that one
act, and has one of the roles that stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.people.roles import Role


class MayNot(BadInput):
    """Something that a person's role does not do."""


class Right(StrEnum):
    """What can be allowed, as a sentence goes on after "may"."""

    LOOK_ON = "look on"
    COME_IN = "come in"
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


class Allowed(NamedTuple):
    """Who may."""

    roles: frozenset[Role]
    beside: frozenset[Role] = frozenset()
    """Who may be the second person, where there has to be one."""
    anybody: bool = False
    """Whether nobody in particular may too: people who have not signed in."""
    sometimes: bool = False
    """Whether the floor says when the second person is needed; otherwise there always has to be one."""

    @property
    def two(self) -> bool:
        return bool(self.beside)

    @property
    def always_two(self) -> bool:
        """Whether nobody does it alone, whatever the floor would let one person do."""
        return self.two and not self.sometimes


_DEALER, _SUPERVISOR, _CAGE = Role.DEALER, Role.SUPERVISOR, Role.CAGE
_SURVEILLANCE, _OPERATOR, _AUDITOR = Role.SURVEILLANCE, Role.OPERATOR, Role.AUDITOR
_EVERYBODY: Final = frozenset(Role)
_OFFICE: Final = frozenset({_SUPERVISOR, _CAGE, _SURVEILLANCE, _OPERATOR, _AUDITOR})
_WATCHERS: Final = frozenset({_SURVEILLANCE, _OPERATOR, _AUDITOR})
_FLOOR: Final = frozenset({_SUPERVISOR, _OPERATOR})
_OPERATORS: Final = frozenset({_OPERATOR})

PERMISSIONS: Final[Mapping[Right, Allowed]] = {
    Right.LOOK_ON: Allowed(_EVERYBODY, anybody=True),
    Right.COME_IN: Allowed(_EVERYBODY, anybody=True),
    Right.OWN_ACCOUNT: Allowed(_EVERYBODY),
    Right.PLAY: Allowed(frozenset({Role.PLAYER})),
    Right.SEE_CONSOLES: Allowed(frozenset({_DEALER, _SUPERVISOR, _SURVEILLANCE, _OPERATOR, _AUDITOR})),
    Right.DEAL: Allowed(frozenset({_DEALER, _SUPERVISOR})),
    Right.VOID_ROUNDS: Allowed(frozenset({_DEALER, _SUPERVISOR, _OPERATOR}), _FLOOR | {_SURVEILLANCE}),
    Right.SEE_OFFICE: Allowed(_OFFICE),
    Right.SEE_PLAYERS: Allowed(_OFFICE),
    Right.SEE_ROUNDS: Allowed(_WATCHERS | {_SUPERVISOR}),
    Right.SEE_REPORTS: Allowed(_OFFICE),
    Right.SEE_BOOKS: Allowed(_WATCHERS),
    Right.SEE_SIGN_INS: Allowed(_WATCHERS),
    Right.VERIFY: Allowed(_WATCHERS),
    Right.RUN_TABLES: Allowed(_FLOOR),
    Right.SET_UP_TABLES: Allowed(_OPERATORS),
    Right.RUN_DAYS: Allowed(_FLOOR),
    Right.DECLARE_FAULTS: Allowed(_FLOOR | {_DEALER}),
    Right.REPORT_MALFUNCTIONS: Allowed(_FLOOR),
    Right.ADMIT_PLAYERS: Allowed(frozenset({_CAGE, _OPERATOR})),
    Right.KEEP_PLAYERS_LOGINS: Allowed(frozenset({_CAGE, _OPERATOR}), frozenset({_CAGE, _SUPERVISOR, _OPERATOR})),
    Right.PAY_PLAYERS: Allowed(frozenset({_CAGE}), frozenset({_CAGE, _SUPERVISOR})),
    Right.OPEN_JACKPOTS: Allowed(_OPERATORS),
    Right.SWITCH_JACKPOTS: Allowed(_FLOOR),
    Right.TABULATE: Allowed(frozenset({_DEALER, _SUPERVISOR})),
    Right.PAY_JACKPOTS: Allowed(
        frozenset({_SUPERVISOR, _CAGE, _SURVEILLANCE}), frozenset({_SUPERVISOR, _CAGE, _SURVEILLANCE, _OPERATOR})
    ),
    Right.CHECK_JACKPOTS: Allowed(frozenset({_SURVEILLANCE}), frozenset({_SURVEILLANCE})),
    Right.ADJUST_METERS: Allowed(frozenset({_OPERATOR, _CAGE}), _FLOOR | {_CAGE}),
    Right.SET_RATES: Allowed(_OPERATORS, _FLOOR),
    Right.KEEP_CUSTODY: Allowed(frozenset({_CAGE, _OPERATOR})),
    # One person enters a statement; two replace one, or open a jackpot that was short.
    Right.RECONCILE: Allowed(frozenset({_CAGE, _OPERATOR}), _FLOOR | {_CAGE}, sometimes=True),
    Right.REIMBURSE_CAGE: Allowed(frozenset({_CAGE, _OPERATOR}), _FLOOR | {_CAGE}),
    Right.ANNOUNCE_PROMOTIONS: Allowed(_OPERATORS),
    # Up to what the room lets a dealer pay alone, one person pays.
    Right.PAY_PROMOTIONS: Allowed(
        frozenset({_DEALER, _SUPERVISOR, _CAGE}), frozenset({_SUPERVISOR, _CAGE}), sometimes=True
    ),
    Right.KEEP_DEVICES: Allowed(_OPERATORS),
    Right.ACCEPT_GAPS: Allowed(_FLOOR, _FLOOR | {_SURVEILLANCE}),
    Right.SET_UP_ROOM: Allowed(_OPERATORS, _FLOOR),
    Right.CONFIRM_CLOCK: Allowed(_OPERATORS),
    Right.SEND_HEADS: Allowed(_OPERATORS | {_AUDITOR}),
    # The first people of a room are registered by one: there is nobody else.
    Right.KEEP_PEOPLE: Allowed(_OPERATORS, _OFFICE, sometimes=True),
    Right.ACKNOWLEDGE_RECOVERIES: Allowed(_OPERATORS),
    Right.KEEP_KEY: Allowed(_OPERATORS, _FLOOR | {_AUDITOR}),
    Right.RESTORE: Allowed(_OPERATORS, _FLOOR | {_AUDITOR}),
}


def may(role: Role | None, right: Right) -> bool:
    """Whether somebody of a role may do something; None is somebody who has not signed in.

    >>> may(Role.DEALER, Right.DEAL), may(Role.CAGE, Right.DEAL), may(None, Right.LOOK_ON), may(None, Right.PLAY)
    (True, False, True, False)
    """
    allowed = PERMISSIONS[right]
    return allowed.anybody if role is None else role in allowed.roles


def refuse(login: str, role: Role, right: Right) -> MayNot:
    """The sentence for somebody who may not.

    >>> print(refuse("dora", Role.DEALER, Right.PAY_PLAYERS))
    dora is a dealer, who may not take players' money in and pay it out: that takes somebody from the cage.
    """
    *some, last = [_somebody(one) for one in Role if one in PERMISSIONS[right].roles]
    those = f"{', '.join(some)} or {last}" if some else last
    return MayNot(f"{login} is {a_role(role)}, who may not {right}: that takes {those}.")


def refuse_beside(login: str, role: Role, right: Right) -> MayNot:
    """The sentence for somebody who may not be the second person."""
    those = listed(PERMISSIONS[right].beside)
    return MayNot(f"{login} is {a_role(role)}: who signs beside another to {right} is {those}.")


def a_role(role: Role) -> str:
    """
    >>> a_role(Role.OPERATOR), a_role(Role.CAGE), a_role(Role.SURVEILLANCE)
    ('an operator', 'from the cage', 'from surveillance')
    """
    if role in (Role.CAGE, Role.SURVEILLANCE):
        return f"from {'the ' * (role is Role.CAGE)}{role}"
    return f"a{'n' * (role[0] in 'ao')} {role}"


def _somebody(role: Role) -> str:
    words = a_role(role)
    return words if words.startswith("a") else f"somebody {words}"


def listed(roles: frozenset[Role]) -> str:
    """Roles in the order of the house.

    >>> listed(frozenset({Role.OPERATOR, Role.SUPERVISOR}))
    'supervisor or operator'
    """
    *some, last = [role for role in Role if role in roles]
    return f"{', '.join(some)} or {last}" if some else str(last)
