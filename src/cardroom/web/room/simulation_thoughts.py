"""What a worker plays: blocks of simulated rounds, one after the other."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from cardroom.odds.simulation.deals import Counts
from cardroom.odds.simulation.runner import PreparedTable, first_block_samples, simulator
from cardroom.odds.simulation.wager_plan import WagerPlan
from cardroom.web.room.thoughts import table_of
from cardroom.web.room.workers import tell


class Began(NamedTuple):
    """A simulation that is ready: what is simulated of each wager, and how many rounds a block has."""

    wagers: tuple[WagerPlan, ...]
    block_rounds: int


def begin(setup: str, strategy: str) -> Began:
    """Look up everything that the rounds need; where the best play is not known yet, that takes a while."""
    prepared = _prepared(setup, strategy)
    return Began(prepared.wagers, prepared.block_rounds)


def look_at_first(setup: str, strategy: str, seed: int, rounds: int) -> list[tuple[int, tuple[int, ...]]]:
    """How often each ending of the main wager had come after some moments of the first block."""
    prepared = _prepared(setup, strategy)
    looks = first_block_samples(prepared, prepared.wagers[0].slug, rounds, seed)
    return [(one.rounds, one.counts) for one in looks]


def play_block(setup: str, strategy: str, seed: int, block: int, rounds: int) -> Counts:
    """How often each ending of each wager happened in a block."""
    return _prepared(setup, strategy).run_block(seed, block, rounds)


@lru_cache(4)
def _prepared(setup: str, strategy: str) -> PreparedTable:
    table = table_of(setup)
    return simulator(table.facts.slug).prepare(table, strategy, tell)
