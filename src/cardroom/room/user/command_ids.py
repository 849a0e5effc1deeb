"""Command ids, each in the namespace of its sender: the same id from two senders is two commands.

A person's ids are stored under the login that the command names as its sender. A device's ids are stored under the
device (`ScopedCommandId`), whichever dealer it names; a player's under the player. The server's own services (the clock
of a table, the bots, the absence timer) name their commands after themselves, and no id that a person, a player, or a
device sends can start with such a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

_SENDER_PREFIX: Final = "by "
_LONGEST_SENDER: Final = 60


class ScopedCommandId(str):
    """An id that already includes its sender's namespace."""

    __slots__ = ()


def device_actor(device: str) -> str:
    """The name of a device as the actor of an event.

    >>> device_actor("T-1001")
    'device T-1001'
    """
    return f"device {device}"


def device_command_id(device: str, id: str) -> ScopedCommandId:
    """
    >>> device_command_id("T-1001", "17")
    'device T-1001/17'
    """
    return ScopedCommandId(f"device {_sender_key(device)}/{id}")


def is_device_command(stored_id: str) -> bool:
    """Whether a device sent the command with this stored id.

    >>> is_device_command("device T-1001/17"), is_device_command("by carl/royal-1")
    (True, False)
    """
    return stored_id.startswith(device_actor(""))


def player_command_id(player: str, id: str) -> ScopedCommandId:
    """
    >>> player_command_id("guest-1", "17")
    'player guest-1/17'
    """
    return ScopedCommandId(f"player {_sender_key(player)}/{id}")


def user_command_id(who: str, id: str) -> ScopedCommandId:
    """
    >>> user_command_id("carl", "clock/prime-1.7/12"), user_command_id("a/b", "c")
    ('by carl/clock/prime-1.7/12', 'by a%2Fb/c')
    """
    return ScopedCommandId(f"{_SENDER_PREFIX}{_sender_key(who)}/{id}")


def stored_command_id(id: str, body: Mapping[str, Any]) -> str:
    """The id by which a command is stored."""
    who = body.get("who")
    return str(user_command_id(str(who), id) if who and not isinstance(id, ScopedCommandId) else id)


def original_command_id(stored_id: str) -> str:
    """The id as its sender wrote it.

    >>> original_command_id("by carl/royal-1"), original_command_id("device T-1001/17")
    ('royal-1', 'device T-1001/17')
    """
    return stored_id.partition("/")[2] if stored_id.startswith(_SENDER_PREFIX) else stored_id


def _sender_key(sender: str) -> str:
    """A sender's name without slashes, and short enough for an id."""
    short = sender if len(sender) <= _LONGEST_SENDER else sha256(sender.encode()).hexdigest()
    return " ".join(short.replace("%", "%25").replace("/", "%2F").split())
