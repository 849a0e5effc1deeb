"""What the dealer can have when some cards are known to be elsewhere: every hand is gone through."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card
from cardroom.hands import THREE_CARD, batch


def hands_up_to(gone: Collection[Card]) -> NDArray[np.int64]:
    """By strength: how many of the dealer's hands are no better, when these cards are not in them (rules 2 and 6).

    >>> from cardroom.cards import cards
    >>> int(hands_up_to(cards("As Ks Qs Qd Qh 2c"))[-1])
    1370754
    """
    left = np.array([card.code for card in STANDARD_DECK if card not in gone], np.uint8)
    found = batch(THREE_CARD, left[_fives(len(left))])
    counts: NDArray[np.int64] = np.bincount(found, minlength=len(THREE_CARD.classes) + 1)
    return counts.cumsum()


@lru_cache(maxsize=2)  # seven megabytes each; a table asks about the same numbers of cards again and again
def _fives(cards: int) -> NDArray[np.uint8]:
    """Every five of so many cards: three of them with any two that come after."""
    threes = np.array(list(combinations(range(cards), 3)), np.uint8)
    twos = np.array(list(combinations(range(cards), 2)), np.uint8)
    by_middle = []
    for middle in range(2, cards - 2):
        before, after = threes[threes[:, 2] == middle], twos[twos[:, 0] > middle]
        by_middle.append(np.hstack([np.repeat(before, len(after), axis=0), np.tile(after, (len(before), 1))]))
    return np.concatenate(by_middle)
