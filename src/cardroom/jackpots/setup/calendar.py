"""Gaming days: a day of a card room ends in the morning, in the card room's own time.

Events carry microseconds since 1970, UTC. A report counts by gaming days, each named after the date on which it began.

>>> calendar = open_calendar("UTC", "06:00")
>>> calendar.day_of(calendar.begins(date(2026, 3, 2)) - 1).isoformat()
'2026-03-01'
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from datetime import time as clock_time
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo, available_timezones

from cardroom.errors import BadInput

ZONE: Final = "America/Los_Angeles"
"""Where Washington's card rooms are."""
DAY_STARTS: Final = "06:00"

Time: TypeAlias = int
"""Microseconds since 1970, UTC."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_ONE: Final = timedelta(days=1)
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
    def said(self) -> str:
        """Whose times they are, said once on a page."""
        return f"Times are those of {self.name}."

    def begins(self, day: date) -> Time:
        """When a gaming day begins."""
        return self.moment(datetime.combine(day, self.starts))

    def moment(self, shown: datetime) -> Time:
        """When the clocks of the place show this."""
        return self.instant(shown.replace(tzinfo=self.zone))

    @staticmethod
    def instant(aware: datetime) -> Time:
        """A time of any zone as the books write it."""
        return (aware.astimezone(UTC) - _EPOCH) // _MICROSECOND

    def local(self, time: Time) -> datetime:
        """A time as the clocks of the place show it."""
        return (_EPOCH + timedelta(microseconds=time)).astimezone(self.zone)

    def told(self, time: Time) -> str:
        """The same, as it is written everywhere; the zone is said once beside it."""
        return f"{self.local(time):%Y-%m-%d %H:%M:%S}"

    def day_of(self, time: Time) -> date:
        """The gaming day of a time."""
        if not self._from <= time < self._until:
            self._day = self._search(time)
            self._from, self._until = self.begins(self._day), self.begins(self._day + _ONE)
        return self._day

    def _search(self, time: Time) -> date:
        day = self.local(time).date()
        return day if self.begins(day) <= time else day - _ONE


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


def open_calendar(zone: str = ZONE, starts: str = DAY_STARTS) -> Calendar:
    """A calendar from what was typed."""
    try:
        hours, colon, minutes = starts.partition(":")
        start = clock_time(int(hours), int(minutes if colon else "0"))
    except ValueError:
        raise BadDay(f"{starts!r} is no time of the day: write when the gaming day starts as 06:00.") from None
    return Calendar(_zone(zone), zone, start)


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        if not available_timezones():
            raise NoTimeZones(
                "This machine knows no time zones: install the package tzdata, or count the days by UTC."
            ) from None
        raise BadDay(f"There is no time zone {name!r}: write one such as {ZONE} or UTC.") from None


def open_period(calendar: Calendar, first: str | None = None, last: str | None = None) -> Period:
    """A period from what was typed."""
    period = Period(calendar, _end(first), _end(last))
    if period.first and period.last and period.first > period.last:
        raise BadDay(f"The report would end on {period.last}, before it begins on {period.first}: swap the days.")
    return period


def _end(typed: str | None) -> date | None:
    return None if typed is None else day_told(typed)


def day_told(typed: str) -> date:
    """The day that somebody means."""
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        day = None
    if day is None or day.isoformat() != typed or day.year not in _YEARS:
        raise BadDay(f"{typed!r} is not a day: write it as YYYY-MM-DD, such as 2026-03-02.")
    return day
