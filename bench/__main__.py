"""``make bench``: every figure that the documentation promises, measured when everything is compiled.

``python -m bench hands rounds`` measures some rooms only.
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
    failures,
    hands,
    ledger,
    live,
    live_for_long,
    odds,
    pages,
    research,
    rounds,
    servers,
    sign_in,
    simulation,
    tablebase,
)
from bench.measure import on_cores

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
    commands,
)
ROOMS: Final = {room.SUBJECT: room for room in _ALL}
FOR_LONG: Final = {live_for_long.SUBJECT: live_for_long}
"""Measured only when they are named."""


def main() -> int:
    console = Console()
    entries: list[dict[str, Any]] = []
    all_kept = True
    for name in _asked() or ROOMS:
        room = (ROOMS | FOR_LONG)[name]
        with console.status(f"Measuring {name} …"), on_cores(room.CORES):
            sheets = room.sheets()
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
    console.print("The same as JSON: bench/results/latest.json")
    return 0 if all_kept else 1


def _asked() -> list[str]:
    """The rooms named by the caller, each once."""
    reader = argparse.ArgumentParser("python -m bench", description="Measure what the documentation promises.")
    reader.add_argument("rooms", nargs="*", metavar="ROOM", help=f"{', '.join(ROOMS)}; all of them when none is named")
    named = list(dict.fromkeys(reader.parse_args().rooms))
    for name in named:
        if name not in ROOMS | FOR_LONG:
            known = ", ".join(ROOMS | FOR_LONG)
            reader.error(f"There is no room {name!r} to measure: choose from {known}.")
    return named


if __name__ == "__main__":
    sys.exit(main())
