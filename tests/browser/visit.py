"""A visit of a page in a real browser, which notices whatever no page of ours may do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request

from tests.browser.chromium import FRONT
from tests.deadline import LIMIT_MS
from tests.examples import there_is_time

WIDTHS: Final = (360, 768, 1280, 3840)
READ_AT: Final = (360, 1280)
"""Widths at which axe reads a page every day. It reads mostly what is the same at all of them; the others it reads when
there is time."""
_AXE: Final = FRONT / "node_modules" / "axe-core" / "axe.min.js"
_RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


_NO_COMPLAINT: Final = (
    "the server responded with a status of 4",
    "AbortError: ",
    "WebSocket is closed before the connection is established",
)
"""Refusals that a test provokes, a request that a newer one has overtaken (the words depend on how far it had come),
and a line that a busy server took too long to open: the page gives it up and opens another."""


@dataclass
class Visit:
    """One browser window, with cookies of its own."""

    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)
    """What the console said, and requests to other hosts. Refusals (4xx) that a test provokes are not among them."""

    def go(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page

    def note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(excused in message.text for excused in _NO_COMPLAINT):
            self.complaints.append(message.text)

    def asked(self, request: Request) -> None:
        here = self.url.partition("://")[2]
        if request.url.partition("://")[2].partition("/")[0] != here and not request.url.startswith("data:"):
            self.complaints.append(f"asked another host: {request.url}")

    def is_in_order(self) -> None:
        """Nothing was complained about, nothing scrolls sideways, and axe finds nothing serious."""
        size = self.page.viewport_size
        assert not self.complaints, self.complaints
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{self.page.url} scrolls sideways by {wide} px at {size}"
        if size and size["width"] in WIDTHS and size["width"] not in READ_AT and not there_is_time():
            return
        assert not (found := find_violations(self.page)), found


def follow(leads_on: Locator) -> None:
    """Click what leads to another page, and wait until that page is loaded: before, its scripts do not listen."""
    with leads_on.page.expect_event("load"):
        leads_on.click()


def find_violations(page: Page) -> list[str]:
    """What axe finds that is serious or worse."""
    page.evaluate(_AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate(
        "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}, resultTypes: ['violations']})", _RULES
    )
    return [
        f"{violation['id']}: {violation['help']} ({node['html'][:200]}) {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"][:1]
        if violation["impact"] in ("serious", "critical")
    ]


@contextmanager
def open_window(browser: Browser, url: str, width: int = 1280, height: int = 800, **how: Any) -> Iterator[Visit]:
    """A window of its own; how it is touched or moved is the caller's choice."""
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **how)
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    visit = Visit(page, url)
    page.on("console", visit.note)
    page.on("pageerror", lambda fault: visit.complaints.append(str(fault)))
    page.on("request", visit.asked)
    try:
        yield visit
    finally:
        context.close()
