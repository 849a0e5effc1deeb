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
from cardroom.web.doors.faults import key_unavailable
from cardroom.web.doors.sign_in_queue import AT_ONCE

P = ParamSpec("P")
R = TypeVar("R")
Timed: TypeAlias = Callable[[float], None]

FOR_COMMANDS: Final = 64
FOR_LOOKS: Final = 4


class Clerks:
    """Three rows of desks: for commands, for looks, and for those who sign in."""

    def __init__(self, took: Timed | None = None, for_commands: int = FOR_COMMANDS, for_looks: int = FOR_LOOKS) -> None:
        """``took`` is told of every command how many seconds it took."""
        self._commands = ThreadPoolExecutor(for_commands, "command")
        self._looks = ThreadPoolExecutor(for_looks, "look")
        self._door = ThreadPoolExecutor(AT_ONCE, "door")
        self._took = took
        self.waiting = 0
        """Commands that are not answered yet."""
        self.refusal: LedgerUnavailable | LedgerDamaged | None = None
        """Why no command is carried out before the house is open; None when it is."""

    async def do(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out a command. Whoever goes away before the answer does not undo it."""
        if self.refusal is not None:
            raise self.refusal.with_traceback(None)
        return await self.do_to_open(command, *args, **kwargs)

    async def do_to_open(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The same, for what has to be done before the house is open."""
        began = time.perf_counter()
        running = asyncio.get_running_loop().run_in_executor(self._commands, _called(command, *args, **kwargs))
        self.waiting += 1
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            running.add_done_callback(_hear)
            raise
        finally:
            self.waiting -= 1
            if self._took is not None:
                self._took(time.perf_counter() - began)

    async def at_the_door(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out what compares a password: a few at a time, so that nobody who plays waits for those who sign in."""
        return await asyncio.get_running_loop().run_in_executor(self._door, _called(command, *args, **kwargs))

    async def look(self, question: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask something that changes nothing."""
        return await asyncio.get_running_loop().run_in_executor(self._looks, _called(question, *args, **kwargs))

    def close(self) -> None:
        """Go home when everything that was taken on is done."""
        self._commands.shutdown()
        self._looks.shutdown(cancel_futures=True)
        self._door.shutdown(cancel_futures=True)


def _called(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
    """A call whose refusals may all be shown to the caller: none names the place of the room's key."""

    def called() -> R:
        try:
            return call(*args, **kwargs)
        except RoomKeyError as fault:
            raise key_unavailable(fault) from None

    return called


def _hear(running: asyncio.Future[R]) -> None:
    """Nobody waits for the answer any more. A refusal that nobody hears would be written to the log, where others read
    what was meant for one seat."""
    if not running.cancelled():
        running.exception()
