"""Whether tables and jackpots tell the same story: what a tabulator counted is what the jackpot took in.

Both chains of a round are locked together, so a jackpot hears of a table's rounds in the table's order. Each side keeps
a running digest; only when two differ is it worth to look which round it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from itertools import zip_longest
from typing import Any, Final

from cardroom.floor.kept.chains import jackpot_chain, table_chain
from cardroom.floor.kept.recall import TAKEN_BACK, WAGERS_COUNTED
from cardroom.floor.verification.report import NotAsReplayed, wrong
from cardroom.jackpots.tabulator.unit import COUNTING, VOIDED

Pair = tuple[str, str]
"""A table and a jackpot."""
Told = tuple[str, int]
"""The round, and how many wagers; below zero when they were taken back."""
_TOGETHER: Final = 256
"""Rounds that are hashed at a time."""


def told_by_table(kind: str, payload: Mapping[str, Any]) -> Iterator[tuple[Pair, Told]]:
    """What an event of a table says about jackpots."""
    if kind in COUNTING or kind == VOIDED:
        sign = -1 if kind == VOIDED else 1
        for wager in payload["wagers"]:
            if wager["jackpot"] is not None and wager["count"]:
                yield (payload["table"], wager["jackpot"]), (payload.get("round", ""), sign * wager["count"])


def told_by_jackpot(kind: str, payload: Mapping[str, Any]) -> Iterator[tuple[Pair, Told]]:
    """What an event of a jackpot says about tables."""
    if kind in (WAGERS_COUNTED, TAKEN_BACK):
        sign = -1 if kind == TAKEN_BACK else 1
        yield (payload["table"], payload["jackpot"]), (payload["round"], sign * payload["count"])


class Story:
    """What one side tells, by table and jackpot."""

    def __init__(self, tell: Callable[[str, Mapping[str, Any]], Iterator[tuple[Pair, Told]]]) -> None:
        self._tell = tell
        self._running: dict[Pair, Any] = {}
        self._said: dict[Pair, list[str]] = {}

    def listen(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Hear of one event."""
        for pair, (round_id, count) in self._tell(kind, payload):
            self.add(pair, round_id, count)

    def add(self, pair: Pair, round_id: str, count: int) -> None:
        """Hear of the wagers of one round."""
        said = self._said.get(pair)
        if said is None:
            said = self._said[pair] = []
        said.append(f"{count} {round_id}\n")
        if len(said) >= _TOGETHER:
            self._digest(pair)

    def _digest(self, pair: Pair) -> None:
        self._running.setdefault(pair, sha256()).update("".join(self._said[pair]).encode())
        self._said[pair].clear()

    def digests(self) -> dict[Pair, bytes]:
        for pair in self._said:
            self._digest(pair)
        return {pair: running.digest() for pair, running in self._running.items()}


def disagreeing(tables: Mapping[Pair, bytes], jackpots: Mapping[Pair, bytes]) -> Pair | None:
    """A table and a jackpot that do not tell the same story."""
    return next((pair for pair in sorted({**tables, **jackpots}) if tables.get(pair) != jackpots.get(pair)), None)


Rows = Iterator[tuple[int, str, str, Mapping[str, Any]]]
"""Sequence, id, kind and payload of a chain's events."""


def first_difference(pair: Pair, table_rows: Rows, jackpot_rows: Rows) -> NotAsReplayed:
    """The first round of which a table and a jackpot do not say the same."""
    table, jackpot = pair
    by_table = _telling(pair, table_rows, told_by_table)
    by_jackpot = _telling(pair, jackpot_rows, told_by_jackpot)
    for one, other in zip_longest(by_table, by_jackpot):
        if one is None or other is None or one[2] != other[2]:
            chain = table_chain(table) if one else jackpot_chain(jackpot)
            sequence, id, _ = one or other
            what = f"table {table} and jackpot {jackpot} do not agree about what was counted"
            return wrong(what, chain, sequence, id, _in_words(one), _in_words(other))
    raise AssertionError("The digests differ, but nothing else does.")


def _telling(pair: Pair, rows: Rows, tell: Any) -> Iterator[tuple[int, str, Told]]:
    for sequence, id, kind, payload in rows:
        for about, told in tell(kind, payload):
            if about == pair:
                yield sequence, id, told


def _in_words(one: tuple[int, str, Told] | None) -> str:
    if one is None:
        return "nothing"
    round_id, count = one[2]
    return f"{count} wagers of round {round_id!r} (event {one[1]})"
