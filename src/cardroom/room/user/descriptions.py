"""Descriptions of a user's events in sentences. Every event is described here and nowhere else."""

from __future__ import annotations

from cardroom.room.event_types import DomainEvent
from cardroom.room.user.command_ids import original_command_id
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
from cardroom.room.user.permissions import role_with_article


def describe_user_event(event: DomainEvent) -> str:
    """The description of an event, in a sentence.

    >>> describe_user_event(Countersigned("vera", "carl", "Pay $20 to pat, slip 7.", "127.0.0.1", "0f", "9c"))
    'Signed as the second person with carl, at 127.0.0.1: Pay $20 to pat, slip 7. (command 0f)'
    """
    match event:
        case UserRegistered(name=name, role=role, who=who, second=second, login=login):
            registrar_text = "as the first operator" if who == login else f"by {_names_text(who, second)}"
            return f"Registered {registrar_text}: {name}, {role_with_article(role)}."
        case RoleAssigned(role=role, who=who, second=second):
            return f"Role changed to {role} by {_names_text(who, second)}; all sessions ended."
        case UserRecovered(who=who, second=second):
            return f"Received a one-time password from {_names_text(who, second)}; all sessions ended."
        case UserRecoveredAtMachine(first=first, other=second_person):
            return (
                f"Received a one-time password at the machine, with {first} and {second_person} present; all sessions "
                "ended."
            )
        case UserDeactivated(who=who, second=second, why=why):
            return f"Deactivated by {_names_text(who, second)}: {why}."
        case PasswordRevoked(who=who, why=why):
            return f"Password and PIN revoked by {who}: {why}; all sessions ended."
        case PasswordChosen():
            return "Changed the password; all other sessions ended."
        case PinChosen():
            return "Changed the PIN."
        case SignedIn(address=address):
            return f"Signed in at {address}."
        case PasswordAttempted(address=address):
            return f"Password typed at {address}."
        case PasswordAccepted(address=address, why=""):
            return f"Password accepted at {address}, to sign as the second person."
        case PasswordAccepted(address=address, why=why):
            return f"Password accepted at {address}; the request was refused: {why}"
        case SignInRefused(address=address, why=why):
            return f"Sign-in refused at {address}: {why}."
        case Countersigned(beside=beside, act=act, address=address, command=command):
            original_id = original_command_id(command)
            return f"Signed as the second person with {beside}, at {address}: {act} (command {original_id})"
        case SessionLocked(why=why):
            return f"Session locked: {why}."
        case SessionUnlocked(address=address):
            return f"Session unlocked at {address}."
        case UnlockAttempted(address=address):
            return f"PIN typed at {address}."
        case UnlockRefused(address=address):
            return f"Wrong PIN at {address}."
        case SessionEnded(who=who, why=why):
            return f"Session ended by {who}: {why}."
    raise TypeError(f"{event.kind} is not an event of a user.")


def _names_text(who: str, second: str) -> str:
    return f"{who} and {second}" if second else f"{who} alone, because no second person existed"
