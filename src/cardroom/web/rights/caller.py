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
    def player(self) -> str | None:
        """The player who is signed in, and may play."""
        session = self.session
        plays = session is not None and session.role is Role.PLAYER and not session.must_choose
        return session.login if session is not None and plays else None

    def may(self, right: Right) -> bool:
        """Whether the caller may do something, as far as roles say."""
        session = self.session
        if self.has_players_token and may(Role.PLAYER, right) and right is not Right.OWN_ACCOUNT:
            return True
        waits = session is not None and (session.locked or session.must_choose)
        return may(session.role if session is not None and not waits else None, right)

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
