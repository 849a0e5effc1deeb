"""Charts, and PAR sheets that one signs: as PDF or as one HTML file, each with its content inside to be checked.

A PAR sheet (probability accounting report) says on what figures a table rests: every outcome of every wager, counted.
TableVision's displays are drawn here too. Reports on the floor's books are in `cardroom.reports.books`.
"""

from cardroom.reports.charts.contribution import contribution_chart
from cardroom.reports.charts.convergence import Convergence, convergence_chart
from cardroom.reports.charts.edge import Edge, edge_chart, edges_of
from cardroom.reports.charts.fan import Fan, fan_chart
from cardroom.reports.charts.frame import BadChart, Chart, png, refuse_chart_file, svg, write_chart
from cardroom.reports.charts.meter import meter_chart
from cardroom.reports.charts.source import source_of
from cardroom.reports.displays.pictures import display_png, display_svg, write_display
from cardroom.reports.par.checking import ParCheck, Verdict, check_par
from cardroom.reports.par.files import BadParFile, par
from cardroom.reports.par.sheet import ParSheet, WagerFigures, par_sheet, volatility_index

__all__ = [
    "BadChart",
    "BadParFile",
    "Chart",
    "Convergence",
    "Edge",
    "Fan",
    "ParCheck",
    "ParSheet",
    "Verdict",
    "WagerFigures",
    "check_par",
    "contribution_chart",
    "convergence_chart",
    "display_png",
    "display_svg",
    "edge_chart",
    "edges_of",
    "fan_chart",
    "meter_chart",
    "par",
    "par_sheet",
    "png",
    "refuse_chart_file",
    "source_of",
    "svg",
    "volatility_index",
    "write_chart",
    "write_display",
]
