"""The bytes that are hashed. The same values give the same bytes on every machine and in every database.

Canonical JSON has sorted keys, no spaces, UTF-8, and no floats. An event's hash covers everything that is stored for
it: its place in the chain, its payload, the postings, its unique keys, the digest of the command, and through the
previous hash all earlier events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

import orjson

from cardroom.ledger.errors import BadCommandOutcome
from cardroom.ledger.types import Json

GENESIS: Final = bytes(32)
"""The previous hash of the first event of a chain."""

LONGEST_NAME: Final = 200
"""The largest number of letters in the name of a chain or a command."""


def encode_canonical(value: object) -> bytes:
    """The canonical JSON of a JSON value.

    >>> encode_canonical({"b": [1, True, None], "a": "é"}).decode()
    '{"a":"é","b":[1,true,null]}'
    """
    _refuse_non_json(value)
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        raise BadCommandOutcome(f"This cannot be stored as JSON: {error}.") from None


_JSON_SCALARS: Final = frozenset({str, int, bool, type(None)})


def _refuse_non_json(value: object) -> None:
    """Refuse what the encoder would accept and change: floats, dates, and records."""
    if isinstance(value, dict):
        items: Iterable[object] = value.values()
    elif isinstance(value, (list, tuple)):
        items = value
    elif isinstance(value, (str, int, type(None))):
        return
    else:
        raise BadCommandOutcome(
            f"{value!r} cannot be stored: use only whole numbers, text, true, false, null, lists, and mappings."
        )
    for item in items:
        if type(item) not in _JSON_SCALARS:
            _refuse_non_json(item)


def is_valid_name(text: object) -> bool:
    """Whether it can name a chain, an event type, an account, an event, or a command: it must look the same in every
    report."""
    return isinstance(text, str) and 0 < len(text) <= LONGEST_NAME and text.isprintable()


def require_name(text: str, description: str) -> str:
    """The text, if it can be a name."""
    if is_valid_name(text):
        return text
    raise BadCommandOutcome(f"{text!r} cannot be a {description}: use 1 to {LONGEST_NAME} printable characters.")


def encode_postings(lines: Sequence[tuple[str, str, int]]) -> bytes:
    """The postings of an event: debited account, credited account, amount."""
    return orjson.dumps(lines)


def encode_unique_keys(unique_keys: Sequence[str]) -> bytes:
    """The unique keys of an event."""
    return orjson.dumps(unique_keys)


def encode_event(
    chain: str,
    sequence: int,
    id: str,
    kind: str,
    version: int,
    time: int,
    payload: bytes,
    postings: bytes,
    names: bytes,
    seal: bytes,
    previous: bytes,
) -> bytes:
    """The canonical JSON of an event; payload, postings, and unique keys come as canonical JSON."""
    return (
        b'{"chain":%b,"id":%b,"kind":%b,"names":%b,"payload":%b,"postings":%b,"previous":"%b","seal":"%b",'
        b'"sequence":%d,"time":%d,"version":%d}'
        % (
            orjson.dumps(chain),
            orjson.dumps(id),
            orjson.dumps(kind),
            names,
            payload,
            postings,
            previous.hex().encode(),
            seal.hex().encode(),
            sequence,
            time,
            version,
        )
    )


def event_hash(
    chain: str,
    sequence: int,
    id: str,
    kind: str,
    version: int,
    time: int,
    payload: bytes,
    postings: bytes,
    names: bytes,
    seal: bytes,
    previous: bytes,
) -> bytes:
    """SHA-256 of the canonical JSON of an event."""
    return sha256(
        encode_event(chain, sequence, id, kind, version, time, payload, postings, names, seal, previous)
    ).digest()


def body_digest(body: Json) -> bytes:
    """The digest of a command's body: short, because it is stored permanently."""
    return sha256(encode_canonical(body)).digest()


def command_digest(id: str, body: bytes, response: bytes, events: int) -> bytes:
    """SHA-256 of the canonical JSON of a command with its result and the number of its events."""
    return sha256(
        b'{"answer":%b,"body":"%b","events":%d,"id":%b}' % (response, body.hex().encode(), events, orjson.dumps(id))
    ).digest()


def head_digest(chain: str, sequence: int, hash: bytes, time: int, snapshot: bytes) -> bytes:
    """SHA-256 of the canonical JSON of a head with its snapshot."""
    return sha256(
        b'{"chain":%b,"hash":"%b","sequence":%d,"snapshot":%b,"time":%d}'
        % (orjson.dumps(chain), hash.hex().encode(), sequence, snapshot, time)
    ).digest()
