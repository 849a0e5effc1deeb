"""Events read a second time, when something is wrong between chains and it is to be said where."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from cardroom.floor.verification.agreement import Rows
from cardroom.jackpots import Happening, happening_from
from cardroom.ledger import Event, schema
from cardroom.ledger.ledger import event_from_row
from cardroom.ledger.store import EventRow, LedgerReader


def happened(row: EventRow) -> Happening:
    """What a stored event stands for."""
    return happening_from(row[3], row[4], orjson.loads(row[6]))


def told_by(now: LedgerReader, chain: str) -> Rows:
    """The events of a chain, from the first to the last."""
    for row in now.rows(schema.events, {"chain": chain}):
        yield row[1], row[2], happened(row)


class AsStored:
    """A look at the books, from which past rounds are recalled."""

    def __init__(self, now: LedgerReader) -> None:
        self._now = now

    def find_event(self, chain: str, name: str) -> Event | None:
        """The event of a chain that has a name."""
        for _, _, sequence in self._now.rows(schema.unique_keys, {"chain": chain, "name": name}):
            return next(
                map(event_from_row, self._now.rows(schema.events, {"chain": chain, "sequence": sequence})), None
            )
        return None

    def events(self, chain: str, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """The events of a chain after a place."""
        return map(event_from_row, self._now.rows(schema.events, {"chain": chain}, {"sequence": after}, limit))
