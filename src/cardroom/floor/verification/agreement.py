"""Whether tables and jackpots tell the same story: what a tabulator counted is what the jackpot took in.

Both chains of a round are locked together, so a jackpot hears of a table's rounds in the table's order. Each side keeps
a running digest; only when two differ is it worth to look which round it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from cardroom.floor.kept.chains import jackpot_chain, table_chain
from cardroom.floor.verification.report import NotAsReplayed, wrong
from cardroom.jackpots.happenings import Happening, OfATable, WagersCounted, WagersTakenBack, round_of
from cardroom.jackpots.tabulator.replay import recorded

Pair = tuple[str, str]
"""A table and a jackpot."""
Tell = Callable[[Happening], Iterator["Said"]]
_TOGETHER: Final = 256
"""Rounds that are hashed at a time."""


class Said(NamedTuple):
    """What one side says of a round."""

    pair: Pair
    round: str
    wagers: int
    """How many wagers; below zero when they were taken back."""


def said_by_table(happening: Happening) -> Iterator[Said]:
    """What a happening of a table says about jackpots."""
    sign, wagers = recorded(happening)
    for one in wagers:
        if one.jackpot is not None and one.count:
            assert isinstance(happening, OfATable)
            yield Said((happening.table, one.jackpot), round_of(happening), sign * one.count)


def said_by_jackpot(happening: Happening) -> Iterator[Said]:
    """What a happening of a jackpot says about tables."""
    match happening:
        case WagersCounted(jackpot=jackpot, table=table, round=round_id, count=count):
            yield Said((table, jackpot), round_id, count)
        case WagersTakenBack(jackpot=jackpot, table=table, round=round_id, count=count):
            yield Said((table, jackpot), round_id, -count)


class Story:
    """What one side tells, by table and jackpot."""

    def __init__(self, tell: Tell | None = None) -> None:
        self._tell = tell
        self._running: dict[Pair, Any] = {}
        self._said: dict[Pair, list[str]] = {}

    def listen(self, happening: Happening) -> None:
        """Hear of one happening."""
        assert self._tell is not None
        self.hear(self._tell(happening))

    def hear(self, told: Iterable[Said]) -> None:
        """Hear what is said."""
        for pair, round_id, count in told:
            said = self._said.setdefault(pair, [])
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


Rows = Iterator[tuple[int, str, Happening]]
"""Sequence, id and content of a chain's events."""


class Heard(NamedTuple):
    """What an event says."""

    sequence: int
    id: str
    said: Said


def first_difference(pair: Pair, table_rows: Rows, jackpot_rows: Rows) -> NotAsReplayed:
    """The first round of which a table and a jackpot do not say the same."""
    table, jackpot = pair
    what = f"table {table} and jackpot {jackpot} do not agree about what was counted"
    sides = (
        Side(table_chain(table), _telling(pair, table_rows, said_by_table)),
        Side(jackpot_chain(jackpot), _telling(pair, jackpot_rows, said_by_jackpot)),
    )
    return unlike(what, *sides, _in_words)


class Side(NamedTuple):
    """One of two chains, and what it says from its first event on."""

    chain: str
    telling: Iterator[Heard]


def unlike(what: str, one_side: Side, other_side: Side, in_words: Callable[[Heard | None], str]) -> NotAsReplayed:
    """The first place where two sides do not say the same."""
    for one, other in zip_longest(one_side.telling, other_side.telling):
        if one is None or other is None or one.said != other.said:
            chain = one_side.chain if one else other_side.chain
            found = one or other
            return wrong(what, chain, found.sequence, found.id, in_words(one), in_words(other))
    raise AssertionError("The digests differ, but nothing else does.")


def _telling(pair: Pair, rows: Rows, tell: Tell) -> Iterator[Heard]:
    for sequence, id, happening in rows:
        for said in tell(happening):
            if said.pair == pair:
                yield Heard(sequence, id, said)


def _in_words(one: Heard | None) -> str:
    if one is None:
        return "nothing"
    return f"{one.said.wagers} wagers of round {one.said.round!r} (event {one.id})"
