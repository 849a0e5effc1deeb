"""The headers are on every answer, the user who made it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from cardroom.web.middleware.security_headers import YEAR_SECONDS, SecurityHeaders
from cardroom.web.pages.assets import asset_url
from tests.web.rooms import QUICK, ServedRoom, serve_room

PAGE = {"Accept": "text/html"}
ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with serve_room(tmp_path_factory.mktemp("headers")) as room:
        room.open_table("prime-1")
        yield room


def in_order(answer: httpx.Response) -> None:
    """Every header is there, once."""
    for name, value in ALWAYS.items():
        assert answer.headers.get_list(name) == [value], (name, answer.request.url)
    (policy,) = answer.headers.get_list("content-security-policy")
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert ("script-src 'self'" in policy) == answer.headers.get("content-type", "").startswith("text/html")
    assert "camera=()" in answer.headers["permissions-policy"]
    assert len(answer.headers.get_list("cache-control")) == 1
    assert "server" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/tables/prime-1", 200),
        ("GET", "/no-such-page", 404),
        ("GET", "/lab", 200),
        ("GET", "/first", 200),
        ("POST", "/sign-in", 403),
        ("POST", "/office/day/open", 401),
        ("GET", "/api/v1/tables", 200),
        ("GET", "/api/v1/openapi.json", 200),
        ("GET", "/api/v1/players/me", 401),
        ("PUT", "/api/v1/tables", 405),
        ("POST", "/api/v1/guests", 422),
        ("GET", "/api/v1/devices/sign", 401),
        ("GET", "/api/v1/no-such-call", 404),
        ("GET", "/healthz", 200),
        ("GET", "/static/000000000000/css/nothing.css", 404),
        ("GET", "/" + "x" * 9_000, 414),
    ],
)
@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_every_answer_has_them(room: ServedRoom, method: str, path: str, status: int, accept: str) -> None:
    answer = httpx.request(method, room.url + path, headers={"Accept": accept})
    assert answer.status_code == status
    in_order(answer)
    assert answer.headers["cache-control"] == "no-store"
    assert "strict-transport-security" not in answer.headers


def test_the_way_to_the_door_has_them(room: ServedRoom) -> None:
    answer = httpx.get(f"{room.url}/office", headers=PAGE)
    assert answer.status_code == 303
    in_order(answer)


def test_a_fault_of_our_own_has_them_too(room: ServedRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("the ceiling has come down")

    monkeypatch.setattr(room.context, "tables_for", fails)
    answer = httpx.get(f"{room.url}/api/v1/tables")
    assert answer.status_code == 500
    in_order(answer)
    answer = httpx.get(f"{room.url}/api/v1/tables", headers=PAGE)
    assert answer.status_code == 500
    in_order(answer)


def test_files_of_the_pages_are_kept_and_nothing_else_is(room: ServedRoom) -> None:
    answer = httpx.get(room.url + asset_url("vendor/htmx.js"))
    in_order(answer)
    assert "immutable" in answer.headers["cache-control"]


def test_a_stream_has_them(room: ServedRoom) -> None:
    with httpx.stream("GET", f"{room.url}/api/v1/tables/prime-1/stream") as answer:
        in_order(answer)
        assert answer.headers["cache-control"] == "no-store"


def test_over_https_a_browser_is_shown_to_stay_there(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serve_room(tmp_path_factory.mktemp("secure"), replace(QUICK, secure=True)) as room:
        for path in ("/", "/healthz", "/api/v1/nothing"):
            answer = httpx.get(room.url + path)
            in_order(answer)
            assert answer.headers["strict-transport-security"] == f"max-age={YEAR_SECONDS}"
        (cookie,) = httpx.post(f"{room.url}/api/v1/guests", json={"id": "ann"}).headers.get_list("set-cookie")
        assert "; Secure" in cookie
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie


def test_any_user_writes_such_a_header_too_does_not_write_it_twice() -> None:
    async def lenient(_: Scope, __: Receive, send: Send) -> None:
        own = [(b"content-security-policy", b"default-src *"), (b"x-frame-options", b"SAMEORIGIN"), (b"etag", b"1")]
        await send({"type": "http.response.start", "status": 200, "headers": own})
        await send({"type": "http.response.body", "body": b""})

    async def asked() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(SecurityHeaders(lenient, False))) as client:
            return await client.get("http://room/")

    answer = asyncio.run(asked())
    in_order(answer)
    assert answer.headers["etag"] == "1"
