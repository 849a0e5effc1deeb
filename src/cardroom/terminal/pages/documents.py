"""Accounting reports and payout slips as terminal pages."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from cardroom.chart_of_accounts import Currency
from cardroom.reports.accounting import AccountingReport, SectionText, Slip, section_texts
from cardroom.reports.accounting.columns import Cell, ReportColumn
from cardroom.terminal.console import BAD, QUIET, TITLE
from cardroom.terminal.pages.columns import ColumnAlign, ColumnHeading, TextColumns


def print_report(console: Console, report: AccountingReport) -> None:
    """Print a report. Lines beyond the maximum are only counted."""
    console.print(Text.assemble((f"{report.kind}: {report.subject}", TITLE)))
    for name, value in report.facts:
        console.print(Text(f"{name} {value}", QUIET))
    for text in section_texts(report):
        console.print()
        console.print(Text(text.section.title, "bold"))
        _print_section(console, text)
    console.print()
    for note in report.notes:
        head = note.split(".")[0]
        console.print(Text(f"- {note}", BAD if head.isupper() else QUIET))
    for fault in report.faults:
        console.print(Text(f"Does not reconcile: {fault}", BAD))


def _print_section(console: Console, text: SectionText) -> None:
    if not text.lines:
        console.print(Text(text.section.empty, QUIET))
        return
    headings = [ColumnHeading(column.title, _align(column)) for column in text.columns]
    console.print(TextColumns(headings, [line.cells for line in text.lines], text.total or None))
    if text.section.note:
        console.print(Text(text.section.note, QUIET))
    if text.omitted:
        console.print(Text(f"And {text.omitted:,} more lines: -o FILE.csv has all of them.", BAD))


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
