"""Reports as CSV and JSON, written as they are read: a long one needs no more memory than a short one.

CSV is one table: the column `part` says which table of the report a line belongs to, and the columns are those of all
parts. Amounts are dollars with four digits after the point. In JSON amounts are hundredths of a cent.

A spreadsheet must read each cell as what it is: a text that it would convert begins with an apostrophe
(`cardroom.reports.books.spreadsheet`), and an exact fraction is a decimal number, rounded to fifteen digits where it
has no end; JSON has the fraction itself.

>>> _text_cell("mar-1", None), _text_cell("final-four", None), _number_cell(Fraction(1, 8), None)
("'mar-1", 'final-four', '0.125')
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal, localcontext
from fractions import Fraction
from io import StringIO
from typing import Any, Final

from cardroom.accounts import DOLLAR
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.ledger import Time
from cardroom.reports.books.columns import Cell, ReportColumn
from cardroom.reports.books.spreadsheet import text_cell
from cardroom.reports.books.statement import Report, Section

AT_A_TIME: Final = 1000
"""Lines that are written together."""


def csv_pieces(report: Report) -> Iterator[str]:
    """The report as CSV, some lines at a time."""
    names = ["part", *dict.fromkeys(column.name for part in report.parts for column in part.kept_columns)]
    written = StringIO()
    sheet = csv.writer(written)
    sheet.writerow(names)
    for part in report.parts:  # sums are left to whoever reads the file
        cells = [(names.index(column.name), column.name, _CELLS[column.kind]) for column in part.kept_columns]
        row = [part.name, *[""] * (len(names) - 1)]
        for number, line in enumerate(part.lines, 1):
            for place, name, cell in cells:
                value = getattr(line, name)
                row[place] = "" if value is None else cell(value, report.calendar)
            sheet.writerow(row)
            if number % AT_A_TIME == 0:
                yield written.getvalue()
                written.seek(0)
                written.truncate()
    yield written.getvalue()


def _amount(value: int, _: Calendar) -> str:
    whole, rest = divmod(abs(value), DOLLAR)
    return f"{'-' if value < 0 else ''}{whole}.{rest:04}"


def _time(value: Time, calendar: Calendar) -> str:
    return calendar.local(value).isoformat(timespec="microseconds")


def _text_cell(value: object, _: Calendar | None) -> str:
    return text_cell(str(value))


def _number_cell(value: Fraction, _: Calendar | None) -> str:
    with localcontext(prec=_DIGITS):
        return f"{Decimal(value.numerator) / value.denominator:f}"


def _as_it_is(value: object, _: Calendar) -> str:
    return str(value)


_CELLS: Final[dict[Cell, Callable[[Any, Calendar], str]]] = {
    Cell.TEXT: _text_cell,
    Cell.COUNT: _as_it_is,
    Cell.AMOUNT: _amount,
    Cell.TIME: _time,
    Cell.DAY: _as_it_is,
    Cell.SHARE: _number_cell,
    Cell.FREQUENCY: _number_cell,
    Cell.EXPECTED: _number_cell,
    Cell.FLAG: lambda value, _: "yes" if value else "no",
    Cell.PLAIN: lambda value, _: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
}
_DIGITS: Final = 15
"""As many as a spreadsheet keeps of a number."""


def json_pieces(report: Report) -> Iterator[str]:
    """The report as one JSON document, some lines at a time."""
    head = {
        "report": report.slug,
        "subject": report.subject,
        "money": str(report.money),
        "from": _day(report.period.first),
        "to": _day(report.period.last),
        "timezone": report.calendar.name,
        "day_starts": f"{report.calendar.starts:%H:%M}",
        "prepared": report.calendar.local(report.prepared).isoformat(timespec="microseconds"),
        "amounts": "hundredths of a cent",
        "notes": list(report.notes),
    }
    yield json.dumps(head, ensure_ascii=False, indent=2)[:-2] + ',\n  "parts": ['
    for place, part in enumerate(report.parts):
        yield (
            "," if place else ""
        ) + f'\n    {{"name": {json.dumps(part.name)}, "title": {_text(part.title)}, "lines": ['
        for number, line in enumerate(part.lines):
            yield ("," if number else "") + "\n      " + _text(_entry(part, line, report.calendar))
        total = "null" if part.total is None else _text(_entry(part, part.total, report.calendar))
        yield f'], "total": {total}}}'
    yield f'\n  ],\n  "faults": {_text(report.faults)}\n}}\n'


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _entry(part: Section, line: object, calendar: Calendar) -> dict[str, Any]:
    return {column.name: _value(column, getattr(line, column.name), calendar) for column in part.kept_columns}


def _value(column: ReportColumn, value: Any, calendar: Calendar) -> Any:
    match column.kind:
        case _ if value is None:
            return None
        case Cell.TIME:
            return _time(value, calendar)
        case Cell.DAY:
            return value.isoformat()
        case Cell.SHARE | Cell.FREQUENCY | Cell.EXPECTED:
            return str(value)
        case _:
            return value
