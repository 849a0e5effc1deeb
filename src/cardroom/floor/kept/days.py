"""The gaming days as they were opened and closed, and the day that an event belongs to.

The close of a day says where every chain ended, so the line under a day goes between two events and not between two
times: clocks of several machines differ a little, and nothing moves to another day for that. Until the first day is
opened, and once nobody opens days any more, the calendar names them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.kept.chains import ROOM
from cardroom.floor.kept.recall import happened
from cardroom.jackpots.happenings import DayClosed, DayOpened
from cardroom.jackpots.room.days import closing_name, opening_name
from cardroom.jackpots.setup.calendar import Calendar, Time
from cardroom.ledger import Event, Ledger

_ONE = timedelta(days=1)


class UnknownDay(BadInput):
    """A day that was never opened."""


class Closed(NamedTuple):
    """The line under a day."""

    time: Time
    sequence: int
    """The number of the event on the room's chain."""
    told: DayClosed


class KeptDay(NamedTuple):
    """A day that was opened."""

    day: date
    opened: Time
    opened_by: str
    closed: Closed | None = None


def kept_day(ledger: Ledger, day: date) -> KeptDay:
    """One day."""
    opened = ledger.find_event(ROOM, opening_name(day))
    if opened is None:
        raise UnknownDay(f"The day {day} was never opened: `cardroom day show` tells which one is open.")
    closed, told = ledger.find_event(ROOM, closing_name(day)), happened(opened)
    assert isinstance(told, DayOpened)
    return KeptDay(day, opened.time, told.who, _line(closed) if closed else None)


def kept_days(ledger: Ledger) -> tuple[KeptDay, ...]:
    """Every day that was ever opened, from the first to the last."""
    days = list[KeptDay]()
    for event in ledger.events(ROOM):
        if event.kind == DayOpened.kind:
            told = happened(event)
            assert isinstance(told, DayOpened)
            days.append(KeptDay(told.day, event.time, told.who))
        elif event.kind == DayClosed.kind:
            days[-1] = days[-1]._replace(closed=_line(event))
    return tuple(days)


def _line(event: Event) -> Closed:
    told = happened(event)
    assert isinstance(told, DayClosed)
    return Closed(event.time, event.sequence, told)


class DrawnDays:
    """Which gaming day everything belongs to."""

    def __init__(self, calendar: Calendar, kept: Sequence[KeptDay] = ()) -> None:
        self.calendar = calendar
        self._kept = tuple(kept)
        self._begin = min(kept[0].opened, calendar.begins(kept[0].day)) if kept else None
        """When the first day began that the room kept itself: before it the calendar holds."""
        self._lines = [
            {end.chain: end.sequence for end in day.closed.told.ends} | {ROOM: day.closed.sequence}
            for day in self._kept
            if day.closed is not None
        ]
        self._cuts: dict[str, list[int]] = {}

    def __str__(self) -> str:
        return f"{self.calendar.name}, days as they were opened and closed" if self._kept else str(self.calendar)

    def day_of(self, event: Event) -> date:
        """The gaming day of an event."""
        if self._begin is None or event.time < self._begin:
            return self.calendar.day_of(event.time)
        place = bisect_left(self._cuts_of(event.chain), event.sequence)
        return self._kept[place].day if place < len(self._kept) else self._after_the_last(event.time)

    def ended(self, day: date, now: Time) -> Time:
        """Up to when things happened that belong to this day or an earlier one: its end by the calendar, or the close
        of a day that was left open for longer."""
        ends = min(now, self.calendar.begins(day + _ONE) - 1)
        last = next((one for one in reversed(self._kept) if one.day <= day), None)
        if last is None:
            return ends
        return max(ends, last.closed.time if last.closed else now)

    def _cuts_of(self, chain: str) -> list[int]:
        if chain not in self._cuts:
            self._cuts[chain] = [line.get(chain, 0) for line in self._lines]
        return self._cuts[chain]

    def _after_the_last(self, time: Time) -> date:
        """What happens after a close belongs to the next day that is opened; until then the calendar names it."""
        return max(self.calendar.day_of(time), self._kept[-1].day + _ONE)
