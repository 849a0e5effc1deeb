"""A time that a person tells, as the clocks of the card room show it.

>>> from cardroom.jackpots.setup.calendar import open_calendar
>>> room = open_calendar("America/Los_Angeles")
>>> now = time_told("2026-03-03 09:00", room, 0)
>>> [f"{room.local(time_told(told, room, now)):%Y-%m-%d %H:%M %Z}" for told in ("2026-03-02 21:40", "21:40", "08:15")]
['2026-03-02 21:40 PST', '2026-03-02 21:40 PST', '2026-03-03 08:15 PST']

>>> time_told("now", room, now) == now
True

An offset says which clock is meant, whatever the room's is:

>>> time_told("2026-03-02T21:40-08:00", room, now) == time_told("2026-03-03 05:40Z", room, now)
True

When the clocks are set back an hour comes twice: a time of it is the first one, unless an offset says otherwise. When
they are set forward an hour is left out, and a time of it is refused.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from typing import Final

from cardroom.errors import quote
from cardroom.jackpots.setup.calendar import BadDay, Calendar, Time, day_told

NOW: Final = "now"
"""What people type for this very moment."""
_TOLD: Final = re.compile(
    r"(?:(?P<day>\d{4}-\d{2}-\d{2})[ T])?"
    r"(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)"
    r"(?: ?(?P<offset>Z|[+-]\d{2}:?\d{2}))?",
    re.ASCII,
)
_LOOKED_BACK: Final = 3
"""Days: today's may not have come yet, and yesterday's may be one that a change of the clocks left out."""


def time_told(typed: str, calendar: Calendar, now: Time) -> Time:
    """The moment that somebody means; a time without a day is the last one that the clocks have shown."""
    if typed.strip().casefold() == NOW:
        return now
    read = _TOLD.fullmatch(typed.strip())
    if read is None or (read["offset"] and not read["day"]):
        raise _unclear(typed)
    clock = _clock(read["clock"], typed)
    if read["day"] is None:
        return _last(clock, calendar, now)
    day = day_told(read["day"])
    if read["offset"]:
        return _with_offset(day, clock, read["offset"], typed)
    moments = _moments(day, clock, calendar)
    if not moments:
        raise BadDay(
            f"{day} {clock:%H:%M} never was in {calendar.name}: the clocks were set forward over it. "
            "Write the time that they showed."
        )
    return moments[0]


def _last(clock: clock_time, calendar: Calendar, now: Time) -> Time:
    today = calendar.local(now).date()
    days = [today - timedelta(days=back) for back in range(_LOOKED_BACK)]
    return max(moment for day in days for moment in _moments(day, clock, calendar) if moment <= now)


def _moments(day: date, clock: clock_time, calendar: Calendar) -> list[Time]:
    """Every moment of a day at which the clocks show this: one, two when they are set back, none when forward."""
    shown = datetime.combine(day, clock)
    both = {calendar.moment(shown.replace(fold=fold)) for fold in (0, 1)}
    return sorted(moment for moment in both if calendar.local(moment).replace(tzinfo=None) == shown)


def _clock(typed: str, told: str) -> clock_time:
    try:
        return clock_time.fromisoformat(f"0{typed}" if typed[1] == ":" else typed)
    except ValueError:
        raise _unclear(told) from None


def _with_offset(day: date, clock: clock_time, offset: str, typed: str) -> Time:
    try:
        return Calendar.instant(datetime.fromisoformat(f"{day} {clock}{offset}"))
    except ValueError:
        raise _unclear(typed) from None


def _unclear(typed: str) -> BadDay:
    return BadDay(
        f"{quote(typed)} is not a time: write it as 2026-03-02 21:40, as 21:40 for the last time that it was so late, "
        "or now."
    )
