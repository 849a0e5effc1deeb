"""Lookup tables: from the cards of a hand straight to its strength.

Each rank has a random 32-bit key (a wild card counts as one more rank), and the sum of the keys of some cards,
modulo 2**32, names their ranks whatever the order. The sum's upper bits choose a row, its lower bits with the row's
displacement a slot, and no two sums share a slot. A card's 64-bit key also counts its suit in four bits at the top,
so one addition a card gathers everything. The counters start so high that a suit with enough cards for a flush
sets the top bit of its four.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import JOKER_CODE
from cardroom.hands.ranking import RANKS, WILD, Ranking
from cardroom.kernels import cached_arrays, kernel

SUIT_SHIFT: Final = 48
SUIT_SHIFTS: Final = tuple(SUIT_SHIFT + 4 * suit for suit in range(4))
"""Where in a sum of keys the four bits begin that count the cards of each suit."""
FLUSH_BITS: Final = np.uint64(sum(8 << shift for shift in SUIT_SHIFTS))
"""The bits of a sum that tell whether a suit has as many cards as a flush of the ranking needs."""
SUM_BITS: Final = 32
_ROW_BITS: Final = 13
_DEUCE_CODES: Final = range(4)


Strengths: TypeAlias = NDArray[np.uint16]


class LookupTables(NamedTuple):
    """What the kernels look up, one set for each ranking."""

    keys: NDArray[np.uint64]
    """The key of each card by its code; 256 of them, so that no byte points outside."""
    rows: NDArray[np.uint16]
    unsuited: Strengths
    """By slot: the strength of the best hand in these ranks when suits are left out of account."""
    suited: Strengths
    """By slot: the strength of the best hand in these ranks when all are of one suit."""
    start: np.uint64
    row_shift: np.uint64
    slot_mask: np.uint64


def card_symbols(ranking: Ranking) -> tuple[int, ...]:
    """What a card can be in this ranking: its rank, or wild. Deuces are never natural where they are wild."""
    return (*RANKS[1:], WILD) if ranking.wild_deuces else RANKS


def slot_bits(ranking: Ranking) -> int:
    """Enough slots that displacements are found at once, few enough to stay in the processor's cache."""
    kinds = len(card_symbols(ranking))
    needed = sum(comb(kinds + size - 1, size) for size in range(ranking.size, ranking.max_cards + 1))
    return max(10, int(needed * 1.3).bit_length())


@cache
def _multisets(kinds: int, size: int) -> NDArray[np.int64]:
    return np.array(list(combinations_with_replacement(range(kinds), size)), dtype=np.int64)


def _sums(keys: NDArray[np.uint64], rows: NDArray[np.int64]) -> NDArray[np.uint64]:
    total: NDArray[np.uint64] = keys[rows].sum(axis=1, dtype=np.uint64)
    return total & np.uint64((1 << SUM_BITS) - 1)


def _find_separating_keys(kinds: int, sizes: range, bits: int) -> NDArray[np.uint64]:
    """The first keys of a fixed sequence under which all sums differ in row or slot."""
    for seed in range(1000):
        keys = np.random.default_rng(seed).integers(0, 1 << SUM_BITS, kinds, dtype=np.uint64)
        sums = np.concatenate([_sums(keys, _multisets(kinds, size)) for size in sizes])
        places = (sums >> np.uint64(SUM_BITS - _ROW_BITS) << np.uint64(bits)) | (sums & np.uint64((1 << bits) - 1))
        if len(np.unique(places)) == len(places):
            return keys
    raise AssertionError("no separating keys among the first thousand")


@kernel
def _find_displacements(
    columns: NDArray[np.int64], starts: NDArray[np.int64], fullest_first: NDArray[np.int64], slots: int
) -> NDArray[np.int64]:
    """For each row the first displacement that puts all its sums into free slots."""
    occupied = np.zeros(slots, np.bool_)
    displacements = np.full(len(fullest_first), -1, np.int64)
    for row in fullest_first:
        for displacement in range(slots):
            free = True
            for index in range(starts[row], starts[row + 1]):
                if occupied[columns[index] ^ displacement]:
                    free = False
                    break
            if free:
                displacements[row] = displacement
                for index in range(starts[row], starts[row + 1]):
                    occupied[columns[index] ^ displacement] = True
                break
    return displacements


def _row_displacements(sums: NDArray[np.uint64], bits: int) -> NDArray[np.uint16]:
    row = (sums >> np.uint64(SUM_BITS - _ROW_BITS)).astype(np.int64)
    by_row = np.argsort(row, kind="stable")
    counts = np.bincount(row, minlength=1 << _ROW_BITS)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    columns = (sums[by_row] & np.uint64((1 << bits) - 1)).astype(np.int64)
    displacements = _find_displacements(columns, starts, np.argsort(-counts, kind="stable"), 1 << bits)
    if displacements.min() < 0 or displacements.max() > np.iinfo(np.uint16).max:
        raise AssertionError("the slots are too few for these sums")
    return displacements.astype(np.uint16)


def _strengths_by_size(ranking: Ranking, kinds: tuple[int, ...], *, suited: bool) -> list[NDArray[np.uint16]]:
    """The strength of every multiset of ranks, by size: the smallest size by the rules, each larger one as the best
    that leaving out one card gives."""
    smallest = [
        ranking.strengths.get(ranking.classify(tuple(kinds[position] for position in row), suited=suited), 0)
        for row in _multisets(len(kinds), ranking.size).tolist()
    ]
    by_size = [np.array(smallest, dtype=np.uint16)]
    for size in range(ranking.size + 1, ranking.max_cards + 1):
        rows, smaller_rows = _multisets(len(kinds), size), _multisets(len(kinds), size - 1)
        weights = len(kinds) ** np.arange(size - 2, -1, -1, dtype=np.int64)
        index = smaller_rows @ weights  # ascending, because combinations come in order
        best = np.zeros(len(rows), np.uint16)
        for removed in range(size):
            smaller = np.searchsorted(index, np.delete(rows, removed, axis=1) @ weights)
            np.maximum(best, by_size[-1][smaller], out=best)
        by_size.append(best)
    return by_size


def _card_keys(ranking: Ranking, kinds: tuple[int, ...], keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    one_of_each_suit = sum(1 << shift for shift in SUIT_SHIFTS)
    by_code = np.zeros(256, np.uint64)
    for code in range(JOKER_CODE + 1):
        wild = ranking.wild_deuces and (code in _DEUCE_CODES or code == JOKER_CODE)
        if code == JOKER_CODE and not wild:
            continue
        kind = kinds.index(WILD if wild else code // 4 + 2)
        suits = one_of_each_suit if wild else 1 << SUIT_SHIFT + 4 * (code % 4)
        by_code[code] = keys[kind] + np.uint64(suits)
    return by_code


@cache
def lookup_tables(ranking: Ranking) -> LookupTables:
    """The tables of a ranking; built once, then read from the user's cache folder."""
    bits = slot_bits(ranking)
    # A counter that starts at 8 - size has its top bit set once `size` cards of the suit are counted.
    start = sum((8 - ranking.size) << shift for shift in SUIT_SHIFTS)
    return LookupTables(
        **cached_arrays(ranking.name.replace(" ", "-"), lambda: _build_arrays(ranking, bits)),
        start=np.uint64(start),
        row_shift=np.uint64(SUM_BITS - _ROW_BITS),
        slot_mask=np.uint64((1 << bits) - 1),
    )


def _build_arrays(ranking: Ranking, bits: int) -> dict[str, NDArray[Any]]:
    kinds = card_symbols(ranking)
    sizes = range(ranking.size, ranking.max_cards + 1)
    keys = _find_separating_keys(len(kinds), sizes, bits)
    sums = np.concatenate([_sums(keys, _multisets(len(kinds), size)) for size in sizes])
    rows = _row_displacements(sums, bits)
    row = (sums >> np.uint64(SUM_BITS - _ROW_BITS)).astype(np.int64)
    slots = (sums & np.uint64((1 << bits) - 1)).astype(np.int64) ^ rows[row]
    by_slot = []
    for suited in (False, True):
        strengths = np.zeros(1 << bits, np.uint16)
        strengths[slots] = np.concatenate(_strengths_by_size(ranking, kinds, suited=suited))
        by_slot.append(strengths)
    return {
        "keys": _card_keys(ranking, kinds, keys),
        "rows": rows,
        "unsuited": by_slot[0],
        "suited": by_slot[1],
    }
