"""What people are called on a felt. The books keep a guest's whole name; at a table its beginning is enough."""

from __future__ import annotations

from typing import Final

_GUEST: Final = "guest-"
_ENOUGH: Final = 4
"""Digits of a guest's name that tell those of one table apart."""


def called(player: str) -> str:
    """A player's name as it is said.

    >>> called("guest-581d64ce2739"), called("Ada")
    ('Guest 581d', 'Ada')
    """
    return f"Guest {player[len(_GUEST) :][:_ENOUGH]}" if player.startswith(_GUEST) else player
