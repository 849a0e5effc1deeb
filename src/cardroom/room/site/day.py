"""Gaming days: one is open at a time, and each has the date on which it begins.

A day that is never opened is skipped. Events between two days belong to the later day (BJ-30).
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
    """The open day, if there is one, and the last closed day."""

    open: date | None = None
    closed: date | None = None


def next_day(days: GamingDays, today: date) -> date:
    """The next day to open: today, or the day after the last one if today is already closed.

    >>> next_day(GamingDays(closed=date(2026, 3, 2)), date(2026, 3, 2)).isoformat()
    '2026-03-03'
    """
    return today if days.closed is None else max(today, days.closed + _ONE_DAY)


def count_skipped_days(days: GamingDays, day: date) -> int:
    """The number of days skipped when this one is opened."""
    return 0 if days.closed is None else (day - days.closed).days - 1


def open_day(days: GamingDays, day: date, *, today: date, who: str) -> tuple[DayOpened, ...]:
    """Open a gaming day; ``today`` is the calendar's gaming day."""
    if days.open is not None:
        raise BadDayChange(f"Gaming day {days.open} is still open: close it first.")
    if days.closed is not None and day <= days.closed:
        raise BadDayChange(f"The last gaming day was {days.closed}: open {days.closed + _ONE_DAY} or a later day.")
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
    """Close the open day, with a list of open items."""
    if days.open is None:
        raise BadDayChange("No gaming day is open: open one first.")
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
    """The gaming days after an event."""
    if isinstance(event, DayOpened):
        if days.open is not None or (days.closed is not None and event.day <= days.closed):
            raise BadDayChange(f"Gaming day {event.day} cannot open now.")
        return days._replace(open=event.day)
    if days.open != event.day:
        raise BadDayChange(f"Gaming day {event.day} is not open.")
    return GamingDays(None, event.day)


def day_opening_key(day: date) -> str:
    """The unique key of the opening of a day."""
    return f"day {day} opened"


def day_closing_key(day: date) -> str:
    """The unique key of the close of a day."""
    return f"day {day} closed"
