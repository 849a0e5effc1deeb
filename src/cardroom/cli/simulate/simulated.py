"""What came of a simulation, and the chart of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardroom import __version__
from cardroom.cli.shared.answers import Answer
from cardroom.games import Table

if TYPE_CHECKING:
    from cardroom.reports.charts import Chart


@dataclass(frozen=True)
class Simulated:
    """What came of a simulation."""

    answer: Answer
    interrupted: bool = False
    draw: Callable[[], str] | None = None
    """Writes the chart and says what it shows, where one was asked for and there is something to draw."""


def source_words(table: Table, seed: int) -> str:
    """What stands under a chart."""
    facts = table.facts
    return f"Cardroom {__version__}, simulated with seed {seed}, {facts.sheet_title}"


def written(chart: Chart, path: Path) -> str:
    """Write a chart; the file and what it shows."""
    from cardroom.reports.charts import write_chart

    write_chart(chart, path)
    return f"{path}: {chart.title}"
