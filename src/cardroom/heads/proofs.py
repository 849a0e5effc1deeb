"""Proofs as documents that are checked without a database: inclusion of a chain or an event, and growth of the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from cardroom.heads.merkle import leaf_hash, verify_consistency, verify_inclusion
from cardroom.heads.signed import BadHeadsDocument, Leaf, SignedHead, read_head, read_leaf, read_proof

INCLUSION: Final = "inclusion proof of a Cardroom ledger"
GROWTH: Final = "consistency proof of a Cardroom ledger"


def inclusion_document(
    head: SignedHead, leaf: Leaf, index: int, proof: Sequence[bytes], events: Sequence[bytes]
) -> dict[str, Any]:
    """Proof that a leaf is under a head; with ``events``, that the first of them is on the leaf's chain."""
    return {
        "document": INCLUSION,
        "version": 1,
        "head": head._asdict(),
        "leaf": leaf._asdict(),
        "index": index,
        "proof": [node.hex() for node in proof],
        "events": [text.decode() for text in events],
    }


def growth_document(old: SignedHead, new: SignedHead, proof: Sequence[bytes]) -> dict[str, Any]:
    """Proof that the log of one head extends that of another."""
    return {
        "document": GROWTH,
        "version": 1,
        "old": old._asdict(),
        "new": new._asdict(),
        "proof": [node.hex() for node in proof],
    }


def check_proof(document: object) -> str:
    """What a proof proves, in a sentence. Raises ``BadHeadsDocument`` with what is wrong with one that proves nothing.

    Whether the key in it is the room's is for the reader to compare.
    """
    if not isinstance(document, dict) or document.get("version") != 1:
        raise BadHeadsDocument("This is not a proof of a Cardroom ledger.")
    if document.get("document") == INCLUSION:
        return _check_inclusion(document)
    if document.get("document") == GROWTH:
        return _check_growth(document)
    raise BadHeadsDocument("This is not a proof of a Cardroom ledger.")


def _check_inclusion(document: dict[str, Any]) -> str:
    head, leaf, proof = (
        read_head(document.get("head")),
        read_leaf(document.get("leaf")),
        read_proof(document.get("proof")),
    )
    _require_signature(head)
    index, events = document.get("index"), document.get("events")
    if type(index) is not int or not isinstance(events, list):
        raise BadHeadsDocument("'index' must be a whole number, and 'events' a list.")
    if not verify_inclusion(leaf_hash(leaf.text), index, head.size, proof, bytes.fromhex(head.root)):
        raise BadHeadsDocument(f"The proof does not lead from event {leaf.sequence} of {leaf.chain} to the head.")
    if not events:
        return f"{leaf.chain} has event {leaf.sequence} with the hash {leaf.hash} under the head of {head.size} leaves."
    first = _check_events(leaf, events)
    return f"{leaf.chain} has event {first} under the head of {head.size} leaves, through event {leaf.sequence}."


def _check_events(leaf: Leaf, events: Sequence[object]) -> int:
    """Follow a chain from an event to the leaf; the sequence of that event."""
    first = sequence = leaf.sequence - len(events) + 1
    previous = None
    for text in events:
        try:
            event = json.loads(text) if isinstance(text, str) else None
        except (ValueError, RecursionError):
            event = None
        fields = event if isinstance(event, dict) else {}
        is_next = (fields.get("chain"), fields.get("sequence")) == (leaf.chain, sequence)
        if not is_next or (previous is not None and fields.get("previous") != previous):
            raise BadHeadsDocument(f"The events do not lead from event {first} of {leaf.chain} to {leaf.sequence}.")
        previous, sequence = sha256(str(text).encode()).hexdigest(), sequence + 1
    if previous != leaf.hash:
        raise BadHeadsDocument(f"Event {leaf.sequence} of {leaf.chain} is not the one whose hash was signed.")
    return first


def _check_growth(document: dict[str, Any]) -> str:
    old, new, proof = read_head(document.get("old")), read_head(document.get("new")), read_proof(document.get("proof"))
    _require_signature(old)
    _require_signature(new)
    if not verify_consistency(old.size, new.size, bytes.fromhex(old.root), bytes.fromhex(new.root), proof):
        raise BadHeadsDocument(f"The log of {new.size} leaves does not extend the one of {old.size}.")
    return f"The log of {new.size} leaves extends the one of {old.size}."


def _require_signature(head: SignedHead) -> None:
    if not head.is_signed:
        raise BadHeadsDocument(f"The head of {head.size} leaves is not signed by the key that it names.")
