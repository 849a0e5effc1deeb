"""The office, where something is set up or changed, or has broken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cardroom.room.setup.example import jackpot_example
from cardroom.service import RoomTableSetup, UnitSetup
from tests.browser.office_scenes import BANKED, open_office_room
from tests.screens.scene import Scene, Stage, Story
from tests.service.staff import OPERATOR, Both
from tests.web.rooms import ServedRoom, new_id

DEALT: Final = "table-1"
WILD: Final = "five-wild"


@contextmanager
def a_room_with_more(folder: Path) -> Iterator[ServedRoom]:
    """Beside the jackpot that was won: one of the house's own money, and a table at which people deal."""
    prime = jackpot_example("three-card-prime")
    with open_office_room(folder) as room:
        room.card_room.jackpots.open(new_id(), "Olga", jackpot_example("deuces-wild", "bonus").jackpot_setup(WILD))
        room.card_room.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(DEALT, prime.table_setup, tabulator=UnitSetup(prime.tabulator_setup(DEALT), "T-1001")),
        )
        yield room


def new_jackpot_faults(stage: Stage) -> None:
    page = stage.go("/office/jackpots/new?game=three-card-prime")
    page.get_by_label("Id", exact=True).fill("Final Four!")
    page.keyboard.press("Tab")
    page.locator(".fault").first.wait_for()


def waiting_change(stage: Stage) -> None:
    change = {"contribution": "15%"}
    Both(stage.card_room).jackpots.change_parameters(
        new_id(), OPERATOR, BANKED, "main", change, "Agreed in March", second="sam"
    )
    stage.go(f"/office/jackpots/{BANKED}/take-back/main")


def reported(stage: Stage) -> None:
    page = stage.go("/office/malfunctions/new")
    page.get_by_label("Report number").fill("R-31")
    page.get_by_label("Equipment").select_option(BANKED)
    page.get_by_label("What happened").fill("The display is dark")
    page.get_by_label("Found", exact=True).fill("2026-01-01 21:40")
    page.get_by_role("button", name="Open the report").click()
    page.get_by_role("region", name="Open reports").wait_for()


def announced(stage: Stage) -> None:
    page = stage.go("/office/promotions/new?game=three-card-prime")
    page.get_by_label("Last day").fill("2199-12-31")
    page.get_by_label("Rules").fill("Every flush wins $600 more.")
    page.get_by_label("Extra prize").fill("$600")
    page.get_by_label("Wager").select_option("pair-bonus")
    page.get_by_label("Paytable").select_option("PB 1+PB/LD 1")
    page.get_by_label("Line").select_option("flush")
    page.get_by_role("button", name="Announce it").click()
    page.get_by_role("region", name="Promotions").wait_for()


def ending(stage: Stage) -> None:
    stage.go("/office/promotions").get_by_role("link", name="End …").click()
    stage.page.get_by_label("Reason").wait_for()


def own_amount(stage: Stage) -> None:
    stage.go(f"/office/jackpots/{WILD}").get_by_role("link", name="Change the amount for five wild cards").click()
    stage.page.get_by_label("New amount").wait_for()


STORY: Final = Story(
    a_room_with_more,
    (
        Scene("office-new-jackpot", "/office/jackpots/new?game=three-card-prime"),
        Scene("office-new-jackpot-faults", "/office/jackpots/new", new_jackpot_faults),
        Scene("office-change", f"/office/jackpots/{BANKED}/change/main"),
        Scene("office-take-back", f"/office/jackpots/{BANKED}/take-back/main", waiting_change),
        Scene("office-bonus", f"/office/jackpots/{WILD}/bonus/{{line}}", own_amount),
        Scene("office-table-change", f"/office/tables/{DEALT}/change"),
        Scene("office-tabulator", f"/office/tabulators/{DEALT}"),
        Scene("office-tabulator-action", f"/office/tabulators/{DEALT}/remove"),
        Scene("office-new-malfunction", "/office/malfunctions/new"),
        Scene("office-malfunctions", "/office/malfunctions", reported),
        Scene("office-malfunction-sent", "/office/malfunctions/R-31/sent"),
        Scene("office-new-promotion", "/office/promotions/new?game=three-card-prime"),
        Scene("office-promotions", "/office/promotions", announced),
        Scene("office-promotion-end", "/office/promotions/{promotion}/end", ending),
        Scene("office-room", "/office/room"),
        Scene("office-room-change", "/office/room/change"),
    ),
    who=OPERATOR,
)
