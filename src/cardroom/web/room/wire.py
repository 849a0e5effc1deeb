"""The wire: what the database tells of every commit, so that what one server stores is seen at all others at once.

A file tells nobody anything; there the watch asks often. Where the database does tell, the watch asks now and then all
the same, and often while the wire is down."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from typing import Final

from cardroom.ledger import LedgerDamaged, LedgerUnavailable, Notification
from cardroom.ledger.errors import format_error
from cardroom.ledger.store import Store
from cardroom.web.room.rota import Rota
from cardroom.web.room.watch import Watch

log = logging.getLogger(__name__)

AGAIN: Final = 0.5
"""Seconds until a line that broke is tried again."""


class Wire:
    """Listens to the database."""

    def __init__(self, store: Store, watch: Watch, rota: Rota) -> None:
        self._store, self._watch, self._rota = store, watch, rota

    async def run(self) -> None:
        """Pass on what is told, until the line breaks; whoever keeps this up calls it again."""
        news = self._store.notifications()
        if news is None:
            await asyncio.Event().wait()
            return
        try:
            async with aclosing(news):
                async for one in news:
                    await self._pass_on(one)
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning("the database tells nothing", extra={"fault": format_error(fault)})
        finally:
            self._watch.is_told = False
        await asyncio.sleep(AGAIN)

    async def _pass_on(self, news: Notification) -> None:
        if news.has_gap:
            self._watch.is_told = True
            await self._watch.ask()
            self._rota.hurry()
        if news.chain_lengths:
            self._watch.told(news.chain_lengths)
        if news.leases_changed:
            self._rota.hurry()
