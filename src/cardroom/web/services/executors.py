"""Thread pools for commands, queries, and password checks, so that disk access never blocks the event loop.

Commands have many threads, because the ledger commits simultaneous commands together. Queries have a few threads of
their own, so that a thousand viewers never delay a player's command.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
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
    """Three thread pools: for commands, queries, and password checks."""

    def __init__(
        self,
        on_duration: DurationCallback | None = None,
        command_threads: int = COMMAND_THREADS,
        query_threads: int = QUERY_THREADS,
    ) -> None:
        """``on_duration`` receives the seconds of each command."""
        self._commands = ThreadPoolExecutor(command_threads, "command")
        self._queries = ThreadPoolExecutor(query_threads, "query")
        self._sign_ins = ThreadPoolExecutor(MAX_CONCURRENT, "sign-in")
        self._on_duration = on_duration
        self.pending = 0
        """Commands in progress."""
        self.refusal: LedgerUnavailable | LedgerDamaged | None = None
        """Why commands are refused before the server is open; None when it is."""

    async def execute(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Execute a command. A client that disconnects does not cancel it."""
        if self.refusal is not None:
            raise self.refusal.with_traceback(None)
        return await self.execute_before_opening(command, *args, **kwargs)

    async def execute_before_opening(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Execute a command even before the server is open."""
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
        """Execute a password check, a few at a time, so that players never wait for sign-ins."""
        return await asyncio.get_running_loop().run_in_executor(self._sign_ins, _bind(command, *args, **kwargs))

    async def query(self, query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Execute a query, which changes nothing."""
        return await asyncio.get_running_loop().run_in_executor(self._queries, _bind(query, *args, **kwargs))

    def close(self) -> None:
        """Stop after every accepted command is done."""
        self._commands.shutdown()
        self._queries.shutdown(cancel_futures=True)
        self._sign_ins.shutdown(cancel_futures=True)


def _bind(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
    """A bound call in the language of the current request, whose refusals never name the location of the card room's
    key."""
    context = copy_context()

    def run() -> R:
        try:
            return context.run(call, *args, **kwargs)
        except RoomKeyError as fault:
            raise key_unavailable(fault) from None

    return run


def _consume_exception(running: asyncio.Future[R]) -> None:
    """Consume the exception of a command without a client, so that asyncio does not log a sentence that only one seat
    may read."""
    if not running.cancelled():
        running.exception()
