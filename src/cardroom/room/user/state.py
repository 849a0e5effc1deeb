"""The state of a user, its reducer, and the places whose sign-in attempts count together.

A network address is one place; with IPv6, where one household has a whole network, the network is. The command line of
the card room's machine is a place that no attacker on the network can reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from cardroom.room.event_types import DomainEvent
from cardroom.room.tabulator.state import UnexpectedEvent
from cardroom.room.user.events import (
    Countersigned,
    PasswordAccepted,
    PasswordAttempted,
    PasswordChosen,
    PasswordRevoked,
    PinChosen,
    RoleAssigned,
    SessionEnded,
    SessionLocked,
    SessionUnlocked,
    SignedIn,
    SignInRefused,
    UnlockAttempted,
    UnlockRefused,
    UserDeactivated,
    UserRecovered,
    UserRecoveredAtMachine,
    UserRegistered,
)
from cardroom.room.user.permissions import MINUTE, Role

COMMAND_LINE: Final = "the command line"


def sign_in_place(address: str) -> str:
    """The place of an address, or of the command line.

    >>> sign_in_place("192.0.2.7"), sign_in_place("2001:db8:1:2:3::4"), sign_in_place("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::', '192.0.2.7')
    >>> sign_in_place("the command line (rosa)"), sign_in_place("?")
    ('the command line', '?')
    """
    if address.startswith(COMMAND_LINE):
        return COMMAND_LINE
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    if isinstance(ip, IPv6Address) and not ip.is_loopback:
        return str(IPv6Address(int(ip) >> 64 << 64))
    return str(ip)


def is_at_machine(place: str) -> bool:
    """Whether only a person at the card room's machine can be there.

    >>> [is_at_machine(place) for place in ("the command line", "127.0.0.1", "::1", "192.0.2.7", "?")]
    [True, True, True, False, False]
    """
    try:
        return place == COMMAND_LINE or ip_address(place).is_loopback
    except ValueError:
        return False


ATTEMPTS_BEFORE_LOCK: Final = 3
"""Wrong passwords in a row at one place, or wrong PINs, before the lock."""
LOCK_DURATION: Final = 30 * MINUTE
"""A lock ends by itself after this time, for one attempt: there may be no second person to lift it."""
MOST_PLACES: Final = 20
"""The most places that a user's state remembers."""
MOST_KNOWN_PLACES: Final = 12
"""The most of them where the user has typed the right password."""
MOST_SESSIONS: Final = 5
"""The most sessions of a user; one more ends the oldest."""


class SessionState(NamedTuple):
    """An open session."""

    until: int
    address: str
    locked: str = ""
    """Why it is locked; empty while it is not."""
    wrong_pins: int = 0


class SignInAttempts(NamedTuple):
    """Password attempts at one place since the last right one."""

    refused: int = 0
    open: int = 0
    """Attempts without a result; one whose server stopped meanwhile stays here."""
    at: int = 0
    """The time of the last attempt."""
    known: bool = False
    """Whether the user has typed the right password here before."""

    @property
    def counted(self) -> int:
        return self.refused + self.open


NO_ATTEMPTS: Final = SignInAttempts()


class UserState(NamedTuple):
    """A user after the latest event."""

    login: str
    name: str
    role: Role
    password: str
    """The digest of the password hash; empty if it was revoked."""
    one_time_until: int
    """When a one-time password expires; 0 for a password that the user chose."""
    pin: str
    """The digest of the PIN's hash; empty without a PIN."""
    attempts: Mapping[str, SignInAttempts]
    """By place."""
    unfamiliar_failures: int
    """Wrong passwords in a row at places where the user has never typed the right one."""
    last_unfamiliar_failure: int
    """The time of the last of them."""
    deactivation_reason: str
    """Why the user was deactivated; empty while the user is active."""
    sessions: Mapping[str, SessionState]
    """By the digest of their token."""
    machine_recoveries: int = 0
    """The number of recoveries at the machine; the site's chain has the same number of marks."""

    def attempts_at(self, address: str) -> SignInAttempts:
        """The attempts at the place of an address."""
        return self.attempts.get(sign_in_place(address), NO_ATTEMPTS)

    def is_unfamiliar(self, address: str) -> bool:
        """Whether the user has never typed the right password there, and an attacker could be there."""
        return not self.attempts_at(address).known and not is_at_machine(sign_in_place(address))

    @property
    def locked_places(self) -> tuple[str, ...]:
        """The places with too many wrong passwords in a row."""
        return tuple(
            sorted(place for place, attempts in self.attempts.items() if attempts.counted >= ATTEMPTS_BEFORE_LOCK)
        )

    @property
    def is_active(self) -> bool:
        return not self.deactivation_reason

    @property
    def has_own_password(self) -> bool:
        """Whether the user chose the password; a one-time password cannot sign."""
        return bool(self.password) and not self.one_time_until


def apply_user_event(state: UserState | None, event: DomainEvent) -> UserState:
    """The user after an event."""
    if isinstance(event, UserRegistered):
        if state is not None:
            raise UnexpectedEvent(f"{event.login} is already registered.")
        registered = event
        return UserState(
            registered.login,
            registered.name,
            registered.role,
            registered.password,
            registered.until,
            "",
            {},
            0,
            0,
            "",
            {},
        )
    if state is None:
        raise UnexpectedEvent(f"A user begins with the registration, not with {event.kind!r}.")
    if state.deactivation_reason:
        raise UnexpectedEvent(f"{state.login} was deactivated: {event.kind!r} cannot happen.")
    match event:
        case RoleAssigned(role=role):
            return state._replace(role=role, sessions={})
        case UserRecoveredAtMachine(password=password, until=until) | UserRecovered(password=password, until=until):
            known_places = {
                place: NO_ATTEMPTS._replace(at=item.at, known=True)
                for place, item in state.attempts.items()
                if item.known
            }
            after = state._replace(password=password, one_time_until=until, pin="", sessions={})
            marks = state.machine_recoveries + isinstance(event, UserRecoveredAtMachine)
            return after._replace(attempts=known_places, unfamiliar_failures=0, machine_recoveries=marks)
        case UserDeactivated(why=why):
            return state._replace(deactivation_reason=why, password="", pin="", attempts={}, sessions={})
        case PasswordRevoked():
            return state._replace(password="", one_time_until=0, pin="", sessions={})
        case PasswordChosen(password=password, session=session, address=address):
            kept_sessions = {seal: item for seal, item in state.sessions.items() if seal == session}
            return _record_success(state, address)._replace(password=password, one_time_until=0, sessions=kept_sessions)
        case PinChosen(pin=pin, address=address):
            return _record_success(state, address)._replace(pin=pin)
        case SignedIn(session=session, until=until, address=address):
            if session in state.sessions:
                raise UnexpectedEvent("The session has already begun.")
            newest = sorted(state.sessions, key=lambda seal: state.sessions[seal].until)[-(MOST_SESSIONS - 1) :]
            kept_sessions = {seal: state.sessions[seal] for seal in newest}
            return _record_success(state, address)._replace(
                sessions={**kept_sessions, session: SessionState(until, address)}
            )
        case PasswordAttempted(address=address, at=attempt_time):
            return _record_attempt(state, address, attempt_time)
        case SignInRefused(address=address):
            tries = state.attempts_at(address)
            return _with_attempts(
                state, address, tries._replace(refused=tries.refused + 1, open=max(tries.open - 1, 0))
            )
        case PasswordAccepted(address=address):
            return _record_success(state, address)
        case Countersigned():
            if not state.has_own_password:
                raise UnexpectedEvent(f"{state.login} cannot sign without a password that {state.login} chose.")
            return state
        case SessionLocked(session=session, why=why):
            return _with_session(state, session, _require_session(state, session)._replace(locked=why, wrong_pins=0))
        case SessionUnlocked(session=session):
            return _with_session(state, session, _require_session(state, session)._replace(locked="", wrong_pins=0))
        case UnlockAttempted(session=session):
            before = _require_session(state, session)
            return _with_session(state, session, before._replace(wrong_pins=before.wrong_pins + 1))
        case UnlockRefused(session=session):
            _require_session(state, session)
            return state
        case SessionEnded(session=session):
            _require_session(state, session)
            return state._replace(sessions={seal: item for seal, item in state.sessions.items() if seal != session})
    raise UnexpectedEvent(f"{event.kind!r} is not an event of a user.")


def _require_session(state: UserState, session: str) -> SessionState:
    if session not in state.sessions:
        raise UnexpectedEvent(f"{state.login} has no such session.")
    return state.sessions[session]


def _record_attempt(state: UserState, address: str, attempt_time: int) -> UserState:
    tries = state.attempts_at(address)
    if state.is_unfamiliar(address):
        before = state.unfamiliar_failures if attempt_time - state.last_unfamiliar_failure <= LOCK_DURATION else 0
        state = state._replace(unfamiliar_failures=before + 1, last_unfamiliar_failure=attempt_time)
    return _with_attempts(state, address, tries._replace(open=tries.open + 1, at=attempt_time))


def _record_success(state: UserState, address: str) -> UserState:
    """Clear the wrong passwords before a right one, and remember the place as familiar."""
    tries = state.attempts_at(address)
    if state.is_unfamiliar(address):
        state = state._replace(unfamiliar_failures=max(state.unfamiliar_failures - 1 - tries.refused, 0))
    return _with_attempts(state, address, SignInAttempts(0, max(tries.open - 1, 0), tries.at, known=True))


def _with_attempts(state: UserState, address: str, attempts: SignInAttempts) -> UserState:
    """The user with other attempts at a place; the least recently used places are dropped."""
    places = {**state.attempts, sign_in_place(address): attempts}
    known_places = sorted((place for place, item in places.items() if item.known), key=lambda place: places[place].at)
    for place in known_places[:-MOST_KNOWN_PLACES]:
        places[place] = places[place]._replace(known=False)
    strangers = sorted((place for place, item in places.items() if not item.known), key=lambda place: places[place].at)
    for place in strangers[: max(len(places) - MOST_PLACES, 0)]:
        del places[place]
    return state._replace(attempts=places)


def _with_session(state: UserState, session: str, session_state: SessionState) -> UserState:
    return state._replace(sessions={**state.sessions, session: session_state})


def user_unique_keys(_: DomainEvent) -> tuple[str, ...]:
    """Events of a user have no unique keys."""
    return ()
