"""The timekeeper, while other services work around it, and with many tables."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any

from cardroom.ledger import Lease, open_ledger
from cardroom.service import CardRoom, PlayTerms, TableResult
from cardroom.web.services.change_feed import ChangeFeed
from cardroom.web.services.event_hub import EventHub
from cardroom.web.services.executors import Executors
from cardroom.web.services.lease_manager import LeaseManager
from cardroom.web.services.table_timers import Timekeeper
from tests.deadline import wait_in_loop
from tests.service.table_scenes import ANTE, PRIME, HandClock, an_id, guests, open_prime

QUICK = PlayTerms(betting=5, deciding=0)


class SlowToAnswer(CardRoom):
    """A card room whose clock decides, and whose answer comes when everybody has seen what it decided."""

    def apply_timeout(self, table: str, *, lease: Lease | None = None) -> TableResult | None:
        decided = super().apply_timeout(table, lease=lease)
        if decided is not None:
            asyncio.run_coroutine_threadsafe(self.seen_by_all(table), self.loop).result()
        return decided

    async def seen_by_all(self, table: str) -> None:
        self.watch.notify_table(table)
        await wait_in_loop(lambda: not self.watch.tables()[0].state.deadline)

    loop: asyncio.AbstractEventLoop
    watch: ChangeFeed


def test_what_the_clock_decided_may_be_seen_before_the_timekeeper_hears_of_it(tmp_path: Path) -> None:
    clock, faults = HandClock(), list[dict[str, Any]]()

    async def evening(card_room: SlowToAnswer) -> None:
        card_room.loop, thread_pools = asyncio.get_running_loop(), Executors()
        card_room.loop.set_exception_handler(lambda _, fault: faults.append(fault))
        card_room.watch = ChangeFeed(card_room, thread_pools, EventHub(), interval=60)
        leases_of = LeaseManager(card_room.ledger.store, card_room.watch)
        timekeeper = Timekeeper(card_room, thread_pools, card_room.watch, leases_of, clock)
        await card_room.watch.begin()
        await leases_of.begin()
        assert card_room.watch.tables()[0].state.deadline
        clock.wait(2)
        keeping = asyncio.create_task(timekeeper.run())
        await wait_in_loop(lambda: card_room.table(PRIME).playing and not timekeeper._deciding)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await leases_of.end()
        await asyncio.to_thread(thread_pools.close)
        gc.collect()
        await asyncio.sleep(0)  # cannot fail: no time passes, the loop hears what the collector found

    with open_ledger(f"sqlite:///{tmp_path}/timed.db", clock=clock) as ledger:
        card_room = SlowToAnswer(ledger, clock)
        open_prime(card_room, PlayTerms(betting=1, deciding=0))
        ann, _ = guests(card_room, 2)
        card_room.place_wagers(an_id(), ann, PRIME, ANTE)
        asyncio.run(evening(card_room))
    assert not faults, faults


class CountedLeases(LeaseManager):
    """Records the tables whose leases are read."""

    def lease(self, table: str) -> Lease | None:
        self.read_tables.append(table)
        return super().lease(table)

    read_tables: list[str]


def test_a_change_at_one_table_makes_the_timekeeper_check_no_other(tmp_path: Path) -> None:
    clock, tables = HandClock(), [f"prime-{number}" for number in range(1, 6)]

    async def evening(card_room: CardRoom, ann: str) -> list[str]:
        thread_pools = Executors()
        change_feed = ChangeFeed(card_room, thread_pools, EventHub(), interval=60)
        leases = CountedLeases(card_room.ledger.store, change_feed)
        leases.read_tables = []
        timekeeper = Timekeeper(card_room, thread_pools, change_feed, leases, clock)
        await change_feed.begin()
        await leases.begin()
        keeping = asyncio.create_task(timekeeper.run())
        card_room.place_wagers(an_id(), ann, tables[0], ANTE)
        change_feed.notify_table(tables[0])
        await wait_in_loop(lambda: timekeeper._deadlines.get(tables[0]) == clock.now + 5_000_000)
        checks = timekeeper.check_count
        await wait_in_loop(lambda: timekeeper.check_count >= checks + 2)
        early = list(leases.read_tables)
        clock.wait(6)
        await wait_in_loop(lambda: card_room.table(tables[0]).playing and not timekeeper._deciding)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await leases.end()
        await asyncio.to_thread(thread_pools.close)
        assert set(leases.read_tables) == {tables[0]}
        return early

    with open_ledger(f"sqlite:///{tmp_path}/timed.db", clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        for table in tables:
            open_prime(card_room, PlayTerms(betting=900, deciding=0) if table != tables[0] else QUICK, table)
            (player,) = guests(card_room, 1, table)
            if table == tables[0]:
                ann = player
                guests(card_room, 1, table)
            else:
                guests(card_room, 1, table)
                card_room.place_wagers(an_id(), player, table, ANTE)
        assert asyncio.run(evening(card_room, ann)) == []
