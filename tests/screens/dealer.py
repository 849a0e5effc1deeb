"""A dealer with a tablet deals a round of Three Card Prime."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from tests.browser.users import sign_as_second
from tests.screens.scene import TABLETS, Scene, Stage, Story
from tests.service.live_scenes import PRIME, begin, live_prime, live_wild, steps
from tests.service.staff import DEALER, SUPERVISOR
from tests.web.rooms import ServedRoom, new_id, serve_room

CONSOLE: Final = f"/dealer/{PRIME}"


@contextmanager
def live_tables(folder: Path) -> Iterator[ServedRoom]:
    """A table whose tabulator the dealer presses, and one whose tabulator counts by itself."""
    with serve_room(folder) as room:
        live_prime(room.card_room)
        live_wild(room.card_room)
        yield room


def console(stage: Stage) -> Page:
    return stage.go(CONSOLE)


def without_players(stage: Stage) -> None:
    page = stage.go(CONSOLE)
    page.get_by_role("button", name="Begin the round").click()
    page.locator(".now .refusal:not(:empty)").wait_for()


def wagers(stage: Stage) -> None:
    begin(stage.card_room, positions=(1, 2, 4, 5), dealer=DEALER)
    console(stage)


def tabulate(stage: Stage) -> None:
    steps(stage.card_room, "wagers", dealer=DEALER)
    page = console(stage)
    for position in (2, 4):
        page.locator(".sensor-choices .choice", has_text=str(position)).first.tap()


def lights(stage: Stage) -> None:
    stage.card_room.take_step(new_id(), DEALER, PRIME, "tabulate", covered={1: [2, 4]})
    console(stage).locator(".light.on").first.wait_for()


def read_and_typed(stage: Stage) -> None:
    """One seat is paid, one is taken from, of one something is missing, one is not typed."""
    steps(stage.card_room, "deal", "decide", "reveal", dealer=DEALER)
    stage.card_room.type_cards(
        new_id(),
        DEALER,
        PRIME,
        {
            "dealer": "As 4d 2s",
            "seat 1 hand": "Kh 9s 3c",
            "seat 2 hand": "Jc Qc Kc",
            "seat 2 fourth": "Ac",
            "seat 4 hand": "8h 8s 2d",
        },
        wagers={
            1: {"ante-play": 30_00},
            2: {"ante-play": 130_00, "pair-bonus": 5_00, "final-four": 1_00},
            4: {"ante-play": 10_00, "final-four": 1_00},
        },
        answers={1: {"play": "fold"}, 2: {"play": "play"}},
    )
    console(stage).locator("#seat-2 .pay-sums").wait_for()


def sheet(button: str) -> Callable[[Stage], Page]:
    """A sheet over the console."""
    return partial(_laid, button)


def _laid(button: str, stage: Stage) -> Page:
    page = console(stage)
    page.get_by_role("button", name=button, exact=True).first.tap()
    page.locator("#sheet h2").wait_for()
    return page


def cards_tapped(stage: Stage) -> None:
    page = _laid("Enter seat 4", stage)
    page.get_by_label("seat 4 hand", exact=True).tap()


def void_refused(stage: Stage) -> None:
    page = _laid("Void", stage)
    page.get_by_label("What happened").fill("the shuffler jammed")
    sign_as_second(page, SUPERVISOR, "three wrong words")
    page.get_by_role("button", name="Void the round").tap()
    page.locator("#sheet .refusal:not(:empty)").wait_for()


def claimed(stage: Stage) -> None:
    page = _laid("Claim for seat 2", stage)
    page.locator("#sheet").get_by_role("button", name="Claim").tap()
    page.locator("#sheet .won").wait_for()


def broken(stage: Stage) -> None:
    steps(stage.card_room, "take-or-pay", "collect", dealer=DEALER)
    stage.card_room.end_live_round(new_id(), DEALER, PRIME)
    stage.card_room.report_tabulator_fault(new_id(), DEALER, PRIME, "its button sticks")
    begin(stage.card_room, positions=(1, 2, 4, 5), dealer=DEALER)
    steps(stage.card_room, "wagers", dealer=DEALER)
    console(stage).locator(".unit.broken").wait_for()


def line_lost(stage: Stage) -> None:
    """The line is cut as soon as the page asks for it."""
    stage.page.route_web_socket("**/live**", lambda line: line.close())
    console(stage).locator("#lost").wait_for()


SCENES: Final = (
    Scene("dealer-tables", "/dealer"),
    Scene("dealer-before", CONSOLE, console),
    Scene("dealer-refused", CONSOLE, without_players),
    Scene("dealer-wagers", CONSOLE, wagers),
    Scene("dealer-tabulate", CONSOLE, tabulate),
    Scene("dealer-lights", CONSOLE, lights),
    Scene("dealer-paying", CONSOLE, read_and_typed),
    Scene("dealer-chips", f"{CONSOLE}/seats/2", sheet("Enter seat 2")),
    Scene("dealer-cards", f"{CONSOLE}/seats/4", cards_tapped),
    Scene("dealer-undo", f"{CONSOLE}/undo", sheet("Undo")),
    Scene("dealer-equipment", f"{CONSOLE}/equipment", sheet("Equipment")),
    Scene("dealer-void", f"{CONSOLE}/void", sheet("Void")),
    Scene("dealer-void-refused", f"{CONSOLE}/void", void_refused),
    Scene("dealer-claim", f"{CONSOLE}/claim", sheet("Claim for seat 2")),
    Scene("dealer-claimed", f"{CONSOLE}/claim", claimed),
    Scene("dealer-broken", CONSOLE, broken),
    Scene("dealer-logger", "/dealer/wild-1"),
    Scene("dealer-line-lost", CONSOLE, line_lost),
)
STORY: Final = Story(live_tables, tuple(scene._replace(sizes=TABLETS) for scene in SCENES), who=DEALER)
