"""The lab: what wagers are worth under any table, and PAR sheets, worked out in other processes."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection
from datetime import date
from fractions import Fraction
from typing import Any, Final, TypeVar

from cardroom.games import Decision, game_slugs
from cardroom.web.services.jobs import (
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
"""Each prices some of the games: what was counted once is at hand when the next pay is typed."""
CACHE_WORKERS: Final = 2
"""One may be looking for the best play of a game for minutes."""
LAB_MAX_WAITING: Final = 32
PRICING_SECONDS: Final = 600.0
"""Seconds. A pay that is typed is answered at once, but the first count of a game compiles and counts what it needs."""
LAB_NICE: Final = 10
MAX_RECENT: Final = 64
SHEET_SECONDS: Final = 1_800.0


class LabService:
    """Prices wagers as they are asked about."""

    def __init__(self, on_change: Callable[[Collection[str]], None]) -> None:
        self._job_cache = JobCache(on_change, CACHE_WORKERS)
        self._pricing_workers = tuple(
            WorkerPool(1, max_waiting=LAB_MAX_WAITING, timeout=PRICING_SECONDS, nice=LAB_NICE, warm=ready)
            for _ in range(PRICING_WORKERS)
        )
        self._pricing: dict[CustomPaytable, asyncio.Future[PriceResult]] = {}
        self._progress: dict[CustomPaytable, JobProgress] = {}
        self._recent: OrderedDict[CustomPaytable, PriceResult] = OrderedDict()
        """A page that had to wait for its figures finds them when it comes again."""
        self._printer = WorkerPool(1, max_waiting=4, timeout=SHEET_SECONDS, nice=LAB_NICE)
        self._hands = WorkerPool(1, max_waiting=LAB_MAX_WAITING, timeout=PRICING_SECONDS, nice=LAB_NICE, warm=ready)

    def open(self) -> None:
        """Count from now on."""
        self._job_cache.open()

    def overview(self, slug: str, wager: str) -> JobResult | None:
        """Every printed table of a wager; None while it is being counted."""
        return self._job_cache.get(price_overview, slug, wager)

    def strategy(self, slug: str, wager: str) -> JobResult | None:
        """The strategy to remember; None while it is being looked for."""
        return self._job_cache.get(price_strategy, slug, wager)

    def overview_progress(self, slug: str, wager: str) -> JobProgress | None:
        """How far the overview of a wager is."""
        return self._job_cache.progress(price_overview, slug, wager)

    async def price(self, request: CustomPaytable) -> PriceResult:
        """What a wager is worth under a table that somebody has changed. Whoever asks for the same meanwhile waits for
        the same answer; it is counted to its end, so that the next question finds what was counted."""
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
        """How far a price is; None when nothing was told yet, or it is not asked for."""
        return self._progress.get(request)

    async def hand(self, slug: str, wager: str, table: str, hand: str) -> tuple[tuple[Decision, Fraction], ...]:
        """What each decision is worth with a hand. Cancelled, it is given up."""
        return await _run_job(self._hands, price_hand, slug, wager, table, hand)

    async def par_sheet(self, setup: str, form: str, day: date) -> bytes:
        """The PAR sheet of a table. Cancelled, it is given up."""
        return await _run_job(self._printer, print_par_sheet, setup, form, day)

    async def end(self) -> None:
        await self._job_cache.end()
        for workers in (*self._pricing_workers, self._printer, self._hands):
            await workers.end()


def _consume_exception(pricing: asyncio.Future[PriceResult]) -> None:
    """Whoever asked may have gone before it was refused."""
    if not pricing.cancelled():
        pricing.exception()


async def _run_job(
    workers: WorkerPool, task: Callable[..., R], *args: Any, on_progress: ProgressCallback = ignore_progress
) -> R:
    try:
        return await workers.run(task, *args, on_progress=on_progress)
    except WorkerFailed as fault:
        log.error("the lab has stumbled", extra={"task": task.__name__, "fault": str(fault)})
        raise WorkersBusy("The lab has lost the thread: ask again.") from None
