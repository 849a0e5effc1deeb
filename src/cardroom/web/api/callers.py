"""Who calls: told by a token in the header, or, for streams that a browser opens, in a cookie.

These are functions and not FastAPI's dependencies: what they ask is the same in every call, and a tree of dependencies
takes longer to walk than a token takes to check.
"""

from __future__ import annotations

import re
from typing import Any, Final

from fastapi import Request

from cardroom.web.api.refusals import NoSuchTable, WhoAreYou
from cardroom.web.rights.caller import caller_of
from cardroom.web.room.house import House

COOKIE: Final = "cardroom_token"
SAY_WHO: Final = "Say who you are: Authorization: Bearer TOKEN, with what POST /api/v1/guests gave, or /sessions."
_TABLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,59}")

SCHEMES: Final[dict[str, Any]] = {
    "Token": {"type": "http", "scheme": "bearer", "description": "What `POST /api/v1/guests` gave, or `/sessions`."},
    "Cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The same, as `POST /api/v1/guests` set it.",
    },
}
"""How the description of the API calls the two."""
MUST_BE_NAMED: Final[dict[str, Any]] = {"security": [{"Token": []}]}
MAY_BE_NAMED: Final[dict[str, Any]] = {"security": [{}, {"Token": []}]}
"""What the description of a call says that needs no token, but shows more with one."""
MAY_STREAM: Final[dict[str, Any]] = {"security": [{}, {"Token": []}, {"Cookie": []}]}


def the_house(request: Request) -> House:
    """The house that is called."""
    house: House = request.app.state.house
    return house


def looker(request: Request) -> str | None:
    """A player, or nobody in particular. A false token is refused, also where none is needed."""
    if not _is_our_page(request) and "authorization" not in request.headers:
        return None
    return _named(request, request.cookies.get(COOKIE))


def streamer(request: Request) -> str | None:
    """The same, for a browser that cannot send a header."""
    return _named(request, request.cookies.get(COOKIE))


def _is_our_page(request: Request) -> bool:
    """Whether one of this room's own pages may be calling. A command is not taken from a cookie alone, because a page
    of somebody else could have sent it: a browser says where it comes from. What only looks changes nothing, and no
    other page can read the answer."""
    if request.method == "GET":
        return True
    origin = request.headers.get("origin", "")
    return origin.partition("://")[2] == request.headers.get("host", "") != ""


def caller(request: Request) -> str:
    """A player."""
    player = looker(request)
    if player is None:
        raise WhoAreYou(SAY_WHO)
    return player


def _named(request: Request, token: str | None) -> str | None:
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise WhoAreYou("The Authorization header must be: Bearer TOKEN, with what POST /api/v1/guests gave.")
    known = caller_of(request)
    signed_in = known.player
    if signed_in is None and (token is None or known.session is not None):
        return None
    player = signed_in or the_house(request).tokens.holder((token or "").strip())
    if player is None:
        raise WhoAreYou("This room did not make that token: come in as a guest, or sign in again.")
    request.state.player = player
    the_house(request).presence.heard(player)
    return player


def named_table(table: str) -> str:
    """The name of a table that there could be."""
    if not _TABLE.fullmatch(table):
        raise NoSuchTable("There is no table of that name: GET /api/v1/tables lists those that there are.")
    return table
