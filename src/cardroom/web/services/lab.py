"""The lab: prices of wagers with any paytable, and PAR sheets, computed in other processes."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection
from datetime import date
from fractions import Fraction
from typing import Any, Final, TypeVar

from cardroom.games import Decision, game_slugs
from cardroom.web.services.worker_computations import (
    CustomPaytable,
    PriceResult,
    price_hand,
    price_overview,
    price_paytable,
    price_strategy,
    print_par_sheet,
    ready,
)
from cardroom.web.services.workers import (
    JobCache,
    JobProgress,
    JobResult,
    ProgressCallback,
    WorkerFailed,
    WorkerPool,
    WorkersBusy,
    ignore_progress,
)

log = logging.getLogger(__name__)
R = TypeVar("R")

PRICING_WORKERS: Final = 2
"""Each worker prices some of the games, so that its caches help with the next changed pay."""
CACHE_WORKERS: Final = 2
"""Two, because one may compute the optimal strategy of a game for minutes."""
LAB_MAX_WAITING: Final = 32
PRICING_SECONDS: Final = 600.0
"""Seconds. A changed pay is priced at once, but the first price of a game compiles and computes its tables."""
LAB_NICE: Final = 10
MAX_RECENT: Final = 64
SHEET_SECONDS: Final = 1_800.0


class LabService:
    """Prices wagers on request."""

    def __init__(self, on_change: Callable[[Collection[str]], None]) -> None:
        self._job_cache = JobCache(on_change, CACHE_WORKERS)
        self._pricing_workers = tuple(
            WorkerPool(1, max_waiting=LAB_MAX_WAITING, timeout=PRICING_SECONDS, nice=LAB_NICE, warm=ready)
            for _ in range(PRICING_WORKERS)
        )
        self._pricing: dict[CustomPaytable, asyncio.Future[PriceResult]] = {}
        self._progress: dict[CustomPaytable, JobProgress] = {}
        self._recent: OrderedDict[CustomPaytable, PriceResult] = OrderedDict()
        """Recent prices, for pages that reload while they wait."""
        self._printer = WorkerPool(1, max_waiting=4, timeout=SHEET_SECONDS, nice=LAB_NICE)
        self._hands = WorkerPool(1, max_waiting=LAB_MAX_WAITING, timeout=PRICING_SECONDS, nice=LAB_NICE, warm=ready)

    def open(self) -> None:
        """Start the job cache."""
        self._job_cache.open()

    def overview(self, slug: str, wager: str) -> JobResult | None:
        """The odds of every printed paytable of a wager; None while they are computed."""
        return self._job_cache.get(price_overview, slug, wager)

    def strategy(self, slug: str, wager: str) -> JobResult | None:
        """The basic strategy of a wager; None while it is computed."""
        return self._job_cache.get(price_strategy, slug, wager)

    def overview_progress(self, slug: str, wager: str) -> JobProgress | None:
        """The progress of a wager's overview."""
        return self._job_cache.progress(price_overview, slug, wager)

    async def price(self, request: CustomPaytable) -> PriceResult:
        """The price of a wager with a changed paytable. Identical requests share one computation, which continues even
        if the clients disconnect."""
        if request in self._recent:
            return self._recent[request]
        pricing = self._pricing.get(request)
        if pricing is None:
            pricing = self._pricing[request] = asyncio.ensure_future(self._price(request))
            pricing.add_done_callback(_consume_exception)
        return await asyncio.shield(pricing)

    async def _price(self, request: CustomPaytable) -> PriceResult:
        pool = self._pricing_workers[game_slugs().index(request.game) % PRICING_WORKERS]
        try:
            price = await _run_job(
                pool, price_paytable, request, on_progress=lambda progress: self._progress.update({request: progress})
            )
            self._recent[request] = price
            if len(self._recent) > MAX_RECENT:
                self._recent.popitem(last=False)
            return price
        finally:
            self._pricing.pop(request, None)
            self._progress.pop(request, None)

    def price_progress(self, request: CustomPaytable) -> JobProgress | None:
        """The progress of a price; None if there is none."""
        return self._progress.get(request)

    async def hand(self, slug: str, wager: str, table: str, hand: str) -> tuple[tuple[Decision, Fraction], ...]:
        """The expected value of each decision with a hand. Cancellation stops the computation."""
        return await _run_job(self._hands, price_hand, slug, wager, table, hand)

    async def par_sheet(self, setup: str, form: str, day: date) -> bytes:
        """The PAR sheet of a table. Cancellation stops the computation."""
        return await _run_job(self._printer, print_par_sheet, setup, form, day)

    async def end(self) -> None:
        await self._job_cache.end()
        for workers in (*self._pricing_workers, self._printer, self._hands):
            await workers.end()


def _consume_exception(pricing: asyncio.Future[PriceResult]) -> None:
    """Consume the exception, because the client may have disconnected."""
    if not pricing.cancelled():
        pricing.exception()


async def _run_job(
    workers: WorkerPool, task: Callable[..., R], *args: Any, on_progress: ProgressCallback = ignore_progress
) -> R:
    try:
        return await workers.run(task, *args, on_progress=on_progress)
    except WorkerFailed as fault:
        log.error("a lab job failed", extra={"task": task.__name__, "fault": str(fault)})
        raise WorkersBusy("The calculation failed. Try again.") from None
