"""The chains of the floor: one for each table, one for each jackpot, one for each promotion, and one for the room."""

from __future__ import annotations

from typing import Final

ROOM: Final = "room"
"""The chain of the card room itself."""
_TABLE: Final = "table:"
_JACKPOT: Final = "jackpot:"
_PROMOTION: Final = "promotion:"


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


def table_of(chain: str) -> str | None:
    """The table whose chain it is."""
    return chain.removeprefix(_TABLE) if chain.startswith(_TABLE) else None


def jackpot_of(chain: str) -> str | None:
    """The jackpot whose chain it is."""
    return chain.removeprefix(_JACKPOT) if chain.startswith(_JACKPOT) else None


def promotion_of(chain: str) -> str | None:
    """The promotion whose chain it is."""
    return chain.removeprefix(_PROMOTION) if chain.startswith(_PROMOTION) else None
