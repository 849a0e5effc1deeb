"""A dealer's tablet is locked: by its dealer, or after a time without use; the PIN unlocks it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cardroom.room.user.permissions import MINUTE, Role
from tests.browser.users import open_staff_window, sign_in_browser
from tests.browser.visit import Visit, open_window
from tests.service.live_scenes import PRIME, begin, live_prime
from tests.service.staff import DEALER, HERE, OPERATOR, password_of, staffed
from tests.service.table_scenes import HandClock
from tests.web.rooms import QUICK, ServedRoom, serve_room

CONSOLE = f"/dealer/{PRIME}"
LOCKED = f"/unlock?next={CONSOLE}"
PIN = "2580"
TABLET = (1024, 768)
FIVE_MINUTES = Role.DEALER.idle_limit // MINUTE * 60


@pytest.fixture(scope="module")
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, clock: HandClock) -> Iterator[ServedRoom]:
    """A live table, and a dealer who has chosen a PIN."""
    with serve_room(tmp_path_factory.mktemp("live"), QUICK, clock) as room:
        live_prime(staffed(room.card_room))
        dealer = room.card_room.users.sign_in(DEALER, password_of(DEALER), HERE).session
        room.card_room.users.choose_pin(dealer, password_of(DEALER), PIN, HERE)
        yield room


@contextmanager
def dealing(browser: Browser, house: ServedRoom) -> Iterator[Visit]:
    with open_staff_window(browser, house, DEALER, *TABLET, has_touch=True) as visit:
        expect(visit.go(CONSOLE).locator(".now h2").first).to_be_visible()
        yield visit


def tap_pin(page: Page, pin: str) -> None:
    expect(page.locator("#pin")).to_have_attribute("inputmode", "none")  # from then on the keys of the page type
    for digit in pin:
        page.get_by_role("button", name=digit, exact=True).tap()


def test_a_dealer_locks_the_tablet_and_taps_the_pin_to_go_on(browser: Browser, house: ServedRoom) -> None:
    with dealing(browser, house) as visit:
        page = visit.page
        lock = page.get_by_role("button", name="Lock")
        box = lock.bounding_box()
        assert box is not None
        assert box["height"] >= 64
        assert box["width"] >= 64
        lock.tap()
        expect(page).to_have_url(house.url + LOCKED)
        expect(page.locator("main")).to_contain_text("Dora is signed in on this device. Locked by dora.")
        expect(page.locator("body")).not_to_contain_text("Three Card Prime")
        visit.is_in_order()
        small = page.locator(".pad button").evaluate_all(
            "all => all.filter(one => Math.min(one.offsetHeight, one.offsetWidth) < 64).map(one => one.value)"
        )
        assert small == []
        tap_pin(page, "12345678900")
        expect(page.locator("#pin")).to_have_value("12345678")
        for _ in range(6):
            page.get_by_role("button", name="Delete the last digit").tap()
        expect(page.locator("#pin")).to_have_value("12")
        page.get_by_role("button", name="Unlock").tap()
        expect(page.get_by_role("alert")).to_have_text("That is not the PIN of dora: type it again.")
        expect(page.locator("#pin")).to_have_value("")
        visit.is_in_order()
        tap_pin(page, PIN)
        page.get_by_role("button", name="Unlock").tap()
        expect(page).to_have_url(house.url + CONSOLE)
        expect(page.get_by_role("button", name="Begin the round")).to_be_visible()


def test_a_locked_tablet_is_opened_by_keyboard_alone_and_shows_nothing_on_any_other_way(
    browser: Browser, house: ServedRoom
) -> None:
    with dealing(browser, house) as visit:
        page = visit.page
        page.get_by_role("button", name="Lock").press("Enter")
        expect(page.locator("#pin")).to_be_focused()
        for path in (CONSOLE, "/dealer", "/account"):
            visit.go(path)
            expect(page).to_have_url(f"{house.url}/unlock?next={path}")
        page.keyboard.type(PIN)
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{house.url}/account")


def test_the_keys_of_the_pin_are_on_the_first_screen_of_a_telephone(browser: Browser, house: ServedRoom) -> None:
    with open_staff_window(browser, house, DEALER, 360, 640, has_touch=True) as visit:
        page = visit.go(CONSOLE)
        page.get_by_role("button", name="Lock").tap()
        for name in ("1", "0", "Unlock"):
            expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
        visit.is_in_order()


def test_an_unused_console_locks_by_itself(browser: Browser, house: ServedRoom, clock: HandClock) -> None:
    with dealing(browser, house) as visit:
        page = visit.page
        clock.wait(FIVE_MINUTES - 60)
        begin(house.card_room, positions=(1, 2))  # an event at the table does not count as use of this tablet
        expect(page.locator(".now h2").first).to_have_text("Wagers")
        clock.wait(70)
        expect(page).to_have_url(house.url + LOCKED)
        expect(page.locator("main")).to_contain_text("The device was idle.")
        expect(page.locator("body")).not_to_contain_text("Wagers")
        visit.is_in_order()
        tap_pin(page, PIN)
        page.get_by_role("button", name="Unlock").tap()
        expect(page.locator(".now h2").first).to_have_text("Wagers")


def test_a_console_that_was_locked_elsewhere_is_shown_out_of_within_seconds(
    browser: Browser, house: ServedRoom, clock: HandClock
) -> None:
    with open_window(browser, house.url, *TABLET) as visit:
        session = house.card_room.users.find_session(
            sign_in_browser(visit.page.context, house.card_room, house.url, DEALER)
        )
        assert session is not None
        page = visit.go(CONSOLE)
        expect(page.locator(".now h2").first).to_be_visible()
        house.card_room.users.lock_session(session, "locked from the floor")
        clock.wait(2)  # what a server knows of a session holds for a second
        expect(page).to_have_url(house.url + LOCKED)
        expect(page.locator("main")).to_contain_text("Locked from the floor.")
        visit.is_in_order()


def test_three_wrong_pins_end_the_session(browser: Browser, house: ServedRoom) -> None:
    with open_window(browser, house.url, *TABLET, has_touch=True) as visit:
        token = sign_in_browser(visit.page.context, house.card_room, house.url, DEALER)
        page = visit.go(CONSOLE)
        page.get_by_role("button", name="Lock").tap()
        for wrong in ("4711", "4712", "4713"):
            expect(page.locator("#pin")).to_have_value("")
            tap_pin(page, wrong)
            page.get_by_role("button", name="Unlock").tap()
        page.wait_for_url("**/sign-in")
        visit.is_in_order()
        assert house.card_room.users.find_session(token) is None
        visit.go(CONSOLE)
        expect(page).to_have_url(f"{house.url}/sign-in?next={CONSOLE}")


def test_without_a_pin_the_password_opens_and_another_user_signs_the_first_one_out(
    browser: Browser, tmp_path: Path
) -> None:
    with serve_room(tmp_path) as room, open_window(browser, room.url) as visit:
        session = room.card_room.users.find_session(
            sign_in_browser(visit.page.context, staffed(room.card_room), room.url, OPERATOR)
        )
        assert session is not None
        page = visit.go("/account")
        page.get_by_role("button", name="Lock this device").click()
        expect(page.locator(".pad")).to_have_count(0)
        page.get_by_label("Password of olga").fill(password_of(OPERATOR))
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{room.url}/account")
        page.get_by_role("button", name="Lock this device").click()
        page.get_by_role("button", name="Not olga? Sign out").click()
        expect(page.locator(".rail .signed")).to_have_text("Sign in")
        assert room.card_room.user(OPERATOR).sessions == {}


def test_a_pin_is_chosen_with_the_password_and_an_easy_one_is_refused(browser: Browser, house: ServedRoom) -> None:
    with open_staff_window(browser, house, OPERATOR) as visit:
        page = visit.go("/account")
        page.get_by_role("link", name="Choose a PIN").click()
        for pin, sentence in (("1234", "The PIN is easy to guess"), ("12a4", "Use a PIN of four to eight digits.")):
            page.get_by_label("Your password").fill(password_of(OPERATOR))
            page.get_by_label("New PIN").fill(pin)
            page.get_by_role("button", name="Save PIN").click()
            expect(page.get_by_role("alert")).to_contain_text(sentence)
            visit.is_in_order()
        page.get_by_label("Your password").fill(password_of(OPERATOR))
        page.get_by_label("New PIN").fill("2468")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_have_text("Your PIN is changed.")
        expect(page.get_by_role("link", name="Change PIN")).to_be_visible()
        visit.is_in_order()
