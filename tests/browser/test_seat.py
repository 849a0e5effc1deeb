"""A seat in a real browser: every game to its end, however the page is worked; and what two who sit there see."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from cardroom.web.pages.templating import format_signed
from tests.browser.seats import MOST_QUESTIONS, Hands, Keyboard, Mouse, Touch, decide, play_round, take_seat
from tests.browser.visit import WIDTHS, open_window
from tests.deadline import wait_until
from tests.web.rooms import GAMES, ServedRoom, new_id


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_played_with_the_mouse_at_a_table_with_bots(browser: Browser, room: ServedRoom, game: str) -> None:
    with open_window(browser, room.url) as visit:
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
    browser: Browser, room: ServedRoom, game: str, hands: type[Hands], size: tuple[int, int]
) -> None:
    table = room.open_table(f"{hands.__name__.lower()}-{game}", game)
    with open_window(browser, room.url, *size, has_touch=hands is Touch) as visit:
        visit.go("/")
        how = hands(visit.page)
        take_seat(how, table)
        play_round(how)
        play_round(how)
        visit.is_in_order()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_seat_is_in_order_at_every_width_before_in_and_after_a_round(
    browser: Browser, room: ServedRoom, width: int
) -> None:
    table = room.open_table(f"wide-{width}")
    with open_window(browser, room.url, width, 800) as visit:
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


@pytest.mark.parametrize("game", GAMES)
def test_on_a_telephone_all_that_the_next_step_needs_is_on_the_first_screen(
    browser: Browser, room: ServedRoom, game: str
) -> None:
    with open_window(browser, room.url, 360, 640, has_touch=True) as visit:
        page = visit.go("/")
        take_seat(Touch(page), f"{game}-1")
        spots = page.locator(".spot").all()
        assert len(spots) >= 4
        all_fully_seen(*spots, page.locator('[data-do="deal"]'))
        begun = page.locator(".table-page").get_attribute("data-round")
        page.locator('[data-do="deal"]').tap()
        for _ in range(MOST_QUESTIONS):
            page.locator(f'.table-page:not([data-question=""]), .table-page:not([data-round="{begun}"])').wait_for()
            if page.locator(".table-page").get_attribute("data-round") != begun:
                break
            needed = page.locator("#sentence, .choice, .table-cards .card-place, .own-cards [data-card]").all()
            assert len(needed) >= 5
            all_fully_seen(*needed)
            seen = page.locator(".table-page").get_attribute("data-version")
            decide(Touch(page))
            page.locator(f'.table-page:not([data-version="{seen}"])').wait_for()
        cards = page.locator(".table-cards .card-place, .own-cards .card-place").all()
        assert len(cards) >= 2
        all_fully_seen(*cards, page.locator("#sentence"), page.locator('[data-do="deal"]'))


def all_fully_seen(*needed: Locator) -> None:
    """Each is fully seen, as soon as no sentence about a slow line covers the foot of the page."""
    expect(needed[0].page.locator("#lost")).to_be_hidden()
    for element in needed:
        wait_until(lambda element=element: fully_seen(element), f"{element} on the first screen")  # type: ignore[misc]


def fully_seen(element: Locator) -> bool:
    """Whether it is on the screen, and nothing covers its center or its lower edge."""
    seen: bool = element.evaluate(
        """one => {
            const box = one.getBoundingClientRect(), x = box.left + box.width / 2;
            return box.top >= 0 && box.bottom <= innerHeight && [box.top + box.height / 2, box.bottom - 4].every(y => {
                const there = document.elementFromPoint(x, y);
                return there && (one.contains(there) || there.contains(one));
            });
        }"""
    )
    return seen


def test_two_players_at_one_table_see_each_other_and_no_hidden_card(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("two")
    with ExitStack() as stack:
        ann, bob = (stack.enter_context(open_window(browser, room.url)) for _ in range(2))
        for visit in (ann, bob):
            visit.go("/")
            take_seat(Mouse(visit.page), table)
        expect(ann.page.locator(".neighbor")).to_have_count(1)
        ann.page.locator('[data-do="deal"]').click()
        expect(ann.page.locator("#sentence")).to_contain_text("Waiting for")
        bob.page.locator('[data-do="deal"]').click()
        expect(ann.page.locator("#sentence")).to_contain_text("Your turn")
        shown = ann.page.locator(".neighbor [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
        assert shown == ["??"] * 4
        expect(bob.page.locator(".own-cards [data-card]")).to_have_count(4)
        theirs = bob.page.locator(".own-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
        assert "??" not in theirs[:3]
        html = ann.page.content()
        assert not any(f'data-card="{card}"' in html for card in set(theirs[:3]) - set(_cards(ann.page)))
        ann.page.locator(".choice", has_text="Fold").click()
        expect(bob.page.locator("#sentence")).to_contain_text("Your turn")
        bob.page.locator(".choice", has_text="Play").click()
        for visit in (ann, bob):
            expect(visit.page.locator(".result")).to_be_visible()
            visit.is_in_order()


def _cards(page: Page) -> list[str]:
    found: list[str] = page.locator(".own-cards [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    return found


def test_wagers_that_no_rule_allows_are_refused_with_the_reason(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("chips")
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        page.locator('[data-chip="10000"]').click()
        page.locator("#spot-ante-play").click()
        expect(page.locator("#chips-ante-play")).to_have_text("$110")
        page.locator("#spot-ante-play").click()
        expect(page.locator("#refusal")).to_have_text("Ante and Play takes $10 to $200 in steps of $10.")
        expect(page.locator("#chips-ante-play")).to_have_text("$110")
        page.locator("#spot-prime").click()
        expect(page.locator("#refusal")).to_contain_text("That costs $210 and you have $200 at the table")
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


def test_wagers_that_are_accepted_stay_when_their_check_ends_after_the_next_chips(
    browser: Browser, room: ServedRoom
) -> None:
    table, checks = room.open_table("quick-hands"), list[Route]()
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        page.route("**/check", lambda route: route.continue_() if checks else checks.append(route))
        page.locator('[data-chip="10000"]').click()
        page.locator("#spot-ante-play").click()
        while not checks:  # each call lets the browser report what it has sent
            page.evaluate("0")
        page.locator("#spot-prime").click()
        expect(page.locator("#chips-prime")).to_have_text("$100")
        checks[0].continue_()
        expect(page.locator("#refusal")).to_contain_text("That costs $210 and you have $200 at the table")
        expect(page.locator("#chips-prime")).to_be_empty()
        expect(page.locator("#chips-ante-play")).to_have_text("$110")
        page.locator('[data-do="undo"]').click()
        expect(page.locator("#chips-ante-play")).to_have_text("$10")


def test_an_amount_that_a_spot_does_not_take_is_changed_with_a_notice(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("in-steps")
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        chips, notice = page.locator("#chips-ante-play"), page.locator("#refusal")
        takes = "Ante and Play takes $10 to $200 in steps of $10"
        page.locator('[data-chip="2500"]').click()
        page.locator("#spot-ante-play").click()
        expect(chips).to_have_text("$30")
        expect(notice).to_have_text(f"{takes}. Your bet is now $30.")
        page.locator('[data-chip="500"]').click()
        page.locator("#spot-ante-play").click()
        expect(chips).to_have_text("$40")
        expect(notice).to_have_text(f"{takes}. Your bet is now $40.")
        page.locator('[data-chip="10000"]').click()
        page.locator("#spot-ante-play").click()
        expect(chips).to_have_text("$140")
        expect(notice).to_be_empty()
        page.locator('[data-do="double"]').click()
        expect(notice).to_contain_text("Ante and Play takes $200 at most.")


def test_a_key_presses_the_button_that_shows_it(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("keys")
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        chips = page.locator("#chips-prime")
        page.keyboard.press("2")
        expect(chips).to_have_text("$5")
        page.keyboard.press("2")
        expect(chips).to_have_text("$10")
        page.keyboard.press("Shift+Digit2")
        expect(chips).to_have_text("$5")
        for key, left in (("c", ""), ("u", "$5"), ("x", "$10"), ("u", "$5")):
            page.keyboard.press(key)
            expect(chips).to_have_text(left)
        page.keyboard.press("d")
        expect(page.locator(".choice:not(:disabled)")).to_have_count(2)
        page.keyboard.press("f")
        expect(page.locator(".result")).to_contain_text("folded")
        page.locator("#player-seed").fill("d")  # what is typed into a field presses nothing
        expect(page.locator("#tray")).to_be_visible()


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_cards_are_dragged_from_one_place_to_the_other(browser: Browser, room: ServedRoom, touch: bool) -> None:
    table = room.open_table(f"dragged-{touch}", "three-card-double-play")
    with open_window(browser, room.url, *((360, 640) if touch else (1280, 800)), has_touch=touch) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        page.locator('[data-do="deal"]').click()
        taken, rest = page.locator("#selected .card-button"), page.locator('[data-place="rest"] .card-button')
        expect(rest).to_have_count(6)
        drag = dragged_by_finger if touch else dragged_by_mouse
        wanted = [rest.nth(at).get_attribute("data-card") for at in (0, 2, 4)]
        for card in wanted:
            drag(page, page.locator(f'[data-card="{card}"]'), page.locator("#selected"))
            expect(page.locator(f'#selected [data-card="{card}"]')).to_have_count(1)
        assert [card.get_attribute("data-card") for card in taken.all()] == wanted
        drag(page, taken.first, page.locator('[data-place="rest"]'))
        expect(taken).to_have_count(2)
        drag(page, taken.first, page.locator("#sentence"))  # nowhere: it goes back to where it was
        expect(taken).to_have_count(2)
        expect(page.locator(".choice")).to_be_disabled()
        expect(page.locator(".ghost")).to_have_count(0)
        page.locator('[data-do="house"]').click()
        expect(taken).to_have_count(3)
        page.locator(".choice").click()
        expect(page.locator("#sentence")).to_contain_text("stand")
        visit.is_in_order()


def dragged_by_mouse(page: Page, card: Locator, place: Locator) -> None:
    card.drag_to(place)


def dragged_by_finger(page: Page, card: Locator, place: Locator) -> None:
    line = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = (middle(locator) for locator in (card, place))
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 6):
        at = {"x": x + (to_x - x) * part / 5, "y": y + (to_y - y) * part / 5}
        line.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    line.detach()


def middle(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_low_hand_in_the_high_box_is_refused_with_the_rule(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("upside-down", "three-card-double-play")
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        page.locator('[data-do="deal"]').click()
        page.locator('[data-do="house"]').click()
        high = {card.get_attribute("id") for card in page.locator("#selected .card-button").all()}
        for card_id in sorted({f"own-1-{at}" for at in range(1, 7)}):
            page.locator(f"#{card_id}").click()
        assert high.isdisjoint(card.get_attribute("id") for card in page.locator("#selected .card-button").all())
        page.locator(".choice").click()
        expect(page.locator("#refusal")).to_contain_text("beats your High hand")
        expect(page.locator("#selected .card-button")).to_have_count(3)  # as the player laid them
        page.locator('[data-do="house"]').click()
        page.locator(".choice").click()
        expect(page.locator("#sentence")).to_contain_text("stand")


def test_arranged_cards_stay_in_place_when_the_table_updates(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("news", "texas-shootout")
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        page.locator('[data-do="deal"]').click()
        expect(page.locator('[data-place="rest"] .card-button')).to_have_count(4)
        page.keyboard.press("2")
        page.keyboard.press("4")
        mine = [card.get_attribute("id") for card in page.locator("#selected .card-button").all()]
        assert mine == ["own-1-2", "own-1-4"]
        room.players.admit_guest().sit(table)
        expect(page.locator(".neighbor")).to_have_count(1)
        assert [card.get_attribute("id") for card in page.locator("#selected .card-button").all()] == mine


def test_a_second_tap_on_deal_decides_nothing(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("hasty")
    with open_window(browser, room.url, 360, 640, has_touch=True) as visit:
        page = visit.go("/")
        take_seat(Touch(page), table)
        sent = list[str]()
        page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
        # The second tap comes in the frame in which the choices are drawn first, and no later.
        page.evaluate(
            """() => document.getElementById("live").addEventListener("page:updated", function tap() {
                const choices = document.querySelectorAll(".choice");
                if (choices.length) document.getElementById("live").removeEventListener("page:updated", tap);
                for (const one of choices) one.click();
            })"""
        )
        page.locator('[data-do="deal"]').tap()
        expect(page.locator(".choice:not(:disabled)")).to_have_count(2)
        expect(page.locator("#sentence")).to_contain_text("Your turn: play for $10 more, or fold.")
        assert "wagers" in sent
        assert "decisions" not in sent


def test_each_spot_shows_its_net_result(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("spot-by-spot")
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        page.locator("#spot-prime").click()
        page.locator('[data-do="deal"]').click()
        page.locator(".choice", has_text="Fold").click()
        expect(page.locator(".result")).to_be_visible()
        past = room.card_room.get_past_round(f"{table}.1")
        nets = dict.fromkeys(("ante-play", "prime"), 0)
        for payment in past.settlement.payments:
            nets[payment.spot] += payment.known_return - payment.wagered
        for spot, cents in nets.items():
            expect(page.locator(f"#spot-{spot} .spot-net")).to_contain_text(format_signed(cents))
        expect(page.locator(".spot-net")).to_have_count(2)


def test_the_coach_marks_the_best_decision_and_says_what_the_last_one_cost(browser: Browser, room: ServedRoom) -> None:
    table = room.open_table("coached")
    with open_window(browser, room.url) as visit:
        page = visit.go("/")
        take_seat(Mouse(page), table)
        page.keyboard.press("h")
        page.locator('[data-do="deal"]').click()
        expect(page.locator(".choice.best")).to_have_count(1)
        worse = page.locator(".choice:not(.best)")
        label = worse.get_attribute("data-label")
        worse.click()
        expect(page.locator("#coach-note")).to_contain_text(f"“{label}” cost")
        page.keyboard.press("h")
        play_round(Mouse(page))
        expect(page.locator("#coach-note")).to_be_empty()  # the coach is off


def test_another_players_practice_table_is_hidden(browser: Browser, room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    table = ann.post("/tables", id=new_id(), game="three-card-prime").json()["table"]
    with open_window(browser, room.url) as visit:
        answered = visit.page.goto(f"{room.url}/tables/{table}")
        assert answered is not None
        assert answered.status == 404


def test_an_unknown_table_has_an_error_page(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/tables/nowhere")
        expect(page.locator("main")).to_contain_text("There is no table")
        page.get_by_role("link", name="To the tables").click()
        expect(page.locator(".table-card").first).to_be_visible()
        visit.is_in_order()
