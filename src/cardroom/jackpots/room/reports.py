"""Reports of malfunctions: the operator's number, what broke and when it was found, and the clock of the regulation.

The regulation counts hours from the moment at which a malfunction was found (WAC 230-06-054: 72). Sending the report to
the commission stops the clock; closing it ends the matter. How many hours there were is written into the report.

>>> report = MalfunctionReport("R-31", "Rosa", "table-1", None, found_at=0, due=72 * HOUR, why="Sensor 3 is dead")
>>> clock_words(report, 31 * HOUR - 20 * MINUTE), clock_words(report, 75 * HOUR)
('41 h 20 min left', 'overdue by 3 h')
>>> open_report((report,), "R-32")
Traceback (most recent call last):
...
cardroom.jackpots.room.reports.NoSuchReport: No report of a malfunction 'R-32' is open: R-31 is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cardroom.errors import BadInput, quote
from cardroom.jackpots.happenings.of_the_room import MalfunctionReported, ReportClosed, ReportSent
from cardroom.jackpots.people import named
from cardroom.jackpots.setup.calendar import Time

MINUTE: Final = 60 * 1_000_000
HOUR: Final = 60 * MINUTE
LONGEST_NUMBER: Final = 40


class NoSuchReport(BadInput):
    """A report that was never opened, or is closed already."""


class CannotReport(BadInput):
    """A report that cannot be written like this."""


class SentOut(NamedTuple):
    """How a report went to the commission."""

    who: str
    at: Time
    reference: str


class MalfunctionReport(NamedTuple):
    """A report that is not closed yet."""

    number: str
    who: str
    table: str | None
    """The table whose tabulator it is about, or"""
    jackpot: str | None
    """the jackpot."""
    found_at: Time
    due: Time | None
    """Until when it has to go out; None where the jurisdiction sets no hours."""
    why: str
    sent: SentOut | None = None

    @property
    def of(self) -> str:
        return self.table or self.jackpot or ""


Reports = tuple[MalfunctionReport, ...]


def open_report(reports: Reports, number: str) -> MalfunctionReport:
    """The open report of this number."""
    for report in reports:
        if same_number(report.number, number):
            return report
    there = ", ".join(report.number for report in reports)
    known = f"{there} {'is' if len(reports) == 1 else 'are'}." if reports else "none is."
    raise NoSuchReport(f"No report of a malfunction {quote(number)} is open: {known}")


def reports_on(reports: Reports, jackpot: str, tables: Sequence[str]) -> Reports:
    """The open reports on a jackpot, or on a table that plays for it."""
    return tuple(one for one in reports if one.jackpot == jackpot or one.table in tables)


def report_for(reports: Reports, number: str, jackpot: str) -> str:
    """The number of an open report that a correction of a jackpot can rest on: not one of another jackpot. A table may
    have left the jackpot since."""
    report = open_report(reports, number)
    if report.jackpot not in (None, jackpot):
        raise NoSuchReport(f"Report {report.number} is about {report.jackpot}: name the one about {jackpot}.")
    return report.number


def report_malfunction(
    number: str,
    *,
    table: str | None,
    jackpot: str | None,
    found_at: Time,
    hours: int | None,
    now: Time,
    who: str,
    why: str,
) -> tuple[MalfunctionReported, ...]:
    """Open a report; ``hours`` are the jurisdiction's."""
    called = report_number(number)
    if found_at > now:
        raise CannotReport("The malfunction would be found later than now: write when it was found.")
    due = None if hours is None else found_at + hours * HOUR
    told = MalfunctionReported(named(who, "name"), called, table, jackpot, found_at, due, named(why, "reason"))
    return (told,)


def send_report(
    reports: Reports, number: str, *, sent_at: Time, now: Time, reference: str, who: str
) -> tuple[ReportSent, ...]:
    """Say that a report went to the commission, when and how."""
    report = open_report(reports, number)
    if report.sent is not None:
        raise CannotReport(f"Report {report.number} was sent already: {report.sent.reference}, by {report.sent.who}.")
    if not report.found_at <= sent_at <= now:
        raise CannotReport(
            f"Report {report.number} went out after the malfunction was found, and not later than now: write when."
        )
    return (ReportSent(named(who, "name"), report.number, sent_at, named(reference, "reference")),)


def close_report(reports: Reports, number: str, *, why: str, who: str) -> tuple[ReportClosed, ...]:
    """End the matter; nothing shows the report's clock from now on."""
    report = open_report(reports, number)
    return (ReportClosed(named(who, "name"), report.number, named(why, "reason")),)


def reports_after(reports: Reports, happening: MalfunctionReported | ReportSent | ReportClosed) -> Reports:
    """The open reports after a happening, in the order in which they were opened."""
    if isinstance(happening, MalfunctionReported):
        told = happening
        opened = MalfunctionReport(told.number, told.who, told.table, told.jackpot, told.found_at, told.due, told.why)
        return (*reports, opened)
    report = open_report(reports, happening.number)
    if isinstance(happening, ReportClosed):
        return tuple(one for one in reports if one != report)
    sent = report._replace(sent=SentOut(happening.who, happening.sent_at, happening.reference))
    return tuple(sent if one == report else one for one in reports)


def clock_words(report: MalfunctionReport, now: Time) -> str:
    """How much of the regulation's time is left, or what became of it."""
    if report.sent is not None:
        late = report.due is not None and report.sent.at > report.due
        return f"sent, {span_words(report.sent.at - (report.due or 0))} late" if late else "sent in time"
    if report.due is None:
        return "no hours are set"
    if now > report.due:
        return f"overdue by {span_words(now - report.due)}"
    return f"{span_words(report.due - now)} left"


def span_words(span: int) -> str:
    """
    >>> span_words(3 * HOUR), span_words(HOUR // 2), span_words(25 * HOUR + MINUTE)
    ('3 h', '30 min', '25 h 1 min')
    """
    hours, minutes = divmod(span // MINUTE, 60)
    return " ".join(
        part for part in (f"{hours:,} h" if hours else "", f"{minutes} min" if minutes or not hours else "") if part
    )


def report_number(typed: str) -> str:
    """The operator's number of a report, as it is kept."""
    called = named(typed, "report's number")
    if len(called) > LONGEST_NUMBER or not called.isprintable():
        raise CannotReport(
            f"{quote(called)} cannot be a report's number: use at most {LONGEST_NUMBER} printable characters."
        )
    return called


def same_number(one: str, other: str) -> bool:
    """
    >>> same_number("R-31", "r- 31"), same_number("R-31", "R-13")
    (True, False)
    """
    return _compared(one) == _compared(other)


def report_name(number: str) -> str:
    """What the room's chain knows a report by for ever, so that its number is given once, however it is typed."""
    return f"report {_compared(number)}"


def _compared(number: str) -> str:
    return "".join(number.split()).casefold()
