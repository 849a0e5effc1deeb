"""People come in: the first operator, a login and its password, a player with a name, a role that is not let pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cardroom.chart_of_accounts import Currency
from cardroom.room.user.permissions import Role
from cardroom.service.chains.names import jackpot_chain, user_chain
from cardroom.web.middleware.permissions import SESSION_COOKIE
from tests.browser.seats import Mouse, Touch, play_round, take_seat
from tests.browser.test_seat import all_fully_seen
from tests.browser.users import Caller, open_staff_window, sign_as_second, sign_in_browser
from tests.browser.visit import WIDTHS, open_window
from tests.deadline import wait_until
from tests.service.card_rooms import final_four
from tests.service.staff import CAGE, DEALER, OPERATOR, PLAYER, SUPERVISOR, Both, hire, password_of, staffed
from tests.web.rooms import QUICK, ServedRoom, new_id, serve_room

JACKPOT = "/office/jackpots/final-four"
DISABLE = f"{JACKPOT}/disable"
LEDGER = "/office/ledger?kind=jackpot%3A"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    """A room with one person of each role, and something to see in its office."""
    with serve_room(tmp_path_factory.mktemp("house")) as room:
        staffed(room.card_room).jackpots.open(new_id(), OPERATOR, final_four())
        yield room


def by_mouse(page: Page, button: str, **typed: str) -> None:
    """Fill a form in field by field, and press its button."""
    for name, words in typed.items():
        page.locator(f"#{name}").click()
        page.locator(f"#{name}").fill(words)
    page.locator("main").get_by_role("button", name=button).click()


def by_keyboard(page: Page, _: str, **typed: str) -> None:
    """Type from the field where the page has put one, go on with Tab, and send it with Enter."""
    for at, (name, words) in enumerate(typed.items()):
        if at:
            page.keyboard.press("Tab")
        expect(page.locator(f"#{name}")).to_be_focused()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(words)
    page.keyboard.press("Enter")


Hands = Callable[..., None]


def signs_in(page: Page, login: str, password: str, hands: Hands = by_mouse) -> None:
    hands(page, "Sign in", login=login, password=password)


@pytest.mark.parametrize("hands", [by_mouse, by_keyboard], ids=["mouse", "keyboard"])
def test_the_first_operator_of_a_new_room_opens_its_office(browser: Browser, tmp_path: Path, hands: Hands) -> None:
    with serve_room(tmp_path, replace(QUICK, demo=True)) as room, open_window(browser, room.url) as visit:
        page = visit.go("/")
        page.get_by_role("link", name="Sign in").click()
        page.wait_for_url("**/first")
        visit.is_in_order()
        olga = {"login": "olga", "name": "Olga Ortiz", "password": "two blue herons sleep"}
        hands(page, "Open the office", **olga, again="two blue herons")
        expect(page.get_by_role("alert")).to_have_text("The passwords do not match. Type both again.")
        expect(page.locator("#name")).to_have_value("Olga Ortiz")
        expect(page.locator("#password")).to_have_value("")
        visit.is_in_order()
        assert room.card_room.users.list_users() == ()
        hands(page, "Open the office", **olga, again="two blue herons sleep")
        page.wait_for_url("**/office")
        expect(page.locator(".rail .signed")).to_have_text("olga operator")
        visit.is_in_order()
        assert room.card_room.users.list_users() == ("olga",)
        visit.go("/first")
        page.wait_for_url("**/office")


def test_a_card_room_without_users_says_where_its_first_operator_is_registered(
    browser: Browser, tmp_path: Path
) -> None:
    with serve_room(tmp_path) as room, open_window(browser, room.url) as visit:
        page = visit.go("/office")
        page.wait_for_url("**/first")
        expect(page.locator("main")).to_contain_text("Register the first operator on the server computer")
        expect(page.locator("main input")).to_have_count(0)
        visit.is_in_order()


@pytest.mark.parametrize("hands", [by_mouse, by_keyboard], ids=["mouse", "keyboard"])
def test_signing_in_leads_where_one_wanted_to_go_and_a_wrong_password_says_so(
    browser: Browser, house: ServedRoom, hands: Hands
) -> None:
    with open_window(browser, house.url) as visit:
        page = visit.go(LEDGER)
        expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
        visit.is_in_order()
        signs_in(page, OPERATOR, "two blue herons", hands)
        expect(page.get_by_role("alert")).to_contain_text("The login or the password is wrong, or")
        expect(page.locator("#login")).to_have_value(OPERATOR)
        expect(page.locator("#password")).to_have_value("")
        expect(page.locator("#password")).to_be_focused()
        visit.is_in_order()
        by_mouse(page, "Sign in", password=password_of(OPERATOR))
        expect(page).to_have_url(house.url + LEDGER)
        expect(page.locator(".rail")).to_contain_text("Office")
        visit.is_in_order()
        (cookie,) = [cookie for cookie in page.context.cookies() if cookie["name"] == SESSION_COOKIE]
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        assert cookie["value"] not in page.content()


def test_after_three_wrong_passwords_the_right_one_is_refused_too(browser: Browser, house: ServedRoom) -> None:
    hire(house.card_room, "mia", Role.AUDITOR)
    with open_window(browser, house.url) as visit:
        page = visit.go("/sign-in")
        for words in ("one", "two", "three", password_of("mia")):
            signs_in(page, "mia", words)
            expect(page.get_by_role("alert")).to_contain_text("is wrong, or this login is locked here")
        visit.is_in_order()
    assert house.card_room.user("mia").locked_places


def test_signing_in_never_leads_to_another_host(browser: Browser, house: ServedRoom) -> None:
    with open_window(browser, house.url) as visit:
        page = visit.go("/sign-in?next=//elsewhere.example/office")
        signs_in(page, SUPERVISOR, password_of(SUPERVISOR))
        expect(page).to_have_url(f"{house.url}/office")
        assert not visit.complaints


def test_a_one_time_password_must_be_replaced_first(browser: Browser, house: ServedRoom) -> None:
    once = (
        Both(house.card_room)
        .users.add(new_id(), OPERATOR, "rosa", "Rosa Diaz", Role.DEALER, second=SUPERVISOR)
        .one_time_password
    )
    with open_window(browser, house.url) as visit:
        page = visit.go("/dealer")
        signs_in(page, "rosa", once)
        page.wait_for_url("**/account/password")
        expect(page.get_by_text("Welcome, Rosa Diaz.")).to_be_visible()
        visit.is_in_order()
        visit.go("/dealer")
        page.wait_for_url("**/account/password?next=**")
        by_mouse(page, "Change password", password=once, new="rosa diaz rosa", again="rosa diaz rosa")
        expect(page.get_by_role("alert")).to_contain_text("The password is easy to guess")
        by_keyboard(page, "Change password", password=once, new="nine old kettles sing", again="nine old kettles sing")
        expect(page.get_by_role("status")).to_contain_text("Your password is changed.")
        visit.is_in_order()
        expect(visit.go("/dealer").get_by_role("heading", level=1)).to_be_visible()
        assert page.url.endswith("/dealer")


def test_a_player_signs_in_and_plays_under_a_name(browser: Browser, house: ServedRoom) -> None:
    table = house.open_table("named-1")
    Both(house.card_room).players.pay_in(new_id(), CAGE, PLAYER, 500_00, "4471", second=SUPERVISOR)
    with open_window(browser, house.url) as visit:
        page = visit.go("/")
        page.get_by_role("link", name="Sign in").click()
        signs_in(page, PLAYER, password_of(PLAYER), by_keyboard)
        page.wait_for_url(f"{house.url}/")
        take_seat(Mouse(page), table)
        play_round(Mouse(page))
        seated = house.card_room.table(table).occupant(1)
        assert seated is not None
        assert seated.player == PLAYER
        visit.is_in_order()
        expect(page.locator(".rail .signed")).to_contain_text(PLAYER)
        expect(page.locator(".rail")).not_to_contain_text("Office")
        page = visit.go("/account")
        expect(page.get_by_role("button", name="Lock this device")).to_have_count(0)
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{house.url}/")
        page = visit.go(f"/tables/{table}")
        expect(page.locator("#tray")).to_have_count(0)


@pytest.mark.parametrize("game", ["texas-shootout", "three-card-double-play"])
def test_a_long_name_in_the_rail_leaves_the_next_step_on_the_first_screen_of_a_telephone(
    browser: Browser, house: ServedRoom, game: str
) -> None:
    table, login = house.open_table(f"long-{game}", game), f"maximiliana-of-{game}"
    house.card_room.players.admit_player(new_id(), OPERATOR, login, Currency.PLAY)
    Both(house.card_room).players.pay_in(new_id(), CAGE, login, 500_00, "4471", second=SUPERVISOR)
    hire(house.card_room, login, Role.PLAYER)
    with open_staff_window(browser, house, login, 360, 640, has_touch=True) as visit:
        page = visit.go("/")
        expect(page.locator(".rail .signed a")).to_have_text(f"{login} player")
        assert page.locator(".rail").evaluate("one => one.offsetHeight") < 64, "one line"
        visit.is_in_order()
        take_seat(Touch(page), table)
        all_fully_seen(*page.locator(".spot").all(), page.locator('[data-do="deal"]'))
        page.locator('[data-do="deal"]').tap()
        page.locator(".choice").first.wait_for()
        needed = page.locator("#sentence, .choice, .table-cards .card-place, .own-cards [data-card]").all()
        all_fully_seen(*needed)
        visit.is_in_order()


def test_who_is_not_let_pass_reads_why_and_who_may(browser: Browser, house: ServedRoom) -> None:
    with open_staff_window(browser, house, DEALER) as visit:
        answer = visit.page.goto(f"{house.url}/office")
        assert answer is not None
        assert answer.status == 403
        expect(visit.page.locator(".refusal-text")).to_have_text(
            "dora is a dealer: "
            "only supervisors, cage staff, surveillance officers, operators, and auditors may see the office."
        )
        expect(visit.page.locator(".rail nav")).not_to_contain_text("Office")
        visit.is_in_order()


def test_an_action_of_two_people_is_signed_by_the_second_one_with_a_password(
    browser: Browser, house: ServedRoom
) -> None:
    with open_window(browser, house.url) as visit:
        page = visit.go(f"{JACKPOT}/change/main")
        signs_in(page, OPERATOR, password_of(OPERATOR))
        page.wait_for_url("**/change/main")
        box = page.get_by_role("group", name="The second person signs here")
        page.get_by_label("Contribution").fill("30%")
        page.get_by_label("Reason").fill("Agreed in March")
        for login, password, sentence in (
            (SUPERVISOR, "", "sam must type a password"),
            (SUPERVISOR, "two blue herons", "The login or the password is wrong"),
            (DEALER, password_of(DEALER), "dora is a dealer: only supervisors and operators may sign"),
            (OPERATOR, password_of(OPERATOR), "olga cannot be the second person besides olga"),
        ):
            sign_as_second(box, login, password)
            page.get_by_role("button", name="Save the change").click()
            expect(box.get_by_role("alert")).to_contain_text(sentence)
            expect(box.get_by_label("Second person's password")).to_have_value("")
            expect(page.get_by_label("Contribution")).to_have_value("30%")
            assert not password or password not in page.content()
            visit.is_in_order()
        before = house.card_room.jackpot("final-four")
        sign_as_second(box, SUPERVISOR)
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Saved.")
        expect(page.get_by_role("region", name="Parameters")).to_contain_text("30%")
        assert house.card_room.jackpot("final-four") != before


def test_an_open_page_is_shown_out_when_its_session_is_ended_elsewhere(browser: Browser, house: ServedRoom) -> None:
    with open_window(browser, house.url) as here, open_staff_window(browser, house, SUPERVISOR) as there:
        sign_in_browser(here.page.context, house.card_room, house.url, SUPERVISOR)
        page = here.go("/office")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        other = there.go("/account")
        there.is_in_order()
        ends = other.get_by_role("button", name="End session")
        for left in reversed(range(ends.count())):  # those of tests before are ended too
            ends.first.click()
            expect(other.get_by_role("status")).to_have_text("The session has ended.")
            expect(ends).to_have_count(left)
        expect(page).to_have_url(f"{house.url}/sign-in?next=/office")
        expect(page.locator("body")).not_to_contain_text("Open now")
        here.is_in_order()


def test_a_form_that_is_sent_when_the_session_has_ended_changes_nothing_and_gives_nothing_away(
    browser: Browser, house: ServedRoom
) -> None:
    with open_window(browser, house.url) as visit:
        token = sign_in_browser(visit.page.context, house.card_room, house.url, OPERATOR)
        visit.page.route_web_socket("**/live?*", lambda _: None)  # the page does not learn that its session has ended
        page = visit.go(f"{JACKPOT}/change/main")
        page.get_by_label("Contribution").fill("35%")
        page.get_by_label("Reason").fill("Agreed in May")
        sign_as_second(page, SUPERVISOR)
        chains = jackpot_chain("final-four"), user_chain(SUPERVISOR)
        before = [house.card_room.ledger.head(chain) for chain in chains]
        session = house.card_room.users.find_session(token)
        assert session is not None
        house.card_room.users.end_session(session)
        with Caller(house) as caller:
            caller.cookies.set(SESSION_COOKIE, token)
            wait_until(lambda: caller.get("/office", headers={"Accept": "text/html"}).status_code == 303)
        with page.expect_response("**/change/main") as sent:
            page.get_by_role("button", name="Save the change").click()
        assert sent.value.status == 401
        expect(page.locator("main")).to_contain_text("Sign in first. This page is for staff.")
        assert password_of(SUPERVISOR) not in page.content()
        visit.is_in_order()
    assert [house.card_room.ledger.head(chain) for chain in chains] == before


def test_a_page_that_never_changes_gives_way_to_the_lock_without_a_click(browser: Browser, house: ServedRoom) -> None:
    with open_staff_window(browser, house, CAGE) as visit:
        page = visit.go(f"/office/players/{PLAYER}")
        expect(page.locator("main")).to_contain_text(PLAYER)
        (token,) = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == SESSION_COOKIE]
        session = house.card_room.users.find_session(token)
        assert session is not None
        house.card_room.users.lock_session(session, "left alone")
        expect(page).to_have_url(f"{house.url}/unlock?next=/office/players/{PLAYER}")
        expect(page.locator("body")).not_to_contain_text(PLAYER)
        visit.is_in_order()


def test_after_signing_out_the_way_back_shows_nothing(browser: Browser, house: ServedRoom) -> None:
    with open_staff_window(browser, house) as visit:
        page = visit.go(LEDGER)
        expect(page.get_by_role("link", name="final-four").first).to_be_visible()
        page.locator(".rail .signed a").click()
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{house.url}/")
        assert not [cookie for cookie in page.context.cookies() if cookie["name"] == SESSION_COOKIE]
        for _ in range(2):
            page.go_back()
            expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
            expect(page.locator("body")).not_to_contain_text("final-four")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_pages_of_the_door_are_in_order_at_every_width(browser: Browser, house: ServedRoom, width: int) -> None:
    with open_window(browser, house.url, width) as visit:
        visit.go("/sign-in")
        visit.is_in_order()
        token = sign_in_browser(visit.page.context, house.card_room, house.url, DEALER)
        for path in ("/office", "/account/password", "/account/pin", "/account"):
            visit.go(path)
            visit.is_in_order()
        session = house.card_room.users.find_session(token)
        assert session is not None
        house.card_room.users.lock_session(session, "the device was idle")
        expect(visit.page).to_have_url(f"{house.url}/unlock?next=/account")  # the page goes there by itself
        visit.page.wait_for_load_state()
        visit.is_in_order()


def test_no_page_of_the_door_is_kept_by_a_browser(house: ServedRoom) -> None:
    with Caller(house, DEALER) as caller:
        for path in ("/account", "/account/password", "/account/pin", "/dealer", "/office"):
            answer = caller.get(path, headers={"Accept": "text/html"})
            assert answer.headers["cache-control"] == "no-store", path
