"""Command ids belong to their sender: the same id from two senders is two commands.

A person's ids are stored under the login that the command names as its sender. A device's ids are stored under the
device (`Scoped`), whichever dealer it names; a player's under the player. The house's own services (the clock of a
table, the bots, the usher) name their commands after themselves, and nothing that a person, a player, or a device sends
can begin like that.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

_BY: Final = "by "
_LONGEST_SENDER: Final = 60


class Scoped(str):
    """An id that is in its sender's namespace already."""

    __slots__ = ()


def device_name(device: str) -> str:
    """Who did it, where a device and no person did.

    >>> device_name("T-1001")
    'device T-1001'
    """
    return f"device {device}"


def device_id(device: str, id: str) -> Scoped:
    """
    >>> device_id("T-1001", "17")
    'device T-1001/17'
    """
    return Scoped(f"device {_plain(device)}/{id}")


def is_of_device(stored: str) -> bool:
    """Whether a device sent the command that is stored under this id.

    >>> is_of_device("device T-1001/17"), is_of_device("by carl/royal-1")
    (True, False)
    """
    return stored.startswith(device_name(""))


def player_id(player: str, id: str) -> Scoped:
    """
    >>> player_id("guest-1", "17")
    'player guest-1/17'
    """
    return Scoped(f"player {_plain(player)}/{id}")


def person_id(who: str, id: str) -> Scoped:
    """
    >>> person_id("carl", "clock/prime-1.7/12"), person_id("a/b", "c")
    ('by carl/clock/prime-1.7/12', 'by a%2Fb/c')
    """
    return Scoped(f"{_BY}{_plain(who)}/{id}")


def stored_id(id: str, body: Mapping[str, Any]) -> str:
    """The id under which a command is stored."""
    who = body.get("who")
    return str(person_id(str(who), id) if who and not isinstance(id, Scoped) else id)


def sent_id(stored: str) -> str:
    """The id as a person wrote it.

    >>> sent_id("by carl/royal-1"), sent_id("device T-1001/17")
    ('royal-1', 'device T-1001/17')
    """
    return stored.partition("/")[2] if stored.startswith(_BY) else stored


def _plain(sender: str) -> str:
    """A sender's name without a stroke, and short enough for an id."""
    short = sender if len(sender) <= _LONGEST_SENDER else sha256(sender.encode()).hexdigest()
    return " ".join(short.replace("%", "%25").replace("/", "%2F").split())
