"""Odds: a fresh process with compiled kernels and no remembered answers prices every table of a game, on all cores."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

from bench.measure import Figure
from bench.sheet import Sheet

SUBJECT: Final = "odds"
CORES: Final = None
GAMES_AND_PROMISES: Final = {
    "deuces-wild": 2.0,
    "three-card-prime": 2.0,
    "dueling-for-dollars": None,
    "three-card-double-play": None,
}


def sheets() -> list[Sheet]:
    return [
        Sheet("Odds in a fresh process, all cores, nothing remembered", tuple(_prices())),
        Sheet("A coach's advice at a table", tuple(_advice())),
    ]


def _prices() -> list[Figure]:
    everything = _fresh("everything")
    found = [
        Figure("all odds but the shootout wager", everything["seconds"], "s", 10.0, more_is_better=False),
        Figure("memory for them", everything["megabytes"], "MB", 2000.0, more_is_better=False),
        Figure("odds of high-low, six tables", _fresh("three-card-double-play high-low")["seconds"], "s", 6.0, False),
    ]
    for slug, promised in GAMES_AND_PROMISES.items():
        found.append(
            Figure(f"odds of {slug}, all tables", _fresh(slug)["seconds"], "s", promised, more_is_better=False)
        )
    return found


def _advice() -> list[Figure]:
    return [
        Figure(f"advice in {slug}, 95th percentile", milliseconds, "ms", 50.0, more_is_better=False)
        for slug, milliseconds in _fresh("advice").items()
    ]


def _fresh(what: str) -> dict[str, float]:
    """What a fresh process measures; the first run only compiles."""
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-m", "bench.odds_once", *what.split()], check=True, capture_output=True, text=True
        )
    measured: dict[str, float] = json.loads(run.stdout)
    return measured
