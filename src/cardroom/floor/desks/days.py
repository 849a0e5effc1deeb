"""The room's gaming days: opened, and closed with the line under everything that happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import TRIES
from cardroom.floor.desks.standings import Standings
from cardroom.floor.kept.chains import ROOM, jackpot_of, table_of
from cardroom.floor.kept.days import DrawnDays, kept_days
from cardroom.floor.kept.open_matters import (
    BankDays,
    bank_days,
    in_order,
    open_at_devices,
    open_at_jackpot,
    open_at_table,
    open_recoveries,
    open_reports,
    stood_at,
)
from cardroom.jackpots import read_as, written
from cardroom.jackpots.day_end import OpenMatter
from cardroom.jackpots.room.days import close_day, closing_name, next_day, open_day, opening_name, skipped
from cardroom.jackpots.setup.calendar import Time, day_told
from cardroom.ledger import Command, Json, UniqueKey


class DaysChanged(BadInput):
    """A day was opened or closed at this very moment."""

    def __init__(self) -> None:
        super().__init__("Days are opened and closed at this very moment: send the command again.")


class DayStanding(NamedTuple):
    """A gaming day after a command."""

    day: date
    is_open: bool
    skipped: int
    """How many days were left out before it."""
    open: tuple[OpenMatter, ...]
    """What was open when it was closed."""
    digest: str
    """Of the ends of all chains, when it was closed."""


class DayDesk(Desk):
    """A day draws a line. It never stops play: a tabulator counts at any time."""

    def open_day(self, id: str, who: str, day: str | None = None) -> DayStanding:
        """Open a gaming day: today's, or the next one, unless another is named."""
        told = None if day is None else day_told(day)
        body: dict[str, Json] = {"do": "open-day", "who": who, "day": day}

        def command() -> Command:
            known, today = self.room().days, self.calendar.day_of(self._clock())
            named = told or next_day(known, today)

            def decide(draft: Draft) -> Json:
                before = draft.room().days
                if before != known:
                    raise DaysChanged
                (opened,) = open_day(before, named, today=today, who=who)
                draft.at_room((opened,))
                return _standing_entry(DayStanding(opened.day, True, skipped(before, opened.day), (), ""))

            return self._command(id, body, (ROOM,), decide, (UniqueKey(ROOM, opening_name(named)),))

        return self._when_days_stand_still(command)

    def close_day(self, id: str, who: str) -> DayStanding:
        """Draw the line under the day that is open. What is open besides is listed, and the day closes all the same."""
        body: dict[str, Json] = {"do": "close-day", "who": who}

        def command() -> Command:
            known, chains, at_the_bank = self.room().days, {ROOM, *self.ledger.chains()}, self._at_the_bank()

            def decide(draft: Draft) -> Json:
                if draft.room().days != known:
                    raise DaysChanged
                now = self._clock()
                matters = _open(draft, chains, at_the_bank, now, draft.calendar.day_of(now))
                jackpots = [stood_at(draft.jackpot(one)) for one in sorted(filter(None, map(jackpot_of, chains)))]
                (closed,) = close_day(known, ends=draft.ends(), jackpots=jackpots, matters=matters, who=who)
                draft.at_room((closed,))
                return _standing_entry(DayStanding(closed.day, False, 0, closed.open, closed.digest))

            # Everything stands still for the moment in which the line is drawn.
            names = (UniqueKey(ROOM, closing_name(known.open)),) if known.open else ()
            return self._command(id, body, tuple(sorted(chains)), decide, names)

        return self._when_days_stand_still(command)

    def _when_days_stand_still(self, command: Callable[[], Command]) -> DayStanding:
        """Which day it is has to be known before the room is locked, and must still hold when it is."""
        for _ in range(TRIES):
            try:
                return _standing(self.ledger.execute(command()).response)
            except DaysChanged:
                continue
        raise DaysChanged

    def open_matters(self) -> tuple[OpenMatter, ...]:
        """What is open now."""
        now = self._clock()
        return _open(self, {ROOM, *self.ledger.chains()}, self._at_the_bank(), now, self.calendar.day_of(now))

    def drawn_days(self) -> DrawnDays:
        """Which gaming day everything belongs to."""
        return DrawnDays(self.calendar, kept_days(self.ledger))

    def _at_the_bank(self) -> Mapping[str, BankDays]:
        calendar, now = self.calendar, self._clock()
        jackpots = [self.jackpot(jackpot) for jackpot in self.jackpots()]
        banked = [state for state in jackpots if state.money is Currency.REAL]
        return {state.id: bank_days(self.ledger, state, calendar, now) for state in banked}


def _open(
    standing: Standings, chains: set[str], at_the_bank: Mapping[str, BankDays], now: Time, today: date
) -> tuple[OpenMatter, ...]:
    room = standing.room()
    recovered = open_recoveries(room.recoveries, room.settings.calendar, now)
    matters = [*recovered, *open_reports(room.reports, now), *open_at_devices(room.devices)]
    for jackpot in filter(None, map(jackpot_of, chains)):
        days = at_the_bank.get(jackpot, BankDays(None, today))  # opened at this very moment
        matters += open_at_jackpot(standing.jackpot(jackpot), days, today)
    for table in filter(None, map(table_of, chains)):
        matters += open_at_table(standing.table(table))
    return in_order(matters)


def _standing_entry(standing: DayStanding) -> dict[str, Json]:
    entry: dict[str, Json] = written(standing)
    return entry


def _standing(entry: Any) -> DayStanding:
    return read_as(DayStanding, entry)
