"""The usher: calls those who have gone without a word while others wait for them, and leads away who does not answer.

A felt that waits for somebody who has closed the browser would wait for the clock in every round, and without a clock
for ever. Whoever is in the room is never led away: with a page open, a stream, or a call now and then. Other servers
may stand on the same books and see players whom this one does not: the one that runs the table calls and leads away,
and whichever sees the player answers the call.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor import FeltLook, Floor, Phase
from cardroom.floor.felt.calling import is_waited_for
from cardroom.floor.felt.state import FeltState
from cardroom.ledger import Clock, LeaseLost, LedgerDamaged, LedgerUnavailable
from cardroom.web.room.clerks import Clerks
from cardroom.web.room.presence import SECOND, Presence
from cardroom.web.room.rota import Rota
from cardroom.web.room.watch import Watch

log = logging.getLogger(__name__)

ABSENT: Final = 15.0
"""Seconds out of sight after which somebody is called: a page that is loaded again, or heals, takes less."""
PATIENCE: Final = 5.0
"""Seconds that somebody must have waited before anybody is called."""


class Due(NamedTuple):
    """What the usher has to do."""

    deed: str
    player: str


class Usher:
    """Looks after the seats for which others wait."""

    def __init__(
        self, floor: Floor, clerks: Clerks, watch: Watch, rota: Rota, presence: Presence, clock: Clock, every: float
    ) -> None:
        self._floor, self._clerks, self._watch, self._rota, self._presence = floor, clerks, watch, rota, presence
        self._clock, self._every = clock, every
        self._waiting: dict[str, FeltLook] = {}
        self.looks = 0
        """How often it has looked around and done what was due."""
        watch.listen(self.note)

    def note(self, look: FeltLook) -> None:
        """Keep in mind a felt at which others wait for somebody, or somebody is called."""
        state, before = look.state, self._waiting.pop(look.state.table, None)
        if before is not None:
            for player in _called(before.state) - _called(state):
                if state.seat_of(player) is not None:
                    self._presence.heard(player)  # another server has seen them, or they did something at the seat
        if state.called or any(is_waited_for(state, one) for one in state.seats):
            self._waiting[state.table] = look

    async def run(self) -> None:
        """Look around again and again."""
        while True:
            await asyncio.sleep(self._every)
            for look in tuple(self._waiting.values()):
                for due in tuple(self.due(look)):
                    await self._do(look, due)
            self.looks += 1

    def due(self, look: FeltLook) -> Iterator[Due]:
        """What has to be done at a felt now."""
        state, now = look.state, self._clock()
        for one in state.seats:
            called = state.called_at(one.seat)
            is_gone = self._presence.is_gone(one.player, ABSENT)
            if called is not None:
                if self._presence.is_here(one.player, ABSENT):
                    yield Due("answer-call", one.player)
                elif is_gone and now > called.until and state.phase is not Phase.PLAYING:
                    yield Due("lead-away", one.player)
            elif is_gone and state.terms.away and is_waited_for(state, one) and _waited(state, now) >= PATIENCE:
                yield Due("call-seat", one.player)

    async def _do(self, look: FeltLook, due: Due) -> None:
        table = look.state.table
        lease = self._rota.lease(table)
        # Named after the felt's version, so that it is done once.
        id = f"usher/{due.deed}/{table}/{due.player}/{look.version}"
        try:
            if due.deed == "answer-call":
                await self._clerks.do(self._floor.answer_call, id, due.player, table)
            elif lease is not None:
                deed = self._floor.lead_away if due.deed == "lead-away" else self._floor.call_seat
                await self._clerks.do(deed, id, due.player, table, under=lease)
            else:
                return
        except LeaseLost:
            assert lease is not None
            self._rota.lost(lease)
        except BadInput:
            pass  # another moment: somebody was quicker, and the felt is looked at again
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning("the usher cannot act", extra={"table": table, "fault": type(fault).__name__})
        self._watch.ring(table)


def _called(state: FeltState) -> set[str]:
    return {one.player for one in state.seats if state.called_at(one.seat) is not None}


def _waited(state: FeltState, now: int) -> float:
    """Seconds since the first wagers were laid that lie there."""
    since = min((one.since for one in state.seats if state.laid_at(one.seat) is not None), default=now)
    return (now - since) / SECOND
