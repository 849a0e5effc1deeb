"""A server that dies, a line that goes dead, a tab that slept: open pages say so, and heal with what is true then."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page, expect

from cardroom.floor import Floor
from cardroom.ledger import open_ledger
from cardroom.web.room.practice import usual_setup
from tests.browser.line import line_to
from tests.browser.people import let_in, staffed
from tests.browser.seats import Mouse, take_seat
from tests.browser.visit import SOON, visiting
from tests.floor.live_scenes import begin, open_live, steps, tabulate
from tests.floor.scenes import open_room
from tests.web.processes import CARDROOM
from tests.web.rooms import WITHOUT_CLOCK, an_id, served

READY = "Cardroom is open at "
PATIENT = "patient-1"
WITHIN: Final = 3_000
"""Milliseconds after which a page has said that its line is lost."""
SAYS: Final = {
    "/": "Paused",
    f"/tables/{PATIENT}": "The table is paused: a fire drill.",
    "/displays/prime-1/monitor": "$5,000.20",
    "/displays/prime-2": "$5,000.20",
    "/dealer/prime-1": "Round prime-1.1, dealt by Kim.",
    "/office": "a fire drill",
    "/office/jackpots/final-four": "$5,000.20",
}
"""Every page that shows something of the books while it is open, and what it says when ``much_happens``."""
IN_THE_LAB: Final = "/lab/dueling-for-dollars"
_NOTE_LOST: Final = """() => {
    const lost = document.getElementById("lost");
    window.lostAt = 0;
    new MutationObserver(() => { if (!lost.hidden) window.lostAt ||= Date.now(); }).observe(lost, {attributes: true});
}"""

_NOTE_SLEEP: Final = """() => {
    let last = Date.now();
    window.slept = 0;
    setInterval(() => { window.slept = Math.max(window.slept, Date.now() - last); last = Date.now(); }, 50);
}"""


def open_tables(floor: Floor) -> None:
    """Two tables that play for one meter, at one of which a dealer deals, and an automatic one."""
    open_room(staffed(floor))
    open_live(floor, "prime-1")
    floor.open_felt("open", "Olga", PATIENT, usual_setup("three-card-prime"), WITHOUT_CLOCK)


def much_happens(floor: Floor) -> None:
    """Something that every page shows."""
    begin(floor, "prime-1", (1,))
    steps(floor, "wagers")
    tabulate(floor, 1)
    floor.pause_felt(an_id(), "Olga", PATIENT, "a fire drill")


def open_pages(context: BrowserContext, url: str, *paths: str) -> dict[str, Page]:
    """A tab for each."""
    pages = {path: context.new_page() for path in paths}
    for path, page in pages.items():
        page.goto(url + path)
        page.evaluate(_NOTE_LOST)
        expect(page.locator("body")).not_to_contain_text(SAYS.get(path, "is lost and"))
    return pages


def nothing_is_lost(pages: dict[str, Page]) -> bool:
    """Whether no page says for a while that it is lost."""
    for page in pages.values():
        expect(page.locator("#lost")).to_be_hidden()
        page.evaluate("window.lostAt = 0")
    time.sleep(WITHIN / 1_000)
    return not any(page.evaluate("window.lostAt") for page in pages.values())


def all_say_that_they_are_lost(pages: dict[str, Page], since: float) -> None:
    """Within three seconds, by the clocks of the pages. One may have to wait where other tests run beside it."""
    late = {}
    for path, page in pages.items():
        expect(page.locator("#lost")).to_be_visible(timeout=2 * SOON)
        late[path] = page.evaluate("window.lostAt") - since * 1_000
    assert median(late.values()) <= WITHIN, late
    assert max(late.values()) <= WITHIN + SOON, late


def all_are_true(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        expect(page.locator("#lost")).to_be_hidden(timeout=4 * SOON)
        if path in SAYS:  # at once: a page that says nothing of a lost line shows what is true
            assert SAYS[path] in page.locator("body").inner_text(), f"{path} shows something old"


@contextmanager
def asleep(pages: dict[str, Page]) -> Iterator[None]:
    """Nothing of the tabs runs, as when a browser puts those in the background to sleep; then they wake. (This browser
    does not let its tabs sleep by itself, but it stops them where a debugger says so.)"""
    lives = [page.context.new_cdp_session(page) for page in pages.values()]
    for page, life in zip(pages.values(), lives, strict=True):
        page.evaluate(_NOTE_SLEEP)
        life.send("Debugger.enable")
        life.send("Debugger.pause")
    yield
    for life in lives:
        life.send("Debugger.resume")
        life.send("Debugger.disable")
    for page in pages.values():
        page.wait_for_function("window.slept > 800", timeout=SOON)


def serve(folder: Path, port: str = "0") -> tuple[subprocess.Popen[str], str]:
    """The real command, and where it says that it is."""
    command = [*CARDROOM, "serve", "--demo", "--port", port, "--database", f"sqlite:///{folder}/room.db"]
    process = subprocess.Popen(
        [*command, "--log-level", "error"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith(READY), line
    return process, line.removeprefix(READY).strip()


def end(process: subprocess.Popen[str]) -> int:
    """Wait until it has gone."""
    assert process.stdout is not None
    process.stdout.close()
    return process.wait(30)


@contextmanager
def books(folder: Path) -> Iterator[Floor]:
    """The room's books, as another program has them open."""
    with open_ledger(f"sqlite:///{folder}/room.db") as ledger:
        yield Floor(ledger)


def test_a_page_heals_when_its_server_was_killed_in_the_middle_of_a_round(browser: Browser, tmp_path: Path) -> None:
    with books(tmp_path) as floor:
        floor.open_felt("open", "Olga", PATIENT, usual_setup("three-card-prime"), WITHOUT_CLOCK)
    process, url = serve(tmp_path)
    try:
        with visiting(browser, url) as visit:
            page = visit.go("/")
            take_seat(Mouse(page), PATIENT)
            page.locator('[data-do="deal"]').click()
            expect(page.locator("#sentence")).to_contain_text("Your turn")
            cards = page.locator(".my-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
            page.evaluate(_NOTE_LOST)
            since = time.time()
            process.send_signal(signal.SIGKILL)
            end(process)
            all_say_that_they_are_lost({"": page}, since)
            page.locator(".choice", has_text="Play").click()
            expect(page.locator("#refusal")).to_contain_text("does not answer")
            process, _ = serve(tmp_path, url.rpartition(":")[2])
            expect(page.locator("#lost")).to_be_hidden(timeout=10_000)
            again = page.locator(".my-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
            assert again == cards
            page.locator(".choice", has_text="Play").click()
            expect(page.locator(".result")).to_be_visible()
    finally:
        process.send_signal(signal.SIGINT)
        assert end(process) == 0


def test_every_page_heals_with_what_has_happened_while_its_server_was_dead(browser: Browser, tmp_path: Path) -> None:
    with books(tmp_path) as floor:
        open_tables(floor)
    process, url = serve(tmp_path)
    try:
        with visiting(browser, url) as visit:
            with books(tmp_path) as floor:
                let_in(visit.page.context, floor, url)
            simulation = visit.go(f"{IN_THE_LAB}/simulation")
            simulation.get_by_role("button", name="Play").click()
            simulation.wait_for_url("**/simulation/*")
            simulation.evaluate(_NOTE_LOST)
            pages = open_pages(visit.page.context, url, *SAYS, IN_THE_LAB)
            edge = pages[IN_THE_LAB].locator("main").inner_text()
            since = time.time()
            process.send_signal(signal.SIGKILL)
            end(process)
            all_say_that_they_are_lost(pages | {"simulation": simulation}, since)
            with books(tmp_path) as floor:
                much_happens(floor)
            process, _ = serve(tmp_path, url.rpartition(":")[2])
            all_are_true(pages)
            expect(pages[IN_THE_LAB].locator("main")).to_have_text(edge, use_inner_text=True, timeout=60_000)
            expect(simulation.locator("#lost")).to_be_hidden(timeout=4 * SOON)
            expect(simulation.locator(".refusal")).to_contain_text("This simulation is not kept any more")
    finally:
        process.send_signal(signal.SIGINT)
        assert end(process) == 0


def test_a_line_that_goes_dead_without_a_word_is_noticed_and_taken_up_anew(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as room, line_to(room.url) as line, visiting(browser, line.url) as visit:
        open_tables(room.floor)
        let_in(visit.page.context, room.floor, line.url)
        pages = open_pages(visit.page.context, line.url, *SAYS, IN_THE_LAB)
        # A busy machine may be late with a word once; not always.
        assert any(nothing_is_lost(pages) for _ in range(3)), "silence where nothing happens is no loss"
        since = time.time()
        line.go_dead()
        much_happens(room.floor)
        all_say_that_they_are_lost(pages, since)
        for path, page in pages.items():
            expect(page.locator("body")).not_to_contain_text(SAYS.get(path, "is lost and"))
        line.mend()
        all_are_true(pages)


def test_a_tab_that_slept_is_right_when_it_comes_back(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as room, line_to(room.url) as line, visiting(browser, line.url) as visit:
        open_tables(room.floor)
        let_in(visit.page.context, room.floor, line.url)
        pages = open_pages(visit.page.context, line.url, *SAYS)
        with asleep(pages):
            much_happens(room.floor)
            line.cut()
            time.sleep(1)
        for path, page in pages.items():
            expect(page.locator("body")).to_contain_text(SAYS[path], timeout=SOON, use_inner_text=True)
        all_are_true(pages)


def test_a_tab_that_slept_while_its_line_went_dead_says_so_and_heals(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as room, line_to(room.url) as line, visiting(browser, line.url) as visit:
        open_tables(room.floor)
        let_in(visit.page.context, room.floor, line.url)
        pages = open_pages(visit.page.context, line.url, *SAYS)
        with asleep(pages):
            line.go_dead()
            much_happens(room.floor)
            time.sleep(WITHIN / 1_000)
            since = time.time()
        all_say_that_they_are_lost(pages, since)
        line.mend()
        all_are_true(pages)


def test_a_tab_that_comes_to_the_front_says_at_once_that_its_line_is_dead(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as room, line_to(room.url) as line, visiting(browser, line.url) as visit:
        open_tables(room.floor)
        (page,) = open_pages(visit.page.context, line.url, f"/tables/{PATIENT}").values()
        page.evaluate("Object.defineProperty(document, 'hidden', {get: () => window.behind})")
        page.evaluate("window.behind = true")
        line.go_dead()
        time.sleep(WITHIN / 1_000)
        expect(page.locator("#lost")).to_be_hidden()
        page.evaluate("window.behind = false; document.dispatchEvent(new Event('visibilitychange'))")
        assert page.locator("#lost").is_visible()
        much_happens(room.floor)
        line.mend()
        all_are_true({f"/tables/{PATIENT}": page})


def test_seven_tabs_of_one_browser_are_live_and_all_heal(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as room, line_to(room.url) as line, visiting(browser, line.url) as visit:
        open_tables(room.floor)
        tabs = [visit.page, *(visit.page.context.new_page() for _ in range(6))]
        for page in tabs:
            page.goto(f"{line.url}/tables/{PATIENT}")
        for guests in (1, 2, 3):
            room.guest().sit(PATIENT)
            for page in tabs:
                expect(page.locator(".neighbour")).to_have_count(guests, timeout=SOON)
            line.cut()
