"""Some events of a chain with the proof of each: its recomputed hash, and whether it follows on the one before it.

`verification` reads everything; this is for one page of a chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardroom.ledger import schema
from cardroom.ledger.canonical_json import GENESIS, encode_postings, encode_unique_keys, event_hash
from cardroom.ledger.ledger import Ledger, entry_from_row, event_from_row
from cardroom.ledger.store import EntryRow, EventRow, LedgerReader
from cardroom.ledger.types import Entry, Event


class EventProof(NamedTuple):
    """An event and its entries, as stored."""

    event: Event
    entries: tuple[Entry, ...]
    computed_hash: bytes
    """Its hash, recomputed from everything that is stored for it."""
    expected_previous: bytes
    """The hash of the event before it; zeros for the first."""

    @property
    def is_hash_valid(self) -> bool:
        return self.computed_hash == self.event.hash

    @property
    def is_linked(self) -> bool:
        """Whether it has the hash of the event before it."""
        return self.event.previous == self.expected_previous


def prove_events(ledger: Ledger, chain: str, after: int, limit: int) -> tuple[EventProof, ...]:
    """The events of a chain after a place, at most so many, each checked."""
    with ledger.store.read() as reader:
        # The one before the first is read too: the first one refers to its hash.
        start = max(after - 1, 0)
        rows: list[EventRow] = list(
            reader.rows(schema.events, {"chain": chain}, {"sequence": start}, limit + after - start)
        )
        proofs = tuple(_build_proofs(reader, chain, start, rows))
    return tuple(proof for proof in proofs if proof.event.sequence > after)


def _build_proofs(reader: LedgerReader, chain: str, start: int, rows: Sequence[EventRow]) -> Iterator[EventProof]:
    last = rows[-1][1] if rows else 0
    entries: dict[int, list[EntryRow]] = {}
    for row in reader.rows(schema.entries, {"chain": chain}, {"sequence": start}):
        if row[1] > last:
            break
        entries.setdefault(row[1], []).append(row)
    keys_by_event: dict[int, list[str]] = {}
    for _, key, sequence in reader.rows(schema.unique_keys, {"chain": chain}, {"sequence": start}):
        if sequence > last:
            break
        keys_by_event.setdefault(sequence, []).append(key)
    previous_hash = GENESIS
    for row in rows:
        entry_rows = entries.get(row[1], [])
        computed_hash = _compute_hash(row, entry_rows, keys_by_event.get(row[1], []))
        yield EventProof(event_from_row(row), tuple(map(entry_from_row, entry_rows)), computed_hash, previous_hash)
        previous_hash = row[9]


def _compute_hash(row: EventRow, entry_rows: Sequence[EntryRow], unique_keys: Sequence[str]) -> bytes:
    chain, sequence, id, kind, version, time, payload, command_digest, previous, _ = row
    postings = encode_postings([row_of_entry[3:] for row_of_entry in entry_rows])
    return event_hash(
        chain,
        sequence,
        id,
        kind,
        version,
        time,
        payload.encode(),
        postings,
        encode_unique_keys(unique_keys),
        command_digest,
        previous,
    )
