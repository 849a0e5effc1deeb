"""A table to sit down at: yours is seat 1, the seats beside it play by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cardroom.games.book import game
from cardroom.games.defaults import default_setup
from cardroom.games.game import Game
from cardroom.games.table import Table
from cardroom.terminal.felt.company import main_wager
from cardroom.terminal.felt.faults import BadSeating

ME: Final = 1


@dataclass(frozen=True, slots=True)
class Seating:
    """The table, and how many of its seats play."""

    rules: Game
    table: Table
    seats: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.seats <= self.table.seats:
            raise BadSeating(f"{self.seats} seats cannot play: this table has room for 1 to {self.table.seats}.")

    def wagers(self, mine: Mapping[str, int]) -> dict[int, Mapping[str, int]]:
        """Everybody's wagers."""
        return {ME: mine} | {seat: main_wager(self.table) for seat in range(2, self.seats + 1)}


def seated(slug: str, seats: int = 1) -> Seating:
    """A seat at the usual table of a game."""
    rules = game(slug)
    return Seating(rules, rules.open(default_setup(slug)), seats)


def seated_at(table: Table, seats: int = 1) -> Seating:
    """A seat at a table that is open already."""
    return Seating(game(table.facts.slug), table, seats)
