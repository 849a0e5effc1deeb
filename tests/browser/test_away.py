"""A player who closes the browser: the others see whom the house calls, and go on without them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, expect

from cardroom.floor import FeltTerms, verify_floor
from cardroom.web.room.usher import ABSENT
from tests.browser.seats import Mouse, take_seat
from tests.browser.visit import visiting
from tests.deadline import wait_until
from tests.floor.felt_scenes import HandClock
from tests.web.rooms import QUICK, served


def test_somebody_who_closes_the_browser_is_called_and_the_others_go_on(browser: Browser, tmp_path: Path) -> None:
    clock = HandClock()
    with served(tmp_path, replace(QUICK, every=0.1), clock) as room, visiting(browser, room.url) as ann:
        table = room.open_table("left-alone")
        ann.go("/")
        take_seat(Mouse(ann.page), table)
        with visiting(browser, room.url) as bob:
            bob.page.clock.install(time=0)
            bob.page.clock.pause_at(1)  # Bob's page never gives up its line, however slow the server is
            bob.go("/")
            take_seat(Mouse(bob.page), table)
            ann.page.locator('[data-do="deal"]').click()
            expect(ann.page.locator("#sentence")).to_contain_text("Waiting for")
            (name,) = [one.player for one in room.floor.felt(table).seats if one.seat == 2]
            wait_until(lambda: name in room.house.presence.lines)
            clock.wait(10 * ABSENT)
            looks = room.house.usher.looks + 2
            wait_until(lambda: room.house.usher.looks >= looks)
            assert not room.floor.felt(table).called, "Bob has the page open"
        wait_until(lambda: name not in room.house.presence.lines)
        clock.wait(ABSENT + 1)
        expect(ann.page.locator("#sentence")).to_contain_text("The house calls Guest ")
        ann.is_in_order()
        clock.wait(FeltTerms().away + 1)
        expect(ann.page.locator("#sentence")).to_contain_text("Your turn")
        expect(ann.page.locator(".neighbour")).to_have_count(0)
        assert [one.seat for one in room.floor.felt(table).seats] == [1]
        assert verify_floor(room.floor.ledger).is_whole
