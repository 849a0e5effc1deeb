"""The count as it runs: on all cores or on a cluster, piece by piece, each kept until the file is written.

Whoever interrupts it loses the pieces that are being counted; the same command goes on with the others.
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

from cardroom.kernels import cache_folder, cores
from cardroom.odds.rounds.cluster import IN_FLIGHT, workers_at
from cardroom.odds.rounds.watch import UNWATCHED, Watch
from cardroom.odds.texas_shootout.tablebase import pieces as counting
from cardroom.odds.texas_shootout.tablebase.counts import HandCounts, hand_counts, no_totals
from cardroom.odds.texas_shootout.tablebase.pieces import PIECE, Piece, count_piece, pieces, prepared
from cardroom.odds.texas_shootout.tablebase.shoe import SIX_DECKS, Shoe

Sums: TypeAlias = NDArray[np.int64]


class Interrupted(Exception):
    """Somebody asked the count to stop; the pieces that are whole are kept."""


@dataclass(frozen=True)
class Kept:
    """A folder of pieces. What another version of the rules or of the count has kept lies elsewhere."""

    folder: Path = field(default_factory=lambda: cache_folder(counting.__name__) / "pieces")

    def read(self, shoe: Shoe, piece: Piece) -> Sums | None:
        """The sums of a piece, if they are there and whole."""
        try:
            with self._file(shoe, piece).open("rb") as file, np.load(file) as kept:
                sums: Sums = kept["sums"]
                return sums
        except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
            return None

    def write(self, shoe: Shoe, piece: Piece, sums: Sums) -> None:
        """Keep a piece; it has a name of its own until it is whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".part", delete=False) as half_written:
            np.savez(half_written, allow_pickle=False, sums=sums)
        Path(half_written.name).replace(self._file(shoe, piece))

    def forget(self) -> None:
        """Make room again."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _file(self, shoe: Shoe, piece: Piece) -> Path:
        ranks = "-".join(map(str, shoe.ranks))
        return self.folder / f"{ranks}x{shoe.copies}-boards-{piece.first}-{piece.end}.npz"


Submit: TypeAlias = Callable[[Piece], "Future[Sums]"]


def count(
    shoe: Shoe = SIX_DECKS,
    *,
    threads: int | None = None,
    cluster: str | None = None,
    kept: Kept | None = None,
    watch: Watch = UNWATCHED,
    size: int = PIECE,
) -> list[HandCounts]:
    """Count every deal, on so many threads of this machine (on all cores when left out) or on a cluster."""
    kept = kept or Kept()
    with _workers(shoe, threads, cluster, _Progress(shoe, watch)) as (submit, in_flight, progress):
        totals = _added_up(shoe, submit, in_flight, kept, progress, size)
    return list(hand_counts(shoe, prepared(shoe).orbits, totals))


class _Progress:
    """How many boards have been counted, by whichever threads."""

    def __init__(self, shoe: Shoe, watch: Watch) -> None:
        self._watch, self._lock = watch, Lock()
        self._done, self._all = 0, len(prepared(shoe).classes.ways)

    def tell(self, boards: int) -> None:
        with self._lock:
            self._done += boards
            self._watch.tell(self._done, self._all)

    def stops(self) -> bool:
        return self._watch.stops()

    def step(self, boards: int) -> None:
        """Tell of some more boards, and stop here if somebody wants to."""
        self.tell(boards)
        if self.stops():
            raise Interrupted


@contextlib.contextmanager
def _workers(
    shoe: Shoe, threads: int | None, cluster: str | None, progress: _Progress
) -> Iterator[tuple[Submit, int, _Progress]]:
    """Who counts a piece, and how many may wait at a time."""
    if cluster is None:
        width = threads or cores()
        with ThreadPoolExecutor(width) as own:
            yield (lambda piece: own.submit(count_piece, shoe, piece, progress.step)), width, progress
        return
    with workers_at(cluster) as (pool, width):

        def submit(piece: Piece) -> Future[Sums]:
            future: Future[Sums] = pool.submit(count_piece, shoe, piece)
            future.add_done_callback(lambda done: None if done.cancelled() else progress.tell(piece.boards))
            return future

        yield submit, IN_FLIGHT * width, progress


def _added_up(
    shoe: Shoe, submit: Submit, in_flight: int, kept: Kept, progress: _Progress, size: int
) -> NDArray[np.object_]:
    """The sums over all boards, each as often as it is dealt."""
    totals = no_totals(prepared(shoe).orbits)
    missing: list[Piece] = []
    for piece in pieces(shoe, size):
        sums = kept.read(shoe, piece)
        if sums is None:
            missing.append(piece)
        else:
            totals += sums.astype(object) * piece.ways
            progress.tell(piece.boards)
    waiting: dict[Future[Sums], Piece] = {}
    left = iter(missing)
    try:
        while True:
            while len(waiting) < in_flight and (next_one := next(left, None)) is not None:
                waiting[submit(next_one)] = next_one
            if not waiting:
                return totals
            for future in wait(waiting, timeout=1, return_when=FIRST_COMPLETED).done:
                piece, sums = waiting.pop(future), future.result()
                kept.write(shoe, piece, sums)
                totals += sums.astype(object) * piece.ways
            if progress.stops():
                raise Interrupted
    finally:
        for future in waiting:
            future.cancel()
