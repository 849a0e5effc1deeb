"""The events of a user. They never contain a password, PIN, or token: only digests, which reveal nothing."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.room.event_types import DomainEvent, event_type
from cardroom.room.user.permissions import Role


@dataclass(frozen=True, slots=True)
class UserEvent(DomainEvent):
    """An event on the chain of a user."""

    login: str


@event_type("user-registered")
class UserRegistered(UserEvent):
    """A user may sign in with a one-time password; the first operator chooses a password."""

    name: str
    role: Role
    password: str
    """The digest of the password hash."""
    who: str
    second: str
    """Empty for the first users of a card room, because no second person existed."""
    until: int
    """When the one-time password expires; 0 for a password that the user chose."""


@event_type("role-assigned")
class RoleAssigned(UserEvent):
    """A user's role changes; every session ends."""

    role: Role
    who: str
    second: str


@event_type("user-recovered")
class UserRecovered(UserEvent):
    """A user who is locked out or forgot the password gets a one-time password."""

    password: str
    who: str
    second: str
    until: int


@event_type("user-recovered-at-machine")
class UserRecoveredAtMachine(UserEvent):
    """An operator gets a one-time password from two people at the machine, without the old one. The site's chain has
    the same mark."""

    password: str
    first: str
    other: str
    """The names of the two people, as they typed them."""
    until: int


@event_type("user-deactivated")
class UserDeactivated(UserEvent):
    """A user may no longer sign in."""

    who: str
    second: str
    why: str


@event_type("password-revoked")
class PasswordRevoked(UserEvent):
    """A user's password and PIN are no longer accepted, and every session ends: after the restore of a backup, which
    may have an older password."""

    who: str
    why: str


@event_type("password-chosen")
class PasswordChosen(UserEvent):
    """A user chooses a password; every other session ends."""

    password: str
    session: str
    """The session that stays."""
    address: str


@event_type("pin-chosen")
class PinChosen(UserEvent):
    """A user chooses a PIN to unlock devices."""

    pin: str
    address: str


@event_type("signed-in")
class SignedIn(UserEvent):
    """A user signs in."""

    session: str
    """The digest of its token."""
    address: str
    until: int


@event_type("password-attempted")
class PasswordAttempted(UserEvent):
    """A password is about to be compared. It counts as wrong until it proves right, so that simultaneous guesses count
    like successive ones."""

    address: str
    at: int


@event_type("password-accepted")
class PasswordAccepted(UserEvent):
    """The password was right, for a signature or for a refused request: it does not count as wrong."""

    address: str
    why: str
    """Why the request was refused; empty for a signature, which is stored with its command."""


@event_type("sign-in-refused")
class SignInRefused(UserEvent):
    """A wrong or expired password. The third in a row locks the login at that address."""

    address: str
    why: str
    at: int


@event_type("countersigned")
class Countersigned(UserEvent):
    """A user signs one command as the second person. It is stored with the command's events."""

    beside: str
    act: str
    """The signed action, in a sentence."""
    address: str
    command: str
    """The id of the command."""
    digest: str
    """SHA-256 of the command's canonical body, in hexadecimal, as the ledger stores it."""


@event_type("session-locked")
class SessionLocked(UserEvent):
    """A session is locked, by the user or after the idle limit."""

    session: str
    why: str


@event_type("session-unlocked")
class SessionUnlocked(UserEvent):
    """The user unlocks the session."""

    session: str
    address: str


@event_type("unlock-attempted")
class UnlockAttempted(UserEvent):
    """A PIN is about to be compared. It counts as wrong until it proves right."""

    session: str
    address: str


@event_type("unlock-refused")
class UnlockRefused(UserEvent):
    """A wrong PIN. The third in a row ends the session."""

    session: str
    address: str


@event_type("session-ended")
class SessionEnded(UserEvent):
    """A session ends."""

    session: str
    who: str
    why: str
