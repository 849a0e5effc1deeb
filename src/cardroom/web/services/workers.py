"""Worker processes for long computations.

A worker is spawned for the first job that needs it, handles one job at a time, and ends when it has been idle for a
while. If the client disconnects or the job times out, the worker is killed, because a running job cannot be stopped
otherwise.
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
        self.topic, self.idle_since = "", 0.0
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


_STOPPING: Final = "The server is stopping. Try again later."


class WorkerPool:
    """Some workers and the jobs that wait for one. ``nice`` lowers their priority below dealing. ``warm`` is the first
    job of a new worker, so that loading does not count toward the timeout."""

    def __init__(
        self,
        worker_count: int,
        *,
        max_waiting: int,
        timeout: float,
        nice: int,
        warm: Callable[[], object] = bool,
        idle_seconds: float = 60.0,
    ) -> None:
        self._warm, self._idle_seconds = warm, idle_seconds
        self._max_waiting, self._timeout, self._nice = max_waiting, timeout, nice
        self._free: list[_Worker | None] = [None] * worker_count
        self._slots = asyncio.Semaphore(worker_count)
        self._executor = ThreadPoolExecutor(2 * worker_count, "worker")
        self._waiting, self._has_ended = 0, False
        self._jobs: set[asyncio.Future[Any]] = set()
        self._finishing: set[asyncio.Task[None]] = set()

    async def run(
        self, task: Callable[..., R], *args: Any, topic: str = "", on_progress: ProgressCallback = ignore_progress
    ) -> R:
        """Run a job. It is refused if too many wait or it takes too long; cancellation drops it. A worker whose last
        job had the same topic is preferred, because its caches help. ``on_progress`` receives the progress in another
        thread."""
        if self._waiting >= self._max_waiting:
            raise WorkersBusy("Too many calculations are waiting. Try again in a second.")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._timeout):
                await self._slots.acquire()
        except TimeoutError:
            raise WorkersBusy("Too many calculations are waiting. Try again in a second.") from None
        finally:
            self._waiting -= 1
        if self._has_ended:
            self._slots.release()  # for the next job that waits
            raise WorkersBusy(_STOPPING)
        job = asyncio.ensure_future(self._run_job(task, args, topic, on_progress))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            if job.cancelled():
                raise WorkersBusy(_STOPPING) from None
            self._finish(job)
            raise

    async def _run_job(
        self, task: Callable[..., R], args: tuple[Any, ...], topic: str, on_progress: ProgressCallback
    ) -> R:
        loop = asyncio.get_running_loop()
        worker, keep_worker = self._take_worker(topic), False
        try:
            if worker is None:
                worker = await loop.run_in_executor(self._executor, _Worker, self._nice, self._warm)
            worker.topic = topic
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
            if worker is not None and keep_worker:
                worker.idle_since = loop.time()
                loop.call_later(self._idle_seconds, self._end_idle_workers)
            self._free.append(worker if keep_worker else None)
            self._slots.release()

    def _take_worker(self, topic: str) -> _Worker | None:
        """The best free place: a worker with the topic, another worker, or none yet."""
        best = max(self._free, key=lambda worker: (worker is not None, worker is not None and worker.topic == topic))
        self._free.remove(best)
        return best

    def _end_idle_workers(self) -> None:
        since = asyncio.get_running_loop().time() - self._idle_seconds
        for place, worker in enumerate(self._free):
            if worker is not None and worker.idle_since <= since:
                self._free[place] = None
                worker.end()
                self._executor.submit(worker.process.join)

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
        self._has_ended = True
        jobs = [*self._jobs, *self._finishing]
        for task in jobs:
            task.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        for worker in self._free:
            if worker is not None:
                worker.end()
        self._free = [None] * len(self._free)
        self._executor.shutdown(wait=False)
