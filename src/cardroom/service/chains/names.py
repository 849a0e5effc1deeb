"""The names of chains: one for each tabulator, table, jackpot, promotion, player account, and user, one for the room,
and one for the log of heads."""

from __future__ import annotations

from typing import Final

ROOM_CHAIN: Final = "room"
"""The chain of the card room itself."""
HEADS_CHAIN: Final = "heads"
"""The chain of the log of heads: where every other chain ended, each time that heads were signed."""
_TABULATOR_PREFIX: Final = "tabulator:"
_JACKPOT_PREFIX: Final = "jackpot:"
_PROMOTION_PREFIX: Final = "promotion:"
_TABLE_PREFIX: Final = "table:"
_PLAYER_PREFIX: Final = "player:"
_USER_PREFIX: Final = "user:"


def tabulator_chain(table: str) -> str:
    """
    >>> tabulator_chain("table-3")
    'tabulator:table-3'
    """
    return _TABULATOR_PREFIX + table


def jackpot_chain(jackpot: str) -> str:
    """
    >>> jackpot_chain("final-four")
    'jackpot:final-four'
    """
    return _JACKPOT_PREFIX + jackpot


def promotion_chain(promotion: str) -> str:
    """
    >>> promotion_chain("summer-straights")
    'promotion:summer-straights'
    """
    return _PROMOTION_PREFIX + promotion


def table_chain(table: str) -> str:
    """
    >>> table_chain("prime-1")
    'table:prime-1'
    """
    return _TABLE_PREFIX + table


def player_chain(player: str) -> str:
    """
    >>> player_chain("ada")
    'player:ada'
    """
    return _PLAYER_PREFIX + player


def user_chain(login: str) -> str:
    """
    >>> user_chain("rosa")
    'user:rosa'
    """
    return _USER_PREFIX + login


def parse_table_chain(chain: str) -> str | None:
    """The table of a chain, if it is one of a table."""
    return chain.removeprefix(_TABLE_PREFIX) if chain.startswith(_TABLE_PREFIX) else None


def parse_player_chain(chain: str) -> str | None:
    """The player of a chain, if it is one of a player account."""
    return chain.removeprefix(_PLAYER_PREFIX) if chain.startswith(_PLAYER_PREFIX) else None


def parse_user_chain(chain: str) -> str | None:
    """The login of a chain, if it is one of a user."""
    return chain.removeprefix(_USER_PREFIX) if chain.startswith(_USER_PREFIX) else None


def parse_tabulator_chain(chain: str) -> str | None:
    """The table of a chain, if it is one of a tabulator."""
    return chain.removeprefix(_TABULATOR_PREFIX) if chain.startswith(_TABULATOR_PREFIX) else None


def parse_jackpot_chain(chain: str) -> str | None:
    """The jackpot of a chain, if it is one of a jackpot."""
    return chain.removeprefix(_JACKPOT_PREFIX) if chain.startswith(_JACKPOT_PREFIX) else None


def parse_promotion_chain(chain: str) -> str | None:
    """The promotion of a chain, if it is one of a promotion."""
    return chain.removeprefix(_PROMOTION_PREFIX) if chain.startswith(_PROMOTION_PREFIX) else None
