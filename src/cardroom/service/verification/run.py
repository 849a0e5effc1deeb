"""Verification of a whole card room: the ledger's own check of chains and sums, and a replay through the rules.

The ledger check compares what is stored with what was written; the replay compares what was written with the rules.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing import get_all_start_methods
from os import cpu_count
from typing import Final

import orjson

from cardroom.ledger import Ledger, open_ledger, schema
from cardroom.ledger import LedgerReport as LedgerReport
from cardroom.ledger.store import HeadRow
from cardroom.room.site.recovery import describe_recovery
from cardroom.room.site.state import SiteState
from cardroom.room.table.state import open_table
from cardroom.service.chains.names import parse_table_chain
from cardroom.service.verification.invariant import RULES_ALLOW, STORED_AS_WRITTEN
from cardroom.service.verification.invariants import find_invariant
from cardroom.service.verification.parallel import verify_in_parallel
from cardroom.service.verification.replay_result import ReplayResult
from cardroom.service.verification.report import Discrepancy, VerificationReport, convert_ledger_finding
from cardroom.service.verification.sequential import VerificationProgress, verify_sequentially

MIN_EVENTS_FOR_PARALLEL: Final = 3_000
"""The number of events from which other processes are worth their start: a fifth of a second's work for one."""


def verify(url: str, cores: int | None = None) -> VerificationReport:
    """Verify the ledger at an address, on all cores unless the caller says otherwise."""
    with open_ledger(url) as ledger, ledger.store.read() as now:
        heads: list[HeadRow] = list(now.rows(schema.heads))
    workers = cores or cpu_count() or 1
    if workers > 1 and sum(head[1] for head in heads) >= MIN_EVENTS_FOR_PARALLEL and _can_fork():
        _open_tables(heads)
        results = verify_in_parallel(url, workers)
        if results is not None:
            return _make_report(*results)
    with open_ledger(url) as ledger:
        return verify_card_room(ledger)


def verify_card_room(ledger: Ledger, progress: VerificationProgress | None = None) -> VerificationReport:
    """Verify an open ledger in this process, with one pass over its events; ``progress`` receives the count so far."""
    return _make_report(*verify_sequentially(ledger, progress))


def _make_report(ledger: LedgerReport, result: ReplayResult) -> VerificationReport:
    """A ledger finding explains what a replay does not understand, so it comes first."""
    return VerificationReport(
        ledger=ledger,
        tables=len(result.tabulators),
        jackpots=len(result.jackpots),
        promotions=len(result.promotions),
        events=result.events,
        claims=result.claims,
        discrepancy=_find_discrepancy(ledger, result),
        play_tables=len(result.tables),
        players=len(result.player_accounts),
        rounds=result.rounds,
        recoveries=_describe_recoveries(result.room),
        unopened_secrets=result.unopened_secrets,
    )


def _find_discrepancy(ledger: LedgerReport, result: ReplayResult) -> Discrepancy | None:
    if ledger.finding is not None:
        found, broken = convert_ledger_finding(ledger.finding), STORED_AS_WRITTEN
    elif result.discrepancy is not None:
        found = result.discrepancy
        broken = find_invariant(found.invariant) if found.invariant else RULES_ALLOW
    else:
        return None
    return found._replace(invariant=broken.name, must_hold=broken.sentence)


def _describe_recoveries(room: SiteState | None) -> tuple[str, ...]:
    if room is None:
        return ()
    return tuple(describe_recovery(recovery, room.settings.calendar) for recovery in room.recoveries)


def _open_tables(heads: Iterable[HeadRow]) -> None:
    """Open the tables, and so load the rules of their games, before processes are forked: each of them would take as
    long for it. The replay reports a table that cannot be read here."""
    for chain, _, _, _, snapshot, _ in heads:
        if parse_table_chain(chain) is not None:
            with suppress(Exception):
                open_table(orjson.loads(snapshot)["setup"])


def _can_fork() -> bool:
    """A process with several threads must not be forked."""
    return "fork" in get_all_start_methods() and threading.active_count() == 1
