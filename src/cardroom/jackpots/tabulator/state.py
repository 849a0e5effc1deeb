"""What is known of a table's tabulator, as the happenings of the table leave it behind.

The values are named tuples because a replay makes one of each for every round that was ever played.
"""

from __future__ import annotations

from typing import NamedTuple

from cardroom.jackpots.contents import LoggerMark, Positions
from cardroom.jackpots.plain import in_a_row
from cardroom.jackpots.setup.tabulator import TabulatedTable


@in_a_row
class Tally(NamedTuple):
    """How many of one wager were recorded since the tabulator was installed."""

    counted: int = 0
    """By the tabulator."""
    by_hand: int = 0
    """While it was broken."""
    taken_back: int = 0
    """Of rounds that were declared void."""

    @property
    def wagers(self) -> int:
        """The wagers that stand."""
        return self.counted + self.by_hand - self.taken_back


class CountedRound(NamedTuple):
    """The round whose wagers were recorded last."""

    round: str
    by_hand: bool
    positions: tuple[Positions, ...]
    """Where each of the table's wagers lay, in their order."""
    lammers: tuple[Positions, ...]
    """Where a lammer lay beside it."""


class TabulatorState(NamedTuple):
    """A table's tabulator now."""

    table: TabulatedTable
    unit: str
    """The number on the case: another unit has another counter."""
    counters: tuple[int, ...]
    """What the unit's counter shows for each of the table's wagers. It never goes back (BJ-1)."""
    tallies: tuple[Tally, ...]
    broken: str | None = None
    """Why it does not work."""
    round: CountedRound | None = None
    voided: frozenset[str] = frozenset()
    """The rounds that were declared void, and the readings that were taken back, by name."""
    dark: tuple[Positions, ...] = ()
    """Where the light for each wager has failed."""
    logger: LoggerMark | None = None
    taken_up: int = 0
    """Until when the rounds that devices sent take up the table, in microseconds since 1970, UTC; 0 before the
    first."""
    accepted: int = 0
    """How many rounds of a device two people have accepted that have not come yet."""
