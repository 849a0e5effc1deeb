"""Reports on the books in the terminal."""

from __future__ import annotations

from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from cardroom.reports.books import Report, Section, cell_text
from cardroom.terminal.palette import LOST, QUIET, TITLE

MOST_LINES: Final = 500
"""More than that nobody reads in a terminal."""


def print_report(console: Console, report: Report) -> None:
    """Print a report. Lines that are too many are counted, so that what follows from all of them is right."""
    console.print(Text.assemble((f"{report.kind}: {report.subject}", TITLE)))
    console.print(Text(" · ".join(f"{name} {told}" for name, told in report.facts), QUIET))
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
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        grid.add_column(
            column.title,
            justify="right" if column.kind.numeric else "left",
            no_wrap=column.kind.numeric,
            overflow="fold",
        )
    lines = left = 0
    for line in part.lines:
        if lines < MOST_LINES:
            grid.add_row(*(Text(cell_text(one.kind, getattr(line, one.name), report.calendar)) for one in columns))
        else:
            left += 1
        lines += 1
    if not lines:
        console.print(Text(part.empty, QUIET))
        return
    if part.total is not None:
        grid.add_section()
        told = (cell_text(one.kind, getattr(part.total, one.name), report.calendar) for one in columns)
        grid.add_row(*(Text(cell, "bold") for cell in told))
    console.print(grid)
    if part.note:
        console.print(Text(part.note, QUIET))
    if left:
        console.print(Text(f"… and {left:,} more lines: -o FILE.csv has all of them.", LOST))
