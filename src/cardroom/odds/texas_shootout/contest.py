"""Strategies played against each other's cards over many simulated rounds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.hands import SIX_DECK
from cardroom.hands.tables import tables
from cardroom.odds.pricer import Progress, silent
from cardroom.odds.texas_shootout.race import ENDS, Stream, looked_up, play_blocks
from cardroom.odds.texas_shootout.results import RESULTS, TIES, ended

PRICE_SEED: Final = 7_041_776
PRICE_STREAM: Final = 1
SIMPLE_STREAM: Final = 2
BLOCK: Final = 1 << 16
"""Rounds that are dealt one after the other from one stream."""
PRICE_ROUNDS: Final = 6656 * BLOCK
"""Enough for a standard error below 0.00005 units."""

SIMPLE_ROUNDS: Final = 2048 * BLOCK

_BLOCKS: Final = 64
"""Blocks that are played between two reports of progress."""

_WORDS: Final = ("loses", "ties", "wins")


def play(
    choices: NDArray[np.uint8],
    rounds: int,
    progress: Progress = silent,
    *,
    seed: int = PRICE_SEED,
    stream: int = PRICE_STREAM,
    block: int = BLOCK,
) -> NDArray[np.int64]:
    """How often rounds end how, under one strategy or under two on the same cards.

    ``choices`` has a row for each strategy with the choice by the number of the hand. Gives an array with one axis for
    each strategy; ``rounds`` is rounded up to whole blocks.
    """
    blocks = -(-rounds // block)
    ends = np.zeros(ENDS ** len(choices), np.int64)
    what = f"dealing {blocks * block / 1e6:,.0f} million rounds"
    for first in range(0, blocks, _BLOCKS):
        progress(what, first / blocks)
        found = np.zeros((min(_BLOCKS, blocks - first), ENDS ** len(choices)), np.int64)
        play_blocks(Stream(seed, stream, first, block), found, choices, looked_up(1), tables(SIX_DECK))
        ends += found.sum(axis=0)
    progress(what, 1.0)
    return ends.reshape((ENDS,) * len(choices))


@cache
def end_results(end: int) -> tuple[int, ...]:
    """The results of the hands of a round by the number of its end: of one hand, or of both hands of a split."""
    return (end,) if end < RESULTS else divmod(end - RESULTS, RESULTS)


def end_words(end: int) -> str:
    """How a round ended, as an event: ``player-wins`` as the rules call it, or what both hands of a split did."""
    results = sorted(end_results(end), reverse=True)
    if len(results) == 1:
        return ended((end,), TIES[0]).event
    first, second = (_WORDS[one] for one in results)
    return f"split-both-{first.removesuffix('s')}" if first == second else f"split-one-{first}-one-{second}"


def end_net(end: int, ties: str) -> int:
    """What a round that ended so won, in units."""
    return int(ended(end_results(end), ties).net)


def mean_and_error(values: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[Fraction, float]:
    """The mean of whole numbers that came up so often, and its standard error."""
    pairs = [(int(value), int(count)) for value, count in zip(values.ravel(), counts.ravel(), strict=True)]
    rounds = sum(count for _, count in pairs)
    mean = Fraction(sum(value * count for value, count in pairs), rounds)
    variance = Fraction(sum(value * value * count for value, count in pairs), rounds) - mean**2
    return mean, isqrt((variance.numerator << 200) // (variance.denominator * rounds)) / (1 << 100)
