"""Ten thousand kills, in pieces that are kept: a run that was interrupted goes on where it was.

    python -m tests.crash.ten_thousand FOLDER SEED

tells what the pieces in a folder add up to so far.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.crash.tally import KILLS

DATABASES = ("sqlite", "postgresql")
NIGHTS = {"jackpots": 20, "tables": 20, "houses": 10}
"""Jackpots with their tabulators, claims and days; tables with players, company and dealers; and whole servers, whose
guests call over the network."""
A_NIGHT = 100
"""Kills."""
ALL = len(DATABASES) * sum(NIGHTS.values()) * A_NIGHT


class Piece(NamedTuple):
    """A night on a database."""

    seed: int
    database: str
    kind: str
    night: int

    @property
    def name(self) -> str:
        return f"{self.database}-{self.kind}-night{self.night:02}"

    @property
    def own_seed(self) -> int:
        """No two pieces of a seed have the same, and other seeds have others."""
        number = list(NIGHTS).index(self.kind) * 100 + self.night + 1_000 * DATABASES.index(self.database)
        return self.seed * 10_000 + number

    def file(self, folder: Path) -> Path:
        return folder / f"{self.seed}-{self.name}.json"

    def kept(self, folder: Path) -> dict[str, Any] | None:
        """What is known of it, if it ran to its end."""
        file = self.file(folder)
        known: dict[str, Any] | None = json.loads(file.read_text()) if file.exists() else None
        return known


def pieces(seed: int) -> Iterator[Piece]:
    """All of a seed, in an order in which also some of them have something of everything."""
    for night in range(max(NIGHTS.values())):
        for database in DATABASES:
            yield from (Piece(seed, database, kind, night) for kind, nights in NIGHTS.items() if night < nights)


def folder_of_reports(otherwise: Path) -> Path:
    """Where pieces are kept: ``CARDROOM_CRASH_REPORT``, or else a place that no user looks at later."""
    folder = Path(os.environ.get("CARDROOM_CRASH_REPORT") or otherwise)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def kept(piece: Piece, folder: Path) -> Iterator[Counter[str]]:
    """Count a piece, and keep what was counted; or, when it fails, what was found."""
    tally, began, found = Counter[str](), time.monotonic(), ""  # cannot fail: only printed
    try:
        yield tally
    except BaseException as fault:
        found = f"{type(fault).__name__}: {fault}"[:2_000]
        raise
    finally:
        seconds = round(time.monotonic() - began, 1)  # cannot fail: only printed
        known = {"seconds": seconds, "found": found, "tally": dict(sorted(tally.items()))}
        whole = piece.file(folder)
        # What has failed is shown, and is run again.
        (whole.with_suffix(".failed") if found else whole).write_text(json.dumps(known, indent=1) + "\n")
        if not found:
            whole.with_suffix(".failed").unlink(missing_ok=True)


class Sum(NamedTuple):
    """What pieces add up to."""

    pieces: int
    seconds: float
    tally: Counter[str]


def added(folder: Path, some: Iterable[Piece]) -> Sum:
    known = [one for piece in some if (one := piece.kept(folder)) is not None]
    tally = sum((Counter(one["tally"]) for one in known), Counter[str]())
    return Sum(len(known), sum(one["seconds"] for one in known), tally)


def report(folder: Path, seed: int) -> str:
    """For people: how many kills of each kind there were on each database, and what was found."""
    everything = list(pieces(seed))
    said = [f"Kills of seed {seed}: {added(folder, everything).tally[KILLS]:,} of {ALL:,}."]
    for database in DATABASES:
        here = [piece for piece in everything if piece.database == database]
        by_kind = {kind: added(folder, [piece for piece in here if piece.kind == kind]) for kind in NIGHTS}
        whole = added(folder, here)
        result = ", ".join(f"{kind} {one.tally[KILLS]:,}" for kind, one in by_kind.items())
        rate = whole.tally[KILLS] / whole.seconds if whole.seconds else 0
        said += ["", f"{database}: {result}; {whole.pieces} nights, {whole.seconds:,.0f} s, {rate:.1f} kills a second"]
        said += [f"  {many:>8,}  {what}" for what, many in sorted(whole.tally.items())]
    failed = sorted(folder.glob(f"{seed}-*.failed"))
    said += ["", "Found: " + ("nothing; every night ended as the model says." if not failed else "")]
    said += [f"  {file.stem}: {json.loads(file.read_text())['found']}" for file in failed]
    return "\n".join(said) + "\n"


if __name__ == "__main__":
    print(report(Path(sys.argv[1]), int(sys.argv[2])))
