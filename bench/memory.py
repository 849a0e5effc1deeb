"""The memory of a served room with five idle tables, over all its processes, before and after a visit to the lab."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Final

import httpx

from bench.live.server import serving
from bench.measure import Figure, Promise, list_processes, proportional_megabytes
from bench.result_table import Sheet
from cardroom.games import game, game_slugs

SUBJECT: Final = "memory"
CORES: Final = 2
MEGABYTES: Final = 400.0
LONGEST: Final = 600.0
"""Seconds until every job must have ended; the first one on a machine compiles."""


def sheets() -> list[Sheet]:
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        url = f"sqlite:///{folder}/room.db"
        with serving(url, Path(folder) / "log", "--demo") as ((host, port), server):
            httpx.get(f"http://{host}:{port}").raise_for_status()
            _, idle = _wait_until_idle(server)
            for path in _lab_pages():
                httpx.get(f"http://{host}:{port}{path}", timeout=60).raise_for_status()
            most, after = _wait_until_idle(server)
    figures = (
        Figure("five idle tables", idle, "MB", _promise(idle)),
        Figure("the most while the lab computes", most, "MB"),
        Figure("five idle tables after the lab", after, "MB", _promise(after)),
    )
    note = "The proportional set size of the server and all its processes. Workers end when they have no job."
    return [Sheet("Memory of a served room", figures, note)]


def _lab_pages() -> list[str]:
    pages = ["/lab"]
    for slug in game_slugs():
        pages += [f"/lab/{slug}", f"/lab/{slug}/wagers/{game(slug).facts.wagers[-1].slug}"]
    return pages


def _promise(megabytes: float) -> Promise:
    return Promise("400 MB", megabytes / MEGABYTES, 1.0, at_least=False)


def _wait_until_idle(server: int) -> tuple[float, float]:
    """The most megabytes until the workers have ended, and those that are left."""
    start, most = time.monotonic(), 0.0
    while True:
        time.sleep(0.25)
        megabytes = proportional_megabytes(server)
        most = max(most, megabytes)
        workers = [process for process in list_processes(server) if "spawn_main" in _command(process)]
        if not workers and time.monotonic() - start > 2:
            return most, megabytes
        assert time.monotonic() - start < LONGEST, f"{len(workers)} workers still run"


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text("utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return ""
