"""PAR sheets as files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path

from cardroom.faults import BadInput
from cardroom.games import TableSetup, default_setup, game
from cardroom.jackpots.setup.jackpot import JackpotSetup
from cardroom.odds.pricer import Progress, silent
from cardroom.reports.paper.html import html
from cardroom.reports.paper.pdf import pdf
from cardroom.reports.paper.writing import form_of, refuse_unwritable, write_bytes
from cardroom.reports.par.confirming import USUAL, Confirm
from cardroom.reports.par.pages import document
from cardroom.reports.par.sheet import ParSheet, par_sheet


class BadParFile(BadInput):
    """A file that cannot be a PAR sheet."""


class ParForm(StrEnum):
    """What a PAR sheet is printed on; the value is the file's suffix."""

    PDF = ".pdf"
    HTML = ".html"


def par_form(path: Path) -> ParForm:
    """By the suffix of a file."""
    return form_of(path, ParForm, "A PAR sheet is a .pdf or a .html", BadParFile)


def printed(sheet: ParSheet, form: ParForm) -> bytes:
    """The file's bytes; the same sheet gives the same bytes."""
    set_out = document(sheet)
    return pdf(set_out) if form is ParForm.PDF else html(set_out).encode()


def par(
    slug: str,
    setup: TableSetup | None,
    path: Path | str,
    prepared: date,
    progress: Progress = silent,
    *,
    confirm: Confirm = USUAL,
    jackpots: Sequence[JackpotSetup] = (),
    remember: bool = True,
) -> ParSheet:
    """Write the PAR sheet of a table as .pdf or .html, with the jackpots that it plays for. Without a set-up it is the
    game's default one; ``remember=False`` computes every figure anew."""
    path = Path(path)
    form = par_form(path)
    if setup is not None and setup.game != game(slug).facts.slug:
        raise BadParFile(f"The set-up is for {setup.game}, not for {slug}: name that game, or another set-up.")
    refuse_unwritable(path)  # before the figures, which can take minutes
    chosen = setup or default_setup(slug)
    sheet = par_sheet(chosen, prepared, confirm=confirm, jackpots=jackpots, remember=remember, progress=progress)
    progress("setting the pages", 0.0)
    write_bytes(path, printed(sheet, form))
    progress("setting the pages", 1.0)
    return sheet
