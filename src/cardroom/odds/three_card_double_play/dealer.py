"""What the dealer can have when some cards are known to be elsewhere: every hand is gone through."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card
from cardroom.hands import THREE_CARD
from cardroom.hands.strength import look_up, suited_strength
from cardroom.hands.tables import ENOUGH_FOR_A_FLUSH, Tables, tables
from cardroom.kernels import kernel


def hands_up_to(gone: Collection[Card]) -> NDArray[np.int64]:
    """By strength: how many of the dealer's hands are no better, when these cards are not in them (rules 2 and 6).

    >>> from cardroom.cards import cards
    >>> int(hands_up_to(cards("As Ks Qs Qd Qh 2c"))[-1])
    1370754
    """
    left = np.array([[card.code for card in STANDARD_DECK if card not in gone]], np.uint8)
    counts = np.zeros(len(THREE_CARD.classes) + 1, np.int64)
    _count_hands(left, tables(THREE_CARD), counts)
    return counts.cumsum()


@kernel
def _count_hands(left: NDArray[np.uint8], t: Tables, counts: NDArray[np.int64]) -> None:
    """Count the hands of five from the cards in row 0 by the strength of their best three cards."""
    rows, unsuited, shift, mask = t.rows, t.unsuited, t.row_shift, t.slot_mask
    cards = left.shape[1]
    keys = np.empty(cards, np.uint64)
    for card in range(cards):
        keys[card] = t.keys[left[0, card]]
    five = np.empty((1, 5), np.uint8)
    for a in range(cards):
        five[0, 0] = left[0, a]
        one = t.start + keys[a]
        for b in range(a + 1, cards):
            five[0, 1] = left[0, b]
            two = one + keys[b]
            for c in range(b + 1, cards):
                five[0, 2] = left[0, c]
                three = two + keys[c]
                for d in range(c + 1, cards):
                    five[0, 3] = left[0, d]
                    four = three + keys[d]
                    for e in range(d + 1, cards):
                        total = four + keys[e]
                        best = look_up(total, unsuited, rows, shift, mask)
                        if total & ENOUGH_FOR_A_FLUSH:
                            five[0, 4] = left[0, e]
                            best = max(best, suited_strength(five, 0, total, t))
                        counts[best] += 1
