"""PAR sheets that several tests read; each is computed once."""

from __future__ import annotations

from datetime import date
from functools import cache

from cardroom.games import default_setup
from cardroom.reports.documents.blocks import Document
from cardroom.reports.documents.html import render_html
from cardroom.reports.documents.pdf import render_pdf
from cardroom.reports.par import ParSheet, par_sheet
from cardroom.reports.par.pages import sheet_document

PREPARED = date(2026, 3, 2)
QUICK = ("three-card-prime", "dueling-for-dollars")
SLOW = ("deuces-wild", "three-card-double-play", "texas-shootout")


@cache
def sheet(slug: str) -> ParSheet:
    return par_sheet(default_setup(slug), PREPARED)


@cache
def document_of(slug: str) -> Document:
    return sheet_document(sheet(slug))


@cache
def html_of(slug: str) -> str:
    return render_html(document_of(slug))


@cache
def pdf_of(slug: str) -> bytes:
    return render_pdf(document_of(slug))
