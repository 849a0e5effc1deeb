"""Odds: a new process with compiled kernels and no cached odds prices every table of a game, on all cores."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

from bench.measure import Figure, Promise
from bench.result_table import Sheet

SUBJECT: Final = "odds"
CORES: Final = None
MOST: Final = {
    "everything": 330.0,
    "three-card-double-play high-low": 120.0,
    "deuces-wild": 36.0,
    "three-card-prime": 50.0,
    "dueling-for-dollars": 80.0,
    "three-card-double-play": 105.0,
}
"""The processor time of the odds, in Python loops that count to a million; other load does not change it."""
WORDS: Final = {
    "everything": "all odds",
    "three-card-double-play high-low": "odds of high-low, six tables",
}
MOST_MEGABYTES: Final = 6.0
"""The most memory, as a multiple of the process's memory before pricing."""
MOST_ADVICE: Final = 1.5
"""The most time for advice, in loops that count to a million."""
YARDSTICK: Final = "counting to a million in Python"


def sheets() -> list[Sheet]:
    return [
        Sheet("Odds in a new process, all cores, no cache", tuple(_prices())),
        Sheet("A coach's advice at a table", tuple(_advice())),
    ]


def _prices() -> list[Figure]:
    figures = []
    for what, most in MOST.items():
        measured = _fresh(what)
        promise = Promise(YARDSTICK, measured["loops"], most, at_least=False)
        figures.append(Figure(WORDS.get(what, f"odds of {what}, all tables"), measured["seconds"], "s", promise))
        if what == "everything":
            growth = measured["megabytes"] / measured["megabytes_before"]
            memory = Promise("before pricing", growth, MOST_MEGABYTES, at_least=False)
            figures.append(Figure("memory for all odds", measured["megabytes"], "MB", memory))
    return figures


def _advice() -> list[Figure]:
    measured = _fresh("advice")
    loop = measured.pop("loop")
    return [
        Figure(
            f"advice in {slug}, 95th percentile",
            milliseconds,
            "ms",
            Promise(YARDSTICK, milliseconds / loop, MOST_ADVICE, at_least=False),
        )
        for slug, milliseconds in measured.items()
    ]


def _fresh(what: str) -> dict[str, float]:
    """The measurements of a new process; the first run only compiles."""
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-m", "bench.odds_once", *what.split()], check=True, capture_output=True, text=True
        )
    measured: dict[str, float] = json.loads(run.stdout)
    return measured
