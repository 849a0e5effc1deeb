"""Charts as SVG and PNG: edges, outcomes, meters, convergence, fans."""

from cardroom.extras import need

need("reports", "Charts", "altair", "vl_convert", "typst")

from cardroom.reports.charts.contribution import contribution_chart
from cardroom.reports.charts.convergence import Convergence, convergence_chart
from cardroom.reports.charts.edge import Edge, edge_chart, edges_of
from cardroom.reports.charts.fan import Fan, fan_chart
from cardroom.reports.charts.frame import BadChart, Chart, png, refuse_chart_file, svg, write_chart
from cardroom.reports.charts.meter import meter_chart
from cardroom.reports.charts.source import source_of

__all__ = [
    "BadChart",
    "Chart",
    "Convergence",
    "Edge",
    "Fan",
    "contribution_chart",
    "convergence_chart",
    "edge_chart",
    "edges_of",
    "fan_chart",
    "meter_chart",
    "png",
    "refuse_chart_file",
    "source_of",
    "svg",
    "write_chart",
]
