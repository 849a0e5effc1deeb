"""Odds: a fresh process with compiled kernels and no remembered answers prices every table of a game, on all cores."""

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
"""How much work odds take, in loops of Python that count to a million, whoever else works meanwhile."""
WORDS: Final = {
    "everything": "all odds",
    "three-card-double-play high-low": "odds of high-low, six tables",
}
MOST_MEGABYTES: Final = 6.0
"""Times the memory of the process before it prices anything."""
MOST_ADVICE: Final = 1.5
"""Advice takes at most so many loops that count to a million."""
YARDSTICK: Final = "counting to a million in Python"


def sheets() -> list[Sheet]:
    return [
        Sheet("Odds in a fresh process, all cores, nothing remembered", tuple(_prices())),
        Sheet("A coach's advice at a table", tuple(_advice())),
    ]


def _prices() -> list[Figure]:
    found = []
    for what, most in MOST.items():
        measured = _fresh(what)
        promise = Promise(YARDSTICK, measured["loops"], most, at_least=False)
        found.append(Figure(WORDS.get(what, f"odds of {what}, all tables"), measured["seconds"], "s", promise))
        if what == "everything":
            growth = measured["megabytes"] / measured["megabytes_before"]
            memory = Promise("before pricing", growth, MOST_MEGABYTES, at_least=False)
            found.append(Figure("memory for them", measured["megabytes"], "MB", memory))
    return found


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
    """What a fresh process measures; the first run only compiles."""
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-m", "bench.odds_once", *what.split()], check=True, capture_output=True, text=True
        )
    measured: dict[str, float] = json.loads(run.stdout)
    return measured
