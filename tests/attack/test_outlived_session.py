"""An attacker keeps a live connection open after its session has ended, or reads the screen of a locked device."""

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
from tests.web.rooms import QUICK, Player, ServedRoom, Stream, expect_success, new_id, serve_room
from tests.web.users import Visitor, sign_in_player, visit

OVER = 4401
NEVER_CHANGES = "/office/players/"
"""The live connection of such a page sends only signs of life."""


class ShiftedClock:
    """The machine's clock, which the test sets ahead."""

    def __init__(self) -> None:
        self.by = 0

    def __call__(self) -> int:
        return system_clock() + self.by


@pytest.fixture
def clock() -> ShiftedClock:
    return ShiftedClock()


@pytest.fixture
def room(tmp_path: Path, clock: ShiftedClock) -> Iterator[ServedRoom]:
    with serve_room(tmp_path, clock=clock) as room:
        staffed(room.card_room)
        yield room


def session_of(room: ServedRoom, token: str) -> UserSession:
    session = room.card_room.users.find_session(token)
    assert session is not None
    return session


@contextmanager
def connect_live_page(url: str, page: str, token: str) -> Iterator[ClientConnection]:
    """The live connection of an open page, after it has sent the page and a sign of life: the page is complete."""
    headers = {"Cookie": f"{SESSION_COOKIE}={token}"}
    address = f"{url.replace('http', 'ws')}/live?page={page}"
    with connect(address, origin=url, additional_headers=headers) as line:  # type: ignore[arg-type]
        page_sent = page.startswith(NEVER_CHANGES)
        while (message := line.recv(LIMIT)) or not page_sent:
            page_sent = page_sent or bool(message)
        yield line


def read_until_close(line: ClientConnection) -> tuple[int, list[str]]:
    """The code with which a live connection closes, and the messages that it sent before."""
    messages = []
    try:
        while True:
            messages.append(str(line.recv(LIMIT)))
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0, [message for message in messages if message]


def open_private_table(player: Player) -> str:
    """A table that no other player may view."""
    return str(expect_success(player.post("/tables", id=new_id(), game="three-card-prime"))["table"])


def wait_for_end(stream: Stream) -> None:
    """Wait until a stream ends. It may still send events that were on the way."""
    while stream.next_event() is not None:
        pass


def sign_out(_: ServedRoom, player: Player, __: ShiftedClock) -> None:
    assert player.client.delete("/sessions").status_code == 204


def end_by_an_operator(room: ServedRoom, player: Player, _: ShiftedClock) -> None:
    digest = session_of(room, player.token).digest
    room.card_room.users.end_user_session("ended", FIRST, PLAYER, digest, "asked to leave")


def deactivate(room: ServedRoom, _: Player, __: ShiftedClock) -> None:
    Both(room.card_room).users.deactivate("gone", FIRST, PLAYER, "barred", second=SUPERVISOR)


def change_the_password(room: ServedRoom, player: Player, _: ShiftedClock) -> None:
    other = session_of(room, signed_in(room.card_room, PLAYER))
    room.card_room.users.choose_password(other, password_of(PLAYER), "nine brass kettles", "192.0.2.7")


def expire(_: ServedRoom, __: Player, clock: ShiftedClock) -> None:
    clock.by += 8 * 24 * HOUR


ENDINGS = [sign_out, end_by_an_operator, deactivate, change_the_password, expire]


@pytest.mark.parametrize("end", ENDINGS)
def test_a_players_stream_and_live_page_end_with_the_session(
    room: ServedRoom, clock: ShiftedClock, end: Callable[[ServedRoom, Player, ShiftedClock], None]
) -> None:
    player = sign_in_player(room)
    table = open_private_table(player)
    with player.stream(table) as stream, connect_live_page(room.url, f"/tables/{table}", player.token) as page:
        assert stream.next_view()["table"] == table
        end(room, player, clock)
        wait_for_end(stream)
        code, sent = read_until_close(page)
    assert (code, sent) == (OVER, [])


def test_a_session_that_ends_at_one_server_ends_live_connections_at_the_other(tmp_path: Path) -> None:
    with serve_room(tmp_path) as first, serve_room(tmp_path) as other:
        staffed(first.card_room)
        player = sign_in_player(first)
        table = open_private_table(player)
        elsewhere = Player(httpx.Client(base_url=f"{other.url}/api/v1"), PLAYER, player.token)
        elsewhere.client.headers["Authorization"] = f"Bearer {player.token}"
        operator = signed_in(first.card_room, OPERATOR)
        with elsewhere.stream(table) as stream, connect_live_page(other.url, "/office", operator) as office:
            assert stream.next_view()["table"] == table
            first.card_room.users.end_session(session_of(first, player.token))
            first.card_room.users.end_session(session_of(first, operator))
            wait_for_end(stream)
            assert read_until_close(office)[0] == OVER
        elsewhere.client.close()


@pytest.mark.parametrize("page", [f"/office/players/{PLAYER}", "/office", "/dealer/live-1"])
def test_the_server_sends_nothing_to_a_page_on_a_locked_device(room: ServedRoom, page: str) -> None:
    """Pages that never change have a live connection too: it ends when the device locks and the page shows it."""
    room.open_table("live-1", terms=LIVE)
    token = signed_in(room.card_room, SUPERVISOR)
    with connect_live_page(room.url, page, token) as line:
        room.card_room.users.lock_session(session_of(room, token), "left alone")
        room.context.sessions.forget(SUPERVISOR)
        room.card_room.pause_table("pause", FIRST, "live-1", "a break")
        code, sent = read_until_close(line)
    assert (code, sent) == (OVER, [])


def test_the_connection_of_an_unchanging_page_ends_when_its_device_is_idle(
    room: ServedRoom, clock: ShiftedClock
) -> None:
    with connect_live_page(room.url, f"/office/players/{PLAYER}", signed_in(room.card_room, CAGE)) as line:
        clock.by += 5 * MINUTE + 1
        assert read_until_close(line)[0] == OVER


def test_the_connection_of_a_page_that_a_role_may_not_see_ends_with_its_own_code(room: ServedRoom) -> None:
    dealer = visit(room, DEALER)
    assert dealer.get("/office/ledger").status_code == 403
    address = f"{room.url.replace('http', 'ws')}/live?page=/office/ledger"
    cookie = {"Cookie": f"{SESSION_COOKIE}={dealer.cookies[SESSION_COOKIE]}"}
    with connect(address, origin=room.url, additional_headers=cookie) as line:  # type: ignore[arg-type]
        assert read_until_close(line)[0] == 4403


def test_calls_of_signed_in_users_do_not_count_against_the_limit_of_their_address(tmp_path: Path) -> None:
    """A stranger behind the room's own router, or a busy lobby, cannot block the staff's browsers."""
    limits = DEFAULT_LIMITS._replace(calls_without_token=Rate(0.001, 20))
    with serve_room(tmp_path, replace(QUICK, limits=limits)) as room:
        staffed(room.card_room)
        cage = visit(room, CAGE)
        while httpx.get(f"{room.url}/rules").status_code != 429:
            pass
        for _ in range(40):
            assert cage.get("/office").status_code == 200
        with Visitor(room.url) as stranger:
            stranger.cookies.set(SESSION_COOKIE, f"{CAGE}.s.{'A' * 43}", domain="127.0.0.1")
            assert stranger.get("/office").status_code == 429, (
                "a token that the room did not issue counts against the address"
            )
