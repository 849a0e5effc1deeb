"""People of the house at their browsers: signed in through the books, so that a test begins where its own matter does.

Signing in through the form is tested in ``test_signing_in``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Locator, Page

from cardroom.service import CardRoom
from cardroom.web.middleware.permissions import SESSION_COOKIE
from tests.browser.visit import Visit, open_window
from tests.service.staff import (
    AUDITOR,
    CAGE,
    DEALER,
    OPERATOR,
    PLAYER,
    SUPERVISOR,
    SURVEILLANCE,
    password_of,
    signed_in,
    staffed,
)
from tests.web.rooms import ServedRoom

__all__ = [
    "AUDITOR",
    "CAGE",
    "DEALER",
    "OPERATOR",
    "PLAYER",
    "SUPERVISOR",
    "SURVEILLANCE",
    "Caller",
    "open_staff_window",
    "password_of",
    "sign_as_second",
    "sign_in_browser",
    "signed_in",
    "staffed",
]


def sign_in_browser(context: BrowserContext, card_room: CardRoom, url: str, login: str = OPERATOR) -> str:
    """Sign a user in at a browser; returns the token of the session."""
    token = signed_in(card_room, login)
    context.add_cookies([{"name": SESSION_COOKIE, "value": token, "url": url, "httpOnly": True, "sameSite": "Strict"}])
    return token


@contextmanager
def open_staff_window(
    browser: Browser, room: ServedRoom, login: str = OPERATOR, width: int = 1280, height: int = 800, **how: Any
) -> Iterator[Visit]:
    """A browser window of a signed-in user."""
    with open_window(browser, room.url, width, height, **how) as visit:
        sign_in_browser(visit.page.context, room.card_room, room.url, login)
        yield visit


def sign_as_second(form: Page | Locator, login: str, password: str | None = None) -> None:
    """A second person signs a form that another user filled in."""
    form.get_by_label("Second person's login").fill(login)
    form.get_by_label("Second person's password").fill(password_of(login) if password is None else password)


class Caller(httpx.Client):
    """A signed-in user who sends forms without a browser, such as forged ones."""

    def __init__(self, room: ServedRoom, login: str = OPERATOR) -> None:
        token = signed_in(room.card_room, login)
        super().__init__(base_url=room.url, cookies={SESSION_COOKIE: token}, headers={"Origin": room.url})
        session = room.card_room.users.find_session(token)
        assert session is not None
        self.form = room.context.sessions.form_token(session)
        """What the forms of this session carry."""

    def send_form(self, path: str, typed: dict[str, str], **how: Any) -> httpx.Response:
        return self.post(path, data={"form": self.form, **typed}, **how)
