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

from cardroom.web.room.presence import Presence

HEARTBEAT: Final = 15.0
"""Seconds without news after which a line is sent that means nothing, so that no proxy thinks the stream dead."""
ADMITTED_FOR: Final = 1.0
"""Seconds after which the session of a player who streams is looked at again; it also is before each view."""
_LATER: Final = "cardroom.streams"
Admits: TypeAlias = Callable[[], Awaitable[bool]]
"""Whether the session that has opened a stream or a page still lasts."""
_STILL_HERE: Final = b": still here\n\n"


class Frame(NamedTuple):
    """One view, ready to be sent."""

    version: int
    body: bytes


def framed(seen: Mapping[str, Any]) -> Frame:
    """A view as a server-sent event.

    >>> framed({"table": "prime-1", "version": 17}).body
    b'id: 17\\nevent: view\\ndata: {"table":"prime-1","version":17}\\n\\n'
    """
    version = int(seen["version"])
    return Frame(version, b"id: %d\nevent: view\ndata: %b\n\n" % (version, orjson.dumps(seen)))


class Subscriber:
    """One open stream."""

    def __init__(
        self, table: str, player: str | None, heartbeat: float = HEARTBEAT, admits: Admits | None = None
    ) -> None:
        self.table, self.player = table, player
        self._heartbeat, self._admits = heartbeat, admits
        self._newest: Frame | None = None
        self._last = Frame(-1, b"")
        """The newest that was put here."""
        self._news = asyncio.Event()
        self._ended = False

    def put(self, frame: Frame) -> None:
        """The newest view; one that is not yet sent is forgotten for it. News that are old are none; of one version
        there are some when a meter has moved that other tables play for too."""
        if frame.version >= self._last.version and frame.body != self._last.body:
            self._newest = self._last = frame
            self._news.set()

    def put_first(self, frame: Frame) -> None:
        """What was seen when the stream was opened, unless something newer has come meanwhile."""
        if self._last.version < frame.version:
            self.put(frame)

    def end(self) -> None:
        """No more after what lies there."""
        self._ended = True
        self._news.set()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        clock = asyncio.get_running_loop().time
        said = clock()
        while True:
            came = await self._wait(said + self._heartbeat - clock())
            if self._admits is not None and not await self._admits():
                return
            if not came and clock() < said + self._heartbeat:
                continue
            said = clock()
            if not came:
                yield _STILL_HERE
                continue
            self._news.clear()
            frame, self._newest = self._newest, None
            if frame is not None:
                yield frame.body
            if self._ended:
                return

    async def _wait(self, silence: float) -> bool:
        """Wait for news, but no longer than until something has to be sent, or the session has to be looked at."""
        try:
            async with asyncio.timeout(silence if self._admits is None else min(silence, ADMITTED_FOR)):
                await self._news.wait()
        except TimeoutError:
            return False
        return True


class Hub:
    """Every open stream of the server."""

    def __init__(self, heartbeat: float = HEARTBEAT, presence: Presence | None = None) -> None:
        self._presence = presence or Presence()
        self._tables: dict[str, set[Subscriber]] = {}
        self._heartbeat = heartbeat
        self._ended = False

    def __len__(self) -> int:
        return sum(map(len, self._tables.values()))

    def subscribe(self, table: str, player: str | None, admits: Admits | None = None) -> Subscriber:
        """From now on the player's views of the table go here too, as long as the session that asks for them lasts."""
        one = Subscriber(table, player, self._heartbeat, admits)
        self._tables.setdefault(table, set()).add(one)
        self._presence.come(player)
        if self._ended:
            one.end()
        return one

    def leave(self, one: Subscriber) -> None:
        """Forget a stream."""
        there = self._tables.get(one.table, set())
        if one in there:
            there.remove(one)
            self._presence.go(one.player)
        if not there:
            self._tables.pop(one.table, None)

    def tables(self) -> frozenset[str]:
        """Those that somebody watches."""
        return frozenset(self._tables)

    def is_watched(self, table: str) -> bool:
        """Whether somebody watches a table."""
        return table in self._tables

    def viewers(self, table: str) -> frozenset[str | None]:
        """Who watches a table; None stands for all who look on without a name."""
        return frozenset(one.player for one in self._tables.get(table, ()))

    def publish(self, table: str, views: Mapping[str | None, Frame]) -> None:
        """Give each stream of a table the view of its player."""
        for one in self._tables.get(table, ()):
            if one.player in views:
                one.put(views[one.player])

    def end(self) -> None:
        """The server stops: every stream ends, also one that is opened now."""
        self._ended = True
        for there in self._tables.values():
            for one in there:
                one.end()


class EventStream(Response):
    """Sends what a subscriber gets until one of the two sides goes.

    A stream lives for hours, and everything that is on the stack while it does lives with it. So the application only
    accepts it; it is sent by ``StreamsLast``, when the application has done its part and has gone.
    """

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, one: Subscriber) -> None:
        self._hub, self._one = hub, one
        self.status_code, self.background = 200, None
        # A proxy that gathers what it passes on would make a stream of views into a letter.
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _LATER in scope:
            scope[_LATER].append(self)
        else:
            await self.run(receive, send)

    async def run(self, receive: Receive, send: Send) -> None:
        """Send until the end."""
        leaving = asyncio.ensure_future(self._until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for body in self._one:
                if leaving.done():
                    return
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self._hub.leave(self._one)

    async def _until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._one.end()


class StreamsLast:
    """Sends the streams that an application has accepted, outside of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        accepted = scope[_LATER] = list[EventStream]()
        await self._app(scope, receive, send)
        del scope[_LATER]
        for stream in accepted:
            await stream.run(receive, send)
