"""Random numbers for simulated rounds: Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, 2011).

A number depends on its seed and its place alone, not on the numbers drawn before. So each block of rounds has a
stream of its own, and the cards are the same whoever deals the block, on however many threads.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import inlined, kernel

Words: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""Four numbers of 32 bits."""

_MULTIPLIER_0: Final = np.uint64(0xD2511F53)
_MULTIPLIER_1: Final = np.uint64(0xCD9E8D57)
_WEYL_0: Final = np.uint64(0x9E3779B9)
_WEYL_1: Final = np.uint64(0xBB67AE85)
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_ALL: Final = np.uint64(2**64 - 1)


@inlined
def philox(c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64) -> Words:
    """The four numbers at counter ``c0`` to ``c3`` of the stream with the key ``k0``, ``k1``; all of 32 bits."""
    for _ in range(10):
        one = _MULTIPLIER_0 * c0
        other = _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (other >> _HALF) ^ c1 ^ k0, other & _LOW, (one >> _HALF) ^ c3 ^ k1, one & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    return c0, c1, c2, c3


# Several cards come out of one number of 64 bits, as digits of a mixed radix: the number times 312 has the first card
# above its 64 bits and the rest of the chance below, which times 311 has the second one, and so on. The last rest
# tells the few numbers that would make some cards likelier than others; they are thrown away (Lemire's method).


@inlined
def refused_below(cards: int, count: int) -> np.uint64:
    """The rests below this belong to numbers too many when ``count`` of ``cards`` are drawn from 64 bits."""
    ways = np.uint64(1)
    for drawn in range(count):
        ways *= np.uint64(cards - drawn)
    return (_ALL - ways + np.uint64(1)) % ways


@inlined
def digit(high: np.uint64, low: np.uint64, left: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """A card from a number of 64 bits, told by its place among those that are left, and the rest of the chance."""
    lower = low * left
    upper = high * left + (lower >> _HALF)
    return upper >> _HALF, upper & _LOW, lower & _LOW


@kernel
def fill(words: NDArray[np.uint32], first: int, block: int, stream: int, attempt: int, seed: np.uint64) -> None:
    """The numbers of many counters that follow each other, the first of them ``first``: a column a counter."""
    seed_0, seed_1 = seed & _LOW, seed >> _HALF
    there, place, again = np.uint64(block) & _LOW, np.uint64(stream) & _LOW, np.uint64(attempt) & _LOW
    for at in range(words.shape[1]):
        w, x, y, z = philox(np.uint64(first + at) & _LOW, there, place, again, seed_0, seed_1)
        words[0, at], words[1, at], words[2, at], words[3, at] = w, x, y, z
