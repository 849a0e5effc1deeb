"""The clerks: threads that carry calls to the floor, so that whoever waits for the disk holds up nobody else.

Commands have clerks enough to share a commit (the ledger groups those that come at the same time). Looks have few of
their own, so that a thousand people who look on never stand between a player and the books.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeAlias, TypeVar

from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.ledger.encryption import RoomKeyError
from cardroom.web.middleware.rejections import key_unavailable
from cardroom.web.middleware.sign_in_queue import MAX_CONCURRENT

P = ParamSpec("P")
R = TypeVar("R")
DurationCallback: TypeAlias = Callable[[float], None]

COMMAND_THREADS: Final = 64
QUERY_THREADS: Final = 4


class Executors:
    """Three rows of desks: for commands, for looks, and for those who sign in."""

    def __init__(
        self,
        on_duration: DurationCallback | None = None,
        command_threads: int = COMMAND_THREADS,
        query_threads: int = QUERY_THREADS,
    ) -> None:
        """``on_duration`` is told of every command how many seconds it took."""
        self._commands = ThreadPoolExecutor(command_threads, "command")
        self._queries = ThreadPoolExecutor(query_threads, "look")
        self._sign_ins = ThreadPoolExecutor(MAX_CONCURRENT, "door")
        self._on_duration = on_duration
        self.pending = 0
        """Commands that are not answered yet."""
        self.refusal: LedgerUnavailable | LedgerDamaged | None = None
        """Why no command is carried out before the house is open; None when it is."""

    async def execute(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out a command. Whoever goes away before the answer does not undo it."""
        if self.refusal is not None:
            raise self.refusal.with_traceback(None)
        return await self.execute_before_opening(command, *args, **kwargs)

    async def execute_before_opening(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The same, for what has to be done before the house is open."""
        began = time.perf_counter()
        running = asyncio.get_running_loop().run_in_executor(self._commands, _bind(command, *args, **kwargs))
        self.pending += 1
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            running.add_done_callback(_consume_exception)
            raise
        finally:
            self.pending -= 1
            if self._on_duration is not None:
                self._on_duration(time.perf_counter() - began)

    async def compare_password(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out what compares a password: a few at a time, so that nobody who plays waits for those who sign in."""
        return await asyncio.get_running_loop().run_in_executor(self._sign_ins, _bind(command, *args, **kwargs))

    async def query(self, query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask something that changes nothing."""
        return await asyncio.get_running_loop().run_in_executor(self._queries, _bind(query, *args, **kwargs))

    def close(self) -> None:
        """Go home when everything that was taken on is done."""
        self._commands.shutdown()
        self._queries.shutdown(cancel_futures=True)
        self._sign_ins.shutdown(cancel_futures=True)


def _bind(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
    """A call whose refusals may all be shown to the caller: none names the place of the room's key."""

    def run() -> R:
        try:
            return call(*args, **kwargs)
        except RoomKeyError as fault:
            raise key_unavailable(fault) from None

    return run


def _consume_exception(running: asyncio.Future[R]) -> None:
    """Nobody waits for the answer any more. A refusal that nobody hears would be written to the log, where others read
    what was meant for one seat."""
    if not running.cancelled():
        running.exception()
