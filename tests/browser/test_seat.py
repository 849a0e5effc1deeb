"""A seat in a real browser: every game to its end, however the page is worked; and what two who sit there see."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.seats import Hands, Keyboard, Mouse, Touch, play_round, take_seat
from tests.browser.visit import SOON, WIDTHS, visiting
from tests.web.rooms import GAMES, Served, an_id


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_played_with_the_mouse_at_a_table_with_company(browser: Browser, room: Served, game: str) -> None:
    with visiting(browser, room.url) as visit:
        visit.go("/")
        hands = Mouse(visit.page)
        take_seat(hands, f"{game}-1")
        play_round(hands)
        visit.is_in_order()
        hands.use(visit.page.get_by_role("button", name="Leave"))
        visit.page.wait_for_url("**/")


@pytest.mark.parametrize(("hands", "size"), [(Keyboard, (1280, 800)), (Touch, (360, 640))], ids=["keyboard", "touch"])
@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_played_by_keyboard_alone_and_by_touch_on_a_telephone(
    browser: Browser, room: Served, game: str, hands: type[Hands], size: tuple[int, int]
) -> None:
    table = room.open_table(f"{hands.__name__.lower()}-{game}", game)
    with visiting(browser, room.url, *size, has_touch=hands is Touch) as visit:
        visit.go("/")
        how = hands(visit.page)
        take_seat(how, table)
        play_round(how)
        play_round(how)
        visit.is_in_order()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_seat_is_in_order_at_every_width_before_in_and_after_a_round(
    browser: Browser, room: Served, width: int
) -> None:
    table = room.open_table(f"wide-{width}")
    with visiting(browser, room.url, width, 800) as visit:
        hands = Mouse(visit.page)
        visit.go("/")
        take_seat(hands, table)
        visit.is_in_order()
        hands.use(visit.page.locator('[data-do="deal"]'))
        expect(visit.page.locator(".choice")).to_have_count(2)
        visit.is_in_order()
        hands.use(visit.page.locator(".choice").last)
        expect(visit.page.locator(".result")).to_be_visible()
        visit.is_in_order()


def test_on_a_telephone_the_question_and_the_cards_are_on_the_first_screen(browser: Browser, room: Served) -> None:
    table = room.open_table("first-screen", "texas-shootout")
    with visiting(browser, room.url, 360, 640, has_touch=True) as visit:
        page = visit.go("/")
        take_seat(Touch(page), table)
        assert visible_at_once(page.locator('[data-do="deal"]'))
        page.locator('[data-do="deal"]').tap()
        expect(page.locator(".choice")).to_have_count(2)
        for one in (
            "#sentence",
            ".choice >> nth=0",
            ".choice >> nth=1",
            ".card-button >> nth=0",
            ".card-button >> nth=3",
        ):
            assert visible_at_once(page.locator(one)), one


def visible_at_once(one: Locator) -> bool:
    box = one.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 640


def test_two_players_at_one_table_see_each_other_and_no_hidden_card(browser: Browser, room: Served) -> None:
    table = room.open_table("two")
    with ExitStack() as stack:
        ann, bob = (stack.enter_context(visiting(browser, room.url)) for _ in range(2))
        for one in (ann, bob):
            one.go("/")
            take_seat(Mouse(one.page), table)
        expect(ann.page.locator(".neighbour")).to_have_count(1, timeout=SOON)
        ann.page.locator('[data-do="deal"]').click()
        expect(ann.page.locator("#sentence")).to_contain_text("Waiting for")
        bob.page.locator('[data-do="deal"]').click()
        expect(ann.page.locator("#sentence")).to_contain_text("Your turn", timeout=SOON)
        shown = ann.page.locator(".neighbour [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
        assert shown == ["??"] * 4
        theirs = bob.page.locator(".my-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
        assert "??" not in theirs[:3]
        html = ann.page.content()
        assert not any(f'data-card="{card}"' in html for card in set(theirs[:3]) - set(_cards(ann.page)))
        ann.page.locator(".choice", has_text="Fold").click()
        expect(bob.page.locator("#sentence")).to_contain_text("Your turn", timeout=SOON)
        bob.page.locator(".choice", has_text="Play").click()
        for one in (ann, bob):
            expect(one.page.locator(".result")).to_be_visible(timeout=SOON)
            one.is_in_order()


def _cards(page: Page) -> list[str]:
    found: list[str] = page.locator(".my-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    return found


def test_chips_that_no_rule_allows_cannot_be_put_down_and_the_room_says_why(browser: Browser, room: Served) -> None:
    table = room.open_table("chips")
    with visiting(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        page.locator('[data-chip="10000"]').click()
        page.locator("#spot-ante-play").click()
        expect(page.locator("#chips-ante-play")).to_have_text("$110")
        page.locator("#spot-ante-play").click()
        expect(page.locator("#refusal")).to_contain_text("Ante and Play takes $10 to $200.")
        expect(page.locator("#chips-ante-play")).to_have_text("$110")
        page.locator("#spot-prime").click()
        expect(page.locator("#refusal")).to_contain_text("That takes $210 and you have $200 here")
        expect(page.locator("#chips-prime")).to_be_empty()
        page.locator('[data-chip="500"]').click()
        page.locator("#spot-prime").click()
        expect(page.locator("#chips-prime")).to_have_text("$5")
        expect(page.locator("#refusal")).to_be_empty()
        page.locator('[data-do="undo"]').click()
        expect(page.locator("#chips-prime")).to_be_empty()
        expect(page.locator("#chips-ante-play")).to_have_text("$110")
        page.locator('[data-do="clear"]').click()
        expect(page.locator('[data-do="deal"]')).to_be_disabled()


def test_the_coach_marks_the_best_answer_and_says_what_the_last_one_cost(browser: Browser, room: Served) -> None:
    table = room.open_table("coached")
    with visiting(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        page.keyboard.press("h")
        page.locator('[data-do="deal"]').click()
        expect(page.locator(".choice.best")).to_have_count(1, timeout=60_000)
        worse = page.locator(".choice:not(.best)")
        said = worse.get_attribute("data-verb")
        worse.click()
        expect(page.locator("#lesson")).to_contain_text(f"“{said}” cost")


def test_another_players_practice_table_is_not_there(browser: Browser, room: Served) -> None:
    ann = room.guest()
    table = ann.post("/tables", id=an_id(), game="three-card-prime").json()["table"]
    with visiting(browser, room.url) as visit:
        answered = visit.page.goto(f"{room.url}/tables/{table}")
        assert answered is not None
        assert answered.status == 404


def test_a_table_that_is_not_there_is_told_on_a_page(browser: Browser, room: Served) -> None:
    with visiting(browser, room.url) as visit:
        page = visit.go("/tables/nowhere")
        expect(page.locator("main")).to_contain_text("There is no table")
        page.get_by_role("link", name="To the tables").click()
        expect(page.locator(".felt-card").first).to_be_visible()
        visit.is_in_order()
