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
from cardroom.web.room.counting import Counted, CountingRoom
from cardroom.web.room.paper_thoughts import par_sheet_of
from cardroom.web.room.pricing_thoughts import Answered, Changed, hand_values, overview, priced, strategy
from cardroom.web.room.thoughts import ready
from cardroom.web.room.workers import Hearer, Stumbled, Told, TooBusy, Workers, ignore

log = logging.getLogger(__name__)
R = TypeVar("R")

DESKS: Final = 2
"""Each prices some of the games: what was counted once is at hand when the next pay is typed."""
COUNTERS: Final = 2
"""One may be looking for the best play of a game for minutes."""
MOST_WAITING: Final = 32
PATIENCE: Final = 600.0
"""Seconds. A pay that is typed is answered at once, but the first count of a game compiles and counts what it needs."""
NICE: Final = 10
MOST_RECENT: Final = 64
LONGEST_SHEET: Final = 1_800.0


class Lab:
    """Prices wagers as they are asked about."""

    def __init__(self, tell: Callable[[Collection[str]], None]) -> None:
        self._counting = CountingRoom(tell, COUNTERS)
        self._desks = tuple(
            Workers(1, waiting=MOST_WAITING, patience=PATIENCE, nice=NICE, warm=ready) for _ in range(DESKS)
        )
        self._pricing: dict[Changed, asyncio.Future[Answered]] = {}
        self._so_far: dict[Changed, Told] = {}
        self._recent: OrderedDict[Changed, Answered] = OrderedDict()
        """A page that had to wait for its figures finds them when it comes again."""
        self._printer = Workers(1, waiting=4, patience=LONGEST_SHEET, nice=NICE)
        self._hands = Workers(1, waiting=MOST_WAITING, patience=PATIENCE, nice=NICE, warm=ready)

    def open(self) -> None:
        """Count from now on."""
        self._counting.open()

    def overview(self, slug: str, wager: str) -> Counted | None:
        """Every printed table of a wager; None while it is being counted."""
        return self._counting.known(overview, slug, wager)

    def strategy(self, slug: str, wager: str) -> Counted | None:
        """The strategy to remember; None while it is being looked for."""
        return self._counting.known(strategy, slug, wager)

    def counting(self, slug: str, wager: str) -> Told | None:
        """How far the overview of a wager is."""
        return self._counting.so_far(overview, slug, wager)

    async def price(self, asked: Changed) -> Answered:
        """What a wager is worth under a table that somebody has changed. Whoever asks for the same meanwhile waits for
        the same answer; it is counted to its end, so that the next question finds what was counted."""
        if asked in self._recent:
            return self._recent[asked]
        pricing = self._pricing.get(asked)
        if pricing is None:
            pricing = self._pricing[asked] = asyncio.ensure_future(self._price(asked))
            pricing.add_done_callback(_hear)
        return await asyncio.shield(pricing)

    async def _price(self, asked: Changed) -> Answered:
        desk = self._desks[game_slugs().index(asked.game) % DESKS]
        try:
            answered = await _thought(desk, priced, asked, told=lambda told: self._so_far.update({asked: told}))
            self._recent[asked] = answered
            if len(self._recent) > MOST_RECENT:
                self._recent.popitem(last=False)
            return answered
        finally:
            self._pricing.pop(asked, None)
            self._so_far.pop(asked, None)

    def so_far(self, asked: Changed) -> Told | None:
        """How far a price is; None when nothing was told yet, or it is not asked for."""
        return self._so_far.get(asked)

    async def hand(self, slug: str, wager: str, table: str, hand: str) -> tuple[tuple[Decision, Fraction], ...]:
        """What each decision is worth with a hand. Cancelled, it is given up."""
        return await _thought(self._hands, hand_values, slug, wager, table, hand)

    async def par_sheet(self, setup: str, form: str, day: date) -> bytes:
        """The PAR sheet of a table. Cancelled, it is given up."""
        return await _thought(self._printer, par_sheet_of, setup, form, day)

    async def end(self) -> None:
        await self._counting.end()
        for workers in (*self._desks, self._printer, self._hands):
            await workers.end()


def _hear(pricing: asyncio.Future[Answered]) -> None:
    """Whoever asked may have gone before it was refused."""
    if not pricing.cancelled():
        pricing.exception()


async def _thought(workers: Workers, task: Callable[..., R], *args: Any, told: Hearer = ignore) -> R:
    try:
        return await workers.ask(task, *args, told=told)
    except Stumbled as fault:
        log.error("the lab has stumbled", extra={"task": task.__name__, "fault": str(fault)})
        raise TooBusy("The lab has lost the thread: ask again.") from None
