"""What happens to people who sign in, in sentences: every kind has its words here and nowhere else."""

from __future__ import annotations

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
from cardroom.floor.people.permissions import a_role
from cardroom.floor.people.senders import sent_id
from cardroom.jackpots import Happening


def person_sentences(happening: Happening) -> str:
    """What happened, in a sentence.

    >>> person_sentences(Countersigned("vera", "carl", "Pay $20 to pat, slip 7.", "127.0.0.1", "0f", "9c"))
    'Signed beside carl, at 127.0.0.1: Pay $20 to pat, slip 7. (command 0f)'
    """
    match happening:
        case PersonRegistered(name=name, role=role, who=who, second=second, login=login):
            by = "as the first of the room" if who == login else f"by {_both(who, second)}"
            return f"Registered {by}: {name}, {a_role(role)}."
        case RoleGiven(role=role, who=who, second=second):
            return f"Is {a_role(role)} from now on, by {_both(who, second)}; all sessions ended."
        case PersonRecovered(who=who, second=second):
            return f"Got another password for one time from {_both(who, second)}; all sessions ended."
        case RecoveredAtMachine(first=first, other=other):
            return f"Got a one-time password at the machine, with {first} and {other} present; all sessions ended."
        case PersonDismissed(who=who, second=second, why=why):
            return f"Dismissed by {_both(who, second)}: {why}."
        case PasswordEnded(who=who, why=why):
            return f"The password and the PIN were ended by {who}: {why}; all sessions ended."
        case PasswordChosen():
            return "Chose another password; all other sessions ended."
        case PinChosen():
            return "Chose another PIN."
        case SignedIn(address=address):
            return f"Signed in at {address}."
        case PasswordTried(address=address):
            return f"A password was typed at {address}."
        case PasswordFitted(address=address, why=""):
            return f"The password typed at {address} was right, to sign beside another person."
        case PasswordFitted(address=address, why=why):
            return f"The password typed at {address} was right; what it was for was refused: {why}"
        case SignInRefused(address=address, why=why):
            return f"Was refused at {address}: {why}."
        case Countersigned(beside=beside, act=act, address=address, command=command):
            return f"Signed beside {beside}, at {address}: {act} (command {sent_id(command)})"
        case SessionLocked(why=why):
            return f"A session was locked: {why}."
        case SessionUnlocked(address=address):
            return f"Unlocked the session at {address}."
        case UnlockingTried(address=address):
            return f"A PIN was typed at {address}."
        case UnlockingRefused(address=address):
            return f"A wrong PIN at {address}."
        case SessionEnded(who=who, why=why):
            return f"A session was ended by {who}: {why}."
    raise TypeError(f"{happening.kind} does not happen to a person.")


def _both(who: str, second: str) -> str:
    return f"{who} and {second}" if second else f"{who} alone, when nobody else could be the second"
