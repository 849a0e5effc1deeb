"""Long straight flushes: six cards (All-Six, Super-Six) and seven (All Seven)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from cardroom.cards import JOKER_CODE, Card
from cardroom.hands.strength import Codes
from cardroom.kernels import rule

_ACE_HIGH: Final = 13
"""The bit of the high ace; the low ace is bit 0 and the two is bit 1."""


@rule
def top_of_run(ranks: int, length: int) -> int:
    """How high the highest run of this length reaches among the ranks of one suit, a bit each: 14 for an ace on top
    down to ``length`` for an ace at the bottom; 0 when there is none."""
    ranks |= ranks >> _ACE_HIGH
    run = (1 << length) - 1
    for low in range(_ACE_HIGH + 1 - length, -1, -1):
        if (ranks >> low) & run == run:
            return low + length
    return 0


@rule
def run_in_suit(hands: Codes, at: int, length: int) -> int:
    """How high the highest straight flush of exactly this length or more reaches in row ``at``, or 0."""
    suits = np.zeros(4, np.int64)
    for card in range(hands.shape[1]):
        code = np.int64(hands[at, card])
        if code < JOKER_CODE:
            suits[code & 3] |= 1 << ((code >> 2) + 1)
    best = 0
    for suit in range(4):
        best = max(best, top_of_run(suits[suit], length))
    return best


def straight_flush_top(cards: Sequence[Card], length: int) -> int:
    """The rank on top of the highest straight flush of ``length`` cards among these, or 0.

    >>> from cardroom.cards import cards
    >>> straight_flush_top(cards("9d Td Jd Qd Kd Ad"), 6), straight_flush_top(cards("Ac 2c 3c 4c 5c 6c 7c"), 7)
    (14, 7)
    >>> straight_flush_top(cards("9d Td Jd Qd Kd As"), 6)
    0
    """
    suits = [0, 0, 0, 0]
    for card in cards:
        if card.code < JOKER_CODE:
            suits[card.code & 3] |= 2 << (card.code >> 2)
    return max([top_of_run(ranks, length) if ranks.bit_count() >= length else 0 for ranks in suits])
