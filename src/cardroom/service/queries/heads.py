"""The log of heads compared with the chains, and exported heads compared with the log.

Proofs from the log of heads: that an event is under a signed head, and that one head extends another.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from cardroom.errors import BadInput, quote
from cardroom.heads.destinations import (
    WitnessClient,
    WitnessState,
    WitnessUnavailable,
    cosignature_file_name,
    head_file_name,
    parse_head_file_name,
)
from cardroom.heads.merkle import HASH_BYTES, Peaks, consistency_proof, inclusion_proof
from cardroom.heads.signed_heads import (
    Leaf,
    SignedHead,
    growth_document,
    inclusion_document,
    leaf_hashes,
    read_cosignature,
    read_heads,
)
from cardroom.ledger import BadHeads, schema
from cardroom.ledger.canonical_json import encode_event, encode_postings, encode_unique_keys
from cardroom.ledger.store import EventRow, LedgerReader
from cardroom.room.event_types import decode_event
from cardroom.room.setup.calendar import Time
from cardroom.room.site.events import HeadsCosigned, HeadsKeyRecorded, HeadsSigned
from cardroom.service.chains.names import HEADS_CHAIN, ROOM_CHAIN


class UnreadableHeads(NamedTuple):
    """A folder or a witness that cannot be read, and why."""

    where: str
    why: str


class ExportedHeads(NamedTuple):
    """Exported heads: where the newest are, and whether all of them agree with the database."""

    where: str = ""
    """The newest file, or else the witness or the command that has the newest head; empty when there are none."""
    time: Time | None = None
    """When the newest exported head was signed."""
    checked: bool = False
    """Whether heads outside of the database were compared with it."""
    wrong: tuple[str, ...] = ()
    """What does not agree, each in a sentence."""
    missing: str = ""
    """The oldest file that was written to the folder and is missing now."""
    unreadable: tuple[UnreadableHeads, ...] = ()
    """The folder or the witness, where it could not be read."""
    files: int = 0
    """How many files of heads there are."""
    known: bool = True
    """Whether the database still shows which heads it signed."""
    leaves: int = 0
    """The size of the log."""
    key: str = ""
    """The public key that signs heads."""
    cosigned: Time | None = None
    """When the witness cosigned last."""
    witness_key: str = ""

    @property
    def is_consistent(self) -> bool:
        """Whether nothing contradicts the database. A folder that cannot be read is no contradiction."""
        return not self.wrong and not self.missing


class LoggedHead(NamedTuple):
    """A signed head in the database: a file or a witness must agree with it."""

    sequence: int
    """The number of its event."""
    head: SignedHead
    hashes: bytes
    """The hashes of the leaves that it added, one after the other: a year has a million leaves."""


class StoredHeadsLog(NamedTuple):
    """The whole log, read from the database and compared with the chains."""

    heads: Mapping[int, LoggedHead]
    """By size, from the oldest to the newest."""
    keys: frozenset[str]
    """The public keys that the room's chain records."""
    cosignatures: tuple[HeadsCosigned, ...]
    wrong: tuple[str, ...]
    leaves: tuple[tuple[int, Leaf], ...]
    """The leaves of the requested chain, each with its place in the log from 0."""

    def list_hashes(self) -> list[bytes]:
        """The hashes of all leaves, in their order."""
        joined = b"".join(head.hashes for head in self.heads.values())
        return [joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES)]

    @property
    def newest(self) -> SignedHead | None:
        """The newest signed head."""
        return self.heads[max(self.heads)].head if self.heads else None


def read_heads_log(reader: LedgerReader, chain: str | None = None) -> StoredHeadsLog:
    """Read the log and compare every leaf with its chain; the result has the leaves of ``chain``."""
    keys = frozenset(event.key for _, event in _read_events(reader, ROOM_CHAIN) if isinstance(event, HeadsKeyRecorded))
    heads, cosignatures, wrong, ends = dict[int, LoggedHead](), list[HeadsCosigned](), list[str](), dict[str, int]()
    chain_leaves, index = list[tuple[int, Leaf]](), 0
    for sequence, event in _read_events(reader, HEADS_CHAIN):
        if isinstance(event, HeadsCosigned):
            cosignatures.append(event)
        if not isinstance(event, HeadsSigned):
            continue
        heads[event.head.size] = LoggedHead(sequence, event.head, b"".join(leaf_hashes(event.leaves)))
        if event.head.key not in keys:
            wrong.append(f"The head of {event.head.size} leaves is signed by a key that the room never recorded.")
        for leaf in event.leaves:
            if leaf.sequence <= ends.get(leaf.chain, 0):
                wrong.append(f"The log of heads goes back to event {leaf.sequence} of {leaf.chain}.")
            ends[leaf.chain] = leaf.sequence
            wrong += _compare_leaf(reader, leaf)
            if leaf.chain == chain:
                chain_leaves.append((index, leaf))
            index += 1
    return StoredHeadsLog(heads, keys, tuple(cosignatures), tuple(wrong), tuple(chain_leaves))


def _compare_leaf(reader: LedgerReader, leaf: Leaf) -> Iterator[str]:
    row = next(reader.rows(schema.events, {"chain": leaf.chain, "sequence": leaf.sequence}), None)
    if row is None:
        last = next((end[1] for end in reader.rows(schema.heads, {"chain": leaf.chain})), 0)
        yield f"{leaf.chain} had {leaf.sequence} events when its head was signed, and now it ends with event {last}."
    elif row[9].hex() != leaf.hash:
        yield f"Event {leaf.sequence} of {leaf.chain} ({row[2]}) is not the one whose hash was signed."


def _read_events(reader: LedgerReader, chain: str) -> Iterator[tuple[int, Any]]:
    for row in reader.rows(schema.events, {"chain": chain}):
        try:
            payload = orjson.loads(row[6])
        except orjson.JSONDecodeError:
            raise BadHeads(f"Event {row[1]} of {chain} ({row[2]}) cannot be read: verify the database.") from None
        yield row[1], decode_event(row[3], row[4], payload)


class HeadsFolder(NamedTuple):
    """The files of heads in a folder. The folder is listed before the log is read: heads are signed before they are
    exported, so the log then has everything that was listed, whatever is exported meanwhile."""

    folder: Path
    names: tuple[str, ...]
    last_written: int
    """The last event of the log that was written to this folder."""
    error: str = ""
    """Why it cannot be read."""


def list_heads_folder(folder: Path, last_written: int = 0) -> HeadsFolder:
    """The files of heads in a folder."""
    try:
        names = tuple(sorted(file.name for file in folder.iterdir() if file.name.startswith("heads-")))
    except OSError as wrong:
        return HeadsFolder(folder, (), last_written, wrong.strerror or str(wrong))
    return HeadsFolder(folder, names, last_written)


def check_heads_folder(listed: HeadsFolder, log: StoredHeadsLog) -> ExportedHeads:
    """Compare every file of heads in a folder with the log."""
    outside, folder, names = ExportedHeads(), listed.folder, listed.names
    if listed.error:
        return outside._replace(unreadable=(UnreadableHeads(str(folder), listed.error),))
    sizes = [size for name in names if (size := parse_head_file_name(name)) is not None]
    problems = [f"{folder / name}: {why}" for name in names for why in _find_file_problems(folder / name, log)]
    missing_sizes = [
        size for size, head in log.heads.items() if head.sequence <= listed.last_written and size not in set(sizes)
    ]
    outside = outside._replace(wrong=tuple(problems), files=len(sizes), checked=bool(sizes))
    if missing_sizes:
        outside = outside._replace(missing=str(folder / head_file_name(min(missing_sizes))))
    good = [size for size in sizes if size in log.heads]
    if good:
        newest = max(good)
        outside = outside._replace(where=str(folder / head_file_name(newest)), time=log.heads[newest].head.time)
    return outside


def _find_file_problems(file: Path, log: StoredHeadsLog) -> Iterator[str]:
    """What is wrong with one file of heads."""
    try:
        document = json.loads(file.read_text("utf-8"))
        if isinstance(document, dict) and file.name == cosignature_file_name(document.get("size", 0)):
            cosignature = read_cosignature(document)
            if not any(logged.cosignature == cosignature for logged in log.cosignatures):
                yield "The database does not have this cosignature."
            return
        head, leaves = read_heads(document)
    except (OSError, ValueError, TypeError, RecursionError) as wrong:
        yield str(wrong) if isinstance(wrong, BadInput) else "These are not signed heads of a Cardroom ledger."
        return
    if file.name != head_file_name(head.size):
        yield f"The file name does not fit its head of {head.size} leaves: it should be {head_file_name(head.size)}."
    else:
        yield from find_head_problems(head, leaves, log)


def find_head_problems(head: SignedHead, leaves: tuple[Leaf, ...], log: StoredHeadsLog) -> Iterator[str]:
    """Why the log in the database does not agree with an exported head."""
    if not head.is_signed:
        yield "The signature was not made by the key in the file."
    elif head.key not in log.keys:
        yield f"It is signed by the key {head.key}, which the room never recorded."
    elif (logged := log.heads.get(head.size)) is None:
        newest = log.newest
        yield (
            f"The room signed a log of {head.size} leaves, and the log in the database "
            f"{f'ends with {newest.size}' if newest and newest.size < head.size else 'has no such head'}: history "
            "was rewritten or restored to an older state."
        )
    elif logged.head != head:
        yield f"The room signed another log of {head.size} leaves than the one in the database: history was rewritten."
    elif logged.hashes != b"".join(leaf_hashes(leaves)):
        yield "Its leaves are not those that were signed."


def ask_witness(address: str) -> WitnessState | WitnessUnavailable:
    """What a witness cosigned last; requested, like the list of a folder, before the log is read."""
    try:
        return WitnessClient(address).fetch_state()
    except WitnessUnavailable as wrong:
        return wrong


def check_witness(address: str, state: WitnessState | WitnessUnavailable, log: StoredHeadsLog) -> ExportedHeads:
    """Compare what a witness cosigned last with the log."""
    if isinstance(state, WitnessUnavailable):
        return ExportedHeads(unreadable=(UnreadableHeads(address, str(state)),))
    head = state.head
    if head is None:
        return ExportedHeads()
    logged = log.heads.get(head.size)
    if logged is None or logged.head != head:
        sentence = (
            f"The witness {address} cosigned a log of {head.size} leaves that the database does not have: history "
            "was rewritten or restored to an older state."
        )
        return ExportedHeads(wrong=(sentence,), checked=True)
    return ExportedHeads(where=address, time=head.time, checked=True)


class CannotProve(BadInput):
    """A chain or an event that is under no signed head."""


def prove_inclusion(reader: LedgerReader, log: StoredHeadsLog, chain: str, sequence: int | None) -> dict[str, Any]:
    """Proof that a chain's newest leaf, or one event of the chain, is under the newest signed head. An event is proved
    through the first leaf at or after it, with the events between."""
    newest = log.newest
    if newest is None:
        raise CannotProve("No heads were signed yet: export them first (cardroom heads export).")
    places = log.leaves
    if not places:
        raise CannotProve(f"The log of heads has no chain {quote(chain)}: check its name, or export heads first.")
    if sequence is None:
        index, leaf = places[-1]
        events = list[bytes]()
    else:
        after = [place for place in places if place[1].sequence >= sequence]
        if sequence < 1 or not after:
            last = places[-1][1].sequence
            raise CannotProve(f"The newest signed head has {chain} up to event {last}: choose one from 1 to {last}.")
        index, leaf = after[0]
        events = _read_event_texts(reader, leaf, sequence)
    return inclusion_document(newest, leaf, index, inclusion_proof(log.list_hashes(), index), events)


def _read_event_texts(reader: LedgerReader, leaf: Leaf, sequence: int) -> list[bytes]:
    """The canonical text of every event from one to a leaf's."""
    rows = reader.rows(schema.events, {"chain": leaf.chain}, {"sequence": sequence - 1}, leaf.sequence - sequence + 1)
    return [_make_canonical_text(reader, row) for row in rows]


def _make_canonical_text(reader: LedgerReader, row: EventRow) -> bytes:
    chain, sequence, id, kind, version, time, payload, seal, previous, _ = row
    place = {"chain": chain, "sequence": sequence}
    lines = [entry[3:] for entry in reader.rows(schema.entries, place)]
    names = tuple(name[1] for name in reader.rows(schema.unique_keys, place))
    fields = chain, sequence, id, kind, version, time, payload.encode(), encode_postings(lines)
    return encode_event(*fields, encode_unique_keys(names), seal, previous)


def prove_growth(log: StoredHeadsLog, since: int, until: int | None) -> dict[str, Any]:
    """Proof that the log of one head extends that of another; of the newest where no later one is named."""
    if log.newest is None:
        raise CannotProve("No heads were signed yet: export them first (cardroom heads export).")
    old, new = _get_head(log, since), _get_head(log, log.newest.size if until is None else until)
    if old.head.size > new.head.size:
        raise CannotProve(f"A log of {new.head.size} leaves cannot extend one of {old.head.size}: exchange the two.")
    hashes = log.list_hashes()[: new.head.size]
    proof = consistency_proof(Peaks().add(hashes[: old.head.size]), hashes[old.head.size :])
    return growth_document(old.head, new.head, proof)


def _get_head(log: StoredHeadsLog, size: int) -> LoggedHead:
    head = log.heads.get(size)
    if head is None:
        raise CannotProve(f"No signed head has {size} leaves: the file names of exported heads show their sizes.")
    return head
