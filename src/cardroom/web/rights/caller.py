"""Who calls: somebody who is signed in, a guest, or nobody in particular. The porter finds it out once for a call."""

from __future__ import annotations

from typing import Final, NamedTuple

from starlette.requests import HTTPConnection
from starlette.types import Scope

from cardroom.floor.people.permissions import Right, may
from cardroom.floor.people.roles import Role
from cardroom.floor.people.signing import Session
from cardroom.web.rights.doors import door_at

_PLACE: Final = "cardroom.caller"
_DOOR: Final = "cardroom.right"


class Step(NamedTuple):
    """What a person does before the session is good for anything else."""

    page: str
    sentence: str
    link: str
    """To the page, on all others."""


UNLOCK: Final = Step("/unlock", "This device is locked: unlock it first.", "Unlock")
CHOOSE: Final = Step(
    "/account/password",
    "Choose a password of your own first: the one that you have is for one time.",
    "Choose a password",
)


class Caller(NamedTuple):
    """Somebody at the door. A browser may have a guest's cookie beside the session of somebody of the staff: then it
    plays as the guest, and works as the other."""

    session: Session | None = None
    token: str = ""
    """Of the session."""
    seen: str = ""
    """The cookie that tells when the person was last active."""
    has_players_token: bool = False
    """Whether a token came along that says to be a guest's; the calls that need it look whether it is one."""

    @property
    def login(self) -> str:
        """Under which the books have what the person does; empty for nobody."""
        return self.session.login if self.session else ""

    @property
    def first_step(self) -> Step | None:
        """What comes before anything else: a session that is locked shows and does nothing until it is unlocked, one
        that began with a password for one time until another is chosen. None where nothing does."""
        if self.session is None:
            return None
        return UNLOCK if self.session.locked else CHOOSE if self.session.must_choose else None

    @property
    def player(self) -> str | None:
        """The player who is signed in, and may play."""
        session = self.session
        plays = session is not None and session.role is Role.PLAYER and self.first_step is None
        return session.login if session is not None and plays else None

    def may(self, right: Right) -> bool:
        """Whether the caller may do something, as far as roles say."""
        if self.first_step is not None:
            return may(None, right)
        if self.has_players_token and may(Role.PLAYER, right) and right is not Right.OWN_ACCOUNT:
            return True
        return may(self.session.role if self.session is not None else None, right)

    def may_open(self, address: str, method: str = "GET") -> bool:
        """Whether the door of an address lets the caller pass: what leads elsewhere is not offered."""
        door = door_at(method, address.partition("#")[0].partition("?")[0])
        return door is not None and door.right is not None and self.may(door.right)


NOBODY: Final = Caller()


def caller_of(connection: HTTPConnection) -> Caller:
    """Who calls, as the porter has found it."""
    caller: Caller = connection.scope.get(_PLACE, NOBODY)
    return caller


def note_caller(scope: Scope, caller: Caller, right: Right) -> None:
    scope[_PLACE], scope[_DOOR] = caller, right


def right_of(connection: HTTPConnection) -> Right:
    """The right that the address takes."""
    right: Right = connection.scope[_DOOR]
    return right


def person_of(connection: HTTPConnection) -> Session:
    """The person who is signed in, where the door has let nobody else pass."""
    session = caller_of(connection).session
    assert session is not None
    return session
