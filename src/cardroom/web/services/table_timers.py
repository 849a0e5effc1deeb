"""Table timers: deadlines, and absent players who delay others.

The timekeeper applies the timeout of a table whose deadline has passed. A deadline is a stored time, so a restart gives
no extra time: a deadline that passed meanwhile is applied at once. The wall clock may be changed, so the timekeeper
never sleeps long. The server that runs the table applies the timeout.

The absence timer warns players who disconnect while others wait for them, and then removes them. Without it, a table
would wait for the clock in every round, or forever without a clock. A player with an open page, a stream, or recent
requests is never removed. The server that runs the table warns and removes; any server that sees the player ends the
warning.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress
from heapq import heappop, heappush
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
"""Seconds. The clock may change meanwhile."""
RETRY_SECONDS: Final = 0.25
MAX_RETRY_SECONDS: Final = 30.0
"""Seconds until a failed timeout is retried: at first and at most."""


class Timekeeper:
    """Applies the deadlines of all tables."""

    def __init__(
        self,
        card_room: CardRoom,
        executors: Executors,
        change_feed: ChangeFeed,
        lease_manager: LeaseManager,
        clock: Clock = system_clock,
    ) -> None:
        self._card_room, self._executors, self._change_feed, self._lease_manager, self._clock = (
            card_room,
            executors,
            change_feed,
            lease_manager,
            clock,
        )
        self._deadlines: dict[str, int] = {}
        self._queue: list[tuple[int, str]] = []
        """The deadlines by time, and outdated ones."""
        self._deciding: dict[str, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        self.check_count = 0
        """The number of checks."""
        change_feed.add_table_listener(self.on_table_change)

    def on_table_change(self, snapshot: SharedTableView) -> None:
        """Record the deadline of a changed table."""
        table, deadline = snapshot.state.table, snapshot.state.deadline
        if not deadline:
            self._deadlines.pop(table, None)
        # One that has passed is queued again: this server may have received the table's lease meanwhile.
        elif self._deadlines.get(table) != deadline or deadline < self._clock():
            self._deadlines[table] = deadline
            heappush(self._queue, (deadline, table))
            if self._queue[0] == (deadline, table):
                self._changed.set()

    async def run(self) -> None:
        """Apply what is due and sleep until the next deadline, repeatedly."""
        try:
            while True:
                now = self._clock()
                for table in self._take_due(now):
                    if table not in self._deciding:
                        self._deciding[table] = asyncio.create_task(self._decide(table))
                self.check_count += 1
                self._changed.clear()
                with suppress(TimeoutError):
                    # A deadline has passed when the clock is after it, not at it.
                    next_deadline = self._queue[0][0] if self._queue else now + SECOND
                    seconds = (next_deadline + 1 - now) / SECOND
                    async with asyncio.timeout(min(max(seconds, 0.0), MAX_SLEEP_SECONDS)):
                        await self._changed.wait()
        finally:
            for task in self._deciding.values():
                task.cancel()

    def _take_due(self, now: int) -> list[str]:
        """The tables of this server whose deadline has passed."""
        due = []
        while self._queue and self._queue[0][0] < now:
            deadline, table = heappop(self._queue)
            if self._deadlines.get(table) == deadline and self._lease_manager.lease(table) is not None:
                due.append(table)
        return due

    async def _decide(self, table: str) -> None:
        """Apply the timeout of a table, until it is done, the deadline changes, or another server runs the table."""
        pause = RETRY_SECONDS
        try:
            while self._deadlines.get(table, self._clock()) < self._clock():
                lease = self._lease_manager.lease(table)
                if lease is None:
                    return
                try:
                    if await self._executors.execute(self._card_room.apply_timeout, table, lease=lease) is not None:
                        self._deadlines.pop(table, None)  # a listener may have run before this result
                        return
                except LeaseLost:
                    self._lease_manager.drop_lease(lease)
                    return
                except (LedgerUnavailable, LedgerDamaged, BadInput) as fault:
                    # Without the sentence, which may name cards.
                    log.warning("a timeout cannot be applied", extra={"table": table, "fault": type(fault).__name__})
                self._change_feed.notify_table(table)
                await asyncio.sleep(pause)
                pause = min(2 * pause, MAX_RETRY_SECONDS)
        finally:
            self._change_feed.notify_table(table)
            del self._deciding[table]
            self._changed.set()


ABSENT_SECONDS: Final = 15.0
"""Seconds of absence until a player is warned. Reloading a page or reconnecting takes less."""
GRACE_SECONDS: Final = 5.0
"""Seconds that another player must have waited before a warning."""


class AbsenceStep(NamedTuple):
    """An action about an absent player."""

    action: str
    player: str


class AbsentPlayers:
    """Warns and removes absent players who delay others."""

    def __init__(
        self,
        card_room: CardRoom,
        executors: Executors,
        change_feed: ChangeFeed,
        lease_manager: LeaseManager,
        presence: Presence,
        clock: Clock,
        interval: float,
    ) -> None:
        self._card_room, self._executors, self._change_feed, self._lease_manager, self._presence = (
            card_room,
            executors,
            change_feed,
            lease_manager,
            presence,
        )
        self._clock, self._interval = clock, interval
        self._waiting: dict[str, SharedTableView] = {}
        self.check_count = 0
        """The number of checks."""
        change_feed.add_table_listener(self.on_table_change)

    def on_table_change(self, snapshot: SharedTableView) -> None:
        """Record a table with a delaying or warned player."""
        state, before = snapshot.state, self._waiting.pop(snapshot.state.table, None)
        if before is not None:
            for player in _warned_players(before.state) - _warned_players(state):
                if state.seat_of(player) is not None:
                    self._presence.record(player)  # another server has seen the player, or the player acted
        if state.warnings or any(is_delaying_others(state, occupant) for occupant in state.seats):
            self._waiting[state.table] = snapshot

    async def run(self) -> None:
        """Check repeatedly."""
        while True:
            await asyncio.sleep(self._interval)
            for snapshot in tuple(self._waiting.values()):
                for due in tuple(self.list_due_steps(snapshot)):
                    await self._act(snapshot, due)
            self.check_count += 1

    def list_due_steps(self, snapshot: SharedTableView) -> Iterator[AbsenceStep]:
        """The actions that are due at a table."""
        state, now = snapshot.state, self._clock()
        for occupant in state.seats:
            warning = state.warning_at(occupant.seat)
            is_gone = self._presence.is_gone(occupant.player, ABSENT_SECONDS)
            if warning is not None:
                if self._presence.is_present(occupant.player, ABSENT_SECONDS):
                    yield AbsenceStep("answer-call", occupant.player)
                elif is_gone and now > warning.until and state.phase is not TablePhase.PLAYING:
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
        # The id includes the table's version, so that the action is executed once.
        id = f"absence/{step.action}/{table}/{step.player}/{snapshot.version}"
        try:
            if step.action == "answer-call":
                await self._executors.execute(self._card_room.answer_call, id, step.player, table)
            elif lease is not None:
                command = (
                    self._card_room.remove_absent_player
                    if step.action == "remove-absent-player"
                    else self._card_room.call_absent_player
                )
                await self._executors.execute(command, id, step.player, table, lease=lease)
            else:
                return
        except LeaseLost:
            assert lease is not None
            self._lease_manager.drop_lease(lease)
        except BadInput:
            pass  # the state has changed, and the table is checked again
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning("the absence timer cannot act", extra={"table": table, "fault": type(fault).__name__})
        self._change_feed.notify_table(table)


def _warned_players(state: TableState) -> set[str]:
    return {occupant.player for occupant in state.seats if state.warning_at(occupant.seat) is not None}


def _wait_seconds(state: TableState, now: int) -> float:
    """Seconds since the first of the current wagers was placed."""
    since = min((occupant.since for occupant in state.seats if state.wagers_at(occupant.seat) is not None), default=now)
    return (now - since) / SECOND
