"""The room of these evenings: the automatic tables of the nights, practice tables, and two at which a dealer deals.

The dealer's tables play for one Final Four of the room's own money.
"""

from __future__ import annotations

from typing import Final

from cardroom.chart_of_accounts import Currency
from cardroom.room.setup.example import build_demo_table
from cardroom.room.setup.site import SiteSettings
from cardroom.service import CardRoom, DealingMode, PlayTerms, RoomTableSetup, SeatedBot, UnitSetup
from cardroom.web.services.bots import BOT_NAMES
from cardroom.web.services.practice_tables import default_practice_setup
from tests.crash.live.room import DEALER_PAYS, OFFICE, TABLES
from tests.service.card_rooms import final_four, prime_sensors, prime_table

LIVE: Final = ("live-1", "live-2")
FINAL_FOUR: Final = "final-four"
PRACTICE: Final = ("three-card-prime", "texas-shootout", "dueling-for-dollars")
"""Games that are tried out in private."""
DEALT: Final = PlayTerms(mode=DealingMode.LIVE, money=Currency.REAL)
BOTS: Final = 2
CHIPS: Final = 300_00
"""Of each of the company."""


def set_up(card_room: CardRoom, id: str) -> None:
    """Dealers pay little at once, so that many prizes wait for two people."""
    settings = SiteSettings(dealer_pays=DEALER_PAYS)
    card_room.site.configure(id, OFFICE, settings, "a room to be killed", second="Carl")


def open_automatic(card_room: CardRoom, id: str, table: str) -> None:
    """A table with a tabulator and a progressive of its own."""
    slug, terms = TABLES[table]
    shown = build_demo_table(slug, table)
    card_room.jackpots.open(f"{id}/jackpot", OFFICE, shown.jackpot)
    unit = UnitSetup(shown.tabulator, shown.unit)
    card_room.add_table(f"{id}/table", OFFICE, RoomTableSetup(table, shown.setup, terms, unit))


def open_live(card_room: CardRoom, id: str, table: str) -> None:
    """A table of Three Card Prime at which a dealer deals."""
    if table == LIVE[0]:
        card_room.jackpots.open(f"{id}/jackpot", OFFICE, final_four())
    unit = UnitSetup(prime_sensors(table, FINAL_FOUR), f"unit-{table}")
    card_room.add_table(f"{id}/table", OFFICE, RoomTableSetup(table, prime_table(), DEALT, unit))


def open_practice(card_room: CardRoom, id: str, player: str, table: str, game: str) -> None:
    """A private table, with company from the beginning."""
    setup = default_practice_setup(game)
    group = [SeatedBot(setup.seats - place, BOT_NAMES[place], CHIPS) for place in range(BOTS)]
    card_room.add_table(id, player, RoomTableSetup(table, setup, PlayTerms(owner=player, betting=0, deciding=0)), group)
