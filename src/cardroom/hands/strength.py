"""The strength of a hand from its cards: one kernel for one hand or millions, for every ranking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.tables import ENOUGH_FOR_A_FLUSH, SUIT_SHIFT, SUM_BITS, Tables
from cardroom.kernels import inlined, kernel

Codes = NDArray[np.uint8]

_SUM: Final = np.uint64((1 << SUM_BITS) - 1)
_TOP_BIT: Final = np.uint64(8)
_ONE: Final = np.uint64(1)


# Kernels take the arrays out of the tables before they loop: an access inside the loop would count references.


@inlined
def look_up(
    total: np.uint64, strengths: NDArray[np.uint16], rows: NDArray[np.uint16], shift: np.uint64, mask: np.uint64
) -> np.uint16:
    """The strength stored for a sum of keys."""
    ranks = total & _SUM
    found: np.uint16 = strengths[(ranks ^ rows[ranks >> shift]) & mask]
    return found


@kernel
def suited_strength(hands: Codes, at: int, total: np.uint64, t: Tables) -> np.uint16:
    """The best hand within one suit, wild cards included; only asked when a suit has enough cards."""
    keys, rows, strengths = t.keys, t.rows, t.suited
    best = np.uint16(0)
    for suit in range(4):
        shift = np.uint64(SUIT_SHIFT + 4 * suit)
        if (total >> shift) & _TOP_BIT:
            ranks = np.uint64(0)
            for card in range(hands.shape[1]):
                key = keys[hands[at, card]]
                if (key >> shift) & _ONE:
                    ranks += key
            best = max(best, look_up(ranks, strengths, rows, t.row_shift, t.slot_mask))
    return best


@kernel
def strength(hands: Codes, at: int, t: Tables) -> np.uint16:
    """The strength of the hand in row ``at``."""
    keys = t.keys
    total = t.start
    for card in range(hands.shape[1]):
        total += keys[hands[at, card]]
    best = look_up(total, t.unsuited, t.rows, t.row_shift, t.slot_mask)
    if total & ENOUGH_FOR_A_FLUSH:
        best = max(best, suited_strength(hands, at, total, t))
    return best


def _batch(size: int) -> Callable[[Codes, Tables, NDArray[np.uint16]], None]:
    """The batch kernel for hands of ``size`` cards; a loop of known length takes half the time."""

    @kernel
    def strengths(hands: Codes, t: Tables, out: NDArray[np.uint16]) -> None:
        keys, rows, unsuited = t.keys, t.rows, t.unsuited
        start, shift, mask = t.start, t.row_shift, t.slot_mask
        for at in range(len(hands)):
            total = start
            for card in range(size):
                total += keys[hands[at, card]]
            best = look_up(total, unsuited, rows, shift, mask)
            if total & ENOUGH_FOR_A_FLUSH:
                best = max(best, suited_strength(hands, at, total, t))
            out[at] = best

    return strengths


BATCH: Final = {size: _batch(size) for size in range(3, 8)}
"""By the number of cards: the strengths of many hands at once."""


@inlined
def ascending(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Four codes in order."""
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return a, b, c, d
