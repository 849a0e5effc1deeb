"""Whether tabulators and jackpots agree: each counted wager is a contribution to its jackpot.

A command locks both chains of a round together, so a jackpot records a table's rounds in the table's order. Each side
keeps a running digest; only when two digests differ are the events compared one by one.

Events are read a second time when two chains differ, to find the first difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import orjson

from cardroom.ledger import Event, schema
from cardroom.ledger.ledger import event_from_row
from cardroom.ledger.store import EventRow, LedgerReader
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.room.jackpot.events import WagersCounted, WagersReversed
from cardroom.room.tabulator.events import TabulatorEvent, round_of_event
from cardroom.room.tabulator.state import recorded_wagers
from cardroom.service.chains.names import jackpot_chain, tabulator_chain
from cardroom.service.verification.report import ReplayMismatch, replay_mismatch

ChainPair = tuple[str, str]
"""A table and a jackpot."""
StatementReader = Callable[[DomainEvent], Iterator["ChainStatement"]]
_HASH_BATCH: Final = 256
"""Rounds that are hashed at a time."""


class ChainStatement(NamedTuple):
    """What one side records of a round."""

    pair: ChainPair
    round: str
    amount: int
    """How many wagers; negative when they were reversed."""


def read_tabulator_statements(event: DomainEvent) -> Iterator[ChainStatement]:
    """What an event of a tabulator says about jackpots."""
    sign, wagers = recorded_wagers(event)
    for wager in wagers:
        if wager.jackpot is not None and wager.count:
            assert isinstance(event, TabulatorEvent)
            yield ChainStatement((event.table, wager.jackpot), round_of_event(event), sign * wager.count)


def read_jackpot_statements(event: DomainEvent) -> Iterator[ChainStatement]:
    """What an event of a jackpot says about tables."""
    match event:
        case WagersCounted(jackpot=jackpot, table=table, round=round_id, count=count):
            yield ChainStatement((table, jackpot), round_id, count)
        case WagersReversed(jackpot=jackpot, table=table, round=round_id, count=count):
            yield ChainStatement((table, jackpot), round_id, -count)


class StatementDigest:
    """A running digest of the statements of one side, by table and jackpot."""

    def __init__(self, tell: StatementReader | None = None) -> None:
        self._read_statements = tell
        self._running: dict[ChainPair, Any] = {}
        self._pending: dict[ChainPair, list[str]] = {}

    def add_event(self, event: DomainEvent) -> None:
        """Add the statements of one event."""
        assert self._read_statements is not None
        self.add(self._read_statements(event))

    def add(self, statements: Iterable[ChainStatement]) -> None:
        """Add statements."""
        for pair, round_id, count in statements:
            lines = self._pending.setdefault(pair, [])
            lines.append(f"{count} {round_id}\n")
            if len(lines) >= _HASH_BATCH:
                self._digest(pair)

    def _digest(self, pair: ChainPair) -> None:
        self._running.setdefault(pair, sha256()).update("".join(self._pending[pair]).encode())
        self._pending[pair].clear()

    def digests(self) -> dict[ChainPair, bytes]:
        for pair in self._pending:
            self._digest(pair)
        return {pair: running.digest() for pair, running in self._running.items()}


def find_disagreeing_pair(tables: Mapping[ChainPair, bytes], jackpots: Mapping[ChainPair, bytes]) -> ChainPair | None:
    """The first table and jackpot that disagree."""
    return next((pair for pair in sorted({**tables, **jackpots}) if tables.get(pair) != jackpots.get(pair)), None)


EventRows = Iterator[tuple[int, str, DomainEvent]]
"""Sequence, id, and event of a chain's events."""


class LocatedStatement(NamedTuple):
    """A statement with the event that makes it."""

    sequence: int
    id: str
    statement: ChainStatement


def find_count_difference(pair: ChainPair, table_rows: EventRows, jackpot_rows: EventRows) -> ReplayMismatch:
    """The first round on which a table and a jackpot disagree."""
    table, jackpot = pair
    problem = f"table {table} and jackpot {jackpot} disagree about the counted wagers"
    sides = (
        ChainSide(tabulator_chain(table), _locate_statements(pair, table_rows, read_tabulator_statements)),
        ChainSide(jackpot_chain(jackpot), _locate_statements(pair, jackpot_rows, read_jackpot_statements)),
    )
    return find_difference(problem, *sides, _describe_count)


class ChainSide(NamedTuple):
    """One of two chains, and its statements from its first event on."""

    chain: str
    statements: Iterator[LocatedStatement]


def find_difference(
    problem: str, one_side: ChainSide, other_side: ChainSide, in_words: Callable[[LocatedStatement | None], str]
) -> ReplayMismatch:
    """The first statement in which two sides differ."""
    for first, second in zip_longest(one_side.statements, other_side.statements):
        if first is None or second is None or first.statement != second.statement:
            chain = one_side.chain if first else other_side.chain
            located = first or second
            return replay_mismatch(problem, chain, located.sequence, located.id, in_words(first), in_words(second))
    raise AssertionError("The digests differ, but all statements agree.")


def _locate_statements(pair: ChainPair, rows: EventRows, tell: StatementReader) -> Iterator[LocatedStatement]:
    for sequence, id, event in rows:
        for statement in tell(event):
            if statement.pair == pair:
                yield LocatedStatement(sequence, id, statement)


def _describe_count(located: LocatedStatement | None) -> str:
    if located is None:
        return "nothing"
    return f"{located.statement.amount} wagers of round {located.statement.round!r} (event {located.id})"


def decode_row(row: EventRow) -> DomainEvent:
    """The event of a stored row."""
    return decode_event(row[3], row[4], orjson.loads(row[6]))


def read_chain_events(reader: LedgerReader, chain: str) -> EventRows:
    """The events of a chain, from the first to the last."""
    for row in reader.rows(schema.events, {"chain": chain}):
        yield row[1], row[2], decode_row(row)


class StoredChains:
    """The stored chains, from which past rounds are read."""

    def __init__(self, reader: LedgerReader) -> None:
        self._now = reader

    def find_event(self, chain: str, name: str) -> Event | None:
        """The event of a chain with a unique key."""
        for _, _, sequence in self._now.rows(schema.unique_keys, {"chain": chain, "name": name}):
            return next(
                map(event_from_row, self._now.rows(schema.events, {"chain": chain, "sequence": sequence})), None
            )
        return None

    def events(self, chain: str, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """The events of a chain after a sequence number."""
        return map(event_from_row, self._now.rows(schema.events, {"chain": chain}, {"sequence": after}, limit))
