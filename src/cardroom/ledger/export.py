"""Heads as a document that is kept outside: with it anybody can tell later whether history was rewritten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final

from cardroom.ledger import schema
from cardroom.ledger.canonical import canonical
from cardroom.ledger.faults import BadHeads, BadOutcome
from cardroom.ledger.records import Time
from cardroom.ledger.report import Finding
from cardroom.ledger.store import HeadRow, Reading

DOCUMENT: Final = "heads of a Cardroom ledger"


def export(rows: Sequence[HeadRow], time: Time) -> dict[str, Any]:
    """The document, signed off with the SHA-256 of the rest of it."""
    document: dict[str, Any] = {
        "document": DOCUMENT,
        "version": 1,
        "time": time,
        "heads": [
            {"chain": chain, "sequence": sequence, "hash": hash.hex(), "time": time}
            for chain, sequence, hash, time, _, _ in rows
        ],
    }
    return document | {"digest": sha256(canonical(document)).hexdigest()}


_Head = tuple[str, int, str, int]
"""Chain, sequence, hash and time."""


def check(document: object, now: Reading) -> Iterator[Finding]:
    """Each head that is not on its chain any more."""
    for chain, sequence, hash, time in _heads(document):
        row = next(now.rows(schema.events, {"chain": chain, "sequence": sequence}), None)
        if row is None:
            had = f"{chain} had {sequence} events when its head was exported"
            last = next((end[1] for end in now.rows(schema.heads, {"chain": chain})), 0)
            lost = f"the books end before it, with event {last}" if last < sequence else f"event {sequence} is gone"
            yield Finding("events", "sequence", f"{had}; {lost}.", chain, sequence)
        elif row[9].hex() != hash or row[5] != time:
            sentence = f"Event {sequence} of {chain} ({row[2]}) is not the one whose hash was exported."
            yield Finding("events", "hash" if row[9].hex() != hash else "time", sentence, chain, sequence, row[2])


def _heads(document: object) -> list[_Head]:
    if not isinstance(document, dict) or document.get("document") != DOCUMENT or document.get("version") != 1:
        raise BadHeads("This is not an export of a ledger's heads.")
    rest = {name: value for name, value in document.items() if name != "digest"}
    try:
        if sha256(canonical(rest)).hexdigest() != document.get("digest"):
            raise BadHeads("The export of the heads was changed: its digest does not fit.")
        if not isinstance(document.get("time"), int):
            raise BadHeads("The export of the heads does not say when it was made.")
        return [(str(one["chain"]), int(one["sequence"]), str(one["hash"]), int(one["time"])) for one in rest["heads"]]
    except (BadOutcome, KeyError, TypeError, ValueError) as fault:
        if isinstance(fault, BadHeads):
            raise
        raise BadHeads(f"The export of the heads cannot be read: {fault!r}.") from None
