"""Gaming days that the room keeps: one is open at a time, each is named by its date, and the next follows the last.

A day that nobody opens is left out. What happens between two days belongs to the later one (BJ-30).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from cardroom.errors import BadInput
from cardroom.room.dual_control import require_text
from cardroom.room.site.events import ChainEnd, DayClosed, DayOpened, DayOpenItem, JackpotDayEnd, chain_ends_digest

_ONE_DAY = timedelta(days=1)


class BadDayChange(BadInput):
    """A day that cannot be opened or closed now."""


class GamingDays(NamedTuple):
    """The day that is open, if one is, and the last one that was closed."""

    open: date | None = None
    closed: date | None = None


def next_day(days: GamingDays, today: date) -> date:
    """The day that comes next: today's, or the one after the last when that is closed already.

    >>> next_day(GamingDays(closed=date(2026, 3, 2)), date(2026, 3, 2)).isoformat()
    '2026-03-03'
    """
    return today if days.closed is None else max(today, days.closed + _ONE_DAY)


def count_skipped_days(days: GamingDays, day: date) -> int:
    """How many days are left out when this one is opened."""
    return 0 if days.closed is None else (day - days.closed).days - 1


def open_day(days: GamingDays, day: date, *, today: date, who: str) -> tuple[DayOpened, ...]:
    """Open a gaming day; ``today`` is the one that the calendar names."""
    if days.open is not None:
        raise BadDayChange(f"The day {days.open} is still open: close it first (cardroom day close).")
    if days.closed is not None and day <= days.closed:
        raise BadDayChange(f"The last day was {days.closed}: the next one is {days.closed + _ONE_DAY} or later.")
    if day > today + _ONE_DAY:
        raise BadDayChange(f"It is too early to open {day}: today is {today}.")
    return (DayOpened(require_text(who, "name"), day),)


def close_day(
    days: GamingDays,
    *,
    ends: Sequence[ChainEnd],
    jackpots: Sequence[JackpotDayEnd],
    open_items: Sequence[DayOpenItem],
    who: str,
) -> tuple[DayClosed, ...]:
    """Draw the line under the day that is open, whatever is open besides."""
    if days.open is None:
        raise BadDayChange("No day is open: open one first (cardroom day open).")
    return (
        DayClosed(
            require_text(who, "name"),
            days.open,
            tuple(ends),
            chain_ends_digest(ends),
            tuple(jackpots),
            tuple(open_items),
        ),
    )


def apply_day_event(days: GamingDays, event: DayOpened | DayClosed) -> GamingDays:
    """Which day is open after a happening."""
    if isinstance(event, DayOpened):
        if days.open is not None or (days.closed is not None and event.day <= days.closed):
            raise BadDayChange(f"The day {event.day} cannot follow.")
        return days._replace(open=event.day)
    if days.open != event.day:
        raise BadDayChange(f"The day {event.day} is not open.")
    return GamingDays(None, event.day)


def day_opening_key(day: date) -> str:
    """What the room's chain knows the opening of a day by."""
    return f"day {day} opened"


def day_closing_key(day: date) -> str:
    """What the room's chain knows the close of a day by."""
    return f"day {day} closed"
