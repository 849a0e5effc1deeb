"""The doorkeeper: looks at every call before anybody works for it. How long it is, how often its sender calls, how many
lines the sender keeps open."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardroom.web.doors.buckets import Buckets, Lines, Seconds
from cardroom.web.doors.callers import household_in
from cardroom.web.doors.limits import USUAL, Limits
from cardroom.web.doors.refusing import refusal, refused_at_the_door

Who: TypeAlias = Callable[[bytes, bytes], str | None]
"""Whose the ``Authorization`` and ``Cookie`` of a call are; None for nobody that the room knows."""

STREAM: Final = "/stream"
"""How the address of everything ends that is sent for hours."""
_MOST_DIGITS: Final = 15


class Head(NamedTuple):
    """What the doorkeeper looks at."""

    size: int = 0
    authorization: bytes = b""
    cookie: bytes = b""
    length: bytes = b""
    in_pieces: bool = False
    """Whether the body does not say how long it is."""


class Turned(NamedTuple):
    """Somebody who is turned away."""

    status: int
    why: str
    sentence: str
    wait: float = 0.0


class Doorkeeper:
    """Stands before everything else."""

    def __init__(self, app: ASGIApp, who: Who, limits: Limits = USUAL, clock: Seconds = time.monotonic) -> None:
        self._app, self._who, self._limits = app, who, limits
        self._known, self._unknown = Buckets(limits.calls, clock), Buckets(limits.calls_without_token, clock)
        self._lines, self._lines_of_all = Lines(limits.lines), Lines(limits.lines_without_token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        head = read_head(scope)
        name = self._who(head.authorization, head.cookie)
        turned = self._too_long(scope, head) or self._too_often(scope, name)
        if turned is not None:
            await self._turn_away(turned, scope, receive, send)
        elif scope["type"] == "websocket" or scope["path"].endswith(STREAM):
            await self._over_a_line(name, scope, receive, send)
        else:
            most = self._limits.body_at(scope["path"])
            await self._app(scope, no_longer_than(most, scope, receive) if head.in_pieces else receive, send)

    def _too_long(self, scope: Scope, head: Head) -> Turned | None:
        limits = self._limits
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > limits.address:
            return Turned(414, "address too long", f"The address is longer than {limits.address:,} bytes: shorten it.")
        if head.size > limits.head:
            return Turned(431, "headers too long", f"The headers are longer than {limits.head:,} bytes: send fewer.")
        if head.length:
            most = limits.body_at(scope["path"])
            if len(head.length) > _MOST_DIGITS or (head.length.isdigit() and int(head.length) > most):
                return Turned(413, "body too long", too_much(most))
        return None

    def _too_often(self, scope: Scope, name: str | None) -> Turned | None:
        wait = self._known.take(name) if name is not None else self._unknown.take(household_in(scope))
        if not wait:
            return None
        rate = self._limits.calls if name is not None else self._limits.calls_without_token
        return Turned(
            429, "calls too often", f"That is too often: call {rate.a_second:g} times a second at most.", wait
        )

    async def _over_a_line(self, name: str | None, scope: Scope, receive: Receive, send: Send) -> None:
        """A page or a stream, which stays open."""
        lines, whose = (self._lines, name) if name is not None else (self._lines_of_all, household_in(scope))
        if not lines.take(whose):
            most = self._limits.lines if name is not None else self._limits.lines_without_token
            sentence = f"{most} pages and streams are open at once, and that is the most: close one."
            await self._turn_away(Turned(429, "lines too many", sentence, 1.0), scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            lines.give_back(whose)

    async def _turn_away(self, turned: Turned, scope: Scope, receive: Receive, send: Send) -> None:
        caller = HTTPConnection(scope)
        refused_at_the_door(caller, turned.why)
        if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1013})
            return
        await refusal(caller, turned.status, turned.sentence, turned.wait)(scope, receive, send)


def read_head(scope: Scope) -> Head:
    """
    >>> read_head({"headers": [(b"host", b"room"), (b"content-length", b"12")]})
    Head(size=24, authorization=b'', cookie=b'', length=b'12', in_pieces=False)
    """
    size, authorization, cookie, length, in_pieces = 0, b"", b"", b"", False
    for name, value in scope["headers"]:
        size += len(name) + len(value)
        if name == b"authorization":
            authorization = value
        elif name == b"cookie":
            cookie = value
        elif name == b"content-length":
            length = value
        elif name == b"transfer-encoding":
            in_pieces = True
    return Head(size, authorization, cookie, length, in_pieces)


def too_much(most: int) -> str:
    return f"The body is longer than {most:,} bytes: send less."


def no_longer_than(most: int, scope: Scope, receive: Receive) -> Receive:
    """A body that comes in pieces is read as far as it may be long, and no further."""
    had = 0

    async def limited() -> Message:
        nonlocal had
        message = await receive()
        had += len(message.get("body", b""))
        if had > most:
            refused_at_the_door(HTTPConnection(scope), "body too long")
            raise HTTPException(413, too_much(most))
        return message

    return limited
