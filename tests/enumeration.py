"""Every combination of cards, in blocks that fit in memory, and the counts that the data files expect."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel

BLOCK = 1_000_000


@kernel
def _fill(state: NDArray[np.uint8], out: NDArray[np.uint8], n: int) -> int:
    """Write the combinations from ``state`` on into ``out``; gives how many, and leaves the next one in ``state``."""
    k = len(state)
    rows = 0
    while rows < len(out):
        out[rows] = state
        rows += 1
        at = k - 1
        while at >= 0 and state[at] == n - k + at:
            at -= 1
        if at < 0:
            break
        state[at] += 1
        for after in range(at + 1, k):
            state[after] = state[after - 1] + 1
    return rows


def combinations(n: int, k: int, block: int = BLOCK) -> Iterator[NDArray[np.uint8]]:
    """All ``n`` choose ``k`` sets of card codes, a block of rows at a time."""
    state = np.arange(k, dtype=np.uint8)
    left = comb(n, k)
    while left:
        out = np.empty((min(block, left), k), np.uint8)
        rows = _fill(state, out, n)
        left -= rows
        yield out[:rows]


@cache
def expected_counts(slug: str) -> dict[str, Any]:
    """The data file of a game."""
    return tomllib.loads((Path(__file__).parent / "counts" / f"{slug}.toml").read_text("utf-8"))


def section(slug: str, name: str) -> tuple[int, dict[str, int]]:
    """The total and the counts by event of one section of a game's data file."""
    entry = expected_counts(slug)[name]
    beside = {"how", "total", "wager", "decks", "paytables"}
    return entry["total"], {event: count for event, count in entry.items() if event not in beside}
