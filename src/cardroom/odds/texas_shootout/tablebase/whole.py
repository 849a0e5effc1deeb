"""Whole numbers beyond 64 bits in arrays: three parts of 24 bits each, the lowest first.

Parts may be negative or larger for a while, as sums and differences are taken part by part; the number is what they
come to together.

>>> import numpy as np
>>> some = parts_of(np.array([[1, 0, 0, 0, 0, 0, 0, 0, 1]], np.uint8))
>>> some.tolist(), value_of(some[0])
([[1, 0, 65536]], 18446744073709551617)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

PARTS: Final = 3
BYTES: Final = 9
_BITS: Final = 24
_LOW: Final = (1 << _BITS) - 1

Parts: TypeAlias = NDArray[np.int64]
"""Numbers whose parts lie on the last axis."""


def parts_of(little: NDArray[np.uint8]) -> Parts:
    """Numbers that were written in nine bytes, the lowest first."""
    three = little.reshape(*little.shape[:-1], PARTS, BYTES // PARTS)
    found: Parts = three[..., 2].astype(np.int64)
    for byte in (1, 0):
        found <<= 8
        found |= three[..., byte]
    return found


def parts(number: int) -> Parts:
    """Of one number that is not below zero."""
    return np.array([number & _LOW, number >> _BITS & _LOW, number >> 2 * _BITS], np.int64)


def value_of(some: Sequence[int] | Parts) -> int:
    """The number itself."""
    low, middle, high = (int(one) for one in some)
    return low + (middle << _BITS) + (high << 2 * _BITS)


def values_of(some: Parts) -> list[int]:
    """The numbers of a list."""
    return [value_of(one) for one in some.tolist()]


def weighted(some: Parts, weights: NDArray[np.int64]) -> Parts:
    """The sum along the first axis, each number so many times. The weights together stay below 2**38."""
    found: Parts = np.tensordot(weights, some, axes=(0, 0))
    return found


def greatest(some: Parts) -> NDArray[np.int64]:
    """Where the greatest number stands on the last axis but one; of equal ones the first."""
    low, middle, high = some[..., 0], some[..., 1], some[..., 2]
    middle = middle + (low >> _BITS)
    high = high + (middle >> _BITS)
    rest = (middle & _LOW) << _BITS | low & _LOW
    most = high == high.max(axis=-1, keepdims=True)
    found: NDArray[np.int64] = np.where(most, rest, -1).argmax(axis=-1)
    return found
