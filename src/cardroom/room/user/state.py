"""Places: where passwords are typed, and what is counted together.

An address on the network is one place; of IPv6, where one household has a whole network, the network is. The command
line of the room's own machine is a place that no stranger can reach, whatever happens on the network.

A person who signs in: what a happening makes of one.
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
    """Whether only a person at the room's own machine can be there.

    >>> [is_at_machine(one) for one in ("the command line", "127.0.0.1", "::1", "192.0.2.7", "?")]
    [True, True, True, False, False]
    """
    try:
        return place == COMMAND_LINE or ip_address(place).is_loopback
    except ValueError:
        return False


ATTEMPTS_BEFORE_LOCK: Final = 3
"""Wrong passwords in a row at one place, and wrong PINs, after which there is no other try."""
LOCK_DURATION: Final = 30 * MINUTE
"""A lock ends by itself after so long, for one try: there may be no second person who could lift it."""
MOST_PLACES: Final = 20
"""Places that are remembered of a person."""
MOST_KNOWN_PLACES: Final = 12
"""Of them, those at which the person has typed the right password."""
MOST_SESSIONS: Final = 5
"""Places at which a person may be signed in; at one more the oldest session ends."""


class SessionState(NamedTuple):
    """A session that has not ended."""

    until: int
    address: str
    locked: str = ""
    """Why it is locked; empty while it is not."""
    wrong_pins: int = 0


class SignInAttempts(NamedTuple):
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


NO_ATTEMPTS: Final = SignInAttempts()


class UserState(NamedTuple):
    """A person between two happenings."""

    login: str
    name: str
    role: Role
    password: str
    """The seal of what is kept of it; empty where it ended."""
    one_time_until: int
    """When a password for one time ends; 0 for one that the person has chosen."""
    pin: str
    """The seal of what is kept of it; empty without one."""
    attempts: Mapping[str, SignInAttempts]
    """By the place at which passwords were typed."""
    unfamiliar_failures: int
    """Passwords typed in a row, none of them right, at places where the person has never typed the right one."""
    last_unfamiliar_failure: int
    """When the last one was typed."""
    deactivation_reason: str
    """Why the person may not sign in any more; empty while that is not so."""
    sessions: Mapping[str, SessionState]
    """By the seal of their token."""
    machine_recoveries: int = 0
    """How often two people at the machine gave the person a password; the room's chain has as many marks."""

    def attempts_at(self, address: str) -> SignInAttempts:
        """What was typed at the place of an address."""
        return self.attempts.get(sign_in_place(address), NO_ATTEMPTS)

    def is_unfamiliar(self, address: str) -> bool:
        """Whether the person has never typed the right password there, and a stranger could be there."""
        return not self.attempts_at(address).known and not is_at_machine(sign_in_place(address))

    @property
    def locked_places(self) -> tuple[str, ...]:
        """The places at which too many wrong passwords were typed in a row."""
        return tuple(
            sorted(place for place, attempts_ in self.attempts.items() if attempts_.counted >= ATTEMPTS_BEFORE_LOCK)
        )

    @property
    def is_active(self) -> bool:
        return not self.deactivation_reason

    @property
    def has_own_password(self) -> bool:
        """Whether the person has a password that nobody else gave: it signs, and a one-time password does not."""
        return bool(self.password) and not self.one_time_until


def apply_user_event(state: UserState | None, event: DomainEvent) -> UserState:
    """The person after a happening."""
    if isinstance(event, UserRegistered):
        if state is not None:
            raise UnexpectedEvent(f"{event.login} was registered before.")
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
        raise UnexpectedEvent(f"A person begins by being registered, not with {event.kind!r}.")
    if state.deactivation_reason:
        raise UnexpectedEvent(f"{state.login} was dismissed: nothing happens to the person any more.")
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
                raise UnexpectedEvent("A session begins once.")
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
                raise UnexpectedEvent(f"{state.login} has no password of their own, and signs nothing without one.")
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
    raise UnexpectedEvent(f"{event.kind!r} does not happen to a person.")


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
    """The right password was typed: the wrong ones before it are forgotten, and the place is known from now on."""
    tries = state.attempts_at(address)
    if state.is_unfamiliar(address):
        state = state._replace(unfamiliar_failures=max(state.unfamiliar_failures - 1 - tries.refused, 0))
    return _with_attempts(state, address, SignInAttempts(0, max(tries.open - 1, 0), tries.at, known=True))


def _with_attempts(state: UserState, address: str, attempts: SignInAttempts) -> UserState:
    """The same person with other tries at a place; the places that were used longest ago are forgotten."""
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
    """A person's chain knows nothing by a name of its own."""
    return ()
