"""Signing in: what becomes of a password that was typed, a session that is locked, one that is ended."""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from enum import Enum
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.people.happenings import (
    Countersigned,
    OfAPerson,
    PasswordChosen,
    PasswordEnded,
    PasswordFitted,
    PasswordTried,
    PinChosen,
    SessionEnded,
    SessionLocked,
    SessionUnlocked,
    SignedIn,
    SignInRefused,
    UnlockingRefused,
    UnlockingTried,
)
from cardroom.floor.people.roles import Role
from cardroom.floor.people.state import LOCK_LASTS, TRIES, PersonState
from cardroom.jackpots.people import named

SECOND: Final = 1_000_000
LONGEST_PAUSE: Final = 60
"""Seconds between two passwords for one login, typed at places where the person has never signed in."""
COMPARED_WITHIN: Final = 10 * SECOND
"""A password that is being compared is found right or wrong in much less."""
_TOKEN: Final = re.compile(r"([a-z][a-z0-9-]{1,39})\.s\.([A-Za-z0-9_-]{43})")
_LABEL: Final = b"cardroom session 1\x00"
_LONGEST_ADDRESS: Final = 60
_THREE_PINS: Final = "three wrong PINs"


class SignInFailed(BadInput):
    """A login and a password that do not belong together; which of the two is wrong is not told."""


class NoSession(BadInput):
    """A session that has ended, or never was."""


class WrongPin(BadInput):
    """A PIN that is not the person's."""


class Session(NamedTuple):
    """Somebody who is signed in."""

    login: str
    name: str
    role: Role
    seal: str
    """Of the token."""
    until: int
    locked: str
    """Why it must be unlocked first; empty when it need not be."""
    must_choose: bool
    """Whether a password has to be chosen before anything else: this one is for one time."""
    has_pin: bool


def new_token(login: str, key: bytes) -> str:
    """A token nobody can guess, from 32 random bytes; it is stored nowhere.

    >>> token = new_token("rosa", bytes(32))
    >>> token[:12], login_of(token), login_of("guest-1.1.abc")
    ('rosa.s.AAAAA', 'rosa', None)
    """
    return f"{login}.s.{urlsafe_b64encode(key).decode().rstrip('=')}"


def login_of(token: str) -> str | None:
    """Whose token it claims to be; None for what is no token of a session."""
    parts = _TOKEN.fullmatch(token)
    return parts[1] if parts else None


def seal_of_token(token: str, secret: bytes) -> str:
    """What the books show of a token: an HMAC under the room's secret, which is not readable in the database. Nobody
    finds the token from it, and nobody who writes to the database can begin a session with a token of their own."""
    return hmac.digest(secret, _LABEL + token.encode(), "sha256").hex()


def session_in(state: PersonState, seal: str, now: int) -> Session | None:
    """The session of a seal, while it lasts."""
    stands = state.sessions.get(seal)
    if stands is None or now > stands.until or state.dismissed:
        return None
    must, pin = bool(state.once_until), bool(state.pin)
    return Session(state.login, state.name, state.role, seal, stands.until, stands.locked, must, pin)


class MayTry(Enum):
    """Whether a password may be compared."""

    YES = "yes"
    SOON = "soon"
    """Others that were typed at the same place are being compared."""
    NO = "no"


def pause_after(strange: int) -> int:
    """Seconds until another password for one login may be typed at a strange place, after so many wrong ones.

    >>> [pause_after(tries) for tries in (0, 2, 3, 4, 5, 8, 9, 1_000)]
    [0, 0, 1, 2, 4, 32, 60, 60]
    """
    return 0 if strange < TRIES else min(1 << min(strange - TRIES, 10), LONGEST_PAUSE)


def may_try(state: PersonState, address: str, now: int) -> MayTry:
    """Whether a password may be compared at an address: three wrong ones in a row lock the login there. Those typed at
    other addresses only make strangers wait, so that nobody locks a person out from far away."""
    tries = state.tries_at(address)
    if not state.is_active:
        return MayTry.NO
    if tries.counted >= TRIES and now - tries.at <= LOCK_LASTS:
        soon = tries.refused < TRIES and now - tries.at < COMPARED_WITHIN
        return MayTry.SOON if soon else MayTry.NO
    pause = pause_after(state.strange) * SECOND if state.is_strange(address) else 0
    return MayTry.NO if now - state.strange_at < pause else MayTry.YES


def locked_at(state: PersonState, now: int) -> list[str]:
    """The places at which a login is locked now."""
    return [place for place in state.locked_at if now - state.tries[place].at <= LOCK_LASTS]


def try_password(state: PersonState, address: str, now: int) -> tuple[OfAPerson, ...]:
    """A password is counted before it is compared."""
    return (PasswordTried(state.login, address[:_LONGEST_ADDRESS], now),)


def password_fitted(state: PersonState, address: str, why: str) -> tuple[OfAPerson, ...]:
    """The password was right, and what it was typed for was refused."""
    return (PasswordFitted(state.login, address[:_LONGEST_ADDRESS], why),)


def why_not(state: PersonState, fits: bool, now: int) -> str:
    """What is against a password that may be tried; empty when nothing is."""
    if not fits:
        return "wrong password"
    if state.once_until and now > state.once_until:
        return "the password for one time has ended"
    return ""


def sign_in(state: PersonState, seal: str, address: str, now: int) -> tuple[OfAPerson, ...]:
    """A session begins."""
    return (SignedIn(state.login, seal, address[:_LONGEST_ADDRESS], now + state.role.lasts),)


def refuse_sign_in(state: PersonState, address: str, why: str, now: int) -> tuple[OfAPerson, ...]:
    """The books remember that somebody tried."""
    return (SignInRefused(state.login, address[:_LONGEST_ADDRESS], why, now),)


def countersign(
    state: PersonState, beside: str, act: str, address: str, command: str, digest: str
) -> tuple[OfAPerson, ...]:
    """A person signs one command, beside another."""
    return (Countersigned(state.login, beside, act, address[:_LONGEST_ADDRESS], command, digest),)


def choose_password(state: PersonState, password: str, session: str, address: str) -> tuple[OfAPerson, ...]:
    """Another password; ``session`` is the one that goes on."""
    return (PasswordChosen(state.login, password, session, address[:_LONGEST_ADDRESS]),)


def end_password(state: PersonState, who: str, why: str) -> tuple[OfAPerson, ...]:
    """The password and the PIN are not accepted any more, and every session ends."""
    return (PasswordEnded(state.login, who, named(why, "reason")),)


def choose_pin(state: PersonState, pin: str, address: str) -> tuple[OfAPerson, ...]:
    """Another PIN."""
    return (PinChosen(state.login, pin, address[:_LONGEST_ADDRESS]),)


def lock(state: PersonState, seal: str, why: str) -> tuple[OfAPerson, ...]:
    """Lock a session; nothing happens to one that is locked, or has ended."""
    stands = state.sessions.get(seal)
    return () if stands is None or stands.locked else (SessionLocked(state.login, seal, why),)


def try_unlocking(state: PersonState, seal: str, address: str) -> tuple[OfAPerson, ...]:
    """A PIN is counted before it is compared; nothing happens to a session that is not locked, and one for which three
    were typed ends."""
    stands = state.sessions.get(seal)
    if stands is None:
        raise NoSession("This session has ended: sign in again.")
    if not stands.locked:
        return ()
    if stands.wrong_pins >= TRIES:
        return (SessionEnded(state.login, seal, state.login, _THREE_PINS),)
    return (UnlockingTried(state.login, seal, address[:_LONGEST_ADDRESS]),)


def unlock(state: PersonState, seal: str, fits: bool, address: str) -> tuple[OfAPerson, ...]:
    """Unlock a session with a PIN, or without one with the password. The third wrong one in a row ends it."""
    stands = state.sessions.get(seal)
    if stands is None:
        raise NoSession("This session has ended: sign in again.")
    if not stands.locked:
        return ()
    if fits:
        return (SessionUnlocked(state.login, seal, address[:_LONGEST_ADDRESS]),)
    refused = UnlockingRefused(state.login, seal, address[:_LONGEST_ADDRESS])
    if stands.wrong_pins < TRIES:
        return (refused,)
    return refused, SessionEnded(state.login, seal, state.login, _THREE_PINS)


def end(state: PersonState, seal: str, who: str, why: str) -> tuple[OfAPerson, ...]:
    """End a session; nothing happens to one that has ended."""
    return (SessionEnded(state.login, seal, who, named(why, "reason")),) if seal in state.sessions else ()
