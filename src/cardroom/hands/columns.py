"""The strengths of some thousands of hands without a compiler: the same tables, looked up a column of cards at a time.

To load the compiler takes as long as this takes for some millions of hands; whoever has fewer does not wait for it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.tables import ENOUGH_FOR_A_FLUSH, FOUR_SUITS, SUM_BITS, Strengths, Tables

_SUM: Final = np.uint64((1 << SUM_BITS) - 1)
_TOP_BIT: Final = np.uint64(8)
_ONE: Final = np.uint64(1)


_AT_A_TIME: Final = 1 << 14
"""Hands whose columns stay in the processor's cache."""


def strengths_by_columns(hands: NDArray[np.uint8], t: Tables) -> NDArray[np.uint16]:
    """The strength of the hand in each row."""
    out = np.empty(len(hands), np.uint16)
    for first in range(0, len(hands), _AT_A_TIME):
        some = slice(first, first + _AT_A_TIME)
        out[some] = _strengths(np.ascontiguousarray(hands[some].T), t)
    return out


def _strengths(columns: NDArray[np.uint8], t: Tables) -> NDArray[np.uint16]:
    keys = [t.keys[column] for column in columns]
    total = _sum(keys) + t.start
    best = _look_up(total, t.unsuited, t)
    (flush,) = np.nonzero(total & ENOUGH_FOR_A_FLUSH)
    keys, total = [column[flush] for column in keys], total[flush]
    for shift in map(np.uint64, FOUR_SUITS):
        (enough,) = np.nonzero(total >> shift & _TOP_BIT)
        in_suit = _sum([column[enough] * (column[enough] >> shift & _ONE) for column in keys])
        rows = flush[enough]
        best[rows] = np.maximum(best[rows], _look_up(in_suit, t.suited, t))
    return best


def _sum(keys: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    total = keys[0].copy()
    for column in keys[1:]:
        total += column
    return total


def _look_up(total: NDArray[np.uint64], strengths: Strengths, t: Tables) -> NDArray[Any]:
    ranks = total & _SUM
    found: NDArray[Any] = strengths[(ranks ^ t.rows[ranks >> t.row_shift]) & t.slot_mask]
    return found
