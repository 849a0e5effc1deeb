"""``make bench`` measures every figure that the documentation promises, with everything compiled.

``python -m bench hands rounds`` runs only these benchmarks.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from bench import (
    card_room,
    commands,
    deal_path,
    failures,
    hands,
    ledger,
    live,
    live_for_long,
    memory,
    odds,
    pages,
    research,
    rounds,
    servers,
    sign_in,
    simulation,
    tablebase,
)
from bench.measure import limit_cores

RESULTS: Final = Path(__file__).parent / "results"
_ALL: Final = (
    hands,
    rounds,
    simulation,
    research,
    odds,
    tablebase,
    ledger,
    card_room,
    sign_in,
    live,
    servers,
    failures,
    pages,
    deal_path,
    memory,
    commands,
)
BENCHMARKS: Final = {module.SUBJECT: module for module in _ALL}
LONG_BENCHMARKS: Final = {live_for_long.SUBJECT: live_for_long}
"""Run only if they are named."""


def main() -> int:
    console = Console()
    entries: list[dict[str, Any]] = []
    all_kept = True
    for name in _selected_names() or BENCHMARKS:
        module = (BENCHMARKS | LONG_BENCHMARKS)[name]
        with console.status(f"Measuring {name} …"), limit_cores(module.CORES):
            sheets = module.sheets()
        for sheet in sheets:
            console.print(sheet.table())
            if sheet.note:
                console.print(sheet.note, style="dim", highlight=False)
            console.print()
            entries += sheet.entries(name)
            all_kept &= sheet.kept
    RESULTS.mkdir(exist_ok=True)
    result = {"cardroom": version("cardroom"), "python": platform.python_version(), "figures": entries}
    (RESULTS / "latest.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", "utf-8")
    console.print("The same figures as JSON: bench/results/latest.json")
    return 0 if all_kept else 1


def _selected_names() -> list[str]:
    """The benchmarks that the caller names, each once."""
    parser = argparse.ArgumentParser("python -m bench", description="Measure what the documentation promises.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)}; default: all of them")
    names = list(dict.fromkeys(parser.parse_args().names))
    for name in names:
        if name not in BENCHMARKS | LONG_BENCHMARKS:
            choices = ", ".join(BENCHMARKS | LONG_BENCHMARKS)
            parser.error(f"There is no benchmark {name!r}: choose from {choices}.")
    return names


if __name__ == "__main__":
    sys.exit(main())
