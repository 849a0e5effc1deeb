"""A person who signs in: what a happening makes of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from cardroom.floor.people.happenings import (
    Countersigned,
    PasswordChosen,
    PasswordEnded,
    PasswordFitted,
    PasswordTried,
    PersonDismissed,
    PersonRecovered,
    PersonRegistered,
    PinChosen,
    RecoveredAtMachine,
    RoleGiven,
    SessionEnded,
    SessionLocked,
    SessionUnlocked,
    SignedIn,
    SignInRefused,
    UnlockingRefused,
    UnlockingTried,
)
from cardroom.floor.people.places import is_at_machine, place_of
from cardroom.floor.people.roles import MINUTE, Role
from cardroom.jackpots import Happening
from cardroom.jackpots.tabulator.replay import DoesNotFollow

TRIES: Final = 3
"""Wrong passwords in a row at one place, and wrong PINs, after which there is no other try."""
LOCK_LASTS: Final = 30 * MINUTE
"""A lock ends by itself after so long, for one try: there may be no second person who could lift it."""
MOST_PLACES: Final = 20
"""Places that are remembered of a person."""
MOST_KNOWN_PLACES: Final = 12
"""Of them, those at which the person has typed the right password."""
MOST_SESSIONS: Final = 5
"""Places at which a person may be signed in; at one more the oldest session ends."""


class SessionStands(NamedTuple):
    """A session that has not ended."""

    until: int
    address: str
    locked: str = ""
    """Why it is locked; empty while it is not."""
    wrong_pins: int = 0


class Tries(NamedTuple):
    """Passwords that were typed at one place since the last right one."""

    refused: int = 0
    open: int = 0
    """Typed, and not yet found right or wrong; one whose server stopped meanwhile stays here."""
    at: int = 0
    """When the last one was typed."""
    known: bool = False
    """Whether the person has typed the right password here before."""

    @property
    def counted(self) -> int:
        return self.refused + self.open


NO_TRIES: Final = Tries()


class PersonState(NamedTuple):
    """A person between two happenings."""

    login: str
    name: str
    role: Role
    password: str
    """The seal of what is kept of it; empty where it ended."""
    once_until: int
    """When a password for one time ends; 0 for one that the person has chosen."""
    pin: str
    """The seal of what is kept of it; empty without one."""
    tries: Mapping[str, Tries]
    """By the place at which passwords were typed."""
    strange: int
    """Passwords typed in a row, none of them right, at places where the person has never typed the right one."""
    strange_at: int
    """When the last one was typed."""
    dismissed: str
    """Why the person may not sign in any more; empty while that is not so."""
    sessions: Mapping[str, SessionStands]
    """By the seal of their token."""
    machine_recoveries: int = 0
    """How often two people at the machine gave the person a password; the room's chain has as many marks."""

    def tries_at(self, address: str) -> Tries:
        """What was typed at the place of an address."""
        return self.tries.get(place_of(address), NO_TRIES)

    def is_strange(self, address: str) -> bool:
        """Whether the person has never typed the right password there, and a stranger could be there."""
        return not self.tries_at(address).known and not is_at_machine(place_of(address))

    @property
    def locked_at(self) -> tuple[str, ...]:
        """The places at which too many wrong passwords were typed in a row."""
        return tuple(sorted(place for place, one in self.tries.items() if one.counted >= TRIES))

    @property
    def is_active(self) -> bool:
        return not self.dismissed

    @property
    def has_own_password(self) -> bool:
        """Whether the person has a password that nobody else gave: it signs, and a one-time password does not."""
        return bool(self.password) and not self.once_until


def person_after(state: PersonState | None, happening: Happening) -> PersonState:
    """The person after a happening."""
    if isinstance(happening, PersonRegistered):
        if state is not None:
            raise DoesNotFollow(f"{happening.login} was registered before.")
        told = happening
        return PersonState(told.login, told.name, told.role, told.password, told.until, "", {}, 0, 0, "", {})
    if state is None:
        raise DoesNotFollow(f"A person begins by being registered, not with {happening.kind!r}.")
    if state.dismissed:
        raise DoesNotFollow(f"{state.login} was dismissed: nothing happens to the person any more.")
    match happening:
        case RoleGiven(role=role):
            return state._replace(role=role, sessions={})
        case RecoveredAtMachine(password=password, until=until) | PersonRecovered(password=password, until=until):
            known = {place: NO_TRIES._replace(at=one.at, known=True) for place, one in state.tries.items() if one.known}
            after = state._replace(password=password, once_until=until, pin="", sessions={})
            marks = state.machine_recoveries + isinstance(happening, RecoveredAtMachine)
            return after._replace(tries=known, strange=0, machine_recoveries=marks)
        case PersonDismissed(why=why):
            return state._replace(dismissed=why, password="", pin="", tries={}, sessions={})
        case PasswordEnded():
            return state._replace(password="", once_until=0, pin="", sessions={})
        case PasswordChosen(password=password, session=session, address=address):
            kept = {seal: one for seal, one in state.sessions.items() if seal == session}
            return _fitted(state, address)._replace(password=password, once_until=0, sessions=kept)
        case PinChosen(pin=pin, address=address):
            return _fitted(state, address)._replace(pin=pin)
        case SignedIn(session=session, until=until, address=address):
            if session in state.sessions:
                raise DoesNotFollow("A session begins once.")
            newest = sorted(state.sessions, key=lambda seal: state.sessions[seal].until)[-(MOST_SESSIONS - 1) :]
            kept = {seal: state.sessions[seal] for seal in newest}
            return _fitted(state, address)._replace(sessions={**kept, session: SessionStands(until, address)})
        case PasswordTried(address=address, at=at):
            return _tried(state, address, at)
        case SignInRefused(address=address):
            tries = state.tries_at(address)
            return _with_tries(state, address, tries._replace(refused=tries.refused + 1, open=max(tries.open - 1, 0)))
        case PasswordFitted(address=address):
            return _fitted(state, address)
        case Countersigned():
            if not state.has_own_password:
                raise DoesNotFollow(f"{state.login} has no password of their own, and signs nothing without one.")
            return state
        case SessionLocked(session=session, why=why):
            return _with(state, session, _open(state, session)._replace(locked=why, wrong_pins=0))
        case SessionUnlocked(session=session):
            return _with(state, session, _open(state, session)._replace(locked="", wrong_pins=0))
        case UnlockingTried(session=session):
            before = _open(state, session)
            return _with(state, session, before._replace(wrong_pins=before.wrong_pins + 1))
        case UnlockingRefused(session=session):
            _open(state, session)
            return state
        case SessionEnded(session=session):
            _open(state, session)
            return state._replace(sessions={seal: one for seal, one in state.sessions.items() if seal != session})
    raise DoesNotFollow(f"{happening.kind!r} does not happen to a person.")


def _open(state: PersonState, session: str) -> SessionStands:
    if session not in state.sessions:
        raise DoesNotFollow(f"{state.login} has no such session.")
    return state.sessions[session]


def _tried(state: PersonState, address: str, at: int) -> PersonState:
    tries = state.tries_at(address)
    if state.is_strange(address):
        before = state.strange if at - state.strange_at <= LOCK_LASTS else 0
        state = state._replace(strange=before + 1, strange_at=at)
    return _with_tries(state, address, tries._replace(open=tries.open + 1, at=at))


def _fitted(state: PersonState, address: str) -> PersonState:
    """The right password was typed: the wrong ones before it are forgotten, and the place is known from now on."""
    tries = state.tries_at(address)
    if state.is_strange(address):
        state = state._replace(strange=max(state.strange - 1 - tries.refused, 0))
    return _with_tries(state, address, Tries(0, max(tries.open - 1, 0), tries.at, known=True))


def _with_tries(state: PersonState, address: str, tries: Tries) -> PersonState:
    """The same person with other tries at a place; the places that were used longest ago are forgotten."""
    places = {**state.tries, place_of(address): tries}
    known = sorted((place for place, one in places.items() if one.known), key=lambda place: places[place].at)
    for place in known[:-MOST_KNOWN_PLACES]:
        places[place] = places[place]._replace(known=False)
    strangers = sorted((place for place, one in places.items() if not one.known), key=lambda place: places[place].at)
    for place in strangers[: max(len(places) - MOST_PLACES, 0)]:
        del places[place]
    return state._replace(tries=places)


def _with(state: PersonState, session: str, stands: SessionStands) -> PersonState:
    return state._replace(sessions={**state.sessions, session: stands})


def person_names(_: Happening) -> tuple[str, ...]:
    """A person's chain knows nothing by a name of its own."""
    return ()
