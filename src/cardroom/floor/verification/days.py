"""The lines under the days: where the close of a day says that a chain ended, the same event still stands, and the
money stood there as the close says. So no chain can be rewritten alone."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from cardroom.errors import BadInput
from cardroom.floor.kept.chains import ROOM, jackpot_chain, jackpot_of
from cardroom.floor.verification.replayed import LineDrawn, Replayed
from cardroom.floor.verification.report import wrong
from cardroom.jackpots import happening_from
from cardroom.jackpots.happenings import DayClosed
from cardroom.ledger import schema
from cardroom.ledger.store import LedgerReader


def ends_of_days(now: LedgerReader) -> Mapping[str, frozenset[int]]:
    """By the chain of a jackpot, the last event of each day. What cannot be read here is found by the replay."""
    ends: dict[str, set[int]] = {}
    for row in now.rows(schema.events, {"chain": ROOM}):
        try:
            happened = happening_from(row[3], row[4], orjson.loads(row[6]))
        except (BadInput, ValueError):
            continue
        for end in happened.ends if isinstance(happened, DayClosed) else ():
            if jackpot_of(end.chain) is not None:
                ends.setdefault(end.chain, set()).add(end.sequence)
    return {chain: frozenset(sequences) for chain, sequences in ends.items()}


def compare_line(line: LineDrawn, replayed: Replayed, now: LedgerReader) -> None:
    """Hold one line against the chains."""
    for end in line.ends:
        row = next(now.rows(schema.events, {"chain": end.chain, "sequence": end.sequence}), None)
        if row is None or row[9].hex() != end.hash:
            what = f"the day ended with another event {end.sequence} of {end.chain} than stands there now"
            found = "no event" if row is None else row[9].hex()
            raise wrong(what, line.chain, line.sequence, line.id, end.hash, found)
    places = {end.chain: end.sequence for end in line.ends}
    told = {jackpot_chain(one.jackpot): one for one in line.jackpots}
    for chain in sorted({*told, *filter(jackpot_of, places)}):
        there, said = replayed.stood.get((chain, places.get(chain, 0))), told.get(chain)
        if there != said:
            raise wrong(f"the money of {chain} stood otherwise", line.chain, line.sequence, line.id, there, said)
