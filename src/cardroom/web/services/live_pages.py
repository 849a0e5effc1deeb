"""Pages that stay true while they are open.

A board is an open page: what it shows follows from some chains of the books, and when something happens on one of them
it is drawn again and sent, whole, if it has changed. Nothing queues: a page that reads slowly gets what is true when it
reads.

Pages are followed over a web socket. A browser opens only six streams to one host, and a seventh page would wait for
ever; of sockets it opens as many as there are pages. A page that comes back from the background asks for what is true
now, so it does not matter what it has missed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, NamedTuple, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.web.services.event_hub import SessionCheck
from cardroom.web.services.executors import Executors
from cardroom.web.services.presence import Presence

T = TypeVar("T")

HEARTBEAT_TEXT: Final = ""
"""Sent when there is nothing new: a page that hears nothing for much longer knows that the line is dead."""
HEARTBEAT_SECONDS: Final = 1.0
"""Seconds. A page takes a line for dead that was silent for two and a half."""
_GOING_AWAY: Final = 1001
SESSION_ENDED: Final = 4401
"""The session has ended or is locked: the page is loaded again, and leads to where one signs in."""
_MAX_MESSAGE_CHARACTERS: Final = 100


class LivePage(NamedTuple):
    """What an open page shows."""

    follows: Callable[[str], bool]
    """Whether what happens on a chain may change it."""
    render: Callable[[], str]
    """Draws it as it is now."""


def follow_chains(*chains: str) -> Callable[[str], bool]:
    """Follow these chains; one that ends in a star stands for all that begin so.

    >>> any_jackpot = follow_chains("table:prime-1", "jackpot:*")
    >>> [any_jackpot(one) for one in ("table:prime-1", "table:prime-12", "jackpot:final-four")]
    [True, False, True]
    """
    exact_chains = frozenset(chain_name for chain_name in chains if not chain_name.endswith("*"))
    beginnings = tuple(chain_name[:-1] for chain_name in chains if chain_name.endswith("*"))
    return lambda chain: chain in exact_chains or (bool(beginnings) and chain.startswith(beginnings))


async def admit_everyone() -> bool:
    """What is open to all."""
    return True


class LivePageConnection:
    """One page in one browser."""

    def __init__(self, page: LivePage, session_check: SessionCheck) -> None:
        self.page, self._session_check, self.is_session_ended = page, session_check, False
        self._changed = asyncio.Event()
        self._changed.set()
        self._sent: str | None = None
        self._sent_at = time.monotonic()
        self._ended = False

    def notify(self) -> None:
        """Something may have changed."""
        self._changed.set()

    def request_full_page(self) -> None:
        """The page wants to hear what is true, whatever it was sent before."""
        self._sent = None
        self._changed.set()

    def end(self) -> None:
        self._ended = True
        self._changed.set()

    async def run(self, socket: WebSocket, executors: Executors) -> None:
        """Send what is true until one of the two sides goes. Where the books cannot be read nothing is said: the page
        then knows that what it shows may be old."""
        while not self._ended:
            self._changed.clear()
            try:
                html = await self._wait_with_heartbeat(socket, asyncio.ensure_future(executors.query(self.page.render)))
            except (LedgerUnavailable, LedgerDamaged):
                await asyncio.sleep(1)
                continue
            if not await self._is_admitted():
                return
            if html != self._sent and not self._ended:
                await self._send(socket, html)
                self._sent = html
            await self._wait_with_heartbeat(socket, asyncio.ensure_future(self._changed.wait()))

    async def _wait_with_heartbeat(self, socket: WebSocket, future: asyncio.Future[T]) -> T:
        """Wait for something, and say meanwhile that the line is alive: a drawing may take long, and news may come all
        the time that change nothing."""
        try:
            while True:
                await asyncio.wait((future,), timeout=max(self._sent_at + HEARTBEAT_SECONDS - time.monotonic(), 0))
                if time.monotonic() >= self._sent_at + HEARTBEAT_SECONDS:
                    if not await self._is_admitted():
                        raise WebSocketDisconnect(SESSION_ENDED)
                    await self._send(socket, HEARTBEAT_TEXT)
                if future.done():
                    return future.result()
        finally:
            future.cancel()

    async def _is_admitted(self) -> bool:
        self.is_session_ended = self.is_session_ended or not await self._session_check()
        return not self.is_session_ended

    async def _send(self, socket: WebSocket, text: str) -> None:
        await socket.send_text(text)
        self._sent_at = time.monotonic()


class LivePages:
    """Every open page of the server."""

    def __init__(self, executors: Executors, presence: Presence) -> None:
        self._executors, self._presence = executors, presence
        self._open: set[LivePageConnection] = set()
        self._ended = False

    def __len__(self) -> int:
        return len(self._open)

    def on_change(self, chains: Collection[str]) -> None:
        """Something has happened on these chains."""
        for page in self._open:
            if any(map(page.page.follows, chains)):
                page.notify()

    def is_followed(self, chain: str) -> bool:
        """Whether somebody has a page open that a chain may change."""
        return any(page.page.follows(chain) for page in self._open)

    def end(self) -> None:
        """The server stops."""
        self._ended = True
        for page in self._open:
            page.end()

    async def serve(
        self, socket: WebSocket, live_page: LivePage, player: str | None, session_check: SessionCheck = admit_everyone
    ) -> None:
        """Keep a page true until it is closed, or whoever looks at it may not any more; whose page it is, is in the
        room."""
        await socket.accept()
        page = LivePageConnection(live_page, session_check)
        self._open.add(page)
        self._presence.connect(player)
        if self._ended:
            page.end()
        hearing = asyncio.create_task(_receive(socket, page))
        try:
            await page.run(socket, self._executors)
        except WebSocketDisconnect:
            pass
        finally:
            self._open.discard(page)
            self._presence.disconnect(player)
            hearing.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await hearing
            if socket.application_state is WebSocketState.CONNECTED:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await socket.close(SESSION_ENDED if page.is_session_ended else _GOING_AWAY)


async def _receive(socket: WebSocket, page: LivePageConnection) -> None:
    """Whatever a page says means: tell me what is true now."""
    try:
        while True:
            if len(await socket.receive_text()) > _MAX_MESSAGE_CHARACTERS:
                page.end()
                return
            page.request_full_page()
    except WebSocketDisconnect:
        page.end()
