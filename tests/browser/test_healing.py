"""A server that dies under open pages: they say so, and heal by themselves with what is true."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from playwright.sync_api import Browser, expect

from cardroom.floor import Floor
from cardroom.ledger import open_ledger
from cardroom.web.room.practice import usual_setup
from tests.browser.seats import Mouse, take_seat
from tests.browser.visit import SOON, visiting
from tests.web.processes import CARDROOM
from tests.web.rooms import WITHOUT_CLOCK

READY = "Cardroom is open at "


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


def test_a_page_heals_when_its_server_was_killed_in_the_middle_of_a_round(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path
    with open_ledger(f"sqlite:///{folder}/room.db") as ledger:
        Floor(ledger).open_felt("open", "Olga", "patient-1", usual_setup("three-card-prime"), WITHOUT_CLOCK)
    process, url = serve(folder)
    try:
        with visiting(browser, url) as visit:
            page = visit.go("/")
            take_seat(Mouse(page), "patient-1")
            page.locator('[data-do="deal"]').click()
            expect(page.locator("#sentence")).to_contain_text("Your turn")
            cards = page.locator(".my-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
            process.send_signal(signal.SIGKILL)
            end(process)
            expect(page.locator("#lost")).to_be_visible(timeout=SOON)
            page.locator(".choice", has_text="Play").click()
            expect(page.locator("#refusal")).to_contain_text("does not answer")
            process, _ = serve(folder, url.rpartition(":")[2])
            expect(page.locator("#lost")).to_be_hidden(timeout=10_000)
            again = page.locator(".my-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
            assert again == cards
            page.locator(".choice", has_text="Play").click()
            expect(page.locator(".result")).to_be_visible()
    finally:
        process.send_signal(signal.SIGINT)
        assert end(process) == 0
