"""What happens to a person who signs in. No password, PIN or token is ever in it: only seals, which tell nothing."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.floor.people.roles import Role
from cardroom.jackpots.happenings.kind import Happening, declared


@dataclass(frozen=True, slots=True)
class OfAPerson(Happening):
    """What happens to a person stands on the person's own chain."""

    login: str


@declared("person-registered")
class PersonRegistered(OfAPerson):
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


@declared("role-given")
class RoleGiven(OfAPerson):
    """A person has another role; every session ends with the old one."""

    role: Role
    who: str
    second: str


@declared("person-recovered")
class PersonRecovered(OfAPerson):
    """Somebody who was locked out, or has forgotten the password, gets another for one time."""

    password: str
    who: str
    second: str
    until: int


@declared("recovered-at-machine")
class RecoveredAtMachine(OfAPerson):
    """An operator got a one-time password from two people at the machine, without the old one. The room's chain has the
    same mark."""

    password: str
    first: str
    other: str
    """The names of the two people, as they typed them."""
    until: int


@declared("person-dismissed")
class PersonDismissed(OfAPerson):
    """A person may not sign in any more."""

    who: str
    second: str
    why: str


@declared("password-ended")
class PasswordEnded(OfAPerson):
    """The password and the PIN of a person are not accepted any more, and every session ends: a backup was restored,
    and they may have been changed since it was made."""

    who: str
    why: str


@declared("password-chosen")
class PasswordChosen(OfAPerson):
    """A person has another password, which nobody else knows; every other session ends."""

    password: str
    session: str
    """The session that goes on."""
    address: str


@declared("pin-chosen")
class PinChosen(OfAPerson):
    """A person has another PIN to unlock devices with."""

    pin: str
    address: str


@declared("signed-in")
class SignedIn(OfAPerson):
    """A session begins."""

    session: str
    """The seal of its token."""
    address: str
    until: int


@declared("password-tried")
class PasswordTried(OfAPerson):
    """A password is about to be compared. It counts as a wrong one until it has turned out to be the right one, so that
    guesses that come at the same time are counted like guesses that come one after the other."""

    address: str
    at: int


@declared("password-fitted")
class PasswordFitted(OfAPerson):
    """The password was right, to sign a command or for something that was refused: it does not count as a wrong one."""

    address: str
    why: str
    """Why that was refused; empty for a signature, which is stored with its command."""


@declared("sign-in-refused")
class SignInRefused(OfAPerson):
    """A wrong password, or one that is no longer valid. The third in a row locks the login at that address."""

    address: str
    why: str
    at: int


@declared("countersigned")
class Countersigned(OfAPerson):
    """A person has signed one command beside another person. It is stored with the command's own events."""

    beside: str
    act: str
    """What was signed, in a sentence."""
    address: str
    command: str
    """The id of the command."""
    digest: str
    """SHA-256 of the command's canonical body, in hexadecimal, as the ledger stores it."""


@declared("session-locked")
class SessionLocked(OfAPerson):
    """Nobody has touched the device for a while, or the person has locked it."""

    session: str
    why: str


@declared("session-unlocked")
class SessionUnlocked(OfAPerson):
    """The person is back."""

    session: str
    address: str


@declared("unlocking-tried")
class UnlockingTried(OfAPerson):
    """A PIN is about to be compared. It counts as a wrong one until it has turned out to be the right one."""

    session: str
    address: str


@declared("unlocking-refused")
class UnlockingRefused(OfAPerson):
    """A wrong PIN. The third in a row ends the session."""

    session: str
    address: str


@declared("session-ended")
class SessionEnded(OfAPerson):
    """A session is over."""

    session: str
    who: str
    why: str
