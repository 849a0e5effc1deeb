"""Finds what exactly is wrong: which row, and as far as the hashes show, which column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from cardroom.ledger import schema
from cardroom.ledger.canonical_json import encode_postings, encode_unique_keys, event_hash, head_digest
from cardroom.ledger.store import EntryRow, EventRow, HeadRow, LedgerReader, UniqueKeyRow
from cardroom.ledger.types import Finding

POSSIBLE_VERSIONS = range(1, 100)


PostingLines = Sequence[Sequence[Any]]
OptionalKeys = Sequence[str]


def diagnose_event(
    reader: LedgerReader, row: EventRow, lines: PostingLines, names: OptionalKeys, last: int, previous: bytes, time: int
) -> Finding:
    """An event that does not follow the one before it, or whose hash is wrong."""
    chain, sequence, id, _, _, event_time, _, _, stored_previous, hash = row
    if sequence != last + 1:
        position_text = f"event {last}" if last else "the beginning"
        return _event_finding(
            row, "sequence", f"event {last + 1} is missing: {position_text} is followed by event {sequence}"
        )
    if stored_previous != previous:
        if hash == _hash(row, lines, names, previous=previous):
            return _event_finding(row, "previous", "its previous hash was changed")
        if hash == _hash(row, lines, names):
            sentence = f"Event {last} of {chain} was rewritten: event {sequence} ({id}) follows another hash."
            return Finding("events", "hash", sentence, chain, last)
    computed_hashes = _hash(row, lines, names)
    if hash == computed_hashes and event_time < time:
        return _event_finding(row, "time", "its time is before that of the event before it")
    if _successor_hash(reader, chain, sequence) == computed_hashes:
        return _event_finding(row, "hash", "its hash was changed")
    return _diagnose_contents(reader, row, lines, names)


def _diagnose_contents(reader: LedgerReader, row: EventRow, lines: PostingLines, names: OptionalKeys) -> Finding:
    """Restore likely values one by one: when the hash is right again, that column was changed."""
    id, payload, hash = row[2], row[6], row[9]
    for command_row in reader.rows(schema.commands, {"id": id.rpartition("/")[0]}):
        if hash == _hash(row, lines, names, seal=command_row[4]):
            return _event_finding(row, "seal", "the digest of its command was changed")
    if any(hash == _hash(row, lines, names, version=version) for version in POSSIBLE_VERSIONS):
        return _event_finding(row, "version", "its version was changed")
    if any(hash == _hash(row, lines, fewer) for fewer in _drop_one_key(names)):
        sentence = f"Event {row[1]} of {row[0]} ({id}) was given a unique key that it did not have."
        return Finding("names", "name", sentence, *row[:3])
    for command_row in reader.rows(schema.commands):
        if command_row[4] == row[7] and any(
            hash == _hash(row, lines, names, id=f"{command_row[0]}/{part}") for part in range(1, command_row[3] + 1)
        ):
            return _event_finding(row, "id", f"its id was changed (it belongs to the command {command_row[0]})")
    if not _is_canonical(payload):
        return _event_finding(row, "payload", "its payload was changed")
    column_list = "kind, time, payload, entries, or unique keys"
    return _event_finding(row, column_list, f"its {column_list} were changed")


def _drop_one_key(keys: OptionalKeys) -> Iterator[OptionalKeys]:
    """The unique keys without one of them."""
    return ([key for key in keys if key != removed_key] for removed_key in keys)


def _is_canonical(payload: str) -> bool:
    try:
        return orjson.dumps(orjson.loads(payload), option=orjson.OPT_SORT_KEYS) == payload.encode()
    except orjson.JSONDecodeError:
        return False


def _hash(row: EventRow, lines: PostingLines, names: OptionalKeys, **instead: Any) -> bytes:
    """The hash of the event with some columns restored."""
    values: dict[str, Any] = dict(zip(schema.column_names(schema.events), row, strict=True)) | instead
    values.pop("hash")
    values["payload"] = values["payload"].encode()
    values["postings"] = encode_postings([tuple(line) for line in lines])
    return event_hash(**values, names=encode_unique_keys(names))


def _successor_hash(reader: LedgerReader, chain: str, sequence: int) -> bytes | None:
    """The event's hash according to its successor, or to the head."""
    for row in reader.rows(schema.events, {"chain": chain, "sequence": sequence + 1}):
        return bytes(row[8])
    for row in reader.rows(schema.heads, {"chain": chain}):
        return bytes(row[2])
    return None


def _event_finding(row: EventRow, field: str, description: str) -> Finding:
    chain, sequence, id = row[:3]
    return Finding("events", field, f"Event {sequence} of {chain} ({id}): {description}.", chain, sequence, id)


def diagnose_entry(row: EntryRow, expected: int) -> Finding:
    """An entry that is not the next of its event."""
    sentence = f"Event {row[1]} of {row[0]} has no entry {expected}: entry {row[2]} is in its place."
    return Finding("entries", "line", sentence, row[0], row[1])


def diagnose_stray_entry(row: EntryRow) -> Finding:
    """An entry without an event."""
    sentence = f"Entry {row[2]} of event {row[1]} of {row[0]} belongs to no event."
    return Finding("entries", "chain or sequence", sentence, row[0], row[1])


def diagnose_stray_key(row: UniqueKeyRow) -> Finding:
    """A unique key without an event."""
    sentence = f"The unique key {row[1]!r} of event {row[2]} of {row[0]} belongs to no event."
    return Finding("names", "chain or sequence", sentence, row[0], row[2])


def diagnose_head(row: HeadRow | None, chain: str, last: int, hash: bytes, time: int) -> Finding | None:
    """A head that is not the end of its chain."""
    if row is None:
        return Finding("heads", "chain", f"{chain} has {last} events and no head.", chain, last)
    _, sequence, head_hash, head_time, snapshot, digest = row
    if sequence != last:
        sentence = f"The head of {chain} says that the last event is {sequence}; the last stored event is {last}."
        return Finding("heads", "sequence", sentence, chain, sequence)
    for field, is_wrong in (("hash", head_hash != hash), ("time", head_time != time)):
        if is_wrong:
            sentence = f"The head of {chain} has a different {field} than event {last}."
            return Finding("heads", field, sentence, chain, sequence)
    if head_digest(chain, sequence, hash, time, snapshot.encode()) != digest or (last == 0 and snapshot != "null"):
        sentence = f"The snapshot in the head of {chain}, or its digest, was changed."
        return Finding("heads", "snapshot or digest", sentence, chain, sequence)
    return None


def diagnose_balance(account: str, stored: tuple[int, int] | None, entry_sums: tuple[int, int]) -> Finding | None:
    """A balance that is not the sum of the entries."""
    if stored is None:
        return Finding("balances", "account", f"{account} has entries and no balance.", id=account)
    for field, stored_amount, entry_amount in zip(("debits", "credits"), stored, entry_sums, strict=True):
        if stored_amount != entry_amount:
            sentence = f"The balance of {account} has {field} of {stored_amount}; its entries add up to {entry_amount}."
            return Finding("balances", field, sentence, id=account)
    if stored == (0, 0):
        return Finding("balances", "account", f"{account} has a balance and no entries.", id=account)
    return None


def diagnose_command(id: str) -> Finding:
    """A command whose digest is not that of its body, result, and number of events."""
    sentence = f"The command {id} was changed: its id, body, result, number of events, or digest."
    return Finding("commands", "id, body, result, events, or digest", sentence, id=id)


def diagnose_causes(reader: LedgerReader) -> Finding:
    """A command whose events are missing, or an event whose command is missing."""
    event_counts = Counter(bytes(row[7]) for row in reader.rows(schema.events))
    for id, _, _, events, digest in reader.rows(schema.commands):
        event_count = event_counts.pop(bytes(digest), 0)
        if event_count != events:
            sentence = f"The command {id} caused {events} events, but {event_count} with its digest are stored."
            return Finding("commands", "events", sentence, id=id)
    row = next(row for row in reader.rows(schema.events) if bytes(row[7]) in event_counts)
    sentence = f"Event {row[1]} of {row[0]} ({row[2]}): the command that caused it is missing."
    return Finding("commands", "id", sentence, row[0], row[1], row[2].rpartition("/")[0])


def diagnose_unreadable(reader: LedgerReader) -> Finding | None:
    """A value that should be text and is not."""
    for table in schema.TABLES:
        if location := reader.find_unreadable(table):
            key, column = location
            where = " ".join(str(part) for part in key)
            chain, sequence = (key[0], key[1]) if len(key) > 1 and isinstance(key[1], int) else (None, None)
            return Finding(
                table.name,
                column,
                f"{column} of {where} in {table.name} is not text: it was changed.",
                chain,
                sequence,
                where,
            )
    return None
