"""A player who closes the browser: the others see who does not respond, and play on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, expect

from cardroom.service import PlayTerms, verify_card_room
from cardroom.web.services.table_timers import ABSENT_SECONDS
from tests.browser.seats import Mouse, take_seat
from tests.browser.visit import open_window
from tests.deadline import wait_until
from tests.service.table_scenes import HandClock
from tests.web.rooms import QUICK, serve_room


def test_a_player_who_closes_the_browser_is_warned_and_the_others_play_on(browser: Browser, tmp_path: Path) -> None:
    clock = HandClock()
    with serve_room(tmp_path, replace(QUICK, poll_seconds=0.1), clock) as room, open_window(browser, room.url) as ann:
        table = room.open_table("left-alone")
        ann.go("/")
        take_seat(Mouse(ann.page), table)
        with open_window(browser, room.url) as bob:
            bob.page.clock.install(time=0)
            bob.page.clock.pause_at(1)  # Bob's page never gives up its line, however slow the server is
            bob.go("/")
            take_seat(Mouse(bob.page), table)
            ann.page.locator('[data-do="deal"]').click()
            expect(ann.page.locator("#sentence")).to_contain_text("Waiting for")
            (name,) = [seat.player for seat in room.card_room.table(table).seats if seat.seat == 2]
            wait_until(lambda: name in room.context.presence.connected_players)
            clock.wait(10 * ABSENT_SECONDS)
            looks = room.context.absent_players.check_count + 2
            wait_until(lambda: room.context.absent_players.check_count >= looks)
            assert not room.card_room.table(table).warnings, "Bob has the page open"
        wait_until(lambda: name not in room.context.presence.connected_players)
        clock.wait(ABSENT_SECONDS + 1)
        expect(ann.page.locator("#sentence")).to_contain_text("No response from Guest ")
        ann.is_in_order()
        clock.wait(PlayTerms().away + 1)
        expect(ann.page.locator("#sentence")).to_contain_text("Your turn")
        expect(ann.page.locator(".neighbor")).to_have_count(0)
        assert [seat.seat for seat in room.card_room.table(table).seats] == [1]
        assert verify_card_room(room.card_room.ledger).is_consistent
