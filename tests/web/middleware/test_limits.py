"""Who too many requests, sends too much or keeps too many lines open is refused with a sentence, and noted."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from cardroom.web.middleware.listener_options import ListenerOptions
from cardroom.web.middleware.rate_limits import DEFAULT_LIMITS, Rate
from tests.deadline import LIMIT, wait_in_loop
from tests.web.rooms import QUICK, ServedRoom, new_id, serve_room

SELDOM = Rate(0.001, 5)
"""Five at once, and then none as long as the test runs."""
FEW = DEFAULT_LIMITS._replace(connections=3, connections_without_token=2)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with serve_room(tmp_path_factory.mktemp("limits"), replace(QUICK, limits=FEW)) as room:
        room.open_table("prime-1")
        yield room


@pytest.fixture
def strict(folder: Path) -> Iterator[ServedRoom]:
    """A room behind a proxy, so that a test can call from anywhere."""
    limits = DEFAULT_LIMITS._replace(calls_without_token=SELDOM, calls=Rate(0.001, 8), guests=Rate(0.001, 2))
    with serve_room(folder, replace(QUICK, limits=limits), line=ListenerOptions(proxies=("127.0.0.1",))) as room:
        yield room


def of(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address, "X-Forwarded-Proto": "https"}


def test_calls_without_a_token_are_counted_by_address(strict: ServedRoom, caplog: pytest.LogCaptureFixture) -> None:
    statuses = [httpx.get(f"{strict.url}/api/v1/tables", headers=of("192.0.2.1")).status_code for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2
    answer = httpx.get(f"{strict.url}/api/v1/tables", headers=of("192.0.2.1"))
    assert answer.json() == {"error": "Too many requests. The limit is 0.001 per second."}
    assert 1 <= int(answer.headers["retry-after"]) <= 1_000
    assert httpx.get(f"{strict.url}/api/v1/tables", headers=of("192.0.2.2")).status_code == 200
    page = httpx.get(f"{strict.url}/", headers={"Accept": "text/html", **of("192.0.2.1")})
    assert page.status_code == 429
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Too many requests" in page.text
    result = [record for record in caplog.records if record.name == "cardroom.security"]
    assert len(result) == 4
    assert {record.__dict__["address"] for record in result} == {"192.0.2.1"}
    assert {record.__dict__["reason"] for record in result} == {"too many requests"}
    assert strict.context.rejection_log.counts == {"too many requests": 4}


def test_a_player_has_a_limit_of_ones_own_wherever_the_calls_come_from(strict: ServedRoom) -> None:
    tokens = [strict.context.tokens.issue(player) for player in ("guest-ann", "guest-bob")]
    for token in tokens:
        headers = {"Authorization": f"Bearer {token}", **of("192.0.2.1")}
        statuses = [httpx.get(f"{strict.url}/api/v1/tables", headers=headers).status_code for _ in range(9)]
        assert statuses == [200] * 8 + [429]
    cookie = {"Cookie": f"other=1; cardroom_token={tokens[0]}", **of("192.0.2.9")}
    assert httpx.get(f"{strict.url}/", headers=cookie).status_code == 429


def test_a_false_token_makes_no_user_known(strict: ServedRoom) -> None:
    for number in range(7):
        headers = {"Authorization": f"Bearer ann.1.{number}", **of("192.0.2.1")}
        expected = 401 if number < 5 else 429
        assert httpx.get(f"{strict.url}/api/v1/tables", headers=headers).status_code == expected


def test_guests_do_not_come_from_one_address_by_the_dozen(strict: ServedRoom) -> None:
    def come(address: str) -> httpx.Response:
        return httpx.post(f"{strict.url}/api/v1/guests", json={"id": new_id()}, headers=of(address))

    assert [come("2001:db8::1").status_code for _ in range(3)] == [201, 201, 429]
    again = come("2001:db8::77")
    assert again.json() == {"error": "Too many guests from this address. Try again later."}
    assert int(again.headers["retry-after"]) >= 1
    assert come("2001:db8:0:1::1").status_code == 201, "another network"
    assert strict.context.rejection_log.counts["too many guests"] == 2


def test_what_a_stranger_writes_of_itself_is_not_believed(folder: Path) -> None:
    limits = DEFAULT_LIMITS._replace(calls_without_token=SELDOM)
    with serve_room(folder, replace(QUICK, limits=limits), line=ListenerOptions(proxies=("192.0.2.200",))) as room:
        calls = [
            httpx.get(f"{room.url}/healthz", headers=of(f"198.51.100.{number}")).status_code for number in range(7)
        ]
    assert calls == [200] * 5 + [429] * 2, "all of them are calls of this machine"


def test_only_the_last_that_the_proxy_has_written_counts(strict: ServedRoom) -> None:
    calls = [
        httpx.get(f"{strict.url}/healthz", headers=of(f"198.51.100.{number}, 192.0.2.7")).status_code
        for number in range(7)
    ]
    assert calls == [200] * 5 + [429] * 2


@pytest.mark.parametrize("path", ["/api/v1/guests", "/api/v1/devices/presses", "/office/day/open", "/no-such-page"])
def test_a_body_that_is_too_long_is_refused_before_it_is_sent(room: ServedRoom, path: str) -> None:
    host, _, port = room.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as line:
        line.settimeout(LIMIT)
        line.sendall(
            f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            "Content-Length: 999999999999\r\n\r\n{".encode()
        )
        answer = b""
        while not answer.endswith(b"}"):  # the head and the body may come one after the other
            more = line.recv(65_536)
            assert more, answer
            answer += more
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'{"error":"The body is longer than ' in answer


@pytest.mark.parametrize(
    ("path", "most"), [("/api/v1/guests", DEFAULT_LIMITS.body), ("/api/v1/sessions", DEFAULT_LIMITS.body)]
)
def test_a_body_that_does_not_say_how_long_it_is_is_read_so_far_and_no_further(
    room: ServedRoom, path: str, most: int
) -> None:
    headers = {"Content-Type": "application/json"}
    pieces = (b" " * 10_000 for _ in range(most // 10_000 + 2))
    answer = httpx.post(room.url + path, content=pieces, headers=headers)
    assert answer.status_code == 413, answer.text
    assert answer.json() == {"error": f"The body is longer than {most:,} bytes. Send less."}


def test_a_form_that_does_not_say_how_long_it_is_is_refused_on_a_page(room: ServedRoom) -> None:
    headers = {"Accept": "text/html", "Origin": room.url, "Content-Type": "application/x-www-form-urlencoded"}
    pieces = (b"x" * 10_000 for _ in range(10))
    answer = httpx.post(f"{room.url}/sign-in", content=pieces, headers=headers)
    assert answer.status_code == 413
    assert "The body is longer than 65,536 bytes. Send less." in answer.text


def test_headers_and_addresses_have_an_end(room: ServedRoom) -> None:
    answer = httpx.get(f"{room.url}/api/v1/tables", headers={"X-Much": "x" * 40_000})
    assert (answer.status_code, answer.json()) == (
        431,
        {"error": "The headers are longer than 32,768 bytes. Send fewer."},
    )
    answer = httpx.get(f"{room.url}/api/v1/tables?much={'x' * 10_000}")
    assert (answer.status_code, answer.json()) == (
        414,
        {"error": "The URL is longer than 8,192 bytes. Shorten it."},
    )


def test_streams_are_counted_by_player_and_by_address(room: ServedRoom) -> None:
    def statuses(headers: dict[str, str], many: int) -> list[int]:
        with ExitStack() as open_ones:
            result = []
            for _ in range(many):
                asked = httpx.stream("GET", f"{room.url}/api/v1/tables/prime-1/stream", headers=headers)
                result.append(open_ones.enter_context(asked).status_code)
            return result

    ann = {"Authorization": f"Bearer {room.players.admit_guest().token}"}
    assert statuses({}, 3) == [200, 200, 429]
    assert statuses(ann, 4) == [200, 200, 200, 429]


def test_open_pages_are_counted_too_and_a_closed_one_makes_room(room: ServedRoom) -> None:
    address = room.url.replace("http", "ws") + "/live?page=/"
    cookie = {"Cookie": f"cardroom_token={room.players.admit_guest().token}"}

    async def page() -> None:
        async with asyncio.timeout(LIMIT), connect(address, origin=room.url, additional_headers=cookie) as line:  # type: ignore[arg-type]
            await line.recv()

    async def all_of_them() -> None:
        async with asyncio.timeout(LIMIT):
            how = {"origin": room.url, "additional_headers": cookie}
            first, second, third = [await connect(address, **how) for _ in range(3)]  # type: ignore[arg-type]
            with pytest.raises(InvalidStatus) as refused:
                await connect(address, **how)  # type: ignore[arg-type]
            assert refused.value.response.status_code == 429
            assert b"Close one" in (refused.value.response.body or b"")
            for connection in (first, second, third):
                await connection.close()
            await wait_in_loop(lambda: not len(room.context.live_pages))
            await page()

    asyncio.run(all_of_them())


def test_a_flood_is_some_lines_in_the_log_and_not_a_flood_of_lines(
    strict: ServedRoom, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with httpx.Client(base_url=strict.url, headers=of("192.0.2.3")) as client:
        for _ in range(200):
            client.get("/healthz")
    assert strict.context.rejection_log.counts["too many requests"] == 195
    assert len([record for record in caplog.records if record.name.startswith("cardroom.")]) < 100
