"""What the choices for a hand of Texas Shootout are worth: the counts of the tablebase, valued by the rules.

Counts are whole numbers, in sixths of deals where a single hand is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.odds.texas_shootout.classes import hand_classes, own_choice
from cardroom.odds.texas_shootout.hands import CHOICE_COUNT, SPLITS
from cardroom.odds.texas_shootout.results import ENDS, RESULTS, end_net
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES
from cardroom.odds.texas_shootout.tablebase.whole import Parts, values_of, weighted

_CELLS: Final = RESULTS**2
"""Joint results of the two pairs of a split: 3 * first + second."""

_FIRST, _SECOND, _BOTH = range(3)
_PLAYED: Final = (
    *((split, _FIRST) for split in range(SPLITS)),
    *((split, _SECOND) for split in reversed(range(SPLITS))),
    *((split, _BOTH) for split in range(SPLITS)),
)
"""By choice: the split that has its cards, and which of its pairs are played."""

_ENDS_OF_CELLS: Final = tuple((cell // RESULTS, cell % RESULTS, RESULTS + cell) for cell in range(_CELLS))
"""By joint result: how the round ends when the first pair is played, the second, or both."""


@cache
def _nets(ties: str) -> tuple[tuple[int, ...], ...]:
    """By which pairs are played and joint result: what is won, in units."""
    return tuple(tuple(end_net(ends[which], ties) for ends in _ENDS_OF_CELLS) for which in range(3))


@cache
def every_joint() -> Parts:
    """The counts of all classes."""
    return tablebase().every_joint()


def class_values(ties: str) -> Parts:
    """By class and choice: what all its deals win together, in sixths of units."""
    every, nets = every_joint(), np.array(_nets(ties), np.int64)
    found: Parts = np.stack([np.einsum("ncp,c->np", every[:, split], nets[which]) for split, which in _PLAYED], axis=1)
    return found


def values_of_hand(codes: Sequence[int], ties: str) -> list[Fraction]:
    """By choice for a hand whose codes ascend: what it wins on average, in units."""
    known, nets = tablebase(), _nets(ties)
    number, order = known.place(codes)
    joint = known.joint(number)
    found = [Fraction(0)] * CHOICE_COUNT
    for choice, (split, which) in enumerate(_PLAYED):
        counts = joint[_CELLS * split : _CELLS * (split + 1)]
        won = sum(net * count for net, count in zip(nets[which], counts, strict=True))
        found[own_choice(choice, order)] = Fraction(won, known.deals)
    return found


def ends_of(choices: NDArray[np.uint8]) -> tuple[int, ...]:
    """In how many of all deals a round ends how, by the number of the end, when each class is played as ``choices``
    says."""
    every, ways = every_joint(), hand_classes().ways
    ends = [0] * ENDS
    for choice, (split, which) in enumerate(_PLAYED):
        some = choices == choice
        for cell, count in enumerate(values_of(weighted(every[some, split], ways[some]))):
            ends[_ENDS_OF_CELLS[cell][which]] += count
    return tuple(map(_whole, ends))


def _whole(sixths: int) -> int:
    """Deals again: every class of hands is dealt in a multiple of six ways."""
    deals, rest = divmod(sixths, SHARES)
    assert rest == 0, "the counts of all hands are whole deals"
    return deals


def mean_net(ends: Sequence[int], ties: str) -> Fraction:
    """What rounds that end so win on average, in units."""
    return Fraction(sum(end_net(end, ties) * count for end, count in enumerate(ends)), sum(ends))
