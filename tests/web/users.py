"""People of the house who call over the wire: each signs in for real, and sends what the forms of the pages carry."""

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
from tests.web.rooms import Player, Served

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
    "named_player",
    "password_of",
    "signed_by",
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
        """What every form of the session carries."""

    def sign_in(self, login: str, password: str | None = None, next: str = "") -> httpx.Response:
        typed = {"login": login, "password": password_of(login) if password is None else password, "next": next}
        answer = self.post("/sign-in", data=typed)
        self.login = login
        found = _FORM.search(self.get("/account").text)
        self.form = found[1] if found else ""
        return answer

    def look(self, path: str) -> httpx.Response:
        return self.get(path)

    def sends(self, path: str, typed: dict[str, Any] | None = None, **more: str) -> httpx.Response:
        """A form, as the page sends it."""
        return self.post(path, data={"form": self.form, **(typed or {}), **more})


def visit(room: Served, login: str) -> Visitor:
    """A user of the staff who has signed in."""
    visitor = Visitor(room.url)
    assert visitor.sign_in(login).status_code == 303
    assert visitor.form, f"{login} is not signed in"
    room.visitors.append(visitor)
    return visitor


def signed_by(second: str, **typed: str) -> dict[str, str]:
    """What a form has in it that a second person has signed."""
    return {"second": second, "second-password": password_of(second), **typed}


def named_player(room: Served, login: str = PLAYER) -> Player:
    """A player with a name, who has signed in as programs do."""
    player = Player(httpx.Client(base_url=f"{room.url}/api/v1"), login)
    result = player.post("/sessions", login=login, password=password_of(login)).json()
    player.token = result["token"]
    player.client.headers["Authorization"] = f"Bearer {player.token}"
    room.players.append(player)
    return player
