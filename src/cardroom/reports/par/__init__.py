"""PAR sheets: computed for a table, printed as PDF or HTML, and checked."""

from cardroom.reports.par.files import BadParFile, ParCheck, Verdict, check_par, write_par_sheet
from cardroom.reports.par.sheet import ParSheet, WagerFigures, par_sheet, volatility_index

__all__ = [
    "BadParFile",
    "ParCheck",
    "ParSheet",
    "Verdict",
    "WagerFigures",
    "check_par",
    "par_sheet",
    "volatility_index",
    "write_par_sheet",
]
