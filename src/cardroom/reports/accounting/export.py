"""Accounting reports as files: CSV, JSON, or PDF, by the name of the file.

CSV and JSON are written as they are read: a long report needs no more memory than a short one. CSV is one table: the
column `part` says which table of the report a line belongs to, and the columns are those of all parts. Amounts are
dollars with four digits after the point. In JSON, amounts are hundredths of a cent.

A spreadsheet evaluates a text that begins like a formula, and reads ``mar-1``, ``1/8``, ``8 pm``, ``0012``, ``1E5``, or
``5%`` as a date, a time, or a number, so it shows something else. Such a text gets a leading apostrophe. The rule does
not list the formats of every spreadsheet and country: a text with a digit is safe only if it has a letter that no date,
time, or number has. A whole number that reads back digit by digit stays as it is.

>>> [text_cell(text) for text in ("8 pm", "0012", "1E5", "true", "1077", "prime-1.17", "T-1002")]
["'8 pm", "'0012", "'1E5", "'true", '1077', 'prime-1.17', 'T-1002']

An exact fraction is a decimal number, rounded to fifteen digits if it does not terminate; JSON has the fraction itself.

>>> _text_cell("mar-1", None), _text_cell("final-four", None), _number_cell(Fraction(1, 8), None)
("'mar-1", 'final-four', '0.125')

A PDF has landscape pages for signatures. The report is attached to the file as JSON, and every page shows its digest.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal, localcontext
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Any, Final

from cardroom.chart_of_accounts import DOLLAR
from cardroom.ledger import Time
from cardroom.reports.accounting.columns import Cell, ReportColumn
from cardroom.reports.accounting.report import (
    AccountingReport,
    BadReportFile,
    ReportSection,
    ReportTooLong,
    SectionText,
    section_texts,
)
from cardroom.reports.documents.files import check_writable, write_pieces
from cardroom.reports.documents.pdf import PdfSource, compile_pdf
from cardroom.reports.documents.program_version import current_program
from cardroom.room.setup.calendar import Calendar

_FORMULA: Final = ("=", "+", "-", "@", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}", "\N{MINUS SIGN}")
_CONTROL: Final = ("\t", "\r", "\n")
_RESERVED_TEXT: Final = frozenset(("true", "false", "#n/a", "#null!", "#div/0!", "#value!", "#ref!", "#name?", "#num!"))
"""Texts without a digit that a spreadsheet takes for a value."""
_SAME_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,14}")
"""Whole numbers that a spreadsheet shows unchanged: it keeps fifteen digits."""
_MONTHS: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_DAYS: Final = (
    "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
)
_LETTERS: Final = re.compile(
    rf"(?<![a-z])(?:{_MONTHS}|{_DAYS})(?![a-z])"
    r"|(?<=\d)\s*[ap](?:\.?m)?(?![a-z])"  # 12-hour times
    r"|(?<=\d)\s*(?:st|nd|rd|th)(?![a-z])"  # March 5th
    r"|(?<=[\d.])[ed](?=[-+]?\d)"  # exponents
    r"|(?<=\d)\s*t(?=\d)|(?<=\d)\s*(?:z|utc|gmt)(?![a-z])"  # ISO times
    r"|(?<![a-z])(?:usd|us)(?![a-z])",
    re.IGNORECASE,
)
"""The letters that a date, a time, or a number may have."""


def text_cell(text: str) -> str:
    """A text as a cell of a CSV file, with a leading apostrophe if a spreadsheet would convert it."""
    return f"'{text}" if text.startswith(_CONTROL) or _is_converted(text.strip()) else text


def _is_converted(text: str) -> bool:
    if text.startswith(_FORMULA) or text.lower() in _RESERVED_TEXT:
        return True
    if not any(character.isnumeric() for character in text) or _SAME_NUMBER.fullmatch(text):
        return False
    return not any(character.isalpha() for character in _LETTERS.sub("", text))


ROWS_PER_PIECE: Final = 1000
"""Lines that are written together."""


def csv_pieces(report: AccountingReport) -> Iterator[str]:
    """The report as CSV, some lines at a time."""
    names = ["part", *dict.fromkeys(column.name for part in report.sections for column in part.file_columns)]
    buffer = StringIO()
    sheet = csv.writer(buffer)
    sheet.writerow(names)
    for part in report.sections:  # no totals: the reader of the file computes them
        cells = [(names.index(column.name), column.name, _CELLS[column.kind]) for column in part.file_columns]
        row = [part.name, *[""] * (len(names) - 1)]
        for number, line in enumerate(part.lines, 1):
            for place, name, cell in cells:
                value = getattr(line, name)
                row[place] = "" if value is None else cell(value, report.calendar)
            sheet.writerow(row)
            if number % ROWS_PER_PIECE == 0:
                yield buffer.getvalue()
                buffer.seek(0)
                buffer.truncate()
    yield buffer.getvalue()


def _amount_cell(value: int, _: Calendar) -> str:
    dollars, rest = divmod(abs(value), DOLLAR)
    return f"{'-' if value < 0 else ''}{dollars}.{rest:04}"


def _time_cell(value: Time, calendar: Calendar) -> str:
    return calendar.local(value).isoformat(timespec="microseconds")


def _text_cell(value: object, _: Calendar | None) -> str:
    return text_cell(str(value))


def _number_cell(value: Fraction, _: Calendar | None) -> str:
    with localcontext(prec=_DIGITS):
        return f"{Decimal(value.numerator) / value.denominator:f}"


def _plain_cell(value: object, _: Calendar) -> str:
    return str(value)


_CELLS: Final[dict[Cell, Callable[[Any, Calendar], str]]] = {
    Cell.TEXT: _text_cell,
    Cell.COUNT: _plain_cell,
    Cell.AMOUNT: _amount_cell,
    Cell.TIME: _time_cell,
    Cell.DAY: _plain_cell,
    Cell.SHARE: _number_cell,
    Cell.FREQUENCY: _number_cell,
    Cell.EXPECTED: _number_cell,
    Cell.FLAG: lambda value, _: "yes" if value else "no",
    Cell.PLAIN: lambda value, _: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
}
_DIGITS: Final = 15
"""The digits that a spreadsheet keeps of a number."""


def json_pieces(report: AccountingReport) -> Iterator[str]:
    """The report as one JSON document, some lines at a time."""
    head = {
        "report": report.slug,
        "subject": report.subject,
        "money": str(report.currency),
        "from": _day_json(report.period.first),
        "to": _day_json(report.period.last),
        "timezone": report.calendar.name,
        "day_starts": f"{report.calendar.starts:%H:%M}",
        "prepared": report.calendar.local(report.prepared).isoformat(timespec="microseconds"),
        "amounts": "hundredths of a cent",
        "notes": list(report.notes),
    }
    yield json.dumps(head, ensure_ascii=False, indent=2)[:-2] + ',\n  "parts": ['
    for place, part in enumerate(report.sections):
        yield (
            "," if place else ""
        ) + f'\n    {{"name": {json.dumps(part.name)}, "title": {_json_text(part.title)}, "lines": ['
        for number, line in enumerate(part.lines):
            yield ("," if number else "") + "\n      " + _json_text(_line_json(part, line, report.calendar))
        total = "null" if part.total is None else _json_text(_line_json(part, part.total, report.calendar))
        yield f'], "total": {total}}}'
    yield f'\n  ],\n  "faults": {_json_text(report.faults)}\n}}\n'


def _day_json(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _line_json(section: ReportSection, line: object, calendar: Calendar) -> dict[str, Any]:
    return {column.name: _value_json(column, getattr(line, column.name), calendar) for column in section.file_columns}


def _value_json(column: ReportColumn, value: Any, calendar: Calendar) -> Any:
    match column.kind:
        case _ if value is None:
            return None
        case Cell.TIME:
            return _time_cell(value, calendar)
        case Cell.DAY:
            return value.isoformat()
        case Cell.SHARE | Cell.FREQUENCY | Cell.EXPECTED:
            return str(value)
        case _:
            return value


MAX_PDF_LINES: Final = 20_000
"""The most lines of a printed report."""
ATTACHMENT_NAME: Final = "report.json"
_TEMPLATE: Final = files("cardroom.reports.accounting") / "statement.typ"


def report_pdf(report: AccountingReport) -> bytes:
    """The pages; the same report gives the same bytes."""
    return compile_pdf(*report_pdf_source(report))


def report_pdf_source(report: AccountingReport) -> PdfSource:
    """The layout and the content of the pages."""
    return PdfSource(_TEMPLATE, _inputs(report), datetime.fromtimestamp(report.prepared // 1_000_000, UTC))


def _inputs(report: AccountingReport) -> dict[str, str]:
    report = _load_lines(report)
    content = "".join(json_pieces(report))
    digest = sha256(content.encode()).hexdigest()
    document = {
        "kind": report.kind,
        "subject": report.subject,
        "facts": [*report.facts, ("Program", str(current_program()))],
        "digest": digest,
        "cover": report.cover,
        "parts": [_section_json(part) for part in section_texts(report, MAX_PDF_LINES)],
        "faults": report.faults,
        "notes": report.notes,
        "signing": None if report.signatures is None else [report.signatures.statement, list(report.signatures.roles)],
    }
    return {"document": json.dumps(document), "content": content, "attached": ATTACHMENT_NAME}


def _load_lines(report: AccountingReport) -> AccountingReport:
    """The report with all its lines in memory; its faults are then known."""
    parts, lines = list[ReportSection](), 0
    for part in report.sections:
        sections = []
        for line in part.lines:
            lines += 1
            if lines > MAX_PDF_LINES:
                raise ReportTooLong(
                    f"The report has more than {MAX_PDF_LINES:,} lines, too many for paper: ask for fewer days, or "
                    "export a "
                    ".csv."
                )
            sections.append(line)
        parts.append(replace(part, lines=sections))
    return replace(report, sections=tuple(parts))


def _section_json(text: SectionText) -> dict[str, Any]:
    section = text.section
    return {
        "title": section.title,
        "note": section.note,
        "chapter": section.chapter,
        "notes": section.notes,
        "empty": section.empty,
        "quiet": section.name == "books",
        "columns": [
            {"title": column.title, "numeric": column.kind.numeric, "wide": column.wide} for column in text.columns
        ],
        "rows": [*(line.cells for line in text.lines), *([text.total] if text.lines and text.total else [])],
        "total": section.total is not None,
    }


SUFFIXES: Final = (".csv", ".json", ".pdf")


def refuse_report_file(path: Path) -> None:
    """Raise an error at once if a report cannot be written there, before the ledger is read."""
    if path.suffix.lower() not in SUFFIXES:
        suffix_text = f"ends with {path.suffix!r}" if path.suffix else "has no ending"
        raise BadReportFile(f"A report is a .csv, .json, or .pdf file; {path.name!r} {suffix_text}.")
    check_writable(path)


def write_report(report: AccountingReport, path: Path | str) -> None:
    """Write a report. If that fails, an earlier file stays unchanged."""
    path = Path(path)
    refuse_report_file(path)
    match path.suffix.lower():
        case ".csv":
            write_pieces(path, (piece.encode() for piece in csv_pieces(report)))
        case ".json":
            write_pieces(path, (piece.encode() for piece in json_pieces(report)))
        case _:
            write_pieces(path, [report_pdf(report)])
