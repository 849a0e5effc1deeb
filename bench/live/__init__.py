"""Live tables under load: a server in its own process, and bots that play on it from another."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from bench.live.bots import LoadResult, Pace, Seat, crowd
from bench.live.past_rounds import fill
from bench.live.server import SEATS, open_room, serving
from bench.measure import Figure, Promise
from bench.result_table import Sheet
from cardroom.service import verify

SUBJECT: Final = "live"
CORES: Final = 2

TABLES: Final = 300
MANY_TABLES: Final = 1_000
PACED: Final = Pace(every=30.0, thought=2.0)
FAST: Final = Pace()
COMING_IN: Final = 10.0
SECONDS: Final = 40.0
ACKNOWLEDGED: Final = 0.050
SEEN: Final = 0.150
ROUNDS: Final = 25.0
VERIFIED: Final = 1_000.0
WAGERS: Final[Mapping[str, dict[str, int]]] = {
    "three-card-prime": {"ante-play": 10_00, "prime": 1_00},
    "dueling-for-dollars": {"player": 10_00},
}
OF_EACH: Final = ("three-card-prime", "dueling-for-dollars", "texas-shootout", "deuces-wild", "three-card-double-play")


def sheets() -> list[Sheet]:
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        note = (
            f"Every table has {SEATS} bots, which play over HTTP from a separate process and watch their table on a "
            "stream. A command is acknowledged when it is on disk. Verification deals every round again."
        )
        many = (figure for tables in (TABLES, MANY_TABLES) for figure in _many(Path(folder), tables))
        figures = (*many, *_one(Path(folder)), *_verified(Path(folder)))
        return [Sheet("Live tables, SQLite, two cores", figures, note)]


def load(
    at: tuple[str, int], seats: Sequence[Seat], slug: str, pace: Pace, seconds: float, coming_in: float = COMING_IN
) -> LoadResult:
    """Let bots play for some seconds after they have connected."""
    result = LoadResult()
    gc.disable()  # a collection of thousands of bots takes as long as a slow command, and would count as one
    try:
        asyncio.run(crowd(at, seats, WAGERS[slug], pace, seconds, result, coming_in=coming_in))
    finally:
        gc.enable()
    return result


def percentile(times: Sequence[float], part: float) -> float:
    """The time within which this part of all operations is done."""
    return sorted(times)[min(int(len(times) * part), len(times) - 1)]


def latencies(result: LoadResult, what: str) -> list[Figure]:
    """The 99th percentiles of the latencies, compared with the required ones."""
    acknowledged, seen = percentile(result.acknowledged, 0.99), percentile(result.seen, 0.99)
    return [
        Figure(
            f"{what}: 99 % of commands acknowledged within",
            acknowledged * 1_000,
            "ms",
            Promise("50 ms", acknowledged / ACKNOWLEDGED, 1.0, at_least=False),
        ),
        Figure(
            f"{what}: 99 % of views at the other seats within",
            seen * 1_000,
            "ms",
            Promise("150 ms", seen / SEEN, 1.0, at_least=False),
        ),
        Figure(f"{what}: commands", len(result.acknowledged) / SECONDS, "/s"),
    ]


def _many(folder: Path, tables: int) -> list[Figure]:
    url = f"sqlite:///{folder}/{tables}-tables.db"
    seats = open_room(url, tables)
    with serving(url, folder / f"{tables}-tables.log") as (at, _):
        result = load(at, seats, "three-card-prime", PACED, SECONDS)
    assert not result.refused, result.refused
    return latencies(result, f"{tables:,} tables of {SEATS}, a round every 30 s")


def _one(folder: Path) -> list[Figure]:
    figures = []
    for slug in WAGERS:
        url = f"sqlite:///{folder}/{slug}.db"
        seats = open_room(url, 1, slug)
        with serving(url, folder / f"{slug}.log") as (at, _):
            result = load(at, seats, slug, FAST, 10.0)
        rate = result.rounds / 10.0
        promise = Promise("25 rounds a second", rate / ROUNDS, 1.0)
        figures.append(Figure(f"one table of {slug}, as fast as it goes", rate, "rounds/s", promise))
    return figures


def _verified(folder: Path) -> list[Figure]:
    """The number of rounds of five seats that a verification deals, plays, and settles per second, on all cores."""
    figures = []
    for slug in OF_EACH:
        url = f"sqlite:///{folder}/past-{slug}.db"
        fill(url, slug, tables=8, rounds=1_600, seats=SEATS)
        # In its own process, as the command runs it: a process with several threads would stay on one core.
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:
            rate = alone.submit(_rate, url).result()
        promise = Promise("1,000 rounds a second", rate / VERIFIED, 1.0)
        figures.append(Figure(f"verified rounds of {slug}, {SEATS} seats", rate, "rounds/s", promise))
    return figures


def _rate(url: str) -> float:
    best = 0.0
    for _ in range(2):
        start = time.perf_counter()
        report = verify(url)
        assert report.is_consistent, report.discrepancy
        best = max(best, report.rounds / (time.perf_counter() - start))
    return best
