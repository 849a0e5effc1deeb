"""Gaming days that the room keeps: one is open at a time, each is named by its date, and the next follows the last.

A day that nobody opens is left out. What happens between two days belongs to the later one (BJ-30).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from cardroom.errors import BadInput
from cardroom.jackpots.day_end import ChainEnd, OpenMatter, StoodAt, digest_of
from cardroom.jackpots.happenings.of_the_room import DayClosed, DayOpened
from cardroom.jackpots.people import named

_ONE = timedelta(days=1)


class CannotKeepDay(BadInput):
    """A day that cannot be opened or closed now."""


class Days(NamedTuple):
    """The day that is open, if one is, and the last one that was closed."""

    open: date | None = None
    closed: date | None = None


def next_day(days: Days, today: date) -> date:
    """The day that comes next: today's, or the one after the last when that is closed already.

    >>> next_day(Days(closed=date(2026, 3, 2)), date(2026, 3, 2)).isoformat()
    '2026-03-03'
    """
    return today if days.closed is None else max(today, days.closed + _ONE)


def skipped(days: Days, day: date) -> int:
    """How many days are left out when this one is opened."""
    return 0 if days.closed is None else (day - days.closed).days - 1


def open_day(days: Days, day: date, *, today: date, who: str) -> tuple[DayOpened, ...]:
    """Open a gaming day; ``today`` is the one that the calendar names."""
    if days.open is not None:
        raise CannotKeepDay(f"The day {days.open} is still open: close it first (cardroom day close).")
    if days.closed is not None and day <= days.closed:
        raise CannotKeepDay(f"The last day was {days.closed}: the next one is {days.closed + _ONE} or later.")
    if day > today + _ONE:
        raise CannotKeepDay(f"It is too early to open {day}: today is {today}.")
    return (DayOpened(named(who, "name"), day),)


def close_day(
    days: Days, *, ends: Sequence[ChainEnd], jackpots: Sequence[StoodAt], matters: Sequence[OpenMatter], who: str
) -> tuple[DayClosed, ...]:
    """Draw the line under the day that is open, whatever is open besides."""
    if days.open is None:
        raise CannotKeepDay("No day is open: open one first (cardroom day open).")
    return (DayClosed(named(who, "name"), days.open, tuple(ends), digest_of(ends), tuple(jackpots), tuple(matters)),)


def days_after(days: Days, happening: DayOpened | DayClosed) -> Days:
    """Which day is open after a happening."""
    if isinstance(happening, DayOpened):
        if days.open is not None or (days.closed is not None and happening.day <= days.closed):
            raise CannotKeepDay(f"The day {happening.day} cannot follow.")
        return days._replace(open=happening.day)
    if days.open != happening.day:
        raise CannotKeepDay(f"The day {happening.day} is not open.")
    return Days(None, happening.day)


def opening_name(day: date) -> str:
    """What the room's chain knows the opening of a day by."""
    return f"day {day} opened"


def closing_name(day: date) -> str:
    """What the room's chain knows the close of a day by."""
    return f"day {day} closed"
