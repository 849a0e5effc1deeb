"""The pages in a real browser: the size of the first page, its load time, and the time to show a decision."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from typing import Final

from playwright.sync_api import Browser
from tests.browser.chromium import chromium

from bench.live.server import serving
from bench.measure import Figure, Promise
from bench.result_table import Sheet
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup
from cardroom.web.pages.assets import STATIC
from cardroom.web.services.practice_tables import default_practice_setup

SUBJECT: Final = "pages"
CORES: Final = 2
KILOBYTES: Final = 150.0
FIRST_PAGE: Final = 0.5
DRAWN: Final = 0.100
SCRIPT: Final = 40.0
ROUNDS: Final = 15
TABLE: Final = "bench-1"

_RECORD_REDRAWS: Final = """() => {
    window.drawn = [];
    document.getElementById("live").addEventListener("page:updated", () => window.drawn.push(performance.now()));
    performance.setResourceTimingBufferSize(5000);
}"""
_WEIGHT: Final = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .reduce((sum, resource) => sum + resource.encodedBodySize, 0)"""
_LATENESS: Final = """() => {
    const responses = performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith("/decisions"));
    const shown = (entry) => window.drawn.find((at) => at >= entry.requestStart) ?? Infinity;
    return responses.map((entry) => shown(entry) - entry.responseEnd);
}"""


def sheets() -> list[Sheet]:
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        url = f"sqlite:///{folder}/room.db"
        with open_ledger(url) as ledger:
            terms = PlayTerms(betting=0, deciding=0)
            CardRoom(ledger).add_table(
                "open", "the house", RoomTableSetup(TABLE, default_practice_setup("three-card-prime"), terms)
            )
        with serving(url, Path(folder) / "log", "--demo") as ((host, port), _), chromium() as browser:
            address = f"http://{host}:{port}"
            figures = [*_first(browser, address), *_decisions(browser, address), _script()]
    note = "A decision is shown when the page has changed; the time starts with the response to the decision."
    return [Sheet("Pages, Chromium", tuple(figures), note)]


def _first(browser: Browser, url: str) -> list[Figure]:
    taken, stood = 0, []
    for _ in range(5):
        fresh = browser.new_context()  # with an empty cache
        visit = fresh.new_page()
        visit.goto(url)
        visit.wait_for_load_state("load")
        taken = max(taken, visit.evaluate(_WEIGHT))
        stood.append(visit.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd / 1000"))
        fresh.close()
    weight, time = taken / 1_000, median(stood)
    return [
        Figure("first page, compressed", weight, "KB", Promise("150 KB", weight / KILOBYTES, 1.0, at_least=False)),
        Figure("first page loads within", time * 1_000, "ms", Promise("0.5 s", time / FIRST_PAGE, 1.0, at_least=False)),
    ]


def _decisions(browser: Browser, url: str) -> list[Figure]:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(url)
    page.locator(f"#table-{TABLE}").get_by_role("button", name="Sit down").click()
    page.wait_for_url(f"**/tables/{TABLE}")
    page.evaluate(_RECORD_REDRAWS)
    for _ in range(ROUNDS):
        page.locator('[data-do="deal"]').click()
        page.locator(".choice", has_text="Fold").click()
        page.locator("#tray").wait_for()
    late = sorted(page.evaluate(_LATENESS))
    slow = late[int(len(late) * 0.95)] / 1_000
    promise = Promise("100 ms", slow / DRAWN, 1.0, at_least=False)
    return [Figure("95 % of decisions are shown within", slow * 1_000, "ms", promise)]


def _script() -> Figure:
    size = sum(script.stat().st_size for script in (STATIC / "js").glob("*.js")) / 1_000
    return Figure("Cardroom's own script", size, "KB", Promise("40 KB", size / SCRIPT, 1.0, at_least=False))
