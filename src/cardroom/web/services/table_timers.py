"""The timekeeper: when the clock of a felt has run out, the floor is told to decide.

A deadline is an instant that is stored, so a restart gives nobody more time: what ran out while nobody was there is
decided at once. The instant is one of the wall's clock, which may be set; the timekeeper therefore never sleeps for
long without a look at the clock. Of several servers the one decides that runs the table.

The usher: calls those who have gone without a word while others wait for them, and leads away who does not answer.

A felt that waits for somebody who has closed the browser would wait for the clock in every round, and without a clock
for ever. Whoever is in the room is never led away: with a page open, a stream, or a call now and then. Other servers
may stand on the same books and see players whom this one does not: the one that runs the table calls and leads away,
and whichever sees the player answers the call.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.ledger import Clock, LeaseLost, LedgerDamaged, LedgerUnavailable, system_clock
from cardroom.room.table.seats import is_delaying_others
from cardroom.room.table.state import TableState
from cardroom.service import CardRoom, SharedTableView, TablePhase
from cardroom.web.services.change_feed import ChangeFeed
from cardroom.web.services.executors import Executors
from cardroom.web.services.lease_manager import LeaseManager
from cardroom.web.services.presence import Presence

log = logging.getLogger(__name__)

SECOND: Final = 1_000_000
MAX_SLEEP_SECONDS: Final = 1.0
"""Seconds; the clock may have been set meanwhile."""
RETRY_SECONDS: Final = 0.25
MAX_RETRY_SECONDS: Final = 30.0
"""Seconds until a felt is tried again whose clock has run out and that could not be decided: first and at most."""


class Timekeeper:
    """Keeps the deadline of every felt."""

    def __init__(
        self,
        floor: CardRoom,
        executors: Executors,
        change_feed: ChangeFeed,
        lease_manager: LeaseManager,
        clock: Clock = system_clock,
    ) -> None:
        self._floor, self._executors, self._change_feed, self._lease_manager, self._clock = (
            floor,
            executors,
            change_feed,
            lease_manager,
            clock,
        )
        self._deadlines: dict[str, int] = {}
        self._deciding: dict[str, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        self.check_count = 0
        """How often it has looked at the clock and had decided what was due."""
        change_feed.add_table_listener(self.on_table_change)

    def on_table_change(self, snapshot: SharedTableView) -> None:
        """A felt has this deadline now, or none."""
        if snapshot.state.deadline:
            self._deadlines[snapshot.state.table] = snapshot.state.deadline
        else:
            self._deadlines.pop(snapshot.state.table, None)
        self._changed.set()

    async def run(self) -> None:
        """Have decided whatever is due, and sleep until the next deadline."""
        try:
            while True:
                now = self._clock()
                deadlines = {
                    table: due_at
                    for table, due_at in self._deadlines.items()
                    if self._lease_manager.lease(table) is not None
                }
                for table, deadline in deadlines.items():
                    if deadline < now and table not in self._deciding:
                        self._deciding[table] = asyncio.create_task(self._decide(table))
                self.check_count += 1
                waiting = [due_at for table, due_at in deadlines.items() if table not in self._deciding]
                self._changed.clear()
                with suppress(TimeoutError):
                    # A deadline has passed when the clock stands after it, not on it.
                    nap = (min(waiting, default=now + SECOND) + 1 - now) / SECOND
                    async with asyncio.timeout(min(max(nap, 0.0), MAX_SLEEP_SECONDS)):
                        await self._changed.wait()
        finally:
            for task in self._deciding.values():
                task.cancel()

    async def _decide(self, table: str) -> None:
        """Until the floor has done it, the felt has another deadline because somebody was quicker, or another server
        runs it."""
        pause = RETRY_SECONDS
        try:
            while self._deadlines.get(table, self._clock()) < self._clock():
                lease = self._lease_manager.lease(table)
                if lease is None:
                    return
                try:
                    if await self._executors.execute(self._floor.apply_timeout, table, lease=lease) is not None:
                        self._deadlines.pop(table, None)  # somebody may have looked before this answer was here
                        return
                except LeaseLost:
                    self._lease_manager.drop_lease(lease)
                    return
                except (LedgerUnavailable, LedgerDamaged, BadInput) as fault:
                    # Without the sentence: it may name cards, and a log is read by others.
                    log.warning("the clock cannot decide", extra={"table": table, "fault": type(fault).__name__})
                self._change_feed.notify_table(table)
                await asyncio.sleep(pause)
                pause = min(2 * pause, MAX_RETRY_SECONDS)
        finally:
            self._change_feed.notify_table(table)
            del self._deciding[table]
            self._changed.set()


ABSENT_SECONDS: Final = 15.0
"""Seconds out of sight after which somebody is called: a page that is loaded again, or heals, takes less."""
GRACE_SECONDS: Final = 5.0
"""Seconds that somebody must have waited before anybody is called."""


class AbsenceStep(NamedTuple):
    """What to do about an absent player."""

    action: str
    player: str


class AbsentPlayers:
    """Looks after the seats for which others wait."""

    def __init__(
        self,
        floor: CardRoom,
        executors: Executors,
        change_feed: ChangeFeed,
        lease_manager: LeaseManager,
        presence: Presence,
        clock: Clock,
        interval: float,
    ) -> None:
        self._floor, self._executors, self._change_feed, self._lease_manager, self._presence = (
            floor,
            executors,
            change_feed,
            lease_manager,
            presence,
        )
        self._clock, self._interval = clock, interval
        self._waiting: dict[str, SharedTableView] = {}
        self.check_count = 0
        """How often it has looked around and done what was due."""
        change_feed.add_table_listener(self.on_table_change)

    def on_table_change(self, snapshot: SharedTableView) -> None:
        """Keep in mind a felt at which others wait for somebody, or somebody is called."""
        state, before = snapshot.state, self._waiting.pop(snapshot.state.table, None)
        if before is not None:
            for player in _called_players(before.state) - _called_players(state):
                if state.seat_of(player) is not None:
                    self._presence.record(player)  # another server has seen them, or they did something at the seat
        if state.warnings or any(is_delaying_others(state, occupant) for occupant in state.seats):
            self._waiting[state.table] = snapshot

    async def run(self) -> None:
        """Look around again and again."""
        while True:
            await asyncio.sleep(self._interval)
            for snapshot in tuple(self._waiting.values()):
                for due in tuple(self.list_due_steps(snapshot)):
                    await self._act(snapshot, due)
            self.check_count += 1

    def list_due_steps(self, snapshot: SharedTableView) -> Iterator[AbsenceStep]:
        """What has to be done at a felt now."""
        state, now = snapshot.state, self._clock()
        for occupant in state.seats:
            called_at = state.warning_at(occupant.seat)
            is_gone = self._presence.is_gone(occupant.player, ABSENT_SECONDS)
            if called_at is not None:
                if self._presence.is_present(occupant.player, ABSENT_SECONDS):
                    yield AbsenceStep("answer-call", occupant.player)
                elif is_gone and now > called_at.until and state.phase is not TablePhase.PLAYING:
                    yield AbsenceStep("remove-absent-player", occupant.player)
            elif (
                is_gone
                and state.terms.away
                and is_delaying_others(state, occupant)
                and _wait_seconds(state, now) >= GRACE_SECONDS
            ):
                yield AbsenceStep("call-absent-player", occupant.player)

    async def _act(self, snapshot: SharedTableView, step: AbsenceStep) -> None:
        table = snapshot.state.table
        lease = self._lease_manager.lease(table)
        # Named after the felt's version, so that it is done once.
        id = f"absence/{step.action}/{table}/{step.player}/{snapshot.version}"
        try:
            if step.action == "answer-call":
                await self._executors.execute(self._floor.answer_call, id, step.player, table)
            elif lease is not None:
                command = (
                    self._floor.remove_absent_player
                    if step.action == "remove-absent-player"
                    else self._floor.call_absent_player
                )
                await self._executors.execute(command, id, step.player, table, lease=lease)
            else:
                return
        except LeaseLost:
            assert lease is not None
            self._lease_manager.drop_lease(lease)
        except BadInput:
            pass  # another moment: somebody was quicker, and the felt is looked at again
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning("the absence timer cannot act", extra={"table": table, "fault": type(fault).__name__})
        self._change_feed.notify_table(table)


def _called_players(state: TableState) -> set[str]:
    return {occupant.player for occupant in state.seats if state.warning_at(occupant.seat) is not None}


def _wait_seconds(state: TableState, now: int) -> float:
    """Seconds since the first wagers were laid that lie there."""
    since = min((occupant.since for occupant in state.seats if state.wagers_at(occupant.seat) is not None), default=now)
    return (now - since) / SECOND
