"""Workers: other processes that think for as long as thinking takes, while the server goes on.

They are spawned, kept warm, and asked one thing at a time. Whoever asked may go away, or wait in vain: then the worker
is ended and another one takes its place, because a thought cannot be called back otherwise.

The counting room: figures that take a while, worked out in other processes, once for each question.

Whoever draws a page asks for what is known. What is not known yet is begun; when it is, the pages that show it are
told. Nothing ever waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Collection, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from cardroom.errors import BadInput

R = TypeVar("R")

GRACE_SECONDS: Final = 0.5
"""Seconds that a worker has to finish when nobody waits for it any more: most thoughts take less, and are cheaper to
end than a process is to begin."""


PROGRESS_SECONDS: Final = 0.3
"""Seconds between two things that a worker tells about one thought."""


class WorkersBusy(BadInput):
    """More is asked than the workers can think about."""


class JobTimeout(WorkersBusy):
    """A thought that took too long."""


class WorkerFailed(RuntimeError):
    """A worker fell over a fault of our own."""


class JobProgress(NamedTuple):
    """How far a thought is."""

    label: str
    fraction: float
    """From 0 to 1."""


ProgressCallback: TypeAlias = Callable[[JobProgress], None]


def ignore_progress(progress: JobProgress) -> None:
    """A hearer who does not listen."""


class _ProgressReporter:
    """In a worker: the line on which it tells how far it is."""

    def __init__(self) -> None:
        self.line: Connection | None = None
        self._last = 0.0

    def __call__(self, label: str, part: float) -> None:
        now = monotonic()
        if self.line is not None and now - self._last >= PROGRESS_SECONDS:
            self._last = now
            self.line.send(JobProgress(label, part))


report_progress: Final = _ProgressReporter()
"""What a thought calls to say how far it is; in the server itself nobody listens."""


class _Worker:
    """One process, and the line to it."""

    def __init__(self, nice: int, warm: Callable[[], object]) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self.process = spawn.Process(target=_worker_loop, args=(theirs, nice), daemon=True)
        self.process.start()
        theirs.close()
        self.run(warm, ())

    def run(self, task: Callable[..., R], args: tuple[Any, ...], on_progress: ProgressCallback = ignore_progress) -> R:
        """Blocks until the answer is there, or the worker has gone."""
        self._pipe.send((task, args))
        answer = self._pipe.recv()
        while isinstance(answer, JobProgress):
            on_progress(answer)
            answer = self._pipe.recv()
        if isinstance(answer, Exception):
            raise answer
        result: R = answer
        return result

    def end(self) -> None:
        self.process.kill()  # whoever waits for its answer is told that it has gone


def _worker_loop(line: Connection, nice: int) -> None:
    """What a worker does all day. Ctrl-C is for the server: a worker goes when the line is cut."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.nice(nice)
    report_progress.line = line
    with suppress(EOFError, OSError):
        while True:
            task, args = line.recv()
            try:
                answer = task(*args)
            except BadInput as fault:
                answer = BadInput(str(fault))
            except Exception as fault:
                answer = WorkerFailed(type(fault).__name__)  # what it says may name cards, and goes to the log
            line.send(answer)


class WorkerPool:
    """Some workers, and those who wait for one. ``nice`` says how much less urgent their thoughts are than dealing, and
    ``warm`` is what a new one is asked before anything else, so that patience is for thinking and not for loading."""

    def __init__(
        self, worker_count: int, *, max_waiting: int, timeout: float, nice: int, warm: Callable[[], object] = bool
    ) -> None:
        self.worker_count, self._warm = worker_count, warm
        self._max_waiting, self._timeout, self._nice = max_waiting, timeout, nice
        self._free: list[_Worker | None] = [None] * worker_count
        self._slots = asyncio.Semaphore(worker_count)
        self._executor = ThreadPoolExecutor(2 * worker_count, "worker")
        self._waiting = 0
        self._jobs: set[asyncio.Future[Any]] = set()
        self._finishing: set[asyncio.Task[None]] = set()

    async def run(self, task: Callable[..., R], *args: Any, on_progress: ProgressCallback = ignore_progress) -> R:
        """Have something thought about; refused when too many wait or it takes too long. Cancelled, it is forgotten.
        ``on_progress`` hears how far it is, in a thread of its own."""
        if self._waiting >= self._max_waiting:
            raise WorkersBusy("Too many ask for advice at this moment: ask again in a second.")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._timeout):
                await self._slots.acquire()
        except TimeoutError:
            raise WorkersBusy("Too many ask for advice at this moment: ask again in a second.") from None
        finally:
            self._waiting -= 1
        thought = asyncio.ensure_future(self._run_job(task, args, on_progress))
        self._jobs.add(thought)
        thought.add_done_callback(self._jobs.discard)
        try:
            return await asyncio.shield(thought)
        except asyncio.CancelledError:
            if thought.cancelled():
                raise WorkersBusy("The server stops: ask again when it is back.") from None
            self._finish(thought)
            raise

    async def _run_job(self, task: Callable[..., R], args: tuple[Any, ...], on_progress: ProgressCallback) -> R:
        loop = asyncio.get_running_loop()
        worker, keep_worker = self._free.pop(), False
        try:
            if worker is None:
                worker = await loop.run_in_executor(self._executor, _Worker, self._nice, self._warm)
            try:
                async with asyncio.timeout(self._timeout):
                    answer = await loop.run_in_executor(self._executor, worker.run, task, args, on_progress)
            except (BadInput, WorkerFailed):
                keep_worker = True
                raise
            keep_worker = True
            return answer
        except TimeoutError:
            raise JobTimeout(f"This takes longer than {self._timeout:g} seconds: it was given up.") from None
        except (EOFError, OSError) as error:
            raise WorkerFailed("a worker has gone") from error
        finally:
            if worker is not None and not keep_worker:
                worker.end()
            self._free.append(worker if keep_worker else None)
            self._slots.release()

    def _finish(self, future: asyncio.Future[Any]) -> None:
        """Nobody waits any more: a moment to finish, then it is ended."""

        async def soon() -> None:
            with suppress(Exception):
                async with asyncio.timeout(GRACE_SECONDS):
                    await future

        task = asyncio.ensure_future(soon())
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)

    async def end(self) -> None:
        """Send everybody home; what is thought about is given up."""
        under_way = [*self._jobs, *self._finishing]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        for worker in self._free:
            if worker is not None:
                worker.end()
        self._free = [None] * len(self._free)
        self._executor.shutdown(wait=False)


log = logging.getLogger(__name__)

PRICES_CHANGED: Final = "counted"
"""What pages follow that show figures from here."""
PRICES_PROGRESS: Final = "counting"
"""What pages follow that show how far a count is."""
JOB_SECONDS: Final = 1_800.0
"""Seconds. The best play of a game can take minutes to find, once on a machine."""
JOB_NICE: Final = 15
MAX_CACHED_RESULTS: Final = 2_000


class JobResult(NamedTuple):
    """A figure that is known, or the sentence why nobody can know it."""

    value: Any
    refusal: str = ""


class JobCache:
    """Keeps what was counted, by what was asked."""

    def __init__(self, on_change: Callable[[Collection[str]], None], worker_count: int = 1) -> None:
        self._workers = WorkerPool(worker_count, max_waiting=MAX_CACHED_RESULTS, timeout=JOB_SECONDS, nice=JOB_NICE)
        self._on_change = on_change
        self._results: dict[Hashable, JobResult] = {}
        self._begun: set[Hashable] = set()
        self._progress: dict[Hashable, JobProgress] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Count from now on."""
        self._loop = asyncio.get_running_loop()

    def get(self, task: Callable[..., R], *args: Hashable) -> JobResult | None:
        """What was counted; None while it is being counted. May be called from any thread."""
        result = self._results.get((task, *args))
        if result is None and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._begin, task, args)
        return result

    def progress(self, task: Callable[..., R], *args: Hashable) -> JobProgress | None:
        """How far a count is; None when it has said nothing yet, or is done."""
        return self._progress.get((task, *args))

    def _begin(self, task: Callable[..., R], args: tuple[Hashable, ...]) -> None:
        if (task, *args) in self._begun or self._loop is None:
            return
        if len(self._begun) >= MAX_CACHED_RESULTS:  # set-ups change seldom; what is forgotten is counted again
            self._results.clear()
            self._begun.clear()
        self._begun.add((task, *args))
        count = self._loop.create_task(self._run_job(task, args))
        self._tasks.add(count)
        count.add_done_callback(self._tasks.discard)

    async def _run_job(self, task: Callable[..., R], args: tuple[Hashable, ...]) -> None:
        loop, key = asyncio.get_running_loop(), (task, *args)

        def on_progress(progress: JobProgress) -> None:
            self._progress[key] = progress
            loop.call_soon_threadsafe(self._on_change, (PRICES_PROGRESS,))

        try:
            result = JobResult(await self._workers.run(task, *args, on_progress=on_progress))
        except BadInput as fault:
            result = JobResult(None, str(fault))
        except WorkerFailed as fault:
            log.error("a count has stumbled", extra={"fault": str(fault)})
            result = JobResult(None, "It cannot be counted here: the log of the server says why.")
        self._results[key] = result
        self._progress.pop(key, None)
        self._on_change((PRICES_CHANGED,))

    async def end(self) -> None:
        """What is being counted is given up."""
        self._loop = None
        for count in self._tasks:
            count.cancel()
        await self._workers.end()
