"""People as JSON, for programs. No password, PIN or token is known here, and a seal tells nothing of one."""

from __future__ import annotations

from typing import Any

from cardroom.floor.people.signing import Session, locked_at
from cardroom.floor.people.state import PersonState
from cardroom.ledger import Time


def person_entry(state: PersonState) -> dict[str, Any]:
    """Somebody with a login."""
    return {
        "login": state.login,
        "name": state.name,
        "role": str(state.role),
        "state": state_words(state),
        "has_pin": bool(state.pin),
    }


def whole_person_entry(state: PersonState, now: Time) -> dict[str, Any]:
    """The same, with the sessions that last."""
    sessions = [
        {"session": seal, "address": one.address, "until": one.until, "locked": one.locked or None}
        for seal, one in state.sessions.items()
        if one.until >= now
    ]
    return {
        **person_entry(state),
        "wrong_passwords": sum(one.counted for one in state.tries.values()),
        "locked_at": locked_at(state, now),
        "dismissed": state.dismissed or None,
        "sessions": sessions,
    }


def session_entry(session: Session) -> dict[str, Any]:
    """Somebody who is signed in."""
    return {
        "login": session.login,
        "name": session.name,
        "role": str(session.role),
        "session": session.seal,
        "until": session.until,
        "must_choose": session.must_choose,
    }


def state_words(state: PersonState) -> str:
    """How a person stands, in a word or two."""
    if state.dismissed:
        return "dismissed"
    if state.locked_at:
        return "locked"
    if not state.password:
        return "needs a new password"
    return "has a password for one time" if state.once_until else "active"
