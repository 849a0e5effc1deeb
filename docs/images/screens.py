"""Takes pictures of every page at four widths: ``python docs/images/screens.py FOLDER`` (`make screenshots`).

The ones that the documentation shows are copies of some of these.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.browser.chromium import chromium
from tests.browser.seats import Mouse, take_seat
from tests.browser.visit import WIDTHS
from tests.web.rooms import GAMES, Served, served

from cardroom.web.room.demo import open_demo

HEIGHTS = {360: 640, 768: 1024, 1280: 800, 3840: 2160}
PAGES = {
    "lobby": "/",
    "me": "/me",
    "rules": "/rules",
    "rules-of-a-game": "/rules/three-card-prime",
    "lab": "/lab",
    "lab-of-a-game": "/lab/three-card-prime",
    "office": "/office",
    "office-ledger": "/office/ledger",
    "office-chain": "/office/ledger/felt:three-card-prime-1",
    "office-new-table": "/office/tables/new",
    "office-players": "/office/players",
    "office-rounds": "/office/rounds",
    "office-reports": "/office/reports",
    "office-verify": "/office/verify",
    "displays": "/displays",
    "display": "/displays/three-card-prime-1",
    "refused": "/tables/nowhere",
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as books, served(Path(books)) as room, chromium() as browser:
        open_demo(room.floor)
        for width in WIDTHS:
            pictures(browser, room, folder, width)


def pictures(browser: Browser, room: Served, folder: Path, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": HEIGHTS[width]}, reduced_motion="reduce")
    page = context.new_page()

    def take(name: str) -> None:
        page.wait_for_timeout(300)
        page.screenshot(path=folder / f"{name}-{width}.png")

    for game in GAMES:
        seat(page, room, game, take)
    page.goto(f"{room.url}/rounds/three-card-prime-1.1")
    take("round")
    for name, path in PAGES.items():
        page.goto(room.url + path)
        take(name)
    context.close()


def seat(page: Page, room: Served, game: str, take) -> None:  # type: ignore[no-untyped-def]
    page.goto(room.url)
    take_seat(Mouse(page), f"{game}-1")
    take(f"seat-{game}-before")
    page.locator('[data-do="deal"]').click()
    page.locator(".choice, .result").first.wait_for()
    take(f"seat-{game}-asked")
    page.goto(f"{room.url}/tables/{game}-1")
    finish(page)
    take(f"seat-{game}-after")


def finish(page: Page) -> None:
    """Answer until the round has ended."""
    while page.locator(".choice").count():
        house = page.locator('[data-do="house"]')
        if house.count():
            house.click()
        page.locator(".choice:not(:disabled)").last.click()
        page.wait_for_timeout(600)
    page.locator(".result").wait_for()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
