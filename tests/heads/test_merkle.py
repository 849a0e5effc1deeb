"""Proofs of the Merkle tree hold for every size, and for nothing but what they prove."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardroom.heads.merkle import (
    EMPTY_ROOT,
    Peaks,
    compute_root,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    verify_consistency,
    verify_inclusion,
)

MOST = 40
HASHES = [leaf_hash(str(number).encode()) for number in range(MOST)]


def by_the_book(leaves: list[bytes]) -> bytes:
    """The root exactly as RFC 6962 defines it, from the leaves themselves."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + by_the_book(leaves[:split]) + by_the_book(leaves[split:])).digest()


def test_the_root_is_that_of_rfc_6962_for_every_size() -> None:
    leaves = [str(number).encode() for number in range(MOST)]
    for size in range(MOST + 1):
        assert compute_root(HASHES[:size]) == by_the_book(leaves[:size])


def test_published_roots_come_out() -> None:
    leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    hashes = [leaf_hash(bytes.fromhex(leaf)) for leaf in leaves]
    assert compute_root(hashes[:1]).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert compute_root(hashes).hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


def test_every_leaf_of_every_tree_has_a_proof_that_no_other_place_accepts() -> None:
    for size in range(1, MOST + 1):
        root = compute_root(HASHES[:size])
        for index in range(size):
            proof = inclusion_proof(HASHES[:size], index)
            assert verify_inclusion(HASHES[index], index, size, proof, root)
            for other in {0, index - 1, index + 1, size - 1, size} - {index}:
                assert not verify_inclusion(HASHES[index], other, size, proof, root)


def test_every_tree_has_a_proof_that_it_extends_every_smaller_one() -> None:
    for old in range(MOST + 1):
        peaks = Peaks().add(HASHES[:old])
        for size in range(old, MOST + 1):
            root = compute_root(HASHES[:size])
            proof = consistency_proof(peaks, HASHES[old:size])
            assert verify_consistency(old, size, peaks.root, root, proof)
            for other in {old - 1, old + 1} & set(range(1, size)) - {old}:
                assert not verify_consistency(other, size, peaks.root, root, proof)


def flipped(value: bytes, bit: int) -> bytes:
    changed = bytearray(value)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, MOST), st.data())
def test_a_flipped_bit_breaks_a_proof_of_inclusion(size: int, data: st.DataObject) -> None:
    index, bit = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, 255))
    proof, root = inclusion_proof(HASHES[:size], index), compute_root(HASHES[:size])
    parts = [HASHES[index], root, *proof]
    part = data.draw(st.integers(0, len(parts) - 1))
    parts[part] = flipped(parts[part], bit)
    assert not verify_inclusion(parts[0], index, size, parts[2:], parts[1])


@settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, MOST - 1), st.data())
def test_a_flipped_bit_breaks_a_proof_of_growth(old: int, data: st.DataObject) -> None:
    size, bit = data.draw(st.integers(old + 1, MOST)), data.draw(st.integers(0, 255))
    peaks = Peaks().add(HASHES[:old])
    parts = [peaks.root, compute_root(HASHES[:size]), *consistency_proof(peaks, HASHES[old:size])]
    part = data.draw(st.integers(0, len(parts) - 1))
    parts[part] = flipped(parts[part], bit)
    assert not verify_consistency(old, size, parts[0], parts[1], parts[2:])


@settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, MOST - 1), st.data())
def test_a_tree_with_another_past_is_not_an_extension(old: int, data: st.DataObject) -> None:
    size, changed = data.draw(st.integers(old + 1, MOST)), data.draw(st.integers(0, old - 1))
    forged = [*HASHES[:changed], leaf_hash(b"forged"), *HASHES[changed + 1 : size]]
    proof = consistency_proof(Peaks().add(forged[:old]), forged[old:])
    assert not verify_consistency(old, size, compute_root(HASHES[:old]), compute_root(forged), proof)


def test_a_proof_with_a_node_too_many_or_too_few_is_none() -> None:
    root = compute_root(HASHES)
    proof = inclusion_proof(HASHES, 5)
    assert not verify_inclusion(HASHES[5], 5, MOST, proof[:-1], root)
    assert not verify_inclusion(HASHES[5], 5, MOST, (*proof, EMPTY_ROOT), root)
    old = Peaks().add(HASHES[:7])
    growth = consistency_proof(old, HASHES[7:])
    assert not verify_consistency(7, MOST, old.root, root, growth[:-1])
    assert not verify_consistency(7, MOST, old.root, root, (*growth, EMPTY_ROOT))
    assert not verify_consistency(7, MOST, old.root, root, ())
