"""Limits the size and the rate of requests and the number of open connections, before any other work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardroom.web.middleware.rate_limits import DEFAULT_LIMITS, ConnectionCounts, RequestLimits, Seconds, TokenBuckets
from cardroom.web.middleware.rejections import log_rejection, network_prefix, rejection_response

CallerKey: TypeAlias = Callable[[bytes, bytes], str | None]
"""Finds the rate-limit key from ``Authorization`` and ``Cookie``; None for an unknown caller."""

STREAM: Final = "/stream"
"""The suffix of the paths of event streams."""
_MAX_DIGITS: Final = 15


class RequestHead(NamedTuple):
    """The headers that the limiter needs."""

    size: int = 0
    authorization: bytes = b""
    cookie: bytes = b""
    length: bytes = b""
    is_chunked: bool = False
    """Whether the body has no stated length."""


class Rejection(NamedTuple):
    """A rejected request."""

    status: int
    reason: str
    sentence: str
    wait: float = 0.0


class RequestLimiter:
    """Checks every request before all other middleware."""

    def __init__(
        self,
        app: ASGIApp,
        caller_key: CallerKey,
        limits: RequestLimits = DEFAULT_LIMITS,
        clock: Seconds = time.monotonic,
    ) -> None:
        self._app, self._caller_key, self._limits = app, caller_key, limits
        self._known, self._unknown = TokenBuckets(limits.calls, clock), TokenBuckets(limits.calls_without_token, clock)
        self._connections, self._anonymous_connections = (
            ConnectionCounts(limits.connections),
            ConnectionCounts(limits.connections_without_token),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        head = read_head(scope)
        name = self._caller_key(head.authorization, head.cookie)
        rejection = self._check_size(scope, head) or self._check_rate(scope, name)
        if rejection is not None:
            await self._reject(rejection, scope, receive, send)
        elif scope["type"] == "websocket" or scope["path"].endswith(STREAM):
            await self._run_connection(name, scope, receive, send)
        else:
            most = self._limits.body_at(scope["path"])
            await self._app(scope, limit_body(most, scope, receive) if head.is_chunked else receive, send)

    def _check_size(self, scope: Scope, head: RequestHead) -> Rejection | None:
        limits = self._limits
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > limits.address:
            return Rejection(414, "URL too long", f"The URL is longer than {limits.address:,} bytes. Shorten it.")
        if head.size > limits.head:
            return Rejection(431, "headers too long", f"The headers are longer than {limits.head:,} bytes. Send fewer.")
        if head.length:
            most = limits.body_at(scope["path"])
            if len(head.length) > _MAX_DIGITS or (head.length.isdigit() and int(head.length) > most):
                return Rejection(413, "body too long", too_large_sentence(most))
        return None

    def _check_rate(self, scope: Scope, name: str | None) -> Rejection | None:
        wait = self._known.take(name) if name is not None else self._unknown.take(network_prefix(scope))
        if not wait:
            return None
        rate = self._limits.calls if name is not None else self._limits.calls_without_token
        return Rejection(
            429, "too many requests", f"Too many requests. The limit is {rate.per_second:g} per second.", wait
        )

    async def _run_connection(self, name: str | None, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a page or a stream, which stays open."""
        counts, key = (
            (self._connections, name) if name is not None else (self._anonymous_connections, network_prefix(scope))
        )
        if not counts.take(key):
            most = self._limits.connections if name is not None else self._limits.connections_without_token
            sentence = f"{most} pages and streams are open, which is the limit. Close one."
            await self._reject(Rejection(429, "too many connections", sentence, 1.0), scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            counts.give_back(key)

    async def _reject(self, rejection: Rejection, scope: Scope, receive: Receive, send: Send) -> None:
        caller = HTTPConnection(scope)
        log_rejection(caller, rejection.reason)
        if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1013})
            return
        await rejection_response(caller, rejection.status, rejection.sentence, rejection.wait)(scope, receive, send)


def read_head(scope: Scope) -> RequestHead:
    """
    >>> read_head({"headers": [(b"host", b"room"), (b"content-length", b"12")]})
    RequestHead(size=24, authorization=b'', cookie=b'', length=b'12', is_chunked=False)
    """
    size, authorization, cookie, length, is_chunked = 0, b"", b"", b"", False
    for name, value in scope["headers"]:
        size += len(name) + len(value)
        if name == b"authorization":
            authorization = value
        elif name == b"cookie":
            cookie = value
        elif name == b"content-length":
            length = value
        elif name == b"transfer-encoding":
            is_chunked = True
    return RequestHead(size, authorization, cookie, length, is_chunked)


def too_large_sentence(limit: int) -> str:
    return f"The body is longer than {limit:,} bytes. Send less."


def limit_body(limit: int, scope: Scope, receive: Receive) -> Receive:
    """Limit the size of a chunked body while it is read."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            log_rejection(HTTPConnection(scope), "body too long")
            raise HTTPException(413, too_large_sentence(limit))
        return message

    return limited
