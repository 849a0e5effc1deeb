"""What exactly is wrong, once something is: which row, and as far as the hashes tell, which column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from cardroom.ledger import schema
from cardroom.ledger.canonical import event_hash, head_seal, names_text, postings_text
from cardroom.ledger.report import Finding
from cardroom.ledger.store import EntryRow, EventRow, HeadRow, NameRow, Reading

VERSIONS = range(1, 100)


Lines = Sequence[Sequence[Any]]
Names = Sequence[str]


def event(now: Reading, row: EventRow, lines: Lines, names: Names, last: int, previous: bytes, time: int) -> Finding:
    """An event that does not follow the one before it, or that has another hash than it should."""
    chain, sequence, id, _, _, at, _, _, before, hash = row
    if sequence != last + 1:
        after = f"event {last}" if last else "the beginning"
        return _event(row, "sequence", f"event {last + 1} is missing: {after} is followed by event {sequence}")
    if before != previous:
        if hash == _hash(row, lines, names, previous=previous):
            return _event(row, "previous", "its previous hash was changed")
        if hash == _hash(row, lines, names):
            sentence = f"Event {last} of {chain} was rewritten: event {sequence} ({id}) follows another hash."
            return Finding("events", "hash", sentence, chain, last)
    again = _hash(row, lines, names)
    if hash == again and at < time:
        return _event(row, "time", "its time is before that of the event before it")
    if _what_follows(now, chain, sequence) == again:
        return _event(row, "hash", "its hash was changed")
    return _contents(now, row, lines, names)


def _contents(now: Reading, row: EventRow, lines: Lines, names: Names) -> Finding:
    """Put back what can be guessed: when the hash is right again, that column was changed."""
    id, payload, hash = row[2], row[6], row[9]
    for known in now.rows(schema.commands, {"id": id.rpartition("/")[0]}):
        if hash == _hash(row, lines, names, seal=known[4]):
            return _event(row, "seal", "the seal of its command was changed")
    if any(hash == _hash(row, lines, names, version=version) for version in VERSIONS):
        return _event(row, "version", "its version was changed")
    if any(hash == _hash(row, lines, fewer) for fewer in _fewer(names)):
        sentence = f"Event {row[1]} of {row[0]} ({id}) was given a name that it did not have."
        return Finding("names", "name", sentence, *row[:3])
    for known in now.rows(schema.commands):
        if known[4] == row[7] and any(
            hash == _hash(row, lines, names, id=f"{known[0]}/{part}") for part in range(1, known[3] + 1)
        ):
            return _event(row, "id", f"its id was changed (it belongs to the command {known[0]})")
    if not _is_canonical(payload):
        return _event(row, "payload", "its payload was changed")
    what = "kind, time, payload, entries or names"
    return _event(row, what, f"its {what} were changed")


def _fewer(names: Names) -> Iterator[Names]:
    """The names without one of them."""
    return ([name for name in names if name != extra] for extra in names)


def _is_canonical(payload: str) -> bool:
    try:
        return orjson.dumps(orjson.loads(payload), option=orjson.OPT_SORT_KEYS) == payload.encode()
    except orjson.JSONDecodeError:
        return False


def _hash(row: EventRow, lines: Lines, names: Names, **instead: Any) -> bytes:
    """The hash of the event with some columns put back."""
    values: dict[str, Any] = dict(zip(schema.columns(schema.events), row, strict=True)) | instead
    values.pop("hash")
    values["payload"] = values["payload"].encode()
    values["postings"] = postings_text([tuple(line) for line in lines])
    return event_hash(**values, names=names_text(names))


def _what_follows(now: Reading, chain: str, sequence: int) -> bytes | None:
    """The hash that the event's successor, or the head, says it has."""
    for row in now.rows(schema.events, {"chain": chain, "sequence": sequence + 1}):
        return bytes(row[8])
    for row in now.rows(schema.heads, {"chain": chain}):
        return bytes(row[2])
    return None


def _event(row: EventRow, field: str, what: str) -> Finding:
    chain, sequence, id = row[:3]
    return Finding("events", field, f"Event {sequence} of {chain} ({id}): {what}.", chain, sequence, id)


def line(row: EntryRow, expected: int) -> Finding:
    """An entry that is not the next of its event."""
    sentence = f"Event {row[1]} of {row[0]} has no entry {expected}: entry {row[2]} stands in its place."
    return Finding("entries", "line", sentence, row[0], row[1])


def stray(row: EntryRow) -> Finding:
    """An entry without an event."""
    sentence = f"Entry {row[2]} of event {row[1]} of {row[0]} belongs to no event."
    return Finding("entries", "chain or sequence", sentence, row[0], row[1])


def stray_name(row: NameRow) -> Finding:
    """A name without an event."""
    sentence = f"{row[1]!r}, the name of event {row[2]} of {row[0]}, belongs to no event."
    return Finding("names", "chain or sequence", sentence, row[0], row[2])


def head(row: HeadRow | None, chain: str, last: int, hash: bytes, time: int) -> Finding | None:
    """A head that is not the end of its chain."""
    if row is None:
        return Finding("heads", "chain", f"{chain} has {last} events and no head.", chain, last)
    _, sequence, its_hash, its_time, snapshot, seal = row
    if sequence != last:
        sentence = f"The head of {chain} says that its last event is {sequence}; the last one stored is {last}."
        return Finding("heads", "sequence", sentence, chain, sequence)
    for field, wrong in (("hash", its_hash != hash), ("time", its_time != time)):
        if wrong:
            sentence = f"The head of {chain} has another {field} than event {last}."
            return Finding("heads", field, sentence, chain, sequence)
    if head_seal(chain, sequence, hash, time, snapshot.encode()) != seal or (last == 0 and snapshot != "null"):
        sentence = f"The snapshot in the head of {chain}, or its seal, was changed."
        return Finding("heads", "snapshot or seal", sentence, chain, sequence)
    return None


def balance(account: str, stored: tuple[int, int] | None, added: tuple[int, int]) -> Finding | None:
    """A balance that is not the sum of the entries."""
    if stored is None:
        return Finding("balances", "account", f"{account} has entries and no balance.", id=account)
    for field, has, sums in zip(("debits", "credits"), stored, added, strict=True):
        if has != sums:
            sentence = f"The balance of {account} has {field} of {has}; its entries add up to {sums}."
            return Finding("balances", field, sentence, id=account)
    if stored == (0, 0):
        return Finding("balances", "account", f"{account} has a balance and no entries.", id=account)
    return None


def command(id: str) -> Finding:
    """A command whose seal is not of its body, answer and number of events."""
    sentence = f"The command {id} was changed: its id, body, answer, number of events or seal."
    return Finding("commands", "id, body, answer, events or seal", sentence, id=id)


def causes(now: Reading) -> Finding:
    """A command whose events are not there, or an event whose command is not there."""
    caused = Counter(bytes(row[7]) for row in now.rows(schema.events))
    for id, _, _, events, seal in now.rows(schema.commands):
        found = caused.pop(bytes(seal), 0)
        if found != events:
            sentence = f"The command {id} caused {events} events, but {found} with its seal are stored."
            return Finding("commands", "events", sentence, id=id)
    row = next(row for row in now.rows(schema.events) if bytes(row[7]) in caused)
    sentence = f"Event {row[1]} of {row[0]} ({row[2]}): the command that caused it is missing."
    return Finding("commands", "id", sentence, row[0], row[1], row[2].rpartition("/")[0])


def unreadable(now: Reading) -> Finding | None:
    """A value that should be text and is not."""
    for table in schema.TABLES:
        if found := now.unreadable(table):
            key, column = found
            where = " ".join(str(part) for part in key)
            chain, sequence = (key[0], key[1]) if len(key) > 1 and isinstance(key[1], int) else (None, None)
            return Finding(
                table.name, column, f"{column} of {where} in {table.name} is no text any more.", chain, sequence, where
            )
    return None
