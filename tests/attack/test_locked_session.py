"""An attacker has a device on which a player's session is locked, or begins a session with a password for one time."""

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
from tests.attack.test_outlived_session import OVER, ended_with, ends, line_of, private_table, session_of
from tests.deadline import LIMIT
from tests.service.staff import CAGE, FIRST, PLAYER, SUPERVISOR, Both, signed_in, staffed
from tests.web.rooms import Served, an_id, done, served
from tests.web.users import Visitor, named_player, visit

JUNK: Final = ("cardroom_token", "junk")
"""A cookie that anybody can add to a browser."""
NEWCOMER: Final = "petra"
_MAIN: Final = re.compile(r"<main.*</main>", re.DOTALL)
_TIME: Final = re.compile(r'data-now="\d+"')
LOCKED, ONCE = "locked", "has a password for one use"
WAYS: Final = {LOCKED: "/unlock", ONCE: "/account/password"}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as room:
        staffed(room.card_room)
        yield room


@pytest.fixture
def table(room: Served) -> str:
    """A table where the player has a seat, chips, and a decision to make."""
    table = room.open_table("prime-1")
    Both(room.card_room).pay_in(an_id(), CAGE, PLAYER, 500_00, "slip 1", second=SUPERVISOR)
    player = named_player(room)
    player.sit(table, seat=1)
    player.wager(table, ante_play=10_00)
    return table


def suspended(room: Served, why: str) -> Visitor:
    """A browser whose session is locked, or has to choose a password."""
    if why == LOCKED:
        visitor = visit(room, PLAYER)
        assert visitor.sends("/lock", next="/me").headers["location"] == "/unlock?next=/me"
        return visitor
    room.card_room.admit_player("account", FIRST, NEWCOMER, Currency.PLAY)
    once = (
        Both(room.card_room)
        .add_user("login", FIRST, NEWCOMER, "Petra", Role.PLAYER, second=SUPERVISOR)
        .one_time_password
    )
    visitor = Visitor(room.url)
    room.visitors.append(visitor)
    assert visitor.sign_in(NEWCOMER, once).headers["location"] == "/account/password"
    return visitor


def shown(page: httpx.Response) -> str:
    """What a page shows, but for the server's time."""
    found = _MAIN.search(_TIME.sub("", page.text))
    assert found, page.text
    return found[0]


@pytest.mark.parametrize("cookies", [(), (JUNK,)], ids=["as it is", "with a guest's token that is no token"])
@pytest.mark.parametrize("why", WAYS)
def test_a_locked_session_shows_nothing_of_its_player(
    room: Served, table: str, why: str, cookies: tuple[tuple[str, str], ...]
) -> None:
    visitor = suspended(room, why)
    for name, value in cookies:
        visitor.cookies.set(name, value)
    assert visitor.get("/me").headers["location"] == f"{WAYS[why]}?next=/me"
    with Visitor(room.url) as stranger:
        for page in ("/", f"/tables/{table}", "/rules", "/lab", f"/displays/{table}"):
            seen = visitor.get(page)
            assert shown(seen) == shown(stranger.get(page)), page
            assert visitor.login not in _MAIN.sub("", seen.text), page
    for call in ("players/me", "players/me/rounds", "tables", f"tables/{table}", f"tables/{table}/stream"):
        assert visitor.get(f"/api/v1/{call}").status_code == 401, call
    assert visitor.get(f"/api/v1/rounds/{table}.1").status_code == 401


@pytest.mark.parametrize("cookies", [(), (JUNK,)], ids=["as it is", "with a guest's token that is no token"])
@pytest.mark.parametrize("why", WAYS)
def test_a_locked_session_does_nothing_for_its_player(
    room: Served, table: str, why: str, cookies: tuple[tuple[str, str], ...]
) -> None:
    visitor = suspended(room, why)
    for name, value in cookies:
        visitor.cookies.set(name, value)
    before = room.card_room.ledger.chain_lengths("")
    for call, said in {
        "tables": {"game": "three-card-prime"},
        f"tables/{table}/seat": {"seat": 2},
        f"tables/{table}/wagers": {"wagers": {"ante-play": 10_00}},
        f"tables/{table}/decisions": {"answer": "fold"},
        "guests": {},
    }.items():
        refused = visitor.post(f"/api/v1/{call}", json={"id": an_id(), **said})
        assert refused.status_code == 401, call
        assert "first" in refused.json()["error"], call
    assert room.card_room.ledger.chain_lengths("") == before


def test_a_locked_token_in_the_header_is_refused_and_the_unlocked_one_goes_on(room: Served, table: str) -> None:
    player = room.players[-1]
    room.card_room.lock_session(session_of(room, player.token), "left alone")
    room.house.sessions.forget(PLAYER)
    for call in ("/players/me", f"/tables/{table}"):
        assert player.get(call).status_code == 401
    fold = {"id": an_id(), "answer": "fold"}
    assert player.post(f"/tables/{table}/decisions", **fold).status_code == 401
    assert player.post("/sessions/unlock", pin="four loud geese of tap").status_code == 204
    assert done(player.get("/players/me"))["player"] == PLAYER
    assert done(player.post(f"/tables/{table}/decisions", **fold))


def test_a_locked_session_changes_no_password(room: Served) -> None:
    visitor = suspended(room, LOCKED)
    assert visitor.get("/account/password").headers["location"] == "/unlock?next=/account/password"
    typed = {"password": "four loud geese of tap", "new": "nine brass kettles", "again": "nine brass kettles"}
    assert visitor.sends("/account/password", typed).status_code == 401
    assert signed_in(room.card_room, PLAYER)


def test_a_guests_cookie_is_locked_with_the_session_beside_it(room: Served) -> None:
    guest = room.guest()
    visitor = visit(room, SUPERVISOR)
    visitor.cookies.set("cardroom_token", guest.token)
    assert display_name(guest.name) in visitor.get("/me").text
    visitor.sends("/lock")
    assert visitor.get("/me").headers["location"] == "/unlock?next=/me"
    assert visitor.get("/api/v1/players/me").status_code == 401


def test_a_players_stream_and_page_end_when_the_session_locks(room: Served) -> None:
    player = named_player(room)
    table = private_table(player)
    with player.stream(table) as stream, line_of(room.url, f"/tables/{table}", player.token) as page:
        assert stream.view()["table"] == table
        room.card_room.lock_session(session_of(room, player.token), "left alone")
        ends(stream)
        assert ended_with(page) == (OVER, [])


@pytest.mark.parametrize("why", WAYS)
def test_a_line_that_a_locked_session_opens_shows_what_a_stranger_sees(room: Served, table: str, why: str) -> None:
    visitor = suspended(room, why)
    for page in ("/", f"/tables/{table}"):
        assert first_of(
            room, page, f"{SESSION_COOKIE}={visitor.cookies[SESSION_COOKIE]}; cardroom_token=junk"
        ) == first_of(room, page, "")


def first_of(room: Served, page: str, cookies: str) -> str:
    """The page as its line sends it first."""
    address, headers = f"{room.url.replace('http', 'ws')}/live?page={page}", {"Cookie": cookies} if cookies else {}
    with connect(address, origin=room.url, additional_headers=headers) as line:  # type: ignore[arg-type]
        while not (sent := line.recv(LIMIT)):
            pass
        return str(sent)
