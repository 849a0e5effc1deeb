"""Server-sent event streams: each viewer of a table receives the complete view after each event.

Nothing queues. A subscriber has one slot for the newest view, so a slow client skips views and a thousand slow clients
need memory for a thousand views.

The module writes the events itself: a view is encoded once per player for all connections of the player, and an open
stream ends at once when the server stops.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import orjson
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from cardroom.web.middleware.security_headers import SERVER_SEND
from cardroom.web.services.presence import Presence

HEARTBEAT: Final = 15.0
"""Seconds without an event until a comment is sent, so that proxies keep the connection open."""
RECHECK_SECONDS: Final = 1.0
"""Seconds between checks of a streaming player's session, which is also checked before each view."""
_STREAMS_KEY: Final = "cardroom.streams"
SessionCheck: TypeAlias = Callable[[], Awaitable[bool]]
"""Returns whether the session of a stream or page is still valid."""
_HEARTBEAT: Final = b": still here\n\n"


class EventFrame(NamedTuple):
    """An encoded view."""

    version: int
    body: bytes


def encode_frame(view: Mapping[str, Any]) -> EventFrame:
    """A view as a server-sent event.

    >>> encode_frame({"table": "prime-1", "version": 17}).body
    b'id: 17\\nevent: view\\ndata: {"table":"prime-1","version":17}\\n\\n'
    """
    version = int(view["version"])
    return EventFrame(version, b"id: %d\nevent: view\ndata: %b\n\n" % (version, orjson.dumps(view)))


class StreamSubscriber:
    """One open stream."""

    def __init__(self, table: str, player: str | None, session_check: SessionCheck | None = None) -> None:
        self.table, self.player, self._session_check = table, player, session_check
        self._unsent = b""
        """The newest view, or a heartbeat."""
        self._last = EventFrame(-1, b"")
        """The last view that was put."""
        self._sent_at = time.monotonic()
        self._changed = asyncio.Event()
        self._ended = False

    def put(self, frame: EventFrame) -> None:
        """Set the newest view, which replaces an unsent one. Older views are ignored. A version can have several views,
        because other tables move meters too."""
        if frame.version >= self._last.version and frame.body != self._last.body:
            self._unsent, self._last = frame.body, frame
            self._changed.set()

    def put_first(self, frame: EventFrame) -> None:
        """Set the first view, unless there is a newer one."""
        if self._last.version < frame.version:
            self.put(frame)

    def check(self, silent_since: float) -> None:
        """Send a heartbeat if the stream has been silent since a time, and check its session."""
        if self._sent_at <= silent_since:
            self._unsent = self._unsent or _HEARTBEAT
            self._changed.set()
        elif self._session_check is not None:
            self._changed.set()

    def end(self) -> None:
        """End the stream after the pending view."""
        self._ended = True
        self._changed.set()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._session_check is not None and not await self._session_check():
                return
            body, self._unsent = self._unsent, b""
            if body:
                self._sent_at = time.monotonic()
                yield body
            if self._ended:
                return


class EventHub:
    """Every open stream of the server."""

    def __init__(self, heartbeat: float = HEARTBEAT, presence: Presence | None = None) -> None:
        self._presence = presence or Presence()
        self._tables: dict[str, set[StreamSubscriber]] = {}
        self._heartbeat = heartbeat
        self._ended = False

    def __len__(self) -> int:
        return sum(map(len, self._tables.values()))

    async def run(self) -> None:
        """Send heartbeats to silent streams and check the sessions of all, repeatedly. One loop for all streams costs
        less than a timer for each."""
        while True:
            await asyncio.sleep(min(self._heartbeat, RECHECK_SECONDS))
            silent_since = time.monotonic() - self._heartbeat
            for subscribers in self._tables.values():
                for subscriber in subscribers:
                    subscriber.check(silent_since)

    def subscribe(self, table: str, player: str | None, session_check: SessionCheck | None = None) -> StreamSubscriber:
        """Open a stream of a player's views of a table, as long as the session is valid."""
        subscriber = StreamSubscriber(table, player, session_check)
        self._tables.setdefault(table, set()).add(subscriber)
        self._presence.connect(player)
        if self._ended:
            subscriber.end()
        return subscriber

    def leave(self, subscriber: StreamSubscriber) -> None:
        """Remove a stream."""
        subscribers = self._tables.get(subscriber.table, set())
        if subscriber in subscribers:
            subscribers.remove(subscriber)
            self._presence.disconnect(subscriber.player)
        if not subscribers:
            self._tables.pop(subscriber.table, None)

    def tables(self) -> frozenset[str]:
        """The tables with viewers."""
        return frozenset(self._tables)

    def is_watched(self, table: str) -> bool:
        """Whether a table has viewers."""
        return table in self._tables

    def viewers(self, table: str) -> frozenset[str | None]:
        """The players who watch a table; None means anonymous viewers."""
        return frozenset(subscriber.player for subscriber in self._tables.get(table, ()))

    def publish(self, table: str, views: Mapping[str | None, EventFrame]) -> None:
        """Give each stream of a table its player's view."""
        for subscriber in self._tables.get(table, ()):
            if subscriber.player in views:
                subscriber.put(views[subscriber.player])

    def end(self) -> None:
        """End every stream, including new ones, because the server stops."""
        self._ended = True
        for subscribers in self._tables.values():
            for subscriber in subscribers:
                subscriber.end()


class EventStreamResponse(Response):
    """Sends a subscriber's events until either side ends the stream.

    A stream lasts for hours and would keep the application's call stack in memory. So the application only accepts the
    stream, and ``StreamMiddleware`` sends it after the application has returned.
    """

    media_type = "text/event-stream"

    def __init__(self, hub: EventHub, subscriber: StreamSubscriber) -> None:
        self._hub, self._subscriber = hub, subscriber
        self.status_code, self.background = 200, None
        # The header tells proxies not to buffer the stream.
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, *_: object) -> None:
        scope[_STREAMS_KEY].append(self)

    async def run(self, receive: Receive, send: Send, send_views: Send) -> None:
        """Send events until the end. Middleware may change only the start of the response, so views are sent without
        it."""
        disconnect = asyncio.ensure_future(self._wait_for_disconnect(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for body in self._subscriber:
                if disconnect.done():
                    return
                await send_views({"type": "http.response.body", "body": body, "more_body": True})
            await send_views({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            disconnect.cancel()
            self._hub.leave(self._subscriber)

    async def _wait_for_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._subscriber.end()


class StreamMiddleware:
    """Sends the accepted streams after the application has returned."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        accepted = scope[_STREAMS_KEY] = list[EventStreamResponse]()
        await self._app(scope, receive, send)
        del scope[_STREAMS_KEY]
        for stream in accepted:
            await stream.run(receive, send, scope[SERVER_SEND])
