"""Every hand that can be dealt, as arrays of card codes to be judged in one go.

>>> hands_from(5, 2).tolist()
[[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3], [0, 4], [1, 4], [2, 4], [3, 4]]
>>> hands_with_copies(2, 2).tolist()
[[0, 0], [0, 1], [1, 1]]
>>> ways_to_deal(hands_with_copies(2, 2), decks=6).tolist()  # 66 pairs of twelve cards
[15, 36, 15]
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
from numpy.typing import NDArray


def hands_from(deck: int, size: int) -> NDArray[np.uint8]:
    """All hands of ``size`` different codes below ``deck``, those with the lowest highest card first."""
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    rest = hands_from(deck - 1, size - 1)
    return np.concatenate(
        [np.insert(rest[: comb(top, size - 1)], size - 1, top, axis=1) for top in range(size - 1, deck)]
    )


def in_parts(deck: int, size: int, at_once: int = 3_000_000) -> Iterator[NDArray[np.uint8]]:
    """The same hands; more than ``at_once`` come in parts, the two highest cards held fast while the others run."""
    if comb(deck, size) <= at_once:
        yield hands_from(deck, size)
        return
    rest = hands_from(deck - 2, size - 2)
    for second in range(size - 2, deck - 1):
        below = rest[: comb(second, size - 2)]
        for top in range(second + 1, deck):
            part = np.empty((len(below), size), np.uint8)
            part[:, : size - 2], part[:, size - 2], part[:, size - 1] = below, second, top
            yield part


def hands_with_copies(kinds: int, size: int) -> NDArray[np.uint8]:
    """All hands of ``size`` codes below ``kinds`` in which a code may come several times."""
    hands = hands_from(kinds + size - 1, size)
    hands -= np.arange(size, dtype=np.uint8)
    return hands


def ways_to_deal(hands: NDArray[np.uint8], decks: int) -> NDArray[np.int64]:
    """How often each hand, its codes in rising order, comes among all hands from this many decks."""
    ways = np.ones(len(hands), np.int64)
    copies = np.zeros(len(hands), np.int64)
    for place in range(hands.shape[1]):
        if place:
            copies = np.where(hands[:, place] == hands[:, place - 1], copies + 1, 0)
        # Choosing k of the copies: a factor (decks - j) / (j + 1) for each j below k, whole after every step.
        ways = ways * (decks - copies) // (copies + 1)
    return ways
