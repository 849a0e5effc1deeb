"""A person who signs in: what a happening makes of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from cardroom.floor.people.happenings import (
    Countersigned,
    PasswordChosen,
    PersonDismissed,
    PersonRecovered,
    PersonRegistered,
    PinChosen,
    RoleGiven,
    SessionEnded,
    SessionLocked,
    SessionUnlocked,
    SignedIn,
    SignInRefused,
    UnlockingRefused,
)
from cardroom.floor.people.roles import Role
from cardroom.jackpots import Happening
from cardroom.jackpots.tabulator.replay import DoesNotFollow

TRIES: Final = 3
"""Wrong passwords in a row, and wrong PINs, after which there is no other try."""
MOST_SESSIONS: Final = 5
"""Places at which a person may be signed in; at one more the oldest session ends."""


class SessionStands(NamedTuple):
    """A session that has not ended."""

    until: int
    address: str
    locked: str = ""
    """Why it is locked; empty while it is not."""
    wrong_pins: int = 0


class PersonState(NamedTuple):
    """A person between two happenings."""

    login: str
    name: str
    role: Role
    password: str
    """The seal of what is kept of it."""
    once_until: int
    """When a password for one time ends; 0 for one that the person has chosen."""
    pin: str
    """The seal of what is kept of it; empty without one."""
    refused: int
    """Wrong passwords in a row."""
    refused_at: int
    """When the last one was refused."""
    dismissed: str
    """Why the person may not sign in any more; empty while that is not so."""
    sessions: Mapping[str, SessionStands]
    """By the seal of their token."""

    @property
    def is_locked(self) -> bool:
        """Whether too many wrong passwords were typed in a row."""
        return self.refused >= TRIES

    @property
    def is_active(self) -> bool:
        return not self.dismissed


def person_after(state: PersonState | None, happening: Happening) -> PersonState:
    """The person after a happening."""
    if isinstance(happening, PersonRegistered):
        if state is not None:
            raise DoesNotFollow(f"{happening.login} was registered before.")
        told = happening
        return PersonState(told.login, told.name, told.role, told.password, told.until, "", 0, 0, "", {})
    if state is None:
        raise DoesNotFollow(f"A person begins by being registered, not with {happening.kind!r}.")
    if state.dismissed:
        raise DoesNotFollow(f"{state.login} was dismissed: nothing happens to the person any more.")
    match happening:
        case RoleGiven(role=role):
            return state._replace(role=role, sessions={})
        case PersonRecovered(password=password, until=until):
            return state._replace(password=password, once_until=until, pin="", refused=0, sessions={})
        case PersonDismissed(why=why):
            return state._replace(dismissed=why, password="", pin="", sessions={})
        case PasswordChosen(password=password, session=session):
            kept = {seal: one for seal, one in state.sessions.items() if seal == session}
            return state._replace(password=password, once_until=0, refused=0, sessions=kept)
        case PinChosen(pin=pin):
            return state._replace(pin=pin)
        case SignedIn(session=session, until=until, address=address):
            if session in state.sessions:
                raise DoesNotFollow("A session begins once.")
            newest = sorted(state.sessions, key=lambda seal: state.sessions[seal].until)[-(MOST_SESSIONS - 1) :]
            kept = {seal: state.sessions[seal] for seal in newest}
            return state._replace(refused=0, sessions={**kept, session: SessionStands(until, address)})
        case SignInRefused(at=at):
            return state._replace(refused=state.refused + 1, refused_at=at)
        case Countersigned():
            return state._replace(refused=0)
        case SessionLocked(session=session, why=why):
            return _with(state, session, _open(state, session)._replace(locked=why, wrong_pins=0))
        case SessionUnlocked(session=session):
            return _with(state, session, _open(state, session)._replace(locked="", wrong_pins=0))
        case UnlockingRefused(session=session):
            before = _open(state, session)
            return _with(state, session, before._replace(wrong_pins=before.wrong_pins + 1))
        case SessionEnded(session=session):
            _open(state, session)
            return state._replace(sessions={seal: one for seal, one in state.sessions.items() if seal != session})
    raise DoesNotFollow(f"{happening.kind!r} does not happen to a person.")


def _open(state: PersonState, session: str) -> SessionStands:
    if session not in state.sessions:
        raise DoesNotFollow(f"{state.login} has no such session.")
    return state.sessions[session]


def _with(state: PersonState, session: str, stands: SessionStands) -> PersonState:
    return state._replace(sessions={**state.sessions, session: stands})


def person_names(_: Happening) -> tuple[str, ...]:
    """A person's chain knows nothing by a name of its own."""
    return ()
