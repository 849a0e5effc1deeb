"""Gaming days: a day of a card room ends in the morning, in the card room's own time.

Events carry microseconds since 1970, UTC. A report counts by gaming days, each named after the date on which it began.

>>> calendar = open_calendar("UTC", "06:00")
>>> calendar.day_of(calendar.day_start(date(2026, 3, 2)) - 1).isoformat()
'2026-03-01'

A time that a person tells, as the clocks of the card room show it.

>>> from cardroom.room.setup.calendar import open_calendar
>>> room = open_calendar("America/Los_Angeles")
>>> now = parse_time("2026-03-03 09:00", room, 0)
>>> [f"{room.local(parse_time(text, room, now)):%Y-%m-%d %H:%M %Z}" for text in ("2026-03-02 21:40", "21:40", "08:15")]
['2026-03-02 21:40 PST', '2026-03-02 21:40 PST', '2026-03-03 08:15 PST']

>>> parse_time("now", room, now) == now
True

An offset says which clock is meant, whatever the room's is:

>>> parse_time("2026-03-02T21:40-08:00", room, now) == parse_time("2026-03-03 05:40Z", room, now)
True

When the clocks are set back an hour comes twice: a time of it is the first one, unless an offset says otherwise. When
they are set forward an hour is left out, and a time of it is refused.
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
    """A day, a time zone or a start of the day that cannot be used."""


class NoTimeZones(BadDay):
    """A machine on which days can be counted by one clock only."""


class Calendar:
    """The gaming days of one place."""

    def __init__(self, zone: tzinfo, name: str, starts: clock_time) -> None:
        self.zone, self.name, self.starts = zone, name, starts
        self._day, self._from, self._until = date.min, 0, 0
        """The gaming day that was asked for last: the next event is nearly always of the same one."""

    def __str__(self) -> str:
        return f"{self.name}, the gaming day starts at {self.starts:%H:%M}"

    @property
    def zone_text(self) -> str:
        """Whose times they are, said once on a page."""
        return f"Times are those of {self.name}."

    def day_start(self, day: date) -> Time:
        """When a gaming day begins."""
        return self.moment(datetime.combine(day, self.starts))

    def moment(self, local_time: datetime) -> Time:
        """When the clocks of the place show this."""
        return self.instant(local_time.replace(tzinfo=self.zone))

    @staticmethod
    def instant(aware: datetime) -> Time:
        """A time of any zone as the books write it."""
        return (aware.astimezone(UTC) - _EPOCH) // _MICROSECOND

    def local(self, time: Time) -> datetime:
        """A time as the clocks of the place show it."""
        return (_EPOCH + timedelta(microseconds=time)).astimezone(self.zone)

    def format_time(self, time: Time) -> str:
        """The same, as it is written everywhere; the zone is said once beside it."""
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
    """Gaming days from the first to the last; without one the period has no end on that side."""

    calendar: Calendar
    first: date | None = None
    last: date | None = None

    def __str__(self) -> str:
        if self.first is not None and self.first == self.last:
            return f"{self.first}"
        first = f"{self.first}" if self.first else "the beginning"
        return f"{first} to {self.last}" if self.last else f"{first} until now"


def open_calendar(zone: str = DEFAULT_ZONE, starts: str = DEFAULT_DAY_START) -> Calendar:
    """A calendar from what was typed."""
    try:
        hours, colon, minutes = starts.partition(":")
        start = clock_time(int(hours), int(minutes if colon else "0"))
    except ValueError:
        raise BadDay(f"{starts!r} is no time of the day: write when the gaming day starts as 06:00.") from None
    return Calendar(_load_zone(zone), zone, start)


def _load_zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        if not available_timezones():
            raise NoTimeZones(
                "This machine knows no time zones: install the package tzdata, or count the days by UTC."
            ) from None
        raise BadDay(f"There is no time zone {name!r}: write one such as {DEFAULT_ZONE} or UTC.") from None


def open_period(calendar: Calendar, first: str | None = None, last: str | None = None) -> Period:
    """A period from what was typed."""
    period = Period(calendar, _parse_end(first), _parse_end(last))
    if period.first and period.last and period.first > period.last:
        raise BadDay(f"The report would end on {period.last}, before it begins on {period.first}: swap the days.")
    return period


def _parse_end(text: str | None) -> date | None:
    return None if text is None else parse_day(text)


def parse_day(text: str) -> date:
    """The day that somebody means."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text or day.year not in _YEARS:
        raise BadDay(f"{text!r} is not a day: write it as YYYY-MM-DD, such as 2026-03-02.")
    return day


NOW: Final = "now"
"""What people type for this very moment."""
_TIME_PATTERN: Final = re.compile(
    r"(?:(?P<day>\d{4}-\d{2}-\d{2})[ T])?"
    r"(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)"
    r"(?: ?(?P<offset>Z|[+-]\d{2}:?\d{2}))?",
    re.ASCII,
)
_DAYS_SEARCHED: Final = 3
"""Days: today's may not have come yet, and yesterday's may be one that a change of the clocks left out."""


def parse_time(text: str, calendar: Calendar, now: Time) -> Time:
    """The moment that somebody means; a time without a day is the last one that the clocks have shown."""
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
            f"{day} {clock:%H:%M} never was in {calendar.name}: the clocks were set forward over it. "
            "Write the time that they showed."
        )
    return moments[0]


def _last_occurrence(clock: clock_time, calendar: Calendar, now: Time) -> Time:
    today = calendar.local(now).date()
    days = [today - timedelta(days=days_back) for days_back in range(_DAYS_SEARCHED)]
    return max(moment for day in days for moment in _moments(day, clock, calendar) if moment <= now)


def _moments(day: date, clock: clock_time, calendar: Calendar) -> list[Time]:
    """Every moment of a day at which the clocks show this: one, two when they are set back, none when forward."""
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
        f"{quote(text)} is not a time: write it as 2026-03-02 21:40, as 21:40 for the last time that it was so late, "
        "or now."
    )
