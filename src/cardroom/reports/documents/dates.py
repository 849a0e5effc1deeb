"""Dates and times as documents for people show them. Files and JSON keep ISO 8601.

>>> from cardroom.room.setup.calendar import open_calendar
>>> calendar = open_calendar("America/Los_Angeles")
>>> format_second(calendar.local(1_794_954_069_000_000)), format_day(date(2026, 3, 2))
('11/17/2026 2:21:09 PM', '3/2/2026')
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

_ISO_MINUTE: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d", re.ASCII)


def format_day(day: date) -> str:
    """A date, such as 11/17/2026."""
    return f"{day.month}/{day.day}/{day.year}"


def format_minute(local_time: datetime) -> str:
    """A time to the minute."""
    return f"{format_day(local_time)} {_hour(local_time)}:{local_time:%M} {_half(local_time)}"


def format_second(local_time: datetime) -> str:
    """A time to the second."""
    return f"{format_day(local_time)} {_hour(local_time)}:{local_time:%M:%S} {_half(local_time)}"


def format_iso_minutes(text: str) -> str:
    """The text with its ISO times to the minute in American form.

    >>> format_iso_minutes("Uma, 2026-03-02 21:40"), format_iso_minutes("")
    ('Uma, 3/2/2026 9:40 PM', '')
    """
    return _ISO_MINUTE.sub(lambda match: format_minute(datetime.fromisoformat(match[0])), text)


def _hour(local_time: datetime) -> int:
    return (local_time.hour - 1) % 12 + 1


def _half(local_time: datetime) -> str:
    return "AM" if local_time.hour < 12 else "PM"
