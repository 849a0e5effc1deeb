"""The room that is killed: four tables of four games with jackpots, two of them with clocks that run out quickly."""

from __future__ import annotations

from typing import Final

from cardroom.room.setup.example import build_demo_table
from cardroom.room.setup.site import SiteSettings
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup, UnitSetup

UNTIMED: Final = PlayTerms(betting=0, deciding=0, silence=0, away=0)
HASTY: Final = PlayTerms(betting=1, deciding=1, silence=0, away=0)

TABLES: Final = {
    "prime-1": ("three-card-prime", UNTIMED),
    "duel-1": ("dueling-for-dollars", HASTY),
    "double-1": ("three-card-double-play", HASTY),
    "deuces-1": ("deuces-wild", UNTIMED),
}
DEALER_PAYS: Final = 3_50
"""What is paid at once, in cents: so little that many prizes wait for two people."""
OFFICE: Final = "Olga"


def open_room(card_room: CardRoom) -> None:
    """Open all of it, or what of it is not open yet: sent again, a command changes nothing."""
    settings = SiteSettings(dealer_pays=DEALER_PAYS)
    card_room.site.configure("opening/room", OFFICE, settings, "a room to be killed", second="Carl")
    for table, (slug, terms) in TABLES.items():
        shown = build_demo_table(slug, table)
        card_room.jackpots.open(f"opening/{table}/jackpot", OFFICE, shown.jackpot)
        unit = UnitSetup(shown.tabulator, shown.unit)
        card_room.add_table(f"opening/{table}/table", OFFICE, RoomTableSetup(table, shown.setup, terms, unit))
