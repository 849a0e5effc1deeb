"""A server that dies, a line that goes dead, a tab that slept: open pages say so, and heal with what is true then."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom, RoomTableSetup
from cardroom.web.services.practice_tables import default_practice_setup
from tests.browser.connection import open_line
from tests.browser.seats import Mouse, take_seat
from tests.browser.users import sign_in_browser
from tests.browser.visit import find_violations, open_window
from tests.deadline import LIMIT, LIMIT_MS, wait_until
from tests.ports import reserved_port
from tests.service.card_rooms import open_room
from tests.service.live_scenes import begin, open_live, steps, tabulate
from tests.service.staff import staffed
from tests.web.processes import CARDROOM
from tests.web.rooms import WITHOUT_CLOCK, new_id, serve_room

READY = "Cardroom is open at "
PATIENT = "patient-1"
SILENCE: Final = 2_500
"""Milliseconds without a word after which a page takes its line for dead."""
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
_NOTE_WORDS: Final = """() => {
    window.words = 0;
    window.lastWord = Date.now();
    window.WebSocket = class extends WebSocket {
        constructor(...how) {
            super(...how);
            this.addEventListener("message", () => { window.words += 1; window.lastWord = Date.now(); });
        }
    };
}"""
"""How many words a page has heard from its server, and when the last one."""
_NOTE_LOST: Final = """silence => {
    const lost = document.getElementById("lost");
    window.lostTooEarly = false;
    new MutationObserver(() => {
        if (!lost.hidden && Date.now() - window.lastWord <= silence) window.lostTooEarly = true;
    }).observe(lost, {attributes: true});
}"""


def open_tables(card_room: CardRoom) -> None:
    """Two tables that play for one meter, at one of which a dealer deals, and an automatic one."""
    open_room(staffed(card_room))
    open_live(card_room, "prime-1")
    card_room.add_table(
        "open", "Olga", RoomTableSetup(PATIENT, default_practice_setup("three-card-prime"), WITHOUT_CLOCK)
    )


def much_happens(card_room: CardRoom) -> None:
    """Something that every page shows."""
    begin(card_room, "prime-1", (1,))
    steps(card_room, "wagers")
    tabulate(card_room, 1)
    card_room.pause_table(new_id(), "Olga", PATIENT, "a fire drill")


def open_pages(context: BrowserContext, url: str, *paths: str) -> dict[str, Page]:
    """A tab for each."""
    pages = {path: context.new_page() for path in paths}
    for path, page in pages.items():
        page.set_default_timeout(LIMIT_MS)
        page.add_init_script(f"({_NOTE_WORDS})()")
        page.goto(url + path)
        page.evaluate(_NOTE_LOST, SILENCE)
        expect(page.locator("body")).not_to_contain_text(SAYS.get(path, "is lost and"))
    return pages


def nothing_is_lost_where_words_come(pages: dict[str, Page]) -> None:
    """Every page hears several words, though nothing happens, and none says that it is lost while they come in time."""
    for page in pages.values():
        page.evaluate("window.words = 0; window.lostTooEarly = false")
    for path, page in pages.items():
        page.wait_for_function("() => window.words >= 4")
        assert not page.evaluate("window.lostTooEarly"), path
        expect(page.locator("#lost")).to_be_hidden()


def all_say_that_they_are_lost(pages: dict[str, Page]) -> None:
    for page in pages.values():
        expect(page.locator("#lost")).to_be_visible()


def all_are_true(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        expect(page.locator("#lost")).to_be_hidden()
        if path in SAYS:  # at once: a page that says nothing of a lost line shows what is true
            assert SAYS[path] in page.locator("body").inner_text(), f"{path} shows something old"


@contextmanager
def asleep(pages: dict[str, Page]) -> Iterator[None]:
    """Nothing of the tabs runs, as when a browser puts those in the background to sleep; then they wake. (This browser
    does not let its tabs sleep by itself, but it stops them where a debugger says so.)"""
    lives = [page.context.new_cdp_session(page) for page in pages.values()]
    stopped = list[object]()
    for life in lives:
        life.on("Debugger.paused", lambda event: stopped.append(event))
        life.send("Debugger.enable")
        life.send("Debugger.pause")
    wait_until(lambda: lives[0].send("Debugger.enable") and len(stopped) == len(lives), "sleep")
    yield
    for life in lives:
        life.send("Debugger.resume")
        life.send("Debugger.disable")


@pytest.fixture
def port() -> Iterator[int]:
    """Where a server is found that is killed and begins again."""
    with reserved_port() as port:
        yield port


def serve(folder: Path, port: int) -> tuple[subprocess.Popen[str], str]:
    """The real command, and where it says that it is."""
    command = [*CARDROOM, "serve", "--demo", "--port", str(port), "--database", f"sqlite:///{folder}/room.db"]
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
    return process.wait(LIMIT)


@contextmanager
def books(folder: Path) -> Iterator[CardRoom]:
    """The room's books, as another program has them open."""
    with open_ledger(f"sqlite:///{folder}/room.db") as ledger:
        yield CardRoom(ledger)


def test_a_page_heals_when_its_server_was_killed_in_the_middle_of_a_round(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    with books(tmp_path) as card_room:
        card_room.add_table(
            "open", "Olga", RoomTableSetup(PATIENT, default_practice_setup("three-card-prime"), WITHOUT_CLOCK)
        )
    process, url = serve(tmp_path, port)
    try:
        with open_window(browser, url) as visit:
            page = visit.go("/")
            take_seat(Mouse(page), PATIENT)
            page.locator('[data-do="deal"]').click()
            expect(page.locator("#sentence")).to_contain_text("Your turn")
            cards = page.locator(".own-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
            process.send_signal(signal.SIGKILL)
            end(process)
            all_say_that_they_are_lost({"": page})
            page.locator(".choice", has_text="Play").click()
            expect(page.locator("#refusal")).to_contain_text("No response from the card room")
            process, _ = serve(tmp_path, port)
            expect(page.locator("#lost")).to_be_hidden()
            again = page.locator(".own-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
            assert again == cards
            page.locator(".choice", has_text="Play").click()
            expect(page.locator(".result")).to_be_visible()
    finally:
        process.send_signal(signal.SIGINT)
        assert end(process) == 0


def test_every_page_shows_what_happened_while_its_server_was_dead(browser: Browser, tmp_path: Path, port: int) -> None:
    with books(tmp_path) as card_room:
        open_tables(card_room)
    process, url = serve(tmp_path, port)
    try:
        with open_window(browser, url) as visit:
            with books(tmp_path) as card_room:
                sign_in_browser(visit.page.context, card_room, url)
            simulation = visit.go(f"{IN_THE_LAB}/simulation")
            simulation.get_by_role("button", name="Simulate").click()
            simulation.wait_for_url("**/simulation/*")
            pages = open_pages(visit.page.context, url, *SAYS, IN_THE_LAB)
            expect(pages[IN_THE_LAB].locator(".in-progress")).to_have_count(0)
            edge = pages[IN_THE_LAB].locator("main").inner_text()
            process.send_signal(signal.SIGKILL)
            end(process)
            all_say_that_they_are_lost(pages | {"simulation": simulation})
            with books(tmp_path) as card_room:
                much_happens(card_room)
            process, _ = serve(tmp_path, port)
            all_are_true(pages)
            expect(pages[IN_THE_LAB].locator("main")).to_have_text(edge, use_inner_text=True)
            expect(simulation.locator("#lost")).to_be_hidden()
            expect(simulation.locator(".refusal")).to_contain_text("This simulation is no longer available")
    finally:
        process.send_signal(signal.SIGINT)
        assert end(process) == 0


def test_a_connection_that_dies_silently_is_noticed_and_reopened(browser: Browser, tmp_path: Path) -> None:
    with serve_room(tmp_path) as room, open_line(room.url) as line, open_window(browser, line.url) as visit:
        open_tables(room.card_room)
        sign_in_browser(visit.page.context, room.card_room, line.url)
        pages = open_pages(visit.page.context, line.url, *SAYS, IN_THE_LAB)
        nothing_is_lost_where_words_come(pages)
        line.go_dead()
        much_happens(room.card_room)
        all_say_that_they_are_lost(pages)
        for path, page in pages.items():
            expect(page.locator("body")).not_to_contain_text(SAYS.get(path, "is lost and"))
        for path in ("/", "/office"):  # in the dark and on the light ground
            assert find_violations(pages[path]) == []
        line.mend()
        all_are_true(pages)


def test_a_tab_that_slept_is_up_to_date_when_it_wakes(browser: Browser, tmp_path: Path) -> None:
    with serve_room(tmp_path) as room, open_line(room.url) as line, open_window(browser, line.url) as visit:
        open_tables(room.card_room)
        sign_in_browser(visit.page.context, room.card_room, line.url)
        pages = open_pages(visit.page.context, line.url, *SAYS)
        with asleep(pages):
            much_happens(room.card_room)
            line.cut()
        for path, page in pages.items():
            expect(page.locator("body")).to_contain_text(SAYS[path], use_inner_text=True)
        all_are_true(pages)


def test_a_tab_that_slept_while_its_line_went_dead_says_so_and_heals(browser: Browser, tmp_path: Path) -> None:
    with serve_room(tmp_path) as room, open_line(room.url) as line, open_window(browser, line.url) as visit:
        open_tables(room.card_room)
        sign_in_browser(visit.page.context, room.card_room, line.url)
        pages = open_pages(visit.page.context, line.url, *SAYS)
        with asleep(pages):
            line.go_dead()
            much_happens(room.card_room)
            time.sleep(SILENCE / 1_000)  # cannot fail: the tabs are stopped before it, and go on after it
        all_say_that_they_are_lost(pages)
        line.mend()
        all_are_true(pages)


def test_a_tab_that_comes_to_the_front_says_at_once_that_its_line_is_dead(browser: Browser, tmp_path: Path) -> None:
    with serve_room(tmp_path) as room, open_line(room.url) as line, open_window(browser, line.url) as visit:
        open_tables(room.card_room)
        visit.page.context.clock.install(time=0)
        visit.page.context.clock.pause_at(1)  # the page looks at its line when the test says so
        (page,) = open_pages(visit.page.context, line.url, f"/tables/{PATIENT}").values()
        page.wait_for_function("() => window.words > 0")
        page.evaluate("Object.defineProperty(document, 'hidden', {get: () => window.behind})")
        page.evaluate("window.behind = true")
        line.go_dead()
        page.clock.run_for(SILENCE + 500)
        assert page.locator("#lost").is_hidden()
        page.evaluate("window.behind = false; document.dispatchEvent(new Event('visibilitychange'))")
        assert page.locator("#lost").is_visible()
        page.clock.resume()
        much_happens(room.card_room)
        line.mend()
        all_are_true({f"/tables/{PATIENT}": page})


def test_seven_tabs_of_one_browser_are_live_and_all_heal(browser: Browser, tmp_path: Path) -> None:
    with serve_room(tmp_path) as room, open_line(room.url) as line, open_window(browser, line.url) as visit:
        open_tables(room.card_room)
        tabs = [visit.page, *(visit.page.context.new_page() for _ in range(6))]
        for page in tabs:
            page.goto(f"{line.url}/tables/{PATIENT}")
        for guests in (1, 2, 3):
            room.admit_guest().sit(PATIENT)
            for page in tabs:
                expect(page.locator(".neighbor")).to_have_count(guests)
            line.cut()
