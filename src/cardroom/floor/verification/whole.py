"""Verification of a whole floor: the ledger's own check of chains and sums, and a replay through the rules.

The ledger checks that what is stored is what was written; the replay, that what was written follows from the rules.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing import get_all_start_methods
from os import cpu_count
from typing import Final

import orjson

from cardroom.floor.felt.state import opened
from cardroom.floor.kept.chains import felt_of
from cardroom.floor.verification.one_pass import Tell, one_pass
from cardroom.floor.verification.replayed import Replayed
from cardroom.floor.verification.report import FloorReport, of_ledger
from cardroom.floor.verification.side_by_side import all_whole
from cardroom.jackpots.room.recoveries import recovery_text
from cardroom.jackpots.room.state import RoomState
from cardroom.ledger import Ledger, open_ledger, schema
from cardroom.ledger import LedgerReport as LedgerReport
from cardroom.ledger.store import HeadRow

WORTH_MORE_CORES: Final = 3_000
"""Events from which other processes pay for their start: a fifth of a second's work for one."""


def verify(url: str, cores: int | None = None) -> FloorReport:
    """Verify the floor whose ledger is at an address, on all cores unless the caller says otherwise."""
    with open_ledger(url) as ledger, ledger.store.read() as now:
        heads: list[HeadRow] = list(now.rows(schema.heads))
    workers = cores or cpu_count() or 1
    if workers > 1 and sum(head[1] for head in heads) >= WORTH_MORE_CORES and _can_fork():
        _open_tables(heads)
        whole = all_whole(url, workers)
        if whole is not None:
            return _report(*whole)
    with open_ledger(url) as ledger:
        return verify_floor(ledger)


def verify_floor(ledger: Ledger, tell: Tell | None = None) -> FloorReport:
    """Verify the floor of an open ledger in this process, with one pass over its events; ``tell`` hears how far it
    is."""
    return _report(*one_pass(ledger, tell))


def _report(ledger: LedgerReport, replayed: Replayed) -> FloorReport:
    """What was tampered with explains what a replay does not understand, so it is named first."""
    return FloorReport(
        ledger=ledger,
        tables=len(replayed.tables),
        jackpots=len(replayed.jackpots),
        promotions=len(replayed.promotions),
        events=replayed.events,
        claims=replayed.claims,
        discrepancy=of_ledger(ledger.finding) if ledger.finding else replayed.discrepancy,
        felts=len(replayed.felts),
        players=len(replayed.players),
        rounds=replayed.rounds,
        recoveries=_recoveries(replayed.room),
        unopened=replayed.unopened,
    )


def _recoveries(room: RoomState | None) -> tuple[str, ...]:
    if room is None:
        return ()
    return tuple(recovery_text(one, room.settings.calendar) for one in room.recoveries)


def _open_tables(heads: Iterable[HeadRow]) -> None:
    """Open the tables of the felts, and so read the rules of their games, before processes are copied: each of them
    would take as long for it. What cannot be read here is found by the replay."""
    for chain, _, _, _, snapshot, _ in heads:
        if felt_of(chain) is not None:
            with suppress(Exception):
                opened(orjson.loads(snapshot)["setup"])


def _can_fork() -> bool:
    """A process with several threads must not be copied."""
    return "fork" in get_all_start_methods() and threading.active_count() == 1
