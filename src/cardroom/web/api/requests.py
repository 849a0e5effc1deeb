"""Reading requests and writing responses of the API, and the player of a request.

Bodies are parsed strictly, so that no two programs read them differently. The player's token is in a header, or in a
cookie for streams that a browser opens. The functions are not FastAPI dependencies, because resolving dependencies
would take longer than checking a token."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any, Final, get_type_hints

import orjson
from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError

from cardroom.documents import read_json
from cardroom.errors import BadInput, quote
from cardroom.service import TableResult
from cardroom.web.api.refusals import NoSuchTable, NotSignedIn
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.services.app_context import AppContext


def json_response(entry: Any, status: int = 200) -> Response:
    """A JSON response. It is not validated against its model, because that takes time; the tests validate it."""
    return Response(orjson.dumps(entry), status, media_type="application/json")


def result_response(result: TableResult) -> Response:
    """The response to a command at a table."""
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
    """The body cannot be parsed."""


class StrictRequest(Request):
    """A request whose body is parsed strictly."""

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            self._body = b"".join([part async for part in self.stream()])
            if self._body and not _JSON.fullmatch(self.headers.get("content-type", "").strip()):
                content_type = quote(self.headers.get("content-type", ""))
                raise HTTPException(
                    415, f"The body has the type {content_type}. Send JSON with the type application/json."
                )
        return self._body

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = _parse_json(await self.body())
        return self._json


def _parse_json(body: bytes) -> Any:
    try:
        text = body.decode()
    except UnicodeDecodeError as fault:
        raise HTTPException(400, f"The body is not UTF-8 at byte {fault.start}.") from None
    try:
        value = read_json(text, BadBody, "The body")
    except BadBody as fault:
        raise HTTPException(400, str(fault)) from None
    _refuse_unstorable(value)
    return value


def _refuse_unstorable(value: Any) -> None:
    """Refuse characters that a database cannot store: lone surrogates and the zero character."""
    left = [value]
    while left:
        match left.pop():
            case str() as text if _UNSTORABLE.search(text):
                raise HTTPException(400, f"The body has characters in {quote(text)} that cannot be stored.")
            case dict() as section:
                left += [*section, *section.values()]
            case list() as several:
                left += several


class StrictRoute(APIRoute):
    """A route whose body is parsed strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def read(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return read


class CommandRoute(APIRoute):
    """A route of a player's command, which takes a request, the name of a table, and a body.

    A valid body is read here, without FastAPI's general solution of dependencies, because commands are the most
    frequent requests. An invalid one goes through FastAPI, which finds the sentence of the refusal."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        refuse, command = super().get_route_handler(), self.endpoint
        model: type[BaseModel] = get_type_hints(command)["body"]

        async def handle(request: Request) -> Response:
            strict_request = StrictRequest(request.scope, request.receive)
            try:
                body = model.model_validate(await strict_request.json() if await strict_request.body() else None)
            except ValidationError:
                return await refuse(strict_request)
            response: Response = await command(strict_request, request.path_params["table"], body)
            return response

        return handle


PLAYER_COOKIE: Final = "cardroom_token"
SIGN_IN_FIRST: Final = (
    "Send Authorization: Bearer TOKEN, with the token from POST /api/v1/guests or POST /api/v1/sessions."
)
_TABLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,59}")

SCHEMES: Final[dict[str, Any]] = {
    "Token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token from `POST /api/v1/guests` or `POST /api/v1/sessions`.",
    },
    "Cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": PLAYER_COOKIE,
        "description": "The same token, set by `POST /api/v1/guests`.",
    },
}
"""The security schemes of the OpenAPI document."""
REQUIRES_TOKEN: Final[dict[str, Any]] = {"security": [{"Token": []}]}
ACCEPTS_TOKEN: Final[dict[str, Any]] = {"security": [{}, {"Token": []}]}
"""For routes that need no token but show more with one."""
ACCEPTS_TOKEN_OR_COOKIE: Final[dict[str, Any]] = {"security": [{}, {"Token": []}, {"Cookie": []}]}


def get_context(request: Request) -> AppContext:
    """The application context."""
    context: AppContext = request.app.state.context
    return context


def optional_player(request: Request) -> str | None:
    """The player of the request, or None. An invalid token is refused even where none is needed."""
    if not _is_our_page(request) and "authorization" not in request.headers:
        return None
    return _player_of_token(request, request.cookies.get(PLAYER_COOKIE))


def stream_player(request: Request) -> str | None:
    """The player of a stream, for a browser that cannot send a header."""
    return _player_of_token(request, request.cookies.get(PLAYER_COOKIE))


def _is_our_page(request: Request) -> bool:
    """Whether the request can come from this server's own page. A command with a cookie needs the right Origin header,
    because another site could have sent it. A read request changes nothing, and other sites cannot read the
    response."""
    if request.method == "GET":
        return True
    origin = request.headers.get("origin", "")
    return origin.partition("://")[2] == request.headers.get("host", "") != ""


def require_player(request: Request) -> str:
    """The player of the request."""
    player = optional_player(request)
    if player is None:
        raise NotSignedIn(SIGN_IN_FIRST)
    return player


def _player_of_token(request: Request, token: str | None) -> str | None:
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise NotSignedIn("The Authorization header must be Bearer TOKEN, with the token from POST /api/v1/guests.")
    caller = get_caller(request)
    signed_in = caller.player
    if signed_in is None and (token is None or caller.session is not None):
        return None
    player = signed_in or get_context(request).tokens.holder((token or "").strip())
    if player is None:
        raise NotSignedIn("The token is not valid. Enter as a guest or sign in again.")
    request.state.player = player
    get_context(request).presence.record(player)
    return player


def check_table_name(table: str) -> str:
    """The table name, if it is valid."""
    if not _TABLE.fullmatch(table):
        raise NoSuchTable("There is no table of that name. GET /api/v1/tables lists all tables.")
    return table
