"""Malfunction reports: the operator's number, what broke and when it was found, and the regulation's clock.

The regulation counts hours from the time when a malfunction was found (WAC 230-06-054: 72). Sending the report to the
commission stops the clock. The report stores the hours that applied.

>>> report = MalfunctionReport("R-31", "Rosa", "table-1", None, found_at=0, due=72 * HOUR, why="Sensor 3 is dead")
>>> describe_clock(report, 31 * HOUR - 20 * MINUTE), describe_clock(report, 75 * HOUR)
('41 h 20 min left', 'overdue by 3 h')
>>> require_open_report((report,), "R-32")
Traceback (most recent call last):
...
cardroom.room.site.malfunction_reports.UnknownReport: No malfunction report 'R-32' is open. Open reports: R-31.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cardroom.errors import BadInput, quote
from cardroom.room.dual_control import require_text
from cardroom.room.setup.calendar import Time
from cardroom.room.site.events import MalfunctionReportClosed, MalfunctionReported, MalfunctionReportSent

MINUTE: Final = 60 * 1_000_000
HOUR: Final = 60 * MINUTE
LONGEST_NUMBER: Final = 40


class UnknownReport(BadInput):
    """A report that does not exist or is closed."""


class BadReport(BadInput):
    """A report with an impossible number or time."""


class ReportDelivery(NamedTuple):
    """How a report was sent to the commission."""

    who: str
    at: Time
    reference: str


class MalfunctionReport(NamedTuple):
    """An open report."""

    number: str
    who: str
    table: str | None
    """The table, for a malfunction of its tabulator."""
    jackpot: str | None
    """Or the jackpot."""
    found_at: Time
    due: Time | None
    """When it is due; None if the jurisdiction sets no hours."""
    why: str
    sent: ReportDelivery | None = None

    @property
    def target_text(self) -> str:
        return self.table or self.jackpot or ""


Reports = tuple[MalfunctionReport, ...]


def require_open_report(reports: Reports, number: str) -> MalfunctionReport:
    """The open report of this number."""
    for report in reports:
        if is_same_number(report.number, number):
            return report
    numbers = ", ".join(report.number for report in reports) or "none"
    raise UnknownReport(f"No malfunction report {quote(number)} is open. Open reports: {numbers}.")


def reports_on(reports: Reports, jackpot: str, tables: Sequence[str]) -> Reports:
    """The open reports on a jackpot or its tables."""
    return tuple(report for report in reports if report.jackpot == jackpot or report.table in tables)


def require_report_for(reports: Reports, number: str, jackpot: str) -> str:
    """The number of an open report that a correction of a jackpot can cite: not one on another jackpot. A report on a
    table is accepted, because the table may have been unlinked since."""
    report = require_open_report(reports, number)
    if report.jackpot not in (None, jackpot):
        raise UnknownReport(f"Report {report.number} is on jackpot {report.jackpot}: enter the report on {jackpot}.")
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
    """Open a report; ``hours`` is the jurisdiction's limit."""
    report_id = require_report_number(number)
    if found_at > now:
        raise BadReport("The time when the malfunction was found is in the future: correct it.")
    due = None if hours is None else found_at + hours * HOUR
    event = MalfunctionReported(
        require_text(who, "name"), report_id, table, jackpot, found_at, due, require_text(why, "reason")
    )
    return (event,)


def send_report(
    reports: Reports, number: str, *, sent_at: Time, now: Time, reference: str, who: str
) -> tuple[MalfunctionReportSent, ...]:
    """Record when and how a report was sent to the commission."""
    report = require_open_report(reports, number)
    if report.sent is not None:
        raise BadReport(f"Report {report.number} is already sent: {report.sent.reference}, by {report.sent.who}.")
    if not report.found_at <= sent_at <= now:
        raise BadReport(
            f"Enter when report {report.number} was sent: after the malfunction was found, and not later than now."
        )
    return (
        MalfunctionReportSent(require_text(who, "name"), report.number, sent_at, require_text(reference, "reference")),
    )


def close_report(reports: Reports, number: str, *, why: str, who: str) -> tuple[MalfunctionReportClosed, ...]:
    """Close a report."""
    report = require_open_report(reports, number)
    return (MalfunctionReportClosed(require_text(who, "name"), report.number, require_text(why, "reason")),)


def apply_report_event(
    reports: Reports, event: MalfunctionReported | MalfunctionReportSent | MalfunctionReportClosed
) -> Reports:
    """The open reports after an event, in the order of opening."""
    if isinstance(event, MalfunctionReported):
        reported = event
        new_report = MalfunctionReport(
            reported.number,
            reported.who,
            reported.table,
            reported.jackpot,
            reported.found_at,
            reported.due,
            reported.why,
        )
        return (*reports, new_report)
    report = require_open_report(reports, event.number)
    if isinstance(event, MalfunctionReportClosed):
        return tuple(other for other in reports if other != report)
    sent_report = report._replace(sent=ReportDelivery(event.who, event.sent_at, event.reference))
    return tuple(sent_report if other == report else other for other in reports)


def describe_clock(report: MalfunctionReport, now: Time) -> str:
    """The time left on the regulation's clock, or its result."""
    if report.sent is not None:
        late = report.due is not None and report.sent.at > report.due
        return f"sent, {format_span(report.sent.at - (report.due or 0))} late" if late else "sent in time"
    if report.due is None:
        return "no deadline"
    if now > report.due:
        return f"overdue by {format_span(now - report.due)}"
    return f"{format_span(report.due - now)} left"


def format_span(span: int) -> str:
    """
    >>> format_span(3 * HOUR), format_span(HOUR // 2), format_span(25 * HOUR + MINUTE)
    ('3 h', '30 min', '25 h 1 min')
    """
    hours, minutes = divmod(span // MINUTE, 60)
    return " ".join(
        part for part in (f"{hours:,} h" if hours else "", f"{minutes} min" if minutes or not hours else "") if part
    )


def require_report_number(text: str) -> str:
    """The operator's number of a report, as stored."""
    number = require_text(text, "report's number")
    if len(number) > LONGEST_NUMBER or not number.isprintable():
        raise BadReport(
            f"{quote(number)} cannot be a report's number: use at most {LONGEST_NUMBER} printable characters."
        )
    return number


def is_same_number(first: str, second: str) -> bool:
    """
    >>> is_same_number("R-31", "r- 31"), is_same_number("R-31", "R-13")
    (True, False)
    """
    return _normalize_number(first) == _normalize_number(second)


def report_key(number: str) -> str:
    """The unique key of a report, so that a number is used once, in any spelling."""
    return f"report {_normalize_number(number)}"


def _normalize_number(number: str) -> str:
    return "".join(number.split()).casefold()
