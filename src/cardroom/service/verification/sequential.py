"""A replay of the whole card room from its events: states, entries, claims, and snapshots must all come out again.

Chains are replayed one by one, and of each only the state is kept, so a long history needs no more memory than a short
one.

A verification in one process: the ledger's own check and the replay share one pass over the events.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from typing import Final

import orjson

from cardroom.ledger import Ledger, LedgerDamaged, schema
from cardroom.ledger import LedgerReport as LedgerReport
from cardroom.ledger.verification import VerificationPass
from cardroom.room.event_types import decode_event
from cardroom.service.chains.names import HEADS_CHAIN as HEADS_CHAIN
from cardroom.service.chains.names import ROOM_CHAIN as ROOM_CHAIN
from cardroom.service.chains.names import (
    parse_jackpot_chain,
    parse_player_chain,
    parse_promotion_chain,
    parse_table_chain,
    parse_tabulator_chain,
    parse_user_chain,
)
from cardroom.service.queries.site import summarize_jackpot_at_close
from cardroom.service.verification.chain_replay import ChainReplay, PlayerAccountReplay, UserReplay
from cardroom.service.verification.invariant import SNAPSHOT_FOLLOWS, UNIQUE_KEYS_FOLLOW, ReplayedRoom
from cardroom.service.verification.invariants import check_invariants, read_balances, read_day_ends
from cardroom.service.verification.jackpot_replay import JackpotReplay
from cardroom.service.verification.replay_result import ReplayResult, StoredEvent, find_value_difference
from cardroom.service.verification.report import Discrepancy, ReplayMismatch, replay_mismatch
from cardroom.service.verification.table_replay import TableReplay
from cardroom.service.verification.tabulator_replay import HeadsLogReplay, PromotionReplay, RoomReplay, TabulatorReplay

_REPLAY_CLASSES: Final[tuple[tuple[Callable[[str], str | None], type[ChainReplay]], ...]] = (
    (parse_tabulator_chain, TabulatorReplay),
    (parse_jackpot_chain, JackpotReplay),
    (parse_promotion_chain, PromotionReplay),
    (parse_table_chain, TableReplay),
    (parse_player_chain, PlayerAccountReplay),
    (parse_user_chain, UserReplay),
)


def replay_chain(result: ReplayResult, chain: str, rows: Iterable[StoredEvent], snapshot: str) -> None:
    """Replay one chain: its events, each with its stored entries and unique keys, and the snapshot in its head."""
    along, sequence, count = _make_replay(chain, result), 0, 0
    ends = result.day_ends.get(chain, frozenset())
    for row, entries, names in rows:
        _, sequence, id, kind, version, along.time, payload, *_ = row
        count += 1
        try:
            event = decode_event(kind, version, orjson.loads(payload))
            along.replay_event(sequence, id, event, [entry[3:] for entry in entries])
            if names != (follow := along.aggregate.unique_keys(event)):
                problem = "its unique keys do not follow from it"
                raise UNIQUE_KEYS_FOLLOW.mismatch(problem, chain, sequence, id, follow, names)
            if sequence in ends:
                result.jackpots_at_close[chain, sequence] = summarize_jackpot_at_close(along.state)
        except ReplayMismatch:
            raise
        except Exception as fault:
            raise replay_mismatch(
                "the rules do not allow this event", chain, sequence, id, "an event that the rules allow", fault
            ) from fault
    result.events += count
    along.finish(sequence)
    replayed_snapshot = orjson.loads(orjson.dumps(along.aggregate.encode(along.state)))
    if replayed_snapshot != orjson.loads(snapshot):
        path, expected, actual = find_value_difference(replayed_snapshot, orjson.loads(snapshot))
        sentence = (
            f"The snapshot in the head of {chain} is not the state to which its events lead: {path} should be "
            f"{expected} and is {actual}."
        )
        raise ReplayMismatch(Discrepancy(sentence, chain, sequence, None, expected, actual, SNAPSHOT_FOLLOWS.name))


def _make_replay(chain: str, result: ReplayResult) -> ChainReplay:
    if chain == ROOM_CHAIN:
        return RoomReplay(chain, result)
    if chain == HEADS_CHAIN:
        return HeadsLogReplay(chain, result)
    for of, kind in _REPLAY_CLASSES:
        if of(chain) is not None:
            return kind(chain, result)
    sentence = (
        f"{chain} is not the chain of a tabulator, jackpot, promotion, table, player, or user, and not the room's."
    )
    raise ReplayMismatch(Discrepancy(sentence, chain, None, None, "a chain of the card room", chain))


VerificationProgress = Callable[[int], object]
"""Called with the number of events that have been read so far."""
_PROGRESS_INTERVAL: Final = 500


def verify_sequentially(
    ledger: Ledger, progress: VerificationProgress | None = None
) -> tuple[LedgerReport, ReplayResult]:
    """The findings of the ledger's own check, and the result of the replay."""
    with ledger.store.read() as now, pause_garbage_collection():
        walk, replayed = VerificationPass(now), ReplayResult(day_ends=read_day_ends(now))
        rows = walk.verify_rows() if progress is None else _report_progress(walk, progress)
        try:
            replay_chains(rows, {row[0]: row[4] for row in now.rows(schema.heads)}, replayed)
            room = ReplayedRoom(replayed, read_balances(now), now, ledger.try_vault())
            if check_invariants(room).discrepancy is None:
                walk.check_triggers()
            return walk.report(), replayed
        except LedgerDamaged as fault:
            return walk.report(fault.finding), replayed
        except ReplayMismatch as fault:
            replayed.discrepancy = fault.discrepancy
            return _finish_ledger_check(walk, rows), replayed


def _report_progress(walk: VerificationPass, progress: VerificationProgress) -> Iterator[StoredEvent]:
    for row in walk.verify_rows():
        if walk.event_count % _PROGRESS_INTERVAL == 0:
            progress(walk.event_count)
        yield row


def replay_chains(rows: Iterable[StoredEvent], snapshots: Mapping[str, str], result: ReplayResult) -> ReplayResult:
    """Replay events with their entries and unique keys, chain by chain."""
    for chain, its in groupby(rows, key=_read_chain_name):
        replay_chain(result, chain, its, snapshots.get(chain, "null"))
    return result


def _read_chain_name(row: StoredEvent) -> str:
    chain: str = row[0][0]
    return chain


def _finish_ledger_check(walk: VerificationPass, rows: Iterator[StoredEvent]) -> LedgerReport:
    """The result of the ledger's own check, when the replay has stopped before it."""
    try:
        for _ in rows:
            pass
    except LedgerDamaged as fault:
        return walk.report(fault.finding)
    return walk.report()


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector: the millions of values that are made and dropped contain no cycles, so a search for
    them only costs time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
