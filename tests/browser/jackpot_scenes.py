"""A table whose first round wins the whole meter, and the visitors with a page open there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cardroom.cards.shuffle import key_from_seed
from cardroom.room.setup.example import build_demo_table
from cardroom.service import RoomTableSetup, UnitSetup
from cardroom.service.chains.names import jackpot_chain
from tests.browser.page_errors import PageWatch
from tests.browser.seats import Mouse, take_seat
from tests.browser.users import sign_as_second, sign_in_browser
from tests.browser.visit import Visit, open_window
from tests.service.staff import SUPERVISOR, staffed
from tests.web.rooms import WITHOUT_CLOCK, ServedRoom, new_id, serve_room

TABLE: Final = "play-1"
JACKPOT: Final = "play-1-final-four"
CHAIN: Final = jackpot_chain(JACKPOT)
CLAIM: Final = "play-1.1"
DIAMONDS: Final = key_from_seed("diamonds 856978")
"""A key that really deals the first of two seats the king, jack, queen and ace of diamonds in the first round."""


@dataclass
class Evening:
    """The pages that are open: each is a browser window of its own."""

    room: ServedRoom
    winner: Visit
    other_player: Visit
    display: Visit
    office: Visit
    jackpot: Visit
    cashier: Visit
    """Where the claim is decided."""
    watch: PageWatch

    @property
    def visits(self) -> tuple[Visit, ...]:
        return self.winner, self.other_player, self.display, self.office, self.jackpot, self.cashier

    @property
    def name(self) -> str:
        """The winner's."""
        seated = self.room.card_room.table(TABLE).occupant(1)
        assert seated is not None
        return seated.player

    @property
    def amount(self) -> Locator:
        """What the sign shows."""
        return self.display.page.locator(".sign p.unseen").first

    def lay(self) -> None:
        """The winner plays for the jackpot, the other_player for the Ante alone."""
        page = self.winner.page
        page.locator('[data-chip="100"]').click()
        page.locator("#spot-final-four").click()
        expect(page.locator("#chips-final-four")).to_have_text("$1")
        for visit in (self.winner, self.other_player):
            visit.page.locator('[data-do="deal"]').click()

    def play(self) -> None:
        for visit in (self.winner, self.other_player):
            visit.page.locator(".choice", has_text="Play").click()

    def is_in_order(self) -> None:
        for visit in self.visits:
            visit.is_in_order()


@contextmanager
def open_evening(browser: Browser, folder: Path) -> Iterator[Evening]:
    """Two players sit at the table, its display is on, and the office has the jackpot's page open."""
    with serve_room(folder) as room, ExitStack() as stack:
        card_room, shown = room.card_room, build_demo_table("three-card-prime", TABLE)
        card_room.jackpots.open(new_id(), "Olga", shown.jackpot)
        unit = UnitSetup(shown.tabulator, shown.unit)
        with pytest.MonkeyPatch.context() as patch:
            # A server draws new keys for tables that another program has opened, so the key is drawn by this one.
            patch.setattr(card_room, "generate_key", lambda: DIAMONDS)
            card_room.add_table(new_id(), "Olga", RoomTableSetup(TABLE, shown.setup, WITHOUT_CLOCK, unit))
        staffed(card_room)
        visits = [stack.enter_context(open_window(browser, room.url)) for _ in range(6)]
        evening = Evening(room, *visits, watch=PageWatch())
        for visit in (evening.office, evening.jackpot, evening.cashier):
            sign_in_browser(visit.page.context, room.card_room, room.url, SUPERVISOR)
        for visit in (evening.winner, evening.other_player):
            visit.go("/")
            take_seat(Mouse(visit.page), TABLE)
        evening.display.go(f"/displays/{TABLE}")
        evening.office.go("/office")
        evening.jackpot.go(f"/office/jackpots/{JACKPOT}")
        evening.cashier.go("/office")
        yield evening


def sign(page: Page, button: str, second: str, **typed: str) -> None:
    """A second person signs for it, and it is done."""
    for label, words in typed.items():
        page.get_by_label(label).fill(words)
    sign_as_second(page, second)
    page.get_by_role("button", name=button).click()
