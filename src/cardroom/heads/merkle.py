"""The Merkle tree of certificate transparency (RFC 6962): proofs about an append-only list of leaves.

Leaves and inner nodes are hashed with different first bytes, so that neither can pass for the other. A tree of ``n``
leaves splits at the largest power of two below ``n``. Every function takes hashes of leaves, never leaves.

>>> hashes = [leaf_hash(text.encode()) for text in ("a", "b", "c", "d", "e")]
>>> old, new = Peaks().add(hashes[:3]), Peaks().add(hashes)
>>> proof = inclusion_proof(hashes, 4)
>>> verify_inclusion(hashes[4], 4, 5, proof, new.root), verify_inclusion(hashes[3], 4, 5, proof, new.root)
(True, False)
>>> proof = consistency_proof(old, hashes[3:])
>>> verify_consistency(3, 5, old.root, new.root, proof), verify_consistency(2, 5, old.root, new.root, proof)
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


class Peaks(NamedTuple):
    """A tree as its perfect subtrees from left to right: all that is needed to append to it and to prove growth.

    There is one peak for each bit of the size, so a tree of a million leaves has at most twenty.
    """

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def add(self, leaves: Iterable[bytes]) -> Peaks:
        """The tree with more leaves, by their hashes."""
        size, peaks = self.size, list(self.hashes)
        for leaf in leaves:
            peaks.append(leaf)
            full = size
            while full & 1:
                right = peaks.pop()
                peaks.append(node_hash(peaks.pop(), right))
                full >>= 1
            size += 1
        return Peaks(size, tuple(peaks))

    @property
    def root(self) -> bytes:
        """The root of the whole tree."""
        if not self.hashes:
            return EMPTY_ROOT
        *left_peaks, root = self.hashes
        for peak in reversed(left_peaks):
            root = node_hash(peak, root)
        return root


def compute_root(leaves: Iterable[bytes]) -> bytes:
    """The root of a tree, by the hashes of its leaves."""
    return Peaks().add(leaves).root


def inclusion_proof(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The nodes beside the way from a leaf to the root, from the bottom up."""
    if len(leaves) == 1:
        return ()
    split = _split(len(leaves))
    if index < split:
        return (*inclusion_proof(leaves[:split], index), compute_root(leaves[split:]))
    return (*inclusion_proof(leaves[split:], index - split), compute_root(leaves[:split]))


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the leaf is at this place, from 0, of the tree that has this size and root."""
    if not 0 <= index < size:
        return False
    position, last, node_value = index, size - 1, leaf
    for node in proof:
        if last == 0:
            return False
        if position & 1 or position == last:
            node_value = node_hash(node, node_value)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            node_value = node_hash(node_value, node)
        position, last = position >> 1, last >> 1
    return last == 0 and node_value == root


def consistency_proof(old: Peaks, new_leaves: Sequence[bytes]) -> tuple[bytes, ...]:
    """Proof that a tree only grew: of the older tree, its peaks are enough."""
    peak_by_range, start = dict[tuple[int, int], bytes](), 0
    for height, peak in zip(_heights(old.size), old.hashes, strict=True):
        peak_by_range[start, start + (1 << height)] = peak
        start += 1 << height

    def node(low: int, high: int) -> bytes:
        return (
            peak_by_range[low, high] if high <= old.size else compute_root(new_leaves[low - old.size : high - old.size])
        )

    def part(low: int, high: int, is_root: bool) -> tuple[bytes, ...]:
        if old.size == high:
            return () if is_root else (node(low, high),)
        split = low + _split(high - low)
        if old.size <= split:
            return (*part(low, split, is_root), node(split, high))
        return (*part(split, high, False), node(low, split))

    return part(0, old.size + len(new_leaves), True) if old.size else ()


def verify_consistency(old_size: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the tree with this size and root has the leaves of the older one, in their places, and then others."""
    if not 0 <= old_size <= size:
        return False
    if old_size == size:
        return not proof and old_root == root
    if old_size == 0:
        return not proof and old_root == EMPTY_ROOT
    nodes = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not nodes:
        return False
    position, last = old_size - 1, size - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    old_value = new_value = nodes[0]
    for node in nodes[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            old_value, new_value = node_hash(node, old_value), node_hash(node, new_value)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            new_value = node_hash(new_value, node)
        position, last = position >> 1, last >> 1
    return last == 0 and old_value == old_root and new_value == root


def _split(size: int) -> int:
    """The largest power of two below a size of at least two."""
    return 1 << (size - 1).bit_length() - 1


def _heights(size: int) -> list[int]:
    """The heights of the peaks of a tree, from left to right."""
    return [bit for bit in reversed(range(size.bit_length())) if size >> bit & 1]
