"""An attacker keeps a line open after the session that opened it is over, or reads a device that is locked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cardroom.ledger import system_clock
from cardroom.room.user.permissions import HOUR, MINUTE
from cardroom.room.user.sign_in import UserSession
from cardroom.web.middleware.permissions import SESSION_COOKIE
from cardroom.web.middleware.rate_limits import DEFAULT_LIMITS, Rate
from tests.deadline import LIMIT
from tests.service.live_scenes import LIVE
from tests.service.staff import CAGE, DEALER, FIRST, OPERATOR, PLAYER, SUPERVISOR, Both, password_of, signed_in, staffed
from tests.web.rooms import QUICK, Player, Served, Stream, an_id, done, served
from tests.web.users import Visitor, named_player, visit

OVER = 4401
NEVER_CHANGES = "/office/players/"
"""Of such a page the line sends nothing but signs of life."""


class Ahead:
    """The machine's clock, set ahead by the test."""

    def __init__(self) -> None:
        self.by = 0

    def __call__(self) -> int:
        return system_clock() + self.by


@pytest.fixture
def clock() -> Ahead:
    return Ahead()


@pytest.fixture
def room(tmp_path: Path, clock: Ahead) -> Iterator[Served]:
    with served(tmp_path, clock=clock) as room:
        staffed(room.card_room)
        yield room


def session_of(room: Served, token: str) -> UserSession:
    session = room.card_room.find_session(token)
    assert session is not None
    return session


@contextmanager
def line_of(url: str, page: str, token: str) -> Iterator[ClientConnection]:
    """The line of an open page, which has sent the page and then a sign of life: all is drawn."""
    headers = {"Cookie": f"{SESSION_COOKIE}={token}"}
    address = f"{url.replace('http', 'ws')}/live?page={page}"
    with connect(address, origin=url, additional_headers=headers) as line:  # type: ignore[arg-type]
        drawn = page.startswith(NEVER_CHANGES)
        while (sent := line.recv(LIMIT)) or not drawn:
            drawn = drawn or bool(sent)
        yield line


def ended_with(line: ClientConnection) -> tuple[int, list[str]]:
    """The code with which a line ends, and what was sent until then."""
    sent = []
    try:
        while True:
            sent.append(str(line.recv(LIMIT)))
    except ConnectionClosed as over:
        return over.rcvd.code if over.rcvd else 0, [one for one in sent if one]


def private_table(player: Player) -> str:
    """A table that no one else may look at."""
    return str(done(player.post("/tables", id=an_id(), game="three-card-prime"))["table"])


def ends(stream: Stream) -> None:
    """Wait until a stream ends; what it still sends is what was under way."""
    while stream.event() is not None:
        pass


def sign_out(_: Served, player: Player, __: Ahead) -> None:
    assert player.client.delete("/sessions").status_code == 204


def end_by_an_operator(room: Served, player: Player, _: Ahead) -> None:
    seal = session_of(room, player.token).digest
    room.card_room.end_user_session("ended", FIRST, PLAYER, seal, "asked to leave")


def deactivate(room: Served, _: Player, __: Ahead) -> None:
    Both(room.card_room).deactivate_user("gone", FIRST, PLAYER, "barred", second=SUPERVISOR)


def change_the_password(room: Served, player: Player, _: Ahead) -> None:
    other = session_of(room, signed_in(room.card_room, PLAYER))
    room.card_room.choose_password(other, password_of(PLAYER), "nine brass kettles", "192.0.2.7")


def expire(_: Served, __: Player, clock: Ahead) -> None:
    clock.by += 8 * 24 * HOUR


ENDINGS = [sign_out, end_by_an_operator, deactivate, change_the_password, expire]


@pytest.mark.parametrize("end", ENDINGS)
def test_a_players_stream_and_page_end_with_the_session(
    room: Served, clock: Ahead, end: Callable[[Served, Player, Ahead], None]
) -> None:
    player = named_player(room)
    table = private_table(player)
    with player.stream(table) as stream, line_of(room.url, f"/tables/{table}", player.token) as page:
        assert stream.view()["table"] == table
        end(room, player, clock)
        ends(stream)
        code, sent = ended_with(page)
    assert (code, sent) == (OVER, [])


def test_a_session_ended_at_one_server_ends_lines_at_the_other(tmp_path: Path) -> None:
    with served(tmp_path) as one, served(tmp_path) as other:
        staffed(one.card_room)
        player = named_player(one)
        table = private_table(player)
        elsewhere = Player(httpx.Client(base_url=f"{other.url}/api/v1"), PLAYER, player.token)
        elsewhere.client.headers["Authorization"] = f"Bearer {player.token}"
        operator = signed_in(one.card_room, OPERATOR)
        with elsewhere.stream(table) as stream, line_of(other.url, "/office", operator) as office:
            assert stream.view()["table"] == table
            one.card_room.end_session(session_of(one, player.token))
            one.card_room.end_session(session_of(one, operator))
            ends(stream)
            assert ended_with(office)[0] == OVER
        elsewhere.client.close()


@pytest.mark.parametrize("page", [f"/office/players/{PLAYER}", "/office", "/dealer/live-1"])
def test_nothing_is_sent_to_a_page_whose_device_is_locked(room: Served, page: str) -> None:
    """Also pages that never change have a line, which ends when the device locks: the page then shows the lock."""
    room.open_table("live-1", terms=LIVE)
    token = signed_in(room.card_room, SUPERVISOR)
    with line_of(room.url, page, token) as line:
        room.card_room.lock_session(session_of(room, token), "left alone")
        room.house.sessions.forget(SUPERVISOR)
        room.card_room.pause_table("pause", FIRST, "live-1", "a break")
        code, sent = ended_with(line)
    assert (code, sent) == (OVER, [])


def test_a_page_that_never_changes_ends_when_its_device_was_left_alone(room: Served, clock: Ahead) -> None:
    with line_of(room.url, f"/office/players/{PLAYER}", signed_in(room.card_room, CAGE)) as line:
        clock.by += 5 * MINUTE + 1
        assert ended_with(line)[0] == OVER


def test_a_page_that_a_role_may_not_see_does_not_load_itself_again_and_again(room: Served) -> None:
    dealer = visit(room, DEALER)
    assert dealer.get("/office/ledger").status_code == 403
    address = f"{room.url.replace('http', 'ws')}/live?page=/office/ledger"
    cookie = {"Cookie": f"{SESSION_COOKIE}={dealer.cookies[SESSION_COOKIE]}"}
    with connect(address, origin=room.url, additional_headers=cookie) as line:  # type: ignore[arg-type]
        assert ended_with(line)[0] == 4403


def test_calls_of_people_who_are_signed_in_do_not_use_up_their_address(tmp_path: Path) -> None:
    """A stranger behind the room's own router, or a busy lobby, cannot keep the staff's browsers out."""
    limits = DEFAULT_LIMITS._replace(calls_without_token=Rate(0.001, 20))
    with served(tmp_path, replace(QUICK, limits=limits)) as room:
        staffed(room.card_room)
        cage = visit(room, CAGE)
        while httpx.get(f"{room.url}/rules").status_code != 429:
            pass
        for _ in range(40):
            assert cage.get("/office").status_code == 200
        with Visitor(room.url) as stranger:
            stranger.cookies.set(SESSION_COOKIE, f"{CAGE}.s.{'A' * 43}", domain="127.0.0.1")
            assert stranger.get("/office").status_code == 429, (
                "a token that the room did not give is counted by address"
            )
