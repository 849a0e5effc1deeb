"""A report as PDF: landscape pages to sign, set by typst with the fonts that it brings along.

The report travels inside the file as JSON, and every page shows the digest of it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from cardroom.reports.books.faults import TooLong
from cardroom.reports.books.plain import json_pieces
from cardroom.reports.books.statement import Report, Section, cell_text
from cardroom.reports.paper.program import this_program
from cardroom.reports.paper.typeset import as_pdf

MOST_LINES: Final = 20_000
"""Nobody reads, or signs, more on paper."""
ATTACHED: Final = "report.json"
_FORM: Final = files("cardroom.reports.books") / "statement.typ"


def pdf_of(report: Report) -> bytes:
    """The pages; the same report gives the same bytes."""
    return as_pdf(_FORM, _inputs(report), datetime.fromtimestamp(report.prepared // 1_000_000, UTC))


def _inputs(report: Report) -> dict[str, str]:
    report = _read(report)
    content = "".join(json_pieces(report))
    digest = sha256(content.encode()).hexdigest()
    document = {
        "kind": report.kind,
        "subject": report.subject,
        "facts": [*report.facts, ("Program", str(this_program()))],
        "digest": digest,
        "cover": report.cover,
        "parts": [_part(part, report) for part in report.parts],
        "faults": report.faults,
        "notes": report.notes,
        "signing": None if report.signing is None else [report.signing.statement, list(report.signing.roles)],
    }
    return {"document": json.dumps(document), "content": content, "attached": ATTACHED}


def _read(report: Report) -> Report:
    """The report with all its lines in hand; what does not add up is known then."""
    parts, lines = list[Section](), 0
    for part in report.parts:
        kept = []
        for line in part.lines:
            lines += 1
            if lines > MOST_LINES:
                raise TooLong(
                    f"The report has more than {MOST_LINES:,} lines, too many for paper: ask for fewer days, or for a "
                    ".csv."
                )
            kept.append(line)
        parts.append(replace(part, lines=kept))
    return replace(report, parts=tuple(parts))


def _part(part: Section, report: Report) -> dict[str, Any]:
    columns = part.shown_columns
    lines = [*part.lines, *([] if part.total is None else [part.total])]
    return {
        "title": part.title,
        "note": part.note,
        "chapter": part.chapter,
        "notes": part.notes,
        "empty": part.empty,
        "quiet": part.name == "books",
        "columns": [{"title": one.title, "numeric": one.kind.numeric, "wide": one.wide} for one in columns],
        "rows": [[cell_text(one.kind, getattr(line, one.name), report.calendar) for one in columns] for line in lines]
        if part.lines
        else [],
        "total": part.total is not None,
    }
