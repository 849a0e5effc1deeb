"""Verification: everything that is stored, read once from end to end, hashed again and added up again.

The walk keeps one event in memory at a time, and two sums for each account. It stops at the first thing that is wrong.
A forger who computes all later hashes anew is found by heads that were exported before (`Ledger.check_heads`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Generic, TypeVar

from cardroom.ledger import diagnosis, schema
from cardroom.ledger.canonical import GENESIS, command_seal, event_hash, names_text, postings_text
from cardroom.ledger.faults import LedgerDamaged
from cardroom.ledger.ledger import Ledger, entry_from, event_from
from cardroom.ledger.records import Entry, Event
from cardroom.ledger.report import Finding, Report
from cardroom.ledger.store import EntryRow, EventRow, HeadRow, NameRow, Reading

Checked = tuple[EventRow, list[EntryRow], tuple[str, ...]]
"""An event, its entries and its names."""
R = TypeVar("R", bound=tuple[Any, ...])
_MODULUS: Final = 1 << 256


def verified_events(ledger: Ledger) -> Iterator[tuple[Event, tuple[Entry, ...]]]:
    """Every event with its entries, chain by chain, each checked before it is given out.

    Raises `LedgerDamaged` at the first thing that is wrong. When it has run to its end, the heads, the balances and
    the commands have been checked too, all of the same moment, whatever is written meanwhile.
    """
    with ledger.store.reading() as now:
        for event, entries, _ in Walk(now).rows():
            yield event_from(event), tuple(map(entry_from, entries))


def verify_chains(ledger: Ledger) -> Report:
    """Check everything that is stored; the report names the first thing that is wrong."""
    walk = None
    try:
        with ledger.store.reading() as now:
            walk = Walk(now)
            return walk.whole()
    except LedgerDamaged as fault:
        return walk.report(fault.finding) if walk else Report(0, 0, 0, 0, 0, fault.finding)


@dataclass(slots=True)
class Walk:
    """One pass over a ledger."""

    now: Reading
    chains: int = 0
    seen: int = 0
    lines: int = 0
    commands: int = 0
    debits: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    credits: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    seals: int = 0
    """The sum of the seals of all events; what the commands say that they caused has to come to the same."""

    def report(self, finding: Finding | None = None) -> Report:
        accounts = len(self.debits.keys() | self.credits.keys())
        return Report(self.chains, self.seen, self.lines, accounts, self.commands, finding)

    def whole(self) -> Report:
        """Check everything, and say how much that was."""
        for _ in self.rows():
            pass
        self.check_guards()
        return self.report()

    def check_guards(self) -> None:
        """What keeps history still does. It is looked for when all else is whole: what was changed says more."""
        _stop(self.now.guards().finding())

    def rows(self) -> Iterator[Checked]:
        """The events with their entries and names; then the rest is checked."""
        try:
            yield from self._chains()
            self._check_balances()
            self._check_commands()
        except LedgerDamaged:
            raise
        except Exception as fault:
            if found := diagnosis.unreadable(self.now):
                raise LedgerDamaged(found) from fault
            raise

    def _chains(self) -> Iterator[Checked]:
        heads: dict[str, HeadRow] = {row[0]: row for row in self.now.rows(schema.heads)}
        entries: _Beside[EntryRow] = _Beside(self.now.rows(schema.entries), itemgetter(0, 1), diagnosis.stray)
        given: _Beside[NameRow] = _Beside(self.now.rows(schema.names), itemgetter(0, 2), diagnosis.stray_name)
        chain, last, previous, time = "", 0, GENESIS, 0
        row: EventRow
        for row in self.now.rows(schema.events):
            its_chain, sequence, id, kind, version, at, payload, seal, before, hash = row
            if its_chain != chain:
                self._check_head(heads, chain, last, previous, time)
                chain, last, previous, time = its_chain, 0, GENESIS, 0
                self.chains += 1
            booked = entries.of(chain, sequence)
            _refuse_gaps(booked)
            lines = [one[3:] for one in booked]
            names = tuple([one[1] for one in given.of(chain, sequence)])
            hashed = payload.encode(), postings_text(lines), names_text(names)
            again = event_hash(chain, sequence, id, kind, version, at, *hashed, seal, before)
            if again != hash or before != previous or sequence != last + 1 or at < time:
                _stop(diagnosis.event(self.now, row, lines, names, last, previous, time))
            last, previous, time = sequence, hash, at
            self._count(lines, seal)
            yield row, booked, names
        entries.end()
        given.end()
        self._check_head(heads, chain, last, previous, time)
        for left in heads.values():
            _stop(diagnosis.head(left, left[0], 0, GENESIS, 0))

    def _count(self, lines: Sequence[tuple[str, str, int]], seal: bytes) -> None:
        debits, credits = self.debits, self.credits
        for debit, credit, amount in lines:
            debits[debit] += amount
            credits[credit] += amount
        self.seen += 1
        self.lines += len(lines)
        self.seals += int.from_bytes(seal, "big")

    def _check_head(self, heads: dict[str, HeadRow], chain: str, last: int, hash: bytes, time: int) -> None:
        if chain:
            _stop(diagnosis.head(heads.pop(chain, None), chain, last, hash, time))

    def _check_balances(self) -> None:
        accounts = self.debits.keys() | self.credits.keys()
        for account, debits, credits in self.now.rows(schema.balances):
            accounts.discard(account)
            _stop(diagnosis.balance(account, (debits, credits), (self.debits[account], self.credits[account])))
        for account in sorted(accounts):
            _stop(diagnosis.balance(account, None, (self.debits[account], self.credits[account])))

    def _check_commands(self) -> None:
        caused = 0
        for id, body, answer, events, seal in self.now.rows(schema.commands):
            if command_seal(id, body, answer.encode(), events) != seal:
                _stop(diagnosis.command(id))
            self.commands += 1
            caused += events * int.from_bytes(seal, "big")
        # Adding up finds what is missing or too much without keeping a list; only then a list is made to name it.
        if (caused - self.seals) % _MODULUS:
            _stop(diagnosis.causes(self.now))


class _Beside(Generic[R]):
    """The rows that belong to events, beside the events and in the same order."""

    def __init__(self, rows: Iterator[R], place: Callable[[R], Any], stray: Callable[[R], Finding]) -> None:
        self._events, self._stray = groupby(rows, place), stray
        self._go_on()

    def _go_on(self) -> None:
        following = next(self._events, None)
        # Chain and sequence of the event whose rows are next; None at the end.
        self._at: tuple[str, int] | None = following[0] if following else None
        self._next: list[R] = list(following[1]) if following else []

    def of(self, chain: str, sequence: int) -> list[R]:
        """The rows of one event."""
        if self._at != (chain, sequence):
            if self._at is not None and self._at < (chain, sequence):
                _stop(self._stray(self._next[0]))
            return []
        found = self._next
        self._go_on()
        return found

    def end(self) -> None:
        if self._next:
            _stop(self._stray(self._next[0]))


def _refuse_gaps(entries: Sequence[EntryRow]) -> None:
    for number, row in enumerate(entries, 1):
        if row[2] != number:
            _stop(diagnosis.line(row, number))


def _stop(finding: Finding | None) -> None:
    if finding is not None:
        raise LedgerDamaged(finding)
