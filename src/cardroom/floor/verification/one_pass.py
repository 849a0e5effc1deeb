"""A verification in one process: the ledger's own check and the replay share one pass over the events."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from typing import Final

from cardroom.floor.verification.books import balances, compare
from cardroom.floor.verification.days import ends_of_days
from cardroom.floor.verification.replay import replay_chain
from cardroom.floor.verification.replayed import Replayed, Stored
from cardroom.floor.verification.report import NotAsReplayed
from cardroom.ledger import Ledger, LedgerDamaged, schema
from cardroom.ledger import LedgerReport as LedgerReport
from cardroom.ledger.verification import VerificationPass

Tell = Callable[[int], object]
"""Told how many events have been read so far."""
_SOME: Final = 500


def one_pass(ledger: Ledger, tell: Tell | None = None) -> tuple[LedgerReport, Replayed]:
    """What the ledger's own check found, and what came out of the replay."""
    with ledger.store.read() as now, without_pauses():
        walk, replayed = VerificationPass(now), Replayed(ends=ends_of_days(now))
        rows = walk.verify_rows() if tell is None else _telling(walk, tell)
        try:
            replay_all(rows, {row[0]: row[4] for row in now.rows(schema.heads)}, replayed)
            if compare(replayed, balances(now), now, ledger.try_vault()).discrepancy is None:
                walk.check_triggers()
            return walk.report(), replayed
        except LedgerDamaged as fault:
            return walk.report(fault.finding), replayed
        except NotAsReplayed as fault:
            replayed.discrepancy = fault.discrepancy
            return _rest(walk, rows), replayed


def _telling(walk: VerificationPass, tell: Tell) -> Iterator[Stored]:
    for row in walk.verify_rows():
        if walk.event_count % _SOME == 0:
            tell(walk.event_count)
        yield row


def replay_all(rows: Iterable[Stored], snapshots: Mapping[str, str], replayed: Replayed) -> Replayed:
    """Replay events with their entries and names, chain by chain."""
    for chain, its in groupby(rows, key=_chain):
        replay_chain(replayed, chain, its, snapshots.get(chain, "null"))
    return replayed


def _chain(row: Stored) -> str:
    chain: str = row[0][0]
    return chain


def _rest(walk: VerificationPass, rows: Iterator[Stored]) -> LedgerReport:
    """What the ledger's own check says, when the replay has stopped before it."""
    try:
        for _ in rows:
            pass
    except LedgerDamaged as fault:
        return walk.report(fault.finding)
    return walk.report()


@contextmanager
def without_pauses() -> Iterator[None]:
    """Values that are made and dropped by the million hold no circles: looking for some would only take time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
