"""The sign-in pages: signing in, the first operator, a locked device, the account, and a forbidden page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from cardroom.room.user.permissions import Role
from cardroom.room.user.sign_in import UserSession
from tests.browser.seats import Mouse, take_seat
from tests.screens.scene import TABLETS, Scene, Size, Stage, Story
from tests.service.live_scenes import PRIME, live_prime
from tests.service.staff import CAGE, DEALER, HERE, OPERATOR, PLAYER, SUPERVISOR, Both, password_of, staffed
from tests.web.rooms import QUICK, ServedRoom, new_id, serve_room

SIZES: Final[tuple[Size, ...]] = (*TABLETS[:-1], (1920, 1080), TABLETS[-1])
PIN: Final = "2580"
TABLE: Final = "shootout-1"


@contextmanager
def with_people(folder: Path) -> Iterator[ServedRoom]:
    """A room with one person of each role; the dealer has a PIN, the supervisor has none."""
    with serve_room(folder) as room:
        live_prime(staffed(room.card_room))
        room.open_table(TABLE, "texas-shootout")
        dealer = room.card_room.users.sign_in(DEALER, password_of(DEALER), HERE).session
        room.card_room.users.choose_pin(dealer, password_of(DEALER), PIN, HERE)
        Both(room.card_room).players.pay_in(new_id(), CAGE, PLAYER, 500_00, "4471", second=SUPERVISOR)
        yield room


def typed(page: Page, button: str, **fields: str) -> Page:
    """Fill a form in, and send it."""
    for name, words in fields.items():
        page.locator(f"#{name}").fill(words)
    page.get_by_role("button", name=button).click()
    return page


def first_refused(stage: Stage) -> None:
    page = stage.go("/first")
    typed(page, "Open the office", login="olga", name="Olga Ortiz", password="olga", again="olga")
    page.locator(".refusal").wait_for()


def wrong(times: int) -> Callable[[Stage], None]:
    """A user types wrong passwords."""

    def reach(stage: Stage) -> None:
        page = stage.go("/sign-in?next=/office")
        for number in range(times):
            typed(page, "Sign in", login=SUPERVISOR, password=f"what was it, number {number}")
            page.locator(".refusal").wait_for()

    return reach


def session_of(stage: Stage, login: str) -> UserSession:
    session = stage.card_room.users.find_session(stage.sign_in(login))
    assert session is not None
    return session


def console(stage: Stage) -> None:
    stage.sign_in(DEALER)
    stage.go(f"/dealer/{PRIME}")


def locked(stage: Stage) -> Page:
    page = stage.go(f"/dealer/{PRIME}")
    page.get_by_role("button", name="Lock").click()
    page.locator("#pin").wait_for()
    return page


def wrong_pin(stage: Stage) -> None:
    typed(stage.go("/unlock"), "Unlock", pin="1111")
    stage.page.locator(".refusal").wait_for()


def locked_without_a_pin(stage: Stage) -> None:
    stage.card_room.users.lock_session(session_of(stage, OPERATOR), "the device was idle")
    stage.go("/unlock?next=/office").locator("#pin").wait_for()


def account(stage: Stage) -> None:
    stage.sign_in(DEALER)
    stage.go("/account")


def welcome(stage: Stage) -> None:
    # The supervisor's login was locked in an earlier picture.
    rosa = Both(stage.card_room).users.add(new_id(), OPERATOR, "rosa", "Rosa Diaz", Role.DEALER, second=CAGE)
    stage.sign_out()
    typed(stage.go("/sign-in"), "Sign in", login="rosa", password=rosa.one_time_password)
    stage.page.wait_for_url("**/account/password")


def password_refused(stage: Stage) -> None:
    stage.sign_in(DEALER)
    page = stage.go("/account/password")
    typed(page, "Change password", password=password_of(DEALER), new="dora dora dora", again="dora dora dora")
    page.locator(".refusal").wait_for()


def account_pin(stage: Stage) -> None:
    stage.sign_in(DEALER)
    stage.go("/account/pin")


def pin_chosen(stage: Stage) -> None:
    stage.sign_in(DEALER)
    typed(stage.go("/account/pin"), "Save PIN", password=password_of(DEALER), new=PIN)
    stage.page.wait_for_url("**/account?done=pin")


def pin_refused(stage: Stage) -> None:
    stage.sign_in(DEALER)
    page = typed(stage.go("/account/pin"), "Save PIN", password=password_of(DEALER), new="1234")
    page.locator(".refusal").wait_for()


def wrong_role(stage: Stage) -> None:
    stage.sign_in(DEALER)
    stage.go("/office")


def player(stage: Stage) -> None:
    stage.sign_in(PLAYER)
    take_seat(Mouse(stage.go("/")), TABLE)


def players_account(stage: Stage) -> None:
    stage.sign_in(PLAYER)
    stage.go("/account")


def sized(*scenes: Scene) -> tuple[Scene, ...]:
    return tuple(scene._replace(sizes=SIZES) for scene in scenes)


WITHOUT_USERS: Final = Story(serve_room, sized(Scene("first-elsewhere", "/first")))
FIRST: Final = Story(
    lambda folder: serve_room(folder, replace(QUICK, demo=True)),
    sized(Scene("first", "/first"), Scene("first-refused", "/first", first_refused)),
)
STORY: Final = Story(
    with_people,
    sized(
        Scene("sign-in", "/sign-in"),
        Scene("sign-in-refused", "/sign-in", wrong(1)),
        Scene("sign-in-locked", "/sign-in", wrong(2)),
        Scene("signed-in-console", f"/dealer/{PRIME}", console),
        Scene("unlock", "/unlock", locked),
        Scene("unlock-refused", "/unlock", wrong_pin),
        Scene("unlock-with-the-password", "/unlock", locked_without_a_pin),
        Scene("account", "/account", account),
        Scene("account-of-a-player", "/account", players_account),
        Scene("account-password", "/account/password", welcome),
        Scene("account-password-refused", "/account/password", password_refused),
        Scene("account-pin", "/account/pin", account_pin),
        Scene("account-pin-refused", "/account/pin", pin_refused),
        Scene("account-pin-chosen", "/account", pin_chosen),
        Scene("refused-role", "/office", wrong_role),
        Scene("seat-of-a-player", f"/tables/{TABLE}", player),
    ),
)
