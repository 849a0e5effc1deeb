"""The count of every deal of Texas Shootout: a sample of boards on one core, and an estimate of the whole count."""

from __future__ import annotations

import time
from typing import Final

import numpy as np

from bench.measure import MILLION, Figure, Promise, count_to, peak_megabytes
from bench.result_table import Sheet
from cardroom.odds.texas_shootout.tablebase.board_totals import (
    BATCH_SIZE,
    SUM_COUNT,
    add_boards,
    count_tables,
    new_board_batch,
)
from cardroom.odds.texas_shootout.tablebase.file import SHIPPED_FILE
from cardroom.odds.texas_shootout.tablebase.shoe import SIX_DECKS

SUBJECT: Final = "tablebase"
CORES: Final = 1
BOARDS: Final = 24 * BATCH_SIZE
YARDSTICK: Final = "counting to a million in Python"
MOST_LOOPS: Final = 110_000.0
"""If such a loop takes 0.03 s, half an hour on two cores is 120,000 loops on one."""
MOST_BYTES: Final = 8_000_000


def sheets() -> list[Sheet]:
    every = count_tables(SIX_DECKS)
    some = np.sort(np.random.default_rng(1).choice(len(every.classes.boards), BOARDS, replace=False))
    sums = np.zeros((SIX_DECKS.pair_count, SUM_COUNT, SIX_DECKS.pair_count), np.int64)
    batch = new_board_batch(SIX_DECKS.kinds, SIX_DECKS.pair_count)

    def add(boards: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> float:
        begun = time.process_time()
        add_boards(boards, every.pairs, every.house_way, every.tables, batch, sums)
        return time.process_time() - begun

    add(every.classes.boards[:BATCH_SIZE])
    loop = min(_loop() for _ in range(5))
    seconds = add(every.classes.boards[some]) * len(every.classes.boards) / BOARDS
    promise = Promise(YARDSTICK, seconds / loop, MOST_LOOPS, at_least=False)
    size = SHIPPED_FILE.stat().st_size
    return [
        Sheet(
            f"Every deal of Texas Shootout, from {BOARDS} boards of {len(every.classes.boards):,}",
            (
                Figure("the complete count on two cores", seconds / 2 / 60, "min", promise),
                Figure("memory of one process", peak_megabytes(), "MB"),
                Figure("the file", size / 1e6, "MB", Promise("8 MB", size / MOST_BYTES, 1.0, at_least=False)),
            ),
        )
    ]


def _loop() -> float:
    begun = time.process_time()
    count_to(MILLION)
    return time.process_time() - begun
