"""Workers: other processes that think for as long as thinking takes, while the server goes on.

They are spawned, kept warm, and asked one thing at a time. Whoever asked may go away, or wait in vain: then the worker
is ended and another one takes its place, because a thought cannot be called back otherwise.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from cardroom.errors import BadInput

R = TypeVar("R")

GRACE: Final = 0.5
"""Seconds that a worker has to finish when nobody waits for it any more: most thoughts take less, and are cheaper to
end than a process is to begin."""


BETWEEN_WORDS: Final = 0.3
"""Seconds between two things that a worker tells about one thought."""


class TooBusy(BadInput):
    """More is asked than the workers can think about."""


class TooSlow(TooBusy):
    """A thought that took too long."""


class Stumbled(RuntimeError):
    """A worker fell over a fault of our own."""


class Told(NamedTuple):
    """How far a thought is."""

    what: str
    part: float
    """From 0 to 1."""


Hearer: TypeAlias = Callable[[Told], None]


def ignore(told: Told) -> None:
    """A hearer who does not listen."""


class _Teller:
    """In a worker: the line on which it tells how far it is."""

    def __init__(self) -> None:
        self.line: Connection | None = None
        self._last = 0.0

    def __call__(self, what: str, part: float) -> None:
        now = monotonic()
        if self.line is not None and now - self._last >= BETWEEN_WORDS:
            self._last = now
            self.line.send(Told(what, part))


tell: Final = _Teller()
"""What a thought calls to say how far it is; in the server itself nobody listens."""


class _Worker:
    """One process, and the line to it."""

    def __init__(self, nice: int, warm: Callable[[], object]) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._line, theirs = spawn.Pipe()
        self.process = spawn.Process(target=_think, args=(theirs, nice), daemon=True)
        self.process.start()
        theirs.close()
        self.ask(warm, ())

    def ask(self, task: Callable[..., R], args: tuple[Any, ...], told: Hearer = ignore) -> R:
        """Blocks until the answer is there, or the worker has gone."""
        self._line.send((task, args))
        answer = self._line.recv()
        while isinstance(answer, Told):
            told(answer)
            answer = self._line.recv()
        if isinstance(answer, Exception):
            raise answer
        result: R = answer
        return result

    def end(self) -> None:
        self.process.kill()  # whoever waits for its answer is told that it has gone


def _think(line: Connection, nice: int) -> None:
    """What a worker does all day. Ctrl-C is for the server: a worker goes when the line is cut."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.nice(nice)
    tell.line = line
    with suppress(EOFError, OSError):
        while True:
            task, args = line.recv()
            try:
                answer = task(*args)
            except BadInput as fault:
                answer = BadInput(str(fault))
            except Exception as fault:
                answer = Stumbled(type(fault).__name__)  # what it says may name cards, and goes to the log
            line.send(answer)


class Workers:
    """Some workers, and those who wait for one. ``nice`` says how much less urgent their thoughts are than dealing, and
    ``warm`` is what a new one is asked before anything else, so that patience is for thinking and not for loading."""

    def __init__(
        self, many: int, *, waiting: int, patience: float, nice: int, warm: Callable[[], object] = bool
    ) -> None:
        self.many, self._warm = many, warm
        self._most_waiting, self._patience, self._nice = waiting, patience, nice
        self._free: list[_Worker | None] = [None] * many
        self._places = asyncio.Semaphore(many)
        self._lines = ThreadPoolExecutor(2 * many, "worker")
        self._waiting = 0
        self._thoughts: set[asyncio.Future[Any]] = set()
        self._finishing: set[asyncio.Task[None]] = set()

    async def ask(self, task: Callable[..., R], *args: Any, told: Hearer = ignore) -> R:
        """Have something thought about; refused when too many wait or it takes too long. Cancelled, it is forgotten.
        ``told`` hears how far it is, in a thread of its own."""
        if self._waiting >= self._most_waiting:
            raise TooBusy("Too many ask for advice at this moment: ask again in a second.")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                await self._places.acquire()
        except TimeoutError:
            raise TooBusy("Too many ask for advice at this moment: ask again in a second.") from None
        finally:
            self._waiting -= 1
        thought = asyncio.ensure_future(self._thought(task, args, told))
        self._thoughts.add(thought)
        thought.add_done_callback(self._thoughts.discard)
        try:
            return await asyncio.shield(thought)
        except asyncio.CancelledError:
            if thought.cancelled():
                raise TooBusy("The server stops: ask again when it is back.") from None
            self._finish(thought)
            raise

    async def _thought(self, task: Callable[..., R], args: tuple[Any, ...], told: Hearer) -> R:
        loop = asyncio.get_running_loop()
        worker, kept = self._free.pop(), False
        try:
            if worker is None:
                worker = await loop.run_in_executor(self._lines, _Worker, self._nice, self._warm)
            try:
                async with asyncio.timeout(self._patience):
                    answer = await loop.run_in_executor(self._lines, worker.ask, task, args, told)
            except (BadInput, Stumbled):
                kept = True
                raise
            kept = True
            return answer
        except TimeoutError:
            raise TooSlow(f"This takes longer than {self._patience:g} seconds: it was given up.") from None
        except (EOFError, OSError) as gone:
            raise Stumbled("a worker has gone") from gone
        finally:
            if worker is not None and not kept:
                worker.end()
            self._free.append(worker if kept else None)
            self._places.release()

    def _finish(self, thought: asyncio.Future[Any]) -> None:
        """Nobody waits any more: a moment to finish, then it is ended."""

        async def soon() -> None:
            with suppress(Exception):
                async with asyncio.timeout(GRACE):
                    await thought

        task = asyncio.ensure_future(soon())
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)

    async def end(self) -> None:
        """Send everybody home; what is thought about is given up."""
        under_way = [*self._thoughts, *self._finishing]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        for worker in self._free:
            if worker is not None:
                worker.end()
        self._free = [None] * len(self._free)
        self._lines.shutdown(wait=False)
