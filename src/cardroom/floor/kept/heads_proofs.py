"""Proofs from the log of heads: that an event is under a signed head, and that one head extends another."""

from __future__ import annotations

from typing import Any

from cardroom.errors import BadInput, quote
from cardroom.floor.kept.exported_heads import HeadsInDatabase, LoggedHead
from cardroom.heads.merkle import Peaks, consistency_proof, inclusion_proof
from cardroom.heads.signed_heads import Leaf, growth_document, inclusion_document
from cardroom.ledger import schema
from cardroom.ledger.canonical_json import encode_event, encode_postings, encode_unique_keys
from cardroom.ledger.store import EventRow, LedgerReader


class CannotProve(BadInput):
    """Something that is under no signed head."""


def prove_inclusion(now: LedgerReader, log: HeadsInDatabase, chain: str, sequence: int | None) -> dict[str, Any]:
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
        events = _events(now, leaf, sequence)
    return inclusion_document(newest, leaf, index, inclusion_proof(log.hashes(), index), events)


def _events(now: LedgerReader, leaf: Leaf, sequence: int) -> list[bytes]:
    """The canonical text of every event from one to a leaf's."""
    rows = now.rows(schema.events, {"chain": leaf.chain}, {"sequence": sequence - 1}, leaf.sequence - sequence + 1)
    return [_text(now, row) for row in rows]


def _text(now: LedgerReader, row: EventRow) -> bytes:
    chain, sequence, id, kind, version, time, payload, seal, previous, _ = row
    place = {"chain": chain, "sequence": sequence}
    lines = [entry[3:] for entry in now.rows(schema.entries, place)]
    names = tuple(name[1] for name in now.rows(schema.unique_keys, place))
    fields = chain, sequence, id, kind, version, time, payload.encode(), encode_postings(lines)
    return encode_event(*fields, encode_unique_keys(names), seal, previous)


def prove_growth(log: HeadsInDatabase, since: int, until: int | None) -> dict[str, Any]:
    """Proof that the log of one head extends that of another; of the newest where no later one is named."""
    if log.newest is None:
        raise CannotProve("No heads were signed yet: export them first (cardroom heads export).")
    old, new = _head(log, since), _head(log, log.newest.size if until is None else until)
    if old.head.size > new.head.size:
        raise CannotProve(f"A log of {new.head.size} leaves cannot extend one of {old.head.size}: exchange the two.")
    hashes = log.hashes()[: new.head.size]
    proof = consistency_proof(Peaks().add(hashes[: old.head.size]), hashes[old.head.size :])
    return growth_document(old.head, new.head, proof)


def _head(log: HeadsInDatabase, size: int) -> LoggedHead:
    found = log.heads.get(size)
    if found is None:
        raise CannotProve(f"No signed head has {size} leaves: the file names of exported heads show their sizes.")
    return found
