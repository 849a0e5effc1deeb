"""The rules of each game, as players read and print them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from cardroom.games import game
from cardroom.paytables import describe_pay
from tests.browser.visit import WIDTHS, open_window
from tests.web.rooms import GAMES, ServedRoom


@pytest.mark.parametrize("width", WIDTHS)
def test_the_rules_are_in_order_at_every_width(browser: Browser, room: ServedRoom, width: int) -> None:
    shown = GAMES[WIDTHS.index(width)]
    with open_window(browser, room.url, width) as visit:
        page = visit.go("/rules")
        expect(page.locator(".game-in-short")).to_have_count(len(GAMES))
        visit.is_in_order()
        page.get_by_role("link", name=game(shown).facts.name, exact=True).click()
        page.wait_for_url(f"**/rules/{shown}")
        visit.is_in_order()


@pytest.mark.parametrize("slug", GAMES)
def test_rules_say_what_the_table_plays_by(browser: Browser, room: ServedRoom, slug: str) -> None:
    rules, table = game(slug), room.card_room.table(f"{slug}-1").open_table.table
    with open_window(browser, room.url) as visit:
        page = visit.go(f"/rules/{slug}")
        steps = page.locator(".steps li")
        expect(steps).to_have_count(len(rules.procedure(table)))
        for step, text in zip(rules.procedure(table), steps.all_inner_texts(), strict=True):
            assert step.text in text
        for ruling in rules.rulings:
            assert ruling.text.replace("`", "") in page.locator(f"#{ruling.number} dd").inner_text()
        paid = page.locator(".paytables table")
        for shown, offered in zip(paid.all(), table.offers.values(), strict=False):
            pays = shown.locator("tbody td").all_inner_texts()
            assert pays == ([describe_pay(line.pay) for line in offered.paytable.lines] or ["1 to 1"])


def test_a_ruling_that_is_cited_is_one_click_away(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/rules/three-card-prime")
        page.locator(".in-short").get_by_role("link", name="TP-6").click()
        expect(page).to_have_url(f"{room.url}/rules/three-card-prime#TP-6")
        expect(page.locator("#TP-6")).to_be_in_viewport()


def test_printed_rules_are_paper_and_nothing_else(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/rules/texas-shootout")
        page.emulate_media(media="print")
        expect(page.locator(".rail")).to_be_hidden()
        expect(page.locator(".tools")).to_be_hidden()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_an_unknown_game_is_refused_with_a_sentence(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/rules/old-maid")
        expect(page.get_by_role("alert").first).to_contain_text("There is no game 'old-maid'")
        page = visit.go("/rules/deuces-wild?table=prime-9")
        expect(page.get_by_role("alert").first).to_contain_text("There is no table 'prime-9' of Deuces Wild")
