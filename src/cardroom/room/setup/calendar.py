"""Gaming days: a day of a card room ends in the morning, in the card room's own time.

Events have times in microseconds since 1970, UTC. Reports count by gaming days, each with the date on which it begins.

>>> calendar = open_calendar("UTC", "06:00")
>>> calendar.day_of(calendar.day_start(date(2026, 3, 2)) - 1).isoformat()
'2026-03-01'

``parse_time`` reads a time as a person types it, in the card room's time zone:

>>> from cardroom.room.setup.calendar import open_calendar
>>> room = open_calendar("America/Los_Angeles")
>>> now = parse_time("2026-03-03 09:00", room, 0)
>>> [f"{room.local(parse_time(text, room, now)):%Y-%m-%d %H:%M %Z}" for text in ("2026-03-02 21:40", "21:40", "08:15")]
['2026-03-02 21:40 PST', '2026-03-02 21:40 PST', '2026-03-03 08:15 PST']

>>> parse_time("now", room, now) == now
True

An offset selects another time zone:

>>> parse_time("2026-03-02T21:40-08:00", room, now) == parse_time("2026-03-03 05:40Z", room, now)
True

When clocks are set back, an hour repeats: a time in it means the first one, unless an offset selects the second. When
clocks are set forward, an hour is skipped, and a time in it is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from datetime import time as clock_time
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo, available_timezones

from cardroom.errors import BadInput, quote

DEFAULT_ZONE: Final = "America/Los_Angeles"
"""Where Washington's card rooms are."""
DEFAULT_DAY_START: Final = "06:00"

Time: TypeAlias = int
"""Microseconds since 1970, UTC."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_ONE_DAY: Final = timedelta(days=1)
_YEARS: Final = range(1970, 3000)


class BadDay(BadInput):
    """A day, time, time zone, or start of the day that cannot be used."""


class NoTimeZones(BadDay):
    """A machine without a time zone database."""


class Calendar:
    """The gaming days of one place."""

    def __init__(self, zone: tzinfo, name: str, starts: clock_time) -> None:
        self.zone, self.name, self.starts = zone, name, starts
        self._day, self._from, self._until = date.min, 0, 0
        """The gaming day of the last call: the next event is nearly always on the same day."""

    def __str__(self) -> str:
        return f"{self.name}, the gaming day starts at {self.starts:%H:%M}"

    @property
    def zone_text(self) -> str:
        """The note on a page that names the time zone."""
        return f"Times are in the time zone {self.name}."

    def day_start(self, day: date) -> Time:
        """When a gaming day begins."""
        return self.moment(datetime.combine(day, self.starts))

    def moment(self, local_time: datetime) -> Time:
        """The time at which local clocks show this."""
        return self.instant(local_time.replace(tzinfo=self.zone))

    @staticmethod
    def instant(aware: datetime) -> Time:
        """A time with any time zone as ledger time."""
        return (aware.astimezone(UTC) - _EPOCH) // _MICROSECOND

    def local(self, time: Time) -> datetime:
        """A time in the local time zone."""
        return (_EPOCH + timedelta(microseconds=time)).astimezone(self.zone)

    def format_time(self, time: Time) -> str:
        """A local time as text, without its time zone."""
        return f"{self.local(time):%Y-%m-%d %H:%M:%S}"

    def day_of(self, time: Time) -> date:
        """The gaming day of a time."""
        if not self._from <= time < self._until:
            self._day = self._search(time)
            self._from, self._until = self.day_start(self._day), self.day_start(self._day + _ONE_DAY)
        return self._day

    def _search(self, time: Time) -> date:
        day = self.local(time).date()
        return day if self.day_start(day) <= time else day - _ONE_DAY


@dataclass(frozen=True, slots=True)
class Period:
    """Gaming days from the first to the last; None leaves that side open."""

    calendar: Calendar
    first: date | None = None
    last: date | None = None

    def __str__(self) -> str:
        if self.first is not None and self.first == self.last:
            return f"{self.first}"
        first = f"{self.first}" if self.first else "the beginning"
        return f"{first} to {self.last}" if self.last else f"{first} until now"


def open_calendar(zone: str = DEFAULT_ZONE, starts: str = DEFAULT_DAY_START) -> Calendar:
    """A calendar from typed settings."""
    try:
        hours, colon, minutes = starts.partition(":")
        start = clock_time(int(hours), int(minutes if colon else "0"))
    except ValueError:
        raise BadDay(f"{starts!r} is not a time: write when the gaming day starts, such as 06:00.") from None
    return Calendar(_load_zone(zone), zone, start)


def _load_zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        if not available_timezones():
            raise NoTimeZones("This machine has no time zones: install the package tzdata, or use UTC.") from None
        raise BadDay(f"There is no time zone {name!r}: use one such as {DEFAULT_ZONE} or UTC.") from None


def open_period(calendar: Calendar, first: str | None = None, last: str | None = None) -> Period:
    """A period from typed days."""
    period = Period(calendar, _parse_end(first), _parse_end(last))
    if period.first and period.last and period.first > period.last:
        raise BadDay(f"The last day, {period.last}, is before the first day, {period.first}: swap the days.")
    return period


def _parse_end(text: str | None) -> date | None:
    return None if text is None else parse_day(text)


def parse_day(text: str) -> date:
    """The day that a text states."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text or day.year not in _YEARS:
        raise BadDay(f"{text!r} is not a date: write YYYY-MM-DD, such as 2026-03-02.")
    return day


NOW: Final = "now"
"""The text for the current time."""
_TIME_PATTERN: Final = re.compile(
    r"(?:(?P<day>\d{4}-\d{2}-\d{2})[ T])?"
    r"(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)"
    r"(?: ?(?P<offset>Z|[+-]\d{2}:?\d{2}))?",
    re.ASCII,
)
_DAYS_SEARCHED: Final = 3
"""Today's time may be in the future, and a change of the clocks may have skipped yesterday's."""


def parse_time(text: str, calendar: Calendar, now: Time) -> Time:
    """The time that a text states; a time without a day is its latest occurrence."""
    if text.strip().casefold() == NOW:
        return now
    match = _TIME_PATTERN.fullmatch(text.strip())
    if match is None or (match["offset"] and not match["day"]):
        raise _unclear_time_error(text)
    clock = _parse_clock(match["clock"], text)
    if match["day"] is None:
        return _last_occurrence(clock, calendar, now)
    day = parse_day(match["day"])
    if match["offset"]:
        return _with_offset(day, clock, match["offset"], text)
    moments = _moments(day, clock, calendar)
    if not moments:
        raise BadDay(
            f"{day} {clock:%H:%M} does not exist in {calendar.name}, because the clocks were set forward. Enter the "
            "time that the clocks showed."
        )
    return moments[0]


def _last_occurrence(clock: clock_time, calendar: Calendar, now: Time) -> Time:
    today = calendar.local(now).date()
    days = [today - timedelta(days=days_back) for days_back in range(_DAYS_SEARCHED)]
    return max(moment for day in days for moment in _moments(day, clock, calendar) if moment <= now)


def _moments(day: date, clock: clock_time, calendar: Calendar) -> list[Time]:
    """Every time of a day at which local clocks show this: usually one, two if they were set back, none if they were
    set forward."""
    local_time = datetime.combine(day, clock)
    instants = {calendar.moment(local_time.replace(fold=fold)) for fold in (0, 1)}
    return sorted(moment for moment in instants if calendar.local(moment).replace(tzinfo=None) == local_time)


def _parse_clock(text: str, clock_text: str) -> clock_time:
    try:
        return clock_time.fromisoformat(f"0{text}" if text[1] == ":" else text)
    except ValueError:
        raise _unclear_time_error(clock_text) from None


def _with_offset(day: date, clock: clock_time, offset: str, text: str) -> Time:
    try:
        return Calendar.instant(datetime.fromisoformat(f"{day} {clock}{offset}"))
    except ValueError:
        raise _unclear_time_error(text) from None


def _unclear_time_error(text: str) -> BadDay:
    return BadDay(
        f"{quote(text)} is not a time: write 2026-03-02 21:40, or 21:40 for the latest time at 21:40, or now."
    )
