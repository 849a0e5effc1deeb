"""All hands of six and seven cards, counted by their strength.

One kernel goes through all hands with the same lowest card: it keeps the sums of the cards' keys, so a hand costs one
addition and one look into the tables. The lowest cards are shared out among the processor's cores; each counts for
itself, and the sum of whole numbers is the same in any order.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from cardroom.hands import FIVE_CARD
from cardroom.hands.strength import look_up, suited_strength
from cardroom.hands.tables import ENOUGH_FOR_A_FLUSH, FOUR_SUITS, Tables, tables
from cardroom.kernels import cores, kernel

_DECK = 52
# One more card of whatever suit.
_ONE_OF_EACH_SUIT = np.uint64(sum(1 << shift for shift in FOUR_SUITS))


@kernel
def _count_from(lowest: int, size: int, t: Tables, counts: NDArray[np.int64]) -> None:
    """Add every hand of ``size`` cards whose lowest card is ``lowest`` to the counts, by strength."""
    keys, rows, unsuited = t.keys, t.rows, t.unsuited
    shift, mask = t.row_shift, t.slot_mask
    last = size - 1
    hand = np.empty((1, size), np.uint8)
    sums = np.empty(last, np.uint64)  # of the keys up to and including this card
    hand[0, 0], sums[0] = lowest, t.start + keys[lowest]
    at, card = 1, lowest + 1
    while True:
        while at < last:  # the cards before the last one follow each other upwards
            hand[0, at], sums[at] = card, sums[at - 1] + keys[card]
            at, card = at + 1, card + 1
        so_far = sums[last - 1]
        if (so_far + _ONE_OF_EACH_SUIT) & ENOUGH_FOR_A_FLUSH:
            for final in range(card, _DECK):
                total = so_far + keys[final]
                strength = look_up(total, unsuited, rows, shift, mask)
                if total & ENOUGH_FOR_A_FLUSH:
                    hand[0, last] = final
                    strength = max(strength, suited_strength(hand, 0, total, t))
                counts[strength] += 1
        else:  # no suit can come to five, so any suit of the last card's rank makes the same hand
            while card < _DECK:
                suits = 4 - (card & 3)
                counts[look_up(so_far + keys[card], unsuited, rows, shift, mask)] += suits
                card += suits
        at = last - 1
        while at > 0 and hand[0, at] == _DECK - size + at:  # as high as it can be
            at -= 1
        if at == 0:
            return
        card = int(hand[0, at]) + 1


def count_by_strength(size: int, workers: int | None = None) -> NDArray[np.int64]:
    """How many of the 52 choose ``size`` hands have each strength; the strength is the index. At most 133,784,560 of
    seven cards, far below what 64 bits hold.

    >>> int(count_by_strength(5)[-1]), int(count_by_strength(5).sum())
    (4, 2598960)
    """
    t = tables(FIVE_CARD)
    lowest_cards = range(_DECK - size + 1)
    counts = np.zeros((len(lowest_cards), len(FIVE_CARD.classes) + 1), np.int64)
    with ThreadPoolExecutor(workers or cores()) as pool:
        list(pool.map(lambda lowest: _count_from(lowest, size, t, counts[lowest]), lowest_cards))
    total: NDArray[np.int64] = counts.sum(axis=0)
    return total
