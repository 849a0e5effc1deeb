"""PAR sheets: made from a table, printed as PDF or HTML, and checked."""

from cardroom.reports.par.checking import ParCheck, Verdict, check_par
from cardroom.reports.par.files import BadParFile, par
from cardroom.reports.par.sheet import ParSheet, WagerFigures, par_sheet, volatility_index

__all__ = [
    "BadParFile",
    "ParCheck",
    "ParSheet",
    "Verdict",
    "WagerFigures",
    "check_par",
    "par",
    "par_sheet",
    "volatility_index",
]
