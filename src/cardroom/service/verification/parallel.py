"""A verification on several cores: each process checks and replays some chains, and the sums of all are compared.

All processes stop at the heads of one moment, whatever is written meanwhile. They only decide whether everything is
consistent; if it is not, one pass in one process finds the discrepancy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, takewhile
from multiprocessing import get_context
from typing import Any, Final

from sqlalchemy import Table

from cardroom.ledger import LedgerDamaged, open_ledger, schema
from cardroom.ledger import LedgerReport as LedgerReport
from cardroom.ledger.canonical_json import command_digest
from cardroom.ledger.schema import TriggerCheck
from cardroom.ledger.store import EventRow, HeadRow, LedgerReader, RowQuery
from cardroom.ledger.verification import VerificationPass
from cardroom.service.verification.invariant import ReplayedRoom
from cardroom.service.verification.invariants import check_invariants, read_balances, read_day_ends
from cardroom.service.verification.replay_result import ReplayResult, StoredEvent, generate_salt
from cardroom.service.verification.report import ReplayMismatch
from cardroom.service.verification.sequential import pause_garbage_collection, replay_chains

_MODULUS: Final = 1 << 256


@dataclass(slots=True)
class PartResult:
    """What the chains of one part add up to, or of all parts."""

    result: ReplayResult = field(default_factory=ReplayResult)
    chains: int = 0
    entries: int = 0
    debits: dict[str, int] = field(default_factory=dict)
    credits: dict[str, int] = field(default_factory=dict)
    digest_sum: int = 0

    def add(self, addend: PartResult) -> None:
        self.result.add(addend.result)
        self.chains += addend.chains
        self.entries += addend.entries
        self.digest_sum += addend.digest_sum
        for sums, more in ((self.debits, addend.debits), (self.credits, addend.credits)):
            for account, amount in more.items():
                sums[account] = sums.get(account, 0) + amount


class ChainSubset(LedgerReader):
    """A reader of some chains only, up to the heads that were read at the start."""

    def __init__(self, reader: LedgerReader, heads: Sequence[HeadRow]) -> None:
        self._now, self._heads = reader, sorted(heads)

    def run_query(self, look: RowQuery) -> Iterator[Any]:
        if look.where:
            return self._now.run_query(look)
        if look.table is schema.heads:
            return iter(self._heads)
        if look.table is schema.events:
            return chain.from_iterable(self._events(head) for head in self._heads)
        if look.table in (schema.entries, schema.unique_keys):
            return chain.from_iterable(self._beside(look.table, head) for head in self._heads)
        return self._now.run_query(look)

    def _events(self, head: HeadRow) -> Iterator[EventRow]:
        return self._now.rows(schema.events, {"chain": head[0]}, limit=head[1])

    def _beside(self, table: Table, head: HeadRow) -> Iterator[Any]:
        last, at = head[1], schema.column_names(table).index("sequence")
        return takewhile(lambda row: row[at] <= last, self._now.rows(table, {"chain": head[0]}))

    def chain_lengths(self, beginning: str, besides: str = "") -> Iterator[tuple[str, int]]:
        found = ((head[0], head[1]) for head in self._heads if head[0].startswith(beginning))
        return (one for one in found if not besides or not one[0].startswith(besides))

    def newest_event_time(self) -> int:
        return self._now.newest_event_time()

    def check_triggers(self) -> TriggerCheck:
        return self._now.check_triggers()

    def find_unreadable(self, table: Table) -> tuple[tuple[Any, ...], str] | None:
        return self._now.find_unreadable(table)


class PartWalk(VerificationPass):
    """A pass over some chains. Balances and commands belong to all chains together, and are left to the caller."""

    def verify_rows(self) -> Iterator[StoredEvent]:
        return self._verify_chains()


def verify_in_parallel(url: str, workers: int) -> tuple[LedgerReport, ReplayResult] | None:
    """How much was checked and the result of the replay; None if there is any discrepancy."""
    with ProcessPoolExecutor(workers, get_context("fork")) as beside:
        beside.submit(int).result()  # The processes start before the ledger is open, so that they share no connection.
        with open_ledger(url) as ledger, ledger.store.read() as now:
            heads = [row for row in now.rows(schema.heads) if row[1]]
            salt = generate_salt()
            working = [beside.submit(_verify_part, url, part, salt) for part in _split_chains(heads, workers)]
            caused = _check_commands(now)
            total = PartResult()
            for part in working:
                checked = part.result()
                if checked is None:
                    return None
                total.add(checked)
            booked = read_balances(now)
            added = {
                account: (total.debits.get(account, 0), total.credits.get(account, 0))
                for account in total.debits | total.credits
            }
            if (
                now.check_triggers().find_problem()
                or caused is None
                or (caused[1] - total.digest_sum) % _MODULUS
                or booked != added
            ):
                return None
            replayed = check_invariants(ReplayedRoom(total.result, booked, now, ledger.try_vault()))
            report = LedgerReport(total.chains, replayed.events, total.entries, len(added), caused[0])
            return None if replayed.discrepancy else (report, replayed)


def _split_chains(heads: Sequence[HeadRow], workers: int) -> list[list[HeadRow]]:
    """The chains in parts of about the same length, long ones first, so that the short ones fill the gaps."""
    parts: list[list[HeadRow]] = [[] for _ in range(4 * workers)]
    lengths = [0] * len(parts)
    for head in sorted(heads, key=lambda head: -head[1]):
        shortest = lengths.index(min(lengths))
        parts[shortest].append(head)
        lengths[shortest] += head[1]
    return [part for part in parts if part]


def _verify_part(url: str, heads: Sequence[HeadRow], salt: bytes) -> PartResult | None:
    """Check and replay some chains."""
    with open_ledger(url) as ledger, ledger.store.read() as now, pause_garbage_collection():
        walk = PartWalk(ChainSubset(now, heads))
        try:
            begin = ReplayResult(day_ends=read_day_ends(now), salt=salt)
            replayed = replay_chains(walk.verify_rows(), {head[0]: head[4] for head in heads}, begin)
        except (LedgerDamaged, ReplayMismatch):
            return None
    return PartResult(replayed, walk.chains, walk.entry_count, dict(walk.debits), dict(walk.credits), walk.digest_sum)


def _check_commands(reader: LedgerReader) -> tuple[int, int] | None:
    """How many commands there are, and the sum of the digests of the events that they record."""
    number, seals = 0, 0
    with pause_garbage_collection():
        for id, body, answer, events, seal in reader.rows(schema.commands):
            if command_digest(id, body, answer.encode(), events) != seal:
                return None
            number += 1
            seals += events * int.from_bytes(seal, "big")
    return number, seals
