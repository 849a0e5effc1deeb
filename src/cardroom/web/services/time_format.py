"""Dates and times as pages show them and people type them. Files and JSON keep ISO 8601.

>>> from cardroom.room.setup.calendar import open_calendar
>>> calendar = open_calendar("America/Los_Angeles")
>>> time = parse_typed_time("11/17/2026 2:21 PM", calendar, 0)
>>> format_minute(calendar, time), format_second(calendar, time), format_day(calendar.day_of(time))
('11/17/2026 2:21 PM', '11/17/2026 2:21:00 PM', '11/17/2026')

>>> parse_typed_day("11/17/2026") == parse_typed_day("2026-11-17")
True
>>> parse_typed_time("2:21 PM", calendar, time) == parse_typed_time("14:21", calendar, time) == time
True
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from cardroom.errors import quote
from cardroom.reports.documents import dates
from cardroom.reports.documents.dates import format_day as format_day
from cardroom.room.setup.calendar import BadDay, Calendar, Time, parse_day, parse_time

DAY_HINT: Final = "Such as 11/17/2026."
"""The hint beside a field for a date."""
_DAY: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
_CLOCK: Final = re.compile(r"(\d{1,2})(:\d{2}(?::\d{2})?) ?([AP])\.?M\.?", re.ASCII | re.IGNORECASE)


def format_minute(calendar: Calendar, time: Time) -> str:
    """A time to the minute, by the card room's clock."""
    return dates.format_minute(calendar.local(time))


def format_second(calendar: Calendar, time: Time) -> str:
    """A time to the second, by the card room's clock."""
    return dates.format_second(calendar.local(time))


def format_clock(calendar: Calendar, time: Time) -> str:
    """The time of day to the minute, without the date."""
    return format_minute(calendar, time).partition(" ")[2]


def parse_typed_day(text: str) -> date:
    """The date that a person typed: month/day/year, or as ISO 8601 writes it."""
    try:
        return parse_day(iso_day(text))
    except BadDay:
        raise BadDay(f"{quote(text)} is not a date. Type month/day/year, such as 11/17/2026.") from None


def parse_typed_time(text: str, calendar: Calendar, now: Time) -> Time:
    """The time that a person typed, with a 12-hour or a 24-hour clock. A time without a date is the most recent one."""
    return parse_time(iso_time(text), calendar, now)


def iso_time(text: str) -> str:
    """A typed time with an ISO date and a 24-hour clock. Other text stays as it is.

    >>> iso_time("11/17/2026 9:40 PM"), iso_time("12:05 am"), iso_time("21:40"), iso_time("now")
    ('2026-11-17 21:40', '00:05', '21:40', 'now')
    """
    return _CLOCK.sub(_clock_of_24_hours, iso_day(text))


def iso_day(text: str) -> str:
    """A typed date as ISO 8601 writes it. Other text stays as it is."""
    return _DAY.sub(lambda match: f"{match[3]}-{match[1]:>02}-{match[2]:>02}", text)


def _clock_of_24_hours(match: re.Match[str]) -> str:
    hour = int(match[1])
    if not 1 <= hour <= 12:
        return match[0]
    return f"{hour % 12 + 12 * (match[3].upper() == 'P'):02}{match[2]}"
