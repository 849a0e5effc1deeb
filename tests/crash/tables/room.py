"""The room of these evenings: the automatic tables of the nights, practice tables, and two at which a dealer deals.

The dealer's tables play for one Final Four of the room's own money.
"""

from __future__ import annotations

from typing import Final

from cardroom.accounts import Currency
from cardroom.floor import Companion, FeltTerms, Floor, Mode
from cardroom.jackpots.setup.demonstration import shown_table
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.web.room.company import NAMES
from cardroom.web.room.practice import usual_setup
from tests.crash.live.room import DEALER_PAYS, OFFICE, TABLES
from tests.floor.scenes import final_four, prime_sensors, prime_table

LIVE: Final = ("live-1", "live-2")
FINAL_FOUR: Final = "final-four"
PRACTICE: Final = ("three-card-prime", "texas-shootout", "dueling-for-dollars")
"""Games that are tried out in private."""
DEALT: Final = FeltTerms(mode=Mode.LIVE, money=Currency.REAL)
COMPANY: Final = 2
CHIPS: Final = 300_00
"""Of each of the company."""


def set_up(floor: Floor, id: str) -> None:
    """Dealers pay little at once, so that many prizes wait for two people."""
    settings = RoomSettings(dealer_pays=DEALER_PAYS)
    floor.set_up_room(id, OFFICE, settings, "a room to be killed", second="Carl")


def open_automatic(floor: Floor, id: str, table: str) -> None:
    """A felt with a tabulator and a progressive of its own."""
    slug, terms = TABLES[table]
    shown = shown_table(slug, table)
    floor.open_jackpot(f"{id}/jackpot", OFFICE, shown.jackpot)
    floor.open_table(f"{id}/tabulator", OFFICE, shown.setup, shown.tabulator, shown.unit)
    floor.open_felt(f"{id}/felt", OFFICE, table, shown.setup, terms)


def open_live(floor: Floor, id: str, table: str) -> None:
    """A table of Three Card Prime at which a dealer deals."""
    if table == LIVE[0]:
        floor.open_jackpot(f"{id}/jackpot", OFFICE, final_four())
    floor.open_table(f"{id}/tabulator", OFFICE, prime_table(), prime_sensors(table, FINAL_FOUR), f"unit-{table}")
    floor.open_felt(f"{id}/felt", OFFICE, table, prime_table(), DEALT)


def open_practice(floor: Floor, id: str, player: str, table: str, game: str) -> None:
    """A private table, with company from the beginning."""
    setup = usual_setup(game)
    company = [Companion(setup.seats - place, NAMES[place], CHIPS) for place in range(COMPANY)]
    floor.open_felt(id, player, table, setup, FeltTerms(owner=player, betting=0, deciding=0), company)
