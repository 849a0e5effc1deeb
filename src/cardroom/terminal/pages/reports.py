"""Reports on the books in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from cardroom.reports.books import Report, Section, cell_text
from cardroom.reports.books.columns import Cell, ReportColumn
from cardroom.terminal.pages.columns import Align, Columns, Heading
from cardroom.terminal.palette import LOST, QUIET, TITLE

MOST_LINES: Final = 500
"""More than that nobody reads in a terminal."""


def print_report(console: Console, report: Report) -> None:
    """Print a report. Lines that are too many are counted, so that what follows from all of them is right."""
    console.print(Text.assemble((f"{report.kind}: {report.subject}", TITLE)))
    for name, told in report.facts:
        console.print(Text(f"{name} {told}", QUIET))
    for part in report.parts:
        console.print()
        console.print(Text(part.title, "bold"))
        _print_part(console, part, report)
    console.print()
    for note in report.notes:
        head = note.split(".")[0]
        console.print(Text(f"- {note}", LOST if head.isupper() else QUIET))
    for fault in report.faults:
        console.print(Text(f"Does not add up: {fault}", LOST))


def _print_part(console: Console, part: Section, report: Report) -> None:
    columns = part.shown_columns
    rows: list[list[str]] = []
    left = 0
    for line in part.lines:
        if len(rows) < MOST_LINES:
            rows.append(_cells(line, columns, report))
        else:
            left += 1
    if not rows:
        console.print(Text(part.empty, QUIET))
        return
    total = None if part.total is None else _cells(part.total, columns, report)
    console.print(Columns([Heading(one.title, _align(one)) for one in columns], rows, total))
    if part.note:
        console.print(Text(part.note, QUIET))
    if left:
        console.print(Text(f"And {left:,} more lines: -o FILE.csv has all of them.", LOST))


def _cells(line: object, columns: Sequence[ReportColumn], report: Report) -> list[str]:
    return [cell_text(one.kind, getattr(line, one.name), report.calendar) for one in columns]


def _align(column: ReportColumn) -> Align:
    if column.kind.numeric:
        return Align.RIGHT
    if column.kind in (Cell.TIME, Cell.DAY):
        return Align.WHOLE
    return Align.SENTENCE if column.wide else Align.LEFT
