"""Live tables for ten minutes, with a million past rounds in the ledger; and the number of tables that one server
carries.

``python -m bench live-for-long`` takes about three quarters of an hour, most of it to fill the ledger, which stays
beside the results for the next run. ``python -m bench.live_for_long`` only fills it.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Final

from bench.live import ACKNOWLEDGED, COMING_IN, PACED, SEEN, TABLES, WAGERS, latencies, load, percentile
from bench.live.bots import LoadResult, crowd
from bench.live.past_rounds import fill
from bench.live.server import open_room, serving
from bench.measure import Figure, Promise
from bench.result_table import Sheet

SUBJECT: Final = "live-for-long"
CORES: Final = 2
PAST: Final = 1_000_000
RESULTS: Final = Path(__file__).parent / "results"
SLUG: Final = "dueling-for-dollars"
MINUTES: Final = 10
MOST_GROWTH: Final = 1.1
MORE_TABLES: Final = (450, 600, 800, 1_000, 1_300, 1_700)


def sheets() -> list[Sheet]:
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        note = f"{PAST:,} rounds are in the ledger before the first minute."
        return [
            Sheet("Live tables for ten minutes, SQLite, two cores", tuple(_ten_minutes(Path(folder))), note),
            Sheet("How many tables", tuple(_until_it_breaks(Path(folder)))),
        ]


def past_ledger() -> str:
    """A ledger with a million past rounds, played once and stored."""
    RESULTS.mkdir(exist_ok=True)
    kept, filling = RESULTS / "past.db", RESULTS / "past-filling.db"
    if not kept.exists():
        for left in RESULTS.glob("past-filling.db*"):
            left.unlink()
        fill(f"sqlite:///{filling}", SLUG, tables=TABLES, rounds=PAST, seats=1)
        filling.rename(kept)
    return f"sqlite:///{kept}"


def _ten_minutes(folder: Path) -> list[Figure]:
    url = past_ledger()
    seats = open_room(url, TABLES, SLUG)
    minutes: list[LoadResult] = []
    memory: list[float] = []
    with serving(url, folder / "past.log") as (at, server):

        async def play() -> None:
            playing = LoadResult()
            whole = asyncio.create_task(
                crowd(at, seats, WAGERS[SLUG], PACED, 60.0 * MINUTES, playing, coming_in=COMING_IN)
            )
            await asyncio.sleep(COMING_IN)
            for _ in range(MINUTES):
                result, before = LoadResult(), (len(playing.acknowledged), len(playing.seen))
                await asyncio.sleep(60.0)
                result.acknowledged = playing.acknowledged[before[0] :]
                result.seen = playing.seen[before[1] :]
                minutes.append(result)
                memory.append(megabytes(server))
            await whole

        asyncio.run(play())
    first, last = minutes[0], minutes[-1]
    early, late = (percentile(one.acknowledged, 0.99) for one in (first, last))
    # The first minute fills the caches of every table.
    growth = memory[-1] / memory[1]
    return [
        *latencies(last, "the last minute"),
        Figure("99 % of commands in the first minute", early * 1_000, "ms"),
        Figure("99 % of commands in the last minute", late * 1_000, "ms"),
        Figure("memory after two minutes", memory[1], "MB"),
        Figure(
            "memory after ten minutes",
            memory[-1],
            "MB",
            Promise("after two minutes", growth, MOST_GROWTH, at_least=False),
        ),
    ]


def _until_it_breaks(folder: Path) -> list[Figure]:
    """More and more tables, until the 99th percentile of commands or views exceeds the requirement."""
    carried = TABLES
    for tables in MORE_TABLES:
        url = f"sqlite:///{folder}/tables-{tables}.db"
        seats = open_room(url, tables)
        with serving(url, folder / f"tables-{tables}.log") as (at, _):
            result = load(at, seats, "three-card-prime", PACED, 40.0)
        late = percentile(result.acknowledged, 0.99) > ACKNOWLEDGED or percentile(result.seen, 0.99) > SEEN
        if late or result.refused:
            return [
                Figure("tables within the limits", carried, "tables"),
                Figure("tables beyond the limits", tables, "tables"),
            ]
        carried = tables
    return [Figure("tables within the limits", carried, "tables")]


def megabytes(process: int) -> float:
    """The memory of a process now."""
    status = Path(f"/proc/{process}/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


if __name__ == "__main__":
    past_ledger()
