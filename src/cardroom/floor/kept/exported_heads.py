"""The log of heads compared with the chains, and exported heads compared with the log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from cardroom.errors import BadInput
from cardroom.floor.kept.chains import HEADS, ROOM
from cardroom.heads.destinations import (
    WitnessClient,
    WitnessState,
    WitnessUnavailable,
    cosignature_file_name,
    head_file_name,
    parse_head_file_name,
)
from cardroom.heads.merkle import HASH_BYTES
from cardroom.heads.signed_heads import Leaf, SignedHead, leaf_hashes, read_cosignature, read_heads
from cardroom.jackpots import happening_from
from cardroom.jackpots.happenings import HeadsCosigned, HeadsKeyRecorded, HeadsSigned
from cardroom.jackpots.setup.calendar import Time
from cardroom.ledger import BadHeads, schema
from cardroom.ledger.store import LedgerReader


class Unreadable(NamedTuple):
    """A folder or a witness that cannot be read, and why."""

    where: str
    why: str


class Outside(NamedTuple):
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
    """The oldest file that was written to the folder and is not there any more."""
    unreadable: tuple[Unreadable, ...] = ()
    """The folder or the witness, where it could not be read."""
    files: int = 0
    """How many files of heads there are."""
    known: bool = True
    """Whether the database can still say which heads it signed."""
    leaves: int = 0
    """The size of the log."""
    key: str = ""
    """The public key that signs heads."""
    cosigned: Time | None = None
    """When the witness cosigned last."""
    witness_key: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing contradicts the database. A folder that cannot be read says nothing."""
        return not self.wrong and not self.missing


class LoggedHead(NamedTuple):
    """A signed head in the database: what a file or a witness must agree with."""

    sequence: int
    """Of its event."""
    head: SignedHead
    hashes: bytes
    """The hashes of the leaves that it added, one after the other: a year has a million leaves."""


class HeadsInDatabase(NamedTuple):
    """The whole log, read from the database and compared with the chains."""

    heads: Mapping[int, LoggedHead]
    """By size, from the oldest to the newest."""
    keys: frozenset[str]
    """The public keys that the room's chain records."""
    cosignatures: tuple[HeadsCosigned, ...]
    wrong: tuple[str, ...]
    leaves: tuple[tuple[int, Leaf], ...]
    """The leaves of the chain that was asked for, each with its place in the log from 0."""

    def hashes(self) -> list[bytes]:
        """The hashes of all leaves, in their order."""
        whole = b"".join(one.hashes for one in self.heads.values())
        return [whole[at : at + HASH_BYTES] for at in range(0, len(whole), HASH_BYTES)]

    @property
    def newest(self) -> SignedHead | None:
        """The newest signed head."""
        return self.heads[max(self.heads)].head if self.heads else None


def read_log(now: LedgerReader, chain: str | None = None) -> HeadsInDatabase:
    """Read the log and compare every leaf with its chain; the leaves of ``chain`` are given out."""
    keys = frozenset(one.key for _, one in _happenings(now, ROOM) if isinstance(one, HeadsKeyRecorded))
    heads, cosignatures, wrong, ends = dict[int, LoggedHead](), list[HeadsCosigned](), list[str](), dict[str, int]()
    asked, index = list[tuple[int, Leaf]](), 0
    for sequence, one in _happenings(now, HEADS):
        if isinstance(one, HeadsCosigned):
            cosignatures.append(one)
        if not isinstance(one, HeadsSigned):
            continue
        heads[one.head.size] = LoggedHead(sequence, one.head, b"".join(leaf_hashes(one.leaves)))
        if one.head.key not in keys:
            wrong.append(f"The head of {one.head.size} leaves is signed by a key that the room never recorded.")
        for leaf in one.leaves:
            if leaf.sequence <= ends.get(leaf.chain, 0):
                wrong.append(f"The log of heads goes back to event {leaf.sequence} of {leaf.chain}.")
            ends[leaf.chain] = leaf.sequence
            wrong += _off_chain(now, leaf)
            if leaf.chain == chain:
                asked.append((index, leaf))
            index += 1
    return HeadsInDatabase(heads, keys, tuple(cosignatures), tuple(wrong), tuple(asked))


def _off_chain(now: LedgerReader, leaf: Leaf) -> Iterator[str]:
    row = next(now.rows(schema.events, {"chain": leaf.chain, "sequence": leaf.sequence}), None)
    if row is None:
        last = next((end[1] for end in now.rows(schema.heads, {"chain": leaf.chain})), 0)
        yield f"{leaf.chain} had {leaf.sequence} events when its head was signed, and now it ends with event {last}."
    elif row[9].hex() != leaf.hash:
        yield f"Event {leaf.sequence} of {leaf.chain} ({row[2]}) is not the one whose hash was signed."


def _happenings(now: LedgerReader, chain: str) -> Iterator[tuple[int, Any]]:
    for row in now.rows(schema.events, {"chain": chain}):
        try:
            payload = orjson.loads(row[6])
        except orjson.JSONDecodeError:
            raise BadHeads(f"Event {row[1]} of {chain} ({row[2]}) cannot be read: verify the database.") from None
        yield row[1], happening_from(row[3], row[4], payload)


class FolderListed(NamedTuple):
    """The files of heads in a folder. It is listed before the log is read: heads are signed before they are exported,
    so that the log then has everything that was listed, whatever is exported meanwhile."""

    folder: Path
    names: tuple[str, ...]
    written: int
    """The last event of the log that was written to this folder."""
    error: str = ""
    """Why it cannot be read."""


def list_folder(folder: Path, written: int = 0) -> FolderListed:
    """The files of heads in a folder."""
    try:
        names = tuple(sorted(one.name for one in folder.iterdir() if one.name.startswith("heads-")))
    except OSError as wrong:
        return FolderListed(folder, (), written, wrong.strerror or str(wrong))
    return FolderListed(folder, names, written)


def check_folder(listed: FolderListed, log: HeadsInDatabase) -> Outside:
    """Compare every file of heads in a folder with the log."""
    outside, folder, names = Outside(), listed.folder, listed.names
    if listed.error:
        return outside._replace(unreadable=(Unreadable(str(folder), listed.error),))
    found = [size for name in names if (size := parse_head_file_name(name)) is not None]
    problems = [f"{folder / name}: {why}" for name in names for why in _file_problems(folder / name, log)]
    gone = [size for size, one in log.heads.items() if one.sequence <= listed.written and size not in set(found)]
    outside = outside._replace(wrong=tuple(problems), files=len(found), checked=bool(found))
    if gone:
        outside = outside._replace(missing=str(folder / head_file_name(min(gone))))
    good = [size for size in found if size in log.heads]
    if good:
        newest = max(good)
        outside = outside._replace(where=str(folder / head_file_name(newest)), time=log.heads[newest].head.time)
    return outside


def _file_problems(file: Path, log: HeadsInDatabase) -> Iterator[str]:
    """What is wrong with one file of heads."""
    try:
        document = json.loads(file.read_text("utf-8"))
        if isinstance(document, dict) and file.name == cosignature_file_name(document.get("size", 0)):
            cosignature = read_cosignature(document)
            if not any(one.cosignature == cosignature for one in log.cosignatures):
                yield "The database does not have this cosignature."
            return
        head, leaves = read_heads(document)
    except (OSError, ValueError, TypeError, RecursionError) as wrong:
        yield str(wrong) if isinstance(wrong, BadInput) else "These are not signed heads of a Cardroom ledger."
        return
    if file.name != head_file_name(head.size):
        yield f"The file has another name than its head of {head.size} leaves: {head_file_name(head.size)}."
    else:
        yield from head_problems(head, leaves, log)


def head_problems(head: SignedHead, leaves: tuple[Leaf, ...], log: HeadsInDatabase) -> Iterator[str]:
    """Why the log in the database does not agree with an exported head."""
    if not head.is_signed:
        yield "The signature is not that of the key in the file."
    elif head.key not in log.keys:
        yield f"It is signed by the key {head.key}, which the room never recorded."
    elif (logged := log.heads.get(head.size)) is None:
        newest = log.newest
        yield (
            f"The room signed a log of {head.size} leaves, and the log in the database "
            f"{f'ends with {newest.size}' if newest and newest.size < head.size else 'has no such head'}: history was "
            "rewritten or went back to an older state."
        )
    elif logged.head != head:
        yield f"The room signed another log of {head.size} leaves than the one in the database: history was rewritten."
    elif logged.hashes != b"".join(leaf_hashes(leaves)):
        yield "Its leaves are not those that were signed."


def ask_witness(address: str) -> WitnessState | WitnessUnavailable:
    """What a witness cosigned last; asked, like a folder, before the log is read."""
    try:
        return WitnessClient(address).fetch_state()
    except WitnessUnavailable as wrong:
        return wrong


def check_witness(address: str, state: WitnessState | WitnessUnavailable, log: HeadsInDatabase) -> Outside:
    """Compare what a witness cosigned last with the log."""
    if isinstance(state, WitnessUnavailable):
        return Outside(unreadable=(Unreadable(address, str(state)),))
    head = state.head
    if head is None:
        return Outside()
    known = log.heads.get(head.size)
    if known is None or known.head != head:
        sentence = (
            f"The witness {address} cosigned a log of {head.size} leaves that the database does not have: history was "
            "rewritten or went back to an older state."
        )
        return Outside(wrong=(sentence,), checked=True)
    return Outside(where=address, time=head.time, checked=True)
