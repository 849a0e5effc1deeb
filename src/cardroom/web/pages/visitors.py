"""Who looks at a page: a player, told by the cookie that came with the first seat, or somebody who walks by."""

from __future__ import annotations

from fastapi import Request
from starlette.requests import HTTPConnection

from cardroom.web.api.callers import COOKIE
from cardroom.web.rights.caller import caller_of
from cardroom.web.room.house import House


def house_of(connection: HTTPConnection) -> House:
    """The house that is visited."""
    house: House = connection.app.state.house
    return house


def visitor(connection: HTTPConnection) -> str | None:
    """The player who is signed in, or the guest whose cookie it is. An old one is as good as none: the next seat brings
    another. A device that is locked is locked for its guest too."""
    caller = caller_of(connection)
    if caller.player is not None or caller.first_step is not None:
        return caller.player
    token = connection.cookies.get(COOKIE)
    return house_of(connection).tokens.holder(token) if token else None


def is_from_here(connection: HTTPConnection) -> bool:
    """Whether a browser says that it was one of our own pages that asked."""
    origin = connection.headers.get("origin", "")
    return origin.partition("://")[2] == connection.headers.get("host", "") != ""


def player_name(request: Request) -> str | None:
    """The same as ``visitor``, and noted for the log."""
    player = visitor(request)
    request.state.player = player
    house_of(request).presence.heard(player)
    return player
