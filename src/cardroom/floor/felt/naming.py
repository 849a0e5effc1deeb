"""What a felt's chain knows its happenings by for ever: rounds by their ids, openings by their numbers."""

from __future__ import annotations

from cardroom.floor.felt.happenings import FeltOpened, RoundBegun, RoundCalledOff, RoundPlayed
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


def felt_names(happening: Happening) -> tuple[str, ...]:
    """The end of a round has the round's id; its beginning is found beside it."""
    match happening:
        case RoundPlayed(table=table, number=number) | RoundCalledOff(table=table, number=number):
            return (round_id(table, number),)
        case RoundBegun(table=table, number=number):
            return (begun_name(round_id(table, number)),)
        case FeltOpened(opening=opening):
            return (opening_name(opening),)
    return ()
