"""Integers beyond 64 bits in arrays: three limbs of 24 bits each, the lowest first.

Limbs may be temporarily negative or larger, because sums and differences are taken limb by limb; the number is their
weighted sum.

>>> import numpy as np
>>> numbers = decode_limbs(np.array([[1, 0, 0, 0, 0, 0, 0, 0, 1]], np.uint8))
>>> numbers.tolist(), to_int(numbers[0])
([[1, 0, 65536]], 18446744073709551617)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

LIMB_COUNT: Final = 3
BYTE_COUNT: Final = 9
_LIMB_BITS: Final = 24
_LIMB_MASK: Final = (1 << _LIMB_BITS) - 1

Limbs: TypeAlias = NDArray[np.int64]
"""Numbers with their limbs on the last axis."""


def decode_limbs(data: NDArray[np.uint8]) -> Limbs:
    """Decode numbers of nine bytes, the lowest byte first."""
    three = data.reshape(*data.shape[:-1], LIMB_COUNT, BYTE_COUNT // LIMB_COUNT)
    limbs: Limbs = three[..., 2].astype(np.int64)
    for byte in (1, 0):
        limbs <<= 8
        limbs |= three[..., byte]
    return limbs


def to_limbs(number: int) -> Limbs:
    """Encode one number that is not below zero."""
    return np.array([number & _LIMB_MASK, number >> _LIMB_BITS & _LIMB_MASK, number >> 2 * _LIMB_BITS], np.int64)


def to_int(limbs: Sequence[int] | Limbs) -> int:
    """The number as a Python integer."""
    low, middle, high = (int(limb) for limb in limbs)
    return low + (middle << _LIMB_BITS) + (high << 2 * _LIMB_BITS)


def to_ints(limbs: Limbs) -> list[int]:
    """The numbers as Python integers."""
    return [to_int(row) for row in limbs.tolist()]


def weighted_sum(limbs: Limbs, weights: NDArray[np.int64]) -> Limbs:
    """The weighted sum along the first axis. The weights together stay below 2**38."""
    total: Limbs = np.tensordot(weights, limbs, axes=(0, 0))
    return total


def argmax_limbs(limbs: Limbs) -> NDArray[np.int64]:
    """The index of the greatest number on the last axis but one; the first of equal ones."""
    low, middle, high = limbs[..., 0], limbs[..., 1], limbs[..., 2]
    middle = middle + (low >> _LIMB_BITS)
    high = high + (middle >> _LIMB_BITS)
    rest = (middle & _LIMB_MASK) << _LIMB_BITS | low & _LIMB_MASK
    most = high == high.max(axis=-1, keepdims=True)
    places: NDArray[np.int64] = np.where(most, rest, -1).argmax(axis=-1)
    return places
