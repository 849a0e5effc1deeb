"""Heads as a document to store elsewhere: it shows later whether history was rewritten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final

from cardroom.ledger import schema
from cardroom.ledger.canonical_json import encode_canonical
from cardroom.ledger.errors import BadCommandOutcome, BadHeads
from cardroom.ledger.store import HeadRow, LedgerReader
from cardroom.ledger.types import Finding, Time

HEADS_DOCUMENT: Final = "heads of a Cardroom ledger"


def export_heads(rows: Sequence[HeadRow], time: Time) -> dict[str, Any]:
    """The document, with the SHA-256 of the rest of it."""
    document: dict[str, Any] = {
        "document": HEADS_DOCUMENT,
        "version": 1,
        "time": time,
        "heads": [
            {"chain": chain, "sequence": sequence, "hash": hash.hex(), "time": time}
            for chain, sequence, hash, time, _, _ in rows
        ],
    }
    return document | {"digest": sha256(encode_canonical(document)).hexdigest()}


_Head = tuple[str, int, str, int]
"""Chain, sequence, hash and time."""


def check_exported_heads(document: object, reader: LedgerReader) -> Iterator[Finding]:
    """Each exported head that is no longer on its chain."""
    for chain, sequence, hash, time in _read_heads(document):
        row = next(reader.rows(schema.events, {"chain": chain, "sequence": sequence}), None)
        if row is None:
            history_text = f"{chain} had {sequence} events when its head was exported"
            last = next((head_row[1] for head_row in reader.rows(schema.heads, {"chain": chain})), 0)
            loss_text = (
                f"the ledger ends before it, with event {last}" if last < sequence else f"event {sequence} is missing"
            )
            yield Finding("events", "sequence", f"{history_text}; {loss_text}.", chain, sequence)
        elif row[9].hex() != hash or row[5] != time:
            sentence = f"Event {sequence} of {chain} ({row[2]}) is not the one whose hash was exported."
            yield Finding("events", "hash" if row[9].hex() != hash else "time", sentence, chain, sequence, row[2])


def _read_heads(document: object) -> list[_Head]:
    if not isinstance(document, dict) or document.get("document") != HEADS_DOCUMENT or document.get("version") != 1:
        raise BadHeads("This is not an export of a ledger's heads.")
    unsigned_document = {name: value for name, value in document.items() if name != "digest"}
    try:
        if sha256(encode_canonical(unsigned_document)).hexdigest() != document.get("digest"):
            raise BadHeads("The export of the heads was changed: its digest does not fit.")
        if not isinstance(document.get("time"), int):
            raise BadHeads("The export of the heads has no time.")
        return [
            (str(head["chain"]), int(head["sequence"]), str(head["hash"]), int(head["time"]))
            for head in unsigned_document["heads"]
        ]
    except (BadCommandOutcome, KeyError, TypeError, ValueError) as error:
        if isinstance(error, BadHeads):
            raise
        raise BadHeads(f"The export of the heads cannot be read: {error!r}.") from None
