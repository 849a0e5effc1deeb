"""The chains of the floor: one for each table, felt, jackpot, promotion, player and person, one for the room
and one for the log of heads."""

from __future__ import annotations

from typing import Final

ROOM: Final = "room"
"""The chain of the card room itself."""
HEADS: Final = "heads"
"""The chain of the log of heads: where every other chain ended, each time that heads were signed."""
_TABLE: Final = "table:"
_JACKPOT: Final = "jackpot:"
_PROMOTION: Final = "promotion:"
_FELT: Final = "felt:"
_PLAYER: Final = "player:"
_PERSON: Final = "person:"


def table_chain(table: str) -> str:
    """
    >>> table_chain("table-3")
    'table:table-3'
    """
    return _TABLE + table


def jackpot_chain(jackpot: str) -> str:
    """
    >>> jackpot_chain("final-four")
    'jackpot:final-four'
    """
    return _JACKPOT + jackpot


def promotion_chain(promotion: str) -> str:
    """
    >>> promotion_chain("summer-straights")
    'promotion:summer-straights'
    """
    return _PROMOTION + promotion


def felt_chain(table: str) -> str:
    """
    >>> felt_chain("prime-1")
    'felt:prime-1'
    """
    return _FELT + table


def player_chain(player: str) -> str:
    """
    >>> player_chain("ada")
    'player:ada'
    """
    return _PLAYER + player


def person_chain(login: str) -> str:
    """
    >>> person_chain("rosa")
    'person:rosa'
    """
    return _PERSON + login


def felt_of(chain: str) -> str | None:
    """The felt whose chain it is."""
    return chain.removeprefix(_FELT) if chain.startswith(_FELT) else None


def player_of(chain: str) -> str | None:
    """The player whose chain it is."""
    return chain.removeprefix(_PLAYER) if chain.startswith(_PLAYER) else None


def person_of(chain: str) -> str | None:
    """The person whose chain it is."""
    return chain.removeprefix(_PERSON) if chain.startswith(_PERSON) else None


def table_of(chain: str) -> str | None:
    """The table whose chain it is."""
    return chain.removeprefix(_TABLE) if chain.startswith(_TABLE) else None


def jackpot_of(chain: str) -> str | None:
    """The jackpot whose chain it is."""
    return chain.removeprefix(_JACKPOT) if chain.startswith(_JACKPOT) else None


def promotion_of(chain: str) -> str | None:
    """The promotion whose chain it is."""
    return chain.removeprefix(_PROMOTION) if chain.startswith(_PROMOTION) else None
