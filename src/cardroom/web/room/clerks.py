"""The clerks: threads that carry calls to the floor, so that whoever waits for the disk holds up nobody else.

Commands have clerks enough to share a commit (the ledger groups those that come at the same time). Looks have few of
their own, so that a thousand people who look on never stand between a player and the books.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

FOR_COMMANDS: Final = 64
FOR_LOOKS: Final = 4
AT_THE_DOOR: Final = 2
"""Passwords that are compared at the same time: each takes a core for a fifth of a second, and 64 MB."""


class Clerks:
    """Three rows of desks: for commands, for looks, and for those who sign in."""

    def __init__(self, for_commands: int = FOR_COMMANDS, for_looks: int = FOR_LOOKS) -> None:
        self._commands = ThreadPoolExecutor(for_commands, "command")
        self._looks = ThreadPoolExecutor(for_looks, "look")
        self._door = ThreadPoolExecutor(AT_THE_DOOR, "door")

    async def do(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out a command. Whoever goes away before the answer does not undo it."""
        running = asyncio.get_running_loop().run_in_executor(self._commands, partial(command, *args, **kwargs))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            running.add_done_callback(_hear)
            raise

    async def at_the_door(self, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out what compares a password: a few at a time, so that nobody who plays waits for those who sign in."""
        return await asyncio.get_running_loop().run_in_executor(self._door, partial(command, *args, **kwargs))

    async def look(self, question: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask something that changes nothing."""
        return await asyncio.get_running_loop().run_in_executor(self._looks, partial(question, *args, **kwargs))

    def close(self) -> None:
        """Go home when everything that was taken on is done."""
        self._commands.shutdown()
        self._looks.shutdown(cancel_futures=True)
        self._door.shutdown(cancel_futures=True)


def _hear(running: asyncio.Future[R]) -> None:
    """Nobody waits for the answer any more. A refusal that nobody hears would be written to the log, where others read
    what was meant for one seat."""
    if not running.cancelled():
        running.exception()
