"""Reports as files: CSV, JSON or PDF, by the name of the file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cardroom.reports.books.faults import BadReportFile
from cardroom.reports.books.paper import pdf_of
from cardroom.reports.books.plain import csv_pieces, json_pieces
from cardroom.reports.books.statement import Report
from cardroom.reports.paper.writing import refuse_unwritable, write_pieces

SUFFIXES: Final = (".csv", ".json", ".pdf")


def refuse_report_file(path: Path) -> None:
    """Say at once that a report cannot be written there, before the books are read."""
    if path.suffix.lower() not in SUFFIXES:
        ends = f"ends with {path.suffix!r}" if path.suffix else "has no ending"
        raise BadReportFile(f"A report is a .csv, a .json or a .pdf; {path.name!r} {ends}.")
    refuse_unwritable(path)


def write_report(report: Report, path: Path | str) -> None:
    """Write a report; what stood there before stays when that fails."""
    path = Path(path)
    refuse_report_file(path)
    match path.suffix.lower():
        case ".csv":
            write_pieces(path, (piece.encode() for piece in csv_pieces(report)))
        case ".json":
            write_pieces(path, (piece.encode() for piece in json_pieces(report)))
        case _:
            write_pieces(path, [pdf_of(report)])
