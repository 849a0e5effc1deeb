"""What a felt's chain knows its happenings by for ever: rounds by their ids, openings by their numbers."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from cardroom.floor.felt.happenings import FeltClosed, FeltOpened, RoundBegun, RoundCalledOff, RoundPlayed
from cardroom.floor.felt.state import round_id
from cardroom.jackpots import Happening


def begun_name(id: str) -> str:
    """
    >>> begun_name("prime-1.17")
    'prime-1.17 begun'
    """
    return f"{id} begun"


def opening_name(opening: int) -> str:
    return f"opening {opening}"


def key_name(key: str) -> str:
    """What a chain knows a revealed key by: a key that has a name deals no other round.

    >>> key_name("00" * 32)[:20]
    'key 1d1b656f5a410176'
    """
    return f"key {sha256(b'cardroom revealed key 1' + bytes.fromhex(key)).hexdigest()[:32]}"


def felt_names(happening: Happening) -> tuple[str, ...]:
    """The end of a round has the round's id; its beginning is found beside it."""
    match happening:
        case RoundPlayed(table=table, number=number, key=key) | RoundCalledOff(table=table, number=number, key=key):
            return tuple(sorted((round_id(table, number), key_name(key))))
        case FeltClosed(key=key) if key:
            return (key_name(key),)
        case RoundBegun(table=table, number=number):
            return (begun_name(round_id(table, number)),)
        case FeltOpened(opening=opening):
            return (opening_name(opening),)
    return ()


PRACTICE: Final = "practice-"
"""How the names of private tables begin, and no others: there may be very many, and a room that opens passes them."""


def practice_names(player: str) -> str:
    """How the names of a player's own practice tables begin.

    >>> practice_names("guest-1")
    'practice-d39150c85b98-'
    """
    return f"{PRACTICE}{sha256(player.encode()).hexdigest()[:12]}-"


def practice_name(player: str, id: str) -> str:
    """The name of a practice table: it follows from the command that opens it, which may be sent again.

    >>> practice_name("guest-1", "first")
    'practice-d39150c85b98-067bae28d7a1'
    """
    return practice_names(player) + sha256(f"{player}/{id}".encode()).hexdigest()[:12]
