"""What is read: rules, and rounds of the past."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cardroom.web.services.practice_tables import open_demo
from tests.screens.scene import PAPER, Scene, Stage, Story
from tests.service.live_scenes import an_hour_with_a_dealer
from tests.web.rooms import ServedRoom, expect_success, new_id, serve_room

TABLE: Final = "shootout-2"
ROUND: Final = f"{TABLE}.1"


@contextmanager
def after_an_evening(folder: Path) -> Iterator[ServedRoom]:
    """A room in which two guests have played Texas Shootout, and a dealer has dealt a live table."""
    with serve_room(folder) as room:
        open_demo(room.card_room)
        an_hour_with_a_dealer(room.card_room)
        room.open_table(TABLE, "texas-shootout")
        guests = [room.players.admit_guest(), room.players.admit_guest()]
        for seat, guest in enumerate(guests, 1):
            guest.sit(TABLE, seat=seat)
        for guest, words in zip(guests, ({"words": "swordfish"}, {}), strict=True):
            wagers = {"shootout": 10_00, "quick-draw": 5_00}
            expect_success(guest.post(f"/tables/{TABLE}/wagers", id=new_id(), wagers=wagers, **words))
        while (now := room.card_room.view_table(TABLE)).position is not None:
            turn = now.position.round.seat_turn
            guests[turn.seat - 1].decide(TABLE, str(turn.options[0]))
        yield room


def next_step(stage: Stage) -> None:
    page = stage.go(f"/rounds/{ROUND}?step=1")
    page.locator("#next").click()
    page.locator(".step-now", has_text="Step 2").wait_for()


def shuffle_checked(stage: Stage) -> None:
    page = stage.go(f"/rounds/{ROUND}")
    page.locator("#check-in-browser").click()
    page.locator("#check-result:not(:empty)").wait_for()


STORY: Final = Story(
    after_an_evening,
    (
        Scene("rules", "/rules"),
        Scene("rules-of-a-game", "/rules/three-card-prime"),
        Scene("rules-paid", "/rules/three-card-prime", part="#paid"),
        Scene("rules-printed", "/rules/three-card-prime", sizes=PAPER),
        Scene("round-first-step", f"/rounds/{ROUND}?step=1"),
        Scene("round-next-step", f"/rounds/{ROUND}/steps/2", next_step),
        Scene("round-end", f"/rounds/{ROUND}"),
        Scene("round-payments", f"/rounds/{ROUND}", part=".payments"),
        Scene("round-shuffle-checked", f"/rounds/{ROUND}", shuffle_checked, part=".own-check"),
        Scene("round-live", "/rounds/live-hour.1"),
        Scene("round-canceled", "/rounds/live-hour.2"),
    ),
)
