r"""Signed heads as values: leaves of the log, heads that the room signed, cosignatures of a witness.

>>> leaf = Leaf("room", 3, "ab" * 32)
>>> leaf.text
b'room\n3\nabab...abab\n'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from cardroom.faults import BadInput
from cardroom.heads.merkle import leaf_hash

HEADS: Final = "signed heads of a Cardroom ledger"
COSIGNATURE: Final = "cosignature of a Cardroom witness"
NO_HEAD: Final = "0" * 64
"""What the first head names as the digest of the head before it."""
_HASH_DIGITS: Final = 64
_SIGNATURE_DIGITS: Final = 128


class BadHeadsDocument(BadInput):
    """A document that is not what it says it is."""


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
        return is_signed(self.text, self.signature, self.key)


class Cosignature(NamedTuple):
    """A witness's word that a head extends every head that it cosigned before."""

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
        return is_signed(self.text, self.signature, self.key)


def is_signed(text: bytes, signature: str, key: str) -> bool:
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
    """The head and the leaves of such a document. Whether it is signed is another question."""
    if not isinstance(document, dict) or document.get("document") != HEADS or document.get("version") != 1:
        raise BadHeadsDocument("These are not signed heads of a Cardroom ledger.")
    head = read_head(document)
    rows = document.get("leaves")
    if document.get("digest") != head.digest or not isinstance(rows, list):
        raise BadHeadsDocument("The signed heads were changed: their digest does not fit.")
    return head, tuple(read_leaf(row) for row in rows)


def read_head(entry: object) -> SignedHead:
    """A head from JSON; keys that it does not have are ignored."""
    fields = _mapping(entry)
    return SignedHead(
        _whole(fields, "size"),
        _digits(fields, "root"),
        _whole(fields, "time"),
        _digits(fields, "previous"),
        _digits(fields, "key"),
        _digits(fields, "signature", _SIGNATURE_DIGITS),
    )


def cosignature_document(cosignature: Cosignature) -> dict[str, Any]:
    """A cosignature as JSON."""
    return {"document": COSIGNATURE, "version": 1, **cosignature._asdict()}


def read_cosignature(entry: object) -> Cosignature:
    """A cosignature from JSON."""
    fields = _mapping(entry)
    if fields.get("document") != COSIGNATURE or fields.get("version") != 1:
        raise BadHeadsDocument("This is not a cosignature of a Cardroom witness.")
    return Cosignature(
        _digits(fields, "head"),
        _whole(fields, "size"),
        _whole(fields, "time"),
        _digits(fields, "key"),
        _digits(fields, "signature", _SIGNATURE_DIGITS),
    )


def read_proof(entry: object) -> tuple[bytes, ...]:
    """The nodes of a proof from JSON."""
    if not isinstance(entry, list) or len(entry) > _HASH_DIGITS * 2:
        raise BadHeadsDocument("A proof is a list of at most 128 hashes.")
    return tuple(bytes.fromhex(_hexadecimal(node, "proof", _HASH_DIGITS)) for node in entry)


def read_leaf(row: object) -> Leaf:
    """A leaf from JSON."""
    fields = _mapping(row)
    chain = fields.get("chain")
    if not isinstance(chain, str) or not chain.isprintable():
        raise BadHeadsDocument("A leaf names no chain.")
    return Leaf(chain, _whole(fields, "sequence"), _digits(fields, "hash"))


def _mapping(entry: object) -> Mapping[str, Any]:
    if not isinstance(entry, dict):
        raise BadHeadsDocument("This is not a JSON object.")
    return entry


def _whole(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise BadHeadsDocument(f"'{name}' must be a whole number.")
    return value


def _digits(fields: Mapping[str, Any], name: str, length: int = _HASH_DIGITS) -> str:
    return _hexadecimal(fields.get(name), name, length)


def _hexadecimal(value: object, name: str, length: int) -> str:
    if not isinstance(value, str) or len(value) != length or not set(value) <= set("0123456789abcdef"):
        raise BadHeadsDocument(f"'{name}' must be {length} hexadecimal digits.")
    return value
