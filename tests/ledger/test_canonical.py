"""The bytes that are hashed."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.ledger import BadCommandOutcome
from cardroom.ledger.canonical_json import (
    command_digest,
    encode_canonical,
    encode_postings,
    encode_unique_keys,
    event_hash,
    head_digest,
)

texts = st.text(st.characters(exclude_categories=["Cs"]))
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=8,
)
hashes = st.binary(min_size=32, max_size=32)


@given(plain)
def test_canonical_bytes_come_back_as_the_same_value(value: object) -> None:
    assert json.loads(encode_canonical(value)) == value


@settings(max_examples=50)
@given(st.dictionaries(texts, plain, max_size=5))
def test_the_order_of_keys_does_not_matter(value: dict[str, object]) -> None:
    assert encode_canonical(dict(reversed(value.items()))) == encode_canonical(value)


@given(plain)
def test_canonical_bytes_are_those_of_any_json_writer_shown_the_same(value: object) -> None:
    """Control characters are written \\u001f or \\n by both; nothing else is escaped."""
    theirs = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert encode_canonical(value).decode() == theirs


@pytest.mark.parametrize(
    "value", [0.5, float("nan"), [1, [2.0]], {"a": 1.0}, {1, 2}, b"x", object(), {1: 2}, 2**64, "\ud800"]
)
def test_what_is_not_plain_is_refused(value: object) -> None:
    with pytest.raises(BadCommandOutcome):
        encode_canonical(value)


@given(
    chain=texts,
    sequence=st.integers(1, 2**62),
    id=texts,
    kind=texts,
    version=st.integers(1, 99),
    time=st.integers(0, 2**62),
    payload=st.dictionaries(texts, plain, max_size=3),
    lines=st.lists(st.tuples(texts, texts, st.integers(1, 10**15)), max_size=3),
    seal=hashes,
    names=st.lists(texts),
    previous=hashes,
)
def test_an_event_is_hashed_as_the_canonical_json_of_all_that_is_stored(
    chain: str,
    sequence: int,
    id: str,
    kind: str,
    version: int,
    time: int,
    payload: dict[str, object],
    lines: list[tuple[str, str, int]],
    seal: bytes,
    names: list[str],
    previous: bytes,
) -> None:
    whole = {
        "chain": chain,
        "sequence": sequence,
        "id": id,
        "kind": kind,
        "version": version,
        "time": time,
        "payload": payload,
        "postings": lines,
        "seal": seal.hex(),
        "previous": previous.hex(),
        "names": names,
    }
    parts = encode_canonical(payload), encode_postings(lines), encode_unique_keys(names)
    hashed = event_hash(chain, sequence, id, kind, version, time, *parts, seal, previous)
    assert hashed == sha256(encode_canonical(whole)).digest()


@given(texts, hashes, plain, st.integers(0, 99))
def test_a_command_is_sealed_as_canonical_json(id: str, body: bytes, answer: object, events: int) -> None:
    whole = {"id": id, "body": body.hex(), "answer": answer, "events": events}
    assert command_digest(id, body, encode_canonical(answer), events) == sha256(encode_canonical(whole)).digest()


@given(texts, st.integers(0, 2**62), hashes, st.integers(0, 2**62), plain)
def test_a_head_is_sealed_as_canonical_json(
    chain: str, sequence: int, hash: bytes, time: int, snapshot: object
) -> None:
    whole = {"chain": chain, "sequence": sequence, "hash": hash.hex(), "time": time, "snapshot": snapshot}
    assert (
        head_digest(chain, sequence, hash, time, encode_canonical(snapshot)) == sha256(encode_canonical(whole)).digest()
    )
