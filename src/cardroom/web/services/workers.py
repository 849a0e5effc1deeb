"""Worker processes for long computations, and a cache of their results.

Workers are spawned, stay running, and handle one job at a time. If the client disconnects or the job times out, the
worker is killed and replaced, because a running job cannot be stopped otherwise.

The job cache computes each result once. A page requests a result: if it is missing, the job starts, and the page is
notified when it is done. Nothing ever waits for it.
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
"""Seconds that a worker may finish a job without a client. Most jobs take less, which is cheaper than a new process."""


PROGRESS_SECONDS: Final = 0.3
"""Seconds between two progress reports of a job."""


class WorkersBusy(BadInput):
    """The workers are overloaded."""


class JobTimeout(WorkersBusy):
    """The job took too long."""


class WorkerFailed(RuntimeError):
    """A job failed with an internal error."""


class JobProgress(NamedTuple):
    """The progress of a job."""

    label: str
    fraction: float
    """From 0 to 1."""


ProgressCallback: TypeAlias = Callable[[JobProgress], None]


def ignore_progress(progress: JobProgress) -> None:
    """Ignores progress."""


class _ProgressReporter:
    """Sends progress from a worker to the server."""

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self._last = 0.0

    def __call__(self, label: str, part: float) -> None:
        now = monotonic()
        if self.connection is not None and now - self._last >= PROGRESS_SECONDS:
            self._last = now
            self.connection.send(JobProgress(label, part))


report_progress: Final = _ProgressReporter()
"""Called by jobs to report progress; does nothing in the server itself."""


class _Worker:
    """A worker process and its connection."""

    def __init__(self, nice: int, warm: Callable[[], object]) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self.process = spawn.Process(target=_worker_loop, args=(theirs, nice), daemon=True)
        self.process.start()
        theirs.close()
        self.run(warm, ())

    def run(self, task: Callable[..., R], args: tuple[Any, ...], on_progress: ProgressCallback = ignore_progress) -> R:
        """Run a job. Blocks until the result, or until the worker ends."""
        self._pipe.send((task, args))
        message = self._pipe.recv()
        while isinstance(message, JobProgress):
            on_progress(message)
            message = self._pipe.recv()
        if isinstance(message, Exception):
            raise message
        result: R = message
        return result

    def end(self) -> None:
        self.process.kill()  # the waiting call then fails


def _worker_loop(connection: Connection, nice: int) -> None:
    """The loop of a worker. It ignores Ctrl-C and ends when its connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.nice(nice)
    report_progress.connection = connection
    with suppress(EOFError, OSError):
        while True:
            task, args = connection.recv()
            try:
                result = task(*args)
            except BadInput as fault:
                result = BadInput(str(fault))
            except Exception as fault:
                result = WorkerFailed(type(fault).__name__)  # without the message, which may name cards
            connection.send(result)


class WorkerPool:
    """Some workers and the jobs that wait for one. ``nice`` lowers their priority below dealing. ``warm`` is the first
    job of a new worker, so that loading does not count toward the timeout."""

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
        """Run a job. It is refused if too many wait or it takes too long; cancellation drops it. ``on_progress``
        receives the progress in another thread."""
        if self._waiting >= self._max_waiting:
            raise WorkersBusy("Too many requests for advice. Try again in a second.")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._timeout):
                await self._slots.acquire()
        except TimeoutError:
            raise WorkersBusy("Too many requests for advice. Try again in a second.") from None
        finally:
            self._waiting -= 1
        job = asyncio.ensure_future(self._run_job(task, args, on_progress))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            if job.cancelled():
                raise WorkersBusy("The server is stopping. Try again later.") from None
            self._finish(job)
            raise

    async def _run_job(self, task: Callable[..., R], args: tuple[Any, ...], on_progress: ProgressCallback) -> R:
        loop = asyncio.get_running_loop()
        worker, keep_worker = self._free.pop(), False
        try:
            if worker is None:
                worker = await loop.run_in_executor(self._executor, _Worker, self._nice, self._warm)
            try:
                async with asyncio.timeout(self._timeout):
                    result = await loop.run_in_executor(self._executor, worker.run, task, args, on_progress)
            except (BadInput, WorkerFailed):
                keep_worker = True
                raise
            keep_worker = True
            return result
        except TimeoutError:
            raise JobTimeout(f"This took longer than {self._timeout:g} seconds and was canceled.") from None
        except (EOFError, OSError) as error:
            raise WorkerFailed("a worker process ended") from error
        finally:
            if worker is not None and not keep_worker:
                worker.end()
            self._free.append(worker if keep_worker else None)
            self._slots.release()

    def _finish(self, future: asyncio.Future[Any]) -> None:
        """Give a job without a client a moment to finish, then end it."""

        async def soon() -> None:
            with suppress(Exception):
                async with asyncio.timeout(GRACE_SECONDS):
                    await future

        task = asyncio.ensure_future(soon())
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)

    async def end(self) -> None:
        """End all workers and cancel their jobs."""
        jobs = [*self._jobs, *self._finishing]
        for task in jobs:
            task.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        for worker in self._free:
            if worker is not None:
                worker.end()
        self._free = [None] * len(self._free)
        self._executor.shutdown(wait=False)


log = logging.getLogger(__name__)

PRICES_CHANGED: Final = "counted"
"""The name that pages with results follow."""
PRICES_PROGRESS: Final = "counting"
"""The name that pages with progress follow."""
JOB_SECONDS: Final = 1_800.0
"""Seconds. The optimal strategy of a game can take minutes, once on a machine."""
JOB_NICE: Final = 15
MAX_CACHED_RESULTS: Final = 2_000


class JobResult(NamedTuple):
    """A result, or the reason that there is none."""

    value: Any
    refusal: str = ""


class JobCache:
    """Results of jobs by task and arguments."""

    def __init__(self, on_change: Callable[[Collection[str]], None], worker_count: int = 1) -> None:
        self._workers = WorkerPool(worker_count, max_waiting=MAX_CACHED_RESULTS, timeout=JOB_SECONDS, nice=JOB_NICE)
        self._on_change = on_change
        self._results: dict[Hashable, JobResult] = {}
        self._begun: set[Hashable] = set()
        self._progress: dict[Hashable, JobProgress] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Start accepting jobs."""
        self._loop = asyncio.get_running_loop()

    def get(self, task: Callable[..., R], *args: Hashable) -> JobResult | None:
        """The result of a job; None while it runs. Thread-safe."""
        result = self._results.get((task, *args))
        if result is None and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._begin, task, args)
        return result

    def progress(self, task: Callable[..., R], *args: Hashable) -> JobProgress | None:
        """The progress of a job; None if there is none or it is done."""
        return self._progress.get((task, *args))

    def _begin(self, task: Callable[..., R], args: tuple[Hashable, ...]) -> None:
        if (task, *args) in self._begun or self._loop is None:
            return
        if len(self._begun) >= MAX_CACHED_RESULTS:  # setups change seldom; dropped results are computed again
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
            log.error("a job failed", extra={"fault": str(fault)})
            result = JobResult(None, "The calculation failed. The server log has the details.")
        self._results[key] = result
        self._progress.pop(key, None)
        self._on_change((PRICES_CHANGED,))

    async def end(self) -> None:
        """Cancel all jobs."""
        self._loop = None
        for count in self._tasks:
            count.cancel()
        await self._workers.end()
