"""Verification: everything that is stored, read once from end to end, hashed again and added up again.

It keeps one event in memory at a time, and two sums for each account. It stops at the first discrepancy. A forger who
recomputes all later hashes is found by heads that were exported before (`Ledger.check_heads`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Generic, TypeVar

from cardroom.ledger import diagnosis, schema
from cardroom.ledger.canonical_json import GENESIS, command_digest, encode_postings, encode_unique_keys, event_hash
from cardroom.ledger.errors import LedgerDamaged
from cardroom.ledger.ledger import Ledger, entry_from_row, event_from_row
from cardroom.ledger.store import EntryRow, EventRow, HeadRow, LedgerReader, UniqueKeyRow
from cardroom.ledger.types import Entry, Event, Finding, LedgerReport

VerifiedRow = tuple[EventRow, list[EntryRow], tuple[str, ...]]
"""An event, its entries, and its unique keys."""
R = TypeVar("R", bound=tuple[Any, ...])
_MODULUS: Final = 1 << 256


def iterate_verified_events(ledger: Ledger) -> Iterator[tuple[Event, tuple[Entry, ...]]]:
    """Every event with its entries, chain by chain, each checked before it is yielded.

    Raises `LedgerDamaged` at the first discrepancy. When it has run to its end, the heads, the balances, and the
    commands have been checked too, all of the same moment, whatever is written meanwhile.
    """
    with ledger.store.read() as reader:
        for event, entries, _ in VerificationPass(reader).verify_rows():
            yield event_from_row(event), tuple(map(entry_from_row, entries))


def verify_chains(ledger: Ledger) -> LedgerReport:
    """Check everything that is stored; the report names the first discrepancy."""
    verification = None
    try:
        with ledger.store.read() as reader:
            verification = VerificationPass(reader)
            return verification.run()
    except LedgerDamaged as error:
        return verification.report(error.finding) if verification else LedgerReport(0, 0, 0, 0, 0, error.finding)


@dataclass(slots=True)
class VerificationPass:
    """One pass over a ledger."""

    reader: LedgerReader
    chains: int = 0
    event_count: int = 0
    entry_count: int = 0
    commands: int = 0
    debits: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    credits: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    digest_sum: int = 0
    """The sum of the digests of all events; it must equal the sum over the commands."""

    def report(self, finding: Finding | None = None) -> LedgerReport:
        accounts = len(self.debits.keys() | self.credits.keys())
        return LedgerReport(self.chains, self.event_count, self.entry_count, accounts, self.commands, finding)

    def run(self) -> LedgerReport:
        """Check everything, and count it."""
        for _ in self.verify_rows():
            pass
        self.check_triggers()
        return self.report()

    def check_triggers(self) -> None:
        """Check the triggers that protect history. This comes last: a changed row is the more useful finding."""
        _raise_if_damaged(self.reader.check_triggers().find_problem())

    def verify_rows(self) -> Iterator[VerifiedRow]:
        """The events with their entries and unique keys; then the rest is checked."""
        try:
            yield from self._verify_chains()
            self._check_balances()
            self._check_commands()
        except LedgerDamaged:
            raise
        except Exception as error:
            if finding := diagnosis.diagnose_unreadable(self.reader):
                raise LedgerDamaged(finding) from error
            raise

    def _verify_chains(self) -> Iterator[VerifiedRow]:
        heads: dict[str, HeadRow] = {row[0]: row for row in self.reader.rows(schema.heads)}
        entries: _EventRows[EntryRow] = _EventRows(
            self.reader.rows(schema.entries), itemgetter(0, 1), diagnosis.diagnose_stray_entry
        )
        key_rows: _EventRows[UniqueKeyRow] = _EventRows(
            self.reader.rows(schema.unique_keys), itemgetter(0, 2), diagnosis.diagnose_stray_key
        )
        chain, last, previous, time = "", 0, GENESIS, 0
        row: EventRow
        for row in self.reader.rows(schema.events):
            row_chain, sequence, id, kind, version, event_time, payload, command_digest, stored_previous, hash = row
            if row_chain != chain:
                self._check_head(heads, chain, last, previous, time)
                chain, last, previous, time = row_chain, 0, GENESIS, 0
                self.chains += 1
            entry_rows = entries.take(chain, sequence)
            _refuse_gaps(entry_rows)
            lines = [member[3:] for member in entry_rows]
            unique_keys = tuple([member[1] for member in key_rows.take(chain, sequence)])
            encoded_keys = payload.encode(), encode_postings(lines), encode_unique_keys(unique_keys)
            computed_hash = event_hash(
                chain, sequence, id, kind, version, event_time, *encoded_keys, command_digest, stored_previous
            )
            if computed_hash != hash or stored_previous != previous or sequence != last + 1 or event_time < time:
                _raise_if_damaged(diagnosis.diagnose_event(self.reader, row, lines, unique_keys, last, previous, time))
            last, previous, time = sequence, hash, event_time
            self._count(lines, command_digest)
            yield row, entry_rows, unique_keys
        entries.finish()
        key_rows.finish()
        self._check_head(heads, chain, last, previous, time)
        for head_row in heads.values():
            _raise_if_damaged(diagnosis.diagnose_head(head_row, head_row[0], 0, GENESIS, 0))

    def _count(self, lines: Sequence[tuple[str, str, int]], command_digest: bytes) -> None:
        debits, credits = self.debits, self.credits
        for debit, credit, amount in lines:
            debits[debit] += amount
            credits[credit] += amount
        self.event_count += 1
        self.entry_count += len(lines)
        self.digest_sum += int.from_bytes(command_digest, "big")

    def _check_head(self, heads: dict[str, HeadRow], chain: str, last: int, hash: bytes, time: int) -> None:
        if chain:
            _raise_if_damaged(diagnosis.diagnose_head(heads.pop(chain, None), chain, last, hash, time))

    def _check_balances(self) -> None:
        accounts = self.debits.keys() | self.credits.keys()
        for account, debits, credits in self.reader.rows(schema.balances):
            accounts.discard(account)
            _raise_if_damaged(
                diagnosis.diagnose_balance(account, (debits, credits), (self.debits[account], self.credits[account]))
            )
        for account in sorted(accounts):
            _raise_if_damaged(diagnosis.diagnose_balance(account, None, (self.debits[account], self.credits[account])))

    def _check_commands(self) -> None:
        expected_sum = 0
        for id, body, response, events, digest in self.reader.rows(schema.commands):
            if command_digest(id, body, response.encode(), events) != digest:
                _raise_if_damaged(diagnosis.diagnose_command(id))
            self.commands += 1
            expected_sum += events * int.from_bytes(digest, "big")
        # A sum finds a missing or extra event without a list; only then a list is made to name it.
        if (expected_sum - self.digest_sum) % _MODULUS:
            _raise_if_damaged(diagnosis.diagnose_causes(self.reader))


class _EventRows(Generic[R]):
    """The rows that belong to events, read beside the events and in the same order."""

    def __init__(
        self, rows: Iterator[R], event_key: Callable[[R], Any], diagnose_stray: Callable[[R], Finding]
    ) -> None:
        self._events, self._diagnose_stray = groupby(rows, event_key), diagnose_stray
        self._advance()

    def _advance(self) -> None:
        group = next(self._events, None)
        # Chain and sequence of the event whose rows are next; None at the end.
        self._next_event: tuple[str, int] | None = group[0] if group else None
        self._next_rows: list[R] = list(group[1]) if group else []

    def take(self, chain: str, sequence: int) -> list[R]:
        """The rows of one event."""
        if self._next_event != (chain, sequence):
            if self._next_event is not None and self._next_event < (chain, sequence):
                _raise_if_damaged(self._diagnose_stray(self._next_rows[0]))
            return []
        rows = self._next_rows
        self._advance()
        return rows

    def finish(self) -> None:
        if self._next_rows:
            _raise_if_damaged(self._diagnose_stray(self._next_rows[0]))


def _refuse_gaps(entries: Sequence[EntryRow]) -> None:
    for number, row in enumerate(entries, 1):
        if row[2] != number:
            _raise_if_damaged(diagnosis.diagnose_entry(row, number))


def _raise_if_damaged(finding: Finding | None) -> None:
    if finding is not None:
        raise LedgerDamaged(finding)
