"""The lobby: five tables, their players, and the way to a seat."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import Mouse, play_round, take_seat
from tests.browser.visit import WIDTHS, open_window
from tests.web.rooms import GAMES, ServedRoom, new_id


@pytest.mark.parametrize("width", WIDTHS)
def test_the_lobby_is_in_order_at_every_width(browser: Browser, room: ServedRoom, width: int) -> None:
    with open_window(browser, room.url, width) as visit:
        page = visit.go("/")
        expect(page.locator(".table-card:not(.own)")).to_have_count(len(GAMES))
        visit.is_in_order()


def test_a_visitor_sits_down_with_one_click(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        page.locator("#table-three-card-prime-1").get_by_role("button", name="Sit down").click()
        page.wait_for_url("**/tables/three-card-prime-1")
        visit.is_in_order()
    seated = room.card_room.table("three-card-prime-1").seats
    assert [seat.seat for seat in seated if not seat.is_bot] == [1]


def test_the_lobby_updates_by_itself(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        stools = page.locator("#table-texas-shootout-1 .stool.taken")
        expect(stools).to_have_count(2)
        room.players.admit_guest().sit("texas-shootout-1")
        expect(stools).to_have_count(3)


def test_a_visitor_opens_a_practice_table_and_plays_there(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        page.locator(".own").get_by_role("button", name="Three Card Prime").click()
        page.wait_for_url("**/tables/practice*")
        expect(page.locator("#clock")).to_be_hidden()
        play_round(Mouse(page))
        table = page.url.rpartition("/")[2]
        visit.go("/")
        expect(page.locator(f"#table-{table}").get_by_role("link", name="Back to seat 1")).to_be_visible()
        visit.is_in_order()
    with open_window(browser, room.url) as other:
        expect(other.go("/").locator(f"#table-{table}")).to_have_count(0)


def test_a_guest_without_money_starts_over_as_a_new_guest(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("last-chips")
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        (me,) = room.card_room.table(table).seats
        room.card_room.take_seat(new_id(), me.player, table, buy_in=room.card_room.player_account(me.player).balance)
        while (left := room.card_room.table(table).seats[0].chips) >= 10_00:
            wager = min(left, 200_00)
            room.card_room.place_wagers(new_id(), me.player, table, {"ante-play": wager})
            room.card_room.make_decision(new_id(), me.player, table, "fold")
        expect(page.locator(".out-of-chips")).to_have_text(
            "You are out of chips. Leave the table to start over with new play money."
        )
        page.get_by_role("button", name="Leave").click()
        page.wait_for_url("**/")
        expect(page.locator(".lobby-head")).to_contain_text("You have lost all your play money")
        take_seat(Mouse(page), table)
        (now,) = room.card_room.table(table).seats
        assert now.player != me.player
        assert now.chips == 200_00
        play_round(Mouse(page))
        visit.is_in_order()
