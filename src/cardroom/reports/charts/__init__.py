"""Charts as SVG and PNG: edges, outcomes, meters, convergence, fans."""

from cardroom.extras import require_packages

require_packages("reports", "Charts", "altair", "vl_convert", "typst")

from cardroom.reports.charts.frame import BadChart, Chart, png, refuse_chart_file, source_line, svg, write_chart
from cardroom.reports.charts.simulation_charts import Convergence, Fan, convergence_chart, fan_chart
from cardroom.reports.charts.wager_charts import EdgeBar, contribution_chart, edge_bars, edge_chart, meter_chart

__all__ = [
    "BadChart",
    "Chart",
    "Convergence",
    "EdgeBar",
    "Fan",
    "contribution_chart",
    "convergence_chart",
    "edge_bars",
    "edge_chart",
    "fan_chart",
    "meter_chart",
    "png",
    "refuse_chart_file",
    "source_line",
    "svg",
    "write_chart",
]
