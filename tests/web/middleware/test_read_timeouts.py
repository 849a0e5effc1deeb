"""The user who sends a call letter by letter is cut off; the user who is only quiet between two calls is not.

Each line has a timer while it is waited for. Most tests let it run out by hand, so that nothing depends on how soon a
busy machine hears what was sent.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from cardroom.web.middleware.read_timeouts import ReadStage, TimeoutProtocol
from tests.deadline import LIMIT, wait_until
from tests.web.rooms import ServedRoom

PATIENCE = "cardroom.web.middleware.read_timeouts"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No timer runs out by itself, unless a test says so."""
    for constant in ("HEADER_SECONDS", "BODY_SECONDS", "REST_OF_BODY_SECONDS"):
        monkeypatch.setattr(f"{PATIENCE}.{constant}", 2 * LIMIT)


@contextmanager
def line_to(room: ServedRoom) -> Iterator[socket.socket]:
    host, _, port = room.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as line:
        line.settimeout(LIMIT)
        yield line


def server_side(room: ServedRoom, line: socket.socket) -> TimeoutProtocol:
    """What the server knows of a line."""

    def found() -> TimeoutProtocol | None:
        here = line.getsockname()
        return next(
            (connection for connection in tuple(room.server.server_state.connections) if connection.client == here),
            None,
        )  # type: ignore[union-attr, misc]

    side = wait_until(found, "the line")
    assert side is not None
    return side


def runs_out(side: TimeoutProtocol) -> None:
    """The time of a line is up."""
    assert side._timer is not None
    side.loop.call_soon_threadsafe(side._time_out)


def rest(line: socket.socket) -> bytes:
    """Everything that comes until the line is closed."""
    said = b""
    while more := line.recv(65_536):
        said += more
    return said


def answer(line: socket.socket) -> bytes:
    """One answer, whole."""
    said = b""
    while b"\r\n\r\n" not in said:
        said += line.recv(65_536)
    head, _, body = said.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += line.recv(65_536)
    return head


LOOK = b"GET /healthz HTTP/1.1\r\nHost: room\r\n\r\n"


def test_headers_that_never_end_are_cut_off_with_a_sentence(room: ServedRoom) -> None:
    with line_to(room) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: ro")
        side = server_side(room, line)
        wait_until(lambda: side._stage is ReadStage.HEADERS)
        runs_out(side)
        assert rest(line).startswith(b"HTTP/1.1 408 ")


def test_a_letter_now_and_then_gains_no_time(room: ServedRoom) -> None:
    with line_to(room) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\n")
        side = server_side(room, line)
        timer = side._timer
        assert timer is not None
        for _ in range(3):
            before = side._head_size
            line.sendall(b"X-More: yes\r\n")
            wait_until(lambda before=before: side._head_size > before)  # type: ignore[misc]
            assert side._timer is timer


def test_a_line_on_which_nothing_is_said_is_closed(room: ServedRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{PATIENCE}.HEADER_SECONDS", 0.05)
    with line_to(room) as line:
        assert rest(line) == b""


def test_a_body_that_never_ends_is_cut_off_and_changes_nothing(
    room: ServedRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{PATIENCE}.BODY_SECONDS", 0.05)
    before = room.card_room.ledger.chain_lengths("")
    for path in ("/api/v1/guests", "/api/v1/sessions", "/sign-in"):
        with line_to(room) as line:
            origin = room.url.encode()
            line.sendall(
                b"POST %b HTTP/1.1\r\nHost: %b\r\nOrigin: %b\r\nContent-Type: application/json\r\n"
                b'Content-Length: 20\r\n\r\n{"id": ' % (path.encode(), origin.partition(b"://")[2], origin)
            )
            assert rest(line).startswith(b"HTTP/1.1 408 "), path
    assert room.card_room.ledger.chain_lengths("") == before


def test_a_body_has_time_of_its_own(room: ServedRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{PATIENCE}.BODY_SECONDS", 10 * LIMIT)
    with line_to(room) as line:
        line.sendall(b"POST /api/v1/guests HTTP/1.1\r\nHost: room\r\nContent-Type: application/json\r\n")
        line.sendall(b"Content-Length: 14\r\n\r\n")
        side = server_side(room, line)
        wait_until(lambda: side._timed_stage is ReadStage.BODY)
        timer = side._timer
        assert timer is not None
        assert timer.when() - side.loop.time() > 2 * LIMIT, "longer than the headers had"
        line.sendall(b'{"id": "slow"}')
        assert answer(line).startswith(b"HTTP/1.1 201 ")


def test_a_line_may_be_quiet_between_two_calls(room: ServedRoom) -> None:
    with line_to(room) as line:
        line.sendall(LOOK)
        assert answer(line).startswith(b"HTTP/1.1 200 ")
        assert server_side(room, line)._timer is None
        line.sendall(LOOK)
        assert answer(line).startswith(b"HTTP/1.1 200 ")


def test_a_second_call_that_is_slow_is_cut_off_too(room: ServedRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    with line_to(room) as line:
        line.sendall(LOOK)
        answer(line)
        monkeypatch.setattr(f"{PATIENCE}.HEADER_SECONDS", 0.05)
        line.sendall(LOOK[:10])
        assert rest(line).startswith(b"HTTP/1.1 408 ")


def test_blank_lines_are_no_call(room: ServedRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    with line_to(room) as line:
        line.sendall(LOOK)
        answer(line)
        monkeypatch.setattr(f"{PATIENCE}.HEADER_SECONDS", 0.05)
        line.sendall(b"\r\n")
        assert rest(line) == b""


def test_a_call_in_two_pieces_is_a_call(room: ServedRoom) -> None:
    with line_to(room) as line:
        line.sendall(LOOK[:10])
        side = server_side(room, line)
        wait_until(lambda: side._stage is ReadStage.HEADERS)
        assert side._timer is not None
        line.sendall(LOOK[10:])
        assert answer(line).startswith(b"HTTP/1.1 200 ")
        assert side._timer is None
        line.sendall(LOOK + LOOK)
        assert answer(line).startswith(b"HTTP/1.1 200 ")


def test_a_stream_lives_longer_than_a_call_may_take(room: ServedRoom) -> None:
    room.open_table("patient-1")
    with line_to(room) as line:
        line.sendall(b"GET /api/v1/tables/patient-1/stream HTTP/1.1\r\nHost: room\r\n\r\n")
        assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")
        assert server_side(room, line)._timer is None
        room.players.admit_guest().sit("patient-1")
        said = b""
        while b'"version":2' not in said:
            more = line.recv(65_536)
            assert more, "the stream was cut off"
            said += more


@pytest.mark.parametrize("pieces", [1, 2])
def test_the_line_of_an_open_page_lives_longer_than_a_call_may_take(room: ServedRoom, pieces: int) -> None:
    host = room.url.removeprefix("http://")
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    call = f"GET /live?page=/ HTTP/1.1\r\nHost: {host}\r\nOrigin: {room.url}\r\n{upgrade}\r\n{key}\r\n\r\n".encode()
    with line_to(room) as line:
        side = server_side(room, line)
        if pieces == 2:
            line.sendall(call[:40])
            wait_until(lambda: side._stage is ReadStage.HEADERS)
        line.sendall(call[40:] if pieces == 2 else call)
        assert line.recv(65_536).startswith(b"HTTP/1.1 101 ")
        assert side._timer is None


def test_headers_without_end_are_not_kept(room: ServedRoom) -> None:
    with line_to(room) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nX-Much: " + b"x" * 50_000)
        side = server_side(room, line)
        wait_until(lambda: side._head_size >= 50_000)
        with suppress(ConnectionError):  # a server that hangs up while a user speaks may be heard as a broken line
            line.sendall(b"x" * 50_000)
            assert rest(line).startswith(b"HTTP/1.1 431 ")
        with suppress(ConnectionError):
            assert line.recv(1) == b""


def test_what_is_left_of_a_refused_body_is_heard_for_a_moment_only(
    room: ServedRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{PATIENCE}.REST_OF_BODY_SECONDS", 0.05)
    with line_to(room) as line:
        line.sendall(b"POST /api/v1/guests HTTP/1.1\r\nHost: room\r\nContent-Length: 9999999\r\n\r\n{")
        assert answer(line).startswith(b"HTTP/1.1 413 ")
        assert rest(line) == b""
