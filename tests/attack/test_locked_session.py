"""An attacker has a device with a locked session of a player, or a session that starts with a one-time password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest
from websockets.sync.client import connect

from cardroom.chart_of_accounts import Currency
from cardroom.room.user.permissions import Role
from cardroom.web.middleware.permissions import SESSION_COOKIE
from cardroom.web.pages.templating import display_name
from tests.attack.test_outlived_session import (
    OVER,
    connect_live_page,
    open_private_table,
    read_until_close,
    session_of,
    wait_for_end,
)
from tests.deadline import LIMIT
from tests.service.staff import CAGE, FIRST, PLAYER, SUPERVISOR, Both, signed_in, staffed
from tests.web.rooms import ServedRoom, expect_success, new_id, serve_room
from tests.web.users import Visitor, sign_in_player, visit

JUNK: Final = ("cardroom_token", "junk")
"""A cookie that any person can add to a browser."""
NEWCOMER: Final = "petra"
_MAIN: Final = re.compile(r"<main.*</main>", re.DOTALL)
_TIME: Final = re.compile(r'data-now="\d+"')
LOCKED, ONE_TIME = "locked", "has a one-time password"
REDIRECTS: Final = {LOCKED: "/unlock", ONE_TIME: "/account/password"}
"""The page to which the server sends a browser whose session is open_suspended_session, by the cause."""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ServedRoom]:
    with serve_room(tmp_path) as room:
        staffed(room.card_room)
        yield room


@pytest.fixture
def table(room: ServedRoom) -> str:
    """A table where the player has a seat, chips, and a decision to make."""
    table = room.open_table("prime-1")
    Both(room.card_room).players.pay_in(new_id(), CAGE, PLAYER, 500_00, "slip 1", second=SUPERVISOR)
    player = sign_in_player(room)
    player.sit(table, seat=1)
    player.wager(table, ante_play=10_00)
    return table


def open_suspended_session(room: ServedRoom, why: str) -> Visitor:
    """A browser whose session is locked, or has to choose a password."""
    if why == LOCKED:
        visitor = visit(room, PLAYER)
        assert visitor.send_form("/lock", next="/me").headers["location"] == "/unlock?next=/me"
        return visitor
    room.card_room.players.admit_player("account", FIRST, NEWCOMER, Currency.PLAY)
    one_time_password = (
        Both(room.card_room)
        .users.add("login", FIRST, NEWCOMER, "Petra", Role.PLAYER, second=SUPERVISOR)
        .one_time_password
    )
    visitor = Visitor(room.url)
    room.visitors.append(visitor)
    assert visitor.sign_in(NEWCOMER, one_time_password).headers["location"] == "/account/password"
    return visitor


def main_part(page: httpx.Response) -> str:
    """The main part of a page without the server's time."""
    match = _MAIN.search(_TIME.sub("", page.text))
    assert match, page.text
    return match[0]


@pytest.mark.parametrize("cookies", [(), (JUNK,)], ids=["as it is", "with a guest's token that is no token"])
@pytest.mark.parametrize("why", REDIRECTS)
def test_a_suspended_session_shows_nothing_about_its_player(
    room: ServedRoom, table: str, why: str, cookies: tuple[tuple[str, str], ...]
) -> None:
    visitor = open_suspended_session(room, why)
    for name, value in cookies:
        visitor.cookies.set(name, value)
    assert visitor.get("/me").headers["location"] == f"{REDIRECTS[why]}?next=/me"
    with Visitor(room.url) as stranger:
        for page in ("/", f"/tables/{table}", "/rules", "/lab", f"/displays/{table}"):
            response = visitor.get(page)
            assert main_part(response) == main_part(stranger.get(page)), page
            assert visitor.login not in _MAIN.sub("", response.text), page
    for call in ("players/me", "players/me/rounds", "tables", f"tables/{table}", f"tables/{table}/stream"):
        assert visitor.get(f"/api/v1/{call}").status_code == 401, call
    assert visitor.get(f"/api/v1/rounds/{table}.1").status_code == 401


@pytest.mark.parametrize("cookies", [(), (JUNK,)], ids=["as it is", "with a guest's token that is no token"])
@pytest.mark.parametrize("why", REDIRECTS)
def test_a_suspended_session_accepts_no_command(
    room: ServedRoom, table: str, why: str, cookies: tuple[tuple[str, str], ...]
) -> None:
    visitor = open_suspended_session(room, why)
    for name, value in cookies:
        visitor.cookies.set(name, value)
    before = room.card_room.ledger.chain_lengths("")
    for call, body in {
        "tables": {"game": "three-card-prime"},
        f"tables/{table}/seat": {"seat": 2},
        f"tables/{table}/wagers": {"wagers": {"ante-play": 10_00}},
        f"tables/{table}/decisions": {"answer": "fold"},
        "guests": {},
    }.items():
        refused = visitor.post(f"/api/v1/{call}", json={"id": new_id(), **body})
        assert refused.status_code == 401, call
        assert "first" in refused.json()["error"], call
    assert room.card_room.ledger.chain_lengths("") == before


def test_a_token_of_a_locked_session_is_refused_until_the_player_unlocks_it(room: ServedRoom, table: str) -> None:
    player = room.players[-1]
    room.card_room.users.lock_session(session_of(room, player.token), "left alone")
    room.context.sessions.forget(PLAYER)
    for call in ("/players/me", f"/tables/{table}"):
        assert player.get(call).status_code == 401
    fold = {"id": new_id(), "answer": "fold"}
    assert player.post(f"/tables/{table}/decisions", **fold).status_code == 401
    assert player.post("/sessions/unlock", pin="four loud geese of tap").status_code == 204
    assert expect_success(player.get("/players/me"))["player"] == PLAYER
    assert expect_success(player.post(f"/tables/{table}/decisions", **fold))


def test_a_locked_session_cannot_change_the_password(room: ServedRoom) -> None:
    visitor = open_suspended_session(room, LOCKED)
    assert visitor.get("/account/password").headers["location"] == "/unlock?next=/account/password"
    form = {"password": "four loud geese of tap", "new": "nine brass kettles", "again": "nine brass kettles"}
    assert visitor.send_form("/account/password", form).status_code == 401
    assert signed_in(room.card_room, PLAYER)


def test_a_guest_cookie_is_locked_together_with_the_session_in_the_same_browser(room: ServedRoom) -> None:
    guest = room.admit_guest()
    visitor = visit(room, SUPERVISOR)
    visitor.cookies.set("cardroom_token", guest.token)
    assert display_name(guest.name) in visitor.get("/me").text
    visitor.send_form("/lock")
    assert visitor.get("/me").headers["location"] == "/unlock?next=/me"
    assert visitor.get("/api/v1/players/me").status_code == 401


def test_a_players_stream_and_live_page_end_when_the_session_locks(room: ServedRoom) -> None:
    player = sign_in_player(room)
    table = open_private_table(player)
    with player.stream(table) as stream, connect_live_page(room.url, f"/tables/{table}", player.token) as page:
        assert stream.next_view()["table"] == table
        room.card_room.users.lock_session(session_of(room, player.token), "left alone")
        wait_for_end(stream)
        assert read_until_close(page) == (OVER, [])


@pytest.mark.parametrize("why", REDIRECTS)
def test_a_live_page_of_a_suspended_session_shows_only_what_a_stranger_sees(
    room: ServedRoom, table: str, why: str
) -> None:
    visitor = open_suspended_session(room, why)
    for page in ("/", f"/tables/{table}"):
        assert receive_first_version(
            room, page, f"{SESSION_COOKIE}={visitor.cookies[SESSION_COOKIE]}; cardroom_token=junk"
        ) == receive_first_version(room, page, "")


def receive_first_version(room: ServedRoom, page: str, cookies: str) -> str:
    """The first version of the page that its live connection sends."""
    address, headers = f"{room.url.replace('http', 'ws')}/live?page={page}", {"Cookie": cookies} if cookies else {}
    with connect(address, origin=room.url, additional_headers=headers) as connection:  # type: ignore[arg-type]
        while not (sent := connection.recv(LIMIT)):
            pass
        return str(sent)
