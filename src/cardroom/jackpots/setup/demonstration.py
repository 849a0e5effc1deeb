"""A room to show: for each of the five games a table that deals for play money, with a progressive of its own.

All of it opens as it is, one after the other: the jackpot, the table with its tabulator, the felt.

>>> [one.table for one in demonstration()]
['deuces-1', 'prime-1', 'shootout-1', 'duel-1', 'double-1']
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.games import TableSetup
from cardroom.jackpots.setup.example import Example, example, has_logger
from cardroom.jackpots.setup.jackpot import JackpotKind, JackpotSetup
from cardroom.jackpots.setup.tabulator import TabulatorSetup

_TABLES: Final = {
    "deuces-wild": "deuces-1",
    "three-card-prime": "prime-1",
    "texas-shootout": "shootout-1",
    "dueling-for-dollars": "duel-1",
    "three-card-double-play": "double-1",
}


class ShownTable(NamedTuple):
    """A table of the room to show, and the jackpot that it plays for."""

    setup: TableSetup
    tabulator: TabulatorSetup
    unit: str
    """The number of its tabulator."""
    jackpot: JackpotSetup

    @property
    def table(self) -> str:
        return self.tabulator.table


def demonstration() -> tuple[ShownTable, ...]:
    """The five tables in the order of the sheets."""
    return tuple(shown_table(slug, table) for slug, table in _TABLES.items())


def shown_table(slug: str, table: str) -> ShownTable:
    """A table of a game under some name."""
    chosen = _without_logger(slug)
    jackpot = chosen.jackpot_setup(f"{table}-{chosen.jackpot}", f"{chosen.name} (play money)", Currency.PLAY)
    tabulator = chosen.tabulator_setup(table, jackpot.id, Currency.PLAY)
    return ShownTable(chosen.table_setup, tabulator, f"T-{table}", jackpot)


def _without_logger(slug: str) -> Example:
    """The first approved model without a data logger: where there is one, counts come from the logger alone (BJ-25)."""
    models = example(slug, JackpotKind.PROGRESSIVE).facts.tabulators
    return example(slug, JackpotKind.PROGRESSIVE, next(one for one in models if not has_logger(one)))
