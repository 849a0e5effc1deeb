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
from cardroom.web.room.clerks import Clerks
from cardroom.web.room.hub import Admits
from cardroom.web.room.presence import Presence

T = TypeVar("T")

STILL_HERE: Final = ""
"""Sent when there is nothing new: a page that hears nothing for much longer knows that the line is dead."""
EVERY: Final = 1.0
"""Seconds. A page takes a line for dead that was silent for two and a half."""
_GONE: Final = 1001
SHOWN_OUT: Final = 4401
"""The session has ended or is locked: the page is loaded again, and leads to where one signs in."""
_LONGEST_WORD: Final = 100


class Board(NamedTuple):
    """What an open page shows."""

    follows: Callable[[str], bool]
    """Whether what happens on a chain may change it."""
    draw: Callable[[], str]
    """Draws it as it is now."""


def follow(*chains: str) -> Callable[[str], bool]:
    """Follow these chains; one that ends in a star stands for all that begin so.

    >>> any_jackpot = follow("felt:prime-1", "jackpot:*")
    >>> [any_jackpot(one) for one in ("felt:prime-1", "felt:prime-12", "jackpot:final-four")]
    [True, False, True]
    """
    whole = frozenset(one for one in chains if not one.endswith("*"))
    beginnings = tuple(one[:-1] for one in chains if one.endswith("*"))
    return lambda chain: chain in whole or (bool(beginnings) and chain.startswith(beginnings))


async def everybody() -> bool:
    """What is open to all."""
    return True


class OpenPage:
    """One page in one browser."""

    def __init__(self, board: Board, admits: Admits) -> None:
        self.board, self._admits, self.shown_out = board, admits, False
        self._news = asyncio.Event()
        self._news.set()
        self._sent: str | None = None
        self._said = time.monotonic()
        self._ended = False

    def ring(self) -> None:
        """Something may have changed."""
        self._news.set()

    def ask(self) -> None:
        """The page wants to hear what is true, whatever it was sent before."""
        self._sent = None
        self._news.set()

    def end(self) -> None:
        self._ended = True
        self._news.set()

    async def run(self, socket: WebSocket, clerks: Clerks) -> None:
        """Send what is true until one of the two sides goes. Where the books cannot be read nothing is said: the page
        then knows that what it shows may be old."""
        while not self._ended:
            self._news.clear()
            try:
                drawn = await self._until(socket, asyncio.ensure_future(clerks.look(self.board.draw)))
            except (LedgerUnavailable, LedgerDamaged):
                await asyncio.sleep(1)
                continue
            if not await self._is_admitted():
                return
            if drawn != self._sent and not self._ended:
                await self._say(socket, drawn)
                self._sent = drawn
            await self._until(socket, asyncio.ensure_future(self._news.wait()))

    async def _until(self, socket: WebSocket, done: asyncio.Future[T]) -> T:
        """Wait for something, and say meanwhile that the line is alive: a drawing may take long, and news may come all
        the time that change nothing."""
        try:
            while True:
                await asyncio.wait((done,), timeout=max(self._said + EVERY - time.monotonic(), 0))
                if time.monotonic() >= self._said + EVERY:
                    if not await self._is_admitted():
                        raise WebSocketDisconnect(SHOWN_OUT)
                    await self._say(socket, STILL_HERE)
                if done.done():
                    return done.result()
        finally:
            done.cancel()

    async def _is_admitted(self) -> bool:
        self.shown_out = self.shown_out or not await self._admits()
        return not self.shown_out

    async def _say(self, socket: WebSocket, words: str) -> None:
        await socket.send_text(words)
        self._said = time.monotonic()


class Boards:
    """Every open page of the server."""

    def __init__(self, clerks: Clerks, presence: Presence) -> None:
        self._clerks, self._presence = clerks, presence
        self._open: set[OpenPage] = set()
        self._ended = False

    def __len__(self) -> int:
        return len(self._open)

    def note(self, chains: Collection[str]) -> None:
        """Something has happened on these chains."""
        for page in self._open:
            if any(map(page.board.follows, chains)):
                page.ring()

    def is_followed(self, chain: str) -> bool:
        """Whether somebody has a page open that a chain may change."""
        return any(page.board.follows(chain) for page in self._open)

    def end(self) -> None:
        """The server stops."""
        self._ended = True
        for page in self._open:
            page.end()

    async def show(self, socket: WebSocket, board: Board, player: str | None, admits: Admits = everybody) -> None:
        """Keep a page true until it is closed, or whoever looks at it may not any more; whose page it is, is in the
        room."""
        await socket.accept()
        page = OpenPage(board, admits)
        self._open.add(page)
        self._presence.come(player)
        if self._ended:
            page.end()
        hearing = asyncio.create_task(_hear(socket, page))
        try:
            await page.run(socket, self._clerks)
        except WebSocketDisconnect:
            pass
        finally:
            self._open.discard(page)
            self._presence.go(player)
            hearing.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await hearing
            if socket.application_state is WebSocketState.CONNECTED:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await socket.close(SHOWN_OUT if page.shown_out else _GONE)


async def _hear(socket: WebSocket, page: OpenPage) -> None:
    """Whatever a page says means: tell me what is true now."""
    try:
        while True:
            if len(await socket.receive_text()) > _LONGEST_WORD:
                page.end()
                return
            page.ask()
    except WebSocketDisconnect:
        page.end()
