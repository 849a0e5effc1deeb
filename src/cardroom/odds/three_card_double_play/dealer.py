"""What the dealer can have when some cards are known to be elsewhere: every hand is gone through."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card
from cardroom.games.three_card_double_play.rules import DEALER_CARDS
from cardroom.hands import THREE_CARD, batch


def hands_up_to(gone: Collection[Card], shown: Sequence[Card] = ()) -> NDArray[np.int64]:
    """By strength: how many of the dealer's hands are no better, when these cards are not in them and those that are
    ``shown`` are (rules 2 and 6).

    >>> from cardroom.cards import cards
    >>> int(hands_up_to(cards("As Ks Qs Qd Qh 2c"))[-1])
    1370754
    """
    left = np.array([card.code for card in STANDARD_DECK if card not in gone and card not in shown], np.uint8)
    hands = left[_fives(len(left))] if not shown else _completed(shown, left)
    found = batch(THREE_CARD, hands)
    counts: NDArray[np.int64] = np.bincount(found, minlength=len(THREE_CARD.classes) + 1)
    return counts.cumsum()


def _completed(shown: Sequence[Card], left: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Every five cards that some known ones become."""
    others = np.array(list(combinations(left.tolist(), DEALER_CARDS - len(shown))), np.uint8)
    known = np.array([[card.code for card in shown]], np.uint8)
    return np.hstack([np.repeat(known, len(others), axis=0), others])


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
