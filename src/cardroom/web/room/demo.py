"""A room to try out: five automatic tables for play money, one a game, with their jackpots and some company."""

from __future__ import annotations

from typing import Final

from cardroom.floor import FeltTerms, Floor
from cardroom.jackpots.setup.demonstration import demonstration, shown_table
from cardroom.web.room.company import NAMES, WHO, seat_company

COMPANY: Final = 2
"""Seats of each table that the house fills."""


def open_demo(floor: Floor, company: int = COMPANY) -> tuple[str, ...]:
    """Open the tables that are not there yet; those that are stay as they are."""
    games = [one.setup.game for one in demonstration()]
    tables = {f"{game}-1": game for game in games}
    for table, game in tables.items():
        if not floor.felt_version(table):
            open_demo_table(floor, game, table)
        at = floor.felt(table)
        for place in range(company) if at.opening == 1 and at.number == 1 else ():
            seat = at.at.table.seats - place
            if at.seated(seat) is None:
                seat_company(floor, f"demo/{table}/company/{seat}", table, seat, NAMES[place])
    return tuple(tables)


def open_demo_table(floor: Floor, game: str, table: str) -> None:
    """One of the tables: its jackpot, its tabulator, its felt. Begun once and cut off, it is opened to the end."""
    shown = shown_table(game, table)
    floor.open_jackpot(f"demo/{table}/jackpot", WHO, shown.jackpot)
    floor.open_table(f"demo/{table}/table", WHO, shown.setup, shown.tabulator, shown.unit)
    floor.open_felt(f"demo/{table}", WHO, table, shown.setup, FeltTerms())
