"""Live pages: open pages that are updated over a WebSocket.

The content of a live page depends on some chains of the ledger. After an event on one of them, the page is rendered and
sent again if it has changed. Nothing queues: a slow page receives the newest state.

The module uses WebSockets, because a browser opens only six event streams to one host and a seventh page would wait
forever. A page that returns from the background requests the current state, so missed updates do not matter.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Final, NamedTuple, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.web.services.event_hub import SessionCheck
from cardroom.web.services.executors import Executors
from cardroom.web.services.presence import Presence

T = TypeVar("T")

HEARTBEAT_TEXT: Final = ""
"""Sent without a change, so that a page can detect a dead connection."""
HEARTBEAT_SECONDS: Final = 1.0
"""Seconds. A page treats a connection as dead after two and a half seconds without data."""
_ANY: Final = "*"
"""Means all chains, for pages with a function that says which ones they follow."""
_GOING_AWAY: Final = 1001
SESSION_ENDED: Final = 4401
"""The session has ended or is locked. The page reloads and redirects to the sign-in page."""
_MAX_MESSAGE_CHARACTERS: Final = 100


class LivePage(NamedTuple):
    """The content of an open page."""

    chains: Collection[str]
    """The chains whose events may change it, such as ``table:prime-1``, or ``jackpot:*`` for all jackpots."""
    render: Callable[[], str]
    """Renders the current content."""
    follows: Callable[[str], bool] | None = None
    """Whether an event of any other chain may change it."""


def _whole_kind(chain: str) -> str:
    """The name that means all chains of a kind.

    >>> _whole_kind("jackpot:final-four")
    'jackpot:*'
    """
    return f"{chain.partition(':')[0]}:*"


async def admit_everyone() -> bool:
    """The session check of a public page."""
    return True


class LivePageConnection:
    """An open page in a browser."""

    def __init__(self, page: LivePage, session_check: SessionCheck) -> None:
        self.page, self._session_check, self.is_session_ended = page, session_check, False
        self._changed = asyncio.Event()
        self._changed.set()
        self._sent: str | None = None
        self._sent_at = time.monotonic()
        self._ended = False

    @property
    def chains(self) -> Collection[str]:
        """The chains that the page follows."""
        return self.page.chains if self.page.follows is None else {*self.page.chains, _ANY}

    def notify(self) -> None:
        """Check for a change."""
        self._changed.set()

    def request_full_page(self) -> None:
        """Send the page again, even without a change."""
        self._sent = None
        self._changed.set()

    def end(self) -> None:
        self._ended = True
        self._changed.set()

    async def run(self, socket: WebSocket, executors: Executors) -> None:
        """Send updates until either side disconnects. While the ledger cannot be read nothing is sent, so the page
        shows that it may be outdated."""
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
        """Wait for a future and send heartbeats meanwhile, because rendering may take long and events may change
        nothing."""
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
        self._by_chain: dict[str, set[LivePageConnection]] = {}
        """The open pages by each of their chains, so that an event costs no more when other pages are open."""
        self._ended = False

    def __len__(self) -> int:
        return len(self._open)

    def on_change(self, chains: Collection[str]) -> None:
        """Notify the pages that follow these chains."""
        for chain in chains:
            for page in self._followers(chain):
                page.notify()

    def is_followed(self, chain: str) -> bool:
        """Whether an open page follows a chain."""
        return any(True for _ in self._followers(chain))

    def _followers(self, chain: str) -> Iterator[LivePageConnection]:
        yield from self._by_chain.get(chain, ())
        yield from self._by_chain.get(_whole_kind(chain), ())
        for page in self._by_chain.get(_ANY, ()):
            if page.page.follows is not None and page.page.follows(chain):
                yield page

    def _add(self, page: LivePageConnection) -> None:
        self._open.add(page)
        for chain in page.chains:
            self._by_chain.setdefault(chain, set()).add(page)

    def _remove(self, page: LivePageConnection) -> None:
        self._open.discard(page)
        for chain in page.chains:
            pages = self._by_chain[chain]
            pages.discard(page)
            if not pages:
                del self._by_chain[chain]

    def end(self) -> None:
        """End all pages, because the server stops."""
        self._ended = True
        for page in self._open:
            page.end()

    async def serve(
        self, socket: WebSocket, live_page: LivePage, player: str | None, session_check: SessionCheck = admit_everyone
    ) -> None:
        """Update a page until it is closed or its session ends. Its player counts as present."""
        await socket.accept()
        page = LivePageConnection(live_page, session_check)
        self._add(page)
        self._presence.connect(player)
        if self._ended:
            page.end()
        receiving = asyncio.create_task(_receive(socket, page))
        try:
            await page.run(socket, self._executors)
        except WebSocketDisconnect:
            pass
        finally:
            self._remove(page)
            self._presence.disconnect(player)
            receiving.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await receiving
            if socket.application_state is WebSocketState.CONNECTED:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await socket.close(SESSION_ENDED if page.is_session_ended else _GOING_AWAY)


async def _receive(socket: WebSocket, page: LivePageConnection) -> None:
    """Handle messages of a page. Each one requests the current state."""
    try:
        while True:
            if len(await socket.receive_text()) > _MAX_MESSAGE_CHARACTERS:
                page.end()
                return
            page.request_full_page()
    except WebSocketDisconnect:
        page.end()
