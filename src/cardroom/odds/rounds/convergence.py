"""A simulation that is looked at while it runs: the same rounds, played stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from cardroom.odds.rounds.simulation import BLOCK, Counts, Laid, Places, Prepared, Tally, WagerPlan, WagerTally
from cardroom.odds.rounds.watch import OnBlock

Play: TypeAlias = Callable[[Prepared, int, OnBlock], Tally]
"""Plays so many rounds from the first block on."""
GROWTH: Final = 1.5
"""How much later each look is than the one before it."""
LOOKS_IN_THE_FIRST_BLOCK: Final = 40
FIRST_LOOK: Final = 100


@dataclass(frozen=True)
class _Later(Prepared):
    """The same table from a later block on."""

    wagers: tuple[WagerPlan, ...]
    table: Prepared
    skipped: int

    @property
    def block_rounds(self) -> int:
        return self.table.block_rounds

    def players(self, width: int) -> Executor:
        return self.table.players(width)

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        return self.table.run_block(seed, self.skipped + block, rounds)

    def each_round(self, seed: int, block: int, rounds: int) -> Places:
        return self.table.each_round(seed, self.skipped + block, rounds)

    def laid(self, seed: int, block: int, turn: int) -> Laid:
        return self.table.laid(seed, self.skipped + block, turn)


def stages(rounds: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """The block that a stage begins with, and its rounds; each look is at half as many rounds again.

    >>> [rounds // BLOCK for _, rounds in stages(20 * BLOCK)]
    [1, 1, 1, 1, 2, 3, 5, 6]
    """
    blocks = 0
    while blocks * size < rounds:
        until = max(blocks + 1, round(blocks * GROWTH))
        yield blocks, min(until * size, rounds) - blocks * size
        blocks = until


def played_in_stages(
    play: Play, prepared: Prepared, rounds: int, seed: int, on_block: OnBlock
) -> tuple[Tally, list[Tally]]:
    """All rounds, and what they had come to after each stage. The sum is that of playing them in one go."""
    counts, done = np.zeros(prepared.starts[-1], np.int64), 0
    looks: list[Tally] = []
    for block, size in stages(rounds, prepared.block_rounds):
        part = play(_Later(prepared.wagers, prepared, block), size, _added_to(done, rounds, on_block))
        counts, done = counts + part.counts, done + part.rounds
        if part.rounds:
            looks.append(Tally(prepared.wagers, counts, done, seed))
        if part.rounds < size:
            break
    return Tally(prepared.wagers, counts, done, seed), looks


def _added_to(before: int, rounds: int, on_block: OnBlock) -> OnBlock:
    return lambda done, _: on_block(before + done, rounds)


def first_looks(prepared: Prepared, slug: str, rounds: int, seed: int) -> list[WagerTally]:
    """How one wager stood at moments within the first block."""
    at = next(place for place, one in enumerate(prepared.wagers) if one.slug == slug)
    wager, played = prepared.wagers[at], min(rounds, prepared.block_rounds)
    places = prepared.each_round(seed, 0, played)[:, at]
    first = min(FIRST_LOOK, max(2, played // 10))
    moments = np.unique(np.geomspace(first, played, LOOKS_IN_THE_FIRST_BLOCK).round().astype(np.int64))
    return [
        WagerTally(wager, tuple(np.bincount(places[:moment], minlength=len(wager.endings)).tolist()), int(moment))
        for moment in moments.tolist()
    ]
