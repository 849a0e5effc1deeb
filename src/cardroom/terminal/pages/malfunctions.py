"""Reports of malfunctions, each with the regulation's clock."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.floor import ReportStanding, TableStanding
from cardroom.jackpots.room.reports import MalfunctionReport, clock_words
from cardroom.jackpots.setup.calendar import Calendar, Time
from cardroom.terminal.pages.tables import table_line
from cardroom.terminal.palette import COST, LOST, QUIET, SLUG, WON


def reports_table(reports: Sequence[MalfunctionReport], calendar: Calendar, now: Time) -> RenderableType:
    """The reports that are not closed."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET)
    for name in ("Report", "On", "Found", "Clock", "What"):
        grid.add_column(name, no_wrap=name in ("Found", "Clock"), overflow="fold")
    for one in reports:
        grid.add_row(
            Text(one.number, SLUG),
            one.of,
            calendar.told(one.found_at)[:16],
            clock_text(one, now),
            Text(one.why).append(f"\n{one.who}{_sent(one, calendar)}", QUIET),
        )
    return Group(Text("Reports of malfunctions", "bold"), grid)


def _sent(report: MalfunctionReport, calendar: Calendar) -> str:
    if report.sent is None:
        return ""
    return f"\nsent {calendar.told(report.sent.at)[:16]} by {report.sent.who}: {report.sent.reference}"


def reports_page(reports: Sequence[MalfunctionReport], calendar: Calendar, now: Time) -> RenderableType:
    """The same as a page of its own."""
    if not reports:
        return Text("No report of a malfunction is open.", QUIET)
    return Group(reports_table(reports, calendar, now), Text(calendar.said, QUIET))


def clock_text(report: MalfunctionReport, now: Time) -> Text:
    """How much time is left; red once there is none."""
    late = report.due is not None and (report.sent.at if report.sent else now) > report.due
    return Text(clock_words(report, now), LOST if late else WON if report.sent else COST)


def report_page(standing: ReportStanding, calendar: Calendar) -> RenderableType:
    """A report after a command, and what is to be done now."""
    report = standing.report
    if standing.closed:
        return Text.assemble(("Closed: report ", WON), (report.number, SLUG), f" on {report.of}")
    until = (
        ""
        if report.due is None or report.sent or standing.at > report.due
        else f", until {calendar.told(report.due)[:16]}"
    )
    title = Text.assemble(
        "Report ", (report.number, SLUG), f" on {report.of}: ", clock_text(report, standing.at), f"{until}"
    )
    number = quote(report.number)
    next_step = (
        f'When the matter has ended: cardroom jackpot malfunction close {number} --why "…"'
        if report.sent
        else f"When it has gone to the commission: cardroom jackpot malfunction sent {number} --reference …"
    )
    return Group(title, Text(next_step, QUIET), Text(calendar.said, QUIET))


def broken_page(standing: TableStanding, report: str | None) -> RenderableType:
    """A table whose tabulator broke, and how the report of it is opened where none was named."""
    if report is not None:
        return Group(table_line(standing), Text(f"  report {report}", QUIET))
    how = (
        f"The malfunction is to be reported: cardroom jackpot malfunction report --number NUMBER --of {standing.table} "
        '--found-at TIME --why "…"'
    )
    return Group(table_line(standing), Text(how, COST))
