"""The company: seats of the house, played by the strategy to remember, through the same commands as anybody's.

Company never plays alone: it lays its wagers when a player has laid some. How it plays is found once for each kind of
table, in another process, because that can take a minute; until then it follows the coach's best advice. Of several
servers the one plays it that runs the table.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from cardroom.errors import BadInput
from cardroom.floor import FeltLook, Floor, Phase, Seated
from cardroom.games import Table, view
from cardroom.ledger import Lease, LeaseLost, LedgerDamaged, LedgerUnavailable
from cardroom.ledger.errors import format_error
from cardroom.web.room.clerks import Clerks
from cardroom.web.room.rota import Rota
from cardroom.web.room.school import School
from cardroom.web.room.watch import Watch

log = logging.getLogger(__name__)

Pause: TypeAlias = Callable[[], float]
"""How many seconds somebody takes to make up their mind."""

WHO: Final = "the house"
NAMES: Final = ("Ada", "Blaise", "Carl", "Dora", "Emmy", "Florence", "Georg")
"""Who keeps players company."""
BUY_IN: Final = 100
"""In least wagers."""
ENOUGH: Final = 10
"""In least wagers: with less, company gets more chips, so that it can always do what its strategy says."""


def human_pause() -> float:
    """Somewhere around a second, as people take."""
    return random.uniform(0.6, 1.6)  # noqa: S311 (nothing hangs on it)


class Due(NamedTuple):
    """What a seat of the company has to do."""

    seat: int
    version: int
    """Of the felt; what is done is named after it, so that it is done once."""
    asked: bool
    """Whether it is asked a question; else its wagers are due."""


class Company:
    """Plays every seat of the house."""

    def __init__(
        self, floor: Floor, clerks: Clerks, watch: Watch, rota: Rota, school: School, pause: Pause = human_pause
    ) -> None:
        self._floor, self._clerks, self._watch, self._rota = floor, clerks, watch, rota
        self._school, self._pause = school, pause
        self._busy: dict[tuple[str, Due], asyncio.Task[None]] = {}
        watch.listen(self.note)

    @property
    def is_busy(self) -> bool:
        """Whether a seat of the house has something to do that is not done yet."""
        return bool(self._busy)

    def note(self, look: FeltLook) -> None:
        """Look whether company has something to do."""
        if any(one.company for one in look.state.seats):
            self._school.teach(look.state.setup)
        if self._rota.lease(look.state.table) is None:
            return
        for due in _due(look):
            key = look.state.table, due
            if key not in self._busy:
                self._busy[key] = asyncio.ensure_future(self._do(look, due))
                self._busy[key].add_done_callback(lambda _, key=key: self._busy.pop(key))  # type: ignore[misc]

    async def _do(self, look: FeltLook, due: Due) -> None:
        await asyncio.sleep(self._pause())
        lease = self._rota.lease(look.state.table)
        if lease is None:
            return
        try:
            await self._clerks.do(self._answer if due.asked else self._lay, look, due, lease)
        except LeaseLost:
            self._rota.lost(lease)
        except BadInput as fault:
            # Another moment, or no clock to wait for: the table goes on without this seat's doing. The
            # sentence is for the seat alone: it may name the seat's cards, and a log is read by others.
            kind = type(fault).__name__
            log.info("company is refused", extra={"table": look.state.table, "seat": due.seat, "fault": kind})
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning(
                "company cannot act", extra={"table": look.state.table, "seat": due.seat, "fault": format_error(fault)}
            )
        self._watch.ring(look.state.table)

    def _lay(self, look: FeltLook, due: Due, lease: Lease) -> None:
        table, here = look.state.table, _seated(look, due.seat)
        wagers = least_wagers(look.state.at.table)
        id = f"company/{table}/{due.seat}/{due.version}"
        if here.chips < ENOUGH * sum(wagers.values()):
            seat_company(self._floor, f"{id}/chips", table, due.seat, here.player, under=lease)
        self._floor.company_lays(id, table, due.seat, wagers, look.state.round, under=lease)

    def _answer(self, look: FeltLook, due: Due, lease: Lease) -> None:
        assert look.position is not None
        table, play = look.state.table, self._school.play_at(look.state.setup)
        answer = str(play(view(look.position.round, due.seat)))
        id = f"company/{table}/{due.seat}/{due.version}"
        self._floor.company_answers(id, table, due.seat, answer, look.state.round, under=lease)

    def end(self) -> None:
        for task in self._busy.values():
            task.cancel()


def _due(look: FeltLook) -> Iterator[Due]:
    state = look.state
    company = [one for one in state.seats if one.company and not one.leaving]
    if state.phase is Phase.PLAYING:
        yield from (Due(one.seat, look.version, asked=True) for one in company if one.seat == state.asked)
    elif state.phase is Phase.BETTING:
        seats = {one.seat for one in company}
        if any(one.seat not in seats for one in state.laid):
            yield from (Due(seat, look.version, asked=False) for seat in seats if state.laid_at(seat) is None)


def _seated(look: FeltLook, seat: int) -> Seated:
    here = look.state.seated(seat)
    assert here is not None
    return here


def seat_company(floor: Floor, id: str, table: str, seat: int, name: str, *, under: Lease | None = None) -> None:
    """Let somebody of the company sit down, or bring more chips: enough for a while."""
    floor.seat_company(id, WHO, table, seat, name, chips_for_a_while(floor.felt(table).at.table), under=under)


def chips_for_a_while(table: Table) -> int:
    """What somebody of the company has at the beginning, in cents."""
    return BUY_IN * sum(least_wagers(table).values())


def least_wagers(table: Table) -> Mapping[str, int]:
    """The least that a seat must wager to be dealt in: on the first spot, and on every other that is required."""
    wanted: dict[str, int] = {}
    met = set[str]()
    for place, (spot, offered) in enumerate(table.spots.items()):
        slug = offered.wager.slug
        if slug not in met and (place == 0 or offered.wager.required):
            wanted[spot] = offered.limits.minimum
            met.add(slug)
    return wanted
