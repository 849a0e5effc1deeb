"""What happens to a person who signs in. No password, PIN or token is ever in it: only seals, which tell nothing."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.room.event_types import DomainEvent, event_type
from cardroom.room.user.permissions import Role


@dataclass(frozen=True, slots=True)
class UserEvent(DomainEvent):
    """What happens to a person stands on the person's own chain."""

    login: str


@event_type("user-registered")
class UserRegistered(UserEvent):
    """A person may sign in from now on, with a password for one time; the first operator chooses one."""

    name: str
    role: Role
    password: str
    """The seal of what is kept of it."""
    who: str
    second: str
    """Empty for the first people of a room, when there is nobody to be the second."""
    until: int
    """When the password for one time ends; 0 for one that the person has chosen."""


@event_type("role-assigned")
class RoleAssigned(UserEvent):
    """A person has another role; every session ends with the old one."""

    role: Role
    who: str
    second: str


@event_type("user-recovered")
class UserRecovered(UserEvent):
    """Somebody who was locked out, or has forgotten the password, gets another for one time."""

    password: str
    who: str
    second: str
    until: int


@event_type("user-recovered-at-machine")
class UserRecoveredAtMachine(UserEvent):
    """An operator got a one-time password from two people at the machine, without the old one. The room's chain has the
    same mark."""

    password: str
    first: str
    other: str
    """The names of the two people, as they typed them."""
    until: int


@event_type("user-deactivated")
class UserDeactivated(UserEvent):
    """A person may not sign in any more."""

    who: str
    second: str
    why: str


@event_type("password-revoked")
class PasswordRevoked(UserEvent):
    """The password and the PIN of a person are not accepted any more, and every session ends: a backup was restored,
    and they may have been changed since it was made."""

    who: str
    why: str


@event_type("password-chosen")
class PasswordChosen(UserEvent):
    """A person has another password, which nobody else knows; every other session ends."""

    password: str
    session: str
    """The session that goes on."""
    address: str


@event_type("pin-chosen")
class PinChosen(UserEvent):
    """A person has another PIN to unlock devices with."""

    pin: str
    address: str


@event_type("signed-in")
class SignedIn(UserEvent):
    """A session begins."""

    session: str
    """The seal of its token."""
    address: str
    until: int


@event_type("password-attempted")
class PasswordAttempted(UserEvent):
    """A password is about to be compared. It counts as a wrong one until it has turned out to be the right one, so that
    guesses that come at the same time are counted like guesses that come one after the other."""

    address: str
    at: int


@event_type("password-accepted")
class PasswordAccepted(UserEvent):
    """The password was right, to sign a command or for something that was refused: it does not count as a wrong one."""

    address: str
    why: str
    """Why that was refused; empty for a signature, which is stored with its command."""


@event_type("sign-in-refused")
class SignInRefused(UserEvent):
    """A wrong password, or one that is no longer valid. The third in a row locks the login at that address."""

    address: str
    why: str
    at: int


@event_type("countersigned")
class Countersigned(UserEvent):
    """A person has signed one command beside another person. It is stored with the command's own events."""

    beside: str
    act: str
    """What was signed, in a sentence."""
    address: str
    command: str
    """The id of the command."""
    digest: str
    """SHA-256 of the command's canonical body, in hexadecimal, as the ledger stores it."""


@event_type("session-locked")
class SessionLocked(UserEvent):
    """Nobody has touched the device for a while, or the person has locked it."""

    session: str
    why: str


@event_type("session-unlocked")
class SessionUnlocked(UserEvent):
    """The person is back."""

    session: str
    address: str


@event_type("unlock-attempted")
class UnlockAttempted(UserEvent):
    """A PIN is about to be compared. It counts as a wrong one until it has turned out to be the right one."""

    session: str
    address: str


@event_type("unlock-refused")
class UnlockRefused(UserEvent):
    """A wrong PIN. The third in a row ends the session."""

    session: str
    address: str


@event_type("session-ended")
class SessionEnded(UserEvent):
    """A session is over."""

    session: str
    who: str
    why: str
