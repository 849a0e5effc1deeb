"""Streams of views: whoever watches a table gets what they may see of it, whole, after each thing that happens there.

Nothing queues. A subscriber has one place for the newest view; who reads slowly finds the newest one there and never
sees those between, so a thousand slow readers cost a thousand views and no more.

The events are written here and not by a library: a view is put into bytes once for each player and goes to all of the
player's connections, and an open stream must end at once when the server stops.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import orjson
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from cardroom.web.services.presence import Presence

HEARTBEAT: Final = 15.0
"""Seconds without news after which a line is sent that means nothing, so that no proxy thinks the stream dead."""
RECHECK_SECONDS: Final = 1.0
"""Seconds after which the session of a player who streams is looked at again; it also is before each view."""
_STREAMS_KEY: Final = "cardroom.streams"
SessionCheck: TypeAlias = Callable[[], Awaitable[bool]]
"""Whether the session that has opened a stream or a page still lasts."""
_HEARTBEAT: Final = b": still here\n\n"


class EventFrame(NamedTuple):
    """One view, ready to be sent."""

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

    def __init__(
        self, table: str, player: str | None, heartbeat: float = HEARTBEAT, session_check: SessionCheck | None = None
    ) -> None:
        self.table, self.player = table, player
        self._heartbeat, self._session_check = heartbeat, session_check
        self._newest: EventFrame | None = None
        self._last = EventFrame(-1, b"")
        """The newest that was put here."""
        self._changed = asyncio.Event()
        self._ended = False

    def put(self, frame: EventFrame) -> None:
        """The newest view; one that is not yet sent is forgotten for it. News that are old are none; of one version
        there are some when a meter has moved that other tables play for too."""
        if frame.version >= self._last.version and frame.body != self._last.body:
            self._newest = self._last = frame
            self._changed.set()

    def put_first(self, frame: EventFrame) -> None:
        """What was seen when the stream was opened, unless something newer has come meanwhile."""
        if self._last.version < frame.version:
            self.put(frame)

    def end(self) -> None:
        """No more after what lies there."""
        self._ended = True
        self._changed.set()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        clock = asyncio.get_running_loop().time
        sent_at = clock()
        while True:
            came = await self._wait(sent_at + self._heartbeat - clock())
            if self._session_check is not None and not await self._session_check():
                return
            if not came and clock() < sent_at + self._heartbeat:
                continue
            sent_at = clock()
            if not came:
                yield _HEARTBEAT
                continue
            self._changed.clear()
            frame, self._newest = self._newest, None
            if frame is not None:
                yield frame.body
            if self._ended:
                return

    async def _wait(self, silence: float) -> bool:
        """Wait for news, but no longer than until something has to be sent, or the session has to be looked at."""
        try:
            async with asyncio.timeout(silence if self._session_check is None else min(silence, RECHECK_SECONDS)):
                await self._changed.wait()
        except TimeoutError:
            return False
        return True


class EventHub:
    """Every open stream of the server."""

    def __init__(self, heartbeat: float = HEARTBEAT, presence: Presence | None = None) -> None:
        self._presence = presence or Presence()
        self._tables: dict[str, set[StreamSubscriber]] = {}
        self._heartbeat = heartbeat
        self._ended = False

    def __len__(self) -> int:
        return sum(map(len, self._tables.values()))

    def subscribe(self, table: str, player: str | None, session_check: SessionCheck | None = None) -> StreamSubscriber:
        """From now on the player's views of the table go here too, as long as the session that asks for them lasts."""
        subscriber = StreamSubscriber(table, player, self._heartbeat, session_check)
        self._tables.setdefault(table, set()).add(subscriber)
        self._presence.connect(player)
        if self._ended:
            subscriber.end()
        return subscriber

    def leave(self, subscriber: StreamSubscriber) -> None:
        """Forget a stream."""
        subscribers = self._tables.get(subscriber.table, set())
        if subscriber in subscribers:
            subscribers.remove(subscriber)
            self._presence.disconnect(subscriber.player)
        if not subscribers:
            self._tables.pop(subscriber.table, None)

    def tables(self) -> frozenset[str]:
        """Those that somebody watches."""
        return frozenset(self._tables)

    def is_watched(self, table: str) -> bool:
        """Whether somebody watches a table."""
        return table in self._tables

    def viewers(self, table: str) -> frozenset[str | None]:
        """Who watches a table; None stands for all who look on without a name."""
        return frozenset(subscriber.player for subscriber in self._tables.get(table, ()))

    def publish(self, table: str, views: Mapping[str | None, EventFrame]) -> None:
        """Give each stream of a table the view of its player."""
        for subscriber in self._tables.get(table, ()):
            if subscriber.player in views:
                subscriber.put(views[subscriber.player])

    def end(self) -> None:
        """The server stops: every stream ends, also one that is opened now."""
        self._ended = True
        for subscribers in self._tables.values():
            for subscriber in subscribers:
                subscriber.end()


class EventStreamResponse(Response):
    """Sends what a subscriber gets until one of the two sides goes.

    A stream lives for hours, and everything that is on the stack while it does lives with it. So the application only
    accepts it; it is sent by ``StreamMiddleware``, when the application has done its part and has gone.
    """

    media_type = "text/event-stream"

    def __init__(self, hub: EventHub, subscriber: StreamSubscriber) -> None:
        self._hub, self._subscriber = hub, subscriber
        self.status_code, self.background = 200, None
        # A proxy that gathers what it passes on would make a stream of views into a letter.
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _STREAMS_KEY in scope:
            scope[_STREAMS_KEY].append(self)
        else:
            await self.run(receive, send)

    async def run(self, receive: Receive, send: Send) -> None:
        """Send until the end."""
        leaving = asyncio.ensure_future(self._until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for body in self._subscriber:
                if leaving.done():
                    return
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self._hub.leave(self._subscriber)

    async def _until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._subscriber.end()


class StreamMiddleware:
    """Sends the streams that an application has accepted, outside of it."""

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
            await stream.run(receive, send)
