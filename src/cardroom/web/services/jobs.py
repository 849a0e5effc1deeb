"""Everything that is computed outside the request: the lanes in which jobs run, and one cache of results.

A lane has workers of its own, so that a player who waits for advice never waits for a simulation. A page that requests
a result does not wait: if it is missing, its job starts, and the page is notified when it is done.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Collection, Hashable
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from cardroom.errors import BadInput
from cardroom.web.services.worker_computations import ready
from cardroom.web.services.workers import (
    JobProgress,
    ProgressCallback,
    WorkerFailed,
    WorkerPool,
    WorkersBusy,
    ignore_progress,
)

R = TypeVar("R")
log = logging.getLogger(__name__)


class LaneLimits(NamedTuple):
    """The limits of a lane."""

    worker_count: int
    nice: int
    max_waiting: int
    timeout: float
    """Seconds for a job."""
    idle_seconds: float
    """Seconds until a worker without a job ends."""


class Lane(Enum):
    """Jobs of one urgency."""

    ADVICE = LaneLimits(max(2, (os.cpu_count() or 2) // 2), nice=5, max_waiting=64, timeout=60.0, idle_seconds=600.0)
    """A player waits at a table. Advice takes milliseconds, but the first one of a worker takes two seconds, and the
    first one on a machine compiles."""
    PAGE = LaneLimits(2, nice=10, max_waiting=32, timeout=600.0, idle_seconds=60.0)
    """A page or a download waits. A changed pay is priced at once, but the first price of a game computes tables."""
    BACKGROUND = LaneLimits(2, nice=15, max_waiting=2_000, timeout=1_800.0, idle_seconds=10.0)
    """Two workers, because one may compute the optimal strategy of a game for minutes, once on a machine."""


PRICES_CHANGED: Final = "counted"
"""The name that pages with results follow."""
PRICES_PROGRESS: Final = "counting"
"""The name that pages with progress follow."""
MAX_CACHED_RESULTS: Final = 1_000
_Key: TypeAlias = tuple[Hashable, ...]


class Job(NamedTuple):
    """A computation. A worker whose last job had the same topic is preferred, because its caches help."""

    lane: Lane
    task: Callable[..., Any]
    args: tuple[Any, ...]
    topic: str = ""

    @property
    def key(self) -> _Key:
        """Jobs with the same key have the same result."""
        return (self.task, *self.args)


class JobResult(NamedTuple):
    """A result, or the reason that there is none."""

    value: Any
    fault: BadInput | None = None

    @property
    def refusal(self) -> str:
        """The sentence of the fault."""
        return str(self.fault) if self.fault else ""


class Jobs:
    """The jobs of one server."""

    def __init__(self, on_change: Callable[[Collection[str]], None]) -> None:
        self._pools = {lane: WorkerPool(**lane.value._asdict(), warm=ready) for lane in Lane}
        self._on_change = on_change
        self._results: dict[_Key, JobResult] = {}
        self._progress: dict[_Key, JobProgress] = {}
        self._tasks: dict[_Key, asyncio.Task[JobResult]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Start accepting jobs from pages."""
        self._loop = asyncio.get_running_loop()

    def get(self, task: Callable[..., R], *args: Hashable) -> JobResult | None:
        """The result of a background job; None while it runs. Pages are notified of it. Thread-safe."""
        result = self._results.get((task, *args))
        if result is None and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._begin, Job(Lane.BACKGROUND, task, args))
        return result

    def progress(self, task: Callable[..., R], *args: Hashable) -> JobProgress | None:
        """The progress of a job with a cached result; None if there is none or it is done."""
        return self._progress.get((task, *args))

    def _begin(self, job: Job) -> None:
        if self._loop is not None and job.key not in self._results:
            self._share(job, self._on_change)

    async def compute(self, lane: Lane, task: Callable[..., R], *args: Hashable, topic: str = "") -> R:
        """The result of a job, computed or cached. Identical requests share one computation, which continues even if
        the clients disconnect."""
        job = Job(lane, task, args, topic)
        result = self._results.get(job.key)
        if result is None or isinstance(result.fault, WorkersBusy):
            result = await asyncio.shield(self._share(job, lambda _: None))
        if result.fault is not None:
            raise result.fault.with_traceback(None)
        value: R = result.value
        return value

    def _share(self, job: Job, on_change: Callable[[Collection[str]], None]) -> asyncio.Task[JobResult]:
        if job.key not in self._tasks:
            self._tasks[job.key] = asyncio.create_task(self._store(job, on_change))
            self._tasks[job.key].add_done_callback(lambda _: self._tasks.pop(job.key))
        return self._tasks[job.key]

    async def _store(self, job: Job, on_change: Callable[[Collection[str]], None]) -> JobResult:
        loop = asyncio.get_running_loop()

        def on_progress(progress: JobProgress) -> None:
            self._progress[job.key] = progress
            loop.call_soon_threadsafe(on_change, (PRICES_PROGRESS,))

        try:
            result = JobResult(await self._run(job, on_progress))
        except BadInput as fault:
            result = JobResult(None, fault)
        if len(self._results) >= MAX_CACHED_RESULTS:
            del self._results[next(iter(self._results))]
        self._results[job.key] = result
        self._progress.pop(job.key, None)
        on_change((PRICES_CHANGED,))
        return result

    async def run(self, lane: Lane, task: Callable[..., R], *args: Any) -> R:
        """The result of a job, which is not cached. Cancellation stops the computation."""
        result: R = await self._run(Job(lane, task, args))
        return result

    async def _run(self, job: Job, on_progress: ProgressCallback = ignore_progress) -> Any:
        try:
            return await self._pools[job.lane].run(job.task, *job.args, topic=job.topic, on_progress=on_progress)
        except WorkerFailed as fault:
            log.error("a job failed", extra={"job": job.task.__name__, "fault": str(fault)})
            raise WorkersBusy("The calculation failed. Try again.") from None

    async def end(self) -> None:
        """Cancel all jobs."""
        self._loop = None
        for pool in self._pools.values():
            await pool.end()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
