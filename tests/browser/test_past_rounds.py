"""A round recalled and one's own rounds in the browser: step by step, by clicking, and the shuffle worked out there."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from cardroom.web.api.requests import PLAYER_COOKIE
from tests.browser.visit import WIDTHS, Visit, open_window
from tests.web.rooms import Player, ServedRoom, expect_success, new_id

TABLE = "recalled"


class Played(NamedTuple):
    ann: Player
    id: str


@pytest.fixture(scope="module")
def played(room: ServedRoom) -> Played:
    """A round of Texas Shootout of two players, one of whom adds words to the shuffle."""
    room.open_table(TABLE, "texas-shootout")
    ann, bob = room.players.admit_guest(), room.players.admit_guest()
    ann.sit(TABLE, seat=1)
    bob.sit(TABLE, seat=2)
    for player, words in ((ann, {"words": "swordfish"}), (bob, {})):
        wagers = {"shootout": 10_00, "quick-draw": 5_00}
        expect_success(player.post(f"/tables/{TABLE}/wagers", id=new_id(), wagers=wagers, **words))
    while (asked := room.card_room.view_table(TABLE)).position is not None:
        turn = asked.position.round.seat_turn
        (ann if turn.seat == 1 else bob).decide(TABLE, str(turn.options[0]))
    return Played(ann, f"{TABLE}.1")


def comes_in(visit: Visit, player: Player) -> None:
    visit.page.context.add_cookies([{"name": PLAYER_COOKIE, "value": player.token, "url": visit.url}])


def step(page: Page) -> str:
    return page.locator(".step-now").inner_text()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_past_round_and_ones_own_rounds_are_in_order_at_every_width(
    browser: Browser, room: ServedRoom, played: Played, width: int
) -> None:
    with open_window(browser, room.url, width) as visit:
        comes_in(visit, played.ann)
        page = visit.go("/me")
        visit.is_in_order()
        page.get_by_role("link", name="Round 1", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Round 1")
        visit.is_in_order()


def test_a_round_is_gone_through_by_keys_and_what_was_hidden_shows_at_the_end(
    browser: Browser, room: ServedRoom, played: Played
) -> None:
    with open_window(browser, room.url) as visit:
        comes_in(visit, played.ann)
        page = visit.go(f"/rounds/{played.id}?step=1")
        layout = page.locator(".replay-layout")
        expect(layout.get_by_role("img")).to_have_count(0)
        backs = layout.get_by_role("img", name="face down")
        page.locator("#next").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".step-now")).to_contain_text("Step 2 of 5: Deal")
        assert backs.count() >= 4, "Bob's cards and the dealer's lie face down"
        for _ in range(3):
            before = step(page)
            page.keyboard.press("Enter")
            expect(page.locator(".step-now")).not_to_have_text(before)
        expect(page.locator(".step-now")).to_contain_text("End")
        expect(backs).to_have_count(0)
        page.get_by_role("link", name="Wagers", exact=True).click()
        expect(layout.get_by_role("img")).to_have_count(0)
        visit.is_in_order()


def test_the_visitors_own_browser_works_the_shuffle_out(browser: Browser, room: ServedRoom, played: Played) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go(f"/rounds/{played.id}")
        button, result = page.locator("#check-in-browser"), page.locator("#check-result")
        button.click()
        expect(result).to_contain_text("Your browser agrees")
        button.evaluate("it => it.dataset.seeds = '{}'")
        button.click()
        expect(result).to_contain_text("This browser computes another order")
        button.evaluate("it => it.dataset.key = '00'.repeat(32)")
        button.click()
        expect(result).to_contain_text("not the seal that was shown")
        visit.is_in_order()
