"""Accounting reports and payout slips as terminal pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.text import Text

from cardroom.chart_of_accounts import Currency
from cardroom.reports.accounting import AccountingReport, ReportSection, Slip, cell_text
from cardroom.reports.accounting.columns import Cell, ReportColumn
from cardroom.terminal.console import BAD, QUIET, TITLE
from cardroom.terminal.pages.columns import ColumnAlign, ColumnHeading, TextColumns

MAX_LINES: Final = 500
"""The terminal shows at most this many lines of a section."""


def print_report(console: Console, report: AccountingReport) -> None:
    """Print a report. Lines beyond the maximum are only counted."""
    console.print(Text.assemble((f"{report.kind}: {report.subject}", TITLE)))
    for name, value in report.facts:
        console.print(Text(f"{name} {value}", QUIET))
    for part in report.sections:
        console.print()
        console.print(Text(part.title, "bold"))
        _print_section(console, part, report)
    console.print()
    for note in report.notes:
        head = note.split(".")[0]
        console.print(Text(f"- {note}", BAD if head.isupper() else QUIET))
    for fault in report.faults:
        console.print(Text(f"Does not reconcile: {fault}", BAD))


def _print_section(console: Console, section: ReportSection, report: AccountingReport) -> None:
    columns = section.display_columns
    rows: list[list[str]] = []
    omitted_count = 0
    for line in section.lines:
        if len(rows) < MAX_LINES:
            rows.append(_cells(line, columns, report))
        else:
            omitted_count += 1
    if not rows:
        console.print(Text(section.empty, QUIET))
        return
    total = None if section.total is None else _cells(section.total, columns, report)
    console.print(TextColumns([ColumnHeading(column.title, _align(column)) for column in columns], rows, total))
    if section.note:
        console.print(Text(section.note, QUIET))
    if omitted_count:
        console.print(Text(f"And {omitted_count:,} more lines: -o FILE.csv has all of them.", BAD))


def _cells(line: object, columns: Sequence[ReportColumn], report: AccountingReport) -> list[str]:
    return [cell_text(column.kind, getattr(line, column.name), report.calendar) for column in columns]


def _align(column: ReportColumn) -> ColumnAlign:
    if column.kind.numeric:
        return ColumnAlign.RIGHT
    if column.kind in (Cell.TIME, Cell.DAY):
        return ColumnAlign.NO_WRAP
    return ColumnAlign.SENTENCE if column.wide else ColumnAlign.LEFT


def slips_text(slips: Sequence[Slip], file: str) -> RenderableType:
    """The payout slips and their file."""
    text = "; ".join(f"seat {slip.seat}, {_amount(slip)}, {slip.status.lower()}" for slip in slips)
    return Text(f"{file}: {text}")


def _amount(slip: Slip) -> str:
    return f"{slip.amount} of {slip.money.label}" if slip.money is Currency.PLAY else slip.amount
