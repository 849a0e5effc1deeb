"""What happens to people who sign in, in sentences: every kind has its words here and nowhere else."""

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
    """What happened, in a sentence.

    >>> describe_user_event(Countersigned("vera", "carl", "Pay $20 to pat, slip 7.", "127.0.0.1", "0f", "9c"))
    'Signed beside carl, at 127.0.0.1: Pay $20 to pat, slip 7. (command 0f)'
    """
    match event:
        case UserRegistered(name=name, role=role, who=who, second=second, login=login):
            registrar_text = "as the first of the room" if who == login else f"by {_names_text(who, second)}"
            return f"Registered {registrar_text}: {name}, {role_with_article(role)}."
        case RoleAssigned(role=role, who=who, second=second):
            return f"Is {role_with_article(role)} from now on, by {_names_text(who, second)}; all sessions ended."
        case UserRecovered(who=who, second=second):
            return f"Got another password for one time from {_names_text(who, second)}; all sessions ended."
        case UserRecoveredAtMachine(first=first, other=second_person):
            return (
                f"Got a one-time password at the machine, with {first} and {second_person} present; all sessions ended."
            )
        case UserDeactivated(who=who, second=second, why=why):
            return f"Dismissed by {_names_text(who, second)}: {why}."
        case PasswordRevoked(who=who, why=why):
            return f"The password and the PIN were ended by {who}: {why}; all sessions ended."
        case PasswordChosen():
            return "Chose another password; all other sessions ended."
        case PinChosen():
            return "Chose another PIN."
        case SignedIn(address=address):
            return f"Signed in at {address}."
        case PasswordAttempted(address=address):
            return f"A password was typed at {address}."
        case PasswordAccepted(address=address, why=""):
            return f"The password typed at {address} was right, to sign beside another person."
        case PasswordAccepted(address=address, why=why):
            return f"The password typed at {address} was right; what it was for was refused: {why}"
        case SignInRefused(address=address, why=why):
            return f"Was refused at {address}: {why}."
        case Countersigned(beside=beside, act=act, address=address, command=command):
            return f"Signed beside {beside}, at {address}: {act} (command {original_command_id(command)})"
        case SessionLocked(why=why):
            return f"A session was locked: {why}."
        case SessionUnlocked(address=address):
            return f"Unlocked the session at {address}."
        case UnlockAttempted(address=address):
            return f"A PIN was typed at {address}."
        case UnlockRefused(address=address):
            return f"A wrong PIN at {address}."
        case SessionEnded(who=who, why=why):
            return f"A session was ended by {who}: {why}."
    raise TypeError(f"{event.kind} does not happen to a person.")


def _names_text(who: str, second: str) -> str:
    return f"{who} and {second}" if second else f"{who} alone, when nobody else could be the second"
