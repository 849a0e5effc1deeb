"""Runs the count on all cores or on a cluster, piece by piece, and stores each piece until the file is written.

An interruption loses only the pieces in progress; the same command continues with the others.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import cache_folder, core_count
from cardroom.odds.simulation.cluster import PENDING_PER_THREAD, cluster_executor
from cardroom.odds.simulation.runner import NO_MONITOR, ProgressMonitor
from cardroom.odds.texas_shootout.tablebase import board_totals
from cardroom.odds.texas_shootout.tablebase.board_totals import PIECE_SIZE, Piece, count_piece, count_tables, pieces
from cardroom.odds.texas_shootout.tablebase.file import HandCounts, hand_counts, zero_totals
from cardroom.odds.texas_shootout.tablebase.shoe import SIX_DECKS, TablebaseShoe

PieceSums: TypeAlias = NDArray[np.int64]


class CountInterrupted(Exception):
    """The count was stopped. Complete pieces stay stored."""


@dataclass(frozen=True)
class PieceStore:
    """A folder of pieces. Each version of the rules and of the count has its own folder."""

    folder: Path = field(default_factory=lambda: cache_folder(board_totals.__name__) / "pieces")

    def read(self, shoe: TablebaseShoe, piece: Piece) -> PieceSums | None:
        """The sums of a piece, if they are stored and complete."""
        try:
            with self._file(shoe, piece).open("rb") as file, np.load(file) as archive:
                sums: PieceSums = archive["sums"]
                return sums
        except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
            return None

    def write(self, shoe: TablebaseShoe, piece: Piece, sums: PieceSums) -> None:
        """Store a piece, under a temporary name until it is complete."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".part", delete=False) as half_written:
            np.savez(half_written, allow_pickle=False, sums=sums)
        Path(half_written.name).replace(self._file(shoe, piece))

    def clear(self) -> None:
        """Delete the pieces."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _file(self, shoe: TablebaseShoe, piece: Piece) -> Path:
        ranks = "-".join(map(str, shoe.ranks))
        return self.folder / f"{ranks}x{shoe.copies}-boards-{piece.first}-{piece.end}.npz"


Submit: TypeAlias = Callable[[Piece], "Future[PieceSums]"]


def count_deals(
    shoe: TablebaseShoe = SIX_DECKS,
    *,
    threads: int | None = None,
    cluster: str | None = None,
    store: PieceStore | None = None,
    watch: ProgressMonitor = NO_MONITOR,
    size: int = PIECE_SIZE,
) -> list[HandCounts]:
    """Count every deal, on this many threads of this machine (default: all cores) or on a cluster."""
    store = store or PieceStore()
    with _workers(shoe, threads, cluster, _Progress(shoe, watch)) as (submit, in_flight, progress):
        totals = _sum_pieces(shoe, submit, in_flight, store, progress, size)
    return list(hand_counts(shoe, count_tables(shoe).orbits, totals))


class _Progress:
    """The number of boards counted so far, over all threads."""

    def __init__(self, shoe: TablebaseShoe, watch: ProgressMonitor) -> None:
        self._watch, self._lock = watch, Lock()
        self._done, self._all = 0, len(count_tables(shoe).classes.combinations)

    def report(self, boards: int) -> None:
        with self._lock:
            self._done += boards
            self._watch.notify(self._done, self._all)

    def stops(self) -> bool:
        return self._watch.is_stopped()

    def step(self, boards: int) -> None:
        """Report more boards, and stop here if the caller wants to."""
        self.report(boards)
        if self.stops():
            raise CountInterrupted


@contextlib.contextmanager
def _workers(
    shoe: TablebaseShoe, threads: int | None, cluster: str | None, progress: _Progress
) -> Iterator[tuple[Submit, int, _Progress]]:
    """The function that submits a piece, and the most pieces in the queue."""
    if cluster is None:
        width = threads or core_count()
        with ThreadPoolExecutor(width) as executor:
            yield (lambda piece: executor.submit(count_piece, shoe, piece, progress.step)), width, progress
        return
    with cluster_executor(cluster) as (pool, width):

        def submit(piece: Piece) -> Future[PieceSums]:
            future: Future[PieceSums] = pool.submit(count_piece, shoe, piece)
            future.add_done_callback(lambda finished: None if finished.cancelled() else progress.report(piece.boards))
            return future

        yield submit, PENDING_PER_THREAD * width, progress


def _sum_pieces(
    shoe: TablebaseShoe, submit: Submit, in_flight: int, store: PieceStore, progress: _Progress, size: int
) -> NDArray[np.object_]:
    """The sums over all boards, weighted by their deals."""
    totals = zero_totals(count_tables(shoe).orbits)
    missing: list[Piece] = []
    for piece in pieces(shoe, size):
        sums = store.read(shoe, piece)
        if sums is None:
            missing.append(piece)
        else:
            totals += sums.astype(object) * piece.combinations
            progress.report(piece.boards)
    pending: dict[Future[PieceSums], Piece] = {}
    unsubmitted = iter(missing)
    try:
        while True:
            while len(pending) < in_flight and (next_piece := next(unsubmitted, None)) is not None:
                pending[submit(next_piece)] = next_piece
            if not pending:
                return totals
            for future in wait(pending, timeout=1, return_when=FIRST_COMPLETED).done:
                piece, sums = pending.pop(future), future.result()
                store.write(shoe, piece, sums)
                totals += sums.astype(object) * piece.combinations
            if progress.stops():
                raise CountInterrupted
    finally:
        for future in pending:
            future.cancel()
