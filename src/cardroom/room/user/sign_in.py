"""Decisions of signing in: password attempts, sessions, locks, and second signatures."""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from enum import Enum
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.room.dual_control import require_text
from cardroom.room.user.events import (
    Countersigned,
    PasswordAccepted,
    PasswordAttempted,
    PasswordChosen,
    PasswordRevoked,
    PinChosen,
    SessionEnded,
    SessionLocked,
    SessionUnlocked,
    SignedIn,
    SignInRefused,
    UnlockAttempted,
    UnlockRefused,
    UserEvent,
)
from cardroom.room.user.permissions import Role
from cardroom.room.user.state import ATTEMPTS_BEFORE_LOCK, LOCK_DURATION, UserState

SECOND_US: Final = 1_000_000
LONGEST_PAUSE: Final = 60
"""The longest pause between two passwords for one login at unfamiliar places, in seconds."""
COMPARISON_TIMEOUT: Final = 10 * SECOND_US
"""The comparison of a password takes much less."""
_TOKEN: Final = re.compile(r"([a-z][a-z0-9-]{1,39})\.s\.([A-Za-z0-9_-]{43})")
_LABEL: Final = b"cardroom session 1\x00"
_LONGEST_ADDRESS: Final = 60
_THREE_PINS: Final = "three wrong PINs"


class SignInFailed(BadInput):
    """A login and a password that do not match; the refusal does not say which of the two is wrong."""


class NoSession(BadInput):
    """A session that has ended or never existed."""


class WrongPin(BadInput):
    """A PIN that is not the user's."""


class UserSession(NamedTuple):
    """The session of a signed-in user."""

    login: str
    name: str
    role: Role
    digest: str
    """The digest of the token."""
    until: int
    locked: str
    """Why it is locked; empty while it is not."""
    must_change_password: bool
    """Whether the user must choose a password first, because the current one is a one-time password."""
    has_pin: bool


def new_session_token(login: str, key: bytes) -> str:
    """An unguessable token from 32 random bytes; it is not stored.

    >>> token = new_session_token("rosa", bytes(32))
    >>> token[:12], login_of_token(token), login_of_token("guest-1.1.abc")
    ('rosa.s.AAAAA', 'rosa', None)
    """
    return f"{login}.s.{urlsafe_b64encode(key).decode().rstrip('=')}"


def login_of_token(token: str) -> str | None:
    """The login in a token; None for a text that is not a session token."""
    parts = _TOKEN.fullmatch(token)
    return parts[1] if parts else None


def session_digest(token: str, secret: bytes) -> str:
    """The digest of a token in the ledger: an HMAC with the card room's secret, which the database has only in
    encrypted form. The digest does not reveal the token, and a person with write access to the database cannot forge a
    session."""
    return hmac.digest(secret, _LABEL + token.encode(), "sha256").hex()


def find_session(state: UserState, digest: str, now: int) -> UserSession | None:
    """The session with this digest, until it expires."""
    session = state.sessions.get(digest)
    if session is None or now > session.until or state.deactivation_reason:
        return None
    must, pin = bool(state.one_time_until), bool(state.pin)
    return UserSession(state.login, state.name, state.role, digest, session.until, session.locked, must, pin)


class AttemptDecision(Enum):
    """Whether a password may be compared."""

    YES = "yes"
    SOON = "soon"
    """Not yet: others from the same place are being compared."""
    NO = "no"


def pause_seconds(wrong_count: int) -> int:
    """Seconds until the next attempt at an unfamiliar place, after this number of wrong passwords for a login.

    >>> [pause_seconds(tries) for tries in (0, 2, 3, 4, 5, 8, 9, 1_000)]
    [0, 0, 1, 2, 4, 32, 60, 60]
    """
    return (
        0
        if wrong_count < ATTEMPTS_BEFORE_LOCK
        else min(1 << min(wrong_count - ATTEMPTS_BEFORE_LOCK, 10), LONGEST_PAUSE)
    )


def check_attempt(state: UserState, address: str, now: int) -> AttemptDecision:
    """Whether a password may be compared at an address: three wrong ones in a row lock the login there. Wrong ones at
    other addresses only slow unfamiliar places down, so that no attacker can lock a user out remotely."""
    tries = state.attempts_at(address)
    if not state.is_active:
        return AttemptDecision.NO
    if tries.counted >= ATTEMPTS_BEFORE_LOCK and now - tries.at <= LOCK_DURATION:
        soon = tries.refused < ATTEMPTS_BEFORE_LOCK and now - tries.at < COMPARISON_TIMEOUT
        return AttemptDecision.SOON if soon else AttemptDecision.NO
    pause = pause_seconds(state.unfamiliar_failures) * SECOND_US if state.is_unfamiliar(address) else 0
    return AttemptDecision.NO if now - state.last_unfamiliar_failure < pause else AttemptDecision.YES


def locked_places(state: UserState, now: int) -> list[str]:
    """The places where a login is locked now."""
    return [place for place in state.locked_places if now - state.attempts[place].at <= LOCK_DURATION]


def record_attempt(state: UserState, address: str, now: int) -> tuple[UserEvent, ...]:
    """Count a password before it is compared."""
    return (PasswordAttempted(state.login, address[:_LONGEST_ADDRESS], now),)


def record_accepted_password(state: UserState, address: str, why: str) -> tuple[UserEvent, ...]:
    """Record a right password for a refused request."""
    return (PasswordAccepted(state.login, address[:_LONGEST_ADDRESS], why),)


def find_refusal_reason(state: UserState, is_correct: bool, now: int) -> str:
    """Why a password is refused; empty if it is accepted."""
    if not is_correct:
        return "wrong password"
    if state.one_time_until and now > state.one_time_until:
        return "the one-time password has expired"
    return ""


def sign_in(state: UserState, digest: str, address: str, now: int) -> tuple[UserEvent, ...]:
    """Start a session."""
    return (SignedIn(state.login, digest, address[:_LONGEST_ADDRESS], now + state.role.session_lifetime),)


def refuse_sign_in(state: UserState, address: str, why: str, now: int) -> tuple[UserEvent, ...]:
    """Record a refused sign-in."""
    return (SignInRefused(state.login, address[:_LONGEST_ADDRESS], why, now),)


def countersign(
    state: UserState, other_user: str, act: str, address: str, command: str, digest: str
) -> tuple[UserEvent, ...]:
    """Sign one command as the second person."""
    return (Countersigned(state.login, other_user, act, address[:_LONGEST_ADDRESS], command, digest),)


def choose_password(state: UserState, password: str, session: str, address: str) -> tuple[UserEvent, ...]:
    """Change the password; ``session`` is the session that stays."""
    return (PasswordChosen(state.login, password, session, address[:_LONGEST_ADDRESS]),)


def revoke_password(state: UserState, who: str, why: str) -> tuple[UserEvent, ...]:
    """Revoke password and PIN, and end every session."""
    return (PasswordRevoked(state.login, who, require_text(why, "reason")),)


def choose_pin(state: UserState, pin: str, address: str) -> tuple[UserEvent, ...]:
    """Change the PIN."""
    return (PinChosen(state.login, pin, address[:_LONGEST_ADDRESS]),)


def lock_session(state: UserState, digest: str, why: str) -> tuple[UserEvent, ...]:
    """Lock a session; no event if it is locked or has ended."""
    session = state.sessions.get(digest)
    return () if session is None or session.locked else (SessionLocked(state.login, digest, why),)


def record_unlock_attempt(state: UserState, digest: str, address: str) -> tuple[UserEvent, ...]:
    """Count a PIN before it is compared; no event if the session is not locked. After three attempts, the session
    ends."""
    session = state.sessions.get(digest)
    if session is None:
        raise NoSession("This session has ended: sign in again.")
    if not session.locked:
        return ()
    if session.wrong_pins >= ATTEMPTS_BEFORE_LOCK:
        return (SessionEnded(state.login, digest, state.login, _THREE_PINS),)
    return (UnlockAttempted(state.login, digest, address[:_LONGEST_ADDRESS]),)


def unlock_session(state: UserState, digest: str, is_correct: bool, address: str) -> tuple[UserEvent, ...]:
    """Unlock a session with the PIN, or with the password if there is no PIN. The third wrong one in a row ends it."""
    session = state.sessions.get(digest)
    if session is None:
        raise NoSession("This session has ended: sign in again.")
    if not session.locked:
        return ()
    if is_correct:
        return (SessionUnlocked(state.login, digest, address[:_LONGEST_ADDRESS]),)
    refused = UnlockRefused(state.login, digest, address[:_LONGEST_ADDRESS])
    if session.wrong_pins < ATTEMPTS_BEFORE_LOCK:
        return (refused,)
    return refused, SessionEnded(state.login, digest, state.login, _THREE_PINS)


def end_session(state: UserState, digest: str, who: str, why: str) -> tuple[UserEvent, ...]:
    """End a session; no event if it has ended."""
    return (SessionEnded(state.login, digest, who, require_text(why, "reason")),) if digest in state.sessions else ()
