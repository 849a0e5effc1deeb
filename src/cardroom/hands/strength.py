"""The strength of hands from their cards, for every ranking: one hand or millions.

The kernel is for millions of hands. Some thousands are looked up column by column without the compiler, because loading
it takes as long as some millions of hands take here. Five cards on the board, alone and with two more cards, have
kernels of their own. They have no branches: mispredicted branches cost more than the work they save, and references to
the tables would be counted in each branch.

Straight flushes of six cards (All-Six, Super-Six) and seven cards (All Seven) are here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import JOKER_CODE, Card
from cardroom.hands.lookup_tables import FLUSH_BITS, SUIT_SHIFT, SUIT_SHIFTS, SUM_BITS, LookupTables, Strengths
from cardroom.kernels import inline_rule, kernel, rule

Codes = NDArray[np.uint8]

_SUM_MASK: Final = np.uint64((1 << SUM_BITS) - 1)
_TOP_BIT: Final = np.uint64(8)
_ONE: Final = np.uint64(1)


# Kernels take the arrays out of the tables before they loop: an access inside the loop would count references.


@inline_rule
def look_up(
    total: np.uint64, strengths: NDArray[np.uint16], rows: NDArray[np.uint16], shift: np.uint64, mask: np.uint64
) -> np.uint16:
    """The strength stored for a sum of keys."""
    ranks = total & _SUM_MASK
    value: np.uint16 = strengths[(ranks ^ rows[ranks >> shift]) & mask]
    return value


@kernel
def suited_strength(hands: Codes, row: int, total: np.uint64, t: LookupTables) -> np.uint16:
    """The best hand within one suit, wild cards included; only asked when a suit has enough cards."""
    keys, rows, strengths = t.keys, t.rows, t.suited
    best = np.uint16(0)
    for suit in range(4):
        shift = np.uint64(SUIT_SHIFT + 4 * suit)
        if (total >> shift) & _TOP_BIT:
            ranks = np.uint64(0)
            for card in range(hands.shape[1]):
                key = keys[hands[row, card]]
                if (key >> shift) & _ONE:
                    ranks += key
            best = max(best, look_up(ranks, strengths, rows, t.row_shift, t.slot_mask))
    return best


@kernel
def strength(hands: Codes, row: int, t: LookupTables) -> np.uint16:
    """The strength of the hand in row ``row``."""
    keys = t.keys
    total = t.start
    for card in range(hands.shape[1]):
        total += keys[hands[row, card]]
    best = look_up(total, t.unsuited, t.rows, t.row_shift, t.slot_mask)
    if total & FLUSH_BITS:
        best = max(best, suited_strength(hands, row, total, t))
    return best


def _batch_kernel(size: int) -> Callable[[Codes, LookupTables, NDArray[np.uint16]], None]:
    """The batch kernel for hands of ``size`` cards; a loop of known length takes half the time."""

    @kernel
    def strengths(hands: Codes, t: LookupTables, out: NDArray[np.uint16]) -> None:
        keys, rows, unsuited = t.keys, t.rows, t.unsuited
        start, shift, mask = t.start, t.row_shift, t.slot_mask
        for row in range(len(hands)):
            total = start
            for card in range(size):
                total += keys[hands[row, card]]
            best = look_up(total, unsuited, rows, shift, mask)
            if total & FLUSH_BITS:
                best = max(best, suited_strength(hands, row, total, t))
            out[row] = best

    return strengths


BATCH_KERNELS: Final = {size: _batch_kernel(size) for size in range(3, 8)}
"""By the number of cards: the strengths of many hands at once."""


@inline_rule
def sort_four(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Four codes in order."""
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return a, b, c, d


_COLUMN_SUM_MASK: Final = np.uint64((1 << SUM_BITS) - 1)
_COLUMN_TOP_BIT: Final = np.uint64(8)
_COLUMN_ONE: Final = np.uint64(1)


_CHUNK_HANDS: Final = 1 << 14
"""Hands whose columns stay in the processor's cache."""


def compute_strengths(hands: NDArray[np.uint8], t: LookupTables) -> NDArray[np.uint16]:
    """The strength of the hand in each row."""
    out = np.empty(len(hands), np.uint16)
    for start in range(0, len(hands), _CHUNK_HANDS):
        chunk = slice(start, start + _CHUNK_HANDS)
        out[chunk] = _column_strengths(np.ascontiguousarray(hands[chunk].T), t)
    return out


def _column_strengths(columns: NDArray[np.uint8], t: LookupTables) -> NDArray[np.uint16]:
    keys = [t.keys[column] for column in columns]
    total = _sum(keys) + t.start
    best = _look_up_columns(total, t.unsuited, t)
    (flush,) = np.nonzero(total & FLUSH_BITS)
    keys, total = [column[flush] for column in keys], total[flush]
    for shift in map(np.uint64, SUIT_SHIFTS):
        (enough,) = np.nonzero(total >> shift & _COLUMN_TOP_BIT)
        in_suit = _sum([column[enough] * (column[enough] >> shift & _COLUMN_ONE) for column in keys])
        rows = flush[enough]
        best[rows] = np.maximum(best[rows], _look_up_columns(in_suit, t.suited, t))
    return best


def _sum(keys: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    total = keys[0].copy()
    for column in keys[1:]:
        total += column
    return total


def _look_up_columns(total: NDArray[np.uint64], strengths: Strengths, t: LookupTables) -> NDArray[Any]:
    ranks = total & _COLUMN_SUM_MASK
    values: NDArray[Any] = strengths[(ranks ^ t.rows[ranks >> t.row_shift]) & t.slot_mask]
    return values


_SUIT_SHIFT: Final = np.uint64(SUIT_SHIFT)
_NO_SUIT: Final = 4
_BOARD_ONE: Final = np.uint64(1)


@inline_rule
def board_sums(
    a: int, b: int, c: int, d: int, e: int, keys: NDArray[np.uint64]
) -> tuple[np.uint64, int, np.uint64, int]:
    """Of the five cards of the board: the sum of their keys, the suit that three or more of them have (4 for none), and
    the sum and number of those."""
    total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
    counters = (total >> _SUIT_SHIFT) + np.uint64(0x5555)  # three cards of a suit set the top bit of its four
    suit = int(counters >> np.uint64(7) & _BOARD_ONE) + 2 * int(counters >> np.uint64(11) & _BOARD_ONE)
    suit += 3 * int(counters >> np.uint64(15) & _BOARD_ONE) + _NO_SUIT * int(counters & np.uint64(0x8888) == 0)
    with_a, with_b, with_c, with_d, with_e = a & 3 == suit, b & 3 == suit, c & 3 == suit, d & 3 == suit, e & 3 == suit
    in_suit = keys[a] * np.uint64(with_a) + keys[b] * np.uint64(with_b) + keys[c] * np.uint64(with_c)
    in_suit += keys[d] * np.uint64(with_d) + keys[e] * np.uint64(with_e)
    return total, suit, in_suit, int(with_a) + with_b + with_c + with_d + with_e


@inline_rule
def board_strength(
    a: int,
    b: int,
    board: tuple[np.uint64, int, np.uint64, int],
    keys: NDArray[np.uint64],
    unsuited: NDArray[np.uint16],
    suited: NDArray[np.uint16],
    rows: NDArray[np.uint16],
    shift: np.uint64,
    mask: np.uint64,
) -> np.uint16:
    """The strength of two cards with the board."""
    total, suit, in_suit, count = board
    with_a, with_b = a & 3 == suit, b & 3 == suit
    in_suit += keys[a] * np.uint64(with_a) + keys[b] * np.uint64(with_b)
    enough = count + with_a + with_b >= 5
    unsuited_strength = look_up(total + keys[a] + keys[b], unsuited, rows, shift, mask)
    return max(unsuited_strength, np.uint16(look_up(in_suit, suited, rows, shift, mask) * enough))


_ACE_HIGH: Final = 13
"""The bit of the high ace; the low ace is bit 0 and the two is bit 1."""


@rule
def run_top(ranks: int, length: int) -> int:
    """How high the highest run of this length reaches among the ranks of one suit, a bit each: 14 for an ace on top
    down to ``length`` for an ace at the bottom; 0 when there is none."""
    ranks |= ranks >> _ACE_HIGH
    run = (1 << length) - 1
    for low in range(_ACE_HIGH + 1 - length, -1, -1):
        if (ranks >> low) & run == run:
            return low + length
    return 0


@rule
def row_straight_flush_top(hands: Codes, row: int, length: int) -> int:
    """How high the highest straight flush of exactly this length or more reaches in row ``row``, or 0."""
    suits = np.zeros(4, np.int64)
    for card in range(hands.shape[1]):
        code = np.int64(hands[row, card])
        if code < JOKER_CODE:
            suits[code & 3] |= 1 << ((code >> 2) + 1)
    best = 0
    for suit in range(4):
        best = max(best, run_top(suits[suit], length))
    return best


def straight_flush_top(cards: Sequence[Card], length: int) -> int:
    """The rank on top of the highest straight flush of ``length`` cards among these, or 0.

    >>> from cardroom.cards import parse_cards
    >>> straight_flush_top(parse_cards("9d Td Jd Qd Kd Ad"), 6)
    14
    >>> straight_flush_top(parse_cards("Ac 2c 3c 4c 5c 6c 7c"), 7)
    7
    >>> straight_flush_top(parse_cards("9d Td Jd Qd Kd As"), 6)
    0
    """
    suits = [0, 0, 0, 0]
    for card in cards:
        if card.code < JOKER_CODE:
            suits[card.code & 3] |= 2 << (card.code >> 2)
    return max([run_top(ranks, length) if ranks.bit_count() >= length else 0 for ranks in suits])
