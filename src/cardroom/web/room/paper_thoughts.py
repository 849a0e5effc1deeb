"""What a worker prints. Charts and type are loaded by the first sheet, and by nobody who only asks for odds."""

from __future__ import annotations

from datetime import date

from cardroom.web.room.thoughts import table_of


def par_sheet_of(setup: str, form: str, prepared: date) -> bytes:
    """The PAR sheet of a table as a file: ``.pdf`` or ``.html``."""
    from cardroom.reports.par.files import ParFormat, render_sheet
    from cardroom.reports.par.sheet import par_sheet

    return render_sheet(par_sheet(table_of(setup).setup, prepared), ParFormat(form))
