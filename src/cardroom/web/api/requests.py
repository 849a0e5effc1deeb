"""How answers go out: as bytes of JSON, made once.

What people send is read in one place: in which form, and nothing that two could read in two ways.

Who calls: told by a token in the header, or, for streams that a browser opens, in a cookie.

These are functions and not FastAPI's dependencies: what they ask is the same in every call, and a tree of dependencies
takes longer to walk than a token takes to check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any, Final

import orjson
from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute

from cardroom.documents import read_json
from cardroom.errors import BadInput, quote
from cardroom.service import TableResult
from cardroom.web.api.refusals import NoSuchTable, NotSignedIn
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.services.app_context import AppContext


def json_response(entry: Any, status: int = 200) -> Response:
    """An answer. It is not checked against its model again: the tests do that, and every player would wait for it."""
    return Response(orjson.dumps(entry), status, media_type="application/json")


def result_response(result: TableResult) -> Response:
    """What a command at a felt is answered."""
    return json_response(
        {
            "table": result.table,
            "version": result.version,
            "state": str(result.state),
            "seat": result.seat,
            "chips_cents": result.chips,
            "round": result.round,
        }
    )


_JSON: Final = re.compile(r"application/json\s*(;.*)?", re.IGNORECASE)
_UNSTORABLE: Final = re.compile(r"[\x00\ud800-\udfff]")


class BadBody(BadInput):
    """A body that cannot be read at all."""


class StrictRequest(Request):
    """A request whose body is read with care."""

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            self._body = b"".join([part async for part in self.stream()])
            if self._body and not _JSON.fullmatch(self.headers.get("content-type", "").strip()):
                content_type = quote(self.headers.get("content-type", ""))
                raise HTTPException(415, f"The body is of type {content_type}: send JSON, as application/json.")
        return self._body

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = _parse_json(await self.body())
        return self._json


def _parse_json(body: bytes) -> Any:
    try:
        text = body.decode()
    except UnicodeDecodeError as wrong:
        raise HTTPException(400, f"The body is not UTF-8 at byte {wrong.start}.") from None
    try:
        value = read_json(text, BadBody, "The body")
    except BadBody as wrong:
        raise HTTPException(400, str(wrong)) from None
    _refuse_unstorable(value)
    return value


def _refuse_unstorable(value: Any) -> None:
    """What no database keeps: half of a pair of surrogates, and the character zero."""
    left = [value]
    while left:
        match left.pop():
            case str() as text if _UNSTORABLE.search(text):
                raise HTTPException(400, f"The body has characters in {quote(text)} that cannot be kept.")
            case dict() as section:
                left += [*section, *section.values()]
            case list() as several:
                left += several


class StrictRoute(APIRoute):
    """An address whose letters are read with care."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def read(request: Request) -> Response:
            return await answer(StrictRequest(request.scope, request.receive))

        return read


PLAYER_COOKIE: Final = "cardroom_token"
SIGN_IN_FIRST: Final = "Say who you are: Authorization: Bearer TOKEN, with what POST /api/v1/guests gave, or /sessions."
_TABLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,59}")

SCHEMES: Final[dict[str, Any]] = {
    "Token": {"type": "http", "scheme": "bearer", "description": "What `POST /api/v1/guests` gave, or `/sessions`."},
    "Cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": PLAYER_COOKIE,
        "description": "The same, as `POST /api/v1/guests` set it.",
    },
}
"""How the description of the API calls the two."""
REQUIRES_TOKEN: Final[dict[str, Any]] = {"security": [{"Token": []}]}
ACCEPTS_TOKEN: Final[dict[str, Any]] = {"security": [{}, {"Token": []}]}
"""What the description of a call says that needs no token, but shows more with one."""
ACCEPTS_TOKEN_OR_COOKIE: Final[dict[str, Any]] = {"security": [{}, {"Token": []}, {"Cookie": []}]}


def get_context(request: Request) -> AppContext:
    """The house that is called."""
    context: AppContext = request.app.state.context
    return context


def optional_player(request: Request) -> str | None:
    """A player, or nobody in particular. A false token is refused, also where none is needed."""
    if not _is_our_page(request) and "authorization" not in request.headers:
        return None
    return _player_of_token(request, request.cookies.get(PLAYER_COOKIE))


def stream_player(request: Request) -> str | None:
    """The same, for a browser that cannot send a header."""
    return _player_of_token(request, request.cookies.get(PLAYER_COOKIE))


def _is_our_page(request: Request) -> bool:
    """Whether one of this room's own pages may be calling. A command is not taken from a cookie alone, because a page
    of somebody else could have sent it: a browser says where it comes from. What only looks changes nothing, and no
    other page can read the answer."""
    if request.method == "GET":
        return True
    origin = request.headers.get("origin", "")
    return origin.partition("://")[2] == request.headers.get("host", "") != ""


def require_player(request: Request) -> str:
    """A player."""
    player = optional_player(request)
    if player is None:
        raise NotSignedIn(SIGN_IN_FIRST)
    return player


def _player_of_token(request: Request, token: str | None) -> str | None:
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise NotSignedIn("The Authorization header must be: Bearer TOKEN, with what POST /api/v1/guests gave.")
    caller = get_caller(request)
    signed_in = caller.player
    if signed_in is None and (token is None or caller.session is not None):
        return None
    player = signed_in or get_context(request).tokens.holder((token or "").strip())
    if player is None:
        raise NotSignedIn("This room did not make that token: come in as a guest, or sign in again.")
    request.state.player = player
    get_context(request).presence.record(player)
    return player


def check_table_name(table: str) -> str:
    """The name of a table that there could be."""
    if not _TABLE.fullmatch(table):
        raise NoSuchTable("There is no table of that name: GET /api/v1/tables lists those that there are.")
    return table
