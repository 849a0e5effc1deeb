"""Some events of a chain with the proof of each: its hash computed anew, and whether it follows on the one before it.

`verification` walks over everything; this is for somebody who looks at one page of a chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardroom.ledger import schema
from cardroom.ledger.canonical import GENESIS, event_hash, names_text, postings_text
from cardroom.ledger.ledger import Ledger, entry_from, event_from
from cardroom.ledger.records import Entry, Event
from cardroom.ledger.store import EntryRow, EventRow, Reading


class Link(NamedTuple):
    """An event and its entries, as they are stored."""

    event: Event
    entries: tuple[Entry, ...]
    again: bytes
    """Its hash, computed anew from everything that is stored for it."""
    before: bytes
    """The hash that the event before it has; zeros for the first."""

    @property
    def has_its_hash(self) -> bool:
        return self.again == self.event.hash

    @property
    def follows(self) -> bool:
        """Whether it names the hash of the event before it."""
        return self.event.previous == self.before


def links(ledger: Ledger, chain: str, after: int, limit: int) -> tuple[Link, ...]:
    """The events of a chain behind a place, so many at most, each checked."""
    with ledger.store.reading() as now:
        # The one before the first is read too: it has the hash that the first one follows.
        start = max(after - 1, 0)
        rows: list[EventRow] = list(
            now.rows(schema.events, {"chain": chain}, {"sequence": start}, limit + after - start)
        )
        checked = tuple(_links(now, chain, start, rows))
    return tuple(one for one in checked if one.event.sequence > after)


def _links(now: Reading, chain: str, start: int, rows: Sequence[EventRow]) -> Iterator[Link]:
    last = rows[-1][1] if rows else 0
    entries: dict[int, list[EntryRow]] = {}
    for row in now.rows(schema.entries, {"chain": chain}, {"sequence": start}):
        if row[1] > last:
            break
        entries.setdefault(row[1], []).append(row)
    names: dict[int, list[str]] = {}
    for _, name, sequence in now.rows(schema.names, {"chain": chain}, {"sequence": start}):
        if sequence > last:
            break
        names.setdefault(sequence, []).append(name)
    before = GENESIS
    for row in rows:
        booked = entries.get(row[1], [])
        again = _hash(row, booked, names.get(row[1], []))
        yield Link(event_from(row), tuple(map(entry_from, booked)), again, before)
        before = row[9]


def _hash(row: EventRow, booked: Sequence[EntryRow], names: Sequence[str]) -> bytes:
    chain, sequence, id, kind, version, time, payload, seal, previous, _ = row
    postings = postings_text([one[3:] for one in booked])
    return event_hash(
        chain, sequence, id, kind, version, time, payload.encode(), postings, names_text(names), seal, previous
    )
