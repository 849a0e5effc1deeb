"""``make bench``: every figure that the documentation promises, measured when everything is compiled.

Odds may use all cores; hands, rounds and commands keep to one.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import commands, hands, odds, rounds
from bench.measure import Figure

RESULTS = Path(__file__).parent / "results"


def main() -> int:
    console = Console()
    figures: list[Figure] = []
    for room in (odds, hands, rounds, commands):
        with console.status(f"Measuring {room.SUBJECT} …"):
            if room is not odds:
                _keep_to_one_core()
            figures += room.figures()
    table = Table(title=f"Cardroom, Python {platform.python_version()}", title_style="bold")
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("promised", justify="right")
    table.add_column("")
    for figure in figures:
        sign = "" if figure.promised is None else "[green]kept[/]" if figure.kept else "[bold red]missed[/]"
        table.add_row(figure.what, figure.measured_words, figure.promised_words, sign)
    console.print(table)
    RESULTS.mkdir(exist_ok=True)
    entries = [figure.entry for figure in figures]
    (RESULTS / "latest.json").write_text(json.dumps(entries, indent=2) + "\n", "utf-8")
    return 0 if all(figure.kept for figure in figures) else 1


def _keep_to_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


if __name__ == "__main__":
    sys.exit(main())
