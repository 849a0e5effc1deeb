"""Users who sign in over HTTP and send what the forms of the pages contain."""

from __future__ import annotations

import re
from typing import Any, Final

import httpx

from tests.service.staff import (
    AUDITOR,
    CAGE,
    DEALER,
    LOGINS,
    OPERATOR,
    PLAYER,
    SUPERVISOR,
    SURVEILLANCE,
    password_of,
    staffed,
)
from tests.web.rooms import Player, ServedRoom

__all__ = [
    "AUDITOR",
    "CAGE",
    "DEALER",
    "LOGINS",
    "OPERATOR",
    "PLAYER",
    "SUPERVISOR",
    "SURVEILLANCE",
    "Visitor",
    "add_signature",
    "password_of",
    "sign_in_player",
    "staffed",
    "visit",
]
_FORM: Final = re.compile(r'data-form="([0-9a-f]{64})"')


class Visitor(httpx.Client):
    """A user at a browser."""

    def __init__(self, url: str, **headers: str) -> None:
        super().__init__(base_url=url, headers={"Origin": url, "Accept": "text/html", **headers})
        self.login = ""
        self.token, self.form = "", ""
        """The tokens that calls and forms of the session send."""

    def sign_in(self, login: str, password: str | None = None, next: str = "") -> httpx.Response:
        fields = {"login": login, "password": password_of(login) if password is None else password, "next": next}
        response = self.post("/sign-in", data=fields)
        self.login = login
        match = _FORM.search(self.get("/account").text)
        self.form = match[1] if match else ""
        return response

    def send_form(self, path: str, fields: dict[str, Any] | None = None, **more: str) -> httpx.Response:
        """Send a form as its page does."""
        return self.post(path, data={"form": self.form, **(fields or {}), **more})


def visit(room: ServedRoom, login: str) -> Visitor:
    """Sign a member of the staff in at a browser."""
    visitor = Visitor(room.url)
    assert visitor.sign_in(login).status_code == 303
    assert visitor.form, f"{login} is not signed in"
    room.visitors.append(visitor)
    return visitor


def add_signature(second: str, **fields: str) -> dict[str, str]:
    """Return form fields with the signature of a second person."""
    return {"second": second, "second-password": password_of(second), **fields}


def sign_in_player(room: ServedRoom, login: str = PLAYER) -> Player:
    """Sign a named player in as a program does."""
    player = Player(httpx.Client(base_url=f"{room.url}/api/v1"), login)
    body = player.post("/sessions", login=login, password=password_of(login)).json()
    player.token = body["token"]
    player.client.headers["Authorization"] = f"Bearer {player.token}"
    room.players.append(player)
    return player
