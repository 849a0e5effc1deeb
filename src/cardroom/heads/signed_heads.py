r"""Signed heads and proofs as values.

Leaves of the log, heads that the room signed, and cosignatures of a witness; and proofs that are checked without a
database: that a chain or an event is in the log, and that the log only grew.

>>> leaf = Leaf("room", 3, "ab" * 32)
>>> leaf.text
b'room\n3\nabab...abab\n'
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.heads.merkle import leaf_hash, verify_consistency, verify_inclusion

HEADS: Final = "signed heads of a Cardroom ledger"
COSIGNATURE: Final = "cosignature of a Cardroom witness"
NO_HEAD: Final = "0" * 64
"""The digest of the head before the first one."""
_HASH_DIGITS: Final = 64
_SIGNATURE_DIGITS: Final = 128


class BadHeadsDocument(BadInput):
    """A document that is not what it claims to be."""


class Leaf(NamedTuple):
    """Where one chain ended: an entry of the log."""

    chain: str
    sequence: int
    hash: str
    """The hash of the chain's event with this sequence."""

    @property
    def text(self) -> bytes:
        """The bytes of the leaf."""
        return f"{self.chain}\n{self.sequence}\n{self.hash}\n".encode()


class SignedHead(NamedTuple):
    """The whole log at one moment, under the room's signature."""

    size: int
    """How many leaves the log has."""
    root: str
    time: int
    """Microseconds since 1970, UTC."""
    previous: str
    """The digest of the head before it."""
    key: str
    """The room's public key."""
    signature: str = ""

    @property
    def text(self) -> bytes:
        """The bytes that are signed."""
        lines = "cardroom-heads/1", self.key, self.size, self.root, self.time, self.previous
        return "".join(f"{line}\n" for line in lines).encode()

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes that are signed."""
        return sha256(self.text).hexdigest()

    @property
    def is_signed(self) -> bool:
        """Whether the signature is that of its key."""
        return verify_signature(self.text, self.signature, self.key)


class Cosignature(NamedTuple):
    """A witness's statement that a head extends every head that it cosigned before."""

    head: str
    """The digest of the head."""
    size: int
    time: int
    key: str
    """The witness's public key."""
    signature: str = ""

    @property
    def text(self) -> bytes:
        """The bytes that are signed."""
        lines = "cardroom-witness/1", self.key, self.head, self.size, self.time
        return "".join(f"{line}\n" for line in lines).encode()

    @property
    def is_signed(self) -> bool:
        """Whether the signature is that of its key."""
        return verify_signature(self.text, self.signature, self.key)


def verify_signature(text: bytes, signature: str, key: str) -> bool:
    """Whether an Ed25519 signature is that of a public key; both are hexadecimal."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True


def leaf_hashes(leaves: Iterable[Leaf]) -> list[bytes]:
    """The hashes of leaves, as the tree takes them."""
    return [leaf_hash(leaf.text) for leaf in leaves]


def heads_document(head: SignedHead, leaves: Sequence[Leaf]) -> dict[str, Any]:
    """A head with the leaves that it added to the log, as JSON."""
    return {
        "document": HEADS,
        "version": 1,
        **head._asdict(),
        "digest": head.digest,
        "leaves": [leaf._asdict() for leaf in leaves],
    }


def read_heads(document: object) -> tuple[SignedHead, tuple[Leaf, ...]]:
    """The head and the leaves of such a document. The signature is not checked here."""
    if not isinstance(document, dict) or document.get("document") != HEADS or document.get("version") != 1:
        raise BadHeadsDocument("These are not signed heads of a Cardroom ledger.")
    head = read_head(document)
    rows = document.get("leaves")
    if document.get("digest") != head.digest or not isinstance(rows, list):
        raise BadHeadsDocument("The signed heads were changed: their digest does not fit.")
    return head, tuple(read_leaf(row) for row in rows)


def read_head(document: object) -> SignedHead:
    """A head from JSON; keys that it does not have are ignored."""
    fields = _require_mapping(document)
    return SignedHead(
        _read_whole_number(fields, "size"),
        _read_hexadecimal(fields, "root"),
        _read_whole_number(fields, "time"),
        _read_hexadecimal(fields, "previous"),
        _read_hexadecimal(fields, "key"),
        _read_hexadecimal(fields, "signature", _SIGNATURE_DIGITS),
    )


def cosignature_document(cosignature: Cosignature) -> dict[str, Any]:
    """A cosignature as JSON."""
    return {"document": COSIGNATURE, "version": 1, **cosignature._asdict()}


def read_cosignature(document: object) -> Cosignature:
    """A cosignature from JSON."""
    fields = _require_mapping(document)
    if fields.get("document") != COSIGNATURE or fields.get("version") != 1:
        raise BadHeadsDocument("This is not a cosignature of a Cardroom witness.")
    return Cosignature(
        _read_hexadecimal(fields, "head"),
        _read_whole_number(fields, "size"),
        _read_whole_number(fields, "time"),
        _read_hexadecimal(fields, "key"),
        _read_hexadecimal(fields, "signature", _SIGNATURE_DIGITS),
    )


def read_proof(document: object) -> tuple[bytes, ...]:
    """The nodes of a proof from JSON."""
    if not isinstance(document, list) or len(document) > _HASH_DIGITS * 2:
        raise BadHeadsDocument("A proof is a list of at most 128 hashes.")
    return tuple(bytes.fromhex(_require_hexadecimal(node, "proof", _HASH_DIGITS)) for node in document)


def read_leaf(row: object) -> Leaf:
    """A leaf from JSON."""
    fields = _require_mapping(row)
    chain = fields.get("chain")
    if not isinstance(chain, str) or not chain.isprintable():
        raise BadHeadsDocument("A leaf names no chain.")
    return Leaf(chain, _read_whole_number(fields, "sequence"), _read_hexadecimal(fields, "hash"))


def _require_mapping(document: object) -> Mapping[str, Any]:
    if not isinstance(document, dict):
        raise BadHeadsDocument("This is not a JSON object.")
    return document


def _read_whole_number(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise BadHeadsDocument(f"'{name}' must be a whole number.")
    return value


def _read_hexadecimal(fields: Mapping[str, Any], name: str, length: int = _HASH_DIGITS) -> str:
    return _require_hexadecimal(fields.get(name), name, length)


def _require_hexadecimal(value: object, name: str, length: int) -> str:
    if not isinstance(value, str) or len(value) != length or not set(value) <= set("0123456789abcdef"):
        raise BadHeadsDocument(f"'{name}' must be {length} hexadecimal digits.")
    return value


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
    """The statement that a proof proves, in a sentence. Raises ``BadHeadsDocument`` if it proves nothing, and says why.

    The reader compares the key in it with the room's.
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
